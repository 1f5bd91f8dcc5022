"""Whether a record is a position of tic-tac-toe that the rules can go on from."""

from __future__ import annotations

from nakajima_zoo.envs.core.text import expect
from nakajima_zoo.envs.core.types import Record

from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if the marks contradict each other."""
    first, second = (int(marks) for marks in state.marks)
    expect(first & second == 0 and 0 <= (first | second) <= rules.ALL, f"marks {first} and {second}")
    expect(first.bit_count() + second.bit_count() == state.turns, f"turns {state.turns}")
