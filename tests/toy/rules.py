"""Tic-tac-toe. Squares are numbered row by row from the top left; action `s` marks square `s`.

0 1 2
3 4 5
6 7 8
"""

from __future__ import annotations

import numpy as np
from nakajima_zoo.envs.core.kernel import kernel
from nakajima_zoo.envs.core.record import HEADER, NOBODY, TERMINATED, begin, end_game
from nakajima_zoo.envs.core.types import Mask, Record

VERSION = 0
SIZE = 3
NUM_ACTIONS = SIZE * SIZE
DECISIONS = ("mark",)
REASONS = ("illegal_action", "line", "full")
LINE, FULL = 1, 2
LINES = np.array([7, 56, 448, 73, 146, 292, 273, 84])  # sets of squares: bit s is square s
ALL = 511

STATE = np.dtype((np.record, [*HEADER, ("marks", np.int64, (2,))]))  # the squares of each player


@kernel
def reset(state: Record) -> None:
    """Set up the empty board, in place."""
    begin(state, 0)
    state.marks[:] = 0


@kernel
def legal_actions(state: Record, mask: Mask) -> None:
    """Write where `state.player` may mark into `mask`, int8 (9,); all 0 when the game is over."""
    taken = state.marks[0] | state.marks[1]
    for square in range(NUM_ACTIONS):
        mask[square] = state.player != NOBODY and taken >> square & 1 == 0


@kernel
def play(state: Record, action: int) -> None:
    """Mark a square, in place."""
    state.marks[state.player] |= 1 << action
    state.turns += 1
    if has_line(state.marks[state.player]):
        state.scores[state.player] = 1
        end_game(state, TERMINATED, state.player, LINE)
    elif state.marks[0] | state.marks[1] == ALL:
        end_game(state, TERMINATED, NOBODY, FULL)
    else:
        state.player = 1 - state.player


@kernel
def has_line(marks: int) -> bool:
    """Whether the set fills one of LINES."""
    for line in LINES:
        if marks & line == line:
            return True
    return False
