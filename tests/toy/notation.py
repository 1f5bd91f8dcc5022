"""Text of tic-tac-toe: squares are digits; a position is its first line and the board."""

from __future__ import annotations

from nakajima_zoo.envs.core.text import expect, first_line, parse_first_line, parse_safely
from nakajima_zoo.envs.core.types import Record

from . import rules

PLAYERS = ("x", "o")


def action_to_text(state: Record, action: int) -> str:
    """The square's digit."""
    return str(action)


def text_to_action(state: Record, text: str) -> int:
    """The square of a digit. Raises ValueError for another text."""
    expect(text in [str(square) for square in range(rules.NUM_ACTIONS)], f"{text!r} is no square; expected 0 to 8")
    return int(text)


def state_to_text(state: Record) -> str:
    """The position, in lines."""
    marks = [[who for who in (0, 1) if state.marks[who] >> square & 1] for square in range(rules.NUM_ACTIONS)]
    cells = "".join(PLAYERS[who[0]] if who else "." for who in marks)
    return "\n".join([first_line(state, PLAYERS, rules), *(cells[start : start + 3] for start in (0, 3, 6))])


def text_to_state(text: str, state: Record) -> None:
    """Fill `state` from the text of a position, in place. Raises ValueError and leaves `state` as it was."""
    parse_safely(parse_position, text, state)


def parse_position(lines: list[str], state: Record) -> None:
    """Fill `state` from lines, in place."""
    parse_first_line(lines[0], state, PLAYERS, rules)
    cells = "".join(lines[1:])
    expect(len(cells) == rules.NUM_ACTIONS and not set(cells) - {"x", "o", "."}, f"board {cells!r}")
    for who, letter in enumerate(PLAYERS):
        state.marks[who] = sum(1 << square for square, cell in enumerate(cells) if cell == letter)
