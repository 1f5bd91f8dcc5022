"""Tsukiji. Rules: docs/tsukiji.md, after the designer's page (Masahiro Nakajima, nakajim.net). Left out: nothing.

Squares are numbered row by row from the top left; set of squares = bits of an int64, bit s is square s:

     0  1  2  3  4  5  6  7        a8 b8 ... h8
     8  9 10 11 12 13 14 15        a7
     :                             :
    56 57 58 59 60 61 62 63        a1 b1 ... h1

Bit 63 is the sign of the int64. Right shifts therefore smear it over the top; INTO cuts that off again.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, TERMINATED, TRUNCATED, begin, end_game, leader
from ..core.squares import popcount, set_of
from ..core.types import Integers, Mask, Record, Squares

VERSION = 0  # the number in `tsukiji_v0`: raised when old results cannot be compared with new ones
SIZE = 8
NUM_SQUARES = SIZE * SIZE
DECISIONS = ("place_land", "construct", "move_ship", "move_truck", "take_turn")
PLACE_LAND, CONSTRUCT, MOVE_SHIP, MOVE_TRUCK, TAKE_TURN = range(5)  # TAKE_TURN: construct and move in one (joint)
REASONS = ("illegal_action", "points", "equal", "turn_limit")
POINTS, EQUAL, TURN_LIMIT = 1, 2, 3  # nobody can construct: more points, equal points; or max_turns were played

NOWHERE = -1  # square of a ship or truck that is not on the board yet
IN_HAND = -1  # bridge that is not built yet
STRAIGHT, CORNER = 0, 1  # kinds of land piece
PIECES_OF_A_KIND = 3
GROUP_LIMIT = 4
GROUP_POINTS = np.array([0, 0, 1, 2, 4], dtype=np.int64)  # by number of buildings in the group
BRIDGE_POINTS = 1

NUM_MARKED = 3
NUM_PLACEMENTS, NUM_STRAIGHT = 292, 96
NUM_BRIDGES = 96

# Actions. A land placement p has three actions: the building may stand on each of its squares.
SHIP_LAND = NUM_MARKED
SHIP_BUILDING = SHIP_LAND + 3 * NUM_PLACEMENTS
SHIP_BRIDGE = SHIP_BUILDING + NUM_SQUARES
TRUCK_BUILDING = SHIP_BRIDGE + NUM_BRIDGES
TRUCK_BRIDGE = TRUCK_BUILDING + NUM_SQUARES
TRUCK_NOTHING = TRUCK_BRIDGE + NUM_BRIDGES
MOVE = TRUCK_NOTHING + 1
NUM_ACTIONS = MOVE + NUM_SQUARES
NUM_JOINT_ACTIONS = NUM_MARKED + NUM_SQUARES * (MOVE - SHIP_LAND)

STATE = np.dtype(
    (
        np.record,
        [
            *HEADER,
            ("max_turns", np.int32),  # parameter: the game is cut off after so many turns
            ("land", np.int64),  # set of the land squares
            ("buildings", np.int64, (2,)),  # set of the squares with a building of each player
            ("crowded", np.int64, (2,)),  # squares where a building of the player would make a group above GROUP_LIMIT
            ("ships", np.int64, (2,)),  # square of each player's ship, or NOWHERE
            ("trucks", np.int64, (2,)),  # square of each player's truck, or NOWHERE
            ("bridges", np.int64, (2,)),  # number of the bridge that each player has built, or IN_HAND
            ("pieces", np.int8, (2, 2)),  # land pieces left, by player and kind
        ],
    )
)


def _placements() -> NDArray[np.int64]:
    """The squares of each land placement, ascending, (292, 3)."""
    right, down = 1, SIZE
    straight = [(s, s + right, s + 2 * right) for s in range(NUM_SQUARES) if s % SIZE < SIZE - 2]
    straight += [(s, s + down, s + 2 * down) for s in range(NUM_SQUARES - 2 * SIZE)]
    corner = []
    for s in range(NUM_SQUARES - SIZE):
        if s % SIZE < SIZE - 1:
            block = (s, s + right, s + down, s + down + right)
            corner += [tuple(square for square in block if square != missing) for missing in block]
    return np.array(straight + corner, dtype=np.int64)


def _step_tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For the 8 king steps, the first 4 orthogonal: shift to the left, shift to the right, squares arrived at."""
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)]
    shifts = np.array([SIZE * down + right for down, right in steps], dtype=np.int64)
    into = [
        set_of(
            SIZE * row + column
            for row in range(SIZE)
            for column in range(SIZE)
            if 0 <= row - down < SIZE and 0 <= column - right < SIZE
        )
        for down, right in steps
    ]
    return np.maximum(shifts, 0), np.maximum(-shifts, 0), np.array(into, dtype=np.int64)


