"""The edges of games, batches, environments, players and searches: what comes in is checked, chance stays hidden."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import torch
from nakajima_zoo.envs.core.agents import AGENTS
from nakajima_zoo.envs.core.batch import Batch, masks, observations
from nakajima_zoo.envs.core.checks import as_action, as_actions, check_number
from nakajima_zoo.envs.core.dispatch import is_legal
from nakajima_zoo.envs.core.kernel import kernel
from nakajima_zoo.envs.core.record import copy_records
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.envs.core.threads import share_out
from nakajima_zoo.players.base import Player, Positions, choose_legal
from nakajima_zoo.players.league import League
from nakajima_zoo.players.mcts import MCTSPlayer
from nakajima_zoo.players.network_search import NetworkSearch, NetworkSearchPlayer
from nakajima_zoo.players.simple import FunctionPlayer, GreedyPlayer, RandomPlayer
from nakajima_zoo.players.tree import MAX_EDGES, Trees
from zoo import (
    ENVIRONMENT,
    every_game,
    every_variant,
    game_of,
    play_randomly,
    random_action,
    random_games,
    raw_env,
    trace,
    wrapped_env,
)

NO_INTEGERS = (3.0, True, np.True_, "3", None, float("nan"), float("inf"), np.timedelta64(3), [3], torch.tensor(3.0))

NO_SEEDS = (-1, 1.0, True, "1", np.timedelta64(1), np.array(1), np.array([[1]]), [1, -1])


def know_nothing(observation, mask):
    return (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(mask), np.float32)


def finished(game):
    """(1,) record of a game that is over."""
    return next(states for states, mask in random_games(game, 1) if not mask.any())


# Numbers


@pytest.mark.parametrize("action", NO_INTEGERS, ids=repr)
def test_what_is_no_integer_is_no_action(action):
    game = game_of("scalas-5")
    env, batch, states = raw_env("scalas-5"), Batch(game, 1), game.new_states(1)
    env.reset(seed=0)
    batch.reset(0)
    before = states.tobytes(), env.get_state().tobytes(), batch.states.tobytes()
    for play in (
        lambda: as_action(action),
        lambda: game.play(states, action),
        lambda: env.step(action),
        lambda: env.action_to_text(action),
        lambda: batch.step([action]),
        lambda: env.reset(options={"actions": [action]}),
        lambda: choose_legal(FunctionPlayer(lambda seen, mask: [action]), Positions(game, states)),
    ):
        with pytest.raises(ValueError, match="expected"):
            play()
    assert (states.tobytes(), env.get_state().tobytes(), batch.states.tobytes()) == before


@pytest.mark.parametrize("action", [3, np.int8(3), np.uint64(3), np.array(3), np.array([3]), torch.tensor(3)], ids=repr)
def test_integers_of_every_library_are_actions(action):
    game = game_of("scalas-5")
    states = game.new_states(1)
    game.play(states, action)
    assert states[0].heights[0, 3] == 1
    assert as_actions(torch.tensor([1, 2]), 2).tolist() == [1, 2]
    assert as_actions(np.array([2**63], np.uint64), 1).tolist() == [-1]


@pytest.mark.parametrize(
    "seed", [-1, 1.0, True, "1", np.timedelta64(1), np.array(1), np.array([[1]]), [1, -1]], ids=repr
)
def test_what_is_no_seed(seed):
    game = game_of("renaissance-phase2")
    env, batch = raw_env("renaissance-phase2"), Batch(game, 2)
    env.reset(seed=3)
    for use in (
        lambda: batch.reset(seed),
        lambda: env.reset(seed=seed),
        lambda: env.reset(seed=seed, options={"state": env.get_state()}),
        lambda: game.new_states(2, seed),
        lambda: RandomPlayer(seed),
        lambda: League([RandomPlayer()]).reset(seed),
    ):
        with pytest.raises(ValueError, match="seed"):
            use()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1", None, True, 1j, 10**400, np.timedelta64(1), -0.5])
def test_what_is_no_exploration(value):
    for make in (
        lambda: check_number("exploration", value, least=0),
        lambda: MCTSPlayer(5, exploration=value),
        lambda: NetworkSearch("scalas", 1, 5, exploration=value),
        lambda: NetworkSearchPlayer(know_nothing, 5, exploration=value),
        lambda: League([RandomPlayer()], [value]),
        lambda: League([RandomPlayer()]).add(RandomPlayer(), value),
    ):
        with pytest.raises(ValueError, match="expected a finite number of at least 0"):
            make()


def test_options_are_a_dict():
    for options in (3, "state", [("state", 1)]):
        with pytest.raises(ValueError, match="expected a dict or None"):
            Batch("scalas", 2, options=options)
        with pytest.raises(ValueError, match="expected a dict or None"):
            raw_env("scalas-5").reset(options=options)


def test_counts_of_small_kinds_are_counts():
    """A NumPy integer of 8 bits cannot hold what is reckoned from it."""
    game, n = game_of("scalas-5"), np.int8(100)
    positions = Positions(game, game.new_states(n))
    batch = Batch(game, n, num_threads=np.int8(2))
    batch.reset(np.uint8(250))
    assert len(positions.states) == len(batch.states) == 100
    MCTSPlayer(np.int8(127), cut=np.int8(2)).choose(positions[:2])
    NetworkSearch(game, n, np.int8(127)).run(positions.states, know_nothing, np.random.default_rng(0))


def test_parameters_are_pythons_own_numbers():
    game = make_game("tsukiji", max_turns=np.int64(12))
    assert type(game.parameters["max_turns"]) is int
    assert game == make_game("tsukiji", max_turns=12) and str(game) == "tsukiji(turns='staged', max_turns=12)"
    assert pickle.loads(pickle.dumps(game)) == game


# Games


@every_game
def test_a_game_checks_arrays_rows_and_players(variant):
    game, other = game_of(variant), game_of("scalas-6")
    states = game.new_states(2, [0, 1])
    joint = states.copy()
    joint["joint"] = 1 - joint["joint"]
    blank = game.blank_states(1)
    for bad in (joint, blank, other.new_states(1), states[0], states.reshape(1, 2), None, [1], np.zeros(3)):
        for use in (
            lambda bad: game.mask(bad),
            lambda bad: game.observation(bad, 0),
            lambda bad: game.play(bad, 0),
            lambda bad: masks(game, bad),
            lambda bad: observations(game, bad, [0]),
            lambda bad: Positions(game, bad),
            lambda bad: game.history_to_text(bad, []),
            lambda bad: game.last_turn(bad, []),
        ):
            with pytest.raises(ValueError, match=r"state"):
                use(bad)
    for row in (2, -1, 10**7, 1.0, None, True):
        for use in (game.mask, lambda states, i: game.observation(states, 0, i), lambda s, i: game.play(s, 0, i)):
            with pytest.raises(ValueError, match="expected an index from 0 to 1"):
                use(states, row)
    for player in (7, -1, 0.5, None, "player_0"):
        with pytest.raises(ValueError, match="player"):
            game.observation(states, player)
        with pytest.raises(ValueError, match="players"):
            observations(game, states, [player, player])
    for count in (0, -1, 1.5, None):
        with pytest.raises(ValueError, match="n="):
            game.new_states(count)


@every_game
def test_read_only_memory_stays_as_it_is(variant):
    game = game_of(variant)
    kept = game.new_states(1, [0]).tobytes()
    states = np.frombuffer(kept, game.template.dtype)
    first = int(game.mask(states).argmax())
    for write in (lambda: game.play(states, first), lambda: game.seed(states, [1])):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert kept == states.tobytes()
    assert game.observation(states, 0).shape == game.observation_shape


@every_variant
def test_a_finished_game_is_no_position_to_choose_in(variant):
    game = game_of(variant)
    over = finished(game)
    for use in (
        lambda: choose_legal(RandomPlayer(0), Positions(game, over)),
        *(lambda player=player: player.choose(Positions(game, over)) for player in (RandomPlayer(), GreedyPlayer())),
        lambda: MCTSPlayer(2).choose(Positions(game, over)),
        lambda: NetworkSearchPlayer(know_nothing, 2).choose(Positions(game, over)),
        lambda: NetworkSearch(game, 1, 2).run(over, know_nothing, np.random.default_rng(0)),
        lambda: game.play(over, 0),
    ):
        with pytest.raises(ValueError, match="over"):
            use()
    assert not game.mask(over).any()


# What is legal


@kernel
def each_legal(states, room, legal):
    for action in range(legal.size):
        legal[action] = is_legal(states[0], action, room)


@every_variant
def test_one_action_is_legal_as_the_mask_says(variant):
    game = game_of(variant)
    every = 1 if game.num_actions < 20_000 else 9
    room, legal = np.ones(game.num_actions, np.int8), np.empty(game.num_actions, np.int8)
    for k, (states, mask) in enumerate(random_games(game, 1, seed=5)):
        if k % every == 0 or not mask.any():
            each_legal(states, room, legal)
            assert np.array_equal(legal, mask)


@every_variant
@pytest.mark.parametrize("owner", ["batch", "caller"])
def test_what_is_legal_is_not_what_the_mask_was_made_to_say(variant, owner):
    game = game_of(variant)
    mask = np.zeros((3, game.num_actions), np.int8) if owner == "caller" else None
    strict, lax = Batch(game, 3, action_mask=mask), Batch(game, 3, illegal_action="lose")
    rng = np.random.default_rng(0)
    for batch in (strict, lax):
        batch.reset(0)
    for _ in range(6):
        truth = masks(game, strict.states)
        actions = np.array([random_action(row, rng) for row in truth])
        illegal = np.array([int(row.argmin()) for row in truth])
        before = strict.states.tobytes()
        for batch in (strict, lax):
            batch.action_mask[:] = 1
        if not truth.all():
            wrong = np.where(truth.min(axis=1) == 0, illegal, actions)
            with pytest.raises(ValueError, match="is not legal"):
                strict.step(wrong)
            assert strict.states.tobytes() == before
        strict.action_mask[:] = 0
        strict.step(actions)
        assert np.array_equal(strict.action_mask, masks(game, strict.states))
        _, terminated, _ = lax.step(actions)
        assert not terminated.any()
    truth = masks(game, lax.states)
    lax.action_mask[:] = 1
    rewards, terminated, _ = lax.step(np.full(3, -1))
    assert terminated.all() and (np.abs(rewards) == 1).all()


def test_a_player_cannot_make_an_action_legal():
    class Cheat(Player):
        def choose(self, positions):
            wrong = positions.action_mask.argmin(axis=1)
            positions.action_mask[:] = 1
            positions.states[:] = positions.game.new_states(len(positions.states))
            return wrong

    batch = Batch("tsukiji", 2)
    batch.reset(0)
    with pytest.raises(ValueError, match="Cheat chose action"):
        choose_legal(Cheat(), Positions.of_batch(batch, np.arange(2)))


def test_a_batch_checks_rows_and_players():
    batch = Batch("scalas", 3)
    with pytest.raises(ValueError, match="state"):
        batch.final_observation([0], [0])  # no game has ended there
    batch.reset(0)
    for rows in ([3], [-1], [0.0], [[0]], None, "0"):
        with pytest.raises(ValueError, match="rows"):
            batch.final_observation(rows, [0])
    with pytest.raises(ValueError, match="action_mask"):
        Batch("scalas", 3, action_mask=[1, 2])
    twin = copy.copy(batch)
    twin.step([0, 1, 2])
    assert batch.states.tobytes() == copy_records(batch.states).tobytes() != twin.states.tobytes()


# Threads and interruptions


def test_an_error_in_one_thread_waits_for_the_others():
    working, done = threading.Event(), []

    def run(start, stop):
        if threading.current_thread() is threading.main_thread():
            assert working.wait(30)
            raise ValueError("here")
        working.set()
        for _ in range(20):
            time.sleep(0.01)
            yield
        done.append(start)

    def run_and_note(start, stop):
        yield from run(start, stop)
        left.append(start)

    left: list[int] = []
    with pytest.raises(ValueError, match="here"):
        share_out(run_and_note, 8, 8, 2)
    count = len(done)
    time.sleep(0.3)
    assert len(done) == count, "a thread went on after the error was raised"
    assert count <= 1, "nobody takes what is left"


def test_an_error_of_another_thread_is_raised_here():
    def run(start, stop):
        if threading.current_thread() is not threading.main_thread():
            raise ValueError("there")
        time.sleep(0.1)

    with pytest.raises(ValueError, match="there"):
        share_out(run, 8, 8, 2)


def test_a_batch_works_when_the_program_ends():
    program = """
