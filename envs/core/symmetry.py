"""What a symmetry of a game is: index arrays that map observation, mask and action together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .types import Actions, Integers, Observation


class Renamed(NamedTuple):
    """Actions whose number depends on the position, not on the symmetry alone."""

    first: int
    """The actions are `first`, ..., `stop` - 1."""
    stop: int
    rename: Callable[[Observation, Integers], Integers]
    """rename(observation, offset): the offset that `first + offset[k]` gets where `observation[k]` is seen, (k,)."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """One symmetry of a game's board: its image of a position has the image's legal actions, and goes on alike.

    For arrays of one position, flattened in the order in which the environment gives them (channels last):

        image = observation.ravel()[symmetry.observation]
        image_mask = action_mask[symmetry.mask]
        image_action = symmetry.action[action]

    where `renamed` is None. `wrappers.symmetry.augment` does this for batches, and the renaming.
    """

    name: str
    observation: Actions
    """int64 (size of an observation,): which entry of the observation each entry of the image is."""
    mask: Actions
    """int64 (num_actions,): which action each action of the image is; the inverse of `action`."""
    action: Actions
    """int64 (num_actions,): what each action becomes."""
    swaps_players: bool = False
    """Whether player 0 becomes player 1. No observation shows it: it speaks of own and opponent's."""
    renamed: Renamed | None = None


def make_symmetry(
    name: str,
    observation: Integers,
    action: Integers,
    swaps_players: bool = False,
    renamed: Renamed | None = None,
) -> Symmetry:
    """`observation`: the image of `numbered(shape)`; `action`: what each action becomes. The arrays are read-only."""
    arrays = observation.ravel().astype(np.int64), np.argsort(action), action.astype(np.int64)
    for array in arrays:
        array.flags.writeable = False
    return Symmetry(name, *arrays, swaps_players, renamed)


def numbered(shape: tuple[int, ...]) -> Actions:
    """An observation in which every entry is its own number, in place of floats: int64 of `shape`."""
    return np.arange(np.prod(shape)).reshape(shape)


SWITCHES = tuple((t, r, c) for t in (False, True) for r in (False, True) for c in (False, True))
"""The 8 symmetries of a square: `transpose` first, then `flip_rows`, then `flip_columns`; the identity first."""


def switches_name(transpose: bool, flip_rows: bool, flip_columns: bool) -> str:
    """The switches that are on, in words."""
    switches = {"transpose": transpose, "flip rows": flip_rows, "flip columns": flip_columns}
    return ", ".join(name for name, on in switches.items() if on) or "identity"
