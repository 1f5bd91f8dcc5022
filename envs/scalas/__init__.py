"""Scalas: stack cubes in stairs and hold the tops. Rules, spaces and notation: docs/scalas.md."""

from ..core.env import env_functions
from .game import game

env, raw_env = env_functions(game, __name__)

__all__ = ["env", "game", "raw_env"]
