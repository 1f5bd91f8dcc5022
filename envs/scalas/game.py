"""The facts of Scalas."""

from __future__ import annotations

import numpy as np

from ..core.checks import check_choice
from ..core.dispatch import Rules, register
from ..core.game import Game
from . import rules
from .observation import channels, observe
from .position import check_position

for dtype in rules.STATES.values():
    register(dtype, Rules(rules.reset, rules.legal_actions, rules.play, observe, rules.is_legal))


def game(size: int = 5) -> Game:
    """Scalas on a board of `size` x `size`: 5, 6 or 7. Raises ValueError for another size."""
    check_choice("size", size, rules.SIZES)
    return Game(
        name="scalas",
        package=__package__,
        version=rules.VERSION,
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
