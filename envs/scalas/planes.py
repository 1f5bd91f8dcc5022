"""The planes of Scalas' actions: one, since an action is a square."""

from __future__ import annotations

from ..core.game import Game
from ..core.planes import ActionPlanes, action_planes


def planes(game: Game) -> ActionPlanes:
    """Where each action stands."""
    return action_planes((("tower", square) for square in range(game.num_actions)), game.num_actions)
