"""The facts of The Ring World."""

import numpy as np

from ..core.dispatch import Rules, register
from ..core.game import Game, check_choice, check_count
from . import rules
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
    owners = template["owners"][0]
    placements, rotations = int(rules.num_placements(owners)), int(rules.num_rotations(owners))
    return Game(
        name="ring_world",
        parameters={"levels": levels, "turns": turns, "max_turns": max_turns},
        template=template,
        num_actions=(placements + 1) * rotations if turns == "joint" else placements + rotations,
        observation_shape=(owners.size, len(CHANNELS)),
        channels=CHANNELS,
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=max_turns if turns == "joint" else 2 * max_turns,
    )
