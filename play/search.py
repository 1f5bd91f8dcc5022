"""MCTS in slices: a search that can be watched, hurried and given up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..envs.core.game import Game
from ..envs.core.kernel import kernel
from ..envs.core.types import Mask, Record, Records
from ..players.mcts import MCTSPlayer
from ..players.tree import Edges, Heads, Nodes, Trees, plant_all, root_visits, simulate


class Considered(NamedTuple):
    """An action that a player thinks of."""

    action: int
    visits: int
    """How often a search has tried it; 0 where there was no search."""
    share: float
    """Of all visits, or the probability."""
    value: float
    """For the player who chooses, in [-1, 1]; NaN where it is not known."""


class Search:
    """The search of an MCTSPlayer in one position."""

    def __init__(self, game: Game, state: Record, player: MCTSPlayer, simulations: int | None = None) -> None:
        """`state`: of a running game; `simulations`: how many it may come to, those of the player by default."""
        self.simulations = simulations or player.simulations
        self.exploration, self.cut = player.exploration, player.cut
        self.done = 0
        self.sign = 1 if state.player == 0 else -1
        self._trees = Trees(game, 1, self.simulations + 1)
        self._scratch = game.blank_states(1)
        self._mask = np.empty(game.num_actions, np.int8)
        roots = np.array([state], game.template.dtype)
        seeds = player.rng.integers(1, 2**64, 1, np.uint64)
        plant_all(self._trees.heads, self._trees.nodes, self._trees.states, roots, seeds)

    def run(self, count: int) -> None:
        """Do `count` more simulations, as far as they are allowed."""
        count, trees = min(count, self.simulations - self.done), self._trees
        arrays = trees.heads, trees.nodes, trees.edges, trees.states
        simulate_many(*arrays, self._scratch, self._mask, count, self.exploration, self.cut)
        self.done += count

    @property
    def value(self) -> float:
        """What player 0 can expect, in [-1, 1]."""
        root = self._trees.nodes[0, 0]
        return float(root["value"] / max(1, root["visits"]))

    def considered(self) -> list[Considered]:
        """What was tried, the most visited first, of those the best."""
        actions, visits = np.zeros((1, self.done), np.int64), np.zeros((1, self.done), np.int64)
        root_visits(self._trees.nodes, self._trees.edges, actions, visits)
        nodes, root = self._trees.nodes[0], self._trees.nodes[0, 0]
        edges = self._trees.edges[0, root["first"] : root["first"] + root["tried"]]
        values = self.sign * nodes["value"][edges["child"]] / nodes["visits"][edges["child"]]
        pairs = zip(actions[0, : len(edges)].tolist(), visits[0].tolist(), values.tolist(), strict=False)
        found = [Considered(action, count, count / self.done, value) for action, count, value in pairs]
        return sorted(found, key=lambda each: (-each.visits, -each.value))


@kernel
def simulate_many(
    heads: Heads,
    nodes: Nodes,
    edges: Edges,
    states: Records,
    scratch: Records,
    mask: Mask,
    count: int,
    exploration: float,
    cut: int,
) -> None:
    """Do `count` simulations of the search in tree 0, in place; `scratch` (1,) and `mask` are used."""
    for _ in range(count):
        simulate(heads[0], nodes[0], edges[0], states[0], scratch, mask, exploration, cut)
