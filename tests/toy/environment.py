"""Tic-tac-toe as a PettingZoo environment."""

from __future__ import annotations

from nakajima_zoo.envs.core.checks import names_keywords
from nakajima_zoo.envs.core.env import BoardGameEnv, GameWrapper

from .game import game


@names_keywords
def raw_env(*, render_mode: str | None = None) -> BoardGameEnv:
    """Tic-tac-toe, bare."""
    return BoardGameEnv(game(), render_mode)


@names_keywords
def env(*, illegal_action: str = "lose", render_mode: str | None = None) -> GameWrapper:
    """Tic-tac-toe, wrapped."""
    return GameWrapper(raw_env(render_mode=render_mode), illegal_action)
