"""Sets of squares as the bits of an int64: bit `s` is square `s`. Squares are numbered row by row from the top left.

On a board of 8 x 8 square 63 is the sign. A shift to the right then smears it; Tsukiji, the one game with such a board,
has steps of its own that cut this off.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

import numpy as np

from .kernel import kernel
from .types import Squares

SIGN = 63
ALL_BUT_SIGN = (1 << SIGN) - 1
LEFT_COLUMN = np.array([sum(1 << row * size for row in range(size)) for size in range(8)], dtype=np.int64)  # by size

# In Python


def set_of(squares: Iterable[int]) -> int:
    """The set of `squares`, as a Python int in the range of int64."""
    bits = sum(1 << int(square) for square in squares)
    return bits - (1 << SIGN + 1) if bits >> SIGN else bits


def members(squares: Squares) -> list[int]:
    """The squares of a set, ascending."""
    return [square for square in range(SIGN + 1) if int(squares) >> square & 1]


def file_letters(size: int) -> str:
    """The letters of the files of a board with `size` columns, from the left."""
    return string.ascii_lowercase[:size]


def square_name(square: int, size: int) -> str:
    """The name of a square as in chess, such as `c3`: file by column from the left, rank by row from the bottom."""
    return f"{file_letters(size)[square % size]}{size - square // size}"


def square_names(size: int) -> tuple[str, ...]:
    """The names of all squares of a board of `size` x `size`, by square."""
    return tuple(square_name(square, size) for square in range(size * size))


# In kernels


@kernel
def popcount(squares: Squares) -> int:
    """How many squares the set has."""
    count = 0
    if squares < 0:
        count, squares = 1, squares & ALL_BUT_SIGN
    while squares:
        squares &= squares - 1
        count += 1
    return count


@kernel
def is_single(squares: Squares) -> bool:
    """Whether the set, which does not hold the sign, has exactly one square."""
    return squares != 0 and squares & (squares - 1) == 0


@kernel
def first_square(squares: Squares) -> int:
    """The first square of a set that is not empty."""
    square = 0
    while squares >> square & 1 == 0:
        square += 1
    return square


@kernel
def moved(squares: Squares, size: int) -> tuple[Squares, Squares, Squares, Squares]:
    """The set moved one step down, up, right and left, `size` below 8; bits outside the board may be set too."""
    first = LEFT_COLUMN[size]
    last = first << (size - 1)
    return squares << size, squares >> size, (squares & ~last) << 1, (squares & ~first) >> 1


@kernel
def neighbours(squares: Squares, size: int) -> Squares:
    """The squares edge-adjacent to one of `squares`, `size` below 8; bits outside the board may be set too."""
    down, up, right, left = moved(squares, size)
    return down | up | right | left


@kernel
def spread(seeds: Squares, within: Squares, size: int) -> Squares:
    """All squares of `within` that are connected to `seeds` by edges inside `within`, `size` below 8."""
    before = 0
    while seeds != before:
        before = seeds
        seeds |= neighbours(seeds, size) & within
    return seeds
