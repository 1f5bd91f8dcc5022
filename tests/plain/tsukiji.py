"""A second opinion on what is legal in Tsukiji: slow, plain Python on squares (row, column), after docs/tsukiji.md.

Reads the fields of a record and shares no code with the kernels, but for `joint_actions`, which plays the first part.
"""

import copy
from itertools import product
from typing import Any

from nakajima_zoo.envs.tsukiji import rules

Square = tuple[int, int]

SQUARES = list(product(range(8), range(8)))
ORTHOGONAL = [(-1, 0), (1, 0), (0, -1), (0, 1)]
ALL_DIRECTIONS = [*ORTHOGONAL, (-1, -1), (-1, 1), (1, -1), (1, 1)]
LINES_OF_THREE = [[(r, c), (r, c + 1), (r, c + 2)] for r in range(8) for c in range(6)] + [
    [(r, c), (r + 1, c), (r + 2, c)] for r in range(6) for c in range(8)
]
BLOCKS = [[(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)] for r in range(7) for c in range(7)]
LAND_PIECES = [("I", line) for line in LINES_OF_THREE] + [
    ("V", [square for square in block if square != missing]) for block in BLOCKS for missing in block
]
SETUP_CHOICES = [0, 1, 2]


class Board:
    """A position, unpacked from a record."""

    def __init__(self, state: Any) -> None:
        self.land = set_of(state.land)
        self.buildings = [set_of(state.buildings[player]) for player in (0, 1)]
        self.ships = [square_of(state.ships[player]) for player in (0, 1)]
        self.trucks = [square_of(state.trucks[player]) for player in (0, 1)]
        self.bridges = [LINES_OF_THREE[b] if b >= 0 else None for b in (int(state.bridges[0]), int(state.bridges[1]))]
        self.pieces = [dict(zip("IV", map(int, state.pieces[player]), strict=True)) for player in (0, 1)]

    def built_bridges(self) -> list[list[Square]]:
        return [bridge for bridge in self.bridges if bridge is not None]

    def has_building(self, square: Square) -> bool:
        return square in self.buildings[0] or square in self.buildings[1]

    def group_of(self, player: int, square: Square) -> set[Square]:
        """The group of `player` that `square`, taken as built on, belongs to."""
        found, todo = set(), [square]
        while todo:
            here = todo.pop()
            if here not in found:
                found.add(here)
                todo += [near for near in neighbours(here) if near in self.buildings[player]]
        return found

    def buildable(self, player: int, square: Square) -> bool:
        return (
            square in self.land
            and not self.has_building(square)
            and square not in self.trucks
            and not any(square in bridge for bridge in self.built_bridges())
            and len(self.group_of(player, square)) <= 4
        )

    def bridge_lies(self, player: int, squares: list[Square]) -> bool:
        """Whether `player` has a bridge that may lie on `squares`."""
        ends = (squares[0], squares[2])
        return (
            self.bridges[player] is None
            and all(end in self.land and not self.has_building(end) and end not in self.trucks for end in ends)
            and not any(set(squares) & set(bridge) for bridge in self.built_bridges())
        )

    def ship_moves(self, player: int) -> list[Square]:
        found = []
        for direction in ALL_DIRECTIONS:
            square = plus(self.ships[player], direction)
            while on_board(square) and not self.closed_to_ship(player, square):
                found.append(square)
                square = plus(square, direction)
        return found

    def closed_to_ship(self, player: int, square: Square) -> bool:
        under_bridge = any(square in bridge for bridge in self.built_bridges())
        return square in self.land or under_bridge or square == self.ships[1 - player]

    def truck_moves(self, player: int) -> list[Square]:
        found = []
        for direction in ALL_DIRECTIONS:
            square = plus(self.trucks[player], direction)
            while on_board(square) and not self.closed_to_truck(player, square):
                if square in self.land and not self.has_building(square):
                    found.append(square)
                square = plus(square, direction)
        return found

    def closed_to_truck(self, player: int, square: Square) -> bool:
        wet = square not in self.land and any(square == bridge[1] for bridge in self.built_bridges())
        return wet or square == self.trucks[1 - player]


