"""Tournaments: every player against every other on both seats, and what rating that makes. Needs the extra `train`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.registry import as_game
from ..envs.core.types import Integers, Reals
from ..players.names import PlayerLike, make_player
from .evaluate import evaluate

with needs("train", "a tournament"):
    import choix
    import pandas as pd
    from matplotlib.figure import Figure

ELO = 400 / np.log(10)
"""Elo points per unit of the Bradley-Terry model: ten to one is 400 points."""
PRIOR_DRAWS = 1
"""Draws added to what each pair has played. Without them a player who wins every game would have no finite rating."""
PRIOR_GAMES = 1
"""Games, a third each won, drawn and lost, that are believed of a pair before it has played, in the errors."""
RESAMPLES = 200


@dataclass(frozen=True, eq=False)
class Results:
    """What came of a tournament."""

    names: tuple[str, ...]
    games: Integers
    """Integers (n, n, 3): what player i made of its games against player j: wins, draws, losses."""
    first_seat: Integers
    """Integers (n, 3): what player i made of its games as player_0: wins, draws, losses."""
    distinct: Integers
    """Integers (n, n): how many different games players i and j played, as `Score.distinct`."""

    @property
    def points(self) -> Reals:
        """Float (n, n): wins of player i over player j, a draw counting as half a win."""
        return points_of(self.games)

    @property
    def distinct_games(self) -> Reals:
        """Float (n, n, 3): `games` in proportion to how many of them were different."""
        played = self.games.sum(axis=2)
        return self.games * (self.distinct / np.maximum(played, 1))[..., None]


def round_robin(
    game: Game | str,
    players: Mapping[str, PlayerLike] | Sequence[str],
    games_per_seat: int = 100,
    seed: int = 0,
    opening: int = 0,
) -> Results:
    """Let every pair of players play `games_per_seat` games on each seat, all games of a pair and seat at once.

    `players`: names, or whatever `make_player` takes under names of the caller's. `opening`: as of `evaluate`; all
    pairs have the same openings. Raises ValueError for fewer than two players, and for a name that stands twice.
    """
    named = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < 2 or len(named) < len(players):
        raise ValueError(f"players {', '.join(players)}; expected two or more, all of different names")
    game, players = as_game(game), {name: make_player(player) for name, player in named.items()}
    n = len(players)
    games, first_seat = np.zeros((n, n, 3), np.int64), np.zeros((n, 3), np.int64)
    distinct = np.zeros((n, n), np.int64)
    for i, j in itertools.combinations(range(n), 2):
        one, other = (list(players.values())[k] for k in (i, j))
        scores = evaluate(game, one, other, games_per_seat, seed, opening=opening)
        first, second = (np.array([score.wins, score.draws, score.losses]) for score in scores)
        games[i, j] = first + second
        games[j, i] = games[i, j, ::-1]
        distinct[i, j] = distinct[j, i] = (scores[0] + scores[1]).distinct
        first_seat[i] += first
        first_seat[j] += second[::-1]
    return Results(tuple(players), games, first_seat, distinct)


def points_of(games: Integers | Reals) -> Reals:
    """Wins and half the draws, of wins, draws and losses in the last axis."""
    return games[..., 0] + games[..., 1] / 2


def elo(points: Reals, anchor: int = 0) -> Reals:
    """Ratings (n,) that explain the points (n, n) best, by the Bradley-Terry model; that of `anchor` is 0."""
    prior = PRIOR_DRAWS / 2 * (1 - np.eye(len(points)))
    strengths: Reals = choix.ilsr_pairwise_dense(points + prior, max_iter=1000)
    return ELO * (strengths - strengths[anchor])


def elo_errors(games: Reals, anchor: int = 0, seed: int = 0) -> Reals:
    """Standard errors (n,) of the ratings: their spread over all that the games of every pair, (n, n, 3), let believe.

    The chances of a pair to win, draw and lose are drawn from the Dirichlet distribution that its games make of the
    prior; so ten games of ten won are no certainty, and one game that was played ten times is one game.
    """
    rng = np.random.default_rng(seed)
    n = len(games)
    found: Reals = np.empty((RESAMPLES, n))
    for k in range(RESAMPLES):
        again = np.zeros_like(games, np.float64)
        for i, j in itertools.combinations(range(n), 2):
            again[i, j] = games[i, j].sum() * rng.dirichlet(games[i, j] + PRIOR_GAMES / 3)
            again[j, i] = again[i, j, ::-1]
        found[k] = elo(points_of(again), anchor)
    return found.std(axis=0)


def standings(results: Results, anchor: str | None = None) -> pd.DataFrame:
    """One row a player, the best first: Elo (that of `anchor` is 0) and its error, games, and share of points.

    In Elo and its error a game counts once, however often it was played: `distinct` of `games`.

    `anchor`: "random" if it took part, else the first player. Raises ValueError for a name that did not take part.
    """
    names = results.names
    anchor = anchor or ("random" if "random" in names else names[0])
    if anchor not in names:
        raise ValueError(f"anchor {anchor!r} did not take part; expected one of {', '.join(names)}")
    index = names.index(anchor)
    wins, draws, losses = results.games.sum(axis=1).T
    played = wins + draws + losses
    table = pd.DataFrame(
        {
            "elo": elo(points_of(results.distinct_games), index).round().astype(int),
            "error": elo_errors(results.distinct_games, index).round().astype(int),
            "games": played,
            "distinct": results.distinct.sum(axis=1),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "points": points_of(results.games.sum(axis=1)) / played,
            "points as player_0": points_of(results.first_seat) / results.first_seat.sum(axis=1),
        },
        index=pd.Index(names, name="player"),
    )
    return table.sort_values("elo", ascending=False)


def plot_standings(results: Results, table: pd.DataFrame, title: str = "") -> Figure:
    """The standings as a picture: ratings with two standard errors, and each player's points against each other."""
    order = [results.names.index(name) for name in table.index]
    played = results.games.sum(axis=2)
    with np.errstate(invalid="ignore"):
        share = (results.points / played)[np.ix_(order, order)]
    size = 1.2 + 0.5 * len(order)
    figure = Figure(figsize=(6 + 2 * size, 1 + size), layout="constrained")
    figure.suptitle(title)
    ratings, matrix = figure.subplots(1, 2)
    ratings.barh(table.index, table["elo"], xerr=2 * table["error"], color="#4477aa", ecolor="#222222", capsize=3)
    ratings.invert_yaxis()
    ratings.set(xlabel="Elo", title="rating")
    ratings.grid(axis="x", alpha=0.3)
    matrix.imshow(share, cmap="RdYlGn", vmin=0, vmax=1)
    matrix.set_xticks(range(len(order)), table.index, rotation=45, ha="right")
    matrix.set_yticks(range(len(order)), table.index)
    matrix.set(title="points of the row against the column")
    for (row, column), value in np.ndenumerate(share):
        if row != column:
            matrix.text(column, row, f"{value:.0%}", ha="center", va="center")
    return figure
