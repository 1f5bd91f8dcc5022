"""What a player of Tsukiji sees: float32 (8, 8, 21), channels in the order of `CHANNELS`."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.record import NOBODY
from ..core.types import Integers, Observation, Record
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
LAND = 0
BUILDINGS, TRUCKS, SHIPS, BRIDGES = 1, 3, 5, 7  # own, then the opponent's
MIDDLES = 9
NUM_BOARD_CHANNELS = 10  # the others are the same on all squares
STRAIGHTS, CORNERS, BRIDGE_LEFT = 10, 11, 12  # own; the opponent's are SUPPLY further on
SUPPLY = 3
SETUP, DESTINATION, SHIP_MOVES, TRUCK_MOVES, TURNS = range(16, 21)


@kernel
def observe(state: Record, player: int, observation: Observation) -> None:
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
def board_sets(state: Record, player: int, sets: Integers) -> None:
    """Write the sets of squares that the board channels show."""
    sets[LAND] = state.land
    for i in range(2):
        owner = player if i == 0 else 1 - player
        sets[BUILDINGS + i] = state.buildings[owner]
        sets[TRUCKS + i] = SQUARE[state.trucks[owner]]
        sets[SHIPS + i] = SQUARE[state.ships[owner]]
        sets[BRIDGES + i] = BRIDGE[state.bridges[owner]]
    sets[MIDDLES] = bridge_middles(state)


@kernel
def supplies_and_stage(state: Record, player: int, levels: Observation) -> None:
    """Write the values of the channels that are the same everywhere; `levels[c]` is that of channel c."""
    for i in range(2):
        owner = player if i == 0 else 1 - player
        levels[STRAIGHTS + SUPPLY * i] = state.pieces[owner, STRAIGHT] / PIECES_OF_A_KIND
        levels[CORNERS + SUPPLY * i] = state.pieces[owner, CORNER] / PIECES_OF_A_KIND
        levels[BRIDGE_LEFT + SUPPLY * i] = state.bridges[owner] == IN_HAND
    levels[SETUP] = state.decision == PLACE_LAND and state.player != NOBODY
    levels[DESTINATION] = state.decision == MOVE_SHIP or state.decision == MOVE_TRUCK
    levels[SHIP_MOVES] = state.decision == MOVE_SHIP
    levels[TRUCK_MOVES] = state.decision == MOVE_TRUCK
    levels[TURNS] = state.turns / state.max_turns
