"""`Batch`: many games of one kind, stepped together.

A batch is an array of records; the kernels that play one game run in a loop over it, one share of the games a thread.
Threads instead of Numba's `prange`, since the kernels hold no lock: they compile faster, survive a fork, and may be
called from several threads at once.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import loops
from .checks import as_actions, as_array, as_integers, as_options, check_choice, check_count
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
    - `action_mask` (n, num_actions) int8, `observation` (n, *observation_shape) float32: of the player to act. What is
      legal is what the rules say, whatever a caller has written into the mask.
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
        self.n = n = int(n)  # small kinds of NumPy integers cannot be reckoned with
        self.illegal_action = illegal_action
        if num_threads is not None:
            check_count("num_threads", num_threads)
        self.num_threads = int(num_threads or cores())
        blank, options = game.blank_states(1), as_options(options)
        game.give_options(blank, options)
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

    def __copy__(self) -> Batch:
        return copy.deepcopy(self)  # arrays that two batches write into would help nobody

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
        """What `players[k]` saw at the end of the last game that ended in `rows[k]`, (k, *observation_shape).

        Raises ValueError for arrays that do not fit, and where no game has ended.
        """
        return observations(self.game, self.final_states.take(self._in_range(rows)), players)

    def _clear(self) -> None:
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    def _in_range(self, rows: Integers) -> Actions:
        found = as_integers("rows", rows, (-1,))
        if found.size and not 0 <= found.min() <= found.max() < self.n:
            raise ValueError(f"rows {rows!r}; expected a list of indices from 0 to {self.n - 1}")
        return found

    def _check_rows(self, rows: Integers) -> Actions:
        found = self._in_range(rows)
        if np.unique(found).size != found.size:
            raise ValueError(f"rows {rows!r}; expected each game at most once")
        return found

    def _check_actions(self, actions: Integers, rows: Actions) -> Actions:
        numbers = as_actions(actions, rows.size)
        if self.illegal_action == "raise":
            k = first_illegal(self.game, self.states, rows, numbers)
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
                self.illegal_action == "raise",
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


def first_illegal(game: Game, states: Records, rows: Actions, actions: Actions) -> int:
    """The first k for which `actions[k]` is not legal in `states[rows[k]]` by the rules, or -1.

    On this thread: asking the rules about one action is sooner done than shared out.
    """
    return loops.first_illegal(states, rows, actions, np.empty(game.num_actions, np.int8))


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
    found = as_array(name, array)
    if found.shape != shape or found.dtype != dtype or not found.flags.c_contiguous or not found.flags.writeable:
        raise ValueError(f"{name} {found.dtype}{found.shape}; expected a writeable C array {np.dtype(dtype)}{shape}")
    return array


def observations(game: Game, states: Records, players: Integers) -> Observation:
    """What `players[i]`, 0 or 1, sees of `states[i]`: float32 (k, *observation_shape). Raises ValueError for others."""
    game.check_headers(game.check_records(states))
    numbers = as_integers("players", players, states.shape)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() <= 1:
        raise ValueError(f"players {players!r}; expected 0 or 1 for each game")
    observation = np.empty((len(states), *game.observation_shape), np.float32)
    loops.observe_all(states, numbers, observation)
    return observation


def masks(game: Game, states: Records) -> Mask:
    """What the player to act may do in each of `states`: int8 (k, num_actions). Raises ValueError for other records."""
    game.check_headers(game.check_records(states))
    mask = np.empty((len(states), game.num_actions), np.int8)
    loops.mask_all(states, mask)
    return mask
