"""The facts of tic-tac-toe."""

from __future__ import annotations

import numpy as np
from nakajima_zoo.envs.core.dispatch import Rules, register
from nakajima_zoo.envs.core.game import Game

from . import rules
from .observation import CHANNELS, observe
from .position import check_position

register(rules.STATE, Rules(rules.reset, rules.legal_actions, rules.play, observe))


def game() -> Game:
    """Tic-tac-toe."""
    return Game(
        name="tic_tac_toe",
        package=__package__,
        version=rules.VERSION,
        parameters={},
        template=np.zeros(1, rules.STATE),
        num_actions=rules.NUM_ACTIONS,
        observation_shape=(rules.SIZE, rules.SIZE, len(CHANNELS)),
        channels=CHANNELS,
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=rules.NUM_ACTIONS,
        check_position=check_position,
    )
