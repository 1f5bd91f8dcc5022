"""Pictures of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence

import drawsvg
from nakajima_zoo.envs.core.drawing import Grid, sheet, write
from nakajima_zoo.envs.core.types import Record

from .notation import PLAYERS
from .rules import NUM_ACTIONS, SIZE


def draw(state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position."""
    drawing, grid = sheet(), Grid(SIZE, 160)
    grid.draw_edge(drawing, "#dddddd")
    for square in range(NUM_ACTIONS):
        for player, letter in enumerate(PLAYERS):
            if state.marks[player] >> square & 1:
                write(drawing, letter, *grid.centre(square), 60, "#222222")
    return drawing
