"""MCTS: a player that searches with random games (UCT), for every game and both forms of turns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..envs.core.checks import check_count, check_number
from ..envs.core.threads import cores, share_out
from ..envs.core.types import Actions
from .base import Positions, SeededPlayer
from .tree import Trees, search

SLICE = 32  # simulations after which Ctrl-C is heard again
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
        None: it is played to its end. Raises ValueError for counts below 1, and for an exploration that is not finite
        or below 0.
        """
        check_count("simulations", simulations)
        check_number("exploration", exploration, least=0)
        for name, value in (("cut", cut), ("num_threads", num_threads)):
            if value is not None:
                check_count(name, value)
        self.simulations = int(simulations)
        self.exploration = float(exploration)
        self.cut = NEVER if cut is None else int(cut)
        self.num_threads = int(num_threads or cores())
        super().__init__(seed)

    def choose(self, positions: Positions) -> Actions:
        """The most visited action of each position: int64 (k,). Raises ValueError for a game that is over.

        The search can be interrupted at any time.
        """
        positions.check_running()
        game, states = positions.game, positions.states
        seeds = self.rng.integers(1, 2**64, len(states), np.uint64)
        actions = np.empty(len(states), np.int64)

        def run(start: int, stop: int) -> Iterator[None]:
            trees, scratch = Trees(game, 1, self.simulations + 1), game.blank_states(1)
            arrays = trees.heads, trees.nodes, trees.edges, trees.states, scratch, np.empty(game.num_actions, np.int8)
            for i in range(start, stop):
                for done in range(0, self.simulations, SLICE):
                    count = min(SLICE, self.simulations - done)
                    actions[i] = search(states, i, seeds[i], *arrays, done == 0, count, self.exploration, self.cut)
                    yield

        share_out(run, len(states), len(states), self.num_threads)
        return actions
