"""`Batch`: many games of one kind, stepped together.

A batch is an array of records; the kernels that play one game run in a loop over it, one share of the games a thread.
Threads instead of Numba's `prange`, since the kernels hold no lock: they compile faster, survive a fork, and may be
called from several threads at once.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from . import loops
from .game import Game, check_choice, check_count, check_seed, fresh_seed
from .record import copy_records

SHARES = 4  # for each thread
LEAST_SHARE = 32  # games of a share at least: below, waking a thread takes longer than playing them
LEAST_ENTRIES = 500_000  # entries of masks in a share at least, for the same reason
ILLEGAL_ACTION_POLICIES = ("raise", "lose")

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and size, since threads do not survive a fork


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
        game: Game,
        n: int,
        *,
        illegal_action: str = "raise",
        num_threads: int | None = None,
        action_mask: np.ndarray | None = None,
        observation: np.ndarray | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        """`illegal_action`: "raise", or "lose" the game; `num_threads`: all cores by default.

        `action_mask`, `observation`: arrays of the caller to write into. `options`: the game's own reset options, for
        every game that begins. Raises ValueError for bad arguments.
        """
        check_count("n", n)
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTION_POLICIES)
        self.game = game
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

    def step(self, actions: np.ndarray, games: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play `actions[k]` in game `games[k]`, in all games by default; returns `rewards, terminated, truncated`.

        Where no game was stepped, rewards are 0 and flags False. Raises ValueError for an illegal action (unless they
        lose) and for arrays that do not fit, and RuntimeError before `reset`; nothing has changed then.
        """
        if not self._seeded:
            raise RuntimeError("no games are running; call reset() first")
        games = self._all if games is None else self._check_games(games)
        actions = self._check_actions(actions, games)
        self._clear()
        self._run(games, False, actions)
        return self.rewards, self.terminated, self.truncated

    def final_observation(self, games: np.ndarray, players: np.ndarray) -> np.ndarray:
        """What `players[k]` saw at the end of the last game that ended in `games[k]`, (k, *observation_shape)."""
        return observations(self.game, self.final_states.take(games), players)

    def _clear(self) -> None:
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    def _check_games(self, games: np.ndarray) -> np.ndarray:
        games = np.asarray(games)
        valid = games.ndim == 1 and np.issubdtype(games.dtype, np.integer)
        if not valid or (games.size and not 0 <= games.min() <= games.max() < self.n):
            raise ValueError(f"games {games!r}; expected a list of indices from 0 to {self.n - 1}")
        if np.unique(games).size != games.size:
            raise ValueError(f"games {games!r}; expected each game at most once")
        return games.astype(np.int64, copy=False)

    def _check_actions(self, actions: np.ndarray, games: np.ndarray) -> np.ndarray:
        actions = np.asarray(actions)
        if actions.shape != games.shape or not (np.issubdtype(actions.dtype, np.integer) or not actions.size):
            raise ValueError(f"actions {actions.dtype}{actions.shape}; expected integers of shape {games.shape}")
        actions = actions.astype(np.int64, copy=False)
        k = loops.first_illegal(games, actions, self.action_mask) if self.illegal_action == "raise" else -1
        if k >= 0:
            i = int(games[k])
            raise ValueError(f"action {actions[k]} is not legal in game {i} for player {self.to_play[i]}")
        return actions

    def _run(self, games: np.ndarray, begin: bool, actions: np.ndarray) -> None:
        """Step `games`, or begin them anew, one share a thread."""

        def run(start: int, stop: int) -> None:
            loops.step_games(
                self.states,
                games,
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

        share_out(run, games.size, games.size // LEAST_SHARE, self.num_threads)


def seeds_of(seed: int | Sequence[int], n: int) -> Sequence[int]:
    """The seed of each of `n` games. Raises ValueError for anything but an integer or `n` of them."""
    if isinstance(seed, list | tuple | np.ndarray):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds for {n} games; expected one per game, or one for all")
        return [check_seed(each) for each in seed]
    first = check_seed(seed)
    return range(first, first + n)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(run: Callable[[int, int], None], size: int, most_shares: int, num_threads: int) -> None:
    """Call `run(start, stop)` for at most `most_shares` shares of `range(size)`, on several threads and on this one.

    A thread that is done takes the next share, since cores are seldom equally fast.
    """
    shares = max(1, min(SHARES * num_threads, most_shares))
    bounds = [size * share // shares for share in range(shares + 1)]
    waiting = itertools.pairwise(bounds)  # the threads take from one iterator, which only one can do at a time

    def work() -> None:
        for start, stop in waiting:
            run(start, stop)

    jobs = [thread_pool(num_threads).submit(work) for _ in range(min(num_threads, shares) - 1)]
    try:
        work()
    finally:
        for _ in waiting:  # after an error or an interruption nobody takes what is left
            pass
        for job in jobs:
            job.result()


def thread_pool(num_threads: int) -> ThreadPoolExecutor:
    """The threads that all batches of this process share."""
    key = os.getpid(), num_threads
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(num_threads, thread_name_prefix="nakajima_zoo")
    return _pools[key]


def uniform_actions(mask: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """The legal action that `uniform[i]`, in [0, 1), picks from `mask[i]`: int64 (k,); -1 where there is none."""
    actions = np.empty(len(mask), np.int64)

    def run(start: int, stop: int) -> None:
        loops.uniform_actions(mask[start:stop], uniform[start:stop], actions[start:stop])

    share_out(run, len(mask), mask.size // LEAST_ENTRIES, cores())
    return actions


def own_or_new(name: str, array: np.ndarray | None, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """The caller's array, checked, or a new one. Raises ValueError if the caller's does not fit."""
    if array is None:
        return np.zeros(shape, dtype)
    if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError(f"{name} {array.dtype}{array.shape}; expected a writeable C array {np.dtype(dtype)}{shape}")
    return array


def observations(game: Game, states: np.ndarray, players: np.ndarray) -> np.ndarray:
    """What `players[i]` sees of `states[i]`: float32 (k, *observation_shape)."""
    observation = np.empty((len(states), *game.observation_shape), np.float32)
    loops.observe_all(states, np.asarray(players, np.int64), observation)
    return observation


def masks(game: Game, states: np.ndarray) -> np.ndarray:
    """What the player to act may do in each of `states`: int8 (k, num_actions)."""
    mask = np.empty((len(states), game.num_actions), np.int8)
    loops.mask_all(states, mask)
    return mask
