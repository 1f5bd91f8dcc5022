"""Scalas: stack cubes in stairs and hold the tops. Rules, spaces and notation: docs/scalas.md."""

from .environment import env, raw_env
from .game import game

__all__ = ["env", "game", "raw_env"]
