"""Whether a record is a position of Renaissance that the rules can go on from."""

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, leader
from ..core.squares import set_of
from ..core.text import expect
from ..core.types import Record
from . import board, rules
from .board import ARRANGE, MOVE_MARKER, NONE, PICK, PLACE_MARKER, PREPARE, RELOCATE, TAKE_OFF
from .options import parse_arrangement, parse_coins, parse_hands
from .phase1 import points_of
from .phase2 import penalty

ARRANGING = (ARRANGE, TAKE_OFF)
RELOCATING = (RELOCATE, MOVE_MARKER)
DECISIONS_OF_VARIANT = {
    board.FULL: (*ARRANGING, PLACE_MARKER, PREPARE, *RELOCATING),
    board.PHASE_1: (*ARRANGING, PLACE_MARKER),
    board.PHASE_2: (PICK, PREPARE, *RELOCATING),
}


def check_position(state: Record) -> None:
    """Raise ValueError if the fields of the record contradict each other or leave the player nothing to do."""
    check_given(state)
    check_polyominoes(state)
    check_result(state)
    errors = [error for error in (error_at(state, stage) for stage in stages_of(state)) if error is not None]
    if len(errors) == len(stages_of(state)):
        raise errors[0]
    if state.status == RUNNING:
        mask = np.zeros(board.NUM_JOINT if state.joint else board.NUM_STAGED, np.int8)
        rules.legal_actions(state, mask)
        expect(bool(mask.any()), "the player to act has no legal action")


def stages_of(state: Record) -> tuple[int, ...]:
    """The decision; once the game is over, the kinds of decision that the final position may belong to."""
    if state.status == RUNNING:
        return (int(state.decision),)
    if state.reason == ILLEGAL_ACTION:
        return DECISIONS_OF_VARIANT[int(state.variant)]
    return (PLACE_MARKER if state.variant == board.PHASE_1 else RELOCATE,)


def error_at(state: Record, stage: int) -> ValueError | None:
    """Why the record is no position of this stage; None if it is one."""
    try:
        check_stage(state, stage)
    except ValueError as error:
        return error
    return None


def check_stage(state: Record, stage: int) -> None:
    """Raise ValueError if the record is no position of this stage."""
    expect(stage in DECISIONS_OF_VARIANT[int(state.variant)], f"{board.DECISIONS[stage]} has no part in this variant")
    expect(not (state.joint and stage == MOVE_MARKER), "move_marker is no decision of its own in the joint form")
    check_holders(state, stage)
    check_things(state, stage)
    check_scores(state, stage)
    check_bars(state, stage)


def check_given(state: Record) -> None:
    """Raise ValueError if an option in the record is neither absent nor well-formed."""
    for name in ("arrangement", "fallback"):
        if (state[name] != NONE).any():
            parse_arrangement(name, state[name])
    if (state.coins != NONE).any():
        parse_coins("coins", state.coins)
    if (state.given_hands != NONE).any():
        parse_hands("hands", state.given_hands)


def check_result(state: Record) -> None:
    """Raise ValueError if the winner and the reason contradict the scores."""
    if state.status == RUNNING:
        return
    won, ahead = state.winner != NOBODY, leader(state.scores)
    fits = {
        ILLEGAL_ACTION: won,
        board.SCORE: won and state.winner == ahead,
        board.EQUAL: not won and ahead == NOBODY,
    }
    reason = board.REASONS[state.reason]
    expect(state.status == TERMINATED, "a game cut off; Renaissance has no turn limit")
    expect(fits[int(state.reason)], f"winner {state.winner} by {reason} with scores {state.scores.tolist()}")


def check_polyominoes(state: Record) -> None:
    """Raise ValueError if the squares do not make up whole polyominoes of the set."""
    cover = state.cover
    expect(bool(((cover >= NONE) & (cover < board.NUM_PLACEMENTS)).all()), "a square with an unknown placement")
    for placement in set(cover.tolist()) - {NONE}:
        squares = tuple(np.flatnonzero(cover == placement).tolist())
        expect(squares == board.PLACEMENTS[placement], f"placement {placement} lies on squares {squares}")
    expect(int(state.covered) == set_of(np.flatnonzero(cover != NONE)), "covered and cover contradict each other")


