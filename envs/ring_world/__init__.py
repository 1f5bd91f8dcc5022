"""The Ring World: take small rings, turn larger ones, own the ring around all. See docs/ring_world.md."""

from ..core.env import env_functions
from .game import game

env, raw_env = env_functions(game, __name__)

__all__ = ["env", "game", "raw_env"]
