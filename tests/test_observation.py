"""Layouts of observations, and actions made legal: over all games, in every environment that they are for."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation, TransformObservation
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.learning.layout import LAYOUTS, Layout, LayoutPlayer
from nakajima_zoo.players.legal import LegalActions
from nakajima_zoo.players.models import ModelPlayer, UnmaskedPlayer
from nakajima_zoo.players.simple import FunctionPlayer, RandomPlayer
from nakajima_zoo.wrappers.aec import LayoutAECEnv
from nakajima_zoo.wrappers.sb3 import BatchVecEnv, LayoutVecEnv, LegalVecEnv
from nakajima_zoo.wrappers.single_agent import LegalEnv, SingleAgentEnv
from nakajima_zoo.wrappers.vector import BatchVectorEnv, LayoutVectorEnv
from pettingzoo.test import api_test
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from test_examples import run_example
from zoo import every_game, every_variant, game_of, random_action, raw_env, wrapped_env

every_layout = pytest.mark.parametrize("layout", LAYOUTS)


def laid_out(observation, layout):
    """The layout of one observation, worked out another way."""
    if layout == "flat":
        return np.array(list(observation.flat), np.float32)
    return np.stack([observation[..., channel] for channel in range(observation.shape[-1])])


# Layouts


@every_variant
@every_layout
def test_layout_of_an_aec_environment(variant, layout):
    """C4, C9, E2: mask and game stay; observations are fresh, in their space, which is one object for each agent."""
    env, plain = LayoutAECEnv(wrapped_env(variant), layout), raw_env(variant)
    rng = np.random.default_rng(0)
    for each in (env, plain):
        each.reset(seed=2)
    assert env.observation_space("player_0") is env.observation_space("player_0")
    assert env.observation_space("player_0") is not env.observation_space("player_1")
    for _ in range(12):
        for agent in env.possible_agents:
            seen, expected = env.observe(agent), plain.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert np.array_equal(seen["observation"], laid_out(expected["observation"], layout))
            assert seen["observation"].flags.c_contiguous
            assert np.array_equal(seen["action_mask"], expected["action_mask"])
        last = env.last()[0]["observation"]
        last[:] = 77
        assert env.last()[0]["observation"].max() <= 1
        action = random_action(plain.observe(plain.agent_selection)["action_mask"], rng)
        for each in (env, plain):
            each.step(action)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert np.array_equal(other.last()[0]["observation"], env.last()[0]["observation"])


@every_layout
def test_layout_is_a_pettingzoo_environment(layout, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(LayoutAECEnv(wrapped_env("tsukiji-staged"), layout), num_cycles=60)


@every_game
@every_layout
def test_layout_of_a_single_agent_environment(variant, layout):
    """Gymnasium's own wrappers are right here; masks still come from the environment."""
    game = game_of(variant)
    form = Layout(game, layout)
    env = TransformObservation(SingleAgentEnv(game, RandomPlayer(0), 0), form, form.space)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    seen, info = env.reset(seed=1)
    plain, _ = SingleAgentEnv(game, RandomPlayer(0), 0).reset(seed=1)
    assert env.observation_space.contains(seen) and np.array_equal(seen, laid_out(plain, layout))
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), info["action_mask"])
    if layout == "flat":
        flat, _ = FlattenObservation(SingleAgentEnv(game, RandomPlayer(0), 0)).reset(seed=1)
        assert np.array_equal(flat, seen)


