"""Text of Scalas: squares are named as in chess, files a, b, ... from the left, ranks 1, 2, ... from the bottom.

A position prints as its first line and a board of towers, each as its top and height: `r` red (player 0), `b` blue
(player 1), `.` empty, `*` after a gap that waits to be filled.

    red to fill_gap; turns 8; scores 4 2; hands 20 21
    5  .    .    r2   .*   r2
    4  .    .    .*   .    .
    3  .    .    r2   .    .
    2  .    b1   .    .    r1
    1  .    .    .    .    b1
       a    b    c    d    e
"""

from __future__ import annotations

import re

from ..core.record import NOBODY
from ..core.squares import file_letters, square_name, square_names
from ..core.text import expect, expect_files, first_line, parse_first_line, parse_safely
from ..core.types import Record
from . import rules
from .position import places_of

PLAYERS = ("red", "blue")
LETTERS = "rb"
TOWER = re.compile(r"(?:\.|(?P<top>[rb])(?P<height>[1-9]\d?))(?P<gap>\*?)")


def action_to_text(state: Record, action: int) -> str:
    """The square's name, such as `c3`."""
    return square_name(action, state.heights.shape[0])


def text_to_action(state: Record, text: str) -> int:
    """The square called `text`. Raises ValueError if the board has none."""
    size = state.heights.shape[0]
    names = square_names(size)
    name = text.strip().lower()
    expect(name in names, f"{text!r} is no square; expected a1 to {square_name(size - 1, size)}")
    return names.index(name)


def state_to_text(state: Record) -> str:
    """The position, in lines."""
    size = state.heights.shape[0]
    lines = [first_line(state, PLAYERS, rules, ["hands"])]
    for row in range(size):
        towers = "".join(f"{tower_to_text(state, row, column):5}" for column in range(size))
        lines.append(f"{size - row}  {towers}".rstrip())
    lines.append("   " + "    ".join(file_letters(size)))
    return "\n".join(lines)


def tower_to_text(state: Record, row: int, column: int) -> str:
    """`.`, or top and height such as `r3`; `*` behind it marks a gap."""
    top = state.tops[row, column]
    tower = "." if top == NOBODY else f"{LETTERS[top]}{state.heights[row, column]}"
    return tower + "*" * has_gap(state, row, column)


def has_gap(state: Record, row: int, column: int) -> bool:
    """Whether a gap waits on the square."""
    return bool(int(state.gaps) >> row * len(state.heights) + column & 1)


def text_to_state(text: str, state: Record) -> None:
    """Fill `state` from the text of a position, in place. Raises ValueError and leaves `state` as it was."""
    parse_safely(parse_position, text, state)


def parse_position(lines: list[str], state: Record) -> None:
    """Fill `state` from lines, in place."""
    size = state.heights.shape[0]
    expect(len(lines) == size + 2, f"{len(lines)} lines; expected {size + 2}: the first line, {size} rows, the files")
    state.gaps = 0
    parse_first_line(lines[0], state, PLAYERS, rules, ["hands"])
    expect_files(lines[-1], size)
    for row in range(size):
        rank, *towers = lines[row + 1].split()
        expect(
            rank == str(size - row) and len(towers) == size,
            f"row {lines[row + 1]!r}; expected {size - row} and {size} towers",
        )
        for column, tower in enumerate(towers):
            parse_tower(tower, state, row, column)
    rules.find_levels(state)
    state.places = places_of(state)


def parse_tower(text: str, state: Record, row: int, column: int) -> None:
    """Fill one square from its text, in place."""
    match = TOWER.fullmatch(text)
    if match is None:
        raise ValueError(f"tower {text!r}; expected '.', or r or b and a height, with '*' behind it for a gap")
    state.tops[row, column] = LETTERS.index(match["top"]) if match["top"] else NOBODY
    height, highest = int(match["height"] or 0), rules.MAX_HEIGHT[len(state.heights)]
    expect(height <= highest, f"a tower higher than {highest}")  # before a kernel sees it
    state.heights[row, column] = height
    if match["gap"]:
        state.gaps |= 1 << row * len(state.heights) + column