import atexit
import numpy as np
from nakajima_zoo import Batch
batch = Batch("scalas", 256, num_threads=3)
batch.reset(0)
def last():
    batch.step(batch.action_mask.argmax(axis=1))
    print("stepped", int(batch.states["turns"].sum()))
atexit.register(last)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert "stepped 256" in found.stdout and "Error" not in found.stderr


def test_a_long_search_can_be_interrupted():
    game = game_of("ring_world-L4-staged")
    MCTSPlayer(2).choose(Positions(game, game.new_states(1)))
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        MCTSPlayer(100_000, num_threads=2).choose(Positions(game, game.new_states(2)))  # for minutes


@every_game
def test_trees_take_no_more_memory_than_they_say(variant):
    game, n = game_of(variant), 128
    search = NetworkSearch(game, n, 4)
    search.run(game.new_states(n, range(n)), know_nothing, np.random.default_rng(0), noise=0.25)
    assert search.trees.edges.size <= MAX_EDGES
    trees = Trees(game, MAX_EDGES // 400, 1, 1)
    assert trees.edges.shape[1] <= 400
    trees = Trees(game, 2, 3, 1)
    trees.make_room(10_000)
    assert trees.edges.shape[1] >= min(10_000, 3 * game.num_actions)


# Judges


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p, v: (p * np.nan, v), "the priors of the judge .*bad"),
        (lambda p, v: (np.where(p > 0, np.inf, 0).astype(np.float32), v), "priors of the judge"),
        (lambda p, v: (-p, v), "priors of the judge"),
        (lambda p, v: (p[:, :-1], v), "expected numbers of shape"),
        (lambda p, v: (p, v * np.nan), "values of the judge"),
        (lambda p, v: (p, v + np.inf), "values of the judge"),
        (lambda p, v: (p, v + 7), "within -1 and 1"),
        (lambda p, v: (p, v[:, None]), "expected numbers of shape"),
        (lambda p, v: (p, None), "values of the judge"),
        (lambda p, v: p, "expected priors and values"),
        (lambda p, v: (p.astype(str), v), "expected numbers"),
        (lambda p, v: (torch.tensor(p, requires_grad=True), v), "priors of the judge"),
    ],
)
def test_what_a_judge_says_is_checked(change, message):
    game = game_of("scalas-5")

    def bad(observation, mask):
        return change(*know_nothing(observation, mask))

    with pytest.raises(ValueError, match=message):
        NetworkSearch(game, 2, 4).run(game.new_states(2), bad, np.random.default_rng(0))


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_judges_of_every_precision(dtype):
    game = game_of("scalas-5")

    def judge(observation, mask):
        priors, values = know_nothing(observation, mask)
        mask[:] = 0  # which is its own
        return torch.tensor(priors.astype(dtype)), values.astype(dtype)

    actions, visits = NetworkSearch(game, 2, 6).run(game.new_states(2), judge, np.random.default_rng(0))
    assert (visits.sum(axis=1) == 6).all() and actions.min() >= 0


