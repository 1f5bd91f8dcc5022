"""Whether a record is a position of Renaissance that the rules can go on from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, leader
from ..core.squares import set_of
from ..core.text import expect
from ..core.types import Record
from . import board, rules
from .arrangement import some_can_be_placed
from .board import ARRANGE, MOVE_MARKER, NONE, PICK, PLACE_MARKER, PREPARE, RELOCATE, TAKE_OFF
from .options import parse_arrangement, parse_coins, parse_hands
from .phase1 import can_use_marker, points_of
from .phase2 import can_move, can_relocate, penalty

ARRANGING = (ARRANGE, TAKE_OFF)
RELOCATING = (RELOCATE, MOVE_MARKER)
MOST_PICKS = 12  # turns; the 13th polyomino is handed over
MOST_MARKERS = 86  # turns of Phase 1
PREPARED = 8  # turns of the preparation
DECISIONS_OF_VARIANT = {
    board.FULL: (*ARRANGING, PLACE_MARKER, PREPARE, *RELOCATING),
    board.PHASE_1: (*ARRANGING, PLACE_MARKER),
    board.PHASE_2: (PICK, PREPARE, *RELOCATING),
}


def check_position(state: Record) -> None:
    """Raise ValueError if the fields contradict each other, the player to act could not be asked, or the end is none.

    What is not checked: whether turns of the rules lead here; in Phase 2, whether the points are those of what each
    player took, and in a game that was forfeited, what was asked for.
    """
    check_given(state)
    check_polyominoes(state)
    check_result(state)
    before = list(asked_before(state))
    errors = [error for error in map(error_in, before) if error is not None]
    if len(errors) == len(before):
        raise errors[0]


def asked_before(state: Record) -> Iterator[Record]:
    """The record; of a forfeited game those that it may have been before, one for each kind of decision."""
    if state.status == RUNNING or state.reason != ILLEGAL_ACTION:
        yield state
        return
    for decision in DECISIONS_OF_VARIANT[int(state.variant)]:
        before = state.copy()
        begin_again(before, 1 - int(state.winner), decision)
        yield before


def begin_again(state: Record, player: int, decision: int) -> None:
    """Let `player` be asked for `decision`, in place."""
    state.player, state.decision, state.status, state.winner, state.reason = player, decision, RUNNING, NOBODY, 0


def error_in(state: Record) -> ValueError | None:
    """Why the record is no position; None if it is one."""
    try:
        check_stage(state, stage_of(state))
    except ValueError as error:
        return error
    return None


def stage_of(state: Record) -> int:
    """The decision; once the game is over, that of the last stage."""
    if state.status == RUNNING:
        return int(state.decision)
    return PLACE_MARKER if state.variant == board.PHASE_1 else RELOCATE


def check_stage(state: Record, stage: int) -> None:
    """Raise ValueError if the record is no position of this stage."""
    expect(stage in DECISIONS_OF_VARIANT[int(state.variant)], f"{board.DECISIONS[stage]} has no part in this variant")
    expect(not (state.joint and stage == MOVE_MARKER), "move_marker is no decision of its own in the joint form")
    check_holders(state, stage)
    check_things(state, stage)
    check_scores(state, stage)
    check_bars(state, stage)
    check_turns(state, stage)
    if stage == PLACE_MARKER:
        markers = int(board.all_markers(state))
        full = [placement for placement in on_board(state) if not int(board.SQUARES[placement]) & ~markers]
        expect(not full, "a polyomino full of markers, which nobody has taken")
    if state.status == RUNNING:
        check_mover(state)
    else:
        check_end(state, stage)


def check_mover(state: Record) -> None:
    """Raise ValueError unless the player to act would be asked for this decision, and has an action."""
    if state.decision in ARRANGING:
        check_arranging(state)
    elif state.decision == PICK:
        check_picking(state)
    elif state.decision == PLACE_MARKER:
        expect(state.covered != 0, "Phase 1, with no polyomino left")
        expect(bool(can_use_marker(state)), "the player to act has no legal action: he has no use for a marker")
    elif state.decision == MOVE_MARKER:
        expect(state.covered != 0, "a marker move, and no polyomino was placed before")
        expect(bool(can_move(state)), "the player to act has no legal action: the move is left out")
    mask = np.zeros(board.NUM_JOINT if state.joint else board.NUM_STAGED, np.int8)
    rules.legal_actions(state, mask)
    expect(bool(mask.any()), "the player to act has no legal action")


def check_arranging(state: Record) -> None:
    """Raise ValueError unless something can be placed, or, where something is or was taken off, could not be."""
    given = state.setup == board.RANDOM or state.arrangement[0] != NONE
    expect(not given, "an arrangement by the players, which is given or random")
    expect(bool(state.pool.any()), "an arrangement of nothing: all polyominoes lie")
    expect(state.protected == NONE or state.adjustments > 0, "protected, before any adjustment")
    before = state.copy()
    if state.taken_off != NONE:
        before.pool[board.KIND[state.taken_off]] -= 1
        before.taken_off = NONE
        board.lay(before, state.taken_off)
    adjusting = state.decision == TAKE_OFF or state.taken_off != NONE
    expect(not (adjusting and some_can_be_placed(before)), "an adjustment, though a polyomino fits")


def check_picking(state: Record) -> None:
    """Raise ValueError unless the picks so far were made in turn, and one is to come that is not given."""
    sizes, left = state.hands.sum(axis=1), int(state.pool.sum())
    by_players = state.distribution == board.PLAYERS and state.given_hands[0, 0] == NONE
    expect(by_players, "a pick, where polyominoes are given or dealt")
    expect(left > 1, "the player to act has no legal action: the last polyomino is handed over")
    ahead = int(left % 2 == 0)  # the opponent has picked first in this round
    expect(sizes[1 - state.player] - sizes[state.player] == ahead, "picks out of turn")


def check_end(state: Record, stage: int) -> None:
    """Raise ValueError unless neither player could be asked for anything more."""
    if stage == PLACE_MARKER and state.covered == 0:
        return
    for player in range(2):
        asked = state.copy()
        begin_again(asked, player, stage)
        goes_on = can_use_marker(asked) if stage == PLACE_MARKER else can_relocate(asked)
        expect(not goes_on, "the end of a game that goes on")


def check_turns(state: Record, stage: int) -> None:
    """Raise ValueError unless so many turns can have been played up to this stage."""
    lying, adjusted = len(on_board(state)), 2 * int(state.adjustments)
    arranged = 0 if state.setup == board.RANDOM else board.NUM_POLYOMINOES + adjusted
    picked = 0 if state.distribution == board.RANDOM else MOST_PICKS
    first = picked if state.variant == board.PHASE_2 else arranged + MOST_MARKERS
    most = {
        ARRANGE: lying + int(state.taken_off != NONE) + adjusted,
        TAKE_OFF: lying + adjusted,
        PLACE_MARKER: arranged + popcount_of(state.markers) + int(board.AREA @ state.hands.sum(axis=0)),
        PICK: board.NUM_POLYOMINOES - int(state.pool.sum()),
        PREPARE: first + popcount_of(state.markers) + popcount_of(state.monominoes),
        RELOCATE: first + PREPARED + lying,
        MOVE_MARKER: first + PREPARED + lying - 1,
    }[stage]
    expect(state.turns <= most, f"turns {state.turns}; expected at most {most}")


def on_board(state: Record) -> list[int]:
    """The placements of the polyominoes on the board."""
    return sorted(set(state.cover.tolist()) - {NONE})


def popcount_of(sets: Iterable[Any]) -> int:
    """How many squares some sets have together."""
    return sum(int(squares).bit_count() for squares in sets)


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
    none = state.setup == board.RANDOM or state.variant == board.PHASE_2
    most = 0 if none else int(state.max_adjustments) - (stage in ARRANGING)
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
        moved = int(board.all_markers(state)) >> int(state.undo) // 8 & 1 and state.covered != 0
        expect(bool(moved), "an undo of a move that no marker has made")
