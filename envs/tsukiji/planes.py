"""The planes of Tsukiji's actions: a plane for each shape of land and place of its building, each way of a bridge."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ..core.game import Game
from ..core.planes import ActionPlanes, action_planes, shape_and_corner
from . import rules


def planes(game: Game) -> ActionPlanes | None:
    """Where each action stands; None in the joint form, where an action is a construction and a move."""
    return None if game.template[0].joint else action_planes(places(), rules.NUM_SQUARES)


def places() -> Iterator[tuple[Hashable, int]]:
    """What each action does, and where: in the order of the actions. Choices without a square stand on the first."""
    for choice in range(rules.NUM_MARKED):
        yield ("marked", choice), 0
    for squares in rules.PLACEMENT_SQUARES.tolist():
        shape, corner = shape_and_corner(squares, rules.SIZE)
        for built in range(len(squares)):
            yield ("land", shape, built), corner
    for builder in ("ship", "truck"):
        for square in range(rules.NUM_SQUARES):
            yield (builder, "building"), square
        for squares in rules.BRIDGE_SQUARES.tolist():
            shape, corner = shape_and_corner(squares, rules.SIZE)
            yield (builder, "bridge", shape), corner
    yield "nothing", 0
    for square in range(rules.NUM_SQUARES):
        yield "move", square