def test_as_many_roots_as_trees():
    game = game_of("scalas-5")
    search = NetworkSearch(game, 4, 8)
    for count in (2, 5):
        with pytest.raises(ValueError, match=f"{count} roots for 4 trees"):
            search.run(game.new_states(count), know_nothing, np.random.default_rng(0))
    for rng, noise in ((None, 0.0), (np.random.default_rng(0), 2.0), (np.random.default_rng(0), float("nan"))):
        with pytest.raises(ValueError, match=r"expected"):
            search.run(game.new_states(4), know_nothing, rng, noise)


# Chance, and what is shared


@pytest.mark.parametrize("variant", ["renaissance-phase2", "renaissance-full-random", "renaissance-full-staged"])
def test_no_player_sees_the_chance_to_come(variant):
    """A choice that changes with the record's random state alone knows what will be drawn."""
    game = game_of(variant)
    judge_seen = []

    class Looks(Player):
        def choose(self, positions):
            judge_seen.append(positions.states["rng"].copy())
            return positions.action_mask.argmax(axis=1)

    found = [states for states, mask in random_games(game, 1, seed=2) if mask.any()][:20]
    for states in found:
        other = states.copy()
        other["rng"] ^= np.uint64(0xABCDEF12345)
        for make in (lambda: GreedyPlayer(1), lambda: MCTSPlayer(6, cut=10, seed=1), lambda: RandomPlayer(1), Looks):
            choices = [make().choose(Positions(game, each)).tolist() for each in (states, other)]
            assert choices[0] == choices[1]
    assert len({int(seen[0]) for seen in judge_seen}) == 1


