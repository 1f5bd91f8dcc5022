"""Our games in OpenSpiel: its own tests pass, and what it is told is what our environments tell."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from zoo import VARIANTS, every_game, every_variant, game_of, random_action, raw_env

pyspiel = pytest.importorskip("pyspiel")

from nakajima_zoo.wrappers.open_spiel import spiel_game  # noqa: E402

LARGE = 20_000  # actions from which on OpenSpiel's test takes seconds a game, and one game must do


def random_states(game, count, seed=0):
    """States of random games of OpenSpiel."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state
            state.apply_action(int(rng.choice(state.legal_actions())))
        yield state


@every_variant
def test_random_simulation(variant):
    """OpenSpiel's own test: masks, strings, observations, returns, histories, clones and serialisation agree."""
    game = spiel_game(game_of(variant), seed=3)
    games = 1 if game.num_distinct_actions() > LARGE or "L4" in variant else 3
    pyspiel.random_sim_test(game, num_sims=games, serialize="L4" not in variant, verbose=False)


@every_variant
def test_the_same_game(variant):
    """Players, masks, observations, texts and results are those of the environment with the same seed."""
    ours, rng = game_of(variant), np.random.default_rng(1)
    game = spiel_game(ours, seed=7)
    assert game.num_distinct_actions() == ours.num_actions
    assert game.max_game_length() == ours.max_decisions
    assert tuple(game.observation_tensor_shape()) == ours.observation_shape
    env, state = raw_env(variant), game.new_initial_state()
    env.reset(seed=7)
    while not state.is_terminal():
        player = state.current_player()
        assert env.agent_selection == f"player_{player}"
        assert state.legal_actions() == env.legal_actions()
        assert state.legal_actions(1 - player) == []
        for seat in (0, 1):
            seen = env.observe(f"player_{seat}")["observation"]
            assert np.array_equal(state.observation_tensor(seat), seen.ravel())
        action = random_action(env.observe(env.agent_selection)["action_mask"], rng)
        assert state.action_to_string(player, action) == env.action_to_text(action)
        state.apply_action(action)
        env.step(action)
    assert str(state) == env.to_text()
    assert state.returns() == [env.rewards["player_0"], env.rewards["player_1"]]
    assert state.history() == env.history


@every_game
def test_copies(variant):
    """D1: clone, deepcopy, pickle and OpenSpiel's serialisation go on alike, and share nothing that changes."""
    game, rng = spiel_game(game_of(variant), seed=2), np.random.default_rng(2)
    for number, state in enumerate(random_states(game, 1, seed=2)):
        if number % 10 or state.is_terminal():
            continue
        text = pyspiel.serialize_game_and_state(game, state)
        copies = [
            state.clone(),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            pyspiel.deserialize_game_and_state(text)[1],
        ]
        before = state.record.tobytes()
        assert all(other.record.tobytes() == before and other.history() == state.history() for other in copies)
        while not copies[0].is_terminal():
            action = int(rng.choice(copies[0].legal_actions()))
            for other in copies:
                other.apply_action(action)
            assert len({other.record.tobytes() for other in copies}) == 1
        assert state.record.tobytes() == before


@every_game
def test_strings_of_actions(variant):
    """A string names one action, and OpenSpiel finds it again."""
    game = spiel_game(game_of(variant))
    for number, state in enumerate(random_states(game, 1)):
        if state.is_terminal() or number % 7:
            continue
        player, actions = state.current_player(), state.legal_actions()
        names = [state.action_to_string(player, action) for action in actions]
        assert len(set(names)) == len(names)
        assert state.string_to_action(player, names[-1]) == actions[-1]


def test_illegal_actions_are_refused():
    """OpenSpiel does not check; the rules must not be asked for what they do not know."""
    state = spiel_game(game_of("scalas-5")).new_initial_state()
    state.apply_action(0)
    before = state.record.tobytes()
    illegal = next(action for action in range(25) if action not in state.legal_actions())
    for action in (illegal, 25):
        with pytest.raises(ValueError, match="not legal"):
            state.apply_action(action)
        assert state.record.tobytes() == before and state.history() == [0]


def test_parameters():
    """By name and in OpenSpiel's notation; 0 stands for the turn limit that the game chooses."""
    game = pyspiel.load_game("nakajima_ring_world(levels=4,turns=staged)")
    assert game.game.parameters["max_turns"] == 1000 and game.num_distinct_actions() == 328
    game = pyspiel.load_game("nakajima_ring_world", {"max_turns": 5})
    assert game.max_game_length() == 5
    assert {f"nakajima_{name}" for name, _ in VARIANTS.values()} <= set(pyspiel.registered_names())
    with pytest.raises(ValueError, match="size=4; expected one of 5, 6, 7"):
        pyspiel.load_game("nakajima_scalas", {"size": 4})


def test_the_seed_decides_the_chance():
    """A game with chance is one of its seed: the same arrangement at every start, another for another seed."""
    starts = {}
    for seed in (0, 1):
        game = pyspiel.load_game("nakajima_renaissance", {"setup": "random", "seed": seed})
        starts[seed] = {str(game.new_initial_state()) for _ in range(3)}
        assert len(starts[seed]) == 1
        assert game.get_parameters()["seed"] == seed
    assert starts[0] != starts[1]


def test_the_end_of_python():
    """OpenSpiel frees what makes a game after Python has ended: that crashed with anything but a class."""
    code = "import pyspiel, nakajima_zoo.wrappers.open_spiel; pyspiel.load_game('nakajima_scalas').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]


def test_algorithms_of_open_spiel():
    """Its MCTS bot wins, and its tabular and exhaustive tools find what they look for on an end of a game."""
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
    from open_spiel.python.bots.uniform_random import UniformRandomBot

    game, rng = spiel_game(game_of("scalas-5")), np.random.RandomState(0)
    bots = [
        MCTSBot(game, 2.0, 10, RandomRolloutEvaluator(1, rng), random_state=rng),
        UniformRandomBot(1, rng),
    ]
    results = [evaluate_bots(game.new_initial_state(), bots, rng)[0] for _ in range(6)]
    assert sum(results) >= 2
