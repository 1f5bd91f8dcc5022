"""Tsukiji as a PettingZoo environment."""

from __future__ import annotations

from ..core.checks import names_keywords
from ..core.env import BoardGameEnv, GameWrapper
from .game import game


@names_keywords
def raw_env(
    *,
    turns: str = "staged",
    max_turns: int = 200,
    render_mode: str | None = None,
) -> BoardGameEnv:
    """Tsukiji, bare: an illegal action raises IllegalActionError.

    `turns`: "staged", a construction, then a destination, or "joint", both are one action. `max_turns`: the game is cut
    off after so many.
    `render_mode`: None, "ansi", "rgb_array" or "human". Raises ValueError for other values.
    """
    return BoardGameEnv(game(turns=turns, max_turns=max_turns), render_mode)


@names_keywords
def env(
    *,
    turns: str = "staged",
    max_turns: int = 200,
    illegal_action: str = "lose",
    render_mode: str | None = None,
) -> GameWrapper:
    """Tsukiji, wrapped, so that the order of calls is checked.

    `illegal_action`: "lose" ends the game with a loss, "raise" raises IllegalActionError. The other parameters are
    those of `raw_env`. Raises ValueError for other values.
    """
    bare = raw_env(turns=turns, max_turns=max_turns, render_mode=render_mode)
    return GameWrapper(bare, illegal_action)
