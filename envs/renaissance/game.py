"""The facts of Renaissance, and its reset options."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.dispatch import Rules, register
from ..core.game import Game, check_choice, check_count
from . import board, rules
from .observation import NUM_CHANNELS, channels, observe

TURNS = ("staged", "joint")
OPTIONS = ("arrangement", "fallback", "coins", "hands")
DRAFT_DECISIONS = 12  # the 13th polyomino is handed over without one
PHASE_1_DECISIONS = 86  # 40 markers return from the polyominoes; when the last is taken at most 46 lie on the board
PREPARATION_DECISIONS = 8
RELOCATION_TURNS = 13  # one polyomino each; the last has no move

register(rules.STATE, Rules(rules.reset, rules.legal_actions, rules.play, observe))


def game(
    variant: str = "full",
    turns: str = "staged",
    setup: str = "players",
    distribution: str = "players",
    max_adjustments: int = 32,
) -> Game:
    """Renaissance; raises ValueError for bad arguments.

    `variant`: "full", "phase1" or "phase2" alone. `turns`: "staged" (a relocation turn is two decisions) or "joint"
    (it is one). `setup`: who arranges the polyominoes, "players" or "random". `distribution`: who shares them out in
    variant "phase2", "players" or "random". `max_adjustments`: adjustment turns after which the engine arranges.
    """
    check_choice("variant", variant, board.VARIANTS)
    check_choice("turns", turns, TURNS)
    check_choice("setup", setup, board.BY)
    check_choice("distribution", distribution, board.BY)
    check_count("max_adjustments", max_adjustments)
    if max_adjustments > np.iinfo(np.int32).max:
        raise ValueError(f"max_adjustments={max_adjustments}; expected at most {np.iinfo(np.int32).max}")
    parameters = {
        "variant": variant,
        "turns": turns,
        "setup": setup,
        "distribution": distribution,
        "max_adjustments": int(max_adjustments),
    }
    return Game(
        name="renaissance",
        parameters=parameters,
        template=make_template(**parameters),
        num_actions=board.NUM_JOINT if turns == "joint" else board.NUM_STAGED,
        observation_shape=(board.SIZE, board.SIZE, NUM_CHANNELS),
        channels=channels(),
        decisions=board.DECISIONS,
        reasons=board.REASONS,
        max_decisions=count_decisions(**parameters),
        has_chance=True,
        options=OPTIONS,
        set_options=set_options,
    )


def make_template(variant: str, turns: str, setup: str, distribution: str, max_adjustments: int) -> np.ndarray:
    """(1,) array of the record with the parameters, and no option given."""
    template = np.zeros(1, rules.STATE)
    template["variant"] = board.VARIANTS.index(variant)
    template["joint"] = TURNS.index(turns)
    template["setup"] = board.BY.index(setup)
    template["distribution"] = board.BY.index(distribution)
    template["max_adjustments"] = max_adjustments
    for name in ("arrangement", "fallback", "coins", "given_hands"):
        template[name] = board.NONE
    return template


def count_decisions(variant: str, turns: str, setup: str, distribution: str, max_adjustments: int) -> int:
    """The most decisions that a game can have.

    Arrangement: an adjustment takes two decisions, or one where nothing can be placed, which costs one more ordinary
    turn; so it is 2 for each adjustment, and 12 ordinary turns, since at the limit the 13th is still missing.
    """
    if variant == "phase2":
        first = DRAFT_DECISIONS if distribution == "players" else 0
    else:
        first = PHASE_1_DECISIONS + (12 + 2 * max_adjustments if setup == "players" else 0)
    if variant == "phase1":
        return first
    moves = 0 if turns == "joint" else RELOCATION_TURNS - 1
    return first + PREPARATION_DECISIONS + RELOCATION_TURNS + moves


def set_options(state: Any, options: Mapping[str, Any]) -> None:
    """Write the reset options `arrangement`, `fallback`, `coins`, `hands` into a record about to be reset.

    Raises ValueError if one is malformed or has no part in this variant, and then leaves `state` as it was.
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


def parse_arrangement(name: str, value: Any) -> np.ndarray:
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


def parse_coins(name: str, value: Any) -> np.ndarray:
    """The winner, 0 or 1, of each of the 7 rounds. Raises ValueError."""
    return integers(name, value, (board.ROUNDS,), 2)


def parse_hands(name: str, value: Any) -> np.ndarray:
    """Of each player, how many he has of each of the 8 kinds: the whole set together. Raises ValueError."""
    hands = integers(name, value, (2, board.NUM_KINDS), board.COPIES.max() + 1)
    kinds = hands.sum(axis=0)
    if not np.array_equal(kinds, board.COPIES):
        raise ValueError(f"option {name!r} has {describe(kinds)} together; expected {describe(board.COPIES)}")
    return hands


def integers(name: str, value: Any, shape: tuple[int, ...], end: int) -> np.ndarray:
    """`value` as an int64 array of `shape`, all in [0, end). Raises ValueError."""
    expected = f"expected {' x '.join(map(str, shape))} integers from 0 to {end - 1}"
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise ValueError(f"option {name!r} is {value!r}; {expected}") from None
    if array.shape != shape or array.dtype.kind not in "iu" or not np.all((array >= 0) & (array < end)):
        raise ValueError(f"option {name!r} is {value!r}; {expected}")
    return array.astype(np.int64)


def describe(kinds: np.ndarray) -> str:
    """`4 D, 2 I3, ...`."""
    return ", ".join(f"{count} {kind}" for kind, count in zip(board.KINDS, kinds, strict=True))


PARSERS = {
    "arrangement": parse_arrangement,
    "fallback": parse_arrangement,
    "coins": parse_coins,
    "hands": parse_hands,
}