def test_a_seed_decides_the_chance_after_a_given_state():
    env = raw_env("renaissance-phase2")
    env.reset(seed=1)
    state = env.get_state()

    def game_with(seed):
        env.reset(seed=seed, options={"state": state})
        play_randomly(env, np.random.default_rng(0))
        return env.get_state().tobytes()

    assert game_with(5) == game_with(5) != game_with(6)
    assert game_with(None) == game_with(None)


class Counts(Player):
    """Keeps, for each game, how often it was asked."""

    def __init__(self):
        self.asked = np.zeros(8, np.int64)
        self.rng = np.random.default_rng(0)
        self.network = torch.nn.Linear(2, 2)
        self.notes = {"rows": [0]}

    def choose(self, positions):
        self.asked[positions.rows] += 1
        self.notes["rows"][0] += 1
        return positions.action_mask.argmax(axis=1)


def test_a_copy_for_use_keeps_its_own_games_and_shares_the_network():
    game, player = game_of("scalas-5"), Counts()
    first, second = player.copy_for_use(), player.copy_for_use()
    first.choose(Positions(game, game.new_states(3)))
    assert first.asked.sum() == 3 and player.asked.sum() == second.asked.sum() == 0
    assert (first.notes, second.notes) == ({"rows": [1]}, {"rows": [0]})
    assert first.network is second.network is player.network
    drawn = {each.rng.random() for each in (player, first, second)}
    assert len(drawn) == 3


