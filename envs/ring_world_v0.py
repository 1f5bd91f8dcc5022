"""The Ring World, version 0: `env(...)` and `raw_env(...)`; `BOARDS`, its boards as tables."""

from .ring_world import env, game, raw_env
from .ring_world.board import BOARDS, NOWHERE

__all__ = ["BOARDS", "NOWHERE", "env", "game", "raw_env"]
