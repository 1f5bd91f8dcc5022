"""Search with a network: what it finds, and the AlphaZero example."""

from __future__ import annotations

import numpy as np
import pytest
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.envs.core.record import copy_records
from nakajima_zoo.players.base import Positions
from nakajima_zoo.players.network_search import NetworkSearch, NetworkSearchPlayer
from nakajima_zoo.players.simple import RandomPlayer
from test_examples import run_example
from test_mcts import after, positions_to_solve, turns_to_win
from zoo import every_variant, game_of, random_games


def know_nothing(observation, mask):
    """The same prior for all that is legal, and no opinion."""
    assert mask.any(axis=1).all()  # A2
    return (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(mask), np.float32)


def midgame(game, count, seed=3):
    """Positions of a random game, well apart."""
    found = [copy_records(states) for states, mask in random_games(game, 1, seed) if mask.any()]
    return np.concatenate(found[:: max(len(found) // count, 1)])[:count]


@every_variant
def test_every_game(variant):
    """Visits add up and are of legal actions; the roots stay as they are."""
    game, simulations = game_of(variant), 6
    roots = midgame(game, 3)
    before = roots.tobytes()
    search = NetworkSearch(game, len(roots), simulations)
    actions, visits = search.run(roots, know_nothing, np.random.default_rng(0), noise=0.25)
    assert roots.tobytes() == before
    assert (visits.sum(axis=1) == simulations).all()
    mask = Positions(game, roots).action_mask
    for i in range(len(roots)):
        assert mask[i, actions[i, visits[i] > 0]].all()


def test_finds_the_forced_win():
    """With a network that knows nothing the outcomes must do."""
    game, player = game_of("scalas-5"), NetworkSearchPlayer(know_nothing, 400, seed=0)
    for decisions in (1, 2):
        for states, good in positions_to_solve(game, decisions, 5):
            assert int(player.choose(Positions(game, states))[0]) in good


def test_the_sign_is_that_of_the_player():
    """D5: the second decision of a turn is no reply; a search that takes it for one does not believe in the win."""
    game, simulations = game_of("ring_world-L3-staged"), 1_000
    search = NetworkSearch(game, 1, simulations)
    for states, good in turns_to_win(game, 5):
        actions, visits = search.run(states, know_nothing, np.random.default_rng(0))
        assert int(actions[0, visits[0].argmax()]) in good
        root = search.trees.nodes[0, 0]
        assert root["sign"] * root["value"] / root["visits"] > 0.6


def test_values_are_those_of_the_player_who_acts():
    """Each player goes for the square that the judge likes to be his own."""
    game = game_of("scalas-5")
    liked = 12

    def judge(observation, mask):
        priors, _ = know_nothing(observation, mask)
        own, other = observation[:, 2, 2, 0], observation[:, 2, 2, 1]  # who holds the square in the middle
        return priors, (own - other) * 0.9

    start = game.new_states(1)
    for player, roots in enumerate((start, after(game, start, 0))):
        assert roots[0].player == player and Positions(game, roots).action_mask[0, liked]
        actions, visits = NetworkSearch(game, 1, 200).run(roots, judge, np.random.default_rng(0))
        assert actions[0, visits[0].argmax()] == liked


def test_in_step_is_alone():
    """A tree does not depend on the others."""
    game = game_of("scalas-5")
    roots = midgame(game, 6)
    player = NetworkSearchPlayer(know_nothing, 40, seed=1)
    together = player.choose(Positions(game, roots))
    alone = [int(player.choose(Positions(game, roots[i : i + 1]))[0]) for i in range(len(roots))]
    assert together.tolist() == alone


def test_priors_steer():
    """What the network wants is visited first, and noise changes that."""
    game = game_of("scalas-5")

    def judge(observation, mask):
        priors = np.full(mask.shape, 0.001, np.float32) * mask
        priors[:, 7] = 0.9 * mask[:, 7]
        return priors, np.zeros(len(mask), np.float32)

    search = NetworkSearch(game, 1, 20)
    rng = np.random.default_rng(0)
    actions, visits = search.run(game.new_states(1), judge, rng)
    assert visits[0, list(actions[0]).index(7)] >= 10
    actions, visits = search.run(game.new_states(1), judge, rng, noise=1.0)
    assert visits[0].max() < 10


def test_plays_and_refuses():
    game = game_of("scalas-5")
    first, second = evaluate(game, NetworkSearchPlayer(know_nothing, 30), RandomPlayer(), 10, seed=0)
    assert (first + second).illegal == 0
    for arguments in ((game, 0, 1), (game, 1, 0)):
        with pytest.raises(ValueError, match="expected an integer from 1"):
            NetworkSearch(*arguments)


@pytest.mark.parametrize("game", [["scalas"], ["ring_world", "--set", "turns=staged"]])
def test_alphazero_example(game, tmp_path):
    pytest.importorskip("torch")
    tiny = ["--steps", "60", "--num-games", "16", "--simulations", "4", "--batch-size", "32", "--width", "16"]
    tiny += ["--eval-games", "3", "--eval-simulations", "4", "--name", "tiny", "--seed", "1"]
    output = run_example("alphazero.py", "--game", *game, *tiny, cwd=tmp_path)
    folder = tmp_path / "runs" / "tiny"
    assert output.count("against greedy as both") == 2 and output.count(" 0 illegal;") == 12
    assert (folder / "evaluation.txt").read_text() in output
    assert (folder / "model.pt").stat().st_size > 1_000
    if game == ["scalas"]:
        again = run_example("alphazero.py", "--game", *game, *tiny, "--force", cwd=tmp_path)
        assert again.split("policy alone")[1] == output.split("policy alone")[1]  # E2


def test_mcts_example(tmp_path):
    tiny = ["--simulations", "20", "--games", "3", "--cut", "10", "--name", "tiny"]
    output = run_example("mcts.py", "--game", "tsukiji", *tiny, cwd=tmp_path)
    assert "simulations per second" in output and output.count(" 0 illegal;") == 2
    assert (tmp_path / "runs" / "tiny" / "evaluation.txt").read_text() in output


def test_openspiel_example(tmp_path):
    pytest.importorskip("pyspiel")
    tiny = ["--simulations", "3", "--bot-games", "1", "--timesteps", "300", "--num-envs", "2", "--eval-games", "3"]
    output = run_example("openspiel.py", *tiny, "--name", "tiny", "--seed", "1", cwd=tmp_path)
    assert "OpenSpiel's MCTS" in output and output.count(" 0 illegal;") == 7
    assert (tmp_path / "runs" / "tiny" / "model.pt").stat().st_size > 1_000
