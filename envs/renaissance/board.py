"""What all stages of Renaissance share: the board, the polyominoes, the numbers of the actions, small kernels on them.

Squares are numbered row by row from the top left. The centre, 24, is closed to everything:

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13
    14 15 16 17 18 19 20
    21 22 23  # 25 26 27
    28 29 30 31 32 33 34
    35 36 37 38 39 40 41
    42 43 44 45 46 47 48

A set of squares is an int64: bit `s` is square `s`. A polyomino on the board is the index of its placement, which tells
its kind and its squares. All tables are int64, so that they mix with sets and actions compiled and uncompiled alike.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.record import NOBODY, TERMINATED, end_game, leader
from ..core.squares import moved, neighbours, set_of
from ..core.types import Integers, Mask, Record, Squares

SIZE = 7
NUM_SQUARES = SIZE * SIZE
CENTRE = NUM_SQUARES // 2
NONE = -1  # no square, no placement, no kind, no action

SILVER, GOLD = 0, 1  # the players

SHAPES = {  # one drawing of each kind; rotated and flipped in `orientations`
    "D": ("XX",),
    "I3": ("XXX",),
    "V3": ("XX", "X."),
    "I4": ("XXXX",),
    "O4": ("XX", "XX"),
    "T4": ("XXX", ".X."),
    "L4": ("XXX", "X.."),
    "S4": ("XX.", ".XX"),
}
KINDS = tuple(SHAPES)
NUM_KINDS = len(KINDS)
D, I3, V3, I4, O4, T4, L4, S4 = range(NUM_KINDS)
COPIES = np.array([4, 2, 2, 1, 1, 1, 1, 1], dtype=np.int64)  # polyominoes of each kind
AREA = np.array([2, 3, 3, 4, 4, 4, 4, 4], dtype=np.int64)  # squares of each kind
NUM_POLYOMINOES = 13


def orientations(drawing: Iterable[str]) -> set[tuple[tuple[int, int], ...]]:
    """The shape rotated and flipped in all ways: a set of sorted tuples of (row, column), each starting at 0, 0."""
    cells = [(row, column) for row, line in enumerate(drawing) for column, cell in enumerate(line) if cell == "X"]
    found = set()
    for turn in range(8):
        if turn == 4:
            cells = [(row, -column) for row, column in cells]
        cells = [(column, -row) for row, column in cells]
        top, left = (min(axis) for axis in zip(*cells, strict=True))
        found.add(tuple(sorted((row - top, column - left) for row, column in cells)))
    return found


def placements(drawing: Iterable[str]) -> list[tuple[int, ...]]:
    """All placements of the shape: sorted list of ascending tuples of squares; none covers the centre."""
    found = []
    for cells in orientations(drawing):
        height, width = (max(axis) + 1 for axis in zip(*cells, strict=True))
        for top in range(SIZE - height + 1):
            for left in range(SIZE - width + 1):
                squares = tuple((top + row) * SIZE + left + column for row, column in cells)
                if CENTRE not in squares:
                    found.append(squares)
    return sorted(found)


PLACEMENTS = tuple(squares for drawing in SHAPES.values() for squares in placements(drawing))
KIND = np.array([k for k, drawing in enumerate(SHAPES.values()) for _ in placements(drawing)], dtype=np.int64)
FIRST_OF_KIND = np.searchsorted(KIND, np.arange(NUM_KINDS + 1)).astype(np.int64)
SQUARES = np.array([set_of(squares) for squares in PLACEMENTS], dtype=np.int64)
LOWEST = np.array([squares[0] for squares in PLACEMENTS], dtype=np.int64)
NUM_PLACEMENTS = len(PLACEMENTS)

# The numbering of the actions. A placement is its own index.
FIRST_MARKER = NUM_PLACEMENTS  # + square: place a marker
FIRST_MONOMINO = FIRST_MARKER + NUM_SQUARES  # + square: place the monomino
FIRST_PUSH = FIRST_MONOMINO + NUM_SQUARES  # + 7 * edge + row or column: push in
FIRST_TAKE_OFF = FIRST_PUSH + 4 * SIZE  # + lowest square: take the polyomino off
FIRST_MOVE = FIRST_TAKE_OFF + NUM_SQUARES  # + 8 * square + direction: move the marker on a square
FIRST_PICK = FIRST_MOVE + 8 * NUM_SQUARES  # + kind: pick a polyomino
NUM_STAGED = FIRST_JOINT = FIRST_PICK + NUM_KINDS  # + 392 * placement + 8 * square + direction: a relocation turn
NUM_MOVES = 8 * NUM_SQUARES
MAX_MOVES = 6 * 8  # the markers on the board in the relocation, times their directions
NUM_JOINT = FIRST_JOINT + NUM_MOVES * NUM_PLACEMENTS

DECISIONS = ("arrange", "take_off", "place_marker", "prepare", "relocate", "move_marker", "pick")
ARRANGE, TAKE_OFF, PLACE_MARKER, PREPARE, RELOCATE, MOVE_MARKER, PICK = range(7)
REASONS = ("illegal_action", "score", "equal")
SCORE, EQUAL = 1, 2  # the winner has the higher score; the scores are equal

VARIANTS = ("full", "phase1", "phase2")
FULL, PHASE_1, PHASE_2 = range(3)
BY = ("players", "random")  # who arranges, and who shares out, the polyominoes
PLAYERS, RANDOM = range(2)

MAX_POINTS = 41  # of Phase 1: 13 polyominoes and every hand
MARKERS = 24  # of each player in Phase 1
MARKERS_PHASE_2 = 3  # of each player in Phase 2
ROUNDS = 7  # of the draft, each begun with a coin

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
EDGES = ("top", "right", "bottom", "left")

BOARD = set_of(range(NUM_SQUARES)) & ~(1 << CENTRE)


def king_steps() -> NDArray[np.int64]:
    """int64 (49, 8): the square one king step away in each direction; NONE at the centre and off the board."""
    steps = np.full((NUM_SQUARES, 8), NONE, dtype=np.int64)
    for square in range(NUM_SQUARES):
        for direction, (down, right) in enumerate(STEPS):
            row, column = square // SIZE + down, square % SIZE + right
            if row in range(SIZE) and column in range(SIZE) and row * SIZE + column != CENTRE:
                steps[square, direction] = row * SIZE + column
    return steps


def push_lines() -> NDArray[np.int64]:
    """int64 (28, 7): the squares that a push from each edge runs over, up to the centre; NONE behind it."""
    board = np.arange(NUM_SQUARES).reshape(SIZE, SIZE)
    lines = np.concatenate([board.T, board[:, ::-1], board.T[:, ::-1], board]).astype(np.int64)
    for line in lines:
        if CENTRE in line:
            line[SIZE // 2 :] = NONE
    return lines


KING_STEP = king_steps()
MOVE_TARGET = np.array([0 if to == NONE else 1 << int(to) for to in KING_STEP.flat], dtype=np.int64)  # as sets
PUSH_LINE = push_lines()
PUSH_SQUARES = np.array([set_of(line[line != NONE]) for line in PUSH_LINE], dtype=np.int64)
CORE = set_of(CENTRE + down * SIZE + right for down, right in STEPS)  # the 8 squares around the centre


@kernel
def beside(squares: Squares) -> Squares:
    """The squares of the board edge-adjacent to one of `squares`."""
    return neighbours(squares, SIZE) & BOARD


@kernel
def diagonal_to(squares: Squares) -> Squares:
    """The squares of the board diagonally adjacent to one of `squares`."""
    _, _, right, left = moved(squares, SIZE)
    sideways = right | left
    return (sideways << SIZE | sideways >> SIZE) & BOARD


@kernel
def all_markers(state: Record) -> Squares:
    """The squares that hold a marker."""
    return state.markers[0] | state.markers[1]


@kernel
def free_squares(state: Record) -> Squares:
    """The squares that hold nothing; in Phase 1, markers lie on polyominoes."""
    return BOARD & ~(state.covered | all_markers(state) | state.monominoes[0] | state.monominoes[1])


@kernel
def clear_board(state: Record) -> None:
    """Take everything off the board, in place."""
    for square in range(NUM_SQUARES):
        state.cover[square] = NONE
    state.covered = 0
    for player in range(2):
        state.markers[player] = 0
        state.monominoes[player] = 0


@kernel
def lay(state: Record, placement: int) -> None:
    """Lay a polyomino on the board, in place."""
    state.covered |= SQUARES[placement]
    for square in range(NUM_SQUARES):
        if SQUARES[placement] >> square & 1:
            state.cover[square] = placement


@kernel
def lift(state: Record, placement: int) -> None:
    """Take a polyomino off the board, in place."""
    state.covered &= ~SQUARES[placement]
    for square in range(NUM_SQUARES):
        if SQUARES[placement] >> square & 1:
            state.cover[square] = NONE


@kernel
def fill_pool(state: Record) -> None:
    """Put all 13 polyominoes into the pool, in place."""
    for kind in range(NUM_KINDS):
        state.pool[kind] = COPIES[kind]


@kernel
def kinds_in(hand: Integers) -> int:
    """The kinds that a hand, or the pool, int8 (8,), holds: bit k is kind k."""
    kinds = 0
    for kind in range(NUM_KINDS):
        if hand[kind] > 0:
            kinds |= 1 << kind
    return kinds


@kernel
def fits(placement: int, free: Squares, near: Squares) -> bool:
    """Whether the placement lies on squares of `free` and covers one of `near`."""
    return SQUARES[placement] & ~free == 0 and SQUARES[placement] & near != 0


@kernel
def mark_fitting(kinds: int, free: Squares, near: Squares, mask: Mask) -> None:
    """Set, in `mask`, the placements of `kinds` that lie on squares of `free` and cover one of `near`."""
    for kind in range(NUM_KINDS):
        if kinds >> kind & 1:
            for placement in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
                mask[placement] = fits(placement, free, near)


@kernel
def some_fit(kinds: int, free: Squares, near: Squares) -> bool:
    """Whether `mark_fitting` would set any."""
    for kind in range(NUM_KINDS):
        if kinds >> kind & 1:
            for placement in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
                if fits(placement, free, near):
                    return True
    return False


@kernel
def num_in(hand: Integers) -> int:
    """How many polyominoes a hand, or the pool, int8 (8,), holds."""
    count = 0
    for kind in range(NUM_KINDS):
        count += hand[kind]
    return count


@kernel
def end_by_score(state: Record) -> None:
    """End the game, in place: the higher score wins."""
    winner = leader(state.scores)
    end_game(state, TERMINATED, winner, EQUAL if winner == NOBODY else SCORE)
