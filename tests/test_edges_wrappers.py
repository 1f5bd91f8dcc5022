"""Edges of the wrappers: games that are cut off, other libraries' habits, wrappers around wrappers, seeds, models."""

from __future__ import annotations

import copy
import itertools
import json
import multiprocessing
import pickle
import subprocess
import sys
import warnings

import gymnasium
import nakajima_zoo.wrappers
import numpy as np
import pytest
import torch
from gymnasium.wrappers import vector as vector_wrappers
from nakajima_zoo.arena.match import MatchEnv
from nakajima_zoo.arena.recordings import read_recordings
from nakajima_zoo.envs.core.agents import AGENTS
from nakajima_zoo.envs.core.env import BoardGameEnv, GameWrapper
from nakajima_zoo.envs.core.forgotten import ForgottenMask
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.learning import BoardPolicy, MaskedPolicy, board_kwargs, load_policy, save_policy
from nakajima_zoo.learning.seat import SeatBatch
from nakajima_zoo.players import (
    League,
    ModelPlayer,
    NetworkPlayer,
    Player,
    PolicyPlayer,
    Positions,
    RandomPlayer,
    UnmaskedPlayer,
    make_player,
)
from nakajima_zoo.wrappers.aec import CutGamesEnd, LayoutAECEnv, RecordGames, ShapedRewards, WithoutInfo
from nakajima_zoo.wrappers.alternate import AlternateAECEnv, AlternatePosition, Position
from nakajima_zoo.wrappers.sb3 import BatchVecEnv, LayoutVecEnv, LegalVecEnv
from nakajima_zoo.wrappers.single_agent import LegalEnv, SingleAgentEnv
from nakajima_zoo.wrappers.vector import BatchVectorEnv, LayoutVectorEnv
from pettingzoo.test import api_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    MultiEpisodeEnv,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from safetensors import safe_open
from safetensors.torch import save_file
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3 import DQN
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecCheckNan,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)
from zoo import ENVIRONMENT, every_game, every_variant, game_of, play_randomly, random_action, random_games

pytestmark = pytest.mark.filterwarnings("ignore:.*total timesteps per env.*:UserWarning")


class LastPlayer(Player):
    """Plays the last legal action."""

    def choose(self, positions):
        return positions.action_mask.shape[1] - 1 - positions.action_mask[:, ::-1].argmax(axis=1)


# Games that the turn limit cuts off


def cut_game():
    """A game that every course of play cuts off, with a winner by points as a rule."""
    return make_game("tsukiji", max_turns=6)


def test_nothing_comes_after_a_cut_in_sb3():
    """A game that is cut off has been paid; SB3 took 1.0 + its own guess of the last position, and learned 0.643."""
    env = BatchVecEnv(cut_game(), 8, opponent=LastPlayer())
    env.seed(0)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, gamma=1.0, seed=0)
    model.policy.value_net.bias.data.fill_(-0.357)
    model.learn(512)
    buffer = model.rollout_buffer
    paid = buffer.rewards[buffer.rewards != 0]
    assert len(paid) > 10 and set(np.unique(paid)) <= {-1.0, 1.0}
    buffer = DQN("MlpPolicy", LegalVecEnv(env), learning_starts=0, buffer_size=600, seed=0).learn(300).replay_buffer
    assert buffer.dones.any() and not buffer.timeouts.any()


def test_cut_off_as_you_like():
    """Gymnasium's environments call a cut game truncated, or terminated for whoever adds a value at a truncation."""
    for cut_off, expected in (("truncated", (False, True)), ("terminated", (True, False))):
        env, rng = SingleAgentEnv(cut_game(), cut_off=cut_off), np.random.default_rng(0)
        _, info = env.reset(seed=0)
        terminated = truncated = False
        while not (terminated or truncated):
            _, _, terminated, truncated, info = env.step(random_action(info["action_mask"], rng))
        assert (terminated, truncated) == expected
        many, ended = BatchVectorEnv(cut_game(), 4, cut_off=cut_off), 0
        _, info = many.reset(seed=0)
        for _ in range(30):
            actions = np.array([random_action(mask, rng) for mask in info["action_mask"]])
            _, _, terminated, truncated, info = many.step(actions)
            done = terminated | truncated
            assert np.array_equal(done, (terminated, truncated)[cut_off == "truncated"])
            ended += done.sum()
        assert ended
    for make in (SingleAgentEnv, BatchVectorEnv):
        with pytest.raises(ValueError, match="cut_off='ignored'; expected one of 'truncated', 'terminated'"):
            make("scalas", cut_off="ignored")


# Clients that negate at every ply


class NegatingSearch:
    """The idea of alpha-zero-general's search: the value for whoever moves is minus that of the next position, always.

    No network: a random game from a new leaf says what it is worth.
    """

    def __init__(self, simulations, seed):
        self.simulations, self.rng = simulations, np.random.default_rng(seed)

    def choose(self, root):
        self.nodes = {}
        for _ in range(self.simulations):
            self.visit(root.copy(), ())
        visits, _ = self.nodes[()]
        return max(visits, key=visits.get)

    def visit(self, position, path):
        """The value of `position` for the player to move there; plays on it."""
        mover = position.player
        if position.over:
            return -self.last_outcome(position)
        if path not in self.nodes:
            legal = np.flatnonzero(position.mask).tolist()
            self.nodes[path] = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
            return self.random_game(position, mover)
        visits, sums = self.nodes[path]
        total = sum(visits.values()) + 1
        action = max(visits, key=lambda a: sums[a] / max(visits[a], 1) + (total**0.5) / (1 + visits[a]))
        self.mover = mover
        position.play(action)
        value = -self.visit(position, (*path, action))
        visits[action] += 1
        sums[action] += value
        return value

    def last_outcome(self, position):
        return position.outcome(self.mover)

    def random_game(self, position, player):
        while not position.over:
            position.play(drawn(position, self.rng))
        return position.outcome(player)


