"""Players: whatever chooses actions. One interface for random and greedy players, trained models, search and people.

A player is asked for many positions at once, so that a network is evaluated once for a whole batch.
"""

from __future__ import annotations

import copy
import random
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core import batch
from ..envs.core.batch import Batch, first_illegal
from ..envs.core.checks import as_actions, as_array, as_integers
from ..envs.core.game import Game
from ..envs.core.record import NOBODY, copy_records
from ..envs.core.seeds import generator
from ..envs.core.types import Actions, Integers, Mask, Observation, Record, Records


class Positions:
    """k positions in which a player is asked for a decision.

    `game`: what is played. `states` (k,): the records, which a player must not write into. `rows` (k,): the rows of
    the batch that they come from.

    The records are those of the games but for their random states, which tell nothing about the chance to come.
    """

    def __init__(
        self,
        game: Game,
        states: Records,
        rows: Integers | None = None,
        observation: Observation | None = None,
        action_mask: Mask | None = None,
    ) -> None:
        """`observation` and `action_mask` are worked out when first asked for, unless they are given.

        Raises ValueError for records of another game, and for arrays that do not fit them.
        """
        game.check_headers(game.check_records(states))
        self.game = game
        self._given = states
        self.rows = np.arange(len(states)) if rows is None else as_integers("rows", rows, states.shape)
        if observation is not None:
            self.observation = one_each("observation", observation, len(states))
        if action_mask is not None:
            self.action_mask = one_each("action_mask", action_mask, len(states))
            if self.action_mask.shape != (len(states), game.num_actions):
                raise ValueError(f"action_mask {action_mask.shape}; expected {(len(states), game.num_actions)}")

    @classmethod
    def of_batch(cls, batch: Batch, rows: Integers) -> Positions:
        """The positions in some rows of a batch, as copies."""
        return cls(batch.game, batch.states.take(rows), rows, batch.observation[rows], batch.action_mask[rows])

    @classmethod
    def of_state(cls, game: Game, state: Record) -> Positions:
        """The one position of a record."""
        return cls(game, np.array([state], game.template.dtype))

    def __getitem__(self, chosen: Integers) -> Positions:
        """Some of the positions."""
        chosen = np.arange(len(self.rows))[chosen]
        states = self._given.take(chosen)  # ten times as fast as indexing an array of records
        return Positions(self.game, states, self.rows[chosen], self.observation[chosen], self.action_mask[chosen])

    @cached_property
    def states(self) -> Records:
        """The records, (k,), not to be written into. Hiding the chance takes a copy, made when first asked for."""
        return self.game.without_chance(self._given)

    def check_running(self) -> None:
        """Raise ValueError if a game is over: nobody has anything to choose there."""
        over = np.flatnonzero(self._given["player"] == NOBODY)
        if over.size:
            raise ValueError(f"game {self.rows[over[0]]} is over: nobody is to act")

    @cached_property
    def observation(self) -> Observation:
        """What the player to act sees: float32 (k, *observation_shape)."""
        return batch.observations(self.game, self.states, self.states["player"])

    @cached_property
    def action_mask(self) -> Mask:
        """What the player to act may do: int8 (k, num_actions)."""
        return batch.masks(self.game, self.states)


def one_each(name: str, values: Any, n: int) -> NDArray[Any]:
    """An array with a row for each of `n` positions. Raises ValueError for anything else."""
    array = as_array(name, values)
    if array.ndim < 2 or len(array) != n or array.dtype.kind not in "biuf":
        raise ValueError(f"{name} {array.dtype}{array.shape}; expected a row for each of {n} positions")
    return array


class Player(ABC):
    """What every player offers. Subclass it to plug in your own; only `choose` must be written."""

    @abstractmethod
    def choose(self, positions: Positions) -> Integers:
        """A legal action for each position: integers (k,)."""

    def reset(self, seed: int | None = None) -> None:  # noqa: B027 - nothing to do is a good default
        """Start all chance anew from `seed`."""

    def begin(self, rows: Integers) -> None:  # noqa: B027
        """Told that new games begin in these rows of the batch, integers (k,)."""

    def copy_for_use(self) -> Player:
        """A player who plays like this one, for somebody else's games: neither notices what the other is asked.

        Whoever lets players play makes such a copy first, so that one player can be given to many. Players, arrays,
        generators of random numbers, and lists, tuples, sets and dicts of them are copied; all else is shared, above
        all a network. A generator's copy draws other numbers. Override it where that is not right.
        """
        twin = copy.copy(self)
        twin.__dict__.update({name: own_copy(value) for name, value in vars(self).items()})
        return twin

    def act(self, env: Any) -> int:
        """The action of the agent to act in one environment of ours, wrapped or not; the environment is as before.

        Raises ValueError for another environment, for a game that is over, and for a choice that is not legal.
        """
        bare: Any = getattr(env, "unwrapped", None)
        if not hasattr(bare, "get_state"):
            raise ValueError(f"environment {env!r}; expected one of nakajima_zoo's games")
        state = bare.get_state()
        if state.player == NOBODY:
            raise ValueError("no game is running: nobody is to act")
        return int(choose_legal(self, Positions.of_state(bare.game, state))[0])


def own_copy(value: Any) -> Any:
    """What a copy of a player gets in the place of `value`: see `Player.copy_for_use`."""
    if isinstance(value, Player):
        return value.copy_for_use()
    if isinstance(value, np.random.Generator):
        return value.spawn(1)[0] if hasattr(value.bit_generator.seed_seq, "spawn") else copy.deepcopy(value)
    if isinstance(value, np.ndarray | np.random.RandomState | random.Random):
        return copy.deepcopy(value)
    if type(value) in (list, tuple, set):
        return type(value)(own_copy(each) for each in value)
    if type(value) is dict:
        return {key: own_copy(each) for key, each in value.items()}
    return value


class SeededPlayer(Player):
    """A player with chance of its own: `rng`, a NumPy generator."""

    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`. Raises ValueError for anything but a non-negative integer or None."""
        self.rng = generator(seed)


def choose_legal(player: Player, positions: Positions) -> Actions:
    """What `player` chooses, int64 (k,).

    Raises ValueError for a game that is over, and, with the player's name, for a choice that is not legal by the rules.
    """
    positions.check_running()
    game, states = positions.game, copy_records(positions.states)  # a player may write into what he is given
    actions = chosen_by(type(player).__name__, player.choose(positions), len(states))
    k = first_illegal(game, states, np.arange(len(states)), actions)
    if k >= 0:
        raise ValueError(
            f"{type(player).__name__} chose action {actions[k]}, which is not legal in game {positions.rows[k]}"
        )
    return actions


def chosen_by(name: str, actions: Any, k: int) -> Actions:
    """What `name` has chosen for `k` games, int64 (k,). Raises ValueError for anything but integers."""
    found = as_array(f"the choice of {name}", actions)
    try:
        return as_actions(found, k)
    except ValueError:
        what = f"{found.dtype}{found.shape}; expected an integer for each of {k} games"
        raise ValueError(f"{name} chose {what}") from None
