"""Whether a record is a position of Scalas that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, TERMINATED
from ..core.text import expect
from ..core.types import Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if the board, the hands, the scores, the gaps, the places and the result do not fit together."""
    check_board(state)
    check_gaps(state)
    check_places(state)
    check_result(state)


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
    expect(state.heights.sum() + sum(hands) == 2 * cubes, f"cubes on the board and in hand are not {2 * cubes}")
    expect(state.player == NOBODY or hands[state.player] > 0, "the player to act has no cube")
    tops = [int((state.tops == player).sum()) for player in (0, 1)]
    expect(state.scores.tolist() == tops, f"scores {state.scores.tolist()}; the board has {tops} tops")
    for top, hand in zip(tops, hands, strict=True):
        expect(top + hand <= cubes, f"{top} tops and {hand} cubes in hand; a player has {cubes} cubes")
    again = state.copy()
    rules.find_levels(again)
    expect((state.levels == again.levels).all(), "levels that contradict the heights")


def check_gaps(state: Record) -> None:
    """Raise ValueError unless gaps wait exactly while a player chooses among them, or where he forfeited."""
    gaps = int(state.gaps)
    expect(0 <= gaps < 1 << state.heights.size, "a gap outside the board")
    choosing = state.decision == rules.FILL_GAP
    forfeited = state.player == NOBODY and state.reason == ILLEGAL_ACTION
    fits = gaps.bit_count() > 1 if choosing else gaps == 0 or forfeited
    expect(fits, f"{gaps.bit_count()} gaps wait; expected two or more with fill_gap, else none")


def check_places(state: Record) -> None:
    """Raise ValueError unless `places` are the squares where the player to act may place a cube."""
    again = state.copy()
    rules.find_places(again)
    forfeited = state.player == NOBODY and state.reason == ILLEGAL_ACTION
    expect(state.places == again.places or forfeited, "places that are not those where the player to act may place")


def check_result(state: Record) -> None:
    """Raise ValueError if the winner and the reason contradict the scores."""
    if state.player != NOBODY:
        return
    expect(state.status == TERMINATED, "a game cut off; Scalas has no turn limit")
    won, lead = state.winner != NOBODY, int(state.scores[0]) - int(state.scores[1])
    fits = {
        ILLEGAL_ACTION: won,
        rules.TOPS: lead != 0 and state.winner == (0 if lead > 0 else 1),
        rules.TOWERS: lead == 0 and won,
        rules.EQUAL: lead == 0 and not won,
    }
    reason = rules.REASONS[state.reason]
    expect(fits[int(state.reason)], f"winner {state.winner} by {reason} with scores {state.scores.tolist()}")
