"""Matches between players, many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..envs.core.batch import Batch
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION, NOBODY
from .players import Player, Positions
from .record import BatchRecorder, write_games


@dataclass(frozen=True)
class Score:
    """What a player made of its games. Adds up."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    illegal: int = 0
    """Illegal actions that the player chose (each lost its game)."""

    def __add__(self, other: Score) -> Score:
        return Score(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.illegal + other.illegal,
        )

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """The share of games that were won; a draw is not a win. Raises ValueError if there were no games."""
        if self.games == 0:
            raise ValueError("no games were played; expected at least one for a win rate")
        return self.wins / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's confidence interval of the win rate. Needs SciPy (extra `train`).

        Raises ValueError if there were no games.
        """
        from scipy.stats import binomtest

        if self.games == 0:
            raise ValueError("no games were played; expected at least one for an interval")
        interval = binomtest(self.wins, self.games).proportion_ci(confidence, "wilson")
        return float(interval.low), float(interval.high)

    def __str__(self) -> str:
        if self.games == 0:
            return "no games"
        low, high = self.interval()
        return (
            f"{self.win_rate:6.1%} wins [{low:.1%}, {high:.1%}]  "
            f"({self.wins} won, {self.draws} drawn, {self.losses} lost, {self.illegal} illegal)"
        )


def play_games(
    game: Game, players: tuple[Player, Player], n: int, seed: int | None = None, file: str | Path | None = None
) -> np.ndarray:
    """Play `n` games between player 0 and player 1; returns their final records, (n,).

    Players choose for all their games at once. An illegal action loses. The players' own chance is not reset.
    `file`: the games are added to it, as `record.read_games` reads them.
    """
    batch = Batch(game, n, illegal_action="lose")
    batch.reset(seed)
    recorder = BatchRecorder(batch) if file is not None else None
    for player in players:
        player.begin(np.arange(n))
    running = np.ones(n, np.bool_)
    while running.any():
        for seat, player in enumerate(players):
            games = np.flatnonzero(running & (batch.to_play == seat))
            if games.size:
                positions = Positions(
                    game, batch.states.take(games), games, batch.observation[games], batch.action_mask[games]
                )
                actions = player.choose(positions)
                _, terminated, truncated = batch.step(actions, games)
                running &= ~(terminated | truncated)
                if recorder is not None:
                    recorder.note(games, actions)
    if recorder is not None and file is not None:
        names = tuple(type(player).__name__ for player in players)
        write_games(file, recorder.recordings(batch.final_states, seed, names))
    return batch.final_states


def evaluate(
    game: Game, player: Player, opponent: Player, games_per_seat: int, seed: int, file: str | Path | None = None
) -> tuple[Score, Score]:
    """What `player` makes of games against `opponent`, as player 0 and as player 1.

    `file`: the games are added to it, as `record.read_games` reads them.
    """
    player.reset(seed)
    opponent.reset(seed + 1)
    first = score(play_games(game, (player, opponent), games_per_seat, seed, file), 0)
    second = score(play_games(game, (opponent, player), games_per_seat, seed + games_per_seat, file), 1)
    return first, second


def score(final_states: np.ndarray, seat: int) -> Score:
    """What the player in `seat` made of the games that ended with these records."""
    winner = final_states["winner"]
    lost = winner == 1 - seat
    return Score(
        wins=int((winner == seat).sum()),
        draws=int((winner == NOBODY).sum()),
        losses=int(lost.sum()),
        illegal=int((lost & (final_states["reason"] == ILLEGAL_ACTION)).sum()),
    )
