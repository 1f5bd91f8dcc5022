"""Text of Renaissance: squares are named as in chess, files a to g from the left, ranks 1 to 7 from the bottom.

Actions:

    L4 a7 b7 c7 a6              lay a polyomino on these squares, given in any order
    marker c4                   place a marker
    monomino c4                 place the monomino
    push top c                  push in from an edge, on a file (top, bottom) or a rank (left, right)
    take off a7                 take off the polyomino whose first square, row by row from the top left, this is
    move c4 NE                  move the marker on a square in a direction
    pick L4                     pick a polyomino
    D a1 b1, move c4 NE         a relocation turn of the joint form

A position prints as its first line, who holds what, what bars actions now (`protected`, `taken off`, `undo`; only where
there is one), and the board. On a square, a letter from A to M is a polyomino and `o` a monomino of Phase 2; behind it,
`s` or `g` is a marker of Silver or Gold, or the owner of the monomino.

    gold to move_marker; turns 103; scores -11 1; points 11 5; supply 0 0; adjustments 6
    silver holds I3 V3 I4 O4 T4 L4
    gold holds D D
    pool holds nothing
    undo move e4 E
    7  ..  ..  .s  .s  A.  ..  ..
    6  ..  B.  .g  A.  A.  ..  C.
    5  ..  B.  ..  ..  og  ..  C.
    4  ..  os  ..  ##  .g  ..  C.
    3  ..  ..  ..  ..  D.  D.  .g
    2  ..  ..  .s  D.  D.  ..  ..
    1  ..  E.  E.  ..  ..  ..  ..
       a   b   c   d   e   f   g
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable

import numpy as np

from ..core.squares import file_letters, square_names
from ..core.text import choose, expect, expect_files, first_line, parse_first_line, parse_safely
from ..core.types import Integers, Record, Squares
from . import board
from .board import CENTRE, NONE, NUM_SQUARES, PLACEMENTS, SIZE

PLAYERS = ("silver", "gold")
LETTERS = "sg"
FIELDS = ("points", "supply", "adjustments")
FILES = file_letters(SIZE)
RANKS = "7654321"  # by row
SQUARE_NAMES = square_names(SIZE)
NUMBER_OF_PLACEMENT = {squares: placement for placement, squares in enumerate(PLACEMENTS)}
LINE_NAMES = tuple(f"{edge} {k}" for edge in board.EDGES for k in (FILES if edge in ("top", "bottom") else RANKS))
CELL = re.compile(r"##|(?P<piece>[A-Z.])(?P<marker>[sg.])|o(?P<owner>[sg])")


def action_to_text(state: Record, action: int) -> str:
    """The action in words, as the head of this file shows."""
    if action >= board.FIRST_JOINT:
        placement, move = divmod(action - board.FIRST_JOINT, board.NUM_MOVES)
        return f"{placement_to_text(placement)}, move {move_to_text(move)}"
    for first, verb, name in reversed(VERBS):
        if action >= first:
            return f"{verb} {name(action - first)}"
    return placement_to_text(action)


def placement_to_text(placement: int) -> str:
    """`L4 a7 b7 c7 a6`."""
    kind = board.KINDS[board.KIND[placement]]
    return " ".join([kind, *(SQUARE_NAMES[square] for square in PLACEMENTS[placement])])


def move_to_text(move: int) -> str:
    """`c4 NE`."""
    return f"{SQUARE_NAMES[move // 8]} {board.DIRECTIONS[move % 8]}"


def text_to_action(state: Record, text: str) -> int:
    """The action that `text` names. Raises ValueError if it names none."""
    first, comma, second = text.partition(",")
    if not comma:
        return part_to_action(first.strip())
    expect(state.joint, f"{text!r} is two actions of turns='staged'; expected one, such as 'D a1 b1'")
    placement, move = part_to_action(first.strip()), part_to_action(second.strip())
    is_turn = placement < board.NUM_PLACEMENTS and board.FIRST_MOVE <= move < board.FIRST_PICK
    expect(is_turn, f"{text!r}; expected a placement and a move, such as 'D a1 b1, move c4 NE'")
    return board.FIRST_JOINT + board.NUM_MOVES * placement + move - board.FIRST_MOVE


def part_to_action(text: str) -> int:
    """The action of the staged form that `text` names. Raises ValueError."""
    for first, verb, name in VERBS:
        if text.startswith(f"{verb} "):
            rest = " ".join(text.removeprefix(verb).split())
            return first + choose(f"{verb}:", rest, NAMES[name])
    return text_to_placement(text)


def text_to_placement(text: str) -> int:
    """The placement that kind and squares name. Raises ValueError."""
    kind, *names = text.split() or [""]
    verbs = ", ".join(verb for _, verb, _ in VERBS)
    expect(kind in board.KINDS, f"{text!r}; expected one of {', '.join(board.KINDS)} and its squares, or {verbs}")
    squares = tuple(sorted(choose("square", name, SQUARE_NAMES) for name in names))
    placement = NUMBER_OF_PLACEMENT.get(squares)
    if placement is None or board.KINDS[board.KIND[placement]] != kind:
        raise ValueError(f"{text!r}; expected the squares of one {kind}, none of them {SQUARE_NAMES[CENTRE]}")
    return placement


def state_to_text(state: Record) -> str:
    """The position, in lines."""
    lines = [first_line(state, PLAYERS, board, FIELDS)]
    holders = zip((*PLAYERS, "pool"), (*state.hands, state.pool), strict=True)
    lines += [f"{who} holds {hand_to_text(hand)}" for who, hand in holders]
    lines += notes_to_text(state)
    cells = cells_to_text(state)
    for row in range(SIZE):
        lines.append("  ".join([RANKS[row], *cells[SIZE * row : SIZE * (row + 1)]]))
    lines.append("   " + "   ".join(FILES))
    return "\n".join(lines)


def hand_to_text(hand: Iterable[int]) -> str:
    """`D D T4`, or `nothing`."""
    return " ".join(kind for kind, count in zip(board.KINDS, hand, strict=True) for _ in range(count)) or "nothing"


def notes_to_text(state: Record) -> list[str]:
    """What bars actions now: one line each."""
    return [f"{note} {to_text(int(state[field]))}" for note, field, to_text, _ in NOTES if state[field] != NONE]


def cells_to_text(state: Record) -> list[str]:
    """Two characters for each square."""
    letters = dict(zip(dict.fromkeys(state.cover[state.cover != NONE].tolist()), string.ascii_uppercase, strict=False))
    letters[NONE] = "."
    cells = [letters[placement] for placement in state.cover.tolist()]
    for square in range(NUM_SQUARES):
        cells[square] += letter_on(state.markers, square) or "."
        owner = letter_on(state.monominoes, square)
        cells[square] = f"o{owner}" if owner else cells[square]
    cells[CENTRE] = "##"
    return cells


def letter_on(sets: Iterable[Squares], square: int) -> str:
    """`s` or `g` if the first or the second of two sets has the square, else nothing."""
    return "".join(letter for letter, squares in zip(LETTERS, sets, strict=True) if int(squares) >> square & 1)


def text_to_state(text: str, state: Record) -> None:
    """Fill `state` from the text of a position, in place. Raises ValueError and leaves `state` as it was.

    Reset options that are still to come into play (`fallback`, `coins`) are not in the text and stay as they are.
    """
    parse_safely(parse_position, text, state)


def parse_position(lines: list[str], state: Record) -> None:
    """Fill `state` from lines, in place."""
    expect(len(lines) >= 4 + SIZE + 1, f"{len(lines)} lines; expected at least {4 + SIZE + 1}")
    parse_first_line(lines[0], state, PLAYERS, board, FIELDS)
    for line, who, hand in zip(lines[1:4], (*PLAYERS, "pool"), (*state.hands, state.pool), strict=True):
        parse_hand(line, who, hand)
    parse_notes(lines[4 : -SIZE - 1], state)
    parse_board(lines[-SIZE - 1 : -1], state)
    expect_files(lines[-1], SIZE)
    check_set(state)


def parse_hand(line: str, who: str, hand: Integers) -> None:
    """Fill a hand from `silver holds D D T4`, in place."""
    expect(line.startswith(f"{who} holds "), f"{line!r}; expected '{who} holds' and polyominoes, or 'nothing'")
    words = line.removeprefix(f"{who} holds ").split()
    kinds = [] if words == ["nothing"] else [choose("polyomino", word, board.KINDS) for word in words]
    counts = np.bincount(np.array(kinds, np.int64), minlength=board.NUM_KINDS)
    expect(bool((counts <= board.COPIES).all()), f"{line!r}; expected at most {hand_to_text(board.COPIES)}")
    hand[:] = counts


def parse_notes(lines: list[str], state: Record) -> None:
    """Fill `protected`, `taken_off` and `undo` from their lines, in place."""
    for _, field, _, _ in NOTES:
        state[field] = NONE
    for line in lines:
        for note, field, _, from_text in NOTES:
            if line.startswith(f"{note} ") and state[field] == NONE:
                state[field] = from_text(line.removeprefix(f"{note} "))
                break
        else:
            raise ValueError(f"{line!r}; expected {', '.join(note for note, *_ in NOTES)} (each once), or the board")


def parse_board(lines: list[str], state: Record) -> None:
    """Fill the board from its rows, in place."""
    board.clear_board(state)
    pieces: dict[str, list[int]] = {}
    for row, line in enumerate(lines):
        rank, *cells = line.split() or [""]
        expect(rank == RANKS[row] and len(cells) == SIZE, f"row {line!r}; expected {RANKS[row]} and {SIZE} squares")
        for column, cell in enumerate(cells):
            parse_cell(cell, SIZE * row + column, state, pieces)
    for letter, squares in pieces.items():
        placement = NUMBER_OF_PLACEMENT.get(tuple(squares))
        names = " ".join(SQUARE_NAMES[square] for square in squares)
        if placement is None:
            raise ValueError(f"{letter} lies on {names}; expected the squares of one polyomino")
        board.lay(state, placement)


def parse_cell(cell: str, square: int, state: Record, pieces: dict[str, list[int]]) -> None:
    """Put what a square holds on the board, or its letter's squares into `pieces`, in place."""
    match = CELL.fullmatch(cell)
    if match is None or (cell == "##") != (square == CENTRE):
        raise ValueError(f"square {cell!r}; expected A to M or '.', then s, g or '.'; or os, og; only in the centre ##")
    if match["piece"] and match["piece"] != ".":
        pieces.setdefault(match["piece"], []).append(square)
    if match["marker"] and match["marker"] != ".":
        state.markers[LETTERS.index(match["marker"])] |= 1 << square
    if match["owner"]:
        state.monominoes[LETTERS.index(match["owner"])] |= 1 << square


