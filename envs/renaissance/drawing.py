"""A picture of a position of Renaissance: the board, what was just done on it, and what each player holds."""

from collections.abc import Iterable, Sequence
from typing import Any

import drawsvg
import numpy as np

from ..core.record import NOBODY, RUNNING
from . import board
from .board import CENTRE, NONE, NUM_SQUARES, PLACEMENTS, SIZE

WIDTH, HEIGHT = 800, 600
CELL = 72
LEFT, TOP = 42, 58  # of the board
PANEL = LEFT + SIZE * CELL + 36  # left edge of what the players hold
PANEL_WIDTH = WIDTH - PANEL - 14
MINI = {2: 16, 3: 13}  # square of a polyomino in a hand, by the number of cards
INSET = 5  # from a polyomino's outline to the edge of its squares

PAPER, INK, FAINT = "#f6efe2", "#3d3226", "#8d7f6b"
SQUARE, GRID, CLOSED = "#fffaf0", "#d9ccb4", "#4a3f33"
ACCENT, BARRED = "#c2185b", "#7b5ea7"
COLORS = {  # of each kind: inside and outline
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
NAMES = ("Silver", "Gold")
WORDS = {
    "arrange": "lays a polyomino",
    "take_off": "takes a polyomino off",
    "place_marker": "places or pushes in a marker",
    "prepare": "places a marker or the monomino",
    "relocate": "places a polyomino",
    "move_marker": "moves a marker",
    "pick": "picks a polyomino",
}
INWARDS = ((1, 0), (0, -1), (-1, 0), (0, 1))  # row and column step of a push from each edge


def draw(state: Any, before: Any = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position; `before` and `actions`: the state before the last turn, and what was played since."""
    picture = drawsvg.Drawing(WIDTH, HEIGHT)
    picture.append(drawsvg.Rectangle(0, 0, WIDTH, HEIGHT, fill=PAPER))
    draw_title(picture, state)
    draw_board(picture)
    for placement in placements_on(state):
        draw_polyomino(picture, PLACEMENTS[placement], kind_name(placement), square_corner, CELL)
    draw_ghosts(picture, state, before)
    for player in range(2):
        for square in squares_of(state.monominoes[player]):
            draw_monomino(picture, square, player)
        for square in squares_of(state.markers[player]):
            draw_marker(picture, *middle(square), CELL * 0.29, player)
    for action in staged(actions):
        draw_action(picture, state, action)
    draw_panel(picture, state)
    return picture


# What is where


def square_corner(square: int) -> tuple[float, float]:
    """Left and top of a square of the board."""
    return LEFT + square % SIZE * CELL, TOP + square // SIZE * CELL


def middle(square: int) -> tuple[float, float]:
    """The middle of a square of the board."""
    x, y = square_corner(square)
    return x + CELL / 2, y + CELL / 2


def squares_of(squares: int) -> list[int]:
    """The squares of a set."""
    return [square for square in range(NUM_SQUARES) if int(squares) >> square & 1]


def placements_on(state: Any) -> list[int]:
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


def phase(state: Any) -> str:
    """`Arrangement`, `Phase 1`, `Draft` or `Phase 2`."""
    if state.status != RUNNING:
        return "Phase 1" if state.variant == board.PHASE_1 else "Phase 2"
    if state.decision == board.TAKE_OFF or state.taken_off != NONE:
        return "Adjustment"
    names = {board.ARRANGE: "Arrangement", board.PLACE_MARKER: "Phase 1", board.PICK: "Draft"}
    return names.get(int(state.decision), "Phase 2")


# Pieces


def metal(x: float, y: float, radius: float, player: int) -> drawsvg.RadialGradient:
    """Silver or gold that shines from the upper left."""
    light, full, _ = METALS[player]
    gradient = drawsvg.RadialGradient(x - radius / 3, y - radius / 3, radius * 1.4)
    gradient.add_stop(0, light)
    gradient.add_stop(1, full)
    return gradient


def draw_marker(picture: drawsvg.Drawing, x: float, y: float, radius: float, player: int, **style: Any) -> None:
    """A round marker."""
    width = max(1, radius / 9)
    fill = metal(x, y, radius, player)
    picture.append(drawsvg.Circle(x, y, radius, fill=fill, stroke=METALS[player][2], stroke_width=width, **style))
    picture.append(
        drawsvg.Circle(x, y, radius * 0.66, fill="none", stroke=METALS[player][2], stroke_width=width / 2, opacity=0.6)
    )


def draw_monomino(picture: drawsvg.Drawing, square: int, player: int) -> None:
    """A square block in the colour of its owner."""
    (x, y), (center_x, center_y) = square_corner(square), middle(square)
    style = {"fill": metal(center_x, center_y, CELL / 2, player), "stroke": METALS[player][2], "stroke_width": 2.5}
    picture.append(drawsvg.Rectangle(x + INSET, y + INSET, CELL - 2 * INSET, CELL - 2 * INSET, rx=6, **style))


def outline(squares: Sequence[int], corner: Any, cell: float, **style: Any) -> drawsvg.Path:
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


def draw_polyomino(picture: drawsvg.Drawing, squares: Sequence[int], kind: str, corner: Any, cell: float) -> None:
    """A polyomino; `corner(square)` gives left and top of its squares."""
    fill, stroke = COLORS[kind]
    style = {"stroke": stroke, "stroke_width": max(2, cell / 12), "stroke_linejoin": "round"}
    picture.append(outline(squares, corner, cell, fill=stroke, **style))
    picture.append(outline(squares, corner, cell, fill=fill))


def text(x: float, y: float, words: Any, size: float, **style: Any) -> drawsvg.Text:
    """A line of text."""
    return drawsvg.Text(str(words), size, x, y, **{"fill": INK, "font_family": "Roboto, sans-serif", **style})


# The board


def draw_board(picture: drawsvg.Drawing) -> None:
    """The empty board with the names of files and ranks."""
    picture.append(drawsvg.Rectangle(LEFT - 4, TOP - 4, SIZE * CELL + 8, SIZE * CELL + 8, rx=6, fill=CLOSED))
    for square in range(NUM_SQUARES):
        x, y = square_corner(square)
        fill = CLOSED if square == CENTRE else SQUARE
        picture.append(drawsvg.Rectangle(x, y, CELL, CELL, fill=fill, stroke=GRID, stroke_width=1))
    for k in range(SIZE):
        across, down = middle(k)[0], middle(SIZE * k)[1]
        picture.append(text(across, TOP + SIZE * CELL + 24, "abcdefg"[k], 16, text_anchor="middle", fill=FAINT))
        picture.append(text(LEFT - 20, down + 6, SIZE - k, 16, text_anchor="middle", fill=FAINT))


def draw_ghosts(picture: drawsvg.Drawing, state: Any, before: Any) -> None:
    """Polyominoes that have just left the board, that may not be taken off, or that were taken off in this turn."""
    for placement in vanished(state, before):
        draw_ghost(picture, placement)
    if state.taken_off != NONE:
        draw_ghost(picture, int(state.taken_off))
    if state.protected != NONE:
        picture.append(hull(int(state.protected), BARRED, stroke_dasharray="2 8"))


def vanished(state: Any, before: Any) -> list[int]:
    """The polyominoes taken in Phase 1 since `before`; none where the board was cleared since."""
    if before is None or before.decision != board.PLACE_MARKER or phase(state) != "Phase 1":
        return []
    return sorted(set(placements_on(before)) - set(placements_on(state)))


def draw_ghost(picture: drawsvg.Drawing, placement: int) -> None:
    """Where a polyomino was: pale and dashed."""
    fill = COLORS[kind_name(placement)][0]
    picture.append(outline(PLACEMENTS[placement], square_corner, CELL, fill=fill, opacity=0.35))
    picture.append(hull(placement, ACCENT, stroke_dasharray="8 8"))


def hull(placement: int, color: str, **style: Any) -> drawsvg.Path:
    """The line around a polyomino on the board."""
    path = drawsvg.Path(fill="none", stroke=color, stroke_width=4, stroke_linecap="round", **style)
    squares = PLACEMENTS[placement]
    for square in squares:
        x, y = square_corner(square)
        if square - SIZE not in squares:
            path.M(x, y).h(CELL)
        if square + SIZE not in squares:
            path.M(x, y + CELL).h(CELL)
        if square - 1 not in squares or square % SIZE == 0:
            path.M(x, y).v(CELL)
        if square + 1 not in squares or square % SIZE == SIZE - 1:
            path.M(x + CELL, y).v(CELL)
    return path


# What was just done


def draw_action(picture: drawsvg.Drawing, state: Any, action: int) -> None:
    """Mark what an action of the staged form has done; nothing where the board was cleared since."""
    markers = squares_of(board.BOARD) if phase(state) == "Phase 1" else squares_of(state.markers[0] | state.markers[1])
    if action < board.FIRST_MARKER:
        if action in placements_on(state):
            picture.append(hull(action, ACCENT))
    elif action < board.FIRST_MONOMINO:
        if action - board.FIRST_MARKER in markers:
            draw_ring(picture, action - board.FIRST_MARKER)
    elif action < board.FIRST_PUSH:
        draw_ring(picture, action - board.FIRST_MONOMINO, CELL * 0.44)
    elif action < board.FIRST_TAKE_OFF:
        if phase(state) == "Phase 1":
            draw_push(picture, action - board.FIRST_PUSH)
    elif board.FIRST_MOVE <= action < board.FIRST_PICK:
        draw_move(picture, action - board.FIRST_MOVE)


def draw_ring(picture: drawsvg.Drawing, square: int, radius: float = CELL * 0.36) -> None:
    """A ring around what was just placed."""
    picture.append(drawsvg.Circle(*middle(square), radius, fill="none", stroke=ACCENT, stroke_width=4))


def draw_push(picture: drawsvg.Drawing, line: int) -> None:
    """An arrow from outside the board onto the square where the marker came in, and a ring around it."""
    down, right = INWARDS[line // SIZE]
    square = int(board.PUSH_LINE[line, 0])
    x, y = middle(square)
    far, near = CELL * 0.82, CELL * 0.5
    draw_arrow(picture, (x - right * far, y - down * far), (x - right * near, y - down * near))
    draw_ring(picture, square)


def draw_move(picture: drawsvg.Drawing, move: int) -> None:
    """An arrow from where the marker was to where it is."""
    target = int(board.KING_STEP[move // 8, move % 8])
    start, end = np.array(middle(move // 8)), np.array(middle(target))
    along = (end - start) / np.hypot(*(end - start))
    dashed = {"fill": "none", "stroke": ACCENT, "stroke_width": 2, "stroke_dasharray": "5 4"}
    picture.append(drawsvg.Circle(*start, CELL * 0.29, **dashed))
    draw_arrow(picture, tuple(start), tuple(end - along * CELL * 0.5))
    draw_ring(picture, target)


def draw_arrow(picture: drawsvg.Drawing, start: tuple[float, float], end: tuple[float, float]) -> None:
    """An arrow."""
    head = drawsvg.Marker(-0.1, -0.5, 0.9, 0.5, scale=4, orient="auto")
    head.append(drawsvg.Lines(-0.1, 0.5, -0.1, -0.5, 0.9, 0, fill=ACCENT, close=True))
    picture.append(drawsvg.Line(*start, *end, stroke=ACCENT, stroke_width=4, marker_end=head))


# What the players hold


def draw_title(picture: drawsvg.Drawing, state: Any) -> None:
    """Who is to do what, or who has won, and the phase."""
    if state.status == RUNNING:
        words = f"{NAMES[state.player]} {WORDS[board.DECISIONS[state.decision]]}"
    else:
        words = "A draw" if state.winner == NOBODY else f"{NAMES[state.winner]} wins"
    picture.append(text(LEFT - 4, 36, words, 24, font_weight="bold"))
    where = phase(state)
    if where == "Adjustment":
        where += f" {state.adjustments + 1} of at most {state.max_adjustments}"
    picture.append(text(WIDTH - 14, 36, where, 17, text_anchor="end", fill=FAINT))


def draw_panel(picture: drawsvg.Drawing, state: Any) -> None:
    """A card for each player, and one for the pool between them while there is one."""
    space, gap, pool = SIZE * CELL + 8, 12, 176
    cards = 3 if state.pool.any() else 2
    height = (space - 2 * gap - pool) / 2 if cards == 3 else (space - gap) / 2
    draw_card(picture, state, TOP - 4, height, 0, MINI[cards])
    draw_card(picture, state, TOP - 4 + space - height, height, 1, MINI[cards])
    if cards == 3:
        top = TOP - 4 + height + gap
        draw_frame(picture, top, pool, GRID)
        picture.append(text(PANEL + 12, top + 26, "Left to " + ("pick" if phase(state) == "Draft" else "lay"), 17))
        draw_hand(picture, state.pool, PANEL + 12, top + 40, MINI[cards])


def draw_frame(picture: drawsvg.Drawing, top: float, height: float, color: str) -> None:
    """The frame of a card."""
    width = 1 if color == GRID else 3
    picture.append(
        drawsvg.Rectangle(PANEL, top, PANEL_WIDTH, height, rx=8, fill=SQUARE, stroke=color, stroke_width=width)
    )


def draw_card(picture: drawsvg.Drawing, state: Any, top: float, height: float, player: int, mini: int) -> None:
    """Name, score, markers in supply and polyominoes of a player; framed when he is to act."""
    draw_frame(picture, top, height, ACCENT if state.player == player else GRID)
    draw_marker(picture, PANEL + 24, top + 26, 12, player)
    picture.append(text(PANEL + 44, top + 25, NAMES[player], 19, font_weight="bold"))
    picture.append(text(PANEL + 44, top + 41, f"player_{player}", 12, fill=FAINT))
    score = str(state.scores[player]).replace("-", "\N{MINUS SIGN}")
    picture.append(text(WIDTH - 26, top + 38, score, 32, font_weight="bold", text_anchor="end"))
    draw_hand(picture, state.hands[player], PANEL + 12, top + 56, mini)
    picture.append(text(PANEL + 12, top + height - 12, account(state, player), 13, fill=FAINT))


def account(state: Any, player: int) -> str:
    """What a player has left to place, or how his score comes about."""
    left = int(state.supply[player])
    parts = [f"{left} marker{'s' if left > 1 else ''}"] if left else []
    if state.status == RUNNING and state.decision == board.PREPARE and state.monominoes[player] == 0:
        parts.append("1 monomino")
    if parts:
        return " and ".join(parts) + " left"
    squares = int((state.hands[player] * board.AREA).sum())
    if phase(state) == "Phase 2" and state.variant == board.FULL:
        return f"{state.points[player]} points \N{MINUS SIGN} {squares} squares in hand"
    return f"{squares} squares in hand" if phase(state) in ("Phase 2", "Draft") else ""


def draw_hand(picture: drawsvg.Drawing, hand: Any, left: float, top: float, mini: int) -> None:
    """Polyominoes side by side, in lines; `mini` is the side of their squares."""
    x, y, tallest = left, top, 0
    for kind, name in enumerate(board.KINDS):
        squares = PLACEMENTS[board.FIRST_OF_KIND[kind]]
        width, height = (1 + max(numbers) for numbers in zip(*(divmod(s, SIZE)[::-1] for s in squares), strict=True))
        for _ in range(hand[kind]):
            if x + width * mini > PANEL + PANEL_WIDTH - 8:
                x, y, tallest = left, y + tallest * mini + 8, 0
            draw_polyomino(picture, squares, name, mini_corner(x, y, mini), mini)
            x, tallest = x + width * mini + 8, max(tallest, height)


def mini_corner(left: float, top: float, mini: int) -> Any:
    """A function that tells left and top of a square of a polyomino drawn small."""
    return lambda square: (left + square % SIZE * mini, top + square // SIZE * mini)
