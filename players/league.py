"""A league: several players, of whom each game meets one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..envs.core.checks import check_number
from ..envs.core.seeds import generator
from ..envs.core.types import Actions, Integers, Reals
from .base import Player, Positions, own_copy

NOT_DRAWN = -1


@dataclass
class Roster:
    """Who plays in a league, and how often: all copies of it have the same."""

    players: list[Player]
    weights: list[float]


class League(Player):
    """Several players, one of whom is drawn for each game that begins.

    Copies for use share who is in the league, so that whoever joins joins them all; whom a game meets, and what the
    players keep of their games, is each copy's own.
    """

    def __init__(
        self, players: Sequence[Player], weights: Sequence[float] | None = None, seed: int | None = None
    ) -> None:
        """`weights`: how often each player is drawn, relative to the others; equally often by default.

        Raises ValueError for weights below 0 or a number of them that does not fit.
        """
        self.roster = Roster(list(players), [1.0] * len(players) if weights is None else list(weights))
        self.members: list[Player] | None = None  # the players of a copy; None: those of the roster themselves
        self.drawn = np.zeros(0, np.int64)
        self.rng = generator(seed)
        if players:
            self.chances()

    @property
    def players(self) -> list[Player]:
        """Who is in the league."""
        return self.roster.players

    @property
    def weights(self) -> list[float]:
        """How often each player is drawn, relative to the others."""
        return self.roster.weights

    @weights.setter
    def weights(self, weights: Sequence[float]) -> None:
        self.roster.weights = list(weights)

    def copy_for_use(self) -> League:
        """A league with the same players in it, who meet somebody else's games."""
        twin = copy.copy(self)
        twin.members = []
        twin.drawn, twin.rng = np.zeros(0, np.int64), own_copy(self.rng)
        return twin

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`, that of the players too."""
        self._copy_new()
        self.rng = generator(seed)
        for number in range(len(self.players)):
            self.member(number).reset(None if seed is None else int(self.rng.integers(2**31)))

    def add(self, player: Player, weight: float = 1.0) -> None:
        """Let `player` join; it is drawn for games that begin from now on. Raises ValueError for a weight below 0."""
        check_number("weight", weight, least=0)
        self.players.append(player)
        self.weights.append(weight)

    def begin(self, rows: Integers) -> None:
        """Draw a player for each of the games. Raises ValueError if there is none to draw."""
        if rows.size and rows.max() >= self.drawn.size:
            more = int(rows.max()) + 1 - self.drawn.size
            self.drawn = np.append(self.drawn, np.full(more, NOT_DRAWN))
        self.drawn[rows] = self.rng.choice(len(self.players), size=rows.size, p=self.chances())
        for number in np.unique(self.drawn[rows]):
            self.member(number).begin(rows[self.drawn[rows] == number])

    def choose(self, positions: Positions) -> Actions:
        """What the drawn players choose, each asked once for all its positions: int64 (k,).

        For a game that nobody said has begun a player is drawn now.
        """
        known = positions.rows < self.drawn.size
        known[known] = self.drawn[positions.rows[known]] != NOT_DRAWN
        if not known.all():
            self.begin(positions.rows[~known])
        drawn = self.drawn[positions.rows]
        actions = np.empty(len(drawn), np.int64)
        for number in np.unique(drawn):
            rows = np.flatnonzero(drawn == number)
            actions[rows] = self.member(number).choose(positions[rows])
        return actions

    def member(self, number: int) -> Player:
        """The player who plays for this copy of the league."""
        self._copy_new()
        return (self.players if self.members is None else self.members)[number]

    def _copy_new(self) -> None:
        """Let whoever has joined play for this copy of the league; what such a player draws follows from its chance."""
        if self.members is not None:
            for player in self.players[len(self.members) :]:
                copied = player.copy_for_use()
                copied.reset(int(self.rng.integers(2**31)))
                self.members.append(copied)

    def chances(self) -> Reals:
        """How likely each player is drawn, float64 (k,). Raises ValueError if the weights do not fit the players."""
        for weight in self.weights:
            check_number("weight", weight, least=0)
        total = sum(self.weights)
        if len(self.weights) != len(self.players) or not total > 0:
            raise ValueError(f"weights {self.weights} of {len(self.players)} players; expected one each, not all 0")
        return np.array(self.weights) / total
