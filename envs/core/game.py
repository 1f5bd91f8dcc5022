"""`Game`: the facts of one game in one variant, and what can be done with its records without an environment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from . import loops
from .record import RUNNING

Record = Any  # one element of an array of records: np.record

GAMES = ("scalas", "ring_world", "tsukiji", "renaissance")
VERSION = 0
"""The number in `scalas_v0`. Raised when a change makes old results not comparable with new ones."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """One game in one variant, as made by the `game(...)` function of each game's package.

    Pickles as its name and parameters; two games are equal if those are.
    """

    name: str
    """Name of the package, as in `nakajima_zoo.envs.<name>`."""
    parameters: Mapping[str, Any]
    """All arguments of `game(...)`, defaults filled in."""
    template: np.ndarray
    """(1,) array of the game's record: parameters filled in, the rest as it is before `reset`. Read-only."""
    num_actions: int
    observation_shape: tuple[int, ...]
    channels: tuple[str, ...]
    """What each index of the observation's last axis holds."""
    decisions: tuple[str, ...]
    """Names of the kinds of decision, by the record's field `decision`."""
    reasons: tuple[str, ...]
    """Why a game ended, by the record's field `reason`."""
    max_decisions: int
    """No game has more decisions than this."""
    has_chance: bool = False
    """Whether the seed plays a part in the game itself."""
    options: tuple[str, ...] = ()
    """Names of the reset options of this game alone, beside `state` and `actions`."""
    set_options: Callable[[Record, Mapping[str, Any]], None] | None = None
    """Writes those options into a record that is about to be reset; raises ValueError for bad ones."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        self.template.flags.writeable = False

    @property
    def notation(self) -> ModuleType:
        """Text of actions and positions: `action_to_text`, `text_to_action`, `state_to_text`, `text_to_state`."""
        return import_module(f"..{self.name}.notation", __package__)

    @property
    def drawing(self) -> ModuleType:
        """Pictures of positions: `draw`. Needs the extra `render`."""
        return import_module(f"..{self.name}.drawing", __package__)

    def new_states(self, n: int, seeds: Collection[int] | None = None) -> np.ndarray:
        """`n` games in their start position, (n,) array of records.

        `seeds`: one per game; they decide all chance in the games. Games without chance ignore them.
        """
        states = self.blank_states(n)
        if seeds is not None:
            self.seed(states, seeds)
        loops.reset_all(states)
        return states

    def blank_states(self, n: int) -> np.ndarray:
        """`n` records with this variant's parameters, to be filled by `reset`."""
        return np.repeat(self.template, n)

    def seed(self, states: np.ndarray, seeds: Collection[int]) -> None:
        """Set the random state of each game, in place; nothing to do in games without chance."""
        if len(seeds) != len(states):
            raise ValueError(f"{len(seeds)} seeds for {len(states)} games; expected one per game")
        if self.has_chance:
            states["rng"] = [random_state(seed) for seed in seeds]

    def mask(self, states: np.ndarray, i: int = 0) -> np.ndarray:
        """What the player to act may do in game `i`: int8 (num_actions,), all 0 when the game is over."""
        mask = np.empty(self.num_actions, np.int8)
        loops.mask_at(states, i, mask)
        return mask

    def observation(self, states: np.ndarray, player: int, i: int = 0) -> np.ndarray:
        """What `player` (0 or 1) sees of game `i`: float32 of `observation_shape`."""
        observation = np.empty(self.observation_shape, np.float32)
        loops.observe_at(states, i, player, observation)
        return observation

    def result(self, state: Record) -> dict[str, Any] | None:
        """None while the game runs; then winner (0, 1 or None), reason, scores and whether it was truncated."""
        if state.status == RUNNING:
            return None
        return {
            "winner": int(state.winner) if state.winner >= 0 else None,
            "reason": self.reasons[state.reason],
            "scores": tuple(state.scores.tolist()),
            "truncated": bool(state.status != 1),
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.parameters.items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        return make_game, (self.name, dict(self.parameters))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"


def make_game(name: str, parameters: Mapping[str, Any] | None = None) -> Game:
    """The game called `name` (one of GAMES) with `parameters`; raises ValueError for an unknown name or parameter."""
    check_choice("game", name, GAMES)
    make = import_module(f"..{name}", __package__).game
    try:
        return make(**(parameters or {}))
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None


def random_state(seed: int) -> np.uint64:
    """A random state, never 0, from any non-negative integer."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] | np.uint64(1)


def check_choice(name: str, value: Any, choices: Collection[Any]) -> None:
    """Raise ValueError if `value` is none of `choices`."""
    if isinstance(value, bool) or value not in choices:
        raise ValueError(f"{name}={value!r}; expected one of {', '.join(map(repr, choices))}")


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Raise ValueError if `value` is not an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name}={value!r}; expected an integer of at least {least}")
