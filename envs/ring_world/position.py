"""Whether a record is a position of The Ring World that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import ILLEGAL_ACTION, NOBODY, TERMINATED, TRUNCATED
from ..core.text import expect
from ..core.types import Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if the owners, the scores, the decision and the result do not fit together."""
    expect(np.isin(state.owners, (rules.UNOWNED, 1, 2)).all(), "a ring with an unknown owner")
    scores = position_scores(state).tolist()
    expect(state.scores.tolist() == scores, f"scores {state.scores}; the rings on the board are worth {scores}")
    top = int(state.owners[rules.TOP])
    won = state.status == TERMINATED and state.reason == rules.TOP_RING and state.winner != NOBODY
    expect(top == (1 << state.winner if won else rules.UNOWNED), "the owner of the top ring and the result do not fit")
    if state.player == NOBODY:
        cut = state.status == TRUNCATED and state.reason == rules.TURN_LIMIT and state.winner == NOBODY
        lost = state.status == TERMINATED and state.reason == ILLEGAL_ACTION and state.winner != NOBODY
        expect(won or cut or lost, "the winner and the reason do not fit")
    else:
        expect(state.turns < state.max_turns, f"turns {state.turns}; the game ends at {state.max_turns}")
        check_decision(state)


def position_scores(state: Record) -> np.ndarray:
    """The scores of the position, int64 (2,)."""
    scores = np.zeros(2, np.int64)
    for level in range(1, rules.levels_of(state) + 1):
        owned = rules.level_owners(state, level)[:, None] == (1, 2)
        scores += owned.sum(axis=0) * rules.LEVEL_FACTOR ** (level - 1)
    return scores


def check_decision(state: Record) -> None:
    """Raise ValueError if the player to act could not be asked for this decision."""
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
