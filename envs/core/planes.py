"""Action planes: for networks that treat every square of a board alike, as AlphaZero's policy head does."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from .types import Actions


class ActionPlanes(NamedTuple):
    """Where each action stands among `num_planes` planes of the size of the board: one plane for each way to act.

    A network puts out (num_planes, rows, columns); the logits are `output.ravel()[places]`.
    """

    num_planes: int
    places: Actions
    """int64 (num_actions,), read-only, no two alike: plane * squares + square."""


def action_planes(ways: Iterable[tuple[Hashable, int]], squares: int) -> ActionPlanes:
    """`ways`: for each action in order, what is done (the same for every square) and the square where.

    The planes are numbered in the order in which they come up.
    """
    planes: dict[Hashable, int] = {}
    numbers = [planes.setdefault(way, len(planes)) * squares + square for way, square in ways]
    places = np.array(numbers, np.int64)
    places.flags.writeable = False
    return ActionPlanes(len(planes), places)


def shape_and_corner(squares: Iterable[int], columns: int) -> tuple[tuple[int, ...], int]:
    """A piece's shape, the same wherever it lies, and the upper left corner of the rectangle around it."""
    rows, places = zip(*(divmod(square, columns) for square in squares), strict=True)
    corner = min(rows) * columns + min(places)
    return tuple(row * columns + place - corner for row, place in zip(rows, places, strict=True)), corner
