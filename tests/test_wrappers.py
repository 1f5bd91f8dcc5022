"""The wrappers, over all games: batch, seats, single-agent, vector environments, players, evaluation."""

from __future__ import annotations

import functools
import multiprocessing
import threading
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from nakajima_zoo.arena.evaluate import Score, evaluate, play_games
from nakajima_zoo.arena.match import MatchEnv
from nakajima_zoo.envs.core.agents import AGENTS
from nakajima_zoo.envs.core.batch import Batch
from nakajima_zoo.envs.core.record import NOBODY
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.envs.core.threads import SHARES, share_out
from nakajima_zoo.learning.seat import SeatBatch
from nakajima_zoo.players.base import Player, Positions
from nakajima_zoo.players.league import League
from nakajima_zoo.players.models import ModelPlayer, PolicyPlayer
from nakajima_zoo.players.names import make_player
from nakajima_zoo.players.simple import FunctionPlayer, GreedyPlayer, RandomPlayer
from nakajima_zoo.wrappers.sb3 import BatchVecEnv
from nakajima_zoo.wrappers.single_agent import SingleAgentEnv
from nakajima_zoo.wrappers.vector import BatchVectorEnv
from pettingzoo.test import api_test
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.env_checker import check_env as sb3_check_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv
from zoo import DEFAULTS, VARIANTS, every_game, every_variant, game_of, random_action, raw_env


class FirstPlayer(Player):
    """Plays the first legal action."""

    def choose(self, positions):
        return positions.action_mask.argmax(axis=1)


def first_actions(masks):
    return np.asarray(masks).argmax(axis=1)


# Batch


@every_variant
def test_a_row_of_a_batch_is_the_game_alone(variant):
    """G10, C4: same seed, same actions: game i is bit for bit what an environment with seed + i is, resets included."""
    game, n, steps = game_of(variant), 5, 150
    batch, rng = Batch(game, n), np.random.default_rng(0)
    batch.reset(seed=40)
    envs = [raw_env(variant) for _ in range(n)]
    for i, env in enumerate(envs):
        env.reset(seed=40 + i)
    for _ in range(steps):
        for i, env in enumerate(envs):
            seen = env.observe(env.agent_selection)
            assert AGENTS[batch.to_play[i]] == env.agent_selection
            assert np.array_equal(batch.action_mask[i], seen["action_mask"])
            assert np.array_equal(batch.observation[i], seen["observation"])
            assert batch.states[i].tobytes() == env.get_state().tobytes()
        actions = np.array([random_action(mask, rng) for mask in batch.action_mask])
        rewards, terminated, truncated = batch.step(actions)
        for i, (env, action) in enumerate(zip(envs, actions, strict=True)):
            env.step(action)
            assert rewards[i].tolist() == [env.rewards[agent] for agent in AGENTS]
            assert terminated[i] == all(env.terminations.values()) and truncated[i] == all(env.truncations.values())
            if env.result is not None:
                for player, agent in enumerate(AGENTS):
                    final = batch.final_observation(np.array([i]), np.array([player]))[0]
                    assert np.array_equal(final, env.observe(agent)["observation"])
                env.reset()


@every_game
def test_threads_change_nothing(variant):
    game, n = game_of(variant), 200
    one, many = Batch(game, n, num_threads=1), Batch(game, n, num_threads=3)
    player = RandomPlayer(0)
    for batch in (one, many):
        batch.reset(seed=0)
    for _ in range(60):
        actions = player.choose(Positions(game, one.states))
        for batch in (one, many):
            batch.step(actions)
        for name in ("states", "to_play", "action_mask", "observation", "rewards", "terminated", "truncated"):
            assert getattr(one, name).tobytes() == getattr(many, name).tobytes()


def test_an_interruption_stops_all_threads():
    """Nobody writes into the arrays once the caller has got the error; the shares that are left are dropped."""
    begun, stopped = [], threading.Event()

    def run(start, stop):
        begun.append(start)
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        stopped.wait(0.02)

    with pytest.raises(KeyboardInterrupt):
        share_out(run, 1024, 1024, 2)
    shares = len(begun)
    assert shares < SHARES * 2
    stopped.wait(0.1)
    assert len(begun) == shares
    done = []
    share_out(lambda start, stop: done.extend(range(start, stop)), 1000, 1000, 3)
    assert sorted(done) == list(range(1000))


