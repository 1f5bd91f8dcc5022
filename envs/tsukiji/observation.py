"""What a player of Tsukiji sees: float32 (8, 8, 21), channels in the order of `CHANNELS`."""

import numpy as np

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
    PLACE_LAND,
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
    sets, levels = np.empty(NUM_BOARD_CHANNELS, np.int64), np.empty(len(CHANNELS), np.float32)
    player = np.int64(player)
    board_sets(state, player, sets)
    supplies_and_stage(state, player, levels)
    for square in range(NUM_SQUARES):
        for channel in range(NUM_BOARD_CHANNELS):
            observation[square // SIZE, square % SIZE, channel] = sets[channel] >> square & 1
        for channel in range(NUM_BOARD_CHANNELS, len(CHANNELS)):
            observation[square // SIZE, square % SIZE, channel] = levels[channel]


@kernel
def board_sets(state, player, sets):
    """Write the sets of squares that the board channels show."""
    sets[0] = state.land
    for i in range(2):
        owner = player if i == 0 else 1 - player
        sets[1 + i] = state.buildings[owner]
        sets[3 + i] = SQUARE[state.trucks[owner]]
        sets[5 + i] = SQUARE[state.ships[owner]]
        sets[7 + i] = BRIDGE[state.bridges[owner]]
    sets[9] = bridge_middles(state)


@kernel
def supplies_and_stage(state, player, levels):
    """Write the values of the channels that are the same everywhere; `levels[c]` is that of channel c."""
    for i in range(2):
        owner = player if i == 0 else 1 - player
        levels[10 + 3 * i] = state.pieces[owner, STRAIGHT] / PIECES_OF_A_KIND
        levels[11 + 3 * i] = state.pieces[owner, CORNER] / PIECES_OF_A_KIND
        levels[12 + 3 * i] = state.bridges[owner] == IN_HAND
    levels[16] = state.decision == PLACE_LAND and state.player != NOBODY
    levels[17] = state.decision == MOVE_SHIP or state.decision == MOVE_TRUCK
    levels[18] = state.decision == MOVE_SHIP
    levels[19] = state.decision == MOVE_TRUCK
    levels[20] = state.turns / state.max_turns
