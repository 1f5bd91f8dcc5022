"""Scalas as a PettingZoo environment."""

from __future__ import annotations

from ..core.checks import names_keywords
from ..core.env import BoardGameEnv, GameWrapper
from .game import game


@names_keywords
def raw_env(
    *,
    size: int = 5,
    render_mode: str | None = None,
) -> BoardGameEnv:
    """Scalas, bare: an illegal action raises IllegalActionError.

    `size`: of the board, 5, 6 or 7.
    `render_mode`: None, "ansi", "rgb_array" or "human". Raises ValueError for other values.
    """
    return BoardGameEnv(game(size=size), render_mode)


@names_keywords
def env(
    *,
    size: int = 5,
    illegal_action: str = "lose",
    render_mode: str | None = None,
) -> GameWrapper:
    """Scalas, wrapped, so that the order of calls is checked.

    `illegal_action`: "lose" ends the game with a loss, "raise" raises IllegalActionError. The other parameters are
    those of `raw_env`. Raises ValueError for other values.
    """
    bare = raw_env(size=size, render_mode=render_mode)
    return GameWrapper(bare, illegal_action)
