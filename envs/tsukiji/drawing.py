"""A picture of a position of Tsukiji: the board, and beside it what each player has left."""

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
    PALE,
    PANEL_TOPS,
    SIDE_LEFT,
    SIDE_WIDTH,
    Grid,
    arrow,
    caption,
    panel,
    ring,
    sheet,
    write,
)
from ..core.squares import members
from ..core.types import Record, Squares
from . import rules
from .notation import KINDS, PLAYERS, SQUARE_NAMES

SQUARE = 64
GRID = Grid(rules.SIZE, SQUARE)

SEA, WAVE, SHORE = "#8fc3d9", "#a9d3e4", "#4f7f95"
SAND, GRAIN, COAST, PLANK = "#ecd9a8", "#dcc58c", "#a98a4c", "#7a5a34"
WAITING = {
    rules.PLACE_LAND: "to choose a square",
    rules.CONSTRUCT: "to construct",
    rules.MOVE_SHIP: "to move the ship",
    rules.MOVE_TRUCK: "to move the truck",
    rules.TAKE_TURN: "to construct and move",
}
ENDED = {
    rules.POINTS: "by points",
    rules.EQUAL: "equal points",
    rules.TURN_LIMIT: "at the turn limit",
}


def draw(state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position. `before` is the state before the last turn, `actions` what was played since: marked in yellow."""
    drawing = sheet()
    previous = before if before is not None and len(actions) else state
    draw_ground(drawing, state, previous)
    draw_buildings(drawing, state, previous)
    draw_vehicles(drawing, "ship", state.ships.tolist(), draw_ship)
    draw_bridges(drawing, state, previous)
    draw_vehicles(drawing, "truck", state.trucks.tolist(), draw_truck)
    draw_paths(drawing, state, previous)
    draw_values(drawing, state)
    caption(drawing, state, WAITING, ENDED)
    for player in (0, 1):
        draw_supply(drawing, state, player)
    return drawing


# Squares


def near(square: int) -> list[int]:
    """The edge-adjacent squares."""
    return members(rules.EDGE_ADJACENT[square])


def groups(buildings: Squares) -> list[list[int]]:
    """The groups that a set of buildings falls into, each in ascending order."""
    left, found = set(members(buildings)), []
    while left:
        group, todo = set(), [min(left)]
        while todo:
            square = todo.pop()
            if square in left:
                left.remove(square)
                group.add(square)
                todo += near(square)
        found.append(sorted(group))
    return found


# The board


def draw_ground(drawing: drawsvg.Drawing, state: Record, previous: Record) -> None:
    """Sea, land, coast and coordinates; new land is outlined."""
    GRID.draw_edge(drawing, SHORE)
    land = members(state.land)
    for square in range(rules.NUM_SQUARES):
        x, y = GRID.corner(square)
        is_land = square in land
        fill, line = (SAND, GRAIN) if is_land else (SEA, WAVE)
        names = {"data_thing": f"square:{SQUARE_NAMES[square]}"}
        if is_land:
            names["data_piece"] = f"land:{square}"
        drawing.append(drawsvg.Rectangle(x, y, SQUARE, SQUARE, fill=fill, stroke=line, stroke_width=1, **names))
        if not is_land:
            draw_waves(drawing, x, y)
    GRID.draw_outline(drawing, land, COAST, 3)
    GRID.draw_outline(drawing, members(state.land & ~previous.land), NEW)


def draw_waves(drawing: drawsvg.Drawing, x: float, y: float) -> None:
    """Two little waves on a sea square."""
    for dx, dy in ((10, 22), (34, 46)):
        wave = drawsvg.Path(stroke=WAVE, stroke_width=2.5, fill="none", stroke_linecap="round")
        wave.M(x + dx, y + dy).q(5, -6, 10, 0).q(5, 6, 10, 0)
        drawing.append(wave)


def draw_buildings(drawing: drawsvg.Drawing, state: Record, previous: Record) -> None:
    """The buildings, those of a group joined by a road; a new one is ringed."""
    for player in (0, 1):
        squares = members(state.buildings[player])
        for square in squares:
            for other in near(square):
                if other > square and other in squares:
                    (x1, y1), (x2, y2) = GRID.centre(square), GRID.centre(other)
                    drawing.append(drawsvg.Line(x1, y1, x2, y2, stroke=COLOURS[player], stroke_width=14, opacity=0.45))
        for square in squares:
            (x, y), house = GRID.centre(square), drawsvg.Group(data_piece=f"house:{square}")
            if not previous.buildings[player] & rules.SQUARE[square]:
                house.append(drawsvg.Circle(x, y, 28, fill=NEW, fill_opacity=0.45, stroke=NEW, stroke_width=3))
            draw_house(house, x, y, player)
            drawing.append(house)


def draw_house(drawing: Any, x: float, y: float, player: int) -> None:
    """A building, around (x, y)."""
    style = {"stroke": DARK[player], "stroke_width": 2, "stroke_linejoin": "round"}
    drawing.append(drawsvg.Rectangle(x - 14, y - 3, 28, 20, fill=PALE[player], **style))
    drawing.append(drawsvg.Rectangle(x - 4, y + 5, 8, 12, fill=DARK[player]))
    drawing.append(drawsvg.Lines(x - 20, y - 2, x, y - 21, x + 20, y - 2, close=True, fill=COLOURS[player], **style))


def draw_values(drawing: drawsvg.Drawing, state: Record) -> None:
    """What each group of two or more is worth, on its first building."""
    for player in (0, 1):
        for group in groups(state.buildings[player]):
            if len(group) > 1:
                x, y = GRID.corner(group[0])
                drawing.append(drawsvg.Circle(x + 13, y + 13, 11, fill=DARK[player], stroke="white", stroke_width=1.5))
                write(drawing, str(rules.GROUP_POINTS[len(group)]), x + 13, y + 19, 16, "white", bold=True)


def draw_bridges(drawing: drawsvg.Drawing, state: Record, previous: Record) -> None:
    """The bridges, open enough to see what is under them."""
    for player in (0, 1):
        bridge = int(state.bridges[player])
        if bridge == rules.IN_HAND:
            continue
        squares = rules.BRIDGE_SQUARES[bridge].tolist()
        if previous.bridges[player] != bridge:
            GRID.draw_outline(drawing, squares, NEW)
        x, y = GRID.centre(squares[1])
        upright = squares[1] - squares[0] == rules.SIZE
        turned = drawsvg.Group(transform=f"rotate({90 if upright else 0} {x} {y})", data_piece=f"bridge:{player}")
        draw_deck(turned, x, y, 2 * SQUARE + 30, player)
        drawing.append(turned)


def draw_deck(drawing: Any, x: float, y: float, length: float, player: int) -> None:
    """A bridge from left to right around (x, y): planks between two rails."""
    left, right = x - length / 2, x + length / 2
    planks = drawsvg.Path(stroke=PLANK, stroke_width=4, opacity=0.7, fill="none")
    spacing = length / 12
    for i in range(13):
        planks.M(left + spacing * i, y - 18).L(left + spacing * i, y + 18)
    drawing.append(planks)
    for side in (-18, 18):
        for colour, width in (("white", 9), (COLOURS[player], 6)):
            rail = {"stroke": colour, "stroke_width": width, "stroke_linecap": "round"}
            drawing.append(drawsvg.Line(left, y + side, right, y + side, **rail))


# Ships and trucks


def draw_vehicles(drawing: drawsvg.Drawing, kind: str, squares: list[int], draw_one: Any) -> None:
    """The ships or the trucks of both players, where they are on the board."""
    for player, square in enumerate(squares):
        if square != rules.NOWHERE:
            name = f"{kind}:{PLAYERS[player]}"
            vehicle = drawsvg.Group(data_thing=name, data_piece=name)
            draw_one(vehicle, *GRID.centre(square), player)
            drawing.append(vehicle)


def draw_ship(drawing: Any, x: float, y: float, player: int) -> None:
    """A ship, around (x, y)."""
    style = {"stroke": DARK[player], "stroke_width": 2, "stroke_linejoin": "round"}
    drawing.append(drawsvg.Line(x, y - 26, x, y + 6, stroke=DARK[player], stroke_width=3))
    drawing.append(drawsvg.Lines(x + 3, y - 25, x + 21, y + 1, x + 3, y + 1, close=True, fill="white", **style))
    drawing.append(drawsvg.Lines(x - 3, y - 19, x - 17, y + 1, x - 3, y + 1, close=True, fill=PALE[player], **style))
    hull = drawsvg.Path(fill=COLOURS[player], **style)
    hull.M(x - 25, y + 6).L(x + 25, y + 6).Q(x + 21, y + 22, x + 12, y + 22).L(x - 14, y + 22).Q(
        x - 22, y + 20, x - 25, y + 6
    )
    hull.Z()
    drawing.append(hull)


def draw_truck(drawing: Any, x: float, y: float, player: int) -> None:
    """A truck, around (x, y)."""
    style = {"stroke": DARK[player], "stroke_width": 2, "stroke_linejoin": "round"}
    drawing.append(drawsvg.Rectangle(x - 25, y - 15, 31, 26, rx=2, fill=COLOURS[player], **style))
    cab = drawsvg.Path(fill=PALE[player], **style)
    cab.M(x + 6, y - 8).L(x + 17, y - 8).L(x + 25, y + 2).L(x + 25, y + 11).L(x + 6, y + 11).Z()
    drawing.append(cab)
    drawing.append(
        drawsvg.Lines(x + 11, y - 4, x + 16, y - 4, x + 20, y + 2, x + 11, y + 2, close=True, fill=DARK[player])
    )
    for wheel in (-15, 14):
        drawing.append(drawsvg.Circle(x + wheel, y + 13, 7, fill=INK, stroke="white", stroke_width=2))


def draw_paths(drawing: drawsvg.Drawing, state: Record, previous: Record) -> None:
    """An arrow along the last move, with a ring where it starts."""
    for name in ("ships", "trucks"):
        for start, end in zip(previous[name].tolist(), state[name].tolist(), strict=True):
            if start not in (end, rules.NOWHERE):
                ring(drawing, GRID.centre(start), 8)
                arrow(drawing, GRID.centre(start), GRID.centre(end), before=30, behind=8)


# Beside the board


def draw_supply(drawing: drawsvg.Drawing, state: Record, player: int) -> None:
    """What a player has left, and his points; what he has used is only outlined."""
    x, y = SIDE_LEFT, PANEL_TOPS[player]
    panel(drawing, state, player, y, "points")
    straight, bent = state.pieces[player].tolist()
    for i in range(rules.PIECES_OF_A_KIND):
        for kind, left, top, squares, count in (
            (rules.STRAIGHT, MARGIN, 60, [(0, 0), (1, 0), (2, 0)], straight),
            (rules.CORNER, 25, 92, [(0, 0), (0, 1), (1, 1)], bent),
        ):
            piece = drawsvg.Group(**({"data_thing": f"piece:{PLAYERS[player]}:{KINDS[kind]}"} if i < count else {}))
            draw_piece(piece, x + left + 62 * i, y + top, squares, i < count)
            drawing.append(piece)
    names = {"data_thing": f"bridge:{PLAYERS[player]}"} if state.bridges[player] == rules.IN_HAND else {}
    bridge = drawsvg.Group(transform=f"translate({x + SIDE_WIDTH / 2} {y + 172}) scale(0.62)", **names)
    bridge.append(drawsvg.Rectangle(-140, -30, 280, 60, rx=8, fill="none", stroke=FAINT, stroke_dasharray="6 5"))
    if state.bridges[player] == rules.IN_HAND:
        draw_deck(bridge, 0, 0, 240, player)
    drawing.append(bridge)


def draw_piece(drawing: Any, x: float, y: float, squares: list[tuple[int, int]], left: bool) -> None:
    """A land piece of a supply with its top left corner at (x, y)."""
    size = 18
    look = {"fill": SAND, "stroke": COAST} if left else {"fill": "none", "stroke": FAINT, "stroke_dasharray": "2 3"}
    for column, row in squares:
        drawing.append(drawsvg.Rectangle(x + size * column, y + size * row, size, size, stroke_width=1.5, **look))