def test_a_league_that_is_used_elsewhere_meets_the_same_players():
    """Evaluation leaves a running training as it was: whom a game meets does not change in its middle."""
    game = game_of("scalas-5")
    zeros, ones = (FunctionPlayer(lambda seen, mask, n=n: np.full(len(mask), n)) for n in (0, 1))
    league = League([zeros, ones], seed=0)
    training = league.copy_for_use()
    training.begin(np.arange(50))
    positions = Positions(game, game.new_states(50))
    choice = training.choose(positions)
    assert set(choice) == {0, 1}
    evaluation = league.copy_for_use()
    evaluation.begin(np.arange(50)[::-1])
    evaluation.choose(positions)
    league.begin(np.arange(7))
    assert np.array_equal(training.choose(positions), choice)
    league.add(FunctionPlayer(lambda seen, mask: np.full(len(mask), 2)), weight=1e9)
    training.begin(np.arange(10))
    assert (training.choose(positions)[:10] == 2).all() and np.array_equal(training.choose(positions)[10:], choice[10:])


def test_a_league_knows_games_that_nobody_began():
    env = wrapped_env("scalas-5")
    env.reset(seed=0)
    assert env.unwrapped.legal_actions()[League([RandomPlayer(1)]).act(env)] >= 0
    for players, weights in (([], None), ([RandomPlayer()], [0]), ([RandomPlayer()], [1, 2])):
        with pytest.raises(ValueError, match="weights"):
            League(players, weights).act(env)


