"""Whether a record is a position of The Ring World that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, TERMINATED, TRUNCATED
from ..core.text import expect
from ..core.types import Integers, Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if owners, scores, turns, decision and result do not fit together, or nobody could go on.

    What is not checked: whether turns of the rules lead here.
    """
    expect(np.isin(state.owners, (rules.UNOWNED, 1, 2)).all(), "a ring with an unknown owner")
    scores = position_scores(state).tolist()
    expect(state.scores.tolist() == scores, f"scores {state.scores}; the rings on the board are worth {scores}")
    expect(state.turns <= state.max_turns, f"turns {state.turns}; the game ends at {state.max_turns}")
    check_top(state)
    if state.player == NOBODY:
        check_result(state)
    else:
        check_decision(state)


def check_top(state: Record) -> None:
    """Raise ValueError unless the top ring is the winner's, if one has won by it, and conquered by him."""
    won = state.status == TERMINATED and state.reason == rules.TOP_RING and state.winner != NOBODY
    owner = 1 << int(state.winner) if won else rules.UNOWNED
    expect(state.owners[rules.TOP] == owner, "the owner of the top ring and the result do not fit")
    inside = state.owners[rules.CHILD[rules.TOP]]
    conquered = (inside == owner).sum() >= rules.CONQUEST
    expect(not won or conquered, "the winner does not own enough of the rings in the top ring")


def check_result(state: Record) -> None:
    """Raise ValueError if the winner and the reason do not fit, or the game is not over."""
    if state.reason == ILLEGAL_ACTION:
        expect(state.status == TERMINATED and state.winner != NOBODY, "the winner and the reason do not fit")
        before = state.copy()
        before.player = 1 - state.winner
        decisions = (rules.ROTATE, rules.PLACE_AND_ROTATE if state.joint else rules.PLACE)
        errors = [error for error in (error_with(before, decision) for decision in decisions) if error is not None]
        if len(errors) == len(decisions):
            raise errors[0]
    else:
        cut = state.status == TRUNCATED and state.reason == rules.TURN_LIMIT and state.winner == NOBODY
        expect(cut or state.owners[rules.TOP] != rules.UNOWNED, "the winner and the reason do not fit")
        expect(not cut or state.turns == state.max_turns, f"cut off after {state.turns}; expected {state.max_turns}")
        expect(cut or state.turns > 0, "an end before the first turn")


def error_with(state: Record, decision: int) -> ValueError | None:
    """Why the player to act could not be asked for `decision`; None if he could."""
    state.decision = decision
    try:
        check_decision(state)
    except ValueError as error:
        return error
    return None


def position_scores(state: Record) -> Integers:
    """The scores of the position, int64 (2,)."""
    scores = np.zeros(2, np.int64)
    for level in range(1, rules.levels_of(state) + 1):
        owned = rules.level_owners(state, level)[:, None] == (1, 2)
        scores += owned.sum(axis=0) * rules.LEVEL_FACTOR ** (level - 1)
    return scores


def check_decision(state: Record) -> None:
    """Raise ValueError if the player to act could not be asked for this decision."""
    expect(state.turns < state.max_turns, f"turns {state.turns}; the game ends at {state.max_turns}")
    placing = rules.PLACE_AND_ROTATE if state.joint else rules.PLACE
    name = rules.DECISIONS[state.decision]
    expect(state.decision in (placing, rules.ROTATE), f"decision {name}, which belongs to the other form of turns")
    level_1, level_2 = len(state.owners) - len(rules.level_owners(state, 1)), rules.FIRST[rules.levels_of(state) - 2]
    inside = np.bitwise_or.reduce(state.owners[rules.CHILD[1:level_1]], axis=1)  # who owns rings in each ring
    must_place = (inside[level_2 - 1 :] == rules.UNOWNED).any()
    if state.decision == placing:
        expect(must_place, "no level-2 ring is empty: there is nothing to place on")
    else:
        expect(not (state.joint and must_place), "a level-2 ring is empty: the player must place")
        expect((inside >> state.player & 1).any(), "the player has nothing to turn")
