"""A second opinion on what is legal in Scalas: slow, plain Python on a dict of heights, after docs/scalas.md.

Reads the fields of a record and shares no code with the kernels.
"""

from __future__ import annotations

from typing import Any

Square = tuple[int, int]


def legal_actions(state: Any) -> list[int]:
    """The ascending legal actions of the player to act; none when the game is over."""
    if state.player not in (0, 1):
        return []
    size = len(state.heights)
    heights = {(row, column): int(state.heights[row][column]) for row in range(size) for column in range(size)}
    index = {square: square[0] * size + square[1] for square in heights}
    if state.decision == 1:
        return sorted(s for s in index.values() if int(state.gaps) // 2**s % 2 == 1)
    alone = state.hands[1 - state.player] == 0
    return sorted(index[square] for square in heights if may_place(heights, square, alone))


def may_place(heights: dict[Square, int], square: Square, alone: bool) -> bool:
    """Rules 1 to 3 of the chosen placement; `alone`: the opponent has no cubes left."""
    if alone and heights[square] == 0:
        return False
    return descends(heights, square) and descends({**heights, square: heights[square] + 1}, square)


def descends(heights: dict[Square, int], start: Square) -> bool:
    """Whether a walk from `start`, each step as high or one lower, arrives at the lowest level."""
    lowest = min(heights.values())
    seen, frontier = {start}, [start]
    while frontier:
        row, column = frontier.pop()
        for square in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if square in heights and square not in seen and heights[row, column] - heights[square] in (0, 1):
                seen.add(square)
                frontier.append(square)
    return any(heights[square] == lowest for square in seen)
