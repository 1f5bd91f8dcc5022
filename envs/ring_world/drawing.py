"""A picture of a position of The Ring World.

Red is orange-red and filled, blue has a white core, so that they differ without colour too. What happened last is
marked: in green what the player did, a circle around the ring placed (where the rotation has brought it) and an arrow
inside the ring turned; then a plus on rings that the automaton has given to somebody, a cross on those it has freed.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple

import drawsvg

from ..core.record import RUNNING
from . import rules
from .board import BOARDS, POSITIONS
from .notation import PLAYERS, ROTATIONS, action_to_text

SIZE = 600  # width and height
UNIT = {3: 170.0, 4: 163.0}  # radius of the top ring
DIGITS = 46.0  # distance of the positions' digits from the centre
PAPER, INK, FAINT, ACCENT = "#fbfaf7", "#2b2b2b", "#b5b1a8", "#1a8a5a"
COLOURS = ("", "#d1491b", "#1d63b8")  # by what `owners` holds; safe for the common kinds of colour blindness
TINTS = ("", "#fbe3d6", "#dbe8f8")


class LastTurn(NamedTuple):
    """What a picture marks. Rings as the record numbers them."""

    text: str
    placed: int | None
    """Where the ring placed is now."""
    turned: int | None
    created: list[int]
    """Rings that the automaton has given to a player."""
    freed: dict[int, int]
    """Rings that it has freed, with their former owner."""


NOTHING = LastTurn("", None, None, [], {})


def draw(state: Any, before: Any = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position; `before` and `actions`: the state before the last turn, and what was played since."""
    drawing = drawsvg.Drawing(SIZE, SIZE, font_family="Roboto, Helvetica, Arial, sans-serif")
    drawing.append(drawsvg.Rectangle(0, 0, SIZE, SIZE, fill=PAPER))
    last = last_turn(state, before, actions) if before is not None and len(actions) else NOTHING
    places = ring_places(rules.levels_of(state))
    draw_rings(drawing, state, places)
    draw_marks(drawing, state, places, last)
    draw_positions(drawing)
    draw_captions(drawing, state, last)
    return drawing


def ring_places(levels: int) -> list[tuple[float, float, float]]:
    """Centre and radius of each ring, as the record numbers them, in pixels."""
    board, unit = BOARDS[levels], UNIT[levels]
    return [
        (SIZE / 2 + unit * x, SIZE / 2 + unit * y, unit * board.radii[level])
        for level in range(levels, 0, -1)
        for x, y in board.centres[level].tolist()
    ]


def last_turn(state: Any, before: Any, actions: Sequence[int]) -> LastTurn:
    """What `actions` did to the position `before`, and what the automaton made of it."""
    texts, placed, turned = [], None, None
    for action in actions:
        texts.append(action_to_text(before, action))
        placement, rotation = split(before, action)
        placed = placed if placement is None else placement
        turned = turned if rotation is None else rotation
    owners = before.owners.tolist()
    if placed is not None:
        owners[placed] = 1 << int(before.player)
    moves = {} if turned is None else turn_moves(turned, len(owners))
    moved = owners.copy()
    for origin, target in moves.items():
        moved[target] = owners[origin]
    pairs = list(enumerate(zip(moved, state.owners.tolist(), strict=True)))
    created = [ring for ring, (old, new) in pairs if new not in (old, rules.UNOWNED)]
    freed = {ring: old for ring, (old, new) in pairs if new == rules.UNOWNED != old}
    return LastTurn(" ".join(texts), None if placed is None else moves.get(placed, placed), turned, created, freed)


def split(state: Any, action: int) -> tuple[int | None, int | None]:
    """The ring placed and the ring turned by an action, each None if it has no such part."""
    levels = rules.levels_of(state)
    placements, level_2_rings = BOARDS[levels].counts[1], BOARDS[levels].counts[2]
    if state.joint:
        placement, rotation = divmod(int(action), len(ROTATIONS[levels]))
    else:
        placement, rotation = min(int(action), placements), int(action) - placements
    placed = len(state.owners) - placements + placement if placement < placements else None
    if rotation < 0:
        return placed, None
    if rotation < level_2_rings:
        return placed, int(rules.FIRST[levels - 2]) + rotation
    return placed, int(rules.FIRST[1]) + rotation - level_2_rings


def turn_moves(turned: int, rings: int) -> dict[int, int]:
    """Where each ring inside `turned` goes."""
    child, moves = rules.CHILD.tolist(), {}
    for k in range(POSITIONS):
        here, there = child[turned][k], child[turned][(k + 1) % POSITIONS]
        moves[here] = there
        if here < len(child) and child[here][0] < rings:
            moves.update((child[here][j], child[there][(j + 1) % POSITIONS]) for j in range(POSITIONS))
    return moves


def draw_rings(drawing: drawsvg.Drawing, state: Any, places: list[tuple[float, float, float]]) -> None:
    """All rings: tinted ground of the larger ones, the level-1 rings, and the larger ones' circles on top."""
    owners, level_1 = state.owners.tolist(), len(places) - BOARDS[rules.levels_of(state)].counts[1]
    for ring, (x, y, radius) in enumerate(places):
        if ring >= level_1:
            draw_level_1_ring(drawing, x, y, radius, owners[ring])
        elif owners[ring]:
            drawing.append(drawsvg.Circle(x, y, radius, fill=TINTS[owners[ring]]))
    for ring in range(level_1 - 1, -1, -1):
        draw_circle(drawing, *places[ring], owners[ring])


