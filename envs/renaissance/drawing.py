"""A picture of a position of Renaissance: the board, what was just done on it, and what each player holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import drawsvg
import numpy as np

from ..core.drawing import (
    INK,
    MARGIN,
    NEW,
    PANEL_HEIGHT,
    PANEL_TOP,
    SIDE_BOTTOM,
    SIDE_LEFT,
    SIDE_WIDTH,
    UNSEEN,
    Grid,
    Point,
    Sides,
    arrow,
    caption,
    frame,
    panel,
    ring,
    sheet,
    write,
)
from ..core.record import RUNNING
from ..core.squares import members
from ..core.types import Integers, Record
from . import board
from .board import CENTRE, NONE, NUM_SQUARES, PLACEMENTS, SIZE
from .notation import LINE_NAMES, PLAYERS, SQUARE_NAMES

Corner = Callable[[int], Point]  # left and top of each square

CELL = 73
GRID = Grid(SIZE, CELL)
POOL_HEIGHT, LOW_PANEL_HEIGHT = 126, 142  # while polyominoes lie beside the board
MINI = {PANEL_HEIGHT: 14, LOW_PANEL_HEIGHT: 11}  # square of a polyomino in a hand, by the height of its panel
END = 24  # thickness of what is pointed at to push a marker in
GAP = 7  # between polyominoes in a hand
INSET = 5  # from a polyomino's outline to the edge of its squares

SILVER_AND_GOLD = Sides(("Silver", "Gold"), ("#77838f", "#c38a0c"), ("#48525d", "#77500a"), ("#e9edf1", "#fcf0cd"))
GROUND, LINE, CLOSED = "#fffdf7", "#d9ccb4", "#4a3f33"
BARRED = "#7b5ea7"
FILLS = {  # of each kind: inside and outline
    "D": ("#f0b8a0", "#b5583a"),
    "I3": ("#f2d28b", "#a97b1c"),
    "V3": ("#cfdc9a", "#76842a"),
    "I4": ("#a8d5ba", "#3b7f5a"),
    "O4": ("#a9d3e0", "#32758d"),
    "T4": ("#b5c3ea", "#475da6"),
    "L4": ("#d3b9e6", "#7a4d9c"),
    "S4": ("#efb7cb", "#a6446b"),
}
METALS = (("#ffffff", "#a3abb5", "#5f6873"), ("#fff3b8", "#e0a823", "#8a5f0c"))  # light, full, outline
WAITING = {
    board.ARRANGE: "to lay a polyomino",
    board.TAKE_OFF: "to take a polyomino off",
    board.PLACE_MARKER: "to place a marker",
    board.PREPARE: "to prepare",
    board.RELOCATE: "to lay a polyomino",
    board.MOVE_MARKER: "to move a marker",
    board.PICK: "to pick a polyomino",
}
ENDED = {board.SCORE: "by score", board.EQUAL: "equal scores"}
RING = CELL * 0.36  # radius of the ring around a marker
INWARDS = ((1, 0), (0, -1), (-1, 0), (0, 1))  # row and column step of a push from each edge


def draw(state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position; `before` and `actions`: the state before the last turn, and what was played since."""
    drawing = sheet()
    draw_board(drawing)
    for placement in placements_on(state):
        lying = drawsvg.Group(data_piece=f"lay:{placement}")
        draw_polyomino(lying, PLACEMENTS[placement], kind_name(placement), GRID.corner, CELL)
        drawing.append(lying)
    draw_ghosts(drawing, state, before)
    for player in range(2):
        for square in members(state.monominoes[player]):
            draw_monomino(named(drawing, f"monomino:{player}:{square}"), square, player)
        for square in members(state.markers[player]):
            draw_marker(named(drawing, f"marker:{player}:{square}"), square, player)
    for action in staged(actions):
        draw_action(drawing, state, action)
    if state.protected != NONE:
        GRID.draw_outline(drawing, PLACEMENTS[state.protected], BARRED, 4, stroke_dasharray="2 8")
    caption(drawing, state, WAITING, ENDED, stage(state), SILVER_AND_GOLD)
    draw_holdings(drawing, state)
    if state.decision == board.PLACE_MARKER and state.status == RUNNING:
        draw_ends(drawing)
    return drawing


