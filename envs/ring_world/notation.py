"""Text of The Ring World.

A ring is named by its positions from the top ring down, digits 0 to 7, clockwise from 3 o'clock: `3.5.1` is the ring at
position 1 in the ring at position 5 in the ring at position 3 of the top. A shared ring has several names; it prints
with the lowest one, and each of them is understood.

A placement is the name of the ring, `3.5.1`; a rotation has an `r` in front, `r3.5`; a whole turn is `3.5.1 r3.5`, or
`r3.5` alone where nothing can be placed.

The original recorded games in digits: the positions of the rings of levels 3, 2 and 1 in which and on which somebody
places, and the ring turned: `351 35`. `action_to_digits` and `digits_to_action` write and read that.

A position prints as its first line and the owners of all rings: `r` red (player 0), `b` blue (player 1), `.` nobody.
First the top ring, then a line for each ring in it. A level-2 ring is its owner, `:`, and the owners of the rings at
its positions 0 to 7. A shared ring appears in every ring that holds it. The board with three levels:

    blue to place_and_rotate; turns 1; scores 1 0
    top .
    0   .:........
    1   .:........
    2   .:........
    3   .:....r...
    4   .:........
    5   .:........
    6   .:........
    7   .:........
          01234567

On the board with four levels such a line has the owner of a level-3 ring, then the eight level-2 rings in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core.text import expect, first_line, parse_first_line, parse_safely
from ..core.types import Record
from . import rules
from .board import BOARDS, POSITIONS

PLAYERS = ("red", "blue")
LETTERS = ".rb"  # by what `owners` holds
ROTATION = "r"
CHILD = rules.CHILD.tolist()
LEVEL_2_RING = re.compile(r"[.rb]:[.rb]{8}")


def ring_names(levels: int) -> dict[int, list[str]]:
    """The name of each ring below the top, by level and id: the lowest of its names."""
    names = {levels: [""]}
    for level in range(levels, 1, -1):
        found: dict[int, str] = {}
        for ring, name in enumerate(names[level]):
            for position, child in enumerate(BOARDS[levels].child[level][ring].tolist()):
                found.setdefault(child, f"{name}.{position}".lstrip("."))
        names[level - 1] = [found[ring] for ring in range(len(found))]
    return names


NAMES = {levels: ring_names(levels) for levels in rules.LEVELS}
PLACEMENTS = {levels: NAMES[levels][1] for levels in rules.LEVELS}
ROTATIONS = {
    levels: [ROTATION + name for level in range(2, levels) for name in NAMES[levels][level]] for levels in rules.LEVELS
}


def action_to_text(state: Record, action: int) -> str:
    """A placement such as `3.5.1`, a rotation such as `r3.5`, or in the joint form both."""
    levels = rules.levels_of(state)
    placements, rotations = PLACEMENTS[levels], ROTATIONS[levels]
    if not state.joint:
        return (placements + rotations)[action]
    placement, rotation = divmod(action, len(rotations))
    return " ".join([*placements[placement : placement + 1], rotations[rotation]])


def text_to_action(state: Record, text: str) -> int:
    """The action that `text` names. Raises ValueError if it names none of this board and form."""
    levels = rules.levels_of(state)
    words = text.lower().split()
    placements, rotations = len(PLACEMENTS[levels]), len(ROTATIONS[levels])
    if not state.joint:
        expect(len(words) == 1, f"{text!r}; expected one placement such as {example(levels)}, or one rotation")
        word = words[0]
        return placements + rotation_of(levels, word) if word.startswith(ROTATION) else placement_of(levels, word)
    expect(len(words) in (1, 2), f"{text!r}; expected a placement and a rotation, '{example(levels)} r3', or only 'r3'")
    placement = placement_of(levels, words[0]) if len(words) == 2 else placements
    return placement * rotations + rotation_of(levels, words[-1])


def action_to_digits(state: Record, action: int) -> str:
    """An action as the original recorded it: `351` for `3.5.1`, `35` for `r3.5`, `351 35` for both."""
    return action_to_text(state, action).replace(".", "").replace(ROTATION, "")


def digits_to_action(state: Record, text: str) -> int:
    """The action that digits name; the number of digits tells levels apart. Raises ValueError as `text_to_action`."""
    levels = rules.levels_of(state)
    words = [".".join(word) for word in text.split()]
    expect(
        len(words) in (1, 2),
        f"{text!r}; expected the digits of one ring or two, such as '{'351 35' if levels == 4 else '35 3'}'",
    )
    turned = len(words) == 2 or len(words[0].split(".")) < levels - 1
    return text_to_action(state, " ".join([*words[:-1], ROTATION * turned + words[-1]]))


def placement_of(levels: int, text: str) -> int:
    """The placement on the level-1 ring called `text`. Raises ValueError."""
    level, ring = find_ring(levels, text)
    expect(level == 1, f"{text!r} is no level-1 ring; expected {levels - 1} digits such as {example(levels)}")
    return ring


def rotation_of(levels: int, text: str) -> int:
    """The rotation called `text`. Raises ValueError."""
    expect(text.startswith(ROTATION), f"{text!r} is no rotation; expected 'r' and a ring, such as r3")
    level, ring = find_ring(levels, text.removeprefix(ROTATION))
    expect(level > 1, f"{text!r}: a level-1 ring cannot be turned; expected at most {levels - 2} digits, such as r3")
    return sum(len(NAMES[levels][below]) for below in range(2, level)) + ring


def find_ring(levels: int, name: str) -> tuple[int, int]:
    """Level and id of the ring called `name`, by whichever of its names. Raises ValueError."""
    digits = name.split(".")
    valid = len(digits) < levels and all(digit in set("01234567") for digit in digits)
    expect(valid, f"{name!r} is no ring; expected up to {levels - 1} digits 0 to 7, such as {example(levels)}")
    ring = 0
    for above, digit in enumerate(digits):
        ring = int(BOARDS[levels].child[levels - above][ring, int(digit)])
    return levels - len(digits), ring


def example(levels: int) -> str:
    """The name of some level-1 ring."""
    return "3.5.1" if levels == 4 else "3.5"


def state_to_text(state: Record) -> str:
    """The position, in lines."""
    levels = rules.levels_of(state)
    letters = "".join(LETTERS[owner] for owner in state.owners.tolist())
    lines = [first_line(state, PLAYERS, rules), f"top {letters[rules.TOP]}"]
    for position in range(POSITIONS):
        words = [letters[ring] for ring in rings_before(levels, position)]
        words += [level_2_to_text(letters, ring) for ring in level_2_rings(levels, position)]
        lines.append(f"{position}   {' '.join(words)}")
    return "\n".join([*lines, last_line(levels)])


def last_line(levels: int) -> str:
    """The digits under the level-1 rings of a line."""
    return "   " + "  " * (levels - 3) + "   01234567" * len(level_2_rings(levels, 0))


def rings_before(levels: int, position: int) -> list[int]:
    """The ring whose owner stands in front of the level-2 rings of a line, as the record numbers it; none on L3."""
    return [int(rules.FIRST[1]) + position] if levels == 4 else []


def level_2_rings(levels: int, position: int) -> list[int]:
    """The level-2 rings of a line, as the record numbers them."""
    child = int(rules.FIRST[1]) + position
    return [child] if levels == 3 else CHILD[child]


def level_2_to_text(letters: str, ring: int) -> str:
    """Owner of a level-2 ring and of the rings in it, such as `r:rr.r.rrb`; `letters` has those of all rings."""
    return letters[ring] + ":" + "".join(letters[child] for child in CHILD[ring])


def text_to_state(text: str, state: Record) -> None:
    """Fill `state` from the text of a position, in place. Raises ValueError and leaves `state` as it was."""
    parse_safely(parse_position, text, state)


def parse_position(lines: list[str], state: Record) -> None:
    """Fill `state` from lines, in place."""
    expect(len(lines) == 11, f"{len(lines)} lines; expected 11: the first line, top, the rings 0 to 7, the digits")
    parse_first_line(lines[0], state, PLAYERS, rules)
    top = lines[1].split()
    valid = len(top) == 2 and top[0] == "top" and top[1] in set(LETTERS)
    expect(valid, f"line {lines[1]!r}; expected 'top' and r, b or .")
    found = {rules.TOP: top[1]}
    for position in range(POSITIONS):
        for ring, letter in parse_line(lines[2 + position], position, rules.levels_of(state)):
            known = found.setdefault(ring, letter)
            expect(known == letter, f"line {lines[2 + position]!r}: a shared ring is {letter!r} here, {known!r} above")
    expect(lines[-1] == last_line(rules.levels_of(state)), f"last line {lines[-1]!r}; expected the digits of the rings")
    for ring, letter in found.items():
        state.owners[ring] = LETTERS.index(letter)


def parse_line(line: str, position: int, levels: int) -> Iterator[tuple[int, str]]:
    """Each ring of a line and its letter. Raises ValueError."""
    before, rings = rings_before(levels, position), level_2_rings(levels, position)
    digit, *words = line.split() or [""]
    count = len(before) + len(rings)
    expect(digit == str(position), f"line {line!r}; expected the line of ring {position}")
    expect(len(words) == count, f"line {line!r}; expected {count} words after {digit}")
    for ring, word in zip(before, words, strict=False):
        expect(word in set(LETTERS), f"{word!r} in line {line!r}; expected r, b or .")
        yield ring, word
    for ring, word in zip(rings, words[len(before) :], strict=True):
        valid = LEVEL_2_RING.fullmatch(word) is not None
        expect(valid, f"{word!r} in line {line!r}; expected an owner, ':' and 8 owners, each r, b or .")
        yield from zip([ring, *CHILD[ring]], word.replace(":", ""), strict=True)