# Environments


@every_game
@pytest.mark.parametrize("make", [raw_env, wrapped_env])
def test_a_shallow_copy_is_a_true_copy(variant, make):
    env = make(variant)
    env.reset(seed=0)
    twin, before = copy.copy(env), trace(env.unwrapped)
    play_randomly(twin, np.random.default_rng(0))
    assert trace(env.unwrapped) == before != trace(twin.unwrapped)


def test_a_clone_opens_no_window(monkeypatch):
    env = raw_env("scalas-5", render_mode="human")
    monkeypatch.setattr(type(env), "render", lambda self: pytest.fail("shown") if self is not env else None)
    env.reset(seed=0)
    for twin in (env.clone(), copy.copy(env)):
        twin.step(0)
        twin.reset(seed=1)
        assert twin.render_mode is None
    assert env.render_mode == "human"


@every_game
def test_nothing_is_shown_before_reset(variant):
    env = raw_env(variant, render_mode="ansi")
    for show in (
        lambda: env.observe("player_0"),
        env.state,
        env.render,
        env.svg,
        env.legal_actions,
        lambda: env.legal_actions("player_1"),
        env.to_text,
        env.get_state,
        lambda: env.action_to_text(0),
        lambda: env.text_to_action("x"),
        env.history_to_text,
        lambda: env.text_to_history(""),
        lambda: env.origin,
        lambda: env.step(0),
        env.forfeit,
    ):
        with pytest.raises(RuntimeError, match="reset"):
            show()
    assert env.history == [] and env.result is None and env._repr_svg_() is None


def test_a_notebook_without_the_extra_shows_no_traceback(monkeypatch):
    env = wrapped_env("scalas-5")
    env.reset(seed=0)
    monkeypatch.setitem(sys.modules, "drawsvg", None)
    monkeypatch.delitem(sys.modules, "nakajima_zoo.envs.scalas.drawing", raising=False)
    monkeypatch.delitem(sys.modules, "nakajima_zoo.envs.core.drawing", raising=False)
    with pytest.warns(UserWarning, match="needs the extra 'render'"):
        assert env._repr_svg_() is None
    with pytest.raises(ImportError, match="render"):
        env.unwrapped.svg()


@every_variant
def test_a_replayed_end_is_the_played_one(variant):
    env, again = raw_env(variant), raw_env(variant)
    for seed in range(4):
        env.reset(seed=seed)
        play_randomly(env, np.random.default_rng(seed))
        again.reset(seed=seed, options={"actions": env.history})
        assert again.agent_selection == env.agent_selection in AGENTS
        assert trace(again) == trace(env)


@every_game
def test_infos_are_numbers(variant):
    """Whatever collects infos in arrays finds the same shapes at every step."""
    env = wrapped_env(variant)
    env.reset(seed=0)
    shapes = set()
    for agent in env.agent_iter():
        info = env.last()[-1]
        arrays = {name: np.asarray(value) for name, value in info.items()}
        assert all(array.dtype == np.int64 for array in arrays.values())
        shapes.add(tuple((name, array.shape) for name, array in arrays.items()))
        mask = env.observe(agent)["action_mask"]
        env.step(int(mask.argmax()) if mask.any() else None)
    assert shapes == {(("turn", ()), ("decision", ()), ("scores", (2,)), ("winner", ()), ("reason", ()))}
