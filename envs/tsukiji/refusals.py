"""Why an action of Tsukiji is not legal, in the game's words. Plain and slow: loaded when somebody asks."""

from __future__ import annotations

import numpy as np

from ..core.record import NOBODY
from ..core.types import Record
from . import rules
from .notation import BRIDGE_NAMES, KINDS, SQUARE_NAMES, names

VEHICLES = ("ship", "truck")  # by whether it is the truck


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action within the action space breaks; empty if it breaks none."""
    if state.player == NOBODY:
        return "the game is over"
    if state.decision == rules.PLACE_LAND:
        return "" if action < rules.NUM_MARKED else "each player first puts his land on one of his three squares"
    if action < rules.NUM_MARKED:
        return "the setup is over"
    if state.joint:
        construction, goal = divmod(action - rules.NUM_MARKED, rules.NUM_SQUARES)
        return why_not_turn(state, rules.SHIP_LAND + construction, goal)
    if state.decision == rules.CONSTRUCT:
        return "the construction comes before the move" if action >= rules.MOVE else why_not_constructed(state, action)
    if action < rules.MOVE:
        return f"the {VEHICLES[int(state.decision == rules.MOVE_TRUCK)]} has to move now: its construction is done"
    return why_not_moved(state, action - rules.MOVE)


def why_not_turn(state: Record, construction: int, goal: int) -> str:
    """Why a construction with a move to `goal` after it is no legal turn."""
    return why_not_constructed(state, construction) or why_not_moved(after(state, construction), goal)


def after(state: Record, construction: int) -> Record:
    """The position after a construction, before the move."""
    state = state.copy()
    rules.construct(state, construction)
    return state


# Constructions


def why_not_constructed(state: Record, action: int) -> str:
    """Why a staged construction is not allowed."""
    by_truck = action >= rules.TRUCK_BUILDING
    if action == rules.TRUCK_NOTHING:
        return why_not_nothing(state)
    if action < rules.SHIP_BUILDING:
        why = why_no_land(state, *divmod(action - rules.SHIP_LAND, 3))
    elif action < rules.SHIP_BRIDGE:
        why = why_no_building(state, action - rules.SHIP_BUILDING, by_truck)
    elif action < rules.TRUCK_BUILDING:
        why = why_no_bridge(state, action - rules.SHIP_BRIDGE, by_truck)
    elif action < rules.TRUCK_BRIDGE:
        why = why_no_building(state, action - rules.TRUCK_BUILDING, by_truck)
    else:
        why = why_no_bridge(state, action - rules.TRUCK_BRIDGE, by_truck)
    if not why and rules.destinations(after(state, action)) == 0:
        return f"the {VEHICLES[by_truck]} has no way out afterwards"
    return why


def why_not_nothing(state: Record) -> str:
    """Why the truck cannot move without a construction."""
    for construction in range(rules.TRUCK_BUILDING, rules.TRUCK_NOTHING):
        if not why_not_constructed(state, construction):
            return "the truck has to construct, since it can"
    return "" if rules.destinations(after(state, rules.TRUCK_NOTHING)) else "the truck cannot move"


def why_no_land(state: Record, placement: int, j: int) -> str:
    """Why the ship cannot lay a piece of land with a building on its `j`-th square, whatever way out it has then."""
    kind, squares = rules.KIND[placement], rules.PLACEMENT_SQUARES[placement].tolist()
    if state.pieces[state.player, kind] == 0:
        return f"{KINDS[kind]} piece: none left"
    for square in squares:
        if has(state.land, square):
            return f"{SQUARE_NAMES[square]} is land already"
        if square in state.ships:
            return f"a ship is on {SQUARE_NAMES[square]}"
    return why_not_beside(state, squares, by_truck=False) or why_no_room(state, squares[j])


def why_no_building(state: Record, square: int, by_truck: bool) -> str:
    """Why a vehicle cannot build on a square, whatever way out it has then."""
    if not has(state.land, square):
        return f"{SQUARE_NAMES[square]} is sea: buildings stand on land"
    return why_no_room(state, square) or why_not_beside(state, [square], by_truck)


def why_no_room(state: Record, square: int) -> str:
    """Why a land square, or one that becomes land, has no room for a building of the mover."""
    name = SQUARE_NAMES[square]
    if has(state.buildings[0] | state.buildings[1], square):
        return f"{name} has a building"
    if square in state.trucks:
        return f"a truck stands on {name}"
    if has(rules.bridge_squares(state), square):
        return f"{name} is under or on a bridge"
    if has(state.crowded[state.player], square):
        group = rules.group(rules.SQUARE[square], state.buildings[state.player])
        size = sum(has(group, member) for member in range(rules.NUM_SQUARES))
        return f"the group on {name} would have {size} buildings, at most {rules.GROUP_LIMIT} are allowed"
    return ""


def why_no_bridge(state: Record, bridge: int, by_truck: bool) -> str:
    """Why a vehicle cannot build a bridge, whatever way out it has then."""
    built = int(state.bridges[state.player])
    if built != rules.IN_HAND:
        return f"the only bridge is built already, {BRIDGE_NAMES[built]}"
    squares = rules.BRIDGE_SQUARES[bridge].tolist()
    for square in squares:
        if has(rules.bridge_squares(state), square):
            return f"{SQUARE_NAMES[square]} is under or on a bridge already"
    for end in squares[::2]:
        why = why_no_end(state, end)
        if why:
            return why
    return why_not_beside(state, squares[::2], by_truck)


def why_no_end(state: Record, square: int) -> str:
    """Why a bridge cannot end on a square."""
    name = SQUARE_NAMES[square]
    if not has(state.land, square):
        return f"{name} is sea: a bridge ends on land"
    if has(state.buildings[0] | state.buildings[1], square):
        return f"{name} has a building: a bridge ends on squares without one"
    return f"a truck stands on {name}" if square in state.trucks else ""


def why_not_beside(state: Record, squares: list[int], by_truck: bool) -> str:
    """Why a vehicle does not reach any of `squares`: none of them is next to it."""
    where = place(state, by_truck)
    if any(has(rules.EDGE_ADJACENT[where], square) for square in squares):
        return ""
    which = f"{names(squares)} is not" if len(squares) == 1 else f"none of {names(squares)} is"
    return f"{which} next to the {VEHICLES[by_truck]} on {SQUARE_NAMES[where]}"


# Moves


def why_not_moved(state: Record, goal: int) -> str:
    """Why the vehicle that has constructed cannot move to a square."""
    by_truck = bool(state.decision == rules.MOVE_TRUCK)
    where, vehicle, name = place(state, by_truck), VEHICLES[by_truck], SQUARE_NAMES[goal]
    if goal == where:
        return f"the {vehicle} has to leave {name}"
    way = line(where, goal)
    if not way:
        return f"{name} is not in line with the {vehicle} on {SQUARE_NAMES[where]}"
    for square in way:
        why = why_no_passage(state, square, by_truck)
        if why:
            return why
    return why_no_stop(state, goal) if by_truck else ""


def line(start: int, end: int) -> list[int]:
    """The squares that a queen enters on her way from `start` to `end`; none if there is no such way."""
    (row, column), (last_row, last_column) = divmod(start, rules.SIZE), divmod(end, rules.SIZE)
    down, right = last_row - row, last_column - column
    steps = max(abs(down), abs(right))
    if down and right and abs(down) != abs(right):
        return []
    return [start + step * (rules.SIZE * down + right) // steps for step in range(1, steps + 1)]


def why_no_passage(state: Record, square: int, by_truck: bool) -> str:
    """Why a vehicle of the mover cannot enter a square on its way."""
    name, on_land = SQUARE_NAMES[square], has(state.land, square)
    bridged = has(rules.BRIDGE_MIDDLE[state.bridges[0]] | rules.BRIDGE_MIDDLE[state.bridges[1]], square)
    if square == place(state, by_truck, 1 - state.player):
        return f"the other {VEHICLES[by_truck]} on {name} is in the way"
    if by_truck:
        return f"{name} is sea under a bridge: a truck cannot cross it" if bridged and not on_land else ""
    if on_land:
        return f"{name} is land: a ship cannot enter it"
    return f"{name} is under a bridge: a ship cannot pass there" if bridged else ""


def why_no_stop(state: Record, square: int) -> str:
    """Why the truck of the mover cannot stop on a square to which it has a way."""
    if not has(state.land, square):
        return f"{SQUARE_NAMES[square]} is sea: a truck stops on land"
    if has(state.buildings[0] | state.buildings[1], square):
        return f"{SQUARE_NAMES[square]} has a building: a truck cannot stop there"
    return ""


def place(state: Record, by_truck: bool, player: int | None = None) -> int:
    """The square of a vehicle, the mover's by default."""
    return int((state.trucks if by_truck else state.ships)[state.player if player is None else player])


def has(squares: np.int64, square: int) -> bool:
    """Whether a set has a square."""
    return bool(int(squares) >> square & 1)