def named(drawing: drawsvg.Drawing, piece: str) -> drawsvg.Group:
    """A group for a piece that can move from picture to picture."""
    group = drawsvg.Group(data_piece=piece)
    drawing.append(group)
    return group


# What is where


def placements_on(state: Record) -> list[int]:
    """The polyominoes on the board."""
    return np.unique(state.cover[state.cover != NONE]).tolist()


def kind_name(placement: int) -> str:
    """`L4`."""
    return board.KINDS[board.KIND[placement]]


def staged(actions: Iterable[int]) -> list[int]:
    """The actions, joint ones as their two halves."""
    parts = []
    for action in actions:
        if action >= board.FIRST_JOINT:
            placement, move = divmod(action - board.FIRST_JOINT, board.NUM_MOVES)
            parts += [placement, board.FIRST_MOVE + move]
        else:
            parts.append(int(action))
    return parts


def phase(state: Record) -> str:
    """`Arrangement`, `Phase 1`, `Draft` or `Phase 2`."""
    if state.status != RUNNING:
        return "Phase 1" if state.variant == board.PHASE_1 else "Phase 2"
    if state.decision == board.TAKE_OFF or state.taken_off != NONE:
        return "Adjustment"
    names = {board.ARRANGE: "Arrangement", board.PLACE_MARKER: "Phase 1", board.PICK: "Draft"}
    return names.get(int(state.decision), "Phase 2")


def stage(state: Record) -> str:
    """The phase; in an adjustment also which one it is."""
    name = phase(state)
    return f"{name} {state.adjustments + 1} of {state.max_adjustments}" if name == "Adjustment" else name


# Pieces


def metal(x: float, y: float, radius: float, player: int) -> drawsvg.RadialGradient:
    """Silver or gold that shines from the upper left."""
    light, full, _ = METALS[player]
    gradient = drawsvg.RadialGradient(x - radius / 3, y - radius / 3, radius * 1.4)
    gradient.add_stop(0, light)
    gradient.add_stop(1, full)
    return gradient


def draw_marker(drawing: Any, square: int, player: int) -> None:
    """A round marker."""
    (x, y), radius, rim = GRID.centre(square), CELL * 0.29, METALS[player][2]
    fill = metal(x, y, radius, player)
    drawing.append(drawsvg.Circle(x, y, radius, fill=fill, stroke=rim, stroke_width=2.3))
    drawing.append(drawsvg.Circle(x, y, radius * 0.66, fill="none", stroke=rim, stroke_width=1.2, opacity=0.6))


def draw_monomino(drawing: Any, square: int, player: int) -> None:
    """A square block in the colour of its owner."""
    (x, y), (centre_x, centre_y) = GRID.corner(square), GRID.centre(square)
    style = {"fill": metal(centre_x, centre_y, CELL / 2, player), "stroke": METALS[player][2], "stroke_width": 2.5}
    drawing.append(drawsvg.Rectangle(x + INSET, y + INSET, CELL - 2 * INSET, CELL - 2 * INSET, rx=6, **style))


def outline(squares: Sequence[int], corner: Corner, cell: float, **style: Any) -> drawsvg.Path:
    """All squares of a polyomino as one path: a box on each, and one over each pair or block that belongs together."""
    inset, path = INSET * cell / CELL, drawsvg.Path(**style)
    for square in squares:
        for width, height in ((1, 1), (2, 1), (1, 2), (2, 2)):
            block = {square + SIZE * row + column for row in range(height) for column in range(width)}
            if block <= set(squares) and square % SIZE + width <= SIZE:
                x, y = corner(square)
                path.M(x + inset, y + inset).h(width * cell - 2 * inset).v(height * cell - 2 * inset)
                path.h(2 * inset - width * cell).Z()
    return path


def draw_polyomino(drawing: Any, squares: Sequence[int], kind: str, corner: Corner, cell: float) -> None:
    """A polyomino; `corner(square)` gives left and top of its squares."""
    fill, stroke = FILLS[kind]
    style = {"stroke": stroke, "stroke_width": max(2, cell / 12), "stroke_linejoin": "round"}
    drawing.append(outline(squares, corner, cell, fill=stroke, **style))
    drawing.append(outline(squares, corner, cell, fill=fill))


