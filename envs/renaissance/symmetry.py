"""The 8 symmetries of the board, for data augmentation: what is legal and how the game goes on stays the same.

Each is named by three switches: first `transpose` mirrors the board on the diagonal a7-g1, then `flip_rows` turns it
upside down, then `flip_columns` swaps left and right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.game import Game
from ..core.symmetry import SWITCHES, Renamed, Symmetry, make_symmetry, numbered, switches_name
from ..core.types import Integers, Observation
from . import board
from .observation import JOINED_BELOW, JOINED_RIGHT, NUM_CHANNELS

Switches = tuple[bool, bool, bool]  # transpose, flip_rows, flip_columns
ALL: tuple[Switches, ...] = SWITCHES


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All 8, the identity first. Their `action` takes a take-off to a square of the polyomino; `renamed` to its first.

    They are symmetries of what the players do: where chance arranges or shares out, it does not know of them.
    """
    take_offs = Renamed(board.FIRST_TAKE_OFF, board.FIRST_MOVE, first_squares)
    joint = game.parameters["turns"] == "joint"
    return tuple(
        make_symmetry(
            switches_name(*switches),
            transform_observation(numbered(game.observation_shape), switches),
            action_map(switches, joint),
            renamed=take_offs,
        )
        for switches in ALL
    )


def first_squares(observation: Observation, squares: Integers) -> Integers:
    """The first square of the polyomino that covers `squares[k]` where `observation[k]` is seen, int64 (k,).

    A square without a polyomino stays as it is.
    """
    seen = observation.reshape(-1, board.SIZE, board.SIZE, NUM_CHANNELS)
    right, below = seen[:, :, :-1, JOINED_RIGHT] != 0, seen[:, :-1, :, JOINED_BELOW] != 0
    first = np.broadcast_to(np.arange(board.NUM_SQUARES).reshape(board.SIZE, board.SIZE), seen.shape[:3]).copy()
    for _ in range(board.AREA.max() - 1):  # the longest way from a square to the first one
        for near, far, joined in (
            (first[:, :, :-1], first[:, :, 1:], right),
            (first[:, :-1], first[:, 1:], below),
        ):
            lowest = np.where(joined, np.minimum(near, far), board.NUM_SQUARES)
            np.minimum(near, lowest, out=near)
            np.minimum(far, lowest, out=far)
    return first.reshape(-1, board.NUM_SQUARES)[np.arange(len(squares)), squares]


def square_map(symmetry: Switches) -> Integers:
    """Where each square goes, int64 (49,)."""
    transpose, flip_rows, flip_columns = symmetry
    squares = np.arange(board.NUM_SQUARES).reshape(board.SIZE, board.SIZE)
    if transpose:
        squares = squares.T
    return np.argsort(squares[:: -1 if flip_rows else 1, :: -1 if flip_columns else 1].ravel())


def action_map(symmetry: Switches, joint: bool = False, cover: Integers | None = None) -> Integers:
    """What each action becomes, int64 (1347,) or, joint, (303971,): `new_mask[action_map] = mask`.

    A take-off is numbered by the first square of a polyomino, and which one is first depends on the polyomino: where
    take-offs are legal, pass the record's field `cover`.
    """
    to = square_map(symmetry)
    placements, moves = _placement_map(to), _move_map(to, symmetry)
    staged = np.concatenate(
        [
            placements,
            board.FIRST_MARKER + to,
            board.FIRST_MONOMINO + to,
            board.FIRST_PUSH + _push_map(to),
            board.FIRST_TAKE_OFF + (to if cover is None else _take_off_map(to, placements, cover)),
            board.FIRST_MOVE + moves,
            board.FIRST_PICK + np.arange(board.NUM_KINDS),
        ]
    )
    if not joint:
        return staged
    turns = board.FIRST_JOINT + board.NUM_MOVES * placements[:, None] + moves
    return np.concatenate([staged, turns.ravel()])


def transform_observation(observation: NDArray[Any], symmetry: Switches) -> NDArray[Any]:
    """The observation, (..., 7, 7, 56), after the symmetry; a copy."""
    transpose, flip_rows, flip_columns = symmetry
    seen = observation.copy()
    if transpose:
        seen = seen.swapaxes(-3, -2).copy()
        seen[..., [JOINED_RIGHT, JOINED_BELOW]] = seen[..., [JOINED_BELOW, JOINED_RIGHT]]
    if flip_rows:
        seen = seen[..., ::-1, :, :].copy()  # what was joined to the square below is now joined to the one above
        seen[..., JOINED_BELOW] = np.roll(seen[..., JOINED_BELOW], -1, axis=-2)
    if flip_columns:
        seen = seen[..., ::-1, :].copy()
        seen[..., JOINED_RIGHT] = np.roll(seen[..., JOINED_RIGHT], -1, axis=-1)
    return seen


def _placement_map(to: Integers) -> Integers:
    numbers = {squares: number for number, squares in enumerate(board.PLACEMENTS)}
    return np.array([numbers[tuple(sorted(to[list(squares)].tolist()))] for squares in board.PLACEMENTS])


def _push_map(to: Integers) -> Integers:
    """Push lines are told by their first two squares."""
    numbers = {tuple(line): number for number, line in enumerate(board.PUSH_LINE[:, :2].tolist())}
    return np.array([numbers[tuple(line)] for line in to[board.PUSH_LINE[:, :2]].tolist()])


def _move_map(to: Integers, symmetry: Switches) -> Integers:
    transpose, flip_rows, flip_columns = symmetry
    directions = []
    for step in board.STEPS:
        down, right = reversed(step) if transpose else step
        directions.append(board.STEPS.index((-down if flip_rows else down, -right if flip_columns else right)))
    return (8 * to[:, None] + directions).ravel()


def _take_off_map(to: Integers, placements: Integers, cover: Integers) -> Integers:
    """First squares of the polyominoes in `cover` go to first squares; the other squares fill the rest in order."""
    lying = np.unique(cover[cover != board.NONE])
    first = dict(zip(board.LOWEST[lying].tolist(), board.LOWEST[placements[lying]].tolist(), strict=True))
    rest = iter([square for square in range(board.NUM_SQUARES) if square not in first.values()])
    return np.array([first[square] if square in first else next(rest) for square in range(board.NUM_SQUARES)])
