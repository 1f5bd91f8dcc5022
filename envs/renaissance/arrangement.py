"""The arrangement: the players lay the 13 polyominoes out in turn, and adjust where none that is left fits."""

from ..core.kernel import kernel
from ..core.record import random_below
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
    lay,
    lift,
    mark_fitting,
    num_in,
    some_fit,
)
from .phase1 import begin_phase_1


@kernel
def begin_arrangement(state):
    """Ask for the first placement, or go on to Phase 1 where the arrangement is given or random, in place."""
    if state.arrangement[0] != NONE:
        lay_all(state, state.arrangement)
        begin_phase_1(state)
    elif state.setup == RANDOM:
        arrange_at_random(state)
        begin_phase_1(state)
    else:
        state.pool[:] = COPIES
        state.player = SILVER
        state.decision = ARRANGE


@kernel
def legal_placements(state, mask):
    """Set the placements that fit, without the kind that was taken off in this turn."""
    mark_fitting(state.pool, barred_kind(state), BOARD & ~state.covered, BOARD, mask)


@kernel
def barred_kind(state):
    """The kind that was taken off in this turn, or NONE."""
    return NONE if state.taken_off == NONE else KIND[state.taken_off]


@kernel
def play_placement(state, placement):
    """Lay a polyomino of the pool on the board: an ordinary turn, or the end of an adjustment turn, in place."""
    state.pool[KIND[placement]] -= 1
    lay(state, placement)
    if state.taken_off == NONE:
        hand_over(state, NONE)
    else:
        end_adjustment(state, placement)


@kernel
def legal_take_offs(state, mask):
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
def can_be_taken_off(state, square):
    """Whether `square` is the lowest of a polyomino that is not protected."""
    placement = state.cover[square]
    return placement != NONE and placement != state.protected and LOWEST[placement] == square


@kernel
def makes_room(state, placement):
    """Whether some polyomino of the pool, of another kind, fits once this one is off the board."""
    return some_fit(state.pool, KIND[placement], BOARD & ~state.covered | SQUARES[placement], BOARD)


@kernel
def play_take_off(state, square):
    """Move the polyomino whose lowest square is `square` to the pool; the turn ends if nothing fits then, in place."""
    placement = state.cover[square]
    lift(state, placement)
    state.pool[KIND[placement]] += 1
    state.protected = NONE
    state.taken_off = placement
    state.decision = ARRANGE
    if not some_fit(state.pool, KIND[placement], BOARD & ~state.covered, BOARD):
        end_adjustment(state, NONE)


@kernel
def end_adjustment(state, placement):
    """Count the adjustment turn that laid `placement` (or NONE); at the limit the engine arranges, in place."""
    state.taken_off = NONE
    state.adjustments += 1
    if state.adjustments < state.max_adjustments:
        hand_over(state, placement)
    else:
        state.turns += 1
        arrange_by_engine(state)
        begin_phase_1(state)


@kernel
def hand_over(state, protected):
    """End the turn: Phase 1 once all lie, else an ordinary turn, else an adjustment with `protected`, in place."""
    state.turns += 1
    state.player = 1 - state.player
    if num_in(state.pool) == 0:
        begin_phase_1(state)
    elif some_fit(state.pool, NONE, BOARD & ~state.covered, BOARD):
        state.decision = ARRANGE
    else:
        state.decision = TAKE_OFF
        state.protected = protected


@kernel
def arrange_by_engine(state):
    """Clear the board and lay the fallback if one was given, else a random arrangement, in place."""
    state.pool[:] = 0
    if state.fallback[0] != NONE:
        clear_board(state)
        lay_all(state, state.fallback)
    else:
        arrange_at_random(state)


@kernel
def lay_all(state, placements):
    """Lay the placements, int16 (13,), on the board, in place."""
    for placement in placements:
        lay(state, placement)


@kernel
def arrange_at_random(state):
    """Lay all 13 at random, again from the start until all fit, in place."""
    while not try_random_arrangement(state):
        pass


@kernel
def try_random_arrangement(state):
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
def random_placement(state, kind):
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
