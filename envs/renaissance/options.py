"""The reset options of Renaissance: what the players or chance would decide, given by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.types import Integers, Record
from . import board

OPTIONS = ("arrangement", "fallback", "coins", "hands")


def set_options(state: Record, options: Mapping[str, Any]) -> None:
    """Write the reset options into a record that is about to be reset, in place.

    `arrangement`: 13 placements to begin Phase 1 on. `fallback`: 13 placements that the engine lays at the limit of
    adjustments. `coins`: the winner of each of the 7 rounds of the draft. `hands`: 8 counts for each player, to begin
    the preparation with. Raises ValueError if one is malformed or has no part here, and then leaves `state` as it was.
    """
    values = {name: options[name] for name in OPTIONS if options.get(name) is not None}
    check_options(values, board.VARIANTS[state.variant], board.BY[state.setup])
    found = {name: PARSERS[name](name, value) for name, value in values.items()}
    for name, value in found.items():
        state["given_hands" if name == "hands" else name] = value


def check_options(names: Mapping[str, Any], variant: str, setup: str) -> None:
    """Raise ValueError for an option that the game would not look at."""
    for name in names:
        fitting = ("phase2",) if name in ("coins", "hands") else ("full", "phase1")
        if variant not in fitting:
            raise ValueError(f"option {name!r} has no part in variant={variant!r}; only in {' and '.join(fitting)}")
    if "fallback" in names and setup == "random":
        raise ValueError("option 'fallback' has no part in setup='random', which knows no adjustments")
    for name, other in (("arrangement", "fallback"), ("hands", "coins")):
        if name in names and other in names:
            raise ValueError(f"options {name!r} and {other!r} exclude each other: {name} leaves no use for {other}")


def parse_arrangement(name: str, value: Any) -> Integers:
    """13 placements that share no square and make up the set, sorted. Raises ValueError."""
    placements = np.sort(integers(name, value, (board.NUM_POLYOMINOES,), board.NUM_PLACEMENTS))
    kinds = np.bincount(board.KIND[placements], minlength=board.NUM_KINDS)
    if not np.array_equal(kinds, board.COPIES):
        raise ValueError(f"option {name!r} has {describe(kinds)}; expected {describe(board.COPIES)}")
    squares = [square for placement in placements for square in board.PLACEMENTS[placement]]
    twice = sorted({square for square in squares if squares.count(square) > 1})
    if twice:
        raise ValueError(f"option {name!r} covers squares twice: {twice}; expected placements that share none")
    return placements


def parse_coins(name: str, value: Any) -> Integers:
    """The winner, 0 or 1, of each of the 7 rounds. Raises ValueError."""
    return integers(name, value, (board.ROUNDS,), 2)


def parse_hands(name: str, value: Any) -> Integers:
    """Of each player, how many he has of each of the 8 kinds: the whole set together. Raises ValueError."""
    hands = integers(name, value, (2, board.NUM_KINDS), board.COPIES.max() + 1)
    kinds = hands.sum(axis=0)
    if not np.array_equal(kinds, board.COPIES):
        raise ValueError(f"option {name!r} has {describe(kinds)} together; expected {describe(board.COPIES)}")
    return hands


def integers(name: str, value: Any, shape: tuple[int, ...], end: int) -> Integers:
    """`value` as an int64 array of `shape`, all in [0, end). Raises ValueError."""
    expected = f"expected {' x '.join(map(str, shape))} integers from 0 to {end - 1}"
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise ValueError(f"option {name!r} is {value!r}; {expected}") from None
    if array.shape != shape or array.dtype.kind not in "iu" or not np.all((array >= 0) & (array < end)):
        raise ValueError(f"option {name!r} is {value!r}; {expected}")
    return array.astype(np.int64)


def describe(kinds: Integers) -> str:
    """`4 D, 2 I3, ...`."""
    return ", ".join(f"{count} {kind}" for kind, count in zip(board.KINDS, kinds, strict=True))


PARSERS = {
    "arrangement": parse_arrangement,
    "fallback": parse_arrangement,
    "coins": parse_coins,
    "hands": parse_hands,
}