def _padded(rows: list[list[int]]) -> NDArray[np.int64]:
    """Rows of different length as one array, filled up with -1."""
    table = np.full((len(rows), max(map(len, rows)) + 1), -1, dtype=np.int64)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


PLACEMENT_SQUARES = _placements()
BRIDGE_SQUARES = PLACEMENT_SQUARES[:NUM_BRIDGES]  # end, middle, end; a bridge lies like a straight piece of land
KIND = np.where(np.arange(NUM_PLACEMENTS) < NUM_STRAIGHT, STRAIGHT, CORNER).astype(np.int64)
SHIFT_LEFT, SHIFT_RIGHT, INTO = _step_tables()
NUM_DIRECTIONS, NUM_ORTHOGONAL = 8, 4

# Sets by number. The last entry is the empty set: where index -1, NOWHERE or IN_HAND, arrives.
SQUARE = np.array([set_of([s]) for s in range(NUM_SQUARES)] + [0], dtype=np.int64)
PLACEMENT = np.array([set_of(squares.tolist()) for squares in PLACEMENT_SQUARES] + [0], dtype=np.int64)
BRIDGE = np.array([set_of(squares.tolist()) for squares in BRIDGE_SQUARES] + [0], dtype=np.int64)
BRIDGE_MIDDLE = np.array([set_of([squares[1].item()]) for squares in BRIDGE_SQUARES] + [0], dtype=np.int64)


