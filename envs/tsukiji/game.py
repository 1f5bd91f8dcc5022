"""The facts of Tsukiji."""

from __future__ import annotations

import numpy as np

from ..core.checks import check_choice, check_count
from ..core.dispatch import Rules, register
from ..core.game import Game
from ..core.record import FORMS
from . import rules
from .observation import CHANNELS, observe
from .position import check_position

register(rules.STATE, Rules(rules.reset, rules.legal_actions, rules.play, observe, rules.is_legal))


def game(turns: str = "staged", max_turns: int = 200) -> Game:
    """Tsukiji with `turns` "staged" (a construction, then a destination) or "joint" (both are one action).

    `max_turns`: the game is cut off after so many turns. Raises ValueError for bad arguments.
    """
    check_choice("turns", turns, FORMS)
    check_count("max_turns", max_turns)
    template = np.zeros(1, rules.STATE)
    template["joint"] = turns == "joint"
    template["max_turns"] = max_turns
    return Game(
        name="tsukiji",
        package=__package__,
        version=rules.VERSION,
        parameters={"turns": turns, "max_turns": max_turns},
        template=template,
        num_actions=rules.NUM_JOINT_ACTIONS if turns == "joint" else rules.NUM_ACTIONS,
        observation_shape=(rules.SIZE, rules.SIZE, len(CHANNELS)),
        channels=CHANNELS,
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=2 + (1 if turns == "joint" else 2) * max_turns,
        parameter_fields=("joint", "max_turns"),
        check_position=check_position,
    )
