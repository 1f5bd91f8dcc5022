"""The facts of The Ring World."""

import numpy as np

from ..core.dispatch import Rules, register
from ..core.game import Game, Record, check_choice, check_count
from ..core.record import ILLEGAL_ACTION, NOBODY, TERMINATED, TRUNCATED
from ..core.text import expect
from . import rules
from .board import BOARDS
from .observation import CHANNELS, observe

for dtype in rules.STATES.values():
    register(dtype, Rules(rules.reset, rules.legal_actions, rules.play, observe))


def game(levels: int = 3, turns: str = "joint", max_turns: int | None = None) -> Game:
    """The Ring World on the board with `levels` levels, 3 or 4.

    `turns`: "joint", a whole turn is one action, or "staged", placement and rotation are two.
    `max_turns`: the game is cut off after so many turns; None stands for 200 on L3, 1000 on L4.
    Raises ValueError for other arguments.
    """
    check_choice("levels", levels, rules.LEVELS)
    check_choice("turns", turns, ("joint", "staged"))
    max_turns = rules.MAX_TURNS[levels] if max_turns is None else max_turns
    check_count("max_turns", max_turns)
    template = np.zeros(1, rules.STATES[levels])
    template["joint"] = turns == "joint"
    template["max_turns"] = max_turns
    board = BOARDS[levels]
    placements, rotations = board.counts[1], sum(board.counts[level] for level in range(2, levels))
    return Game(
        name="ring_world",
        parameters={"levels": levels, "turns": turns, "max_turns": max_turns},
        template=template,
        num_actions=(placements + 1) * rotations if turns == "joint" else placements + rotations,
        observation_shape=(sum(board.counts.values()), len(CHANNELS)),
        channels=CHANNELS,
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=max_turns if turns == "joint" else 2 * max_turns,
        parameter_fields=("joint", "max_turns"),
        check_position=check_position,
    )


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
