"""What the pictures of all games share: colours, text, caption, the players' panels. Needs the extra `render`."""

from collections.abc import Mapping
from typing import Any

import drawsvg

from .record import NOBODY, RUNNING

NAMES = "Red", "Blue"
COLOURS, DARK, PALE = ("#d8402f", "#2b62b5"), ("#8c1f14", "#173a72"), ("#fbe4df", "#dfe9f8")  # by player
PAPER, INK, FAINT = "#f7f4ec", "#2c3136", "#8b8f92"
NEW = "#ffb400"  # marks what the last turn has changed


def sheet(width: float, height: float) -> drawsvg.Drawing:
    """An empty picture."""
    drawing = drawsvg.Drawing(width, height, font_family="sans-serif")
    drawing.append(drawsvg.Rectangle(0, 0, width, height, fill=PAPER))
    return drawing


def write(
    drawing: Any, text: str, x: float, y: float, size: float, colour: str, bold: bool = False, anchor: str = "middle"
) -> None:
    """Text with its base line at y."""
    weight = "bold" if bold else "normal"
    drawing.append(drawsvg.Text(text, size, x, y, fill=colour, font_weight=weight, text_anchor=anchor))


def caption(drawing: Any, state: Any, waiting: Mapping[int, str], ended: Mapping[int, str], x: float, y: float) -> None:
    """Who is to do what, or how the game ended, centred on x, 52 high from its first base line y.

    `waiting` has words for each decision, `ended` for each reason.
    """
    if state.status == RUNNING:
        player = int(state.player)
        first, second, colour = NAMES[player], waiting[int(state.decision)], COLOURS[player]
    else:
        first, second, colour = "Draw", ended[int(state.reason)], INK
        if state.winner != NOBODY:
            first, colour = f"{NAMES[state.winner]} wins", COLOURS[state.winner]
    write(drawing, first, x, y, 30, colour, bold=True)
    write(drawing, second, x, y + 26, 19, INK)
    write(drawing, f"turns played: {int(state.turns)}", x, y + 52, 16, FAINT)


def panel(drawing: Any, state: Any, player: int, x: float, y: float, width: float, height: float) -> None:
    """The frame for what a player has, with name and score; the frame of the player to act is thick."""
    thickness = 4 if state.player == player else 1.5
    style = {"fill": PALE[player], "stroke": COLOURS[player], "stroke_width": thickness}
    drawing.append(drawsvg.Rectangle(x, y, width, height, rx=10, **style))
    write(drawing, NAMES[player], x + 16, y + 34, 24, DARK[player], bold=True, anchor="start")
    score = str(int(state.scores[player]))
    write(drawing, score, x + width - 16, y + 38, 34, DARK[player], bold=True, anchor="end")
