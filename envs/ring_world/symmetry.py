"""The symmetries of The Ring World, for data augmentation and for networks that share weights.

The whole board can be turned by multiples of 45 degrees: what is legal, and what follows, turns with it. It cannot be
mirrored, since rings are turned clockwise only.
"""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.symmetry import Symmetry, make_symmetry, numbered
from ..core.types import Actions, Integers
from .board import BOARDS

EIGHTHS = 8


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All 8, the identity first."""
    return tuple(_symmetry(game, eighths) for eighths in range(EIGHTHS))


def _symmetry(game: Game, eighths: int) -> Symmetry:
    levels, turns = game.parameters["levels"], game.parameters["turns"]
    image = numbered(game.observation_shape)[np.argsort(turned_rows(levels, eighths))]
    name = f"turned by {45 * eighths} degrees" if eighths else "identity"
    return make_symmetry(name, image, turned_actions(levels, turns, eighths))


def turned_rings(levels: int, level: int, eighths: int = 1) -> Actions:
    """Where each ring of a level goes when the board turns `eighths` times 45 degrees clockwise, int64 (rings,)."""
    turned: Integers = np.arange(BOARDS[levels].counts[level])
    for _ in range(eighths % EIGHTHS):
        turned = BOARDS[levels].turned[level][turned]
    return turned.astype(np.int64)


def turned_rows(levels: int, eighths: int = 1) -> Actions:
    """Where each row of the observation goes, int64 (rows,): `turned[turned_rows(levels)] = observation`."""
    board = BOARDS[levels]
    return np.concatenate([board.rows[level] + turned_rings(levels, level, eighths) for level in range(1, levels + 1)])


def turned_actions(levels: int, turns: str = "joint", eighths: int = 1) -> Actions:
    """Where each action goes, int64 (num_actions,): `turned[turned_actions(levels)] = action_mask`."""
    placements = turned_rings(levels, 1, eighths)
    rotations = turned_rows(levels, eighths)[len(placements) : -1] - len(placements)
    if turns == "staged":
        return np.concatenate([placements, len(placements) + rotations])
    with_none = np.append(placements, len(placements))
    return (with_none[:, None] * len(rotations) + rotations).reshape(-1)
