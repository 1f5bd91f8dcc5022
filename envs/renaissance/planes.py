"""The planes of Renaissance's actions: a plane for each polyomino as it is turned, each edge, each direction."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ..core.game import Game
from ..core.planes import ActionPlanes, action_planes, shape_and_corner
from . import board


def planes(game: Game) -> ActionPlanes | None:
    """Where each action stands; None in the joint form, where an action is a placement and a move."""
    return None if game.template[0].joint else action_planes(places(), board.NUM_SQUARES)


def places() -> Iterator[tuple[Hashable, int]]:
    """What each action does, and where: in the order of the actions. A pick has no square; it stands on the first."""
    for kind, squares in zip(board.KIND.tolist(), board.PLACEMENTS, strict=True):
        shape, corner = shape_and_corner(squares, board.SIZE)
        yield ("polyomino", kind, shape), corner
    for thing in ("marker", "monomino"):
        for square in range(board.NUM_SQUARES):
            yield thing, square
    for line, first in enumerate(board.PUSH_LINE[:, 0].tolist()):
        yield ("push", line // board.SIZE), first
    for square in range(board.NUM_SQUARES):
        yield "take off", square
    for square in range(board.NUM_SQUARES):
        for direction in board.DIRECTIONS:
            yield ("move", direction), square
    for kind in board.KINDS:
        yield ("pick", kind), 0
