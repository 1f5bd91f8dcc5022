"""The facts of Renaissance."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.checks import check_choice, check_count
from ..core.dispatch import Rules, register
from ..core.game import Game
from ..core.record import FORMS
from ..core.types import Records
from . import board, rules
from .observation import NUM_CHANNELS, channels, observe
from .options import OPTIONS, set_options
from .position import check_position

PARAMETER_FIELDS = ("joint", "variant", "setup", "distribution", "max_adjustments")
DRAFT_DECISIONS = 12  # the 13th polyomino is handed over without one
PHASE_1_DECISIONS = 86  # 40 markers return from the polyominoes; when the last is taken at most 46 lie on the board
PREPARATION_DECISIONS = 8
RELOCATION_TURNS = 13  # one polyomino each; the last has no move

register(rules.STATE, Rules(rules.reset, rules.legal_actions, rules.play, observe, rules.is_legal))


def game(
    variant: str = "full",
    turns: str = "staged",
    setup: str = "players",
    distribution: str = "players",
    max_adjustments: int = 32,
) -> Game:
    """Renaissance; raises ValueError for bad arguments.

    `variant`: "full", "phase1" or "phase2" alone. `turns`: "staged" (a relocation turn is two decisions) or "joint"
    (it is one). `setup`: who arranges the polyominoes, "players" or "random". `distribution`: who shares them out in
    variant "phase2", "players" or "random". `max_adjustments`: adjustment turns after which the engine arranges.
    """
    check_choice("variant", variant, board.VARIANTS)
    check_choice("turns", turns, FORMS)
    check_choice("setup", setup, board.BY)
    check_choice("distribution", distribution, board.BY)
    check_count("max_adjustments", max_adjustments)
    parameters: dict[str, Any] = {
        "variant": variant,
        "turns": turns,
        "setup": setup,
        "distribution": distribution,
        "max_adjustments": int(max_adjustments),
    }
    return Game(
        name="renaissance",
        package=__package__,
        version=rules.VERSION,
        parameters=parameters,
        template=make_template(**parameters),
        num_actions=board.NUM_JOINT if turns == "joint" else board.NUM_STAGED,
        observation_shape=(board.SIZE, board.SIZE, NUM_CHANNELS),
        channels=channels(),
        decisions=rules.DECISIONS,
        reasons=rules.REASONS,
        max_decisions=count_decisions(**parameters),
        has_chance=True,
        options=OPTIONS,
        parameter_fields=PARAMETER_FIELDS,
        check_position=check_position,
        set_options=set_options,
    )


def make_template(variant: str, turns: str, setup: str, distribution: str, max_adjustments: int) -> Records:
    """(1,) array of the record with the parameters, and no option given."""
    template = np.zeros(1, rules.STATE)
    template["variant"] = board.VARIANTS.index(variant)
    template["joint"] = FORMS.index(turns)
    template["setup"] = board.BY.index(setup)
    template["distribution"] = board.BY.index(distribution)
    template["max_adjustments"] = max_adjustments
    for name in ("arrangement", "fallback", "coins", "given_hands"):
        template[name] = board.NONE
    return template


def count_decisions(variant: str, turns: str, setup: str, distribution: str, max_adjustments: int) -> int:
    """The most decisions that a game can have.

    Arrangement: an adjustment takes two decisions, or one where nothing can be placed, which costs one more ordinary
    turn; so it is 2 for each adjustment, and 12 ordinary turns, since at the limit the 13th is still missing.
    """
    if variant == "phase2":
        first = DRAFT_DECISIONS if distribution == "players" else 0
    else:
        first = PHASE_1_DECISIONS + (12 + 2 * max_adjustments if setup == "players" else 0)
    if variant == "phase1":
        return first
    moves = 0 if turns == "joint" else RELOCATION_TURNS - 1
    return first + PREPARATION_DECISIONS + RELOCATION_TURNS + moves
