"""A picture of a position of The Ring World.

Red is filled, blue has a white core, so that they differ without colour too. What happened last is marked: in yellow
what the player did, a circle around the ring placed (where the rotation has brought it) and an arrow inside the ring
turned; then a plus on rings that the automaton has given to somebody, a cross on those it has freed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple

import drawsvg

from ..core.drawing import (
    COLOURS,
    DARK,
    FAINT,
    HEAD,
    HEIGHT,
    INK,
    MARGIN,
    PALE,
    PANEL_TOPS,
    SIDE_LEFT,
    SIDE_WIDTH,
    caption,
    curved_arrow,
    panel,
    sheet,
    write,
)
from ..core.drawing import ring as draw_ring
from ..core.types import Record
from . import rules
from .board import BOARDS, POSITIONS
from .notation import NAMES, ROTATIONS, action_to_text

CENTRE = SIDE_LEFT / 2, HEIGHT / 2
UNIT = {3: 161.0, 4: 153.0}  # radius of the top ring
DIGITS = 44.0  # distance of the positions' digits from the centre
LINE = "#b5b1a8"  # of rings that nobody owns
BLUE = 1
WAITING = {
    rules.PLACE: "to place",
    rules.ROTATE: "to rotate",
    rules.PLACE_AND_ROTATE: "to place and rotate",
}
ENDED = {rules.TOP_RING: "by the top ring", rules.TURN_LIMIT: "at the turn limit"}

Place = tuple[float, float, float]  # centre and radius of a ring


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


def draw(state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position; `before` and `actions`: the state before the last turn, and what was played since."""
    drawing = sheet()
    last = last_turn(state, before, actions) if before is not None and len(actions) else NOTHING
    places = ring_places(rules.levels_of(state))
    draw_rings(drawing, state, places)
    draw_positions(drawing)
    draw_marks(drawing, state, places, last)
    caption(drawing, state, WAITING, ENDED, f"played last: {last.text}" if last.text else "")
    for player in (0, 1):
        draw_possessions(drawing, state, player)
    return drawing


def ring_places(levels: int) -> list[Place]:
    """Centre and radius of each ring, as the record numbers them, in pixels."""
    board, unit = BOARDS[levels], UNIT[levels]
    return [
        (CENTRE[0] + unit * x, CENTRE[1] + unit * y, unit * board.radii[level])
        for level in range(levels, 0, -1)
        for x, y in board.centres[level].tolist()
    ]


def last_turn(state: Record, before: Record, actions: Sequence[int]) -> LastTurn:
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


def split(state: Record, action: int) -> tuple[int | None, int | None]:
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


def draw_rings(drawing: drawsvg.Drawing, state: Record, places: list[Place]) -> None:
    """All rings: tinted ground of the larger ones, the level-1 rings, and the larger ones' circles on top."""
    owners, level_1 = owner_list(state), len(places) - BOARDS[rules.levels_of(state)].counts[1]
    for (x, y, radius), owner in zip(places[:level_1], owners, strict=False):
        if owner is not None:
            drawing.append(drawsvg.Circle(x, y, radius, fill=PALE[owner]))
    names = ring_names(rules.levels_of(state))
    for ring in [*range(level_1, len(places)), *range(level_1 - 1, -1, -1)]:
        group = drawsvg.Group(data_thing=f"ring:{names[ring]}")
        draw_one = draw_level_1_ring if ring >= level_1 else draw_circle
        draw_one(group, places[ring], owners[ring])
        drawing.append(group)


def ring_names(levels: int) -> list[str]:
    """The name of each ring, as the record numbers them; that of the top ring is empty."""
    return [name for level in range(levels, 0, -1) for name in NAMES[levels][level]]


def owner_list(state: Record) -> list[int | None]:
    """The player who owns each ring."""
    return [None if owner == rules.UNOWNED else owner >> 1 for owner in state.owners.tolist()]


