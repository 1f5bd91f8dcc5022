"""MCTS: a player that searches with random games (UCT), for every game and both forms of turns."""

from __future__ import annotations

import numpy as np

from ..envs.core.checks import check_count
from ..envs.core.threads import cores, share_out
from ..envs.core.types import Actions
from .base import Positions, SeededPlayer
from .tree import Trees, mcts_actions

NEVER = np.iinfo(np.int64).max  # a cut that no random game reaches


class MCTSPlayer(SeededPlayer):
    """Plays what a search of `simulations` random games visits most.

    It knows the rules only: no network, no score (unless `cut`). Positions are searched one by one, on all cores; a
    position's action depends on the position and its seed, not on the others.

    >>> player = MCTSPlayer(simulations=100, seed=1)
    """

    def __init__(
        self,
        simulations: int = 200,
        exploration: float = 1.0,
        cut: int | None = None,
        num_threads: int | None = None,
        seed: int | None = None,
    ) -> None:
        """`simulations` per decision; `exploration`: weight of what was tried little against what went well.

        `cut`: a random game ends after so many decisions, and counts for the share of points by which a player leads;
        None: it is played to its end. Raises ValueError for counts below 1.
        """
        check_count("simulations", simulations)
        for name, value in (("cut", cut), ("num_threads", num_threads)):
            if value is not None:
                check_count(name, value)
        self.simulations = simulations
        self.exploration = exploration
        self.cut = NEVER if cut is None else cut
        self.num_threads = num_threads or cores()
        super().__init__(seed)

    def choose(self, positions: Positions) -> Actions:
        """The most visited action of each position: int64 (k,). All positions must be of running games."""
        game, states = positions.game, positions.states
        seeds = self.rng.integers(1, 2**64, len(states), np.uint64)
        actions = np.empty(len(states), np.int64)

        def run(start: int, stop: int) -> None:
            trees = Trees(game, 1, self.simulations + 1)
            mcts_actions(
                states[start:stop],
                seeds[start:stop],
                trees.heads,
                trees.nodes,
                trees.edges,
                trees.states,
                game.blank_states(1),
                np.empty(game.num_actions, np.int8),
                self.simulations,
                self.exploration,
                self.cut,
                actions[start:stop],
            )

        share_out(run, len(states), len(states), self.num_threads)
        return actions
