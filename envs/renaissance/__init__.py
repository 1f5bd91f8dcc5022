"""Renaissance: build with polyominoes, fight for them, rebuild. Rules, spaces and notation: docs/renaissance.md."""

from ..core.env import env_functions
from .game import game

env, raw_env = env_functions(game, __name__)

__all__ = ["env", "game", "raw_env"]