def draw_level_1_ring(drawing: Any, place: Place, owner: int | None) -> None:
    """A disc; blue has a white core."""
    x, y, radius = place
    if owner is None:
        drawing.append(drawsvg.Circle(x, y, radius - 0.5, fill="white", stroke=LINE, stroke_width=1))
        return
    drawing.append(drawsvg.Circle(x, y, radius - 0.5, fill=COLOURS[owner], stroke="white", stroke_width=1))
    if owner == BLUE:
        drawing.append(drawsvg.Circle(x, y, radius * 0.45, fill="white"))


def draw_circle(drawing: Any, place: Place, owner: int | None) -> None:
    """The circle of a ring of level 2 or higher; blue is a double line."""
    x, y, radius = place
    if owner is None:
        drawing.append(drawsvg.Circle(x, y, radius, fill="none", stroke=LINE, stroke_width=1.2))
        return
    width = 3.5 + radius / 30
    for colour, part in (("white", 1.8), (COLOURS[owner], 1), *([("white", 0.3)] if owner == BLUE else [])):
        drawing.append(drawsvg.Circle(x, y, radius, fill="none", stroke=colour, stroke_width=width * part))


def draw_marks(drawing: drawsvg.Drawing, state: Record, places: list[Place], last: LastTurn) -> None:
    """What happened last."""
    for ring in last.created:
        draw_cross(drawing, places[ring], 0, INK)
    for ring, owner in last.freed.items():
        draw_cross(drawing, places[ring], pi / 4, COLOURS[owner >> 1])
    if last.placed is not None:
        x, y, radius = places[last.placed]
        draw_ring(drawing, (x, y), radius)
    if last.turned is not None:
        draw_arrow(drawing, places[last.turned])


def draw_cross(drawing: drawsvg.Drawing, place: Place, angle: float, colour: str) -> None:
    """A plus, turned by `angle`."""
    x, y, radius = place
    arm = min(radius * 0.42, 12)
    for direction in (angle, angle + pi / 2):
        dx, dy = arm * cos(direction), arm * sin(direction)
        drawing.append(drawsvg.Line(x - dx, y - dy, x + dx, y + dy, stroke=colour, stroke_width=arm * 0.5))


def draw_arrow(drawing: drawsvg.Drawing, place: Place) -> None:
    """A clockwise arrow inside a ring."""
    x, y, radius = place
    reach = radius * 0.5
    path = drawsvg.Path().M(x - reach, y).A(reach, reach, 0, 1, 1, x, y + reach)
    curved_arrow(drawing, path, (x - HEAD, y + reach), (-1, 0))


def draw_positions(drawing: drawsvg.Drawing) -> None:
    """The digits of the top ring's positions, around the centre, as on a clock."""
    for position in range(POSITIONS):
        angle = position * pi / 4
        write(drawing, str(position), CENTRE[0] + DIGITS * cos(angle), CENTRE[1] + DIGITS * sin(angle) + 5, 14, FAINT)


def draw_possessions(drawing: drawsvg.Drawing, state: Record, player: int) -> None:
    """How many rings of each level a player owns."""
    left, top, levels = SIDE_LEFT + MARGIN, PANEL_TOPS[player], rules.levels_of(state)
    panel(drawing, state, player, top, "score")
    owners, step = owner_list(state), 148 / levels
    for level in range(1, levels + 1):
        y, first = top + 48 + step * (level - 0.5), int(rules.FIRST[levels - level])
        owned = owners[first : first + BOARDS[levels].counts[level]].count(player)
        draw_sample(drawing, (left + 16, y, 6 + 3 * level), player if owned else None, level)
        write(drawing, f"level {level}", left + 44, y + 6, 16, DARK[player], anchor="start")
        write(drawing, str(owned), SIDE_LEFT + SIDE_WIDTH - MARGIN, y + 7, 20, DARK[player], bold=True, anchor="end")


def draw_sample(drawing: drawsvg.Drawing, place: Place, owner: int | None, level: int) -> None:
    """A ring of a level, beside the board."""
    if level == 1:
        draw_level_1_ring(drawing, place, owner)
    else:
        draw_circle(drawing, place, owner)
