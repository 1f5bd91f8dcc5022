"""Matches between players, many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..envs.core.batch import Batch, uniform_actions
from ..envs.core.checks import is_integer
from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION, NOBODY, copy_records
from ..envs.core.registry import as_game
from ..envs.core.seeds import fresh_seed
from ..envs.core.types import Integers, Reals, Records
from ..players.base import Player, Positions
from ..players.names import PlayerLike, make_player
from .recordings import BatchRecorder, write_recordings

OPENINGS = 2  # beside a seed: what a game and its players draw from the same seed must not be the same numbers


@dataclass(frozen=True)
class Score:
    """What a player made of its games. Adds up."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    illegal: int = 0
    """Illegal actions that the player chose (each lost its game)."""
    repeats: int = 0
    """Games that ended in the very position of another one: between players without chance they are one game, again."""

    def __add__(self, other: Score) -> Score:
        return Score(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.illegal + other.illegal,
            self.repeats + other.repeats,
        )

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def distinct(self) -> int:
        """How many different games were played."""
        return self.games - self.repeats

    @property
    def win_rate(self) -> float:
        """The share of games that were won; a draw is not a win. Raises ValueError if there were no games."""
        if self.games == 0:
            raise ValueError("no games were played; expected at least one for a win rate")
        return self.wins / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's confidence interval of the win rate, in which a game counts once. Needs SciPy (extra `train`).

        Raises ValueError if there were no games.
        """
        with needs("train", "an interval"):
            from scipy.stats import binomtest

        if self.games == 0:
            raise ValueError("no games were played; expected at least one for an interval")
        wins = round(self.win_rate * self.distinct)
        interval = binomtest(wins, self.distinct).proportion_ci(confidence, "wilson")
        return float(interval.low), float(interval.high)

    def __str__(self) -> str:
        if self.games == 0:
            return "no games"
        low, high = self.interval()
        return f"{self.win_rate:6.1%} wins [{low:.1%}, {high:.1%}]  ({self.counts()})"

    def counts(self) -> str:
        """The score in numbers."""
        ends = f"{self.wins} won, {self.draws} drawn, {self.losses} lost, {self.illegal} illegal"
        return f"{ends}; {self.distinct} of {self.games} distinct"


def play_games(
    game: Game | str,
    players: Sequence[PlayerLike],
    n: int,
    seed: int | None = None,
    file: str | Path | None = None,
    opening: int = 0,
) -> Records:
    """Play `n` games between player 0 and player 1; returns their final records, (n,).

    Copies of the players play, who choose for all their games at once. An illegal action loses. The chance of a Player
    is not reset; `seed` decides that of one by name, and game `i` has the seed `seed + i`. `file`: the games are added
    to it, as `read_recordings` reads them. `opening`: so many decisions of each game are random, by its seed, before
    the players are asked. Raises ValueError for anything but two players, and for a number below 0.
    """
    if len(players) != 2:
        raise ValueError(f"{len(players)} players; expected two")
    made = (make_player(player, None if seed is None else seed + k) for k, player in enumerate(players))
    first, second = (player.copy_for_use() for player in made)
    return played(game, (first, second), n, seed, file, opening)


def played(
    game: Game | str, players: tuple[Player, Player], n: int, seed: int | None, file: str | Path | None, opening: int
) -> Records:
    """As `play_games`, by the players themselves."""
    openings = random_openings(n, opening, seed)
    batch = Batch(game, n, illegal_action="lose")
    batch.reset(seed)
    recorder = BatchRecorder(batch) if file is not None else None
    play_out(batch, players, openings, recorder)
    if recorder is not None and file is not None:
        names = tuple(type(player).__name__ for player in players)
        write_recordings(file, recorder.recordings(batch.final_states, seed, names))
    return batch.final_states


def random_openings(n: int, opening: int, seed: int | None) -> Reals:
    """For the first decisions of `n` games what `uniform_actions` takes, float64 (n, opening). Raises ValueError."""
    if not is_integer(opening) or opening < 0:
        raise ValueError(f"opening={opening!r}; expected how many decisions are random, an integer of at least 0")
    if not opening:
        return np.empty((n, 0))
    first = fresh_seed() if seed is None else seed
    return np.array([np.random.default_rng((first + i, OPENINGS)).random(opening) for i in range(n)])


def play_out(batch: Batch, players: tuple[Player, Player], openings: Reals, recorder: BatchRecorder | None) -> None:
    """Play every game of a batch that was reset, once."""
    running = np.ones(batch.n, np.bool_)

    def play(rows: Integers, actions: Integers) -> None:
        _, terminated, truncated = batch.step(actions, rows)
        running[terminated | truncated] = False
        if recorder is not None:
            recorder.note(rows, actions)

    for player in players:
        player.begin(np.arange(batch.n))
    for uniform in openings.T:
        rows = np.flatnonzero(running)
        play(rows, uniform_actions(batch.action_mask[rows], uniform[rows]))
    while running.any():
        for seat, player in enumerate(players):
            rows = np.flatnonzero(running & (batch.to_play == seat))
            if rows.size:
                play(rows, player.choose(Positions.of_batch(batch, rows)))


def evaluate(
    game: Game | str,
    player: PlayerLike,
    opponent: PlayerLike = "random",
    games_per_seat: int = 100,
    seed: int = 0,
    file: str | Path | None = None,
    opening: int = 0,
) -> tuple[Score, Score]:
    """What `player` makes of games against `opponent`, as player 0 and as player 1.

    `game`: a Game or a name; players: whatever `make_player` takes, copies of whom play, started anew from `seed` and
    `seed + 1`. `file`: the games are added to it, as `read_recordings` reads them.

    Two players without chance play the same game again and again, which `Score.distinct` tells. `opening`: the first
    decisions of each game, so many, are random. Game `i` has the seed `seed + i`, which decides its opening, on both
    seats; without openings, those of the second seat go on from `seed + games_per_seat`.

    >>> as_first, as_second = evaluate("tsukiji", "greedy", "random", games_per_seat=10)
    >>> (as_first + as_second).games
    20
    """
    game = as_game(game)
    one, other = make_player(player).copy_for_use(), make_player(opponent).copy_for_use()
    one.reset(seed)
    other.reset(seed + 1)
    first = score(played(game, (one, other), games_per_seat, seed, file, opening), 0)
    seed_of_second = seed if opening else seed + games_per_seat
    second = score(played(game, (other, one), games_per_seat, seed_of_second, file, opening), 1)
    return first, second


def score(final_states: Records, seat: int) -> Score:
    """What the player in `seat` made of the games that ended with these records. Raises ValueError for others."""
    if not isinstance(final_states, np.ndarray) or final_states.ndim != 1 or not final_states.dtype.names:
        raise ValueError(f"final_states of type {type(final_states).__name__}; expected records, as of play_games")
    winner = final_states["winner"]
    lost = winner == 1 - seat
    return Score(
        wins=int((winner == seat).sum()),
        draws=int((winner == NOBODY).sum()),
        losses=int(lost.sum()),
        illegal=int((lost & (final_states["reason"] == ILLEGAL_ACTION)).sum()),
        repeats=len(final_states) - count_distinct(final_states),
    )


def count_distinct(final_states: Records) -> int:
    """How many different positions the games ended in, whatever their random states."""
    kept = copy_records(final_states)
    kept["rng"] = 0
    return len({state.tobytes() for state in kept})
