"""The Ring World, version 0: `env(...)` and `raw_env(...)`."""

from .ring_world import env, game, raw_env

__all__ = ["env", "game", "raw_env"]
