"""The boards of The Ring World as read-only tables: who lies in whom, who touches whom, and where.

A board is built from its geometry alone. Around the centre of a ring of radius R lie 8 rings, their centres at distance
R / cos(pi / 8), their radius R * tan(pi / 8); neighbouring rings share those rings that fall on the same place.

Rings are numbered level by level from the top down, in order of first appearance when the rings above are visited by
id and their positions in order. Positions are 0 .. 7, clockwise from 3 o'clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from ..core.types import Integers, Reals

T = TypeVar("T")

NOWHERE = -1  # fills up `adjacent` where a ring touches two rings only
POSITIONS = 8
DISTANCE = float(1 / np.cos(np.pi / 8))  # of the children's centres from that of a ring of radius 1
SHRINK = float(np.tan(np.pi / 8))  # their radius
ANGLES = np.arange(POSITIONS) * np.pi / 4
DIRECTIONS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)  # x to the right, y down, hence clockwise
TOLERANCE = 1e-6


class Board(NamedTuple):
    """Tables by level, 1 (the smallest rings) up to `levels` (the one ring around all)."""

    levels: int
    counts: Mapping[int, int]
    """How many rings a level has."""
    rows: Mapping[int, int]
    """The observation's row of the level's ring 0; the others follow by id."""
    child: Mapping[int, Integers]
    """`child[k][ring, position]`, int16 (counts[k], 8), k from 2: the level k - 1 ring at that position."""
    adjacent: Mapping[int, Integers]
    """`adjacent[k][ring]`, int16 (counts[k], 3), k below the top: the rings it touches, ascending, then NOWHERE."""
    centres: Mapping[int, Reals]
    """`centres[k][ring]` = x, y, float64 (counts[k], 2); x to the right, y down, top ring around (0, 0)."""
    radii: Mapping[int, float]
    """Radius of the level's rings; 1 at the top."""
    turned: Mapping[int, Integers]
    """`turned[k][ring]`, int16 (counts[k],): where a ring goes when the whole board turns 45 degrees clockwise."""


def build(levels: int) -> Board:
    """The board with `levels` levels."""
    centres: dict[int, Reals] = {levels: np.zeros((1, 2))}
    radii, child = {levels: 1.0}, {}
    for level in range(levels, 1, -1):
        child[level], centres[level - 1] = children(centres[level], radii[level])
        radii[level - 1] = radii[level] * SHRINK
    counts = {level: len(centres[level]) for level in range(1, levels + 1)}
    rows = {level: sum(counts[below] for below in range(1, level)) for level in counts}
    adjacent = {level: touching(centres[level], radii[level]) for level in range(1, levels)}
    turned = {level: index_of(centres[level] @ clockwise(np.pi / 4), centres[level]) for level in counts}
    tables = (counts, rows, child, adjacent, centres, radii, turned)
    return Board(levels, *(read_only(table) for table in tables))


def children(centres: Reals, radius: float) -> tuple[Integers, Reals]:
    """The table `child` of rings with these centres, and their children's centres in order of first appearance."""
    places = (centres[:, None] + DIRECTIONS * radius * DISTANCE).reshape(-1, 2)
    found: list[Reals] = []
    for place in places:
        if not any(np.abs(place - other).max() < TOLERANCE for other in found):
            found.append(place)
    return index_of(places, np.array(found)).reshape(-1, POSITIONS), np.array(found)


def touching(centres: Reals, radius: float) -> Integers:
    """The table `adjacent`: rings whose circles touch from outside."""
    distance = np.linalg.norm(centres[:, None] - centres, axis=2)
    adjacent = np.full((len(centres), 3), NOWHERE, np.int16)
    for ring, touches in enumerate(np.abs(distance - 2 * radius) < TOLERANCE):
        rings = np.flatnonzero(touches)
        adjacent[ring, : len(rings)] = rings
    return adjacent


def index_of(places: Reals, centres: Reals) -> Integers:
    """For each place the index of the centre that lies there, int16."""
    return np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1).astype(np.int16)


def clockwise(angle: float) -> Reals:
    """The matrix that turns row vectors x, y (y down) clockwise by `angle`."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def read_only(table: dict[int, T]) -> Mapping[int, T]:
    """The same table, its arrays frozen."""
    for value in table.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return MappingProxyType(table)


BOARDS: Mapping[int, Board] = MappingProxyType({levels: build(levels) for levels in (3, 4)})
