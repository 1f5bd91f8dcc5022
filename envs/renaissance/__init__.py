"""Renaissance: build with polyominoes, fight for them, rebuild. Rules, spaces and notation: docs/renaissance.md."""

from .environment import env, raw_env
from .game import game

__all__ = ["env", "game", "raw_env"]
