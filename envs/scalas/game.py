"""The facts of Scalas."""

import numpy as np

from ..core.dispatch import Rules, register
from ..core.game import Game, Record, check_choice
from ..core.record import NOBODY
from ..core.text import expect
from . import rules
from .observation import channels, observe

for dtype in rules.STATES.values():
    register(dtype, Rules(rules.reset, rules.legal_actions, rules.play, observe))


def game(size: int = 5) -> Game:
    """Scalas on a board of `size` x `size`: 5, 6 or 7. Raises ValueError for another size."""
    check_choice("size", size, rules.SIZES)
    return Game(
        name="scalas",
        parameters={"size": size},
        template=np.zeros(1, rules.STATES[size]),
        num_actions=size * size,
        observation_shape=(size, size, 5 + rules.MAX_HEIGHT[size]),
        channels=channels(size),
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=2 * size * size,
        check_position=check_position,
    )


def check_position(state: Record) -> None:
    """Raise ValueError if the board, the hands and the scores do not fit together."""
    expect(((state.heights == 0) == (state.tops == NOBODY)).all(), "a tower and its top contradict each other")
    expect(np.isin(state.tops, (NOBODY, 0, 1)).all(), "a top that is no player's")
    size = len(state.heights)
    expect(state.heights.min() >= 0, "a height below 0")
    expect(state.heights.max() <= rules.MAX_HEIGHT[size], f"a tower higher than {rules.MAX_HEIGHT[size]}")
    in_hand, cubes = int(state.hands.sum()), 2 * size * size
    expect(state.hands.min() >= 0 and state.hands.max() <= size * size, f"hands {state.hands}; expected 0 to {size * size}")
    expect(state.heights.sum() + in_hand == cubes, f"cubes on the board and in hand are not {cubes}")
    tops = [int((state.tops == player).sum()) for player in (0, 1)]
    expect(state.scores.tolist() == tops, f"scores {state.scores}; the board has {tops} tops")
    waiting = int(state.gaps.sum()) if np.isin(state.gaps, (0, 1)).all() else NOBODY
    choosing = state.decision == rules.FILL_GAP
    expect(waiting > 1 if choosing else waiting == 0, f"{waiting} gaps wait; expected two or more with fill_gap, else none")
    expect(state.player == NOBODY or state.hands[state.player] > 0, "the player to act has no cube")