def check_set(state: Record) -> None:
    """Raise ValueError if there are more polyominoes of a kind than the game has."""
    placements = np.unique(state.cover[state.cover != NONE])
    on_board = np.bincount(board.KIND[placements], minlength=board.NUM_KINDS)
    counts = on_board + state.hands.sum(axis=0) + state.pool
    fits = bool((counts <= board.COPIES).all())
    expect(fits, f"{hand_to_text(counts)} in all; expected at most {hand_to_text(board.COPIES)}")


def square_to_text(square: int) -> str:
    """`c4`."""
    return SQUARE_NAMES[square]


def line_to_text(line: int) -> str:
    """`top c`."""
    return LINE_NAMES[line]


def kind_to_text(kind: int) -> str:
    """`L4`."""
    return board.KINDS[kind]


def text_to_move(text: str) -> int:
    """The move, 8 * square + direction, that `move c4 NE` names. Raises ValueError."""
    action = part_to_action(text)
    expect(board.FIRST_MOVE <= action < board.FIRST_PICK, f"{text!r}; expected a move, such as 'move c4 NE'")
    return action - board.FIRST_MOVE


VERBS: tuple[tuple[int, str, Callable[[int], str]], ...] = (
    (board.FIRST_MARKER, "marker", square_to_text),
    (board.FIRST_MONOMINO, "monomino", square_to_text),
    (board.FIRST_PUSH, "push", line_to_text),
    (board.FIRST_TAKE_OFF, "take off", square_to_text),
    (board.FIRST_MOVE, "move", move_to_text),
    (board.FIRST_PICK, "pick", kind_to_text),
)  # first action, how its text begins, what follows
NAMES = {
    square_to_text: SQUARE_NAMES,
    line_to_text: LINE_NAMES,
    move_to_text: tuple(map(move_to_text, range(board.NUM_MOVES))),
    kind_to_text: board.KINDS,
}
NOTES = (
    ("protected", "protected", placement_to_text, text_to_placement),
    ("taken off", "taken_off", placement_to_text, text_to_placement),
    ("undo", "undo", lambda move: f"move {move_to_text(move)}", text_to_move),
)  # how the line begins, the field, to text, from text
