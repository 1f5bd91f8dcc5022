"""The arrangement: the players lay the 13 polyominoes out in turn, and adjust where none that is left fits."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.record import random_below
from ..core.types import Integers, Mask, Record
from .board import (
    ARRANGE,
    BOARD,
    COPIES,
    FIRST_OF_KIND,
    FIRST_TAKE_OFF,
    KIND,
    LOWEST,
    NONE,
    NUM_KINDS,
    NUM_SQUARES,
    RANDOM,
    SILVER,
    SQUARES,
    TAKE_OFF,
    clear_board,
    fill_pool,
    kinds_in,
    lay,
    lift,
    mark_fitting,
    some_fit,
)
from .phase1 import begin_phase_1


@kernel
def begin_arrangement(state: Record) -> None:
    """Ask for the first placement, or go on to Phase 1 where the arrangement is given or random, in place."""
    if state.arrangement[0] != NONE:
        lay_all(state, state.arrangement)
        begin_phase_1(state)
    elif state.setup == RANDOM:
        lay_at_random(state)
        begin_phase_1(state)
    else:
        fill_pool(state)
        state.player = SILVER
        state.decision = ARRANGE


@kernel
def legal_placements(state: Record, mask: Mask) -> None:
    """Set the placements that fit, without those of the kind that was taken off in this turn."""
    free = BOARD & ~state.covered
    mark_fitting(placeable_kinds(state), free, free, mask)


@kernel
def placeable_kinds(state: Record) -> int:
    """The kinds in the pool, without the one that was taken off in this turn."""
    kinds = kinds_in(state.pool[:])
    return kinds if state.taken_off == NONE else kinds & ~(1 << KIND[state.taken_off])


@kernel
def some_can_be_placed(state: Record) -> bool:
    """Whether `legal_placements` would set any."""
    free = BOARD & ~state.covered
    return some_fit(placeable_kinds(state), free, free)


@kernel
def play_arrangement(state: Record, action: int) -> None:
    """Play a placement or a take-off, and go on to Phase 1 once all 13 polyominoes lie, in place."""
    if state.decision == ARRANGE:
        play_placement(state, action)
    else:
        play_take_off(state, action - FIRST_TAKE_OFF)
    if state.adjustments == state.max_adjustments:
        arrange_by_engine(state)
    if kinds_in(state.pool[:]) == 0:
        begin_phase_1(state)


@kernel
def play_placement(state: Record, placement: int) -> None:
    """Lay a polyomino of the pool on the board: an ordinary turn, or the end of an adjustment turn, in place."""
    state.pool[KIND[placement]] -= 1
    lay(state, placement)
    if state.taken_off != NONE:
        state.protected = placement
        end_adjustment(state)
    hand_over(state)


@kernel
def legal_take_offs(state: Record, mask: Mask) -> None:
    """Set the polyominoes whose removal lets another kind in; if there are none, all that are not protected."""
    helps = False
    for square in range(NUM_SQUARES):
        if can_be_taken_off(state, square) and makes_room(state, state.cover[square]):
            mask[FIRST_TAKE_OFF + square] = 1
            helps = True
    if not helps:
        for square in range(NUM_SQUARES):
            mask[FIRST_TAKE_OFF + square] = can_be_taken_off(state, square)


@kernel
def can_be_taken_off(state: Record, square: int) -> bool:
    """Whether `square` is the lowest of a polyomino that is not protected."""
    placement = state.cover[square]
    return placement != NONE and placement != state.protected and LOWEST[placement] == square


@kernel
def makes_room(state: Record, placement: int) -> bool:
    """Whether some polyomino of the pool, of another kind, fits once this one is off the board."""
    free = BOARD & ~state.covered | SQUARES[placement]
    return some_fit(kinds_in(state.pool[:]) & ~(1 << KIND[placement]), free, free)


@kernel
def play_take_off(state: Record, square: int) -> None:
    """Move the polyomino whose lowest square is `square` to the pool; the turn ends if nothing fits then, in place."""
    placement = state.cover[square]
    lift(state, placement)
    state.pool[KIND[placement]] += 1
    state.protected = NONE
    state.taken_off = placement
    state.decision = ARRANGE
    if not some_can_be_placed(state):
        end_adjustment(state)
        hand_over(state)


@kernel
def end_adjustment(state: Record) -> None:
    """Count the adjustment turn, in place."""
    state.taken_off = NONE
    state.adjustments += 1


@kernel
def hand_over(state: Record) -> None:
    """Ask the opponent: for a placement if one fits, else for a take-off, in place."""
    state.turns += 1
    state.player = 1 - state.player
    if some_can_be_placed(state):
        state.decision = ARRANGE
        state.protected = NONE
    else:
        state.decision = TAKE_OFF


@kernel
def arrange_by_engine(state: Record) -> None:
    """Clear the board and lay the fallback if one was given, else a random arrangement, in place."""
    state.pool[:] = 0
    state.protected = NONE
    if state.fallback[0] != NONE:
        clear_board(state)
        lay_all(state, state.fallback)
    else:
        lay_at_random(state)


@kernel
def lay_all(state: Record, placements: Integers) -> None:
    """Lay the placements, int64 (13,), on the board, in place."""
    for placement in placements:
        lay(state, placement)


@kernel
def lay_at_random(state: Record) -> None:
    """Lay all 13 at random, again from the start until all fit, in place."""
    while not try_at_random(state):
        pass


@kernel
def try_at_random(state: Record) -> bool:
    """Clear the board, lay the polyominoes at random, the largest first; whether all fitted. In place."""
    clear_board(state)
    for kind in range(NUM_KINDS - 1, -1, -1):
        for _ in range(COPIES[kind]):
            placement = random_placement(state, kind)
            if placement == NONE:
                return False
            lay(state, placement)
    return True


@kernel
def random_placement(state: Record, kind: int) -> int:
    """One of the placements of `kind` that fit, all equally likely, or NONE; moves `state.rng` on."""
    fitting = 0
    for placement in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        fitting += SQUARES[placement] & state.covered == 0
    if fitting == 0:
        return NONE
    skip = random_below(state, fitting)
    placement = FIRST_OF_KIND[kind]
    while SQUARES[placement] & state.covered != 0 or skip > 0:
        skip -= SQUARES[placement] & state.covered == 0
        placement += 1
    return placement