def test_batch_writes_into_the_callers_arrays():
    game = game_of("scalas-5")
    mask, observation = np.full((3, 25), 9, np.int8), np.full((3, 5, 5, 14), 9, np.float32)
    batch = Batch(game, 3, action_mask=mask, observation=observation)
    batch.reset(seed=0)
    assert batch.action_mask is mask and (mask == 1).all() and observation.max() <= 1
    with pytest.raises(ValueError, match="expected a writeable C array"):
        Batch(game, 4, action_mask=mask)


@every_game
def test_batch_refuses_bad_input_unchanged(variant):
    batch = Batch(game_of(variant), 4)
    batch.reset(seed=0)
    good = first_actions(batch.action_mask)
    before = batch.states.tobytes()
    illegal = good.copy()
    illegal[2] = int(np.flatnonzero(batch.action_mask[2] == 0)[0]) if not batch.action_mask[2].all() else -1
    for actions, rows, message in (
        (illegal, None, "game 2"),
        (good[:3], None, "shape"),
        (good.astype(float), None, "integers"),
        (good[:1], [4], "rows"),
        (good[:2], [1, 1], "at most once"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.step(actions, rows)
        assert batch.states.tobytes() == before
    for arguments in ({"n": 0}, {"n": 1, "num_threads": -1}, {"n": 1, "num_threads": 1.5}):
        with pytest.raises(ValueError, match="expected an integer from 1"):
            Batch(game_of(variant), **arguments)
    with pytest.raises(ValueError, match="'colour' unknown"):  # it was ignored
        Batch(game_of(variant), 1, options={"colour": 1})
    for policy in ("raise", "lose"):
        with pytest.raises(RuntimeError, match="reset"):  # games that were never begun were forfeited
            Batch(game_of(variant), 4, illegal_action=policy).step(good)


def test_batch_forfeits_illegal_actions():
    batch = Batch(game_of("scalas-5"), 2, illegal_action="lose")
    batch.reset(seed=0)
    rewards, terminated, truncated = batch.step(np.array([99, 0]))
    assert rewards.tolist() == [[-1, 1], [0, 0]] and terminated.tolist() == [True, False] and not truncated.any()
    assert batch.game.result(batch.final_states[0])["reason"] == "illegal_action"


def test_batch_options():
    """The game's options are those of every game that begins."""
    game = make_game("renaissance", variant="phase2")
    batch = Batch(game, 3, options={"coins": [1] * 7})
    batch.reset(seed=0)
    assert (batch.to_play == 1).all()
    with pytest.raises(ValueError, match="coins"):
        Batch(game, 3, options={"coins": [2] * 7})


# Seats


@pytest.mark.parametrize("name", ["seat", "reset"])
def test_a_game_that_ends_before_the_learner_acts_is_an_error(name):
    """Seat 1 of a game of one turn: `SeatBatch` began games for ever, and rewards were overwritten."""
    game = make_game("ring_world", max_turns=1)
    if name == "reset":
        with pytest.raises(ValueError, match="before the learner"):
            SeatBatch(game, 2, RandomPlayer(0), seat=1)
    else:
        seats = SeatBatch(game, 2, RandomPlayer(0), seat=0)
        seats.seat_choice = 1
        with pytest.raises(ValueError, match="before the learner"):
            seats.step(first_actions(seats.action_mask))


@every_variant
def test_seat_batch(variant):
    """A2, A4, B2, G11: every row waits for the learner, its mask is that of its state; rewards are the learner's."""
    game = game_of(variant)
    seats, player = SeatBatch(game, 6, RandomPlayer(0)), RandomPlayer(1)
    seats.reset(seed=3)
    ended = 0
    for _ in range(120):
        assert (seats.batch.to_play == seats.seat).all()
        assert seats.action_mask.any(axis=1).all()
        assert np.array_equal(seats.action_mask, Positions(game, seats.batch.states).action_mask)
        seat = seats.seat.copy()
        rewards, terminated, truncated = seats.step(player.choose(Positions(game, seats.batch.states)))
        assert not (terminated & truncated).any()
        for i in np.flatnonzero(terminated | truncated):
            winner = seats.final_states[i]["winner"]
            assert rewards[i] == (0 if winner < 0 else 1 if winner == seat[i] else -1)
            ended += 1
        assert (rewards[~(terminated | truncated)] == 0).all()
    assert ended or "L4" in variant


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("won", [True, False])
def test_scripted_games(seat, won):
    """B2: a won and a lost game on either seat: the learner's rewards sum to +1 and -1."""
    game = game_of("scalas-5")
    env = raw_env("scalas-5")
    for seed in range(100):
        rng = np.random.default_rng(seed)
        env.reset()
        while env.result is None:
            env.step(random_action(env.observe(env.agent_selection)["action_mask"], rng))
        if env.result.winner == AGENTS[seat if won else 1 - seat]:
            break
    moves = {0: [], 1: []}
    states = game.new_states(1)
    for action in env.history:
        moves[int(states[0].player)].append(action)
        game.play(states, action)
    script = iter(moves[1 - seat])
    opponent = FunctionPlayer(lambda observation, mask: np.array([next(script)]))
    single = SingleAgentEnv("scalas", opponent, seat)
    single.reset(seed=0)
    total = 0.0
    for action in moves[seat]:
        _, reward, terminated, truncated, info = single.step(action)
        total += reward
    assert terminated and not truncated
    assert total == reward == (1.0 if won else -1.0)
    assert info["winner"] == (seat if won else 1 - seat)


@pytest.mark.parametrize("name", [name for name in VARIANTS if "joint" not in name])
def test_single_agent_passes_the_checkers(name):
    """G3, G4: the checkers play unmasked actions."""
    game = game_of(name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gymnasium_check_env(SingleAgentEnv(game), skip_render_check=True)
        sb3_check_env(SingleAgentEnv(game))
    known = ("image", "CnnPolicy", "`action_mask`")
    assert all(any(word in str(w.message) for word in known) for w in caught), [str(w.message) for w in caught]


@every_game
def test_single_agent_episodes(variant):
    """B1, A4: whole episodes on random seats; the mask is the learner's, never empty while the game runs."""
    env = SingleAgentEnv(game_of(variant), RandomPlayer(0))
    rng, seats = np.random.default_rng(0), set()
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        terminated = truncated = False
        total = 0.0
        while not (terminated or truncated):
            assert info["action_mask"].any() and np.array_equal(info["action_mask"], env.action_masks())
            assert env.observation_space.contains(observation)
            observation, reward, terminated, truncated, info = env.step(random_action(info["action_mask"], rng))
            total += reward
        assert not info["action_mask"].any()
        winner = env.env.result.winner
        assert total == (0 if winner is None else 1 if winner == AGENTS[info["seat"]] else -1)
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
    assert seats == {0, 1}


@every_game
@pytest.mark.filterwarnings("ignore:the last 10 games:UserWarning")
def test_single_agent_fuzz(variant):
    """G4: unmasked random actions end in the documented way only."""
    env = SingleAgentEnv(game_of(variant), RandomPlayer(0))
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(1000):
        _, reward, terminated, truncated, info = env.step(int(rng.integers(-2, env.action_space.n + 2)))
        if terminated or truncated:
            assert "reason" in info and reward in (-1.0, 0.0, 1.0)
            env.reset()
    strict = SingleAgentEnv(game_of(variant), illegal_action="raise")
    strict.reset(seed=0)
    with pytest.raises(ValueError, match="out of range"):
        strict.step(-1)


@pytest.mark.parametrize("make", [SingleAgentEnv, BatchVectorEnv])
def test_an_opponent_is_a_player(make):
    """None was taken, and failed in the middle of a game."""
    for opponent in (None, 3, "chess", "random:2", "greedy(simulations=3)"):
        with pytest.raises(ValueError, match=r"player .*(expected one of random, greedy, .*a Player|has no)"):
            make("scalas", opponent=opponent)


def test_masks_before_reset():
    with pytest.raises(RuntimeError, match="call reset"):
        SingleAgentEnv("scalas").action_masks()


def test_no_games_have_no_win_rate():
    assert str(Score()) == "no games"
    for ask in (lambda: Score().win_rate, Score().interval):
        with pytest.raises(ValueError, match="no games were played"):
            ask()


def test_many_games_have_no_picture():
    with pytest.raises(ValueError, match=r"render_mode='rgb_array'; expected None: use SingleAgentEnv"):
        gymnasium.make_vec("nakajima_zoo/Scalas-v0", 2, render_mode="rgb_array")


@every_game
def test_a_list_of_seeds(variant):
    """Game i gets seed i, as in Gymnasium's own vector environments."""
    game, seeds = game_of(variant), [7, 3, 7, 11]
    batch = Batch(game, 4)
    for given in (seeds, tuple(seeds), np.array(seeds)):
        batch.reset(given)
        assert [state.tobytes() for state in batch.states] == [
            game.new_states(1, [seed])[0].tobytes() for seed in seeds
        ]
    env = BatchVectorEnv(game, 4)
    first, info = env.reset(seed=seeds)
    again, info_again = env.reset(seed=seeds)
    assert np.array_equal(first, again) and np.array_equal(info["seat"], info_again["seat"])
    for bad, message in (([1, 2], "2 seeds for 4 games"), ([1, 2, 3, None], "seed=None"), ([1, 2, 3, -1], "seed=-1")):
        for each in (batch, env):
            with pytest.raises(ValueError, match=message):
                each.reset(seed=bad)


def test_single_agent_rejects_bad_arguments():
    for arguments in ({"seat": 2}, {"opponent": "strong"}, {"illegal_action": "ignore"}, {"size": 9}):
        with pytest.raises(ValueError, match="expected"):
            SingleAgentEnv("scalas", **arguments)


@pytest.mark.parametrize("make", [SingleAgentEnv, BatchVectorEnv])
def test_parameters_beside_a_game_are_refused(make):
    """They were ignored."""
    with pytest.raises(ValueError, match="size given beside"):
        make(game_of("scalas-5"), size=7)


def test_render_modes_are_declared():
    """Gymnasium warned that `rgb_array` is no render mode, since it reads them from the class."""
    env = gymnasium.make("nakajima_zoo/Scalas-v0", render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().dtype == np.uint8


def test_single_agent_in_vec_envs():
    """G2, A2: DummyVecEnv and, with the spawn method, SubprocVecEnv; MaskablePPO learns on them."""
    assert "spawn" in multiprocessing.get_all_start_methods()
    single = functools.partial(SingleAgentEnv, "scalas")
    for vec_env in (DummyVecEnv([single] * 2), SubprocVecEnv([single] * 2, start_method="spawn")):
        model = MaskablePPO("MlpPolicy", vec_env, n_steps=64, batch_size=32, n_epochs=1, seed=0)
        model.learn(500)
        vec_env.close()


def test_registered():
    """The ids of the README make the environments."""
    for name in ("scalas", "ring_world", "tsukiji", "renaissance"):
        assert pettingzoo.make("aec", f"nakajima_zoo/{name}-v0").unwrapped.game == make_game(name)
        camel = name.title().replace("_", "")
        env = gymnasium.make(f"nakajima_zoo/{camel}-v0", opponent="greedy", seat=1, disable_env_checker=True)
        assert env.unwrapped.game == make_game(name)
        vector = gymnasium.make_vec(f"nakajima_zoo/{camel}-v0", 3, vectorization_mode="vector_entry_point")
        assert isinstance(vector, BatchVectorEnv) and vector.num_envs == 3


# Vector environments


@every_game
def test_gymnasium_vector_env(variant):
    """G10, G11: masks and observations of the new game right after the end, the old one's in `final_obs`."""
    env = BatchVectorEnv(game_of(variant), 4, RandomPlayer(0))
    observation, info = env.reset(seed=0)
    player, ended = np.random.default_rng(0), 0
    for _ in range(100):
        assert env.observation_space.contains(observation)
        assert info["action_mask"].any(axis=1).all() and np.array_equal(info["action_mask"], env.action_masks())
        for i, state in enumerate(env.seats.batch.states):
            assert info["turn"][i] == state.turns and info["scores"][i].tolist() == state.scores.tolist()
            assert info["decision"][i] == state.decision and info["winner"][i] == NOBODY and info["reason"][i] == 0
            assert info["_turn"][i] and info["_scores"][i] and info["_decision"][i]
        kept = info["turn"], info["turn"].copy()
        actions = np.array([random_action(mask, player) for mask in info["action_mask"]])
        observation, rewards, terminated, truncated, info = env.step(actions)
        assert np.array_equal(*kept)
        done = terminated | truncated
        ended += done.sum()
        assert ("final_obs" in info) == ("final_info" in info) == done.any()
        for i in np.flatnonzero(done):
            assert env.single_observation_space.contains(info["final_obs"][i])
            assert not np.array_equal(info["final_obs"][i], observation[i])
            final, seat = info["final_info"], info["final_info"]["seat"][i]
            assert info["_final_obs"][i] and info["_final_info"][i] and final["_winner"][i]
            assert rewards[i] == (0 if final["winner"][i] == NOBODY else 1 if final["winner"][i] == seat else -1)
            assert final["reason"][i] == env.seats.final_states[i].reason and len(final["scores"][i]) == 2
            assert final["turn"][i] == env.seats.final_states[i].turns
    assert ended
    with pytest.raises(ValueError, match="none"):
        env.reset(options={"a": 1})


@every_game
def test_sb3_vec_env(variant):
    """A2, G11: observations, masks, terminal observations and flags; snapshots of arrays do not change later."""
    game = game_of(variant)
    env = BatchVecEnv(game, 4, RandomPlayer(0))
    env.seed(5)
    first = env.reset()
    env.seed(5)
    assert np.array_equal(first, env.reset())
    kept, rng, ended = first.copy(), np.random.default_rng(0), 0
    for _ in range(100):
        masks = env.action_masks()
        assert masks.dtype == np.bool_ and masks.any(axis=1).all()
        assert np.array_equal(masks, np.stack(env.env_method("action_masks")))
        _, rewards, dones, infos = env.step(np.array([random_action(mask, rng) for mask in masks]))
        for i in np.flatnonzero(dones):
            ended += 1
            assert env.observation_space.contains(infos[i]["terminal_observation"])
            assert infos[i]["episode"]["r"] == rewards[i] and infos[i]["episode"]["l"] > 0
            final = env.seats.final_states[i]
            assert infos[i]["winner"] == final.winner and infos[i]["scores"] == final.scores.tolist()
        assert not any(info["TimeLimit.truncated"] for info in infos)
    assert ended
    assert np.array_equal(first, kept)


def test_an_empty_mask_is_refused():
    """A2: a row that allows nothing never reaches a distribution."""
    env = BatchVecEnv(game_of("scalas-5"), 2)
    env.reset()
    env.seats.action_mask[1] = 0
    with pytest.raises(RuntimeError, match="game 1"):
        env.action_masks()


def test_cut_games_are_truncated():
    """G11: a game cut by the turn limit is said to be, with its final observation."""
    game = make_game("ring_world", max_turns=4)
    env = BatchVecEnv(game, 3)
    env.reset()
    seen = 0
    for _ in range(10):
        _, rewards, dones, infos = env.step(first_actions(env.action_masks()))
        for i in np.flatnonzero(dones):
            assert infos[i]["cut_off"] and rewards[i] == 0
            assert infos[i]["terminal_observation"].any()
            seen += 1
    assert seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_masked_distributions(variant):
    """A3: sb3-contrib's masked distribution with its argument checks on survives every action space."""
    import torch

    game = game_of(variant)
    n = game.num_actions
    generator, rng = torch.Generator().manual_seed(0), np.random.default_rng(0)
    for _ in range(200 if n < 1_000 else 40 if n < 10_000 else 4):
        logits = 3 * torch.randn(8, n, generator=generator)
        distribution = MaskableCategorical(logits=logits, validate_args=True)
        assert torch.isfinite(distribution.probs).all()
        for _ in range(3):
            masks = rng.random((8, n)) < rng.random()
            masks[:, 0] = True
            distribution.apply_masking(masks)
            assert masks[np.arange(8), distribution.sample().numpy()].all()


# Players


@every_variant
def test_players_play_legally_and_repeatably(variant):
    game = game_of(variant)
    n = 2 if game.num_actions > 10_000 else 6
    for name in ("random", "greedy"):
        finals = []
        for _ in range(2):
            players = make_player(name, seed=1), make_player(name, seed=2)
            limited = [play_games(game, players, n, seed=0)] if name == "random" or n > 2 else []
            finals.append([each.tobytes() for each in limited])
            for each in limited:
                assert (each["status"] != 0).all() and (each["reason"] != 0).all()
        assert finals[0] == finals[1]


@every_game
def test_greedy_takes_the_best_score(variant):
    """Greedy's choice leads to the best difference of scores, or a win, that any action leads to."""
    game, greedy = game_of(variant), GreedyPlayer(0)
    states, rng = game.new_states(1, [0]), np.random.default_rng(0)
    while (mask := game.mask(states)).any():
        player = int(states[0].player)
        values = {}
        for action in np.flatnonzero(mask).tolist():
            after = states.copy()
            game.play(after, action)
            over, winner = after[0].status != 0, int(after[0].winner)
            difference = int(after[0].scores[player]) - int(after[0].scores[1 - player])
            values[action] = (0 if winner < 0 else 1e9 if winner == player else -1e9) if over else difference
        choice = int(greedy.choose(Positions(game, states))[0])
        assert values[choice] == max(values.values())
        game.play(states, random_action(mask, rng))


def test_greedy_beats_random():
    for variant in DEFAULTS:
        first, second = evaluate(game_of(variant), GreedyPlayer(), RandomPlayer(), 100, seed=0)
        assert (first + second).wins > (first + second).losses, variant


def test_league_draws_a_player_for_each_game():
    zeros = FunctionPlayer(lambda observation, mask: np.zeros(len(mask), np.int64))
    ones = FunctionPlayer(lambda observation, mask: np.ones(len(mask), np.int64))
    league = League([zeros, ones], [1, 3], seed=0)
    league.begin(np.arange(400))
    game = game_of("scalas-5")
    positions = Positions(game, game.new_states(400))
    choice = league.choose(positions)
    assert np.array_equal(choice, league.choose(positions))
    assert 250 < choice.sum() < 350
    league.begin(np.arange(10))
    assert np.array_equal(league.choose(positions)[10:], choice[10:])


def test_model_players():
    """G1: a trained model and a frozen policy choose legal actions for whole batches."""
    game = game_of("scalas-5")
    model = MaskablePPO("MlpPolicy", BatchVecEnv(game, 4), n_steps=16, batch_size=32, n_epochs=1, seed=0)
    frozen = PolicyPlayer(model.policy, deterministic=True)
    positions = Positions(game, game.new_states(5))
    before = frozen.choose(positions)
    assert np.array_equal(before, ModelPlayer(model, deterministic=True).choose(positions))
    model.learn(256)
    assert np.array_equal(before, frozen.choose(positions))
    total = sum(evaluate(game, ModelPlayer(model), frozen, 20, seed=0), Score())
    assert total.games == 40 and total.illegal == 0


def test_evaluate_counts():
    game = game_of("scalas-5")
    bad = FunctionPlayer(lambda observation, mask: np.full(len(mask), 99))
    first, second = evaluate(game, bad, RandomPlayer(), 5, seed=0)
    assert (first, second) == (Score(0, 0, 5, 5, repeats=4), Score(0, 0, 5, 5, repeats=1))
    score = Score(190, 4, 6)
    low, high = score.interval()
    assert score.win_rate == 0.95 and low == pytest.approx(0.9104, abs=2e-3) and high == pytest.approx(0.9726, abs=2e-3)


@every_game
def test_shaping_changes_no_total(variant):
    """Potential-based: what shaping adds over a game is minus the potential at its start, whatever was played."""
    game = game_of(variant)
    plain, shaped = (SeatBatch(game, 6, RandomPlayer(0), shaping=weight) for weight in (0.0, 0.5))
    for seats in (plain, shaped):
        seats.reset(seed=1)
    added, start, ended = np.zeros(6), shaped.potential.copy(), 0
    assert not plain.potential.any()
    player, changed = RandomPlayer(2), False
    for _ in range(150):
        actions = player.choose(Positions(game, plain.batch.states))
        for seats in (plain, shaped):
            seats.step(actions)
        assert np.array_equal(plain.rewards, plain.outcomes)
        assert np.array_equal(plain.outcomes, shaped.outcomes)
        added += shaped.rewards - plain.rewards
        changed |= bool(added.any())
        done = plain.terminated | plain.truncated
        ended += done.sum()
        assert np.allclose(added[done], -start[done], atol=1e-4)
        added[done], start[done] = 0, shaped.potential[done]
    assert ended
    assert changed


@every_game
def test_a_margin_adds_the_points(variant):
    """What the margin adds over a game is so much for each point by which the learner's lead has grown."""
    game = game_of(variant)
    plain, rewarded = (SeatBatch(game, 6, RandomPlayer(0), margin=weight) for weight in (0.0, 0.25))
    for seats in (plain, rewarded):
        seats.reset(seed=1)
    added, start, player, leads = np.zeros(6), rewarded.potential.copy(), RandomPlayer(2), []
    for _ in range(150):
        actions = player.choose(Positions(game, plain.batch.states))
        for seats in (plain, rewarded):
            seats.step(actions)
        added += rewarded.rewards - plain.rewards
        for i in np.flatnonzero(plain.terminated | plain.truncated):
            scores, seat = plain.final_states[i].scores, plain.final_seat[i]
            leads.append(int(scores[seat]) - int(scores[1 - seat]))
            assert added[i] == pytest.approx(0.25 * leads[-1] - start[i], abs=1e-4)
            added[i], start[i] = 0, rewarded.potential[i]
    assert len(set(leads)) > 1


# Matches


@every_game
@pytest.mark.parametrize("decided_by", ["score", "games"])
def test_match(variant, decided_by):
    """Colours alternate; the reward comes once, by what the single games brought."""
    game = game_of(variant)
    env, rng = MatchEnv(game, 4, decided_by), np.random.default_rng(3)
    env.reset(seed=3)
    total, expected, number = dict.fromkeys(AGENTS, 0.0), [0, 0], 0
    while env.agents:
        observation, reward, terminated, _truncated, info = env.last()
        total[env.agent_selection] += reward
        if terminated:
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        assert info["game"] == number
        assert observation["action_mask"].any()
        colour = AGENTS.index(env.agent_selection) ^ (number % 2)
        assert env.env.agent_selection == AGENTS[colour]
        action = random_action(observation["action_mask"], rng)
        alone = env.env.clone()
        alone.step(action)
        env.step(action)
        if alone.result is not None:
            for player in (0, 1):
                name = AGENTS[player ^ (number % 2)]
                won = int(alone.result.winner == name)
                expected[player] += won if decided_by == "games" else alone.result.scores[player ^ (number % 2)]
            number += 1
            assert list(env.infos["player_0"]["match"]) == expected
    assert number == 4
    sign = float(np.sign(expected[0] - expected[1]))
    assert total == {"player_0": sign, "player_1": -sign}


def test_match_is_a_pettingzoo_environment(capsys):
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        api_test(MatchEnv(game_of("scalas-5"), 2), num_cycles=200)
    for arguments in ({"games": 3}, {"games": True}, {"decided_by": "luck"}):
        with pytest.raises(ValueError, match="expected"):
            MatchEnv(game_of("scalas-5"), **arguments)
    env = MatchEnv(game_of("scalas-5"))
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="out of range"):
        env.step(99)
