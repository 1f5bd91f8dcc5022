"""What an action of The Ring World points at, for a table where people click: rings, such as `ring:3.5`."""

from __future__ import annotations

from ..core.types import Record
from . import rules
from .board import BOARDS
from .notation import NAMES, PLACEMENTS, ROTATION, ROTATIONS, find_ring

PLACED = {levels: tuple(f"ring:{name}" for name in names) for levels, names in PLACEMENTS.items()}
TURNED = {levels: tuple(f"ring:{name.removeprefix(ROTATION)}" for name in names) for levels, names in ROTATIONS.items()}


def things(state: Record, action: int) -> tuple[str, ...]:
    """The ring placed, the ring turned, or in the joint form both, in this order."""
    levels = rules.levels_of(state)
    placed, turned = PLACED[levels], TURNED[levels]
    if not state.joint:
        return ((placed + turned)[action],)
    placement, rotation = divmod(action, len(turned))
    return (*placed[placement : placement + 1], turned[rotation])


def motion(state: Record, action: int) -> tuple[str, int, list[str]] | None:
    """The ring that an action turns, by how many degrees clockwise, and the rings that move; None if it turns none."""
    levels = rules.levels_of(state)
    turned = things(state, action)[-1]
    if turned not in TURNED[levels]:
        return None
    level, ring = find_ring(levels, turned.removeprefix("ring:"))
    return turned, 45, [f"ring:{NAMES[levels][below][inner]}" for below, inner in inside(levels, level, ring)]


def inside(levels: int, level: int, ring: int) -> list[tuple[int, int]]:
    """Level and id of all rings that lie in a ring."""
    if level == 1:
        return []
    children = [(level - 1, child) for child in BOARDS[levels].child[level][ring].tolist()]
    below = [each for child in children for each in inside(levels, *child)]
    return list(dict.fromkeys(children + below))