def check_holders(state: Record, stage: int) -> None:
    """Raise ValueError unless every polyomino is where it can be at this stage."""
    on_board = np.bincount(board.KIND[np.unique(state.cover[state.cover != NONE])], minlength=board.NUM_KINDS)
    expect(state.hands.min() >= 0 and state.pool.min() >= 0, "a number of polyominoes below 0")
    total = on_board + state.hands.sum(axis=0) + state.pool
    some_unclaimed = state.variant == board.FULL and stage in (PREPARE, *RELOCATING)
    fits = (total <= board.COPIES).all() if some_unclaimed else (total == board.COPIES).all()
    expect(bool(fits), f"polyominoes of each kind: {total}; expected {board.COPIES}")
    expect(stage not in ARRANGING or not state.hands.any(), "polyominoes in hand during the arrangement")
    expect(stage in (*ARRANGING, PICK) or not state.pool.any(), "polyominoes in the pool after arrangement or draft")
    expect(stage not in (PICK, PREPARE) or not on_board.any(), "polyominoes on the board before the relocation")


def check_things(state: Record, stage: int) -> None:
    """Raise ValueError unless markers and monominoes lie where they can, and as many as there are."""
    sets = [int(squares) for squares in (*state.markers, *state.monominoes)]
    everything = sum(sets) if stage == PLACE_MARKER else sum(sets) + int(state.covered)
    union = sets[0] | sets[1] | sets[2] | sets[3] | (0 if stage == PLACE_MARKER else int(state.covered))
    expect(everything == union and union & ~board.BOARD == 0, "two things on one square, or one outside the board")
    markers, monominoes = [size.bit_count() for size in sets[:2]], [size.bit_count() for size in sets[2:]]
    total = {PLACE_MARKER: board.MARKERS, PREPARE: board.MARKERS_PHASE_2}.get(stage, 0)
    if stage in RELOCATING:
        expect(markers == [board.MARKERS_PHASE_2] * 2 and monominoes == [1, 1], "expected 3 markers and 1 monomino")
        total = board.MARKERS_PHASE_2
    expect((state.supply + markers).tolist() == [total, total], f"markers of each player; expected {total} with supply")
    expect(state.supply.min() >= 0, "a supply below 0")
    expect(max(monominoes) <= (stage in (PREPARE, *RELOCATING)), "a monomino too many")
    if stage == PREPARE:
        ahead = markers[board.GOLD] + monominoes[board.GOLD] - markers[board.SILVER] - monominoes[board.SILVER]
        turn = {board.GOLD: (0,), board.SILVER: (1,)}.get(int(state.player), (0, 1))
        expect(ahead in turn, "the things on the board were not placed in turn")


def check_scores(state: Record, stage: int) -> None:
    """Raise ValueError unless points and scores are those of the polyominoes."""
    for player in range(2):
        points, hand = int(state.points[player]), state.hands[player]
        if stage == PLACE_MARKER:
            expect(points == points_of(hand), f"{points} points; player {player} has {points_of(hand)}")
        elif state.variant == board.PHASE_2 or stage in ARRANGING:
            expect(points == 0, f"{points} points before or without Phase 1; expected 0")
        due = points if stage in (*ARRANGING, PLACE_MARKER) else points - penalty(hand)
        expect(int(state.scores[player]) == due, f"score {state.scores[player]} of player {player}; expected {due}")
        expect(0 <= points <= board.MAX_POINTS, f"{points} points; expected 0 to {board.MAX_POINTS}")


def check_bars(state: Record, stage: int) -> None:
    """Raise ValueError unless adjustments, `protected`, `taken_off` and `undo` are possible."""
    most = int(state.max_adjustments) - (stage in ARRANGING)
    expect(0 <= state.adjustments <= most, f"{state.adjustments} adjustments; expected at most {most}")
    expect(state.protected == NONE or (stage == TAKE_OFF and state.protected in state.cover), "protected in vain")
    expect(NONE <= state.taken_off < board.NUM_PLACEMENTS, f"taken off: {state.taken_off}")
    if state.taken_off != NONE:
        squares, kind = int(board.SQUARES[state.taken_off]), board.KIND[state.taken_off]
        back = stage == ARRANGE and not squares & int(state.covered) and state.pool[kind] > 0
        expect(bool(back), "taken off in this turn, but not in the pool")
    expect(NONE <= state.undo < board.NUM_MOVES, f"undo {state.undo}")
    if state.undo != NONE:
        expect(board.KING_STEP[state.undo // 8, state.undo % 8] != NONE, f"undo {state.undo} leads nowhere")
        expect(stage in RELOCATING, "an undo before the relocation")
