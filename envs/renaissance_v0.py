"""Renaissance, version 0: `env(...)` and `raw_env(...)`."""

from .renaissance import env, game, raw_env

__all__ = ["env", "game", "raw_env"]
