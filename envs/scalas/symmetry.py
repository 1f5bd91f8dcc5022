"""The 8 symmetries of the board, for data augmentation: what is legal and how the game goes on stays the same.

The stair rule and the gaps speak of neighbours and of rows and columns alike, and nothing of a direction. Each symmetry
is named by three switches: first `transpose` mirrors the board on the diagonal from the top left, then `flip_rows`
turns it upside down, then `flip_columns` swaps left and right.
"""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.symmetry import SWITCHES, Symmetry, make_symmetry, numbered, switches_name
from ..core.types import Integers


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All 8, the identity first."""
    return tuple(_symmetry(game, *switches) for switches in SWITCHES)


def _symmetry(game: Game, transpose: bool, flip_rows: bool, flip_columns: bool) -> Symmetry:
    seen = numbered(game.observation_shape)
    size = len(seen)
    image = _turned(seen, transpose, flip_rows, flip_columns)
    squares = _turned(np.arange(size * size).reshape(size, size), transpose, flip_rows, flip_columns)
    return make_symmetry(switches_name(transpose, flip_rows, flip_columns), image, np.argsort(squares.ravel()))


def _turned(board: Integers, transpose: bool, flip_rows: bool, flip_columns: bool) -> Integers:
    """The image of a board, (size, size, ...)."""
    if transpose:
        board = board.swapaxes(0, 1)
    return board[:: -1 if flip_rows else 1, :: -1 if flip_columns else 1]
