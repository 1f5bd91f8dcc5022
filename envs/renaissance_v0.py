"""Renaissance, version 0: `env(...)` and `raw_env(...)`."""

from .renaissance import env, game, raw_env
from .renaissance.board import KIND, PLACEMENTS

__all__ = ["KIND", "PLACEMENTS", "env", "game", "raw_env"]
