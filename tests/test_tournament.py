"""Tournaments and their ratings."""

import numpy as np
import pandas as pd
import pytest
from nakajima_zoo.arena.tournament import elo, plot_standings, round_robin, standings
from nakajima_zoo.players.simple import GreedyPlayer, RandomPlayer
from zoo import game_of


@pytest.fixture(scope="module")
def results():
    players = {"first": RandomPlayer(), "greedy": GreedyPlayer(), "random": RandomPlayer()}
    return round_robin(game_of("scalas-5"), players, games_per_seat=30, seed=1)


def test_every_pair_plays_on_both_seats(results):
    assert (results.games.sum(axis=2) == 60 * (1 - np.eye(3))).all()
    assert (results.games == results.games.transpose(1, 0, 2)[:, :, ::-1]).all()
    assert (results.points + results.points.T == 60 * (1 - np.eye(3))).all()
    assert (results.first_seat.sum(axis=1) == 60).all()


def test_standings(results):
    table = standings(results)
    assert table.index[0] == "greedy" and table["elo"].is_monotonic_decreasing
    assert table.loc["random", "elo"] == 0 and table.loc["random", "error"] == 0
    assert abs(table.loc["first", "elo"]) < 5 * table.loc["first", "error"]
    assert (table["games"] == 120).all() and table["points"].sum() == pytest.approx(1.5)
    assert standings(results, "greedy").loc["greedy", "elo"] == 0
    with pytest.raises(ValueError, match="'nobody' did not take part"):
        standings(results, "nobody")


def test_tournament_is_repeatable(results):
    players = {"first": RandomPlayer(), "greedy": GreedyPlayer(), "random": RandomPlayer()}
    again = round_robin(game_of("scalas-5"), players, games_per_seat=30, seed=1)
    assert (again.games == results.games).all()
    pd.testing.assert_frame_equal(standings(again), standings(results))


def test_elo_has_the_known_scale():
    """Ten wins to one are 400 points; the prior draw hardly counts among so many games; ratings add up."""
    points = np.array([[0, 1000, 100], [10_000, 0, 5500], [1000, 5500, 0]], float)
    ratings = elo(points)
    assert ratings[0] == 0 and ratings[1] == pytest.approx(400, abs=30)
    pair = elo(np.array([[0, 1000], [10_000, 0]], float))
    assert pair[1] == pytest.approx(400, abs=0.5)


def test_a_player_who_loses_every_game_has_a_finite_rating():
    ratings = elo(np.array([[0, 0], [500, 0]], float))
    assert np.isfinite(ratings).all() and 1000 < ratings[1] < 1400


def test_one_player_is_no_tournament():
    with pytest.raises(ValueError, match="expected two or more"):
        round_robin(game_of("scalas-5"), {"random": RandomPlayer()}, 1)


def test_picture(results, tmp_path):
    plot_standings(results, standings(results), "Scalas").savefig(tmp_path / "standings.png")
    assert (tmp_path / "standings.png").stat().st_size > 5000
