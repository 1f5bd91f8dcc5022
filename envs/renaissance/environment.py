"""Renaissance as a PettingZoo environment."""

from __future__ import annotations

from ..core.checks import names_keywords
from ..core.env import BoardGameEnv, GameWrapper
from .game import game


@names_keywords
def raw_env(
    *,
    variant: str = "full",
    turns: str = "staged",
    setup: str = "players",
    distribution: str = "players",
    max_adjustments: int = 32,
    render_mode: str | None = None,
) -> BoardGameEnv:
    """Renaissance, bare: an illegal action raises IllegalActionError.

    `variant`: "full", "phase1" or "phase2" alone. `turns`: "staged", a relocation turn is two decisions, or "joint", it
    is one. `setup`: who arranges the polyominoes, "players" or "random". `distribution`: who shares them out in variant
    "phase2", "players" or "random". `max_adjustments`: adjustment turns after which the engine arranges.
    `render_mode`: None, "ansi", "rgb_array" or "human". Raises ValueError for other values.
    """
    return BoardGameEnv(
        game(variant=variant, turns=turns, setup=setup, distribution=distribution, max_adjustments=max_adjustments),
        render_mode,
    )


@names_keywords
def env(
    *,
    variant: str = "full",
    turns: str = "staged",
    setup: str = "players",
    distribution: str = "players",
    max_adjustments: int = 32,
    illegal_action: str = "lose",
    render_mode: str | None = None,
) -> GameWrapper:
    """Renaissance, wrapped, so that the order of calls is checked.

    `illegal_action`: "lose" ends the game with a loss, "raise" raises IllegalActionError. The other parameters are
    those of `raw_env`. Raises ValueError for other values.
    """
    bare = raw_env(
        variant=variant,
        turns=turns,
        setup=setup,
        distribution=distribution,
        max_adjustments=max_adjustments,
        render_mode=render_mode,
    )
    return GameWrapper(bare, illegal_action)