@every_game
@every_layout
def test_layout_of_many_games(variant, layout):
    """In both vector environments everything is laid out, the last observations of games that ended too."""
    game, n = game_of(variant), 4
    vector, plain = (
        LayoutVectorEnv(BatchVectorEnv(game, n, RandomPlayer(0)), layout),
        BatchVectorEnv(game, n, RandomPlayer(0)),
    )
    vec, plain_vec = LayoutVecEnv(BatchVecEnv(game, n, RandomPlayer(0)), layout), BatchVecEnv(game, n, RandomPlayer(0))
    form, rng, ended = Layout(game, layout), np.random.default_rng(0), 0
    seen, info = vector.reset(seed=3)
    expected, _ = plain.reset(seed=3)
    for each in (vec, plain_vec):
        each.seed(3)
        each.reset()
    for _ in range(60):
        assert vector.observation_space.contains(seen) and np.array_equal(seen, form(expected))
        assert np.array_equal(np.stack(vec.env_method("action_masks")), info["action_mask"])
        actions = np.array([random_action(mask, rng) for mask in info["action_mask"]])
        seen, rewards, *_, info = vector.step(actions)
        expected, _, terminated, truncated, plain_info = plain.step(actions)
        vec_seen, vec_rewards, _, infos = vec.step(actions)
        *_, plain_infos = plain_vec.step(actions)
        assert np.array_equal(vec_seen, seen) and np.array_equal(vec_rewards, rewards)
        assert vec.observation_space.contains(vec_seen[0])
        for i in np.flatnonzero(terminated | truncated):
            ended += 1
            assert np.array_equal(info["final_obs"][i], laid_out(plain_info["final_obs"][i], layout))
            last = infos[i]["terminal_observation"]
            assert np.array_equal(last, laid_out(plain_infos[i]["terminal_observation"], layout))
    assert ended


@every_layout
def test_a_model_of_a_layout_plays(layout):
    """It trains, and is evaluated through `LayoutPlayer`; without it the model is shown what it does not know."""
    game = game_of("ring_world-L3-staged")
    model = MaskablePPO("MlpPolicy", LayoutVecEnv(BatchVecEnv(game, 4), layout), n_steps=16, batch_size=32, n_epochs=1)
    model.learn(128)
    player = LayoutPlayer(ModelPlayer(model), layout)
    first, second = evaluate(game, player, RandomPlayer(), 3, seed=0)
    assert (first + second).illegal == 0 and (first + second).games == 6
    with pytest.raises(ValueError, match="observation"):
        evaluate(game, ModelPlayer(model), RandomPlayer(), 1, seed=0)


def test_bad_layouts():
    game = game_of("scalas-5")
    for make in (
        lambda: Layout(game, "last"),
        lambda: LayoutPlayer(RandomPlayer(), "last"),
        lambda: LayoutAECEnv(raw_env("scalas-5"), "last"),
    ):
        with pytest.raises(ValueError, match="layout='last'; expected one of 'flat', 'channels_first'"):
            make()
    with pytest.raises(ValueError, match=r"shape \(5, 5\); expected \(5, 5, 14\)"):
        Layout(game, "flat")(np.zeros((5, 5), np.float32))


# Legal actions


def test_replacements():
    masks = np.array([[0, 1, 0, 1, 0], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 0]], np.int8)
    chosen = np.array([2, 4, 3, 3])
    following = LegalActions()
    assert following(chosen, masks).tolist() == [3, 0, 3, 1]
    assert (following.asked, following.illegal) == (4, 3)
    assert following(chosen, masks.astype(bool)).tolist() == [3, 0, 3, 1]
    assert chosen.tolist() == [2, 4, 3, 3]
    any_one = LegalActions("random", seed=0)
    found = np.array([any_one(chosen, masks) for _ in range(50)])
    assert set(found[:, 0]) == {1, 3} and set(found[:, 2]) == {3} and set(found[:, 3]) == {1, 2}
    for actions in ([5, 0, 0, 1], [-1, 0, 0, 1]):
        with pytest.raises(ValueError, match="expected integers from 0 to 4"):
            following(np.array(actions), masks)
    with pytest.raises(ValueError, match="row 1 of the masks allows nothing"):
        following(np.array([1, 0]), np.array([[0, 1], [0, 0]]))
    with pytest.raises(ValueError, match="replace='none'"):
        LegalActions("none")


