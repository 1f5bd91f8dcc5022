"""The facts of The Ring World."""

from __future__ import annotations

import numpy as np

from ..core.checks import check_choice, check_count
from ..core.dispatch import Rules, register
from ..core.game import Game
from ..core.record import FORMS
from . import rules
from .board import BOARDS
from .observation import CHANNELS, observe
from .position import check_position

for dtype in rules.STATES.values():
    register(dtype, Rules(rules.reset, rules.legal_actions, rules.play, observe, rules.is_legal))


def game(levels: int = 3, turns: str = "joint", max_turns: int | None = None) -> Game:
    """The Ring World on the board with `levels` levels, 3 or 4.

    `turns`: "joint", a whole turn is one action, or "staged", placement and rotation are two.
    `max_turns`: the game is cut off after so many turns; None stands for 200 on L3, 1000 on L4.
    Raises ValueError for other arguments.
    """
    check_choice("levels", levels, rules.LEVELS)
    check_choice("turns", turns, FORMS)
    max_turns = rules.MAX_TURNS[levels] if max_turns is None else max_turns
    check_count("max_turns", max_turns)
    template = np.zeros(1, rules.STATES[levels])
    template["joint"] = turns == "joint"
    template["max_turns"] = max_turns
    board = BOARDS[levels]
    placements, rotations = board.counts[1], sum(board.counts[level] for level in range(2, levels))
    return Game(
        name="ring_world",
        package=__package__,
        version=rules.VERSION,
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