def draw_level_1_ring(drawing: drawsvg.Drawing, x: float, y: float, radius: float, owner: int) -> None:
    """A disc; blue has a white core."""
    if owner == rules.UNOWNED:
        drawing.append(drawsvg.Circle(x, y, radius - 0.5, fill="white", stroke=FAINT, stroke_width=1))
        return
    drawing.append(drawsvg.Circle(x, y, radius - 0.5, fill=COLOURS[owner], stroke="white", stroke_width=1))
    if owner == 2:
        drawing.append(drawsvg.Circle(x, y, radius * 0.45, fill="white"))


def draw_circle(drawing: drawsvg.Drawing, x: float, y: float, radius: float, owner: int) -> None:
    """The circle of a ring of level 2 or higher; blue is a double line."""
    if owner == rules.UNOWNED:
        drawing.append(drawsvg.Circle(x, y, radius, fill="none", stroke=FAINT, stroke_width=1.2))
        return
    width = 3.5 + radius / 30
    for colour, part in (("white", 1.8), (COLOURS[owner], 1), *([("white", 0.3)] if owner == 2 else [])):
        drawing.append(drawsvg.Circle(x, y, radius, fill="none", stroke=colour, stroke_width=width * part))


def draw_marks(drawing: drawsvg.Drawing, state: Any, places: list[tuple[float, float, float]], last: LastTurn) -> None:
    """What happened last."""
    for ring in last.created:
        x, y, radius = places[ring]
        draw_cross(drawing, x, y, radius, 0, INK)
    for ring, owner in last.freed.items():
        x, y, radius = places[ring]
        draw_cross(drawing, x, y, radius, pi / 4, COLOURS[owner])
    if last.placed is not None:
        x, y, radius = places[last.placed]
        drawing.append(drawsvg.Circle(x, y, radius, fill="none", stroke=ACCENT, stroke_width=3))
    if last.turned is not None:
        draw_arrow(drawing, *places[last.turned])


def draw_cross(drawing: drawsvg.Drawing, x: float, y: float, radius: float, angle: float, colour: str) -> None:
    """A plus, turned by `angle`."""
    arm = min(radius * 0.42, 12)
    for direction in (angle, angle + pi / 2):
        dx, dy = arm * cos(direction), arm * sin(direction)
        drawing.append(drawsvg.Line(x - dx, y - dy, x + dx, y + dy, stroke=colour, stroke_width=arm * 0.5))


def draw_arrow(drawing: drawsvg.Drawing, x: float, y: float, radius: float) -> None:
    """A clockwise arrow inside a ring."""
    reach = radius * 0.5
    path = drawsvg.Path(fill="none", stroke=ACCENT, stroke_width=3)
    path.M(x - reach, y).A(reach, reach, 0, 1, 1, x, y + reach)
    drawing.append(path)
    head = drawsvg.Path(fill=ACCENT)
    drawing.append(head.M(x - 8, y + reach).L(x + 2, y + reach - 7).L(x + 2, y + reach + 7).Z())


def draw_positions(drawing: drawsvg.Drawing) -> None:
    """The digits of the top ring's positions, around the centre, as on a clock."""
    for position in range(POSITIONS):
        angle = position * pi / 4
        x, y = SIZE / 2 + DIGITS * cos(angle), SIZE / 2 + DIGITS * sin(angle)
        digit = drawsvg.Text(str(position), 13, x, y + 4.5, fill=INK, text_anchor="middle", fill_opacity=0.55)
        drawing.append(digit)


def draw_captions(drawing: drawsvg.Drawing, state: Any, last: LastTurn) -> None:
    """Who is to do what, the turn, the scores, and what was played last, in the corners."""
    headline, colour = status(state)
    drawing.append(drawsvg.Text(headline, 17, 14, 26, fill=colour, font_weight="bold"))
    drawing.append(drawsvg.Text(f"turn {state.turns + (state.status == RUNNING)}", 14, 14, 46, fill=INK))
    drawing.append(drawsvg.Text("last turn", 13, 14, SIZE - 34, fill=INK) if last.text else drawsvg.Group())
    drawing.append(drawsvg.Text(last.text, 15, 14, SIZE - 14, fill=INK, font_weight="bold"))
    for player, y in ((0, 26), (1, 46)):
        text = f"{PLAYERS[player]} {state.scores[player]}"
        drawing.append(drawsvg.Text(text, 15, SIZE - 14, y, fill=COLOURS[1 << player], text_anchor="end"))


def status(state: Any) -> tuple[str, str]:
    """The headline and its colour."""
    if state.status == RUNNING:
        decision = rules.DECISIONS[state.decision].replace("_", " ")
        return f"{PLAYERS[state.player]} to {decision}".capitalize(), COLOURS[1 << state.player]
    if state.winner >= 0:
        return f"{PLAYERS[state.winner]} wins".capitalize(), COLOURS[1 << state.winner]
    return "Cut off: nobody wins", INK
