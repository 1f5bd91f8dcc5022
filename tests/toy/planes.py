"""The plane of the actions of tic-tac-toe."""

from __future__ import annotations

from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.planes import ActionPlanes, action_planes

from .rules import NUM_ACTIONS


def planes(game: Game) -> ActionPlanes:
    """One plane: a mark on each square."""
    return action_planes((("mark", square) for square in range(NUM_ACTIONS)), NUM_ACTIONS)
