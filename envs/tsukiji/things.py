"""What an action of Tsukiji points at, for a table where people click.

First the vehicle, `ship:red`; then what it builds: a piece of land, `piece:red:V`, the squares where it lies,
`square:c3+square:c4+square:d4`, and the one with the building; or `bridge:red` and its squares; or the square of a
building alone; or `nothing`. A move is the square that it goes to.
"""

from __future__ import annotations

from ..core.things import square_things, together
from ..core.types import Record
from . import rules
from .notation import KINDS, PLAYERS, marked_squares

SQUARES = square_things(rules.SIZE)


PLACEMENTS = tuple(together(SQUARES[square] for square in squares) for squares in rules.PLACEMENT_SQUARES.tolist())


def things(state: Record, action: int) -> tuple[str, ...]:
    """The things of a construction, a move, or in the joint form both; the square of a setup choice."""
    player = PLAYERS[1 if state.player == 1 else 0]
    if action < rules.NUM_MARKED:
        return (SQUARES[marked_squares(state)[action]],)
    if state.joint:
        construction, goal = divmod(action - rules.NUM_MARKED, rules.NUM_SQUARES)
        return (*construction_things(player, rules.SHIP_LAND + construction), SQUARES[goal])
    if action < rules.MOVE:
        return construction_things(player, action)
    return (SQUARES[action - rules.MOVE],)


def construction_things(player: str, action: int) -> tuple[str, ...]:
    """The things of a staged construction."""
    ship, truck, bridge = f"ship:{player}", f"truck:{player}", f"bridge:{player}"
    if action < rules.SHIP_BUILDING:
        placement, j = divmod(action - rules.SHIP_LAND, 3)
        piece = f"piece:{player}:{KINDS[rules.KIND[placement]]}"
        return ship, piece, PLACEMENTS[placement], SQUARES[rules.PLACEMENT_SQUARES[placement, j]]
    if action < rules.SHIP_BRIDGE:
        return ship, SQUARES[action - rules.SHIP_BUILDING]
    if action < rules.TRUCK_BUILDING:
        return ship, bridge, PLACEMENTS[action - rules.SHIP_BRIDGE]
    if action < rules.TRUCK_BRIDGE:
        return truck, SQUARES[action - rules.TRUCK_BUILDING]
    if action < rules.TRUCK_NOTHING:
        return truck, bridge, PLACEMENTS[action - rules.TRUCK_BRIDGE]
    return truck, "nothing"
