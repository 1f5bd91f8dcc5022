"""What the pictures of all games share. Needs the extra `render`.

A picture is 800 x 600: the board on the left, and beside it the caption (who is to do what, or how the game ended) and
a panel for each player. What the last turn has changed is marked in yellow.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import drawsvg

from .record import ILLEGAL_ACTION, NOBODY, RESIGNED, RUNNING, TERMINATED
from .squares import file_letters
from .types import Record

WIDTH, HEIGHT = 800, 600
PAPER, INK, FAINT = "#f7f4ec", "#2c3136", "#8b8f92"
NEW = "#ffb400"  # marks what the last turn has changed
BORDER = 3  # how much wider than the mark itself the dark line under it is
HEAD = 13  # length of the head of an arrow
UNSEEN = {"fill": "white", "fill_opacity": 0}  # of a shape that can be pointed at, and nothing else

SIDE_LEFT, SIDE_WIDTH, SIDE_BOTTOM = 576, 208, 570  # what is beside the board
MARGIN = 16  # from a panel's edge to what is in it
CAPTION_TOP, PANEL_TOP, PANEL_HEIGHT = 50, 136, 208
PANEL_TOPS = PANEL_TOP, SIDE_BOTTOM - PANEL_HEIGHT  # of player 0 and 1, where the panels are PANEL_HEIGHT high

Point = tuple[float, float]


class Sides(NamedTuple):
    """Names and colours of the players, each by player."""

    names: tuple[str, str]
    colours: tuple[str, str]
    dark: tuple[str, str]
    pale: tuple[str, str]


RED_AND_BLUE = Sides(("Red", "Blue"), ("#d8402f", "#2b62b5"), ("#8c1f14", "#173a72"), ("#fbe4df", "#dfe9f8"))
_, COLOURS, DARK, PALE = RED_AND_BLUE


def sheet() -> drawsvg.Drawing:
    """An empty picture, which says where its side begins, for pages that show board and side apart."""
    drawing = drawsvg.Drawing(WIDTH, HEIGHT, font_family="Roboto, sans-serif", data_side=SIDE_LEFT - 8)
    drawing.append(drawsvg.Rectangle(0, 0, WIDTH, HEIGHT, fill=PAPER))
    return drawing


def write(
    drawing: Any, text: str, x: float, y: float, size: float, colour: str, bold: bool = False, anchor: str = "middle"
) -> None:
    """Text with its base line at y."""
    weight = "bold" if bold else "normal"
    drawing.append(drawsvg.Text(text, size, x, y, fill=colour, font_weight=weight, text_anchor=anchor))


# Beside the board


def caption(
    drawing: Any,
    state: Record,
    waiting: Mapping[int, str],
    ended: Mapping[int, str],
    note: str = "",
    sides: Sides = RED_AND_BLUE,
) -> None:
    """Who is to do what, or how the game ended; the turns played; and a note.

    `waiting` has words for each decision, `ended` for each reason but ILLEGAL_ACTION.
    """
    x, y = SIDE_LEFT + SIDE_WIDTH / 2, CAPTION_TOP
    first, colour = headline(state, sides)
    second = waiting[int(state.decision)] if state.status == RUNNING else why(state, ended)
    write(drawing, first, x, y, 30, colour, bold=True)
    write(drawing, second, x, y + 26, 19, INK)
    write(drawing, f"turns played: {int(state.turns)}", x, y + 50, 16, FAINT)
    if note:
        write(drawing, note, x, y + 72, 16, FAINT)


def headline(state: Record, sides: Sides) -> tuple[str, str]:
    """The first line of the caption, and its colour."""
    if state.status == RUNNING:
        return sides.names[state.player], sides.colours[state.player]
    if state.winner != NOBODY:
        return f"{sides.names[state.winner]} wins", sides.colours[state.winner]
    return "Draw" if state.status == TERMINATED else "Cut off", INK


def why(state: Record, ended: Mapping[int, str]) -> str:
    """The reason for the end."""
    if state.reason == RESIGNED:
        return "by resignation"
    return "after an illegal action" if state.reason == ILLEGAL_ACTION else ended[int(state.reason)]


def frame(drawing: Any, top: float, height: float, fill: str, stroke: str, thick: bool = False) -> None:
    """A box beside the board."""
    style = {"fill": fill, "stroke": stroke, "stroke_width": 4 if thick else 1.5}
    drawing.append(drawsvg.Rectangle(SIDE_LEFT, top, SIDE_WIDTH, height, rx=10, **style))


def panel(
    drawing: Any,
    state: Record,
    player: int,
    top: float,
    unit: str,
    height: float = PANEL_HEIGHT,
    sides: Sides = RED_AND_BLUE,
) -> None:
    """The frame for what a player has, with name and score, counted in `unit`; thick if the player is to act."""
    colour, right = sides.dark[player], SIDE_LEFT + SIDE_WIDTH - MARGIN
    frame(drawing, top, height, sides.pale[player], sides.colours[player], thick=state.player == player)
    write(drawing, sides.names[player], SIDE_LEFT + MARGIN, top + 36, 24, colour, bold=True, anchor="start")
    score = str(int(state.scores[player])).replace("-", "\N{MINUS SIGN}")
    write(drawing, score, right, top + 37, 31, colour, bold=True, anchor="end")
    write(drawing, unit, right - 17.8 * len(score) - 7, top + 37, 16, colour, anchor="end")


# Boards of squares


def coordinates(drawing: Any, files: Sequence[Point], ranks: Sequence[Point]) -> None:
    """The letters of the files from the left, and the numbers of the ranks from the top, centred on these points."""
    for letter, (x, y) in zip(file_letters(len(files)), files, strict=True):
        write(drawing, letter, x, y + 6, 19, FAINT)
    for row, (x, y) in enumerate(ranks):
        write(drawing, str(len(ranks) - row), x, y + 6, 19, FAINT)


class Grid(NamedTuple):
    """A board of squares that are numbered row by row from the top left, seen from above."""

    size: int
    square: float
    left: float = 36
    top: float = 30

    def corner(self, square: int) -> Point:
        """The top left corner of a square."""
        return self.left + self.square * (square % self.size), self.top + self.square * (square // self.size)

    def centre(self, square: int) -> Point:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + self.square / 2, y + self.square / 2

    def draw_edge(self, drawing: Any, colour: str) -> None:
        """A rim around all squares, with the names of files and ranks."""
        width = self.square * self.size
        drawing.append(drawsvg.Rectangle(self.left - 4, self.top - 4, width + 8, width + 8, rx=6, fill=colour))
        files = [(self.centre(column)[0], self.top + width + 20) for column in range(self.size)]
        ranks = [(self.left - 18, self.centre(self.size * row)[1]) for row in range(self.size)]
        coordinates(drawing, files, ranks)

    def draw_outline(self, drawing: Any, squares: Collection[int], colour: str, width: float = 5, **style: Any) -> None:
        """A line around a set of squares; nothing if it is empty."""
        path = drawsvg.Path(fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", **style)
        inside = {divmod(square, self.size) for square in squares}
        for row, column in sorted(inside):
            x, y = self.corner(self.size * row + column)
            if (row - 1, column) not in inside:
                path.M(x, y).h(self.square)
            if (row + 1, column) not in inside:
                path.M(x, y + self.square).h(self.square)
            if (row, column - 1) not in inside:
                path.M(x, y).v(self.square)
            if (row, column + 1) not in inside:
                path.M(x + self.square, y).v(self.square)
        if inside:
            drawing.append(path)


# Marks of what is new


def ring(drawing: Any, centre: Point, radius: float) -> None:
    """A yellow ring."""
    for colour, width in ((INK, 5 + BORDER), (NEW, 5)):
        drawing.append(drawsvg.Circle(*centre, radius, fill="none", stroke=colour, stroke_width=width))


def arrow(drawing: Any, start: Point, end: Point, before: float = 0, behind: float = 0) -> None:
    """A yellow arrow that begins `behind` the start and stops `before` the end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    dx, dy = dx / length, dy / length
    tip = end[0] - before * dx, end[1] - before * dy
    path = drawsvg.Path().M(start[0] + behind * dx, start[1] + behind * dy)
    curved_arrow(drawing, path.L(tip[0] - HEAD * dx, tip[1] - HEAD * dy), tip, (dx, dy))


def curved_arrow(drawing: Any, path: drawsvg.Path, tip: Point, direction: Point) -> None:
    """A yellow arrow along `path`, which ends HEAD behind `tip`; `direction` is that of the tip, of length 1."""
    (x, y), (dx, dy) = tip, direction
    base, side = (x - HEAD * dx, y - HEAD * dy), (-8 * dy, 8 * dx)
    head = [x, y, base[0] + side[0], base[1] + side[1], base[0] - side[0], base[1] - side[1]]
    for colour, extra in ((INK, BORDER), (NEW, 0)):
        line = {"fill": "none", "stroke": colour, "stroke_width": 5 + extra}
        drawing.append(drawsvg.Path(path.args["d"], **line))
        rim = {"stroke": colour, "stroke_width": extra, "stroke_linejoin": "round"}
        drawing.append(drawsvg.Lines(*head, close=True, fill=colour, **rim))
