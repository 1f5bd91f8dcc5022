"""Tsukiji: reclaim land from the sea, build on it, bridge it. Rules, spaces and notation: docs/tsukiji.md."""

from ..core.env import env_functions
from .game import game

env, raw_env = env_functions(game, __name__)

__all__ = ["env", "game", "raw_env"]
