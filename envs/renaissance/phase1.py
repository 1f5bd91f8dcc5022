"""Phase 1: the players place and push in markers, and take the polyominoes that are filled."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.record import NOBODY
from ..core.squares import popcount
from ..core.types import Integers, Mask, Record, Squares
from .board import (
    AREA,
    COPIES,
    CORE,
    FIRST_MARKER,
    FIRST_PUSH,
    GOLD,
    I3,
    I4,
    KIND,
    MARKERS,
    NONE,
    NUM_KINDS,
    NUM_SQUARES,
    PHASE_1,
    PLACE_MARKER,
    PUSH_LINE,
    PUSH_SQUARES,
    SIZE,
    SQUARES,
    V3,
    D,
    all_markers,
    diagonal_to,
    end_by_score,
    lift,
)
from .phase2 import begin_preparation

ALL_DOMINOES = 4  # points for hands
BOTH_I3 = BOTH_V3 = 2
ALL_TRIOMINOES = 4
ALL_TETROMINOES = 15
TRIPLE_I = 1


@kernel
def begin_phase_1(state: Record) -> None:
    """Give out the markers; Gold begins, in place."""
    state.supply[:] = MARKERS
    state.player = GOLD
    state.decision = PLACE_MARKER


@kernel
def accessible(state: Record) -> Squares:
    """The squares that the player has access to: around the centre, and diagonally adjacent to his own markers."""
    return CORE | diagonal_to(state.markers[state.player])


@kernel
def pushable(line: int, access: Squares, markers: Squares) -> bool:
    """Whether the push line may be pushed: its outermost square is accessible and occupied, and it is not full."""
    outermost = 1 << PUSH_LINE[line, 0]
    return outermost & access & markers != 0 and PUSH_SQUARES[line] & ~markers != 0


@kernel
def legal_markers(state: Record, mask: Mask) -> None:
    """Set the squares to place a marker on, and the lines to push in from the edges."""
    access, markers = accessible(state), all_markers(state)
    for square in range(NUM_SQUARES):
        mask[FIRST_MARKER + square] = (access & ~markers) >> square & 1
    for line in range(4 * SIZE):
        mask[FIRST_PUSH + line] = pushable(line, access, markers)


@kernel
def is_legal_marker(state: Record, action: int) -> bool:
    """Whether `legal_markers` sets `action`."""
    access, markers = accessible(state), all_markers(state)
    if FIRST_MARKER <= action < FIRST_MARKER + NUM_SQUARES:
        return (access & ~markers) >> (action - FIRST_MARKER) & 1 == 1
    return FIRST_PUSH <= action < FIRST_PUSH + 4 * SIZE and pushable(action - FIRST_PUSH, access, markers)


@kernel
def can_use_marker(state: Record) -> bool:
    """Whether the player has a marker in supply and a legal use for it."""
    if state.supply[state.player] == 0:
        return False
    access, markers = accessible(state), all_markers(state)
    if access & ~markers != 0:
        return True
    can_push = False
    for line in range(4 * SIZE):
        can_push = can_push or pushable(line, access, markers)
    return can_push


@kernel
def play_marker(state: Record, action: int) -> None:
    """Place or push in one marker and give out the polyomino that is filled by it, in place."""
    state.supply[state.player] -= 1
    if action < FIRST_PUSH:
        square = action - FIRST_MARKER
        state.markers[state.player] |= 1 << square
    else:
        square = push_in(state, action - FIRST_PUSH)
    acquire(state, state.cover[square])
    state.turns += 1
    state.player = 1 - state.player


@kernel
def push_in(state: Record, line: int) -> int:
    """Push the line in and put a marker of the mover on its outermost square, in place; return the square filled."""
    entering = state.player
    for square in PUSH_LINE[line]:
        pushed = owner(state, square)
        if pushed != NOBODY:
            state.markers[pushed] &= ~(1 << square)
        state.markers[entering] |= 1 << square
        if pushed == NOBODY:
            break
        entering = pushed
    return square


@kernel
def owner(state: Record, square: int) -> int:
    """The player whose marker is on `square`, or NOBODY."""
    if state.markers[0] >> square & 1:
        return 0
    return 1 if state.markers[1] >> square & 1 else NOBODY


@kernel
def acquire(state: Record, placement: int) -> None:
    """If the polyomino (NONE for a monomino) is full of markers: give it to the player with more, or to the mover."""
    if placement == NONE or SQUARES[placement] & ~all_markers(state) != 0:
        return
    lead = popcount(state.markers[0] & SQUARES[placement]) - popcount(state.markers[1] & SQUARES[placement])
    taker = state.player if lead == 0 else 0 if lead > 0 else 1
    for player in range(2):
        state.supply[player] += popcount(state.markers[player] & SQUARES[placement])
        state.markers[player] &= ~SQUARES[placement]
    lift(state, placement)
    state.hands[taker, KIND[placement]] += 1
    state.points[taker] = points_of(state.hands[taker])
    state.scores[taker] = state.points[taker]


@kernel
def points_of(hand: Integers) -> int:
    """1 for each polyomino of a hand, int8 (8,), and the hands that it makes."""
    points, triominoes, tetrominoes = 0, hand[I3] + hand[V3], 0
    for kind in range(NUM_KINDS):
        points += hand[kind]
        if AREA[kind] == 4:
            tetrominoes += hand[kind]
    points += ALL_DOMINOES * (hand[D] == COPIES[D])
    points += BOTH_I3 * (hand[I3] == COPIES[I3]) + BOTH_V3 * (hand[V3] == COPIES[V3])
    points += ALL_TRIOMINOES * (triominoes == COPIES[I3] + COPIES[V3])
    points += ALL_TETROMINOES * (tetrominoes == NUM_KINDS - I4)
    return points + TRIPLE_I * (hand[D] > 0 and hand[I3] > 0 and hand[I4] > 0)


@kernel
def play_passes(state: Record) -> None:
    """Pass for a player who cannot use a marker; end Phase 1 if all is taken or both would pass, in place."""
    if state.covered != 0:
        for _ in range(2):
            if can_use_marker(state):
                return
            state.player = 1 - state.player
    end_phase_1(state)


@kernel
def end_phase_1(state: Record) -> None:
    """Go on to Phase 2, or end the game where it is played without, in place."""
    if state.variant == PHASE_1:
        end_by_score(state)
    else:
        begin_preparation(state)
