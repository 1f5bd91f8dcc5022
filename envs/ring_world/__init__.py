"""The Ring World: take small rings, turn larger ones, own the ring around all. See docs/ring_world.md."""

from .environment import env, raw_env
from .game import game

__all__ = ["env", "game", "raw_env"]
