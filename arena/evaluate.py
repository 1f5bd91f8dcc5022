"""Matches between players, many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..envs.core.batch import Batch
from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION, NOBODY
from ..envs.core.registry import as_game
from ..envs.core.types import Records
from ..players.base import Positions
from ..players.names import PlayerLike, make_player
from .recordings import BatchRecorder, write_recordings


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
        with needs("train", "an interval"):
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
    game: Game | str,
    players: Sequence[PlayerLike],
    n: int,
    seed: int | None = None,
    file: str | Path | None = None,
) -> Records:
    """Play `n` games between player 0 and player 1; returns their final records, (n,).

    Players choose for all their games at once. An illegal action loses. The chance of a Player is not reset; `seed`
    decides that of one by name. `file`: the games are added to it, as `read_recordings` reads them.
    Raises ValueError for anything but two players.
    """
    if len(players) != 2:
        raise ValueError(f"{len(players)} players; expected two")
    first, second = (make_player(player, None if seed is None else seed + k) for k, player in enumerate(players))
    players = first, second
    batch = Batch(game, n, illegal_action="lose")
    batch.reset(seed)
    recorder = BatchRecorder(batch) if file is not None else None
    for player in players:
        player.begin(np.arange(n))
    running = np.ones(n, np.bool_)
    while running.any():
        for seat, player in enumerate(players):
            rows = np.flatnonzero(running & (batch.to_play == seat))
            if rows.size:
                actions = player.choose(Positions.of_batch(batch, rows))
                _, terminated, truncated = batch.step(actions, rows)
                running &= ~(terminated | truncated)
                if recorder is not None:
                    recorder.note(rows, actions)
    if recorder is not None and file is not None:
        names = tuple(type(player).__name__ for player in players)
        write_recordings(file, recorder.recordings(batch.final_states, seed, names))
    return batch.final_states


def evaluate(
    game: Game | str,
    player: PlayerLike,
    opponent: PlayerLike = "random",
    games_per_seat: int = 100,
    seed: int = 0,
    file: str | Path | None = None,
) -> tuple[Score, Score]:
    """What `player` makes of games against `opponent`, as player 0 and as player 1.

    `game`: a Game or a name; players: whatever `make_player` takes. `file`: the games are added to it, as
    `read_recordings` reads them.

    >>> as_first, as_second = evaluate("tsukiji", "greedy", "random", games_per_seat=10)
    >>> (as_first + as_second).games
    20
    """
    game, player, opponent = as_game(game), make_player(player), make_player(opponent)
    player.reset(seed)
    opponent.reset(seed + 1)
    first = score(play_games(game, (player, opponent), games_per_seat, seed, file), 0)
    second = score(play_games(game, (opponent, player), games_per_seat, seed + games_per_seat, file), 1)
    return first, second


def score(final_states: Records, seat: int) -> Score:
    """What the player in `seat` made of the games that ended with these records."""
    winner = final_states["winner"]
    lost = winner == 1 - seat
    return Score(
        wins=int((winner == seat).sum()),
        draws=int((winner == NOBODY).sum()),
        losses=int(lost.sum()),
        illegal=int((lost & (final_states["reason"] == ILLEGAL_ACTION)).sum()),
    )
