"""What a player of Tsukiji sees: float32 (8, 8, 21), channels in the order of `CHANNELS`."""

from ..core.kernel import kernel
from ..core.record import NOBODY
from .rules import (
    BRIDGE,
    CORNER,
    IN_HAND,
    MOVE_SHIP,
    MOVE_TRUCK,
    NUM_SQUARES,
    PIECES_OF_A_KIND,
    SETUP,
    SIZE,
    SQUARE,
    STRAIGHT,
    bridge_middles,
)

CHANNELS = (
    "land",
    "own buildings",
    "opponent's buildings",
    "own truck",
    "opponent's truck",
    "own ship",
    "opponent's ship",
    "squares of own bridge",
    "squares of opponent's bridge",
    "middles of bridges",
    "own straight pieces left / 3",
    "own corner pieces left / 3",
    "own bridge left",
    "opponent's straight pieces left / 3",
    "opponent's corner pieces left / 3",
    "opponent's bridge left",
    "a setup choice is asked",
    "a destination is asked",
    "the ship is to move",
    "the truck is to move",
    "turns played / max_turns",
)
NUM_BOARD_CHANNELS = 10  # the others are the same on all squares


@kernel
def observe(state, player, observation):
    """Write what `player` sees into `observation`."""
    opponent = 1 - player
    write_channel(state.land, observation, 0)
    write_channel(state.buildings[player], observation, 1)
    write_channel(state.buildings[opponent], observation, 2)
    write_channel(SQUARE[state.trucks[player]], observation, 3)
    write_channel(SQUARE[state.trucks[opponent]], observation, 4)
    write_channel(SQUARE[state.ships[player]], observation, 5)
    write_channel(SQUARE[state.ships[opponent]], observation, 6)
    write_channel(BRIDGE[state.bridges[player]], observation, 7)
    write_channel(BRIDGE[state.bridges[opponent]], observation, 8)
    write_channel(bridge_middles(state), observation, 9)
    supplies_and_stage(state, player, observation[0, 0])
    for square in range(1, NUM_SQUARES):
        for channel in range(NUM_BOARD_CHANNELS, len(CHANNELS)):
            observation[square // SIZE, square % SIZE, channel] = observation[0, 0, channel]


@kernel
def write_channel(squares, observation, channel):
    """Write a set of squares into one channel."""
    for square in range(NUM_SQUARES):
        observation[square // SIZE, square % SIZE, channel] = squares >> square & 1


@kernel
def supplies_and_stage(state, player, values):
    """Write the channels that are the same everywhere into `values`, the channels of one square."""
    first = NUM_BOARD_CHANNELS
    for owner in (player, 1 - player):
        values[first] = state.pieces[owner, STRAIGHT] / PIECES_OF_A_KIND
        values[first + 1] = state.pieces[owner, CORNER] / PIECES_OF_A_KIND
        values[first + 2] = state.bridges[owner] == IN_HAND
        first += 3
    values[first] = state.decision == SETUP and state.player != NOBODY
    values[first + 1] = state.decision == MOVE_SHIP or state.decision == MOVE_TRUCK
    values[first + 2] = state.decision == MOVE_SHIP
    values[first + 3] = state.decision == MOVE_TRUCK
    values[first + 4] = state.turns / state.max_turns
