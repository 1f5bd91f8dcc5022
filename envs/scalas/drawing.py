"""A picture of a position of Scalas: the towers seen from the front and above, and what each player has in hand.

The record knows the colour of the top cube alone, so the cubes below it are drawn in wood.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import drawsvg

from ..core.drawing import (
    COLOURS,
    DARK,
    FAINT,
    INK,
    MARGIN,
    NEW,
    PANEL_TOPS,
    SIDE_LEFT,
    SIDE_WIDTH,
    UNSEEN,
    Point,
    caption,
    coordinates,
    panel,
    sheet,
    write,
)
from ..core.record import NOBODY
from ..core.squares import square_name
from ..core.types import Record
from . import rules
from .notation import has_gap

LEFT, BOTTOM, BOARD_WIDTH = 46, 556, 494
DEPTH, SHEAR = 0.86, 0.16  # of a square: how far the next rank is up and to the right, as a share of a square's width
INSET = 0.07  # between a cube and the edge of its square
CUBE = 0.3  # a cube's height as a share of a square's width, where no tower hides the number of another
HIDDEN = 0.55  # the share of a top face that towers in front may hide

BOARD, EDGE, LINE = "#e6dcc3", "#b9a67c", "#cdbf9c"
WOOD, WOOD_SIDE, GRAIN = "#e2c48f", "#c29f63", "#8f6f3a"
LIGHT = "#e4604f", "#4a80d0"  # top faces, by player
WAITING = {rules.PLACE: "to place a cube", rules.FILL_GAP: "to choose a gap"}
ENDED = {
    rules.TOPS: "by tops",
    rules.TOWERS: "tops equal, by towers",
    rules.EQUAL: "tops and towers equal",
}


def draw(state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position. `before` is the state before the last turn, `actions` what was played since: marked in yellow."""
    drawing = sheet()
    size = len(state.heights)
    landed = state.heights != (before if before is not None and len(actions) else state).heights
    view = View(state)
    draw_board(drawing, view)
    for row in range(size):  # from the back
        for column in range(size):
            draw_tower(drawing, view, state, row, column, bool(landed[row, column]))
    caption(drawing, state, WAITING, ENDED)
    for player in (0, 1):
        draw_hand(drawing, state, player)
    return drawing


class View:
    """Where a point of the board is in the picture: columns to the right, rows to the front, cubes upwards."""

    def __init__(self, state: Record) -> None:
        self.heights = state.heights.tolist()
        self.size = len(self.heights)
        self.square = BOARD_WIDTH / (self.size * (1 + SHEAR))
        self.share = cube_height(self.heights)
        self.cube = self.share * self.square

    def point(self, row: float, column: float, height: float = 0) -> Point:
        """Of the point `row` and `column` squares from the far left corner and `height` cubes up."""
        back = self.size - row
        x = LEFT + self.square * (column + SHEAR * back)
        return x, BOTTOM - 26 - self.square * DEPTH * back - self.cube * height

    def face(self, *corners: tuple[float, float, float]) -> list[float]:
        """The coordinates of a polygon."""
        return [coordinate for corner in corners for coordinate in self.point(*corner)]

    def hidden(self, row: int, column: int) -> float:
        """The share of a square's top face that towers in front of it hide, from the near edge."""
        height = self.heights[row][column]
        rises = [(self.heights[front][column] - height, front - row - 1) for front in range(row + 1, self.size)]
        return max([0, *(rise * self.share / DEPTH - between for rise, between in rises)])


def cube_height(heights: list[list[int]]) -> float:
    """The share of a square's width that lets every top face be seen, and the towers end below the picture's edge."""
    size, share = len(heights), CUBE
    for row in range(size):
        for column in range(size):
            for behind in range(row):
                rise = heights[row][column] - heights[behind][column]
                if rise > 0:
                    share = min(share, DEPTH * (row - behind - 1 + HIDDEN) / rise)
    room = (BOTTOM - 40) / BOARD_WIDTH * size * (1 + SHEAR)  # from the board's near edge to the top, in squares
    for row in range(size):
        share = min(share, (room - DEPTH * (size - row)) / max(1, *heights[row]))
    return share


def draw_board(drawing: drawsvg.Drawing, view: View) -> None:
    """The empty squares with files and ranks."""
    size, margin, thickness = view.size, 0.12, 14
    near, far = size + margin, -margin
    corners = [view.point(far, far), view.point(far, near), view.point(near, near), view.point(near, far)]
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    style = {"stroke": EDGE, "stroke_width": 2, "stroke_linejoin": "round"}
    shape = [x1, y1, x2, y2, x2, y2 + thickness, x3, y3 + thickness, x4, y4 + thickness, x4, y4]
    drawing.append(drawsvg.Lines(*shape, close=True, fill=EDGE, **style))
    drawing.append(drawsvg.Lines(x1, y1, x2, y2, x3, y3, x4, y4, close=True, fill=BOARD, **style))
    for i in range(size + 1):
        for start, end in (((i, 0), (i, size)), ((0, i), (size, i))):
            drawing.append(drawsvg.Line(*view.point(*start), *view.point(*end), stroke=LINE, stroke_width=1.5))
    files = [(view.point(size, column + 0.5)[0], BOTTOM + 14) for column in range(size)]
    ranks = [view.point(row + 0.5, -margin) for row in range(size)]
    coordinates(drawing, files, [(x - 16, y) for x, y in ranks])


