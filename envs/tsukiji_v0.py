"""Tsukiji, version 0: `env(...)` and `raw_env(...)`."""

from .tsukiji import env, game, raw_env

__all__ = ["env", "game", "raw_env"]