def drawn(position, rng):
    legal = position.mask.nonzero()[0]
    return int(legal[int(rng.random() * legal.size)])


def points_against_random(kind, games, simulations=16):
    """Wins minus losses of the search, seats alternating."""
    rng, total = np.random.default_rng(1), 0.0
    search = NegatingSearch(simulations, seed=2)
    game = make_game("ring_world", turns="staged")
    for number in range(games):
        position, seat = kind.begin(game), number % 2
        while not position.over:
            if position.mask.sum() == 1:
                action = int(position.mask.argmax())
            elif position.player == seat:
                action = search.choose(position)
            else:
                action = drawn(position, rng)
            position.play(action)
        total += position.outcome(seat)
    return total


def negated(position, depth):
    """The best value within `depth` decisions by a program that negates at every ply, for the player to act."""
    legal, mover = np.flatnonzero(position.mask).tolist(), position.player
    passes = position.game.num_actions
    values = []
    for action in legal if depth or legal == [passes] else []:
        after = position.copy()
        after.play(action)
        values.append(after.outcome(mover) if after.over else -negated(after, depth - (action != passes)))
    return max(values, default=0.0)


def true_value(position, depth, player):
    """The same for `player`, and right whoever moves next."""
    if position.over:
        return position.outcome(player)
    values = []
    for action in np.flatnonzero(position.mask).tolist() if depth else []:
        after = position.copy()
        after.play(action)
        values.append(true_value(after, depth - 1, player))
    return (max if position.player == player else min)(values, default=0.0)


@pytest.mark.parametrize("variant", ["scalas-5", "tsukiji-staged"])
def test_passes_make_negating_right(variant):
    """With passes, the value found by negating at every ply is that of the rules; without, it is another one."""
    game, wrong = game_of(variant), 0
    for seed in range(5):
        history = [states for states, _ in random_games(game, 1, seed)]
        for states in history[-4:-1]:
            plain, passing = Position(game, states), AlternatePosition(game, states)
            value = true_value(plain, 2, plain.player)
            assert negated(passing, 2) == value
            wrong += negated(plain, 2) != value
    assert wrong


@every_variant
def test_players_alternate(variant):
    """After each ply it is the other's; what is played beside the passes is the game."""
    game, rng = game_of(variant), np.random.default_rng(0)
    position, plain, passes = AlternatePosition.begin(game, 3), game.new_states(1, [3]), 0
    while not position.over:
        player, legal = position.player, np.flatnonzero(position.mask)
        assert legal.size
        action = int(rng.choice(legal))
        if action == game.num_actions:
            assert legal.tolist() == [action] and position.action_to_text(action) == "pass"
            passes += 1
        else:
            assert player == plain[0].player
            game.play(plain, action)
        with pytest.raises(ValueError, match="is not legal"):
            position.copy().play(game.num_actions if action != game.num_actions else 0)
        assert pickle.loads(pickle.dumps(position)).mask.tobytes() == position.mask.tobytes()
        position.play(action)
        assert position.over or position.player == 1 - player
    assert position.states.tobytes() == plain.tobytes() and not position.mask.any()
    assert position.outcome(0) == -position.outcome(1)
    assert passes or not SEVERAL_IN_A_ROW[variant.partition("-")[0]](variant)


SEVERAL_IN_A_ROW = {
    "scalas": lambda variant: True,
    "ring_world": lambda variant: "staged" in variant,
    "tsukiji": lambda variant: "staged" in variant,
    "renaissance": lambda variant: "staged" in variant,
}


def test_a_negating_search_plays_well_with_passes():
    """On Ring World L3, staged, against random play: 34-6 without passes and 40-0 with them, of 40 games."""
    assert points_against_random(AlternatePosition, 8, 60) >= 7


def test_alternating_aec_environment():
    """PettingZoo's own test, strict alternation, and masks that fit."""
    env = AlternateAECEnv(BoardGameEnv(game_of("ring_world-L3-staged")))
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        api_test(env, num_cycles=200)
    env.reset(seed=0)
    rng, last, passes = np.random.default_rng(0), None, 0
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        agent, other = env.agent_selection, AGENTS[1 - AGENTS.index(env.agent_selection)]
        assert agent != last
        mask = env.observe(agent)["action_mask"]
        assert mask.any() and not env.observe(other)["action_mask"].any()
        if mask[-1]:
            assert mask.sum() == 1
            before = env.unwrapped.get_state().tobytes()
            for action in (0, None, 1.5):
                with pytest.raises(ValueError, match="expected"):
                    env.step(action)
            passes += 1
        env.step(random_action(mask, rng))
        if mask[-1]:
            assert env.unwrapped.get_state().tobytes() == before and not any(env.rewards.values())
        last = agent
    assert passes and sum(env.rewards.values()) == 0