def _around(steps: Iterable[int]) -> list[list[int]]:
    """The squares that `steps`, numbers of directions, lead to from each square, lists."""
    around = []
    for square in range(NUM_SQUARES):
        row, column = divmod(square, SIZE)
        shifts = (int(SHIFT_LEFT[step] - SHIFT_RIGHT[step]) for step in steps)
        ends = (square + shift for shift in shifts if 0 <= square + shift < NUM_SQUARES)
        around.append([end for end in ends if abs(end // SIZE - row) <= 1 and abs(end % SIZE - column) <= 1])
    return around


def _behind() -> NDArray[np.int64]:
    """By two squares: the second and all that lie behind it as seen from the first along a queen's line, (64, 64)."""
    behind = np.zeros((NUM_SQUARES, NUM_SQUARES), dtype=np.int64)
    neighbours = [_around([direction]) for direction in range(NUM_DIRECTIONS)]
    for square in range(NUM_SQUARES):
        for onward in neighbours:
            line: list[int] = []
            while following := onward[line[-1] if line else square]:
                line += following
            for index, target in enumerate(line):
                behind[square, target] = set_of(line[index:])
    return behind


_EDGE_ADJACENT = _around(range(NUM_ORTHOGONAL))
EDGE_ADJACENT = np.array([set_of(squares) for squares in _EDGE_ADJACENT], dtype=np.int64)
KING_STEPS = np.array([set_of(squares) for squares in _around(range(NUM_DIRECTIONS))], dtype=np.int64)
BEHIND = _behind()

# By square: the squares, land placements and bridges within reach of a vehicle on it; -1 after the last one.
NEAR_SQUARES = _padded(_EDGE_ADJACENT)
NEAR_PLACEMENTS = _padded(
    [
        [p for p, squares in enumerate(PLACEMENT_SQUARES.tolist()) if s not in squares and set(squares) & set(near)]
        for s, near in enumerate(_EDGE_ADJACENT)
    ]
)
NEAR_BRIDGES = _padded(
    [
        [b for b, (end, _, other) in enumerate(BRIDGE_SQUARES.tolist()) if end in near or other in near]
        for near in _EDGE_ADJACENT
    ]
)

MARKED = np.array([[9, 18, 27], [54, 45, 36]], dtype=np.int64)  # squares of the setup choices, by player
OUTWARD = SIZE + 1  # one diagonal step along the marked squares


# The game


@kernel
def reset(state: Record) -> None:
    """Set up the empty sea, in place."""
    begin(state, 0)
    state.land = 0
    for player in range(2):
        state.buildings[player] = 0
        state.crowded[player] = 0
        state.ships[player] = NOWHERE
        state.trucks[player] = NOWHERE
        state.bridges[player] = IN_HAND
        state.pieces[player, STRAIGHT] = PIECES_OF_A_KIND
        state.pieces[player, CORNER] = PIECES_OF_A_KIND


@kernel
def legal_actions(state: Record, mask: Mask) -> None:
    """Write what `state.player` may do into `mask`, int8 (1264,) or, joint, (76611,); all 0 when the game is over."""
    mask[:] = 0
    if state.player == NOBODY:
        return
    if state.decision == PLACE_LAND:
        mask[:NUM_MARKED] = 1
    elif state.decision == CONSTRUCT:
        legal_constructions(state, mask)
    elif state.decision == TAKE_TURN:
        legal_turns(state, mask)
    else:
        write_set(destinations(state), mask[MOVE:])


@kernel
def is_legal(state: Record, action: int, room: Mask) -> bool:
    """Whether `state.player` may do `action`, one of 0 .. num_actions - 1; `room` is not needed."""
    if state.player == NOBODY or state.decision == PLACE_LAND:
        return state.player != NOBODY and action < NUM_MARKED
    if state.decision == CONSTRUCT:
        return SHIP_LAND <= action < MOVE and may_construct(state, action)
    if state.decision == TAKE_TURN:
        construction, square = SHIP_LAND + (action - NUM_MARKED) // NUM_SQUARES, (action - NUM_MARKED) % NUM_SQUARES
        allowed = action >= NUM_MARKED and may_construct(state, construction)
        return allowed and exits_after(state, construction) >> square & 1 == 1
    return action >= MOVE and destinations(state) >> (action - MOVE) & 1 == 1


@kernel
def play(state: Record, action: int) -> None:
    """Play a legal action, in place."""
    if state.decision == PLACE_LAND:
        set_up(state, action)
    elif state.decision == CONSTRUCT:
        construct(state, action)
    elif state.decision != TAKE_TURN:
        move(state, action - MOVE)
    else:
        construct(state, SHIP_LAND + (action - NUM_MARKED) // NUM_SQUARES)
        move(state, (action - NUM_MARKED) % NUM_SQUARES)


# What may be done


@kernel
def legal_constructions(state: Record, mask: Mask) -> None:
    """Set the staged constructions that the mover may choose."""
    player = np.int64(state.player)
    ship_lands(state, player, mask)
    write_set(ship_yard(state, player), mask[SHIP_BUILDING:])
    ship_bridges(state, player, mask)
    where = state.trucks[player]
    yard = truck_yard(state, player, where)
    write_set(yard, mask[TRUCK_BUILDING:])
    if not truck_bridges(state, player, mask) and yard == 0 and truck_destinations(state, player, where):
        mask[TRUCK_NOTHING] = 1


@kernel
def may_construct(state: Record, construction: int) -> bool:
    """Whether `legal_constructions` sets this one."""
    player = np.int64(state.player)
    where = state.trucks[player]
    if construction < SHIP_BUILDING:
        return may_land(state, player, (construction - SHIP_LAND) // 3, (construction - SHIP_LAND) % 3)
    if construction < SHIP_BRIDGE:
        return ship_yard(state, player) >> (construction - SHIP_BUILDING) & 1 == 1
    if construction < TRUCK_BUILDING:
        bridge = construction - SHIP_BRIDGE
        leaves = ship_exits(state, player) & ~BRIDGE_MIDDLE[bridge] != 0
        return leaves and holds(NEAR_BRIDGES[state.ships[player]], bridge) and bridge_fits(state, player, where, bridge)
    if construction < TRUCK_BRIDGE:
        return truck_yard(state, player, where) >> (construction - TRUCK_BUILDING) & 1 == 1
    if construction < TRUCK_NOTHING:
        bridge = construction - TRUCK_BRIDGE
        return holds(NEAR_BRIDGES[where], bridge) and bridge_fits(state, player, where, bridge)
    return truck_destinations(state, player, where) != 0 and not truck_can_construct(state, player, where)


@kernel
def may_land(state: Record, player: int, placement: int, j: int) -> bool:
    """Whether `ship_lands` sets this placement with the building on its square `j`."""
    if not holds(NEAR_PLACEMENTS[state.ships[player]], placement):
        return False
    yard = land_yard(state, player, placement, free_water(state), ship_exits(state, player))
    room = room_to_build(state, player, state.trucks[player])
    return (yard & room) >> PLACEMENT_SQUARES[placement, j] & 1 == 1


@kernel
def holds(row: Integers, number: int) -> bool:
    """Whether a row of a table has this number."""
    for each in row:
        if each == number:
            return True
    return False


@kernel
def legal_turns(state: Record, mask: Mask) -> None:
    """Set the joint actions that the mover may choose: each allowed construction with each destination after it."""
    player = np.int64(state.player)
    constructions = np.zeros(MOVE, np.int8)
    legal_constructions(state, constructions)
    ship_exits = ship_destinations(state, player)
    truck_exits = truck_destinations(state, player, state.trucks[player])
    for construction in range(SHIP_LAND, MOVE):
        if constructions[construction]:
            exits = ship_exits if construction < TRUCK_BUILDING else truck_exits
            exits &= ~closed_by(state, player, construction)
            write_set(exits, mask[NUM_MARKED + NUM_SQUARES * (construction - SHIP_LAND) :])


@kernel
def exits_after(state: Record, construction: int) -> Squares:
    """Where the mover's vehicle may go after `construction`, an allowed one."""
    player = np.int64(state.player)
    if construction < TRUCK_BUILDING:
        exits = ship_destinations(state, player)
    else:
        exits = truck_destinations(state, player, state.trucks[player])
    return exits & ~closed_by(state, player, construction)


@kernel
def closed_by(state: Record, player: int, construction: int) -> Squares:
    """The squares that the vehicle of `construction` can no longer get to in one move because of it."""
    if construction < SHIP_BUILDING:
        ship, closed = state.ships[player], np.int64(0)
        for square in PLACEMENT_SQUARES[(construction - SHIP_LAND) // 3]:
            closed |= BEHIND[ship, square]
        return closed
    if SHIP_BRIDGE <= construction < TRUCK_BUILDING:
        return hidden(state, state.ships[player], construction - SHIP_BRIDGE)
    if TRUCK_BUILDING <= construction < TRUCK_BRIDGE:
        return SQUARE[construction - TRUCK_BUILDING]
    if TRUCK_BRIDGE <= construction < TRUCK_NOTHING:
        return hidden(state, state.trucks[player], construction - TRUCK_BRIDGE)
    return np.int64(0)


@kernel
def hidden(state: Record, where: int, bridge: int) -> Squares:
    """The squares that a vehicle on `where` can no longer get to in one move once `bridge` is built."""
    if BRIDGE_MIDDLE[bridge] & state.land:
        return np.int64(0)
    return BEHIND[where, BRIDGE_SQUARES[bridge, 1]]


# Constructions of the ship


@kernel
def ship_lands(state: Record, player: int, mask: Mask) -> None:
    """Set the land placements of the ship of `player`, with each square that can take the building."""
    water, exits = free_water(state), ship_exits(state, player)
    room = room_to_build(state, player, state.trucks[player])
    for placement in NEAR_PLACEMENTS[state.ships[player]]:
        yard = land_yard(state, player, placement, water, exits) & room
        if yard:
            for j in range(3):
                mask[SHIP_LAND + 3 * placement + j] = yard >> PLACEMENT_SQUARES[placement, j] & 1


@kernel
def land_yard(state: Record, player: int, placement: int, water: Squares, exits: Squares) -> Squares:
    """The squares of `placement`, or none if `player` may not lay it; `exits` are those of his ship before."""
    piece = PLACEMENT[placement]
    if piece & ~water or exits & ~piece == 0 or state.pieces[player, KIND[placement]] == 0:
        return 0
    return piece


@kernel
def ship_yard(state: Record, player: int) -> Squares:
    """The squares on which the ship of `player` may build."""
    if ship_exits(state, player) == 0:
        return 0
    room = room_to_build(state, player, state.trucks[player])
    return EDGE_ADJACENT[state.ships[player]] & state.land & room


@kernel
def ship_bridges(state: Record, player: int, mask: Mask) -> None:
    """Set the bridges that the ship of `player` may build."""
    exits = ship_exits(state, player)
    for bridge in NEAR_BRIDGES[state.ships[player]]:
        if exits & ~BRIDGE_MIDDLE[bridge] and bridge_fits(state, player, state.trucks[player], bridge):
            mask[SHIP_BRIDGE + bridge] = 1


@kernel
def ship_can_construct(state: Record, player: int) -> bool:
    """Whether the ship of `player` has an allowed construction."""
    if ship_yard(state, player):
        return True
    water, exits = free_water(state), ship_exits(state, player)
    room = room_to_build(state, player, state.trucks[player])
    for placement in NEAR_PLACEMENTS[state.ships[player]]:
        if land_yard(state, player, placement, water, exits) & room:
            return True
    for bridge in NEAR_BRIDGES[state.ships[player]]:
        if exits & ~BRIDGE_MIDDLE[bridge] and bridge_fits(state, player, state.trucks[player], bridge):
            return True
    return False


# Constructions of the truck. `where` is its square, the present one or another that it could get to.
# A bridge leaves the truck a move, to the end next to it.


@kernel
def truck_yard(state: Record, player: int, where: int) -> Squares:
    """The squares on which the truck of `player` may build from `where`."""
    yard = EDGE_ADJACENT[where] & state.land & room_to_build(state, player, where)
    if yard == 0:
        return yard
    exits = truck_destinations(state, player, where)
    for square in NEAR_SQUARES[where]:
        if exits == SQUARE[square]:  # the only way out must stay free
            yard &= ~exits
    return yard


@kernel
def truck_bridges(state: Record, player: int, mask: Mask) -> bool:
    """Set the bridges that the truck of `player` may build; returns whether there are any."""
    where, found = state.trucks[player], False
    for bridge in NEAR_BRIDGES[where]:
        if bridge_fits(state, player, where, bridge):
            mask[TRUCK_BRIDGE + bridge] = 1
            found = True
    return found


@kernel
def truck_can_construct(state: Record, player: int, where: int) -> bool:
    """Whether the truck of `player` has an allowed construction on `where`."""
    if truck_yard(state, player, where):
        return True
    for bridge in NEAR_BRIDGES[where]:
        if bridge_fits(state, player, where, bridge):
            return True
    return False


# Sets of squares that the rules speak of


@kernel
def free_water(state: Record) -> Squares:
    """The sea squares without a ship."""
    return ~(state.land | SQUARE[state.ships[0]] | SQUARE[state.ships[1]])


@kernel
def bridge_middles(state: Record) -> Squares:
    """The squares under the middle of a bridge."""
    return BRIDGE_MIDDLE[state.bridges[0]] | BRIDGE_MIDDLE[state.bridges[1]]


@kernel
def bridge_squares(state: Record) -> Squares:
    """The squares under or on a bridge."""
    return BRIDGE[state.bridges[0]] | BRIDGE[state.bridges[1]]


@kernel
def empty_squares(state: Record, player: int, where: int) -> Squares:
    """The squares without building or truck, if the truck of `player` stands on `where`."""
    return ~(state.buildings[0] | state.buildings[1] | SQUARE[where] | SQUARE[state.trucks[1 - player]])


@kernel
def room_to_build(state: Record, player: int, where: int) -> Squares:
    """The squares, sea or land, that have room for a building of `player` if his truck stands on `where`."""
    return empty_squares(state, player, where) & ~bridge_squares(state) & ~state.crowded[player]


@kernel
def bridge_fits(state: Record, player: int, where: int, bridge: int) -> bool:
    """Whether `player`, with his truck on `where`, has a bridge in hand that can lie as `bridge`; not for IN_HAND."""
    if state.bridges[player] != IN_HAND or bridge == IN_HAND or BRIDGE[bridge] & bridge_squares(state):
        return False
    ends = BRIDGE[bridge] & ~BRIDGE_MIDDLE[bridge]
    return ends & ~(state.land & empty_squares(state, player, where)) == 0


# Moves


@kernel
def ship_exits(state: Record, player: int) -> Squares:
    """The squares around the ship of `player` that it can step to."""
    return KING_STEPS[state.ships[player]] & open_water(state, player)


@kernel
def open_water(state: Record, player: int) -> Squares:
    """The squares that the ship of `player` can enter."""
    return ~(state.land | bridge_middles(state) | SQUARE[state.ships[1 - player]])


@kernel
def destinations(state: Record) -> Squares:
    """Where the vehicle that the mover has chosen may go."""
    player = np.int64(state.player)
    if state.decision == MOVE_SHIP:
        return ship_destinations(state, player)
    return truck_destinations(state, player, state.trucks[player])


@kernel
def ship_destinations(state: Record, player: int) -> Squares:
    """Where the ship of `player` may go as the board stands."""
    return queen_moves(SQUARE[state.ships[player]], open_water(state, player))


@kernel
def truck_destinations(state: Record, player: int, where: int) -> Squares:
    """Where the truck of `player` may go from `where` as the board stands."""
    return queen_moves(SQUARE[where], truck_way(state, player)) & truck_stops(state, player, where)


@kernel
def truck_way(state: Record, player: int) -> Squares:
    """The squares that the truck of `player` can pass over."""
    return ~(bridge_middles(state) & ~state.land | SQUARE[state.trucks[1 - player]])


@kernel
def truck_stops(state: Record, player: int, where: int) -> Squares:
    """The squares that the truck of `player` can stop on, coming from `where`."""
    return state.land & empty_squares(state, player, where)


@kernel
def truck_reach(state: Record, player: int) -> Squares:
    """The square of the truck of `player` and all that it can get to by moves of its own alone."""
    where = state.trucks[player]
    way, stops = truck_way(state, player), truck_stops(state, player, where)
    before, reach = np.int64(0), SQUARE[where]
    while reach != before:
        before = reach
        reach |= queen_moves(reach, way) & stops
    return reach


@kernel
def queen_moves(squares: Squares, through: Squares) -> Squares:
    """The squares that a queen's move gets to from one of `squares`, entering squares of `through` only."""
    reached = np.int64(0)
    for direction in range(NUM_DIRECTIONS):
        front = step(squares, direction) & through
        while front:
            reached |= front
            front = step(front, direction) & through
    return reached


@kernel
def step(squares: Squares, direction: int) -> Squares:
    """`squares` moved by one step; those that would leave the board are gone."""
    return squares << SHIFT_LEFT[direction] >> SHIFT_RIGHT[direction] & INTO[direction]


@kernel
def write_set(squares: Squares, part: Mask) -> None:
    """Write a set of squares into the first 64 entries of `part`."""
    for square in range(NUM_SQUARES):
        part[square] = squares >> square & 1


# What is done


@kernel
def set_up(state: Record, choice: int) -> None:
    """Put land and truck of the mover on his marked square; after the second choice the ships, and play begins."""
    square = MARKED[state.player, choice]
    state.land |= SQUARE[square]
    state.trucks[state.player] = square
    if state.player == 1:
        state.ships[1] = state.trucks[0] - OUTWARD
        state.ships[0] = state.trucks[1] + OUTWARD
        state.decision = TAKE_TURN if state.joint else CONSTRUCT
    state.player = 1 - state.player


@kernel
def construct(state: Record, construction: int) -> None:
    """Carry out a staged construction of the mover; its vehicle is to move next."""
    state.decision = MOVE_SHIP if construction < TRUCK_BUILDING else MOVE_TRUCK
    if construction < SHIP_BUILDING:
        placement, j = (construction - SHIP_LAND) // 3, (construction - SHIP_LAND) % 3
        state.land |= PLACEMENT[placement]
        state.pieces[state.player, KIND[placement]] -= 1
        build(state, PLACEMENT_SQUARES[placement, j])
    elif construction < SHIP_BRIDGE:
        build(state, construction - SHIP_BUILDING)
    elif construction < TRUCK_BUILDING:
        build_bridge(state, construction - SHIP_BRIDGE)
    elif construction < TRUCK_BRIDGE:
        build(state, construction - TRUCK_BUILDING)
    elif construction < TRUCK_NOTHING:
        build_bridge(state, construction - TRUCK_BRIDGE)


@kernel
def build_bridge(state: Record, bridge: int) -> None:
    """Build the bridge of the mover."""
    state.bridges[state.player] = bridge
    state.scores[state.player] += BRIDGE_POINTS


@kernel
def build(state: Record, square: int) -> None:
    """Put a building of the mover on `square`."""
    player = np.int64(state.player)
    before = group(SQUARE[square], state.buildings[player]) & ~SQUARE[square]
    state.scores[player] += GROUP_POINTS[popcount(before) + 1] - points(before)
    state.buildings[player] |= SQUARE[square]
    crowd(state, player, around(before | SQUARE[square]) & ~state.buildings[player])


@kernel
def crowd(state: Record, player: int, squares: Squares) -> None:
    """Bring `state.crowded[player]` up to date on `squares`, which have no building of `player`."""
    for square in range(NUM_SQUARES):
        if squares >> square & 1 and popcount(group(SQUARE[square], state.buildings[player])) > GROUP_LIMIT:
            state.crowded[player] |= SQUARE[square]


@kernel
def mark_crowded(state: Record) -> None:
    """Work `state.crowded` out from the buildings."""
    for player in range(2):
        state.crowded[player] = 0
        crowd(state, player, ~state.buildings[player])


@kernel
def points(buildings: Squares) -> int:
    """What the groups that make up the set `buildings` are worth."""
    total = 0
    for square in range(NUM_SQUARES):
        if buildings >> square & 1:
            whole = group(SQUARE[square], buildings)
            total += GROUP_POINTS[popcount(whole)]
            buildings &= ~whole
    return total


@kernel
def group(squares: Squares, buildings: Squares) -> Squares:
    """`squares` and all of `buildings` that are connected to them by edges."""
    before = np.int64(0)
    while squares != before:
        before = squares
        squares |= around(squares) & buildings
    return squares


@kernel
def around(squares: Squares) -> Squares:
    """The squares edge-adjacent to one of `squares`."""
    reached = np.int64(0)
    for direction in range(NUM_ORTHOGONAL):
        reached |= step(squares, direction)
    return reached


@kernel
def move(state: Record, square: int) -> None:
    """Move the vehicle of the mover, and end his turn."""
    if state.decision == MOVE_SHIP:
        state.ships[state.player] = square
    else:
        state.trucks[state.player] = square
    state.turns += 1
    end_turn(state)


# Whose turn it is, and the end


@kernel
def end_turn(state: Record) -> None:
    """After the mover's turn: end the game if nobody can construct any more, or ask for the next turn."""
    mover = np.int64(state.player)
    opponent = 1 - mover
    opponent_constructs = can_construct(state, opponent)
    over = not opponent_constructs and not can_construct(state, mover)
    if over or state.turns >= state.max_turns:
        end_by_points(state, over)
    else:
        state.decision = TAKE_TURN if state.joint else CONSTRUCT
        # A ship moves after a construction only: an opponent who cannot move his truck either passes.
        if opponent_constructs or truck_destinations(state, opponent, state.trucks[opponent]):
            state.player = opponent


@kernel
def end_by_points(state: Record, over: bool) -> None:
    """End the game, because it is `over` or, if not, because of the turn limit; more points win."""
    winner = leader(state.scores)
    if over:
        status, reason = TERMINATED, EQUAL if winner == NOBODY else POINTS
    else:
        status, reason = TRUNCATED, TURN_LIMIT
    end_game(state, status, winner, reason)


@kernel
def can_construct(state: Record, player: int) -> bool:
    """Whether `player` can construct anything, with his truck wherever it could get to first."""
    if ship_can_construct(state, player) or truck_can_construct(state, player, state.trucks[player]):
        return True
    reach = truck_reach(state, player)
    for square in range(NUM_SQUARES):
        if reach >> square & 1 and truck_can_construct(state, player, square):
            return True
    return False
