"""Search with a network (PUCT), many games in step, so that the network judges a batch of positions at a time.

Knows no library of networks: whatever makes priors and values of observations and masks will do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ..envs.core import batch
from ..envs.core.checks import check_count
from ..envs.core.game import Game
from ..envs.core.record import RUNNING
from ..envs.core.types import Actions, Mask, Observation, Reals, Records
from .base import Positions, SeededPlayer
from .tree import Trees, expand_leaves, mix_priors, plant_all, root_visits, select_leaves

Judge: TypeAlias = Callable[[Observation, Mask], tuple[Reals, Reals]]
"""judge(observation, action_mask) of k positions of running games: priors float32 (k, num_actions), probabilities over
what is legal, and values float32 (k,) in [-1, 1] for the player to act."""


class NetworkSearch:
    """Searches `n` positions in step, each in a tree of its own, `simulations` positions judged in each."""

    def __init__(self, game: Game, n: int, simulations: int, exploration: float = 1.5) -> None:
        """`exploration`: weight of the priors against the values found. Raises ValueError for counts below 1."""
        check_count("n", n)
        check_count("simulations", simulations)
        self.game = game
        self.simulations = simulations
        self.exploration = exploration
        self.trees = Trees(game, n, simulations + 1)
        self.leaves = np.zeros(n, np.int64)
        self.leaf_states = game.blank_states(n)
        self.actions = np.zeros((n, simulations), np.int64)
        self.visits = np.zeros((n, simulations), np.int64)

    def run(
        self, roots: Records, judge: Judge, rng: np.random.Generator, noise: float = 0.0, concentration: float = 0.5
    ) -> tuple[Actions, Actions]:
        """Search the positions `roots`, (n,) records of running games.

        Returns the actions visited in each and how often, int64 (n, simulations), written in place; where fewer were
        visited, the rest are 0 and 0. `noise`: the share of a Dirichlet distribution with `concentration` in the
        priors of the roots, for self-play.
        """
        trees = self.trees
        plant_all(trees.heads, trees.nodes, trees.states, roots, rng.integers(1, 2**64, len(roots), np.uint64))
        self._visit(judge)  # the roots themselves
        if noise:
            weights = rng.gamma(concentration, size=(len(roots), self.game.num_actions)) + 1e-9
            mix_priors(trees.nodes, trees.edges, weights, noise)
        for _ in range(self.simulations):
            self._visit(judge)
        root_visits(trees.nodes, trees.edges, self.actions, self.visits)
        return self.actions, self.visits

    def _visit(self, judge: Judge) -> None:
        """Let every tree reach one position, and the network judge those of games that go on."""
        trees, leaves = self.trees, self.leaf_states
        select_leaves(trees.heads, trees.nodes, trees.edges, trees.states, self.exploration, self.leaves, leaves)
        running = np.flatnonzero(leaves["status"] == RUNNING)
        if running.size:
            states = leaves.take(running)
            mask = batch.masks(self.game, states)
            priors, values = judge(batch.observations(self.game, states, states["player"]), mask)
            expand_leaves(
                trees.heads, trees.nodes, trees.edges, trees.states, self.leaves, running, mask, priors, values
            )


class NetworkSearchPlayer(SeededPlayer):
    """Plays what a search with `judge` visits most."""

    def __init__(self, judge: Judge, simulations: int, exploration: float = 1.5, seed: int | None = None) -> None:
        """Arguments as for NetworkSearch; chance plays a part in games with chance only."""
        check_count("simulations", simulations)
        self.judge = judge
        self.simulations = simulations
        self.exploration = exploration
        super().__init__(seed)

    def choose(self, positions: Positions) -> Actions:
        """The most visited action of each position: int64 (k,)."""
        search = NetworkSearch(positions.game, len(positions.states), self.simulations, self.exploration)
        actions, visits = search.run(positions.states, self.judge, self.rng)
        most_visited: Actions = actions[np.arange(len(actions)), visits.argmax(axis=1)]
        return most_visited