# Wrappers around wrappers


OURS = set(dir(nakajima_zoo.wrappers))


def pairs(wrappers):
    """All pairs in which one at least is ours: what others do to each other is their affair."""
    return [pair for pair in itertools.product(wrappers, wrappers) if OURS & set(pair)]


def made(make):
    """What `make` makes, and the message of the ValueError if it refuses to."""
    try:
        return make(), ""
    except ValueError as error:
        return None, str(error)


def aec_wrappers(folder):
    """Ours and PettingZoo's, as functions of an environment."""
    return {
        "WithoutInfo": WithoutInfo,
        "CutGamesEnd": CutGamesEnd,
        "ShapedRewards": lambda env: ShapedRewards(env, 0.5),
        "LayoutAECEnv": lambda env: LayoutAECEnv(env, "flat"),
        "RecordGames": lambda env: RecordGames(env, folder / "games.jsonl"),
        "AlternateAECEnv": AlternateAECEnv,
        "GameWrapper": lambda env: GameWrapper(env.unwrapped),
        "OrderEnforcingWrapper": OrderEnforcingWrapper,
        "TerminateIllegalWrapper": lambda env: TerminateIllegalWrapper(env, -1),
        "AssertOutOfBoundsWrapper": AssertOutOfBoundsWrapper,
        "MultiEpisodeEnv": lambda env: MultiEpisodeEnv(env, 2),
    }


AEC_BASES = {
    "game": lambda: BoardGameEnv(make_game("tsukiji", max_turns=4)),
    "match": lambda: MatchEnv(make_game("tsukiji", max_turns=2), 2),
}
REFUSED = {  # what is refused in words: wrapper, around what
    *((name, "match") for name in ("ShapedRewards", "RecordGames")),
    ("LayoutAECEnv", "LayoutAECEnv"),
}


def play_aec(env, rng):
    """Random games to their end by PettingZoo's loop; everything shown is checked. The sum of all rewards."""
    env.reset(seed=1)
    total = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter(2_000):
        seen, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(seen)
        total[agent] += reward
        env.step(None if terminated or truncated else random_action(seen["action_mask"], rng))
    assert not env.agents
    return total


@pytest.mark.parametrize("base", AEC_BASES)
def test_every_aec_wrapper_around_every_other(base, tmp_path):
    """They compose, or refuse in words where they are made: some raised AttributeError in the middle of a game."""
    wrappers = aec_wrappers(tmp_path)
    played = refused = 0
    for inner, outer in pairs(wrappers):
        if "GameWrapper" in (inner, outer) and (base == "match" or outer == "GameWrapper"):
            continue  # it is made by env() alone, directly around a game
        expected = {(inner, base), (outer, base), (outer, inner)} & REFUSED
        env, refusal = made(lambda inner=inner, outer=outer: wrappers[outer](wrappers[inner](AEC_BASES[base]())))
        assert bool(expected) == ("expected" in refusal), (outer, inner)
        if env is None:
            refused += 1
            continue
        total = play_aec(env, np.random.default_rng(0))
        if "ShapedRewards" not in (inner, outer) and "MultiEpisodeEnv" not in (inner, outer):
            assert sum(total.values()) == 0 and set(total.values()) <= {-1.0, 0.0, 1.0}
        played += 1
    assert played > 40 and refused


def test_recordings_of_wrapped_games(tmp_path):
    """Each game is kept once, also those that a wrapper inside begins by itself."""
    for number, wrap in enumerate((AlternateAECEnv, lambda env: MultiEpisodeEnv(env, 2))):
        file = tmp_path / f"{number}.jsonl"
        play_aec(RecordGames(wrap(AEC_BASES["game"]()), file), np.random.default_rng(0))
        games = list(read_recordings(file))
        assert len(games) == number + 1
        assert all(each.replay().result is not None for each in games)