def legal_actions(state: Any) -> list[int]:
    """The legal staged actions of the player to act, ascending."""
    if state.player < 0:
        return []
    player, board = int(state.player), Board(state)
    stage = ["setup", "construction", "move_ship", "move_truck"][int(state.decision)]
    if stage == "setup":
        return SETUP_CHOICES
    if stage == "move_ship":
        return sorted(1200 + number(square) for square in board.ship_moves(player))
    if stage == "move_truck":
        return sorted(1200 + number(square) for square in board.truck_moves(player))
    return ship_constructions(board, player) + (truck_constructions(board, player) or bare_truck_move(board, player))


def joint_actions(state: Any) -> list[int]:
    """The legal joint actions, ascending, found by playing each staged construction on a copy."""
    staged = copy.deepcopy(state)
    staged.joint = 0
    if staged.decision != 0:
        staged.decision = 1
    if state.player < 0 or state.decision == 0:
        return legal_actions(staged)
    found = []
    for construction in legal_actions(staged):
        after = copy.deepcopy(staged)
        rules.play(after, construction)
        found += [3 + 64 * (construction - 3) + action - 1200 for action in legal_actions(after)]
    return found


def anything_constructible(state: Any) -> bool:
    """Whether either player can construct anything, as the end of the game asks."""
    return any(can_construct(Board(state), player) for player in (0, 1))


def can_construct(board: Board, player: int) -> bool:
    if ship_constructions(board, player):
        return True
    seen: set[Square] = set()
    todo = [board.trucks[player]]
    while todo:
        square = todo.pop()
        if square not in seen:
            seen.add(square)
            board.trucks[player] = square
            if truck_constructions(board, player):
                return True
            todo += board.truck_moves(player)
    return False


def ship_constructions(board: Board, player: int) -> list[int]:
    """The allowed constructions of the ship."""
    found, near = [], neighbours(board.ships[player])
    for p, (kind, squares) in enumerate(LAND_PIECES):
        if not board.pieces[player][kind] or not set(squares) & set(near):
            continue
        if any(square in board.land or square in board.ships for square in squares):
            continue
        after = copy.deepcopy(board)
        after.land |= set(squares)
        for j, square in enumerate(sorted(squares)):
            if after.buildable(player, square) and after.ship_moves(player):
                found.append(3 + 3 * p + j)
    if board.ship_moves(player):
        found += [879 + number(square) for square in sorted(near) if board.buildable(player, square)]
    for b, squares in bridges_near(near):
        if board.bridge_lies(player, squares) and with_bridge(board, player, squares).ship_moves(player):
            found.append(943 + b)
    return found


def truck_constructions(board: Board, player: int) -> list[int]:
    """The allowed constructions of the truck."""
    found, near = [], neighbours(board.trucks[player])
    for square in sorted(near):
        if board.buildable(player, square):
            after = copy.deepcopy(board)
            after.buildings[player].add(square)
            if after.truck_moves(player):
                found.append(1039 + number(square))
    for b, squares in bridges_near(near):
        if board.bridge_lies(player, squares) and with_bridge(board, player, squares).truck_moves(player):
            found.append(1103 + b)
    return found


def bare_truck_move(board: Board, player: int) -> list[int]:
    """The choice to construct nothing, if the truck can move."""
    return [1199] if board.truck_moves(player) else []


def bridges_near(near: list[Square]) -> list[tuple[int, list[Square]]]:
    return [(b, line) for b, line in enumerate(LINES_OF_THREE) if line[0] in near or line[2] in near]


def with_bridge(board: Board, player: int, squares: list[Square]) -> Board:
    after = copy.deepcopy(board)
    after.bridges[player] = squares
    return after


def neighbours(square: Square) -> list[Square]:
    return [plus(square, direction) for direction in ORTHOGONAL if on_board(plus(square, direction))]


def plus(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def on_board(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def number(square: Square) -> int:
    return 8 * square[0] + square[1]


def square_of(index: Any) -> Square | None:
    return divmod(int(index), 8) if index >= 0 else None


def set_of(bits: Any) -> set[Square]:
    return {square for square in SQUARES if int(bits) >> number(square) & 1}
