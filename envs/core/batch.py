"""`Batch`: many games of one kind, stepped together.

A batch is an array of records; the kernels that play one game run in a loop over it, one share of the games a thread.
Threads instead of Numba's `prange`, since the kernels hold no lock: they compile faster, survive a fork, and may be
called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import loops
from .checks import check_choice, check_count
from .game import Game
from .record import copy_records
from .registry import as_game
from .seeds import fresh_seed, seeds_of
from .threads import cores, share_out
from .types import Actions, Flags, Integers, Mask, Observation, Reals, Records, Rewards

LEAST_SHARE = 32  # games of a share at least: below, waking a thread takes longer than playing them
LEAST_ENTRIES = 500_000  # entries of masks in a share at least, for the same reason
ILLEGAL_ACTION_POLICIES = ("raise", "lose")

Scalar = TypeVar("Scalar", bound=np.generic)


class Batch:
    """`n` games of one kind. All arrays are the batch's own (or the caller's) and are written in place by every step.

    - `states` (n,): the records.
    - `to_play` (n,) int8: the player to act, 0 or 1.
    - `action_mask` (n, num_actions) int8, `observation` (n, *observation_shape) float32: of the player to act.
    - `rewards` (n, 2) float32, `terminated` (n,) bool, `truncated` (n,) bool: what the last step brought.
    - `final_states` (n,): where a game ended, its last record; elsewhere what it held before.

    A game that ends begins anew within the same step: its rewards and flags are those of the game that ended, and
    `to_play`, `action_mask` and `observation` belong to the new game. Game `i` of a batch that was reset with `seed`
    equals an environment that was reset with `seed + i`.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        illegal_action: str = "raise",
        num_threads: int | None = None,
        action_mask: Mask | None = None,
        observation: Observation | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        """`game`: a Game or a name; `illegal_action`: "raise", or "lose" the game; `num_threads`: all cores by default.

        `action_mask`, `observation`: arrays of the caller to write into. `options`: the game's own reset options, for
        every game that begins. Raises ValueError for bad arguments.
        """
        check_count("n", n)
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTION_POLICIES)
        self.game = game = as_game(game)
        self.n = n
        self.illegal_action = illegal_action
        if num_threads is not None:
            check_count("num_threads", num_threads)
        self.num_threads = num_threads or cores()
        blank = game.blank_states(1)
        game.give_options(blank, options or {})
        self.states = blank.repeat(n) if options else game.blank_states(n)
        self.final_states = copy_records(self.states)
        self.to_play = np.zeros(n, np.int8)
        self.action_mask = own_or_new("action_mask", action_mask, (n, game.num_actions), np.int8)
        self.observation = own_or_new("observation", observation, (n, *game.observation_shape), np.float32)
        self.rewards = np.zeros((n, 2), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self._all = np.arange(n)
        self._seeded = False

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin all games. With a seed, game `i` gets the seed `seed + i`, or `seed[i]` of a list of seeds.

        Without one the random states go on. Raises ValueError for anything else.
        """
        if seed is not None or not self._seeded:
            self.game.seed(self.states, seeds_of(seed if seed is not None else fresh_seed(), self.n))
            self._seeded = True
        self._clear()
        self._run(self._all, True, self._all)

    def step(self, actions: Integers, rows: Integers | None = None) -> tuple[Rewards, Flags, Flags]:
        """Play `actions[k]` in game `rows[k]`, in all games by default; returns `rewards, terminated, truncated`.

        Where no game was stepped, rewards are 0 and flags False. Raises ValueError for an illegal action (unless they
        lose) and for arrays that do not fit, and RuntimeError before `reset`; nothing has changed then.
        """
        if not self._seeded:
            raise RuntimeError("no games are running; call reset() first")
        rows = self._all if rows is None else self._check_rows(rows)
        actions = self._check_actions(actions, rows)
        self._clear()
        self._run(rows, False, actions)
        return self.rewards, self.terminated, self.truncated

    def final_observation(self, rows: Integers, players: Integers) -> Observation:
        """What `players[k]` saw at the end of the last game that ended in `rows[k]`, (k, *observation_shape)."""
        return observations(self.game, self.final_states.take(rows), players)

    def _clear(self) -> None:
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    def _check_rows(self, rows: Integers) -> Actions:
        rows = np.asarray(rows)
        valid = rows.ndim == 1 and np.issubdtype(rows.dtype, np.integer)
        if not valid or (rows.size and not 0 <= rows.min() <= rows.max() < self.n):
            raise ValueError(f"rows {rows!r}; expected a list of indices from 0 to {self.n - 1}")
        if np.unique(rows).size != rows.size:
            raise ValueError(f"rows {rows!r}; expected each game at most once")
        return rows.astype(np.int64, copy=False)

    def _check_actions(self, actions: Integers, rows: Actions) -> Actions:
        actions = np.asarray(actions)
        if actions.shape != rows.shape or not (np.issubdtype(actions.dtype, np.integer) or not actions.size):
            raise ValueError(f"actions {actions.dtype}{actions.shape}; expected integers of shape {rows.shape}")
        numbers = actions.astype(np.int64, copy=False)
        k = loops.first_illegal(rows, numbers, self.action_mask) if self.illegal_action == "raise" else -1
        if k >= 0:
            i = int(rows[k])
            raise ValueError(f"action {numbers[k]} is not legal in game {i} for player {self.to_play[i]}")
        return numbers

    def _run(self, rows: Actions, begin: bool, actions: Actions) -> None:
        """Step the games of `rows`, or begin them anew, one share a thread."""

        def run(start: int, stop: int) -> None:
            loops.step_games(
                self.states,
                rows,
                start,
                stop,
                begin,
                actions,
                self.to_play,
                self.action_mask,
                self.observation,
                self.rewards,
                self.terminated,
                self.truncated,
                self.final_states,
            )

        share_out(run, rows.size, rows.size // LEAST_SHARE, self.num_threads)


def uniform_actions(mask: Mask, uniform: Reals) -> Actions:
    """The legal action that `uniform[i]`, in [0, 1), picks from `mask[i]`: int64 (k,); -1 where there is none."""
    actions = np.empty(len(mask), np.int64)

    def run(start: int, stop: int) -> None:
        loops.uniform_actions(mask[start:stop], uniform[start:stop], actions[start:stop])

    share_out(run, len(mask), mask.size // LEAST_ENTRIES, cores())
    return actions


def own_or_new(
    name: str, array: NDArray[Scalar] | None, shape: tuple[int, ...], dtype: type[Scalar]
) -> NDArray[Scalar]:
    """The caller's array, checked, or a new one. Raises ValueError if the caller's does not fit."""
    if array is None:
        return np.zeros(shape, dtype)
    if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError(f"{name} {array.dtype}{array.shape}; expected a writeable C array {np.dtype(dtype)}{shape}")
    return array


def observations(game: Game, states: Records, players: Integers) -> Observation:
    """What `players[i]` sees of `states[i]`: float32 (k, *observation_shape)."""
    observation = np.empty((len(states), *game.observation_shape), np.float32)
    loops.observe_all(states, np.asarray(players, np.int64), observation)
    return observation


def masks(game: Game, states: Records) -> Mask:
    """What the player to act may do in each of `states`: int8 (k, num_actions)."""
    mask = np.empty((len(states), game.num_actions), np.int8)
    loops.mask_all(states, mask)
    return mask
