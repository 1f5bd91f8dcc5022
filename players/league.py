"""A league: several players, of whom each game meets one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..envs.core.types import Actions, Integers
from .base import Player, Positions


class League(Player):
    """Several players, one of whom is drawn for each game that begins."""

    def __init__(
        self, players: Sequence[Player], weights: Sequence[float] | None = None, seed: int | None = None
    ) -> None:
        """`weights`: how often each player is drawn, relative to the others; equally often by default."""
        self.players = list(players)
        self.weights = list(weights) if weights is not None else [1.0] * len(self.players)
        self.drawn = np.zeros(0, np.int64)
        self.rng = np.random.default_rng(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`, that of the players too."""
        self.rng = np.random.default_rng(seed)
        for player in self.players:
            player.reset(None if seed is None else int(self.rng.integers(2**31)))

    def add(self, player: Player, weight: float = 1.0) -> None:
        """Let `player` join; it is drawn for games that begin from now on."""
        self.players.append(player)
        self.weights.append(weight)

    def begin(self, rows: Integers) -> None:
        """Draw a player for each of the games."""
        if rows.size and rows.max() >= self.drawn.size:
            self.drawn = np.resize(self.drawn, int(rows.max()) + 1)
        chances = np.array(self.weights) / sum(self.weights)
        self.drawn[rows] = self.rng.choice(len(self.players), size=rows.size, p=chances)

    def choose(self, positions: Positions) -> Actions:
        """What the drawn players choose, each asked once for all its positions: int64 (k,)."""
        drawn = self.drawn[positions.rows]
        actions = np.empty(len(drawn), np.int64)
        for member in np.unique(drawn):
            rows = np.flatnonzero(drawn == member)
            actions[rows] = self.players[member].choose(positions[rows])
        return actions
