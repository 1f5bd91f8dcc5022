"""Tsukiji: reclaim land from the sea, build on it, bridge it. Rules, spaces and notation: docs/tsukiji.md."""

from .environment import env, raw_env
from .game import game

__all__ = ["env", "game", "raw_env"]
