"""What the record of every game begins with, and the kernels that all rules share.

A game is one NumPy record. Its dtype is `np.dtype((np.record, HEADER + [fields of the game]))`: everything that the
game needs to go on, its parameters included (board size, turn limit, form of the turns).
"""

from __future__ import annotations

import numpy as np

from .kernel import kernel
from .types import Integers, Record, Records

NOBODY = -1  # player when the game is over; winner when there is none (yet)
RUNNING, TERMINATED, TRUNCATED = 0, 1, 2  # status
FORMS = ("staged", "joint")  # of the turns: decision by decision, or a whole turn as one action; by `joint`
ILLEGAL_ACTION = 0  # reason that every game knows: index 0 of its REASONS
RESIGNED = -1  # reason outside of the rules, in records for pictures alone: no game ends so, a table's does

HEADER = [
    ("player", np.int8),  # whose decision it is: 0, 1, or NOBODY when the game is over
    ("decision", np.int8),  # which kind of decision: index into DECISIONS of the game; 0 when the game is over
    ("status", np.int8),  # RUNNING, TERMINATED by the rules, or TRUNCATED by the turn limit
    ("winner", np.int8),  # 0, 1, or NOBODY (still running, or a draw)
    ("reason", np.int8),  # why the game ended: index into REASONS of the game; 0 while it runs
    ("joint", np.int8),  # parameter: the form of the turns, index into FORMS
    ("turns", np.int32),  # completed turns (engine-played passes not counted)
    ("scores", np.int32, (2,)),  # of player 0 and player 1, up to date after every decision
    ("rng", np.uint64),  # random state; stays 0 in games without chance
]


def copy_records(states: Records) -> Records:
    """A copy of an array of records.

    NumPy's own `copy` goes through a record field by field, and takes ten times as long as this.
    """
    return np.ndarray(states.shape, states.dtype, bytearray(states.tobytes()))


@kernel
def begin(state: Record, player: int) -> None:
    """Set every field of HEADER that is no parameter to that of a game about to begin, in place."""
    state.player = player
    state.decision = 0
    state.status = RUNNING
    state.winner = NOBODY
    state.reason = 0
    state.turns = 0
    state.scores[:] = 0


@kernel
def end_game(state: Record, status: int, winner: int, reason: int) -> None:
    """End the game, in place: `status` TERMINATED or TRUNCATED, `winner` 0, 1 or NOBODY, `reason` an index."""
    state.player = NOBODY
    state.decision = 0
    state.status = status
    state.winner = winner
    state.reason = reason


@kernel
def leader(scores: Integers) -> int:
    """The player with more points, or NOBODY."""
    if scores[0] == scores[1]:
        return NOBODY
    return 0 if scores[0] > scores[1] else 1


@kernel
def random_below(state: Record, n: int) -> int:
    """A random integer in [0, n), 0 < n < 2**31; moves `state.rng` on, in place.

    xorshift64 (Marsaglia 2003). It uses shifts only, so that it runs alike compiled and uncompiled.
    """
    x = state.rng
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state.rng = x
    return np.int64(x >> np.uint64(33)) % n
