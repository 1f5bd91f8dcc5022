"""`Game`: the facts of one game in one variant, and what can be done with its records without an environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

Record = Any  # one element of an array of records: np.record


@dataclass(frozen=True, eq=False)
class Game:
    """One game in one variant. Made by the `game(...)` function of each game's package.

    Pickles as its name and parameters. Two games are equal if those are.
    """

    name: str
    """Name of the package, as in `nakajima_zoo.envs.<name>`."""
    parameters: Mapping[str, Any]
    """All arguments of `game(...)`, defaults filled in."""
    template: np.ndarray
    """(1,) array of the game's record: parameters filled in, the rest zero. Read-only."""
    num_actions: int
    observation_shape: tuple[int, ...]
    channels: tuple[str, ...]
    """What the last axis of the observation holds."""
    decisions: tuple[str, ...]
    """Names of the kinds of decision, by the record's field `decision`."""
    reasons: tuple[str, ...]
    """Why a game ended, by the record's field `reason`."""
    max_decisions: int
    """No game has more decisions than this."""
    notation: ModuleType
    """Text of actions and positions: `action_to_text`, `text_to_action`, `state_to_text`, `text_to_state`."""
    has_chance: bool = False
    """Whether the seed plays a part in the game itself."""
    set_options: Callable[[Record, Mapping[str, Any]], None] | None = None
    """`set_options(state, options)` writes the game's own reset options into a record; raises ValueError."""
    options: tuple[str, ...] = field(default=())
    """Names of the game's own reset options."""
