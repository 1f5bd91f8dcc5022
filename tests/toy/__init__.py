"""Tic-tac-toe: a fifth game, which lives outside of the package."""

from .environment import env, raw_env
from .game import game

__all__ = ["env", "game", "raw_env"]
