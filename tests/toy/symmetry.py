"""The symmetries of tic-tac-toe, for data augmentation."""

from __future__ import annotations

import numpy as np
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.symmetry import SWITCHES, Symmetry, make_symmetry, numbered, switches_name

from .rules import NUM_ACTIONS, SIZE


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All 8, the identity first."""
    return tuple(_symmetry(game, *switches) for switches in SWITCHES)


def _symmetry(game: Game, transpose: bool, flip_rows: bool, flip_columns: bool) -> Symmetry:
    def image(board: np.ndarray) -> np.ndarray:
        board = board.swapaxes(0, 1) if transpose else board
        board = board[::-1] if flip_rows else board
        return board[:, ::-1] if flip_columns else board

    squares = image(np.arange(NUM_ACTIONS).reshape(SIZE, SIZE)).ravel()
    name = switches_name(transpose, flip_rows, flip_columns)
    return make_symmetry(name, image(numbered(game.observation_shape)), np.argsort(squares))