def draw_tower(drawing: drawsvg.Drawing, view: View, state: Record, row: int, column: int, landed: bool) -> None:
    """The cubes on a square, its height on top; yellow where the last turn landed, a dashed cube where a gap waits."""
    top, height = int(state.tops[row, column]), int(state.heights[row, column])
    for level in range(height):
        cube = drawsvg.Group(data_piece=f"cube:{row}:{column}:{level}")
        draw_cube(cube, view, row, column, level, top if level == height - 1 else NOBODY)
        drawing.append(cube)
    x, y = view.point(row + (1 - view.hidden(row, column)) / 2, column + 0.5, height)  # the middle of what is seen
    if landed:
        outline = top_face(view, row, column, height, INSET + 0.04)
        drawing.append(drawsvg.Lines(*outline, close=True, fill="none", stroke=NEW, stroke_width=5))
    if has_gap(state, row, column):
        draw_gap(drawing, view, row, column, height)
        colour = "white" if height else INK
        write(drawing, f"{height} + 1", x, y + 0.1 * view.square, 0.28 * view.square, colour, bold=True)
    elif height:
        write(drawing, str(height), x, y + 0.13 * view.square, 0.38 * view.square, "white", bold=True)
    seen = top_face(view, row, column, height, INSET, view.hidden(row, column))
    name = square_name(view.size * row + column, view.size)
    drawing.append(drawsvg.Lines(*seen, close=True, data_thing=f"square:{name}", **UNSEEN))


def top_face(view: View, row: int, column: int, height: float, inset: float, hidden: float = 0) -> list[float]:
    """The outline of the square, `height` cubes up and `inset` squares from its edge, without the share `hidden`."""
    left, right, far, near = column + inset, column + 1 - inset, row + inset, row + 1 - max(inset, hidden)
    return view.face((far, left, height), (far, right, height), (near, right, height), (near, left, height))


def draw_cube(drawing: Any, view: View, row: int, column: int, level: int, top: int) -> None:
    """A cube that stands `level` cubes up: of wood, or in the colour of the player `top`."""
    wood = top == NOBODY
    roof, front, side, line = (
        (WOOD, WOOD, WOOD_SIDE, GRAIN) if wood else (LIGHT[top], COLOURS[top], DARK[top], DARK[top])
    )
    left, right, far, near = column + INSET, column + 1 - INSET, row + INSET, row + 1 - INSET
    style = {"close": True, "stroke": line, "stroke_width": 1, "stroke_linejoin": "round"}
    low, high = level, level + 1
    for colour, corners in (
        (side, ((near, right, low), (far, right, low), (far, right, high), (near, right, high))),
        (front, ((near, left, low), (near, right, low), (near, right, high), (near, left, high))),
    ):
        drawing.append(drawsvg.Lines(*view.face(*corners), fill=colour, **style))
    drawing.append(drawsvg.Lines(*top_face(view, row, column, high, INSET), fill=roof, **style))


def draw_gap(drawing: drawsvg.Drawing, view: View, row: int, column: int, height: int) -> None:
    """A dashed outline on top of the square."""
    outline = top_face(view, row, column, height, INSET + 0.04)
    for colour, dashes in ((INK, "none"), ("white", "7 7")):
        style = {"stroke": colour, "stroke_width": 5, "stroke_dasharray": dashes, "fill": "none"}
        drawing.append(drawsvg.Lines(*outline, close=True, **style))


def draw_hand(drawing: drawsvg.Drawing, state: Record, player: int) -> None:
    """Tops and cubes in hand of a player; a cube that he has played is only outlined."""
    x, y, size = SIDE_LEFT, PANEL_TOPS[player], len(state.heights)
    panel(drawing, state, player, y, "tops")
    hand, cell = int(state.hands[player]), 118 / size
    for i in range(size * size):
        style = {"fill": COLOURS[player], "stroke": DARK[player]} if i < hand else {"fill": "none", "stroke": FAINT}
        corner = x + MARGIN + cell * (i % size), y + 62 + cell * (i // size)
        drawing.append(drawsvg.Rectangle(*corner, cell - 4, cell - 4, rx=2, stroke_width=1, **style))
    write(drawing, str(hand), x + SIDE_WIDTH - 36, y + 128, 26, DARK[player], bold=True)
    write(drawing, "in hand", x + SIDE_WIDTH - 36, y + 148, 15, DARK[player])