# The board


def draw_board(drawing: drawsvg.Drawing) -> None:
    """The empty board with the names of files and ranks."""
    GRID.draw_edge(drawing, CLOSED)
    for square in range(NUM_SQUARES):
        fill = CLOSED if square == CENTRE else GROUND
        style = {"fill": fill, "stroke": LINE, "stroke_width": 1}
        name = f"square:{SQUARE_NAMES[square]}"
        drawing.append(drawsvg.Rectangle(*GRID.corner(square), CELL, CELL, data_thing=name, **style))


def draw_ends(drawing: drawsvg.Drawing) -> None:
    """The outer ends of files and ranks, from where markers are pushed in: to be pointed at, and not to be seen."""
    for line, name in enumerate(LINE_NAMES):
        down, right = INWARDS[line // SIZE]
        x, y = GRID.centre(int(board.PUSH_LINE[line, 0]))
        x, y = x - right * (CELL + END) / 2, y - down * (CELL + END) / 2
        width, height = (END, CELL - 8) if right else (CELL - 8, END)
        box = x - width / 2, y - height / 2, width, height
        drawing.append(drawsvg.Rectangle(*box, rx=5, data_thing=f"edge:{name.replace(' ', ':')}", **UNSEEN))


def draw_ghosts(drawing: drawsvg.Drawing, state: Record, before: Record | None) -> None:
    """Polyominoes that have just left the board, or that were taken off in this turn."""
    for placement in vanished(state, before):
        draw_ghost(drawing, placement)
    if state.taken_off != NONE:
        draw_ghost(drawing, int(state.taken_off))


def vanished(state: Record, before: Record | None) -> list[int]:
    """The polyominoes taken in Phase 1 since `before`; none where the board was cleared since."""
    if before is None or before.decision != board.PLACE_MARKER or phase(state) != "Phase 1":
        return []
    return sorted(set(placements_on(before)) - set(placements_on(state)))


def draw_ghost(drawing: drawsvg.Drawing, placement: int) -> None:
    """Where a polyomino was: pale and dashed."""
    fill = FILLS[kind_name(placement)][0]
    drawing.append(outline(PLACEMENTS[placement], GRID.corner, CELL, fill=fill, opacity=0.35))
    GRID.draw_outline(drawing, PLACEMENTS[placement], NEW, 4, stroke_dasharray="8 8")


# What was just done


def draw_action(drawing: drawsvg.Drawing, state: Record, action: int) -> None:
    """Mark what an action of the staged form has done; nothing where the board was cleared since."""
    markers = members(board.BOARD) if phase(state) == "Phase 1" else members(state.markers[0] | state.markers[1])
    if action < board.FIRST_MARKER:
        if action in placements_on(state):
            draw_new(drawing, action)
    elif action < board.FIRST_MONOMINO:
        if action - board.FIRST_MARKER in markers:
            ring(drawing, GRID.centre(action - board.FIRST_MARKER), RING)
    elif action < board.FIRST_PUSH:
        ring(drawing, GRID.centre(action - board.FIRST_MONOMINO), CELL * 0.44)
    elif action < board.FIRST_TAKE_OFF:
        if phase(state) == "Phase 1":
            draw_push(drawing, action - board.FIRST_PUSH)
    elif board.FIRST_MOVE <= action < board.FIRST_PICK:
        draw_move(drawing, action - board.FIRST_MOVE)


def draw_new(drawing: drawsvg.Drawing, placement: int) -> None:
    """Outline the polyomino that was just laid."""
    for colour, width in ((INK, 8), (NEW, 5)):
        GRID.draw_outline(drawing, PLACEMENTS[placement], colour, width)


def draw_push(drawing: drawsvg.Drawing, line: int) -> None:
    """An arrow from outside the board onto the square where the marker came in, and a ring around it."""
    down, right = INWARDS[line // SIZE]
    x, y = GRID.centre(int(board.PUSH_LINE[line, 0]))
    arrow(drawing, (x - right * CELL * 0.84, y - down * CELL * 0.84), (x, y), before=RING)
    ring(drawing, (x, y), RING)


def draw_move(drawing: drawsvg.Drawing, move: int) -> None:
    """An arrow from where the marker was to where it is."""
    target = int(board.KING_STEP[move // 8, move % 8])
    start, end = GRID.centre(move // 8), GRID.centre(target)
    ring(drawing, start, 8)
    arrow(drawing, start, end, before=RING, behind=8)
    ring(drawing, end, RING)


# What the players hold


def draw_holdings(drawing: drawsvg.Drawing, state: Record) -> None:
    """A panel for each player, and one for the pool between them while there is one."""
    height = LOW_PANEL_HEIGHT if state.pool.any() else PANEL_HEIGHT
    draw_holding(drawing, state, 0, PANEL_TOP, height)
    draw_holding(drawing, state, 1, SIDE_BOTTOM - height, height)
    if state.pool.any():
        top = (PANEL_TOP + SIDE_BOTTOM - POOL_HEIGHT) / 2
        frame(drawing, top, POOL_HEIGHT, GROUND, LINE)
        words = "left to pick" if phase(state) == "Draft" else "left to lay"
        write(drawing, words, SIDE_LEFT + MARGIN, top + 24, 16, INK, anchor="start")
        draw_hand(drawing, "pool", state.pool, top + 36, MINI[height])


def draw_holding(drawing: drawsvg.Drawing, state: Record, player: int, top: int, height: int) -> None:
    """Name, score, polyominoes and markers in supply of a player."""
    panel(drawing, state, player, top, "score", height, SILVER_AND_GOLD)
    draw_hand(drawing, PLAYERS[player], state.hands[player], top + 50, MINI[height])
    for line, words in enumerate(reversed(account(state, player))):
        y = top + height - 13 - 19 * line
        kind = next((kind for kind in ("marker", "monomino") if kind in words), "")
        group = drawsvg.Group(**({"data_thing": f"piece:{PLAYERS[player]}:{kind}"} if kind else {}))
        write(group, words, SIDE_LEFT + MARGIN, y, 15, SILVER_AND_GOLD.dark[player], anchor="start")
        drawing.append(group)


def account(state: Record, player: int) -> list[str]:
    """What a player has left to place, or how his score comes about."""
    markers, squares = int(state.supply[player]), int((state.hands[player] * board.AREA).sum())
    left = [f"{markers} marker{'s' if markers > 1 else ''} left"] if markers else []
    if state.status == RUNNING and state.decision == board.PREPARE and state.monominoes[player] == 0:
        left.append("1 monomino left")
    if left or phase(state) not in ("Phase 2", "Draft"):
        return left
    points = [f"{state.points[player]} points"] if state.variant == board.FULL else []
    return [*points, f"{squares} squares in hand"]


def draw_hand(drawing: drawsvg.Drawing, owner: str, hand: Integers, top: float, mini: int) -> None:
    """Polyominoes of `owner`, a player or the pool, side by side, in lines; `mini` is the side of their squares."""
    left = SIDE_LEFT + MARGIN
    x, y, tallest = left, top, 0
    for kind, name in enumerate(board.KINDS):
        squares = PLACEMENTS[board.FIRST_OF_KIND[kind]]
        width, height = (1 + max(numbers) for numbers in zip(*(divmod(s, SIZE)[::-1] for s in squares), strict=True))
        for _ in range(hand[kind]):
            if x + width * mini > SIDE_LEFT + SIDE_WIDTH - GAP:
                x, y, tallest = left, y + tallest * mini + GAP, 0
            piece = drawsvg.Group(data_thing=f"piece:{owner}:{name}")
            draw_polyomino(piece, squares, name, mini_corner(x, y, mini), mini)
            drawing.append(piece)
            x, tallest = x + width * mini + GAP, max(tallest, height)


def mini_corner(left: float, top: float, mini: int) -> Corner:
    """A function that tells left and top of a square of a polyomino drawn small."""
    return lambda square: (left + square % SIZE * mini, top + square // SIZE * mini)