@every_variant
@pytest.mark.parametrize("replace", ["next", "random"])
def test_every_action_is_legal(variant, replace):
    """G4: unmasked random actions never lose a game, in both wrappers; each replacement costs the penalty."""
    game, rng = game_of(variant), np.random.default_rng(0)
    env = LegalEnv(SingleAgentEnv(game, RandomPlayer(0), illegal_action="raise"), replace, penalty=0.25, seed=0)
    _, info = env.reset(seed=0)
    for _ in range(60):
        action = int(rng.integers(game.num_actions))
        replaced = not info["action_mask"][action]
        _, reward, terminated, truncated, info = env.step(action)
        assert info["replaced"] == replaced
        if terminated or truncated:
            assert game.reasons[info["reason"]] != "illegal_action"
            _, info = env.reset()
        else:
            assert reward == -0.25 * replaced
    assert env.legal.illegal > 0
    vec = LegalVecEnv(BatchVecEnv(game, 4, RandomPlayer(0)), replace, penalty=0.25)  # it raises if one is illegal
    vec.reset()
    for _ in range(40):
        actions = rng.integers(game.num_actions, size=4)
        legal = np.stack(vec.env_method("action_masks"))[np.arange(4), actions]
        _, rewards, dones, infos = vec.step(actions)
        for i in range(4):
            outcome = infos[i]["episode"]["r"] if dones[i] else 0
            assert rewards[i] == outcome - 0.25 * (not legal[i])


def test_unmasked_models():
    """G1: PPO and DQN train, and are evaluated with the same replacement; a masked model is sent elsewhere."""
    game = game_of("scalas-5")
    ppo = PPO("MlpPolicy", LegalVecEnv(BatchVecEnv(game, 4)), n_steps=16, batch_size=32, n_epochs=1, seed=0)
    dqn = DQN("MlpPolicy", LegalVecEnv(BatchVecEnv(game, 4)), learning_starts=10, buffer_size=1000, seed=0)
    for model in (ppo, dqn):
        model.learn(200)
        player = UnmaskedPlayer(model, deterministic=True)
        total = sum(
            evaluate(game, player, RandomPlayer(), 10, seed=0)[1:], evaluate(game, player, RandomPlayer(), 10, 0)[0]
        )
        assert total.illegal == 0 and total.games == 20 and player.legal.illegal > 0
    masked = MaskablePPO("MlpPolicy", BatchVecEnv(game, 2), n_steps=16, batch_size=32)
    with pytest.raises(ValueError, match="use ModelPlayer"):
        UnmaskedPlayer(masked)


@pytest.mark.parametrize("arguments", [[], ["--game", "tsukiji", "--replace", "random", "--penalty", "0.1"]])
def test_example(arguments, tmp_path):
    """All three train, nothing illegal is played, and all that is promised is left."""
    tiny = ["--timesteps", "600", "--num-envs", "8", "--eval-games", "2", "--name", "tiny"]
    output = run_example("masks_matter.py", *arguments, *tiny, cwd=tmp_path)
    folder = tmp_path / "runs" / "tiny"
    assert output.count(" 0 illegal") == 9 and (folder / "evaluation.txt").read_text().count("both") == 3
    for name in ("MaskablePPO.zip", "PPO.zip", "DQN.zip", "learning_curves.png"):
        assert (folder / name).stat().st_size > 100
    curves = pd.read_csv(folder / "curves.csv")
    assert set(curves["algorithm"]) == {"MaskablePPO", "PPO", "DQN"}
    assert curves[curves["algorithm"] == "MaskablePPO"]["illegal"].isna().all()
    assert curves[curves["algorithm"] == "PPO"]["illegal"].max() > 0


# Opponents


@pytest.mark.parametrize("make", [SingleAgentEnv, BatchVectorEnv, BatchVecEnv])
@pytest.mark.parametrize("illegal_action", ["raise", "lose"])
def test_an_illegal_action_of_the_opponent_is_an_error(make, illegal_action):
    """It lost the game in one environment, and raised without a name in the others."""
    game = game_of("scalas-5")
    size = {"num_envs": 2} if make is not SingleAgentEnv else {}
    for choice, message in (
        (lambda seen, mask: np.full(len(mask), 99), "FunctionPlayer chose action 99, which is not legal in game"),
        (
            lambda seen, mask: np.zeros(len(mask) + 1),
            r"FunctionPlayer chose float64\(\d,\); expected an integer for each",
        ),
    ):
        env = make(game, opponent=FunctionPlayer(choice), seat=0, illegal_action=illegal_action, **size)
        env.reset()
        with pytest.raises(ValueError, match=message):
            env.step(0 if make is SingleAgentEnv else np.zeros(2, np.int64))
