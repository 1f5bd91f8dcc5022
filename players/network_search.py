"""Search with a network (PUCT), many games in step, so that the network judges a batch of positions at a time.

Knows no library of networks: whatever makes priors and values of observations and masks will do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ..envs.core import batch
from ..envs.core.checks import as_array, check_count, check_number
from ..envs.core.game import Game
from ..envs.core.record import RUNNING
from ..envs.core.registry import as_game
from ..envs.core.types import Actions, Mask, Observation, Reals, Records
from .base import Positions, SeededPlayer
from .tree import Trees, expand_leaves, mix_priors, plant_all, root_visits, select_leaves

Judge: TypeAlias = Callable[[Observation, Mask], tuple[Reals, Reals]]
"""judge(observation, action_mask) of k positions of running games: priors float32 (k, num_actions), probabilities over
what is legal, and values float32 (k,) in [-1, 1] for the player to act."""


LARGEST = 1.01  # of priors and values; networks round


class NetworkSearch:
    """Searches `n` positions in step, each in a tree of its own, `simulations` positions judged in each."""

    def __init__(self, game: Game | str, n: int, simulations: int, exploration: float = 1.5) -> None:
        """`game`: a Game or a name; `exploration`: weight of the priors against the values found.

        Memory: `n * (simulations + 1)` records, and 50 MB for the trees' edges, or what all roots have if that is more.
        Raises ValueError for counts below 1, and for an exploration that is not finite or below 0.
        """
        check_count("n", n)
        check_count("simulations", simulations)
        check_number("exploration", exploration, least=0)
        self.game = game = as_game(game)
        n, self.simulations = int(n), int(simulations)
        self.exploration = float(exploration)
        self.trees = Trees(game, n, self.simulations + 1, 1)
        self.leaves = np.zeros(n, np.int64)
        self.leaf_states = game.blank_states(n)
        self.actions = np.zeros((n, self.simulations), np.int64)
        self.visits = np.zeros((n, self.simulations), np.int64)

    def run(
        self, roots: Records, judge: Judge, rng: np.random.Generator, noise: float = 0.0, concentration: float = 0.5
    ) -> tuple[Actions, Actions]:
        """Search the positions `roots`, (n,) records of running games.

        Returns the actions visited in each and how often, int64 (n, simulations), written in place; where fewer were
        visited, the rest are 0 and 0. `noise`: the share of a Dirichlet distribution with `concentration` in the
        priors of the roots, for self-play. Raises ValueError for roots of which there are more or fewer than trees, or
        whose games are over, and for a judge whose priors or values do not fit.
        """
        most_legal = self._check_roots(roots)
        check_number("noise", noise, least=0)
        check_number("concentration", concentration, least=0)
        if not isinstance(rng, np.random.Generator) or noise > 1:
            raise ValueError(f"rng {rng!r}, noise {noise}; expected a NumPy generator, and a share of at most 1")
        trees = self.trees
        trees.make_room(most_legal)
        plant_all(trees.heads, trees.nodes, trees.states, roots, rng.integers(1, 2**64, len(roots), np.uint64))
        self._visit(judge)  # the roots themselves
        if noise:
            weights = rng.gamma(concentration, size=(len(roots), most_legal)) + 1e-9
            mix_priors(trees.nodes, trees.edges, weights, noise)
        for _ in range(self.simulations):
            self._visit(judge)
        root_visits(trees.nodes, trees.edges, self.actions, self.visits)
        return self.actions, self.visits

    def _check_roots(self, roots: Records) -> int:
        """How many actions the roots have at most. Raises ValueError if they are none that can be searched."""
        n = len(self.leaves)
        positions = Positions(self.game, roots)
        positions.check_running()
        if len(roots) != n:
            raise ValueError(f"{len(roots)} roots for {n} trees; expected as many")
        legal = positions.action_mask.sum(axis=1, dtype=np.int64)
        if not legal.all():
            raise ValueError(f"root {int(legal.argmin())} has no legal action, though its game is not over")
        return int(legal.max())

    def _visit(self, judge: Judge) -> None:
        """Let every tree reach one position, and the network judge those of games that go on."""
        trees, leaves = self.trees, self.leaf_states
        select_leaves(trees.heads, trees.nodes, trees.edges, trees.states, self.exploration, self.leaves, leaves)
        running = np.flatnonzero(leaves["status"] == RUNNING)
        if running.size:
            states = leaves.take(running)
            mask = batch.masks(self.game, states)
            seen = batch.observations(self.game, states, states["player"])
            priors, values = judged(judge, seen, mask.copy())
            expand_leaves(
                trees.heads, trees.nodes, trees.edges, trees.states, self.leaves, running, mask, priors, values
            )


def judged(judge: Judge, observation: Observation, mask: Mask) -> tuple[Reals, Reals]:
    """What `judge` says of k positions: priors float32 (k, num_actions) and values float64 (k,).

    Raises ValueError, with its name, if it says anything else, or what is no prior or value.
    """
    name = f"the judge {getattr(judge, '__qualname__', type(judge).__name__)}"
    answer = judge(observation, mask)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise ValueError(f"{name} gave {type(answer).__name__}; expected priors and values")
    priors = reals(f"the priors of {name}", answer[0], mask.shape, np.float32)
    values = reals(f"the values of {name}", answer[1], (len(mask),), np.float64)
    if not ((priors >= 0) & (priors <= LARGEST)).all():  # NaN is neither
        raise ValueError(f"the priors of {name} are not all finite and at least 0; expected probabilities")
    if not (np.abs(values) <= LARGEST).all():
        raise ValueError(f"the values of {name} are not all within -1 and 1")
    return priors, values


def reals(name: str, values: Any, shape: tuple[int, ...], dtype: type[np.floating[Any]]) -> Reals:
    """Numbers of `shape` as a C array of `dtype`. Raises ValueError for anything else."""
    array = as_array(name, values)
    if array.shape != shape or array.dtype.kind not in "fiu":
        raise ValueError(f"{name} are {array.dtype}{array.shape}; expected numbers of shape {shape}")
    return np.ascontiguousarray(array, dtype)


class NetworkSearchPlayer(SeededPlayer):
    """Plays what a search with `judge` visits most."""

    def __init__(self, judge: Judge, simulations: int, exploration: float = 1.5, seed: int | None = None) -> None:
        """Arguments as for NetworkSearch; chance plays a part in games with chance only."""
        check_count("simulations", simulations)
        check_number("exploration", exploration, least=0)
        self.judge = judge
        self.simulations = int(simulations)
        self.exploration = exploration
        super().__init__(seed)

    def choose(self, positions: Positions) -> Actions:
        """The most visited action of each position: int64 (k,). Raises ValueError for a game that is over."""
        search = NetworkSearch(positions.game, len(positions.states), self.simulations, self.exploration)
        actions, visits = search.run(positions.states, self.judge, self.rng)
        most_visited: Actions = actions[np.arange(len(actions)), visits.argmax(axis=1)]
        return most_visited
