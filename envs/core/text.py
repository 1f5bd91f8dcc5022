"""What the text notations of all games share: the first line of a position, and clear errors.

The first line says who does what and gives the fields that are numbers, for example

    red to place; turns 8; scores 3 4; hands 20 19
    over, blue wins: tops; turns 48; scores 11 14; hands 0 0
    cut off, nobody wins: turn_limit; turns 200; scores 12 12

`over` is a game ended by the rules, `cut off` one ended by the turn limit.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .record import NOBODY, RUNNING, TERMINATED, TRUNCATED
from .squares import file_letters
from .types import Record

HEADER_FIELDS = ("turns", "scores")
ENDINGS = {"over": TERMINATED, "cut off": TRUNCATED}
STATUS = re.compile(
    r"(?P<player>\w+) to (?P<decision>\w+)|(?P<ending>over|cut off), (?P<winner>\w+) wins: (?P<reason>\w+)"
)


def expect(condition: bool | np.bool_, message: str) -> None:
    """Raise ValueError with `message` unless `condition` holds."""
    if not condition:
        raise ValueError(message)


def choose(what: str, text: str, names: Sequence[str]) -> int:
    """The index of `text` among `names`; raises ValueError that lists them."""
    expect(text in names, f"{what} {text!r} unknown; expected one of {', '.join(names)}")
    return names.index(text)


def integers(what: str, text: str, count: int) -> list[int]:
    """`count` integers separated by spaces; raises ValueError otherwise."""
    words = text.split()
    valid = len(words) == count and all(re.fullmatch(r"-?\d+", word) for word in words)
    expect(valid, f"{what}: {text!r}; expected {count} integer{'s' * (count != 1)}")
    return [int(word) for word in words]


def expect_files(line: str, size: int) -> None:
    """Raise ValueError unless `line` holds the file letters under a board with `size` columns."""
    files = file_letters(size)
    expect(line.split() == list(files), f"last line {line!r}; expected the files {' '.join(files)}")


def first_line(state: Record, players: Sequence[str], rules: Any, fields: Iterable[str] = ()) -> str:
    """The first line of a position: status, turns, scores, and `fields`, names of the record's number fields.

    `players` names player 0 and 1; `rules` has DECISIONS and REASONS.
    """
    parts = [status_to_text(state, players, rules)]
    for name in (*HEADER_FIELDS, *fields):
        value = state[name]
        numbers = value.reshape(-1).tolist() if getattr(value, "shape", ()) else [int(value)]
        parts.append(" ".join([name, *map(str, numbers)]))
    return "; ".join(parts)


def status_to_text(state: Record, players: Sequence[str], rules: Any) -> str:
    """`red to place`, or how the game ended."""
    if state.status == RUNNING:
        return f"{players[state.player]} to {rules.DECISIONS[state.decision]}"
    ending = "over" if state.status == TERMINATED else "cut off"
    winner = "nobody" if state.winner == NOBODY else players[state.winner]
    return f"{ending}, {winner} wins: {rules.REASONS[state.reason]}"


def parse_first_line(line: str, state: Record, players: Sequence[str], rules: Any, fields: Iterable[str] = ()) -> None:
    """Fill the record's header and `fields` from a line of `first_line`, in place. Raises ValueError."""
    status, *parts = (part.strip() for part in line.split(";"))
    parse_status(status, state, players, rules)
    names = (*HEADER_FIELDS, *fields)
    expect(len(parts) == len(names), f"first line {line!r}; expected the status and {', '.join(names)}, split by ';'")
    for name, part in zip(names, parts, strict=True):
        word, _, numbers = part.partition(" ")
        expect(word == name, f"{part!r} in the first line; expected {name}")
        value = state[name]
        shape = getattr(value, "shape", ())
        found = integers(name, numbers, value.size if shape else 1)
        kind = np.iinfo(value.dtype)
        expect(
            all(kind.min <= number <= kind.max for number in found), f"{part!r} in the first line; numbers too large"
        )
        if shape:
            value.reshape(-1)[:] = found
        else:
            state[name] = found[0]


def parse_status(text: str, state: Record, players: Sequence[str], rules: Any) -> None:
    """Fill player, decision, status, winner and reason from `status_to_text`, in place. Raises ValueError."""
    match = STATUS.fullmatch(text)
    expected = f"'{players[0]} to {rules.DECISIONS[0]}' or 'over, {players[0]} wins: {rules.REASONS[-1]}'"
    if match is None:
        raise ValueError(f"status {text!r}; expected for example {expected}")
    if match["player"]:
        state.player = choose("player", match["player"], players)
        state.decision = choose("decision", match["decision"], rules.DECISIONS)
        state.status, state.winner, state.reason = RUNNING, NOBODY, 0
    else:
        state.player, state.decision, state.status = NOBODY, 0, ENDINGS[match["ending"]]
        state.winner = (
            choose("winner", match["winner"], (*players, "nobody")) if match["winner"] != "nobody" else NOBODY
        )
        state.reason = choose("reason", match["reason"], rules.REASONS)


def parse_safely(parse: Any, text: str, state: Record) -> None:
    """`parse(lines, record)` on a copy, and only if that succeeds into `state`: a bad text leaves `state` unchanged."""
    copy = state.copy()
    try:
        parse(text.strip("\n").split("\n"), copy)
    except OverflowError as error:  # a number that its field cannot hold
        raise ValueError(str(error)) from error
    for name in state.dtype.names or ():
        state[name] = copy[name]
