"""Text of Tsukiji: squares are named as in chess, files a to h from the left, ranks 1 to 8 from the bottom.

Actions: `land b7` (setup); constructions `ship: V c3 c4 d4, build c4` (I is a straight, V a corner piece of land),
`ship: build c4`, `ship: bridge c3 c5`, `truck: build c4`, `truck: bridge c3 c5`, `truck: nothing`; moves `to f6`.
A joint turn is both, `ship: build c4, to f6`.

A position prints as its first line, the board, and what each player has left. Of a square the board shows the ground,
`~` sea or `#` land; what stands there, `r` or `b` a building of red (player 0) or blue (player 1), `R` or `B` his ship
(on sea) or truck (on land); and `=` if it is under or on a bridge.

    red to move_ship; turns 4; scores 1 0
    8  ~B  ~   ~   ~   ~   ~   ~   ~
    7  ~   #   #   #b  #   ~   ~   ~
    ...
    1  ~   ~   ~   ~   ~   ~   ~   ~R
       a   b   c   d   e   f   g   h
    red: I 3, V 1, bridge c3 e3
    blue: I 3, V 2, bridge in hand
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..core.squares import file_letters, square_names
from ..core.text import expect, expect_files, first_line, parse_first_line, parse_safely
from ..core.types import Record
from . import rules

PLAYERS = ("red", "blue")
FILES = file_letters(rules.SIZE)
SQUARE_NAMES = square_names(rules.SIZE)
SEA, LAND, BRIDGED = "~#="
BUILDINGS, VEHICLES = "rb", "RB"
KINDS = "IV"
IN_HAND = "in hand"
CELL = re.compile(r"(?P<ground>[~#])(?P<on_it>[rbRB]?)(?P<bridged>=?)")
SUPPLY = re.compile(r"(?P<player>\w+): I (?P<straight>[0-3]), V (?P<corner>[0-3]), bridge (?P<bridge>.+)")
SQUARE_LIST = re.compile(r"\b[a-h][1-8](?: [a-h][1-8])+\b")


def names(squares: Iterable[int]) -> str:
    """`c3 c4 d4`, in alphabetical order."""
    return " ".join(sorted(SQUARE_NAMES[square] for square in squares))


BRIDGE_NAMES = [names((ends[0], ends[2])) for ends in rules.BRIDGE_SQUARES.tolist()]


def construction_name(action: int) -> str:
    """The text of a staged construction."""
    if action < rules.SHIP_BUILDING:
        placement, j = divmod(action - rules.SHIP_LAND, 3)
        squares = rules.PLACEMENT_SQUARES[placement].tolist()
        return f"ship: {KINDS[rules.KIND[placement]]} {names(squares)}, build {SQUARE_NAMES[squares[j]]}"
    if action < rules.SHIP_BRIDGE:
        return f"ship: build {SQUARE_NAMES[action - rules.SHIP_BUILDING]}"
    if action < rules.TRUCK_BUILDING:
        return f"ship: bridge {BRIDGE_NAMES[action - rules.SHIP_BRIDGE]}"
    if action < rules.TRUCK_BRIDGE:
        return f"truck: build {SQUARE_NAMES[action - rules.TRUCK_BUILDING]}"
    if action < rules.TRUCK_NOTHING:
        return f"truck: bridge {BRIDGE_NAMES[action - rules.TRUCK_BRIDGE]}"
    return "truck: nothing"


CONSTRUCTIONS = [construction_name(action) for action in range(rules.SHIP_LAND, rules.MOVE)]
CONSTRUCTION_NUMBERS = {name.lower(): rules.SHIP_LAND + index for index, name in enumerate(CONSTRUCTIONS)}
MOVES = {f"to {name}": square for square, name in enumerate(SQUARE_NAMES)}


# Actions


def action_to_text(state: Record, action: int) -> str:
    """The text of an action, in the form of the turns that `state` has."""
    if action < rules.NUM_MARKED:
        return f"land {SQUARE_NAMES[marked_squares(state)[action]]}"
    if state.joint:
        construction, square = divmod(action - rules.NUM_MARKED, rules.NUM_SQUARES)
        return f"{CONSTRUCTIONS[construction]}, to {SQUARE_NAMES[square]}"
    if action < rules.MOVE:
        return CONSTRUCTIONS[action - rules.SHIP_LAND]
    return f"to {SQUARE_NAMES[action - rules.MOVE]}"


def text_to_action(state: Record, text: str) -> int:
    """The action called `text`; squares of a piece or a bridge may come in any order. Raises ValueError."""
    line = SQUARE_LIST.sub(lambda found: " ".join(sorted(found[0].split())), " ".join(text.lower().split()))
    if line.startswith("land"):
        choices = [f"land {SQUARE_NAMES[square]}" for square in marked_squares(state)]
        expect(line in choices, f"{text!r}; expected one of {', '.join(choices)}")
        return choices.index(line)
    if state.joint:
        construction, _, move = line.rpartition(", ")
        return rules.NUM_MARKED + rules.NUM_SQUARES * (construction_number(construction) - rules.SHIP_LAND) + goal(move)
    return rules.MOVE + goal(line) if line.startswith("to") else construction_number(line)


def marked_squares(state: Record) -> list[int]:
    """The setup choices of the player to act (of player 0 when the game is over)."""
    return rules.MARKED[1 if state.player == 1 else 0].tolist()


def construction_number(text: str) -> int:
    """The staged construction called `text`. Raises ValueError."""
    examples = "'ship: V c3 c4 d4, build c4', 'ship: bridge c3 c5', 'truck: build c4' or 'truck: nothing'"
    expect(text in CONSTRUCTION_NUMBERS, f"{text!r} is no construction; expected for example {examples}")
    return CONSTRUCTION_NUMBERS[text]


def goal(text: str) -> int:
    """The square in `to f6`. Raises ValueError."""
    expect(text in MOVES, f"{text!r} is no move; expected 'to a1' to 'to h8'")
    return MOVES[text]


# Positions


def state_to_text(state: Record) -> str:
    """The position, in lines."""
    lines = [first_line(state, PLAYERS, rules)]
    for row in range(rules.SIZE):
        squares = range(rules.SIZE * row, rules.SIZE * (row + 1))
        lines.append(f"{rules.SIZE - row}  {''.join(f'{cell(state, square):4}' for square in squares)}".rstrip())
    lines.append("   " + "   ".join(FILES))
    lines += [supply(state, player) for player in (0, 1)]
    return "\n".join(lines)


def cell(state: Record, square: int) -> str:
    """What is on a square: ground, what stands on it, and whether there is a bridge."""
    here = rules.SQUARE[square]
    on_it = ""
    for player in (0, 1):
        if state.buildings[player] & here:
            on_it = BUILDINGS[player]
        elif square in (state.ships[player], state.trucks[player]):
            on_it = VEHICLES[player]
    return (LAND if state.land & here else SEA) + on_it + BRIDGED * bool(rules.bridge_squares(state) & here)


def supply(state: Record, player: int) -> str:
    """What a player has left."""
    pieces = ", ".join(f"{kind} {left}" for kind, left in zip(KINDS, state.pieces[player].tolist(), strict=True))
    bridge = int(state.bridges[player])
    return f"{PLAYERS[player]}: {pieces}, bridge {IN_HAND if bridge == rules.IN_HAND else BRIDGE_NAMES[bridge]}"


def text_to_state(text: str, state: Record) -> None:
    """Fill `state` from the text of a position, in place. Raises ValueError and leaves `state` as it was."""
    parse_safely(parse_position, text, state)


def parse_position(lines: list[str], state: Record) -> None:
    """Fill `state` from lines, in place."""
    expected = rules.SIZE + 4
    expect(len(lines) == expected, f"{len(lines)} lines; expected {expected}: the first, 8 rows, the files, 2 supplies")
    parse_first_line(lines[0], state, PLAYERS, rules)
    for player in (0, 1):
        parse_supply(lines[rules.SIZE + 2 + player], state, player)
    parse_board(lines[1 : rules.SIZE + 1], state)
    expect_files(lines[rules.SIZE + 1], rules.SIZE)
    rules.mark_crowded(state)


def parse_supply(line: str, state: Record, player: int) -> None:
    """Fill what a player has left from its line, in place."""
    match = SUPPLY.fullmatch(line.strip())
    if match is None or match["player"] != PLAYERS[player]:
        raise ValueError(f"{line!r}; expected for example '{PLAYERS[player]}: I 3, V 2, bridge {IN_HAND}' or 'c3 c5'")
    state.pieces[player] = int(match["straight"]), int(match["corner"])
    bridge = match["bridge"]
    known = bridge == IN_HAND or bridge in BRIDGE_NAMES
    expect(known, f"bridge {bridge!r} of {PLAYERS[player]}; expected '{IN_HAND}' or its two ends, such as 'c3 c5'")
    state.bridges[player] = rules.IN_HAND if bridge == IN_HAND else BRIDGE_NAMES.index(bridge)


def parse_board(rows: list[str], state: Record) -> None:
    """Fill everything on the board but the bridges, in place."""
    state.land = 0
    state.buildings[:] = 0
    state.ships[:] = state.trucks[:] = rules.NOWHERE
    for row, line in enumerate(rows):
        rank, *cells = line.split()
        fits = rank == str(rules.SIZE - row) and len(cells) == rules.SIZE
        expect(fits, f"row {line!r}; expected {rules.SIZE - row} and 8 squares")
        for column, text in enumerate(cells):
            parse_cell(text, state, rules.SIZE * row + column)


def parse_cell(text: str, state: Record, square: int) -> None:
    """Fill one square from its text, in place."""
    match = CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"{SQUARE_NAMES[square]} is {text!r}; expected ~ or #, perhaps r, b, R or B, perhaps =")
    on_land, on_it = match["ground"] == LAND, match["on_it"]
    here = rules.SQUARE[square]
    bridged = bool(rules.bridge_squares(state) & here)
    expect(bridged == bool(match["bridged"]), f"{SQUARE_NAMES[square]} is {text!r}; the bridges say otherwise about =")
    expect(on_land or on_it not in tuple(BUILDINGS), f"{SQUARE_NAMES[square]} is {text!r}: a building on the sea")
    if on_land:
        state.land |= here
    if on_it in tuple(BUILDINGS):
        state.buildings[BUILDINGS.index(on_it)] |= here
    elif on_it:
        vehicles, player = state.trucks if on_land else state.ships, VEHICLES.index(on_it)
        expect(vehicles[player] == rules.NOWHERE, f"{SQUARE_NAMES[square]} is {text!r}: there is one already")
        vehicles[player] = square
