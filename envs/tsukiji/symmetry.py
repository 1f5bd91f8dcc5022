"""The symmetries of Tsukiji, for data augmentation: what is legal and how the game goes on stays the same under them.

`transpose` mirrors the board on the main diagonal a8-h1. `rotate` turns it by 180 degrees and swaps the players, which
the observation does not show: it speaks of own and opponent's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.game import Game
from ..core.symmetry import Symmetry, make_symmetry, numbered
from ..core.types import Integers
from . import rules


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All 4, the identity first.

    Those that rotate map a setup choice of one player to one of the other: alike for the rules, but player 0 chooses
    first, so that their image of a setup choice is a position that no game comes to.
    """
    return tuple(_symmetry(game, transpose, rotate) for transpose in (False, True) for rotate in (False, True))


def _symmetry(game: Game, transpose: bool, rotate: bool) -> Symmetry:
    image = transform_observation(numbered(game.observation_shape), transpose, rotate)
    actions = action_map(transpose, rotate, joint=game.parameters["turns"] == "joint")
    names = {"transpose": transpose, "rotate and swap the players": rotate}
    name = ", ".join(name for name, on in names.items() if on) or "identity"
    return make_symmetry(name, image, actions, swaps_players=rotate)


def square_map(transpose: bool, rotate: bool) -> Integers:
    """Where each square goes, int64 (64,)."""
    squares = np.arange(rules.NUM_SQUARES).reshape(rules.SIZE, rules.SIZE)
    if transpose:
        squares = squares.T
    if rotate:
        squares = squares[::-1, ::-1]
    return np.argsort(squares.ravel())


def action_map(transpose: bool, rotate: bool, joint: bool = False) -> Integers:
    """What each action becomes, int64 (1264,) or, joint, (76611,): `new_mask[action_map] = mask`."""
    to = square_map(transpose, rotate)
    bridges = _line_map(to, rules.BRIDGE_SQUARES)
    staged = np.concatenate(
        [
            np.arange(rules.NUM_MARKED),
            rules.SHIP_LAND + _land_map(to),
            rules.SHIP_BUILDING + to,
            rules.SHIP_BRIDGE + bridges,
            rules.TRUCK_BUILDING + to,
            rules.TRUCK_BRIDGE + bridges,
            [rules.TRUCK_NOTHING],
            rules.MOVE + to,
        ]
    )
    if not joint:
        return staged
    constructions = staged[rules.SHIP_LAND : rules.MOVE] - rules.SHIP_LAND
    turns = rules.NUM_MARKED + rules.NUM_SQUARES * constructions[:, None] + to
    return np.concatenate([staged[: rules.NUM_MARKED], turns.ravel()])


def transform_observation(observation: NDArray[Any], transpose: bool, rotate: bool) -> NDArray[Any]:
    """The observation, (..., 8, 8, 21), after the symmetry; a view."""
    if transpose:
        observation = observation.swapaxes(-3, -2)
    return observation[..., ::-1, ::-1, :] if rotate else observation


def _line_map(to: Integers, lines: Integers) -> Integers:
    """Which of `lines`, rows of squares, each of them becomes."""
    numbers = {tuple(line): number for number, line in enumerate(lines.tolist())}
    return np.array([numbers[tuple(sorted(line))] for line in to[lines].tolist()])


def _land_map(to: Integers) -> Integers:
    """What 3 * placement + j becomes for each land placement and each of its squares j."""
    lines = to[rules.PLACEMENT_SQUARES]
    order = np.argsort(np.argsort(lines, axis=1), axis=1)  # j of each square among those of the new placement
    return (3 * _line_map(to, rules.PLACEMENT_SQUARES)[:, None] + order).ravel()
