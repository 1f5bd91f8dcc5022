"""What a player of Renaissance sees: float32 (7, 7, 56), channels in the order of `channels`."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.record import NOBODY
from ..core.squares import popcount
from ..core.types import Observation, Record
from .board import (
    BOARD,
    COPIES,
    DECISIONS,
    GOLD,
    KIND,
    KINDS,
    KING_STEP,
    MARKERS,
    MARKERS_PHASE_2,
    MAX_POINTS,
    NONE,
    NUM_KINDS,
    NUM_SQUARES,
    SIZE,
    SQUARES,
)

OPEN = 0
MARKER = 1  # own; + OPPONENTS: the opponent's
MONOMINO = 3  # own; + OPPONENTS
POLYOMINO = 5  # + kind
JOINED_RIGHT, JOINED_BELOW = 13, 14
HANDS = 15  # + kind: own; + NUM_KINDS + kind: the opponent's
POOL = 31  # + kind
SUPPLY = 39  # own; + OPPONENTS
DECISION = 41  # + decision
UNDO_FROM, UNDO_TO = 48, 49
PROTECTED = 50
POINTS = 51  # own; + OPPONENTS
TAKEN_OFF = 53
IS_GOLD = 54
ADJUSTMENTS = 55
NUM_CHANNELS = 56
OPPONENTS = 1  # how much further on the opponent's channel is, where there is one for each player


def channels() -> tuple[str, ...]:
    """The name of each channel."""
    whose = ("own", "opponent's")
    return (
        "open",
        *(f"{who} marker" for who in whose),
        *(f"{who} monomino" for who in whose),
        *(f"{kind} here" for kind in KINDS),
        "same polyomino to the right",
        "same polyomino below",
        *(f"{who} {kind} / {copies}" for who in whose for kind, copies in zip(KINDS, COPIES, strict=True)),
        *(f"{kind} in the pool / {copies}" for kind, copies in zip(KINDS, COPIES, strict=True)),
        *(f"{who} markers in supply / {MARKERS} or {MARKERS_PHASE_2}" for who in whose),
        *(f"decision is {decision}" for decision in DECISIONS),
        "undo from here",
        "undo to here",
        "protected",
        *(f"{who} points of Phase 1 / {MAX_POINTS}" for who in whose),
        "taken off in this turn",
        "observer is Gold",
        "adjustments / limit",
    )


@kernel
def observe(state: Record, player: int, observation: Observation) -> None:
    """Write what `player` sees into `observation`."""
    everywhere = np.zeros(NUM_CHANNELS, np.float32)
    observe_hands(state, player, everywhere)
    observe_numbers(state, player, everywhere)
    for row in range(SIZE):
        for column in range(SIZE):
            for channel in range(NUM_CHANNELS):
                observation[row, column, channel] = everywhere[channel]
            observe_things(state, player, row * SIZE + column, observation[row, column])
            observe_polyomino(state, row * SIZE + column, observation[row, column])
    if state.undo != NONE:
        square = KING_STEP[state.undo // 8, state.undo % 8]
        observation[state.undo // 8 // SIZE, state.undo // 8 % SIZE, UNDO_FROM] = 1
        observation[square // SIZE, square % SIZE, UNDO_TO] = 1


@kernel
def observe_hands(state: Record, player: int, everywhere: Observation) -> None:
    """Write the hands and the pool into the channels that are the same on all squares."""
    for kind in range(NUM_KINDS):
        everywhere[HANDS + kind] = state.hands[player, kind] / COPIES[kind]
        everywhere[HANDS + NUM_KINDS + kind] = state.hands[1 - player, kind] / COPIES[kind]
        everywhere[POOL + kind] = state.pool[kind] / COPIES[kind]


@kernel
def observe_numbers(state: Record, player: int, everywhere: Observation) -> None:
    """Write the supplies, the decision, the points and the adjustments into those channels."""
    full = MARKERS if state.supply[0] + popcount(state.markers[0]) > MARKERS_PHASE_2 else MARKERS_PHASE_2
    everywhere[SUPPLY] = state.supply[player] / full
    everywhere[SUPPLY + OPPONENTS] = state.supply[1 - player] / full
    if state.player != NOBODY:
        everywhere[DECISION + state.decision] = 1
    everywhere[POINTS] = state.points[player] / MAX_POINTS
    everywhere[POINTS + OPPONENTS] = state.points[1 - player] / MAX_POINTS
    everywhere[IS_GOLD] = player == GOLD
    everywhere[ADJUSTMENTS] = state.adjustments / state.max_adjustments


@kernel
def observe_things(state: Record, player: int, square: int, here: Observation) -> None:
    """Write whether the square is open, and whose marker and monomino it holds, into its channels."""
    here[OPEN] = BOARD >> square & 1
    here[MARKER] = state.markers[player] >> square & 1
    here[MARKER + OPPONENTS] = state.markers[1 - player] >> square & 1
    here[MONOMINO] = state.monominoes[player] >> square & 1
    here[MONOMINO + OPPONENTS] = state.monominoes[1 - player] >> square & 1


@kernel
def observe_polyomino(state: Record, square: int, here: Observation) -> None:
    """Write the polyomino on the square, if there is one or was one at the start of the turn, into its channels."""
    placement = state.cover[square]
    if placement != NONE:
        here[POLYOMINO + KIND[placement]] = 1
        here[JOINED_RIGHT] = square % SIZE < SIZE - 1 and state.cover[square + 1] == placement
        here[JOINED_BELOW] = square + SIZE < NUM_SQUARES and state.cover[square + SIZE] == placement
        here[PROTECTED] = placement == state.protected and state.player != NOBODY
    if state.taken_off != NONE and state.player != NOBODY:
        here[TAKEN_OFF] = SQUARES[state.taken_off] >> square & 1
