"""Whether a record is a position of Scalas that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, RUNNING, TRUNCATED
from ..core.squares import members
from ..core.text import expect
from ..core.types import Integers, Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if board, hands, turns, gaps, places, decision and result do not fit together.

    What is not checked: whether the towers can come about by legal placements, and whose cubes are below the tops.
    """
    check_board(state)
    expect(state.status != TRUNCATED, "a game cut off; Scalas has no turn limit")
    before = with_mover(state)
    if before.player == NOBODY:
        check_end(state)
    else:
        check_mover(before)


def with_mover(state: Record) -> Record:
    """A copy of the record with the player to act and his decision, where it is that of a forfeited game."""
    before = state.copy()
    if state.status != RUNNING and state.reason == ILLEGAL_ACTION:
        expect(state.winner != NOBODY, "winner -1 by illegal_action; expected a player")
        before.player = 1 - state.winner
        before.decision = rules.FILL_GAP if state.gaps else rules.PLACE
    return before


def check_board(state: Record) -> None:
    """Raise ValueError unless every cube is on the board or in a hand, and the scores count the tops."""
    size = len(state.heights)
    cubes = size * size
    expect(np.isin(state.tops, (NOBODY, 0, 1)).all(), "a top that is no player's")
    expect(((state.heights == 0) == (state.tops == NOBODY)).all(), "a tower and its top contradict each other")
    expect(state.heights.min() >= 0, "a height below 0")
    expect(state.heights.max() <= rules.MAX_HEIGHT[size], f"a tower higher than {rules.MAX_HEIGHT[size]}")
    hands = state.hands.tolist()
    expect(min(hands) >= 0 and max(hands) <= cubes, f"hands {hands}; expected 0 to {cubes}")
    expect(state.player == NOBODY or hands[state.player] > 0, "the player to act has no cube")
    laid = int(state.heights.sum())
    expect(laid + sum(hands) == 2 * cubes, f"cubes on the board and in hand are not {2 * cubes}")
    expect(state.turns <= laid, f"turns {state.turns}; expected at most {laid}, a cube each")
    tops = [int((state.tops == player).sum()) for player in (0, 1)]
    expect(state.scores.tolist() == tops, f"scores {state.scores.tolist()}; the board has {tops} tops")
    for top, hand in zip(tops, hands, strict=True):
        expect(top + hand <= cubes, f"{top} tops and {hand} cubes in hand; a player has {cubes} cubes")
    again = state.copy()
    rules.find_levels(again)
    expect((state.levels == again.levels).all(), "levels that contradict the heights")


def check_mover(state: Record) -> None:
    """Raise ValueError unless the player to act has a cube and a square for it, by what he is asked for."""
    expect(state.hands[state.player] > 0, "the player to act has no cube")
    if state.decision == rules.FILL_GAP:
        check_gaps(state)
    else:
        expect(state.gaps == 0, told(state))
    places = places_of(state)
    expect(state.places == places, "places that are not those where the player to act may place")
    expect(state.gaps != 0 or places != 0, "the player to act has no legal square: the game is over")


def check_gaps(state: Record) -> None:
    """Raise ValueError unless two gaps or more wait, each between two higher towers of the player to act."""
    gaps, size = int(state.gaps), len(state.heights)
    expect(0 <= gaps < 1 << size * size, "a gap outside the board")
    expect(gaps.bit_count() > 1, told(state))
    expect(state.turns < state.heights.sum(), f"turns {state.turns}; expected one less: this one is not over")
    for gap in members(gaps):
        row, column = divmod(gap, size)
        fits = any(
            is_between(heights, tops, at, int(state.player))
            for heights, tops, at in (
                (state.heights[row], state.tops[row], column),
                (state.heights[:, column], state.tops[:, column], row),
            )
        )
        expect(fits, "a gap that is not between two higher towers of the player to act")


def told(state: Record) -> str:
    """What is wrong with the number of gaps."""
    return f"{int(state.gaps).bit_count()} gaps wait; expected two or more with fill_gap, else none"


def is_between(heights: Integers, tops: Integers, at: int, player: int) -> bool:
    """Whether a square of a line has towers of `player` on both sides that are higher."""
    if not 0 < at < len(heights) - 1:
        return False
    sides = [at - 1, at + 1]
    return bool((tops[sides] == player).all() and (heights[sides] > heights[at]).all())


def places_of(state: Record) -> int:
    """What `places` is by all else; in a forfeited game, what it was for the loser."""
    before = with_mover(state)
    rules.find_places(before)
    return int(before.places)


def check_end(state: Record) -> None:
    """Raise ValueError unless somebody is stuck or nobody has cubes, and the result is that of the tops and towers."""
    expect(state.gaps == 0 and state.places == 0, told(state) if state.gaps else "places after the end")
    again = state.copy()
    rules.end_by_tops(again)
    found = f"winner {state.winner} by {rules.REASONS[state.reason]} with scores {state.scores.tolist()}"
    due = f"{again.winner} by {rules.REASONS[again.reason]}"
    expect((state.winner, state.reason) == (again.winner, again.reason), f"{found}; the board gives {due}")
    expect(not state.hands.any() or is_stuck(state, 0) or is_stuck(state, 1), "the end of a game that goes on")


def is_stuck(state: Record, player: int) -> bool:
    """Whether `player` has cubes, but no square to place one on."""
    asked = state.copy()
    asked.player, asked.decision = player, rules.PLACE
    return bool(state.hands[player] > 0 and rules.placements(asked) == 0)