def test_what_is_no_environment_is_refused(tmp_path):
    """Wrappers say so where they are made; they failed at `reset`."""
    gym, vector = gymnasium.make("nakajima_zoo/Scalas-v0"), BatchVectorEnv("scalas", 2)
    sb3 = BatchVecEnv("scalas", 2)
    turns = turn_based_aec_to_parallel(AEC_BASES["game"]())
    others = {
        "gymnasium": gym,
        "vector": vector,
        "VecEnv": sb3,
        "parallel": turns,
        "CartPole": gymnasium.make("CartPole-v1"),
    }
    for name, env in others.items():
        for wrap in (each for key, each in aec_wrappers(tmp_path).items() if key in dir(nakajima_zoo.wrappers)):
            with pytest.raises(ValueError, match="expected an AEC environment of PettingZoo"):
                wrap(env)
        if name != "VecEnv":
            for wrap in (LegalVecEnv, lambda env: LayoutVecEnv(env, "flat")):
                with pytest.raises(ValueError, match="expected a VecEnv of Stable-Baselines3"):
                    wrap(env)
        if name != "vector":
            with pytest.raises(ValueError, match="expected a BatchVectorEnv"):
                LayoutVectorEnv(env, "flat")
        if name != "gymnasium":
            with pytest.raises(ValueError, match=r"expected a Gymnasium environment with action_masks\(\)"):
                LegalEnv(env)
    with pytest.raises(ValueError, match="expected those of one of the games"):
        LayoutVectorEnv(gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync"), "flat")
    for wrap in (LegalVecEnv, lambda env: LayoutVecEnv(env, "flat")):
        with pytest.raises(ValueError, match="expected"):
            wrap(DummyVecEnv([lambda: gymnasium.make("CartPole-v1")]))


GYM_WRAPPERS = {
    "LegalEnv": LegalEnv,
    "FlattenObservation": gymnasium.wrappers.FlattenObservation,
    "TransformObservation": lambda env: gymnasium.wrappers.TransformObservation(
        env, np.negative, env.observation_space
    ),
    "RecordEpisodeStatistics": gymnasium.wrappers.RecordEpisodeStatistics,
    "TimeLimit": lambda env: gymnasium.wrappers.TimeLimit(env, 3),
    "OrderEnforcing": gymnasium.wrappers.OrderEnforcing,
    "PassiveEnvChecker": gymnasium.wrappers.PassiveEnvChecker,
    "Autoreset": gymnasium.wrappers.Autoreset,
    "FrameStackObservation": lambda env: gymnasium.wrappers.FrameStackObservation(env, 2),
    "NormalizeReward": gymnasium.wrappers.NormalizeReward,
    "ClipReward": lambda env: gymnasium.wrappers.ClipReward(env, -0.5, 0.5),
    "Monitor": Monitor,
    "ActionMasker": lambda env: ActionMasker(env, lambda env: env.get_wrapper_attr("action_masks")()),
}


def test_every_gymnasium_wrapper_around_every_other():
    rng = np.random.default_rng(0)
    for inner, outer in pairs(GYM_WRAPPERS):
        env = GYM_WRAPPERS[outer](GYM_WRAPPERS[inner](SingleAgentEnv("scalas")))
        keys, ended = set(env.reset(seed=0)[1]), 0
        for _ in range(30):
            masks = env.get_wrapper_attr("action_masks")()
            legal = "LegalEnv" in (inner, outer)
            action = int(rng.integers(env.action_space.n)) if legal or not masks.any() else random_action(masks, rng)
            _, _, terminated, truncated, info = env.step(action)
            assert keys <= set(info), (inner, outer)
            if (terminated or truncated) and "Autoreset" not in (inner, outer):
                env.reset()
            ended += terminated or truncated
        assert ended, (inner, outer)


VECTOR_WRAPPERS = {
    "LayoutVectorEnv": lambda env: LayoutVectorEnv(env, "flat"),
    "RecordEpisodeStatistics": vector_wrappers.RecordEpisodeStatistics,
    "ClipReward": lambda env: vector_wrappers.ClipReward(env, -0.5, 0.5),
    "DictInfoToList": vector_wrappers.DictInfoToList,
}


def test_every_vector_wrapper_around_every_other():
    for inner, outer in pairs(VECTOR_WRAPPERS):
        if inner == "DictInfoToList":
            continue  # it must be the outermost, as Gymnasium says
        make, inside = VECTOR_WRAPPERS[outer], VECTOR_WRAPPERS[inner](BatchVectorEnv("scalas", 3))
        env, refusal = made(lambda make=make, inside=inside: make(inside))
        assert ("expected (5, 5, 14)" in refusal) == (inner == outer), (outer, inner)
        if env is None:
            continue
        env.reset(seed=0)
        for _ in range(40):
            actions = env.unwrapped.action_masks().argmax(axis=1)
            observation, *_ = env.step(actions)
            assert env.observation_space.contains(observation), (inner, outer)


VEC_WRAPPERS = {
    "LayoutVecEnv": lambda env: LayoutVecEnv(env, "channels_first"),
    "LegalVecEnv": LegalVecEnv,
    "VecMonitor": VecMonitor,
    "VecNormalize": VecNormalize,
    "VecCheckNan": VecCheckNan,
    "VecFrameStack": lambda env: VecFrameStack(env, 2),
}
VEC_BASES = {
    "BatchVecEnv": lambda: BatchVecEnv("scalas", 3),
    "DummyVecEnv": lambda: DummyVecEnv([lambda: SingleAgentEnv("scalas")] * 3),
    "made": lambda: DummyVecEnv([lambda: gymnasium.make("nakajima_zoo/Scalas-v0")] * 3),
}


@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor`:UserWarning")
@pytest.mark.parametrize("base", VEC_BASES)
def test_every_vec_env_wrapper_around_every_other(base):
    rng, refused = np.random.default_rng(0), set()
    for inner, outer in pairs(VEC_WRAPPERS):
        make, inside = VEC_WRAPPERS[outer], VEC_WRAPPERS[inner](VEC_BASES[base]())
        env, refusal = made(lambda make=make, inside=inside: make(inside))
        if env is None:
            assert "around observations of shape" in refusal
            refused.add((outer, inner))
            continue
        env.seed(0)
        env.reset()
        for _ in range(30):
            masks = get_action_masks(env)
            legal = "LegalVecEnv" in (inner, outer)
            actions = rng.integers(25, size=3) if legal else np.array([random_action(mask, rng) for mask in masks])
            observation, _, dones, infos = env.step(actions)
            assert observation.shape == (3, *env.observation_space.shape), (inner, outer)
            for i in np.flatnonzero(dones):
                assert infos[i]["terminal_observation"].shape == env.observation_space.shape, (inner, outer)
    assert refused == {("LayoutVecEnv", "LayoutVecEnv"), ("LayoutVecEnv", "VecFrameStack")}


@pytest.mark.parametrize("wrap", [LegalVecEnv, lambda env: LayoutVecEnv(env, "flat")])
def test_vec_env_wrappers_are_copied_and_pickled(wrap):
    """`copy` ran out of stack, and `pickle` met what cannot be pickled."""
    env = wrap(BatchVecEnv("scalas", 3))
    env.seed(0)
    env.reset()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), copy.copy(env)]
    actions = get_action_masks(env).argmax(axis=1)
    expected = copies[0].step(actions)
    for each in copies[1:]:
        found = each.step(actions)
        assert np.array_equal(found[0], expected[0]) and np.array_equal(found[2], expected[2])
        assert each.has_attr("opponent") and each.num_envs == 3


def test_a_match_that_begins_at_an_end():
    """It was stuck: nobody was to act, and nothing was over."""
    game = make_game("scalas")
    single = BoardGameEnv(game)
    single.reset(seed=0)
    play_randomly(single, np.random.default_rng(0))
    scores = single.result.scores
    match = MatchEnv(game, 2)
    match.reset(seed=0, options={"state": single.get_state()})
    assert match.infos["player_0"]["game"] == 1 and match.infos["player_0"]["match"] == scores
    assert sum(play_on(match).values()) == 0


def play_on(env):
    """Play first legal actions to the end."""
    total = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    return total


# OpenSpiel


@every_variant
def test_open_spiels_simulation(variant):
    """Its own test for Python games, with passes too: games and states are pickled, cloned and serialised."""
    pytest.importorskip("pyspiel")
    from nakajima_zoo.wrappers.open_spiel import spiel_game
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    np.random.seed(0)
    for alternate in (False, True):
        if not alternate or "L4" not in variant:
            GamesSimTest().sim_game(spiel_game(game_of(variant), seed=2, alternate=alternate))


def legal_at_the_start(game):
    return game.new_initial_state().legal_actions()


def test_open_spiel_in_spawned_processes():
    """A game that is sent to another process is found there, with its parameters."""
    pyspiel = pytest.importorskip("pyspiel")
    from nakajima_zoo.wrappers.open_spiel import spiel_game

    game = spiel_game(make_game("ring_world", levels=4, turns="staged"), alternate=True)
    assert game.observation_tensor_layout() == pyspiel.TensorLayout.HWC
    assert str(pickle.loads(pickle.dumps(game))) == str(copy.deepcopy(game)) == str(game)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(legal_at_the_start, (game,)) == legal_at_the_start(game)


def test_open_spiel_with_passes():
    """Players alternate, and what a player does in a row is the same game."""
    pytest.importorskip("pyspiel")
    from nakajima_zoo.wrappers.open_spiel import spiel_game

    ours, rng = make_game("tsukiji"), np.random.default_rng(0)
    game, plain = spiel_game(ours, alternate=True), ours.new_states(1)
    assert game.num_distinct_actions() == ours.num_actions + 1
    state, last = game.new_initial_state(), 1
    while not state.is_terminal():
        assert state.current_player() == 1 - last
        last = state.current_player()
        action = int(rng.choice(state.legal_actions()))
        if action != ours.num_actions:
            ours.play(plain, action)
        else:
            assert state.action_to_string(last, action) == "pass" and state.legal_actions() == [action]
        state.apply_action(action)
    assert state.record.tobytes() == plain[0].tobytes() and sum(state.returns()) == 0
    assert len(state.history()) <= game.max_game_length()


# Gymnasium in other processes, and from specifications


def test_ids_in_spawned_workers():
    """With the module in front, an id is known in any process: workers did not know it."""
    env = make_vec_env(
        "nakajima_zoo:nakajima_zoo/Scalas-v0",
        n_envs=2,
        seed=0,
        env_kwargs={"opponent": "greedy"},
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": "spawn"},
    )
    assert env.reset().shape == (2, 5, 5, 14)
    assert env.step(get_action_masks(env).argmax(axis=1))[0].shape == (2, 5, 5, 14)
    env.close()


def test_legal_env_from_its_specification():
    """Gymnasium did not know how to make the wrapper again."""
    env = LegalEnv(gymnasium.make("nakajima_zoo/Scalas-v0", opponent="greedy"), replace="random", penalty=0.5, seed=3)
    again = gymnasium.make(env.spec)
    assert isinstance(again, LegalEnv) and (again.penalty, again.legal.replace) == (0.5, "random")
    assert type(again.unwrapped.opponent) is type(env.unwrapped.opponent)
    for each in (env, again):
        each.reset(seed=1)
        each.step(0)
    assert gymnasium.spec("nakajima_zoo/Scalas-v0").make().unwrapped.game == make_game("scalas")


# Stable-Baselines3 asks


def test_sb3_gets_true_answers():
    """`evaluate_policy` reported normalised rewards; opponents and options that were set were ignored."""
    env = BatchVecEnv("scalas", 4, opponent=LastPlayer())
    assert env.env_is_wrapped(Monitor) == [True] * 4 and env.env_is_wrapped(LegalEnv) == [False] * 4
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1, seed=0)
    normalised = VecNormalize(env, norm_obs=False, norm_reward=True)
    rewards, lengths = evaluate_policy(model, normalised, n_eval_episodes=12, return_episode_rewards=True)
    assert set(rewards) <= {-1.0, 0.0, 1.0} and min(lengths) > 5
    for each in (env, DummyVecEnv([lambda: SingleAgentEnv("scalas")] * 4)):
        each.reset()
        each.set_attr("opponent", "greedy")
        assert type(each.get_attr("opponent")[0]).__name__ == "GreedyPlayer"
        each.step(get_action_masks(each).argmax(axis=1))
    for name, value, indices, error in (
        ("colour", 1, None, AttributeError),
        ("opponent", "random", [1], ValueError),
        ("opponent", "nobody", None, ValueError),
    ):
        with pytest.raises(error, match="expected"):
            env.set_attr(name, value, indices)
    for options in ({"a": 1}, [{"a": 1}] * 4):
        with pytest.raises(ValueError, match="expected none"):
            env.set_options(options)
    for options in (None, {}, [{}] * 4):
        env.set_options(options)


# Seeds, shared players, actions of all kinds


def episode(env, seed):
    """What an environment in which any action will do shows of a game, for comparison."""
    observation, info = env.reset(seed=seed)
    shown, rng = [observation.tobytes()], np.random.default_rng(7)
    for _ in range(60):
        observation, reward, terminated, truncated, info = env.step(int(rng.integers(env.action_space.n)))
        shown.append((observation.tobytes(), reward, info["replaced"], int(info["action_mask"].sum())))
        if terminated or truncated:
            break
    return shown


def test_one_seed_decides_the_replacements_too():
    """`LegalEnv(replace="random")` drew from the air, whatever the seed."""
    first, second = (LegalEnv(SingleAgentEnv("tsukiji"), replace="random") for _ in range(2))
    assert episode(first, 5) == episode(second, 5) == episode(first, 5) != episode(first, 6)
    shown = []
    for _ in range(2):
        env = LegalVecEnv(BatchVecEnv("tsukiji", 4), replace="random")
        env.seed(3)
        env.reset()
        rng = np.random.default_rng(0)
        shown.append([env.step(rng.integers(env.action_space.n, size=4))[0].tobytes() for _ in range(30)])
        assert env.legal.asked == 120 and env.legal.illegal > 0
        env.seed(3)
        assert env.legal.asked == 120
    assert shown[0] == shown[1]


class CountingPlayer(Player):
    """Plays the n-th legal action in the n-th decision of its game."""

    def __init__(self):
        self.count = np.zeros(64, np.int64)

    def begin(self, rows):
        self.count[rows] = 0

    def choose(self, positions):
        chosen = [np.flatnonzero(mask) for mask in positions.action_mask]
        actions = [legal[n % legal.size] for legal, n in zip(chosen, self.count[positions.rows], strict=True)]
        self.count[positions.rows] += 1
        return np.array(actions)


def test_a_player_is_given_to_many():
    """Environments that share a player play as those that do not."""
    player = CountingPlayer()
    shared = [make("scalas", opponent=player, seat=0) for make in (SingleAgentEnv, SingleAgentEnv)]
    shared += [BatchVectorEnv("scalas", 3, opponent=player, seat=0)]
    alone = [SingleAgentEnv("scalas", opponent=CountingPlayer(), seat=0) for _ in range(2)]
    alone += [BatchVectorEnv("scalas", 3, opponent=CountingPlayer(), seat=0)]
    seen = {}
    for group, envs in (("shared", shared), ("alone", alone)):
        for env in envs:
            env.reset(seed=0)
        seen[group] = []
        for _ in range(8):
            for env in envs:
                actions = env.action_masks().argmax(axis=-1)
                seen[group].append(env.step(actions)[0].tobytes())
    assert seen["shared"] == seen["alone"] and not player.count.any()


NO_ACTIONS = (1.0, True, None, "3", np.inf, [1, 2], np.array([True]), np.array([0.5]), [[1]])


def test_actions_are_integers():
    """Floats, bools, None and texts were taken, truncated, or met with all kinds of errors."""
    single, legal = SingleAgentEnv("scalas"), LegalEnv(SingleAgentEnv("scalas"))
    vector, batch = BatchVectorEnv("scalas", 1), LegalVecEnv(BatchVecEnv("scalas", 1))
    for env in (single, legal, vector):
        env.reset(seed=0)
    batch.reset()
    for action in NO_ACTIONS:
        for env in (single, legal):
            with pytest.raises(ValueError, match="expected"):
                env.step(action)
        for env in (vector, batch):
            with pytest.raises(ValueError, match="expected"):
                env.step(action if isinstance(action, list) else [action])
    for number in (3, np.int8(3), np.array(3), np.array([3], np.uint8)):
        legal.step(number)
    for name, value in (("penalty", np.nan), ("penalty", "1"), ("penalty", None), ("penalty", True), ("replace", "x")):
        with pytest.raises(ValueError, match=f"{name}=.*expected"):
            LegalEnv(SingleAgentEnv("scalas"), **{name: value})
        with pytest.raises(ValueError, match=f"{name}=.*expected"):
            LegalVecEnv(BatchVecEnv("scalas", 1), **{name: value})
    with pytest.raises(ValueError, match="seed=-1"):
        LegalEnv(SingleAgentEnv("scalas"), seed=-1)


# A mask that was forgotten


def unmasked(name):
    """An environment, and a function that plays one unmasked action and says whether something ended."""
    if name == "AEC":
        env = GameWrapper(BoardGameEnv(make_game("tsukiji")))

        def play(action):
            env.step(action)
            if any(env.terminations.values()):
                env.reset()

    elif name == "SingleAgentEnv":
        env = SingleAgentEnv("tsukiji")

        def play(action):
            if any(env.step(action)[2:4]):
                env.reset()

    else:
        env = BatchVectorEnv("tsukiji", 4)

        def play(action):
            env.step(np.full(4, action))

    env.reset(seed=0)
    return play, env.action_space(AGENTS[0]).n if name == "AEC" else make_game("tsukiji").num_actions


@pytest.mark.parametrize("name", ["AEC", "SingleAgentEnv", "BatchVectorEnv"])
def test_a_forgotten_mask_is_told_once(name):
    """Every game was lost at the first decision, without a word."""
    play, num_actions = unmasked(name)
    rng = np.random.default_rng(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(60):
            play(int(rng.integers(num_actions)))
    assert [("`action_mask`" in str(each.message), each.category) for each in caught] == [(True, UserWarning)]


def test_who_uses_masks_is_not_told():
    """One warning a process; none for games that end as the rules say, even if some are lost by an illegal action."""
    forgotten = ForgottenMask()
    for _ in range(20):
        forgotten.note(9, 9)
        forgotten.note(1, 0)
    code = (
        "import numpy as np; from nakajima_zoo.wrappers import SingleAgentEnv, BatchVectorEnv\n"
        "for _ in range(3):\n"
        "    env = BatchVectorEnv('tsukiji', 8)\n"
        "    for _ in range(9): env.step(np.full(8, 900))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert done.stderr.count("`action_mask`") == 1


# Models in files


def trained(game, policy="MlpPolicy", **kwargs):
    """A model that has learned a little."""
    env = BatchVecEnv(game, 4)
    env.seed(0)
    model = MaskablePPO(policy, env, n_steps=16, batch_size=32, n_epochs=1, policy_kwargs=kwargs, seed=0)
    return model.learn(64)


POLICIES = {
    "MlpPolicy": lambda game: ("MlpPolicy", {}),
    "MaskedPolicy": lambda game: (MaskedPolicy, {"net_arch": [32], "activation_fn": torch.nn.ReLU}),
    "no hidden layers": lambda game: (MaskedPolicy, {"net_arch": {"pi": [], "vf": [8]}}),
    "BoardPolicy": lambda game: (BoardPolicy, board_kwargs(game, width=8, depth=2)),
}


@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.parametrize("variant", ["scalas-5", "tsukiji-staged"])
def test_saved_policies_play_and_learn_on(variant, kind, tmp_path):
    """What is loaded chooses as what was saved, has all its weights, and goes into a model again."""
    game = game_of(variant)
    policy, kwargs = POLICIES[kind](game)
    model, path = trained(game, policy, **kwargs), tmp_path / "runs" / "model.safetensors"
    save_policy(path, model.policy, game)
    states = np.concatenate([states for states, _ in list(random_games(game, 1))[:-1]])
    positions = Positions(game, states)
    player, original = NetworkPlayer(path, deterministic=True), ModelPlayer(model, deterministic=True)
    assert np.array_equal(player.choose(positions), original.choose(positions))
    drawn = make_player(str(path), seed=3)
    actions = drawn.choose(positions)
    assert positions.action_mask[np.arange(len(actions)), actions].all()
    drawn.reset(3)
    assert np.array_equal(drawn.choose(positions), actions)
    found, loaded = load_policy(path)
    weights = model.policy.state_dict()
    assert found == game and all(torch.equal(weights[name], each) for name, each in loaded.state_dict().items())
    again = trained(game, policy, **kwargs)
    again.policy.load_state_dict(loaded.state_dict())
    again.learn(32)


def rewritten(path, new, weights=None, **words):
    """A copy of a file with other words or weights."""
    with safe_open(str(path), "pt") as file:
        kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        header = json.loads(file.metadata()["nakajima_zoo"])
    save_file({**kept, **(weights or {})}, str(new), metadata={"nakajima_zoo": json.dumps({**header, **words})})
    return new


def test_files_that_do_not_fit_are_refused(tmp_path):
    """Other rules, other games, other weights, and what is no such file at all: each in words, with the file's name."""
    game, path, new = make_game("scalas"), tmp_path / "model.safetensors", tmp_path / "new.safetensors"
    save_policy(path, trained(game).policy, game)
    for words, message in (
        ({"version": 99}, "version 99 of scalas.*expected 0"),
        ({"observation_shape": [5, 5, 15]}, "observation_shape"),
        ({"num_actions": 26}, "num_actions"),
        ({"parameters": {"size": 6}}, "observation_shape"),
        ({"parameters": 5}, "expected an object"),
        ({"game": "chess"}, "unknown"),
        ({"format": 2}, "format 2"),
        ({"kind": "transformer"}, "kind 'transformer'"),
        ({"kind": "board"}, "no weights"),
        ({"activation": "Module"}, "activation 'Module'"),
        ({"colour": 1}, "does not say what it is for"),
    ):
        with pytest.raises(ValueError, match=message):
            make_player(rewritten(path, new, **words))
    name = "mlp_extractor.policy_net.0.weight"
    for weight in (torch.zeros(3, 3), torch.zeros(10**9, 0), torch.tensor(1.0), torch.zeros(64, 350, dtype=torch.int8)):
        with pytest.raises(ValueError, match=r"new\.safetensors: mlp_extractor"):
            make_player(rewritten(path, new, {name: weight}))
    for content in (b"", b"\x00" * 100, b"PK\x03\x04", path.read_bytes()[:5000]):
        new.write_bytes(content)
        with pytest.raises(ValueError, match=r"new\.safetensors: .*expected safetensors"):
            make_player(new)
    save_file({"a": torch.zeros(1)}, str(new))
    with pytest.raises(ValueError, match="does not say what it is for"):
        make_player(new)
    with pytest.raises(FileNotFoundError, match=r"no model nothing\.safetensors"):
        make_player("nothing.safetensors")
    other = make_game("scalas", size=6)
    with pytest.raises(ValueError, match=r"a model of scalas\(size=5\); expected one of scalas\(size=6\)"):
        make_player(path).choose(Positions(other, other.new_states(2)))
    with pytest.raises(ValueError, match=r"expected .* of scalas"):
        save_policy(new, trained(game).policy, other)
    kwargs = {"activation_fn": torch.nn.Softplus}
    with pytest.raises(ValueError, match="activation Softplus; expected one of"):
        save_policy(new, trained(game, **kwargs).policy, game)


def test_models_play_by_their_own_chance():
    """The same seed gives the same games, and torch's and NumPy's global generators go on as if nothing had been."""
    game = make_game("scalas")
    dqn = DQN("MlpPolicy", LegalVecEnv(BatchVecEnv(game, 2)), buffer_size=100, seed=0)
    dqn.exploration_rate = 1.0
    for player in (ModelPlayer(trained(game)), PolicyPlayer(trained(game).policy), UnmaskedPlayer(dqn)):
        found = []
        for drawn in (1, 2):
            torch.manual_seed(drawn)
            np.random.seed(drawn)
            before = torch.get_rng_state(), np.random.get_state()[1].copy()
            player.reset(5)
            positions = Positions(game, game.new_states(60))
            found.append(player.choose(positions).tolist())
            assert torch.equal(torch.get_rng_state(), before[0])
            assert np.array_equal(np.random.get_state()[1], before[1])
        assert found[0] == found[1] and len(set(found[0])) > 3


# What `info` says


def plain(value):
    """An entry of an info as a tuple of what it is made of; fails at what is no number."""
    array = np.asarray(value)
    assert array.dtype.kind in "biuf", value
    return array.shape, array.dtype.kind


KEYS = {"turn", "decision", "scores", "winner", "reason"}
OWN_KEYS = {"terminal_observation", "episode"}  # SB3 wants them where a game ended, and nowhere else


@every_game
def test_infos_stack(variant):
    """Numbers of the same shape under the same keys at every step, so that other libraries can stack them."""
    game, rng = game_of(variant), np.random.default_rng(0)
    found = {"AEC": [], "single": [], "VecEnv": [], "match": []}
    env, match = BoardGameEnv(game), MatchEnv(game, 2)
    for name, each in (("AEC", env), ("match", match)):
        each.reset(seed=0)
        found[name].append(each.infos["player_1"])
        while each.agents and not each.terminations["player_0"] and not each.truncations["player_0"]:
            each.step(random_action(each.observe(each.agent_selection)["action_mask"], rng))
            found[name] += each.infos.values()
    single = SingleAgentEnv(game)
    _, info = single.reset(seed=0)
    over = False
    while not over:
        found["single"].append(info)
        _, _, terminated, truncated, info = single.step(random_action(info["action_mask"], rng))
        over = terminated or truncated
    found["single"].append(info)
    batch = BatchVecEnv(game, 4)
    batch.reset()
    for _ in range(60):
        infos = batch.step(np.array([random_action(mask, rng) for mask in batch.action_masks()]))[3]
        found["VecEnv"] += [{key: info[key] for key in info.keys() - OWN_KEYS} for info in infos]
    for name, infos in found.items():
        assert infos[0].keys() >= KEYS, name
        shapes = {tuple((key, plain(info[key])) for key in sorted(info)) for info in infos}
        assert len(shapes) == 1, (name, shapes)
    last = found["single"][-1]
    assert game.reasons[last["reason"]] == single.env.result.reason and last["scores"] == single.env.result.scores
    vector = BatchVectorEnv(game, 4)
    _, info = vector.reset(seed=0)
    keys = set(info)
    for _ in range(60):
        *_, info = vector.step(np.array([random_action(mask, rng) for mask in info["action_mask"]]))
        assert keys <= set(info) <= keys | {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert all(plain(info[key])[0][0] == 4 for key in keys)
        if "final_info" in info:
            assert KEYS | {"seat"} <= set(info["final_info"]) and all(map(plain, info["final_info"].values()))


def test_who_joins_a_league_draws_by_its_chance():
    """A snapshot that joins in the middle of a training does not bring chance that no seed decides."""
    game, found = make_game("scalas"), []
    for _ in range(2):
        league = League([RandomPlayer()])
        seats = SeatBatch(game, 8, league)
        seats.reset(4)
        league.add(RandomPlayer(), 50.0)
        for _ in range(40):
            seats.step(seats.action_mask.argmax(axis=1))
        found.append(seats.batch.states.tobytes())
    assert found[0] == found[1]
