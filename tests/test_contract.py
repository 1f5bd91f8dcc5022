"""The promises that every game and variant must keep. Numbers such as B3 name the row of docs/promises.md."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
import warnings
import zlib

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.agents import AGENTS, agent_name
from nakajima_zoo.envs.core.record import NOBODY, RUNNING, TERMINATED, TRUNCATED
from nakajima_zoo.envs.core.registry import make_game
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from zoo import (
    DEFAULTS,
    ENVIRONMENT,
    JOINT,
    STAGED,
    VARIANTS,
    every_game,
    every_variant,
    game_of,
    plain_rules,
    play_randomly,
    random_action,
    random_games,
    raw_env,
    trace,
    wrapped_env,
)

GAMES = 6  # random games per check and variant


# A. The mask


@pytest.mark.parametrize("variant", STAGED)
def test_mask_equals_the_plain_rules(variant):
    """A5: a second, slow, independent legality routine says the same at every position."""
    game, plain = game_of(variant), plain_rules(variant)
    for states, mask in random_games(game, GAMES):
        assert np.flatnonzero(mask).tolist() == sorted(plain.legal_actions(states[0]))


@pytest.mark.parametrize("variant", JOINT)
def test_joint_mask_equals_the_staged_paths(variant):
    """A5: a joint action is legal exactly if its parts, played in order, are."""
    game, plain = game_of(variant), plain_rules(variant)
    every = 1 if game.num_actions < 1000 else 9  # staged paths of the large spaces take long
    for number, (states, mask) in enumerate(random_games(game, 2)):
        if number % every == 0:
            assert np.flatnonzero(mask).tolist() == sorted(plain.joint_actions(states[0]))


@every_variant
def test_who_must_act_has_an_action_and_nobody_else(variant):
    """A1, A2, A8, A9: a mask has a 1 exactly for the player to act while the game runs."""
    for states, mask in random_games(game_of(variant), GAMES, seed=1):
        assert mask.any() == (states[0].status == RUNNING)
        assert (states[0].player == NOBODY) == (states[0].status != RUNNING)
        assert np.isin(mask, (0, 1)).all()


@every_game
def test_masks_of_both_agents(variant):
    """A4, A6, A7, C4, C5: observing is pure, in any order, for both agents; list and mask are one thing."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    while env.result is None:
        before = trace(env)
        first = {agent: env.observe(agent) for agent in AGENTS}
        second = {agent: env.observe(agent) for agent in reversed(AGENTS)}
        assert trace(env) == before
        for agent in AGENTS:
            mask = first[agent]["action_mask"]
            assert mask.dtype == np.int8 and mask.shape == (env.game.num_actions,) and mask.flags.c_contiguous
            assert mask.any() == (agent == env.agent_selection)
            assert env.legal_actions(agent) == np.flatnonzero(mask).tolist()
            for key in ("observation", "action_mask"):
                assert np.array_equal(first[agent][key], second[agent][key])
                assert not np.shares_memory(first[agent][key], second[agent][key])
        env.step(random_action(first[env.agent_selection]["action_mask"], rng))


@every_game
def test_returned_arrays_are_the_callers(variant):
    """C4: writing into an observation changes nothing, and nothing changes it later."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    kept = []
    for _ in range(20):
        observation = env.observe(env.agent_selection)
        kept.append((observation, {key: zlib.crc32(value.tobytes()) for key, value in observation.items()}))
        spoiled = env.observe(env.agent_selection)
        for value in spoiled.values():
            value[:] = 77
        again = env.observe(env.agent_selection)
        assert all(np.array_equal(again[key], observation[key]) for key in observation)
        env.step(random_action(observation["action_mask"], rng))
    for observation, sums in kept:
        assert {key: zlib.crc32(value.tobytes()) for key, value in observation.items()} == sums


# B. Turns, endings, rewards


@every_variant
def test_action_text_round_trip(variant):
    """B1: every legal action has a name of its own, which parses back."""
    game = game_of(variant)
    rng = np.random.default_rng(0)
    for states, mask in random_games(game, 3, seed=2):
        legal = np.flatnonzero(mask)
        legal = legal if legal.size < 100 else rng.choice(legal, 40, replace=False)
        names = [game.notation.action_to_text(states[0], int(action)) for action in legal]
        assert len(set(names)) == len(names)
        assert not any("\n" in name for name in names)
        assert [game.notation.text_to_action(states[0], name) for name in names] == legal.tolist()


@pytest.mark.parametrize("variant", DEFAULTS)
def test_malformed_action_text(variant):
    env = raw_env(variant)
    env.reset(seed=0)
    for text in ("", "zz9", "pass", "!", "a1 a1 a1 a1 a1 a1"):
        with pytest.raises(ValueError, match=r".+"):
            env.text_to_action(text)


@every_variant
def test_rewards_come_once_and_sum_to_zero(variant):
    """B3, B4, B10: rewards, cumulative rewards, info and result agree; both agents take one dead step."""
    for seed in range(3):
        env, rng = wrapped_env(variant), np.random.default_rng(seed)
        env.reset(seed=seed)
        total, summed, decisions = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0), 0
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            total[agent] += reward
            if terminated or truncated:
                assert not observation["action_mask"].any()
                env.step(None)
                continue
            env.step(random_action(observation["action_mask"], rng))
            decisions += 1
            for name, value in env.rewards.items():
                summed[name] += value
        assert env.agents == [] and env.possible_agents == list(AGENTS)
        result = env.unwrapped.result
        expected = {
            agent: 0.0 if result.winner is None else 1.0 if agent == result.winner else -1.0 for agent in AGENTS
        }
        assert total == summed == expected
        assert decisions <= env.unwrapped.game.max_decisions
        assert result.reason in env.unwrapped.game.reasons
        assert agent_name(info["winner"]) == result.winner
        assert env.unwrapped.game.reasons[info["reason"]] == result.reason


@every_variant
def test_infos(variant):
    """D4: numbers, under the same names at every step, one dict per agent; winner and reason at the end."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    turn = 0
    while env.result is None:
        first, second = (env.infos[agent] for agent in AGENTS)
        assert first == second and first is not second
        assert list(first) == ["turn", "decision", "scores", "winner", "reason"]
        numbers = [number for value in first.values() for number in np.ravel(value)]
        assert len(numbers) == 6 and np.array(numbers).dtype == np.int64
        assert first["decision"] == env.get_state().decision and (first["winner"], first["reason"]) == (-1, 0)
        assert turn <= first["turn"]
        turn = first["turn"]
        env.step(random_action(env.observe(env.agent_selection)["action_mask"], rng))
    for agent in AGENTS:
        info = env.infos[agent]
        assert list(info) == list(first) and info["decision"] == 0
        found = agent_name(info["winner"]), env.game.reasons[info["reason"]], info["scores"]
        assert found == tuple(env.result)


@every_game
def test_life_after_the_end(variant):
    """B4, B8: two dead steps empty `agents`; anything but None raises; reset works after one dead step too."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    play_randomly(env, rng)
    assert env.agents == list(AGENTS)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    assert len(env.agents) == 1 and env.possible_agents == list(AGENTS)
    env.reset(seed=0)
    assert env.agents == list(AGENTS)
    play_randomly(env, rng)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    assert env.agents is not env.possible_agents


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ring_world", {"levels": 3, "turns": "staged", "max_turns": 5}),
        ("ring_world", {"levels": 4, "turns": "joint", "max_turns": 7}),
        ("tsukiji", {"turns": "staged", "max_turns": 6}),
        ("tsukiji", {"turns": "joint", "max_turns": 6}),
    ],
)
def test_turn_limit(name, parameters):
    """B5, D3, G11: the cap truncates both agents on the same step, without terminating them."""
    game = make_game(name, **parameters)
    for states, mask in random_games(game, 3):
        if not mask.any():
            state = states[0]
            assert state.turns == parameters["max_turns"] and state.status == TRUNCATED
            assert game.reasons[state.reason] == "turn_limit"
            assert game.result(state)["truncated"]


@every_game
def test_every_illegal_action_raises_and_changes_nothing(variant):
    """A5, B6: the raw environment refuses each action outside the mask, and the state stays byte for byte."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(6):
        before, mask = trace(env), env.observe(env.agent_selection)["action_mask"]
        for action in np.flatnonzero(mask == 0).tolist():
            with pytest.raises(ValueError, match="not legal"):
                env.step(action)
        for action in (-1, mask.size, mask.size + 10**6, -(10**12), 10**30):  # the last one fits no int64
            with pytest.raises(ValueError, match="out of range"):
                env.step(action)
        assert trace(env) == before
        env.step(random_action(mask, rng))


@pytest.mark.filterwarnings("ignore:the last 10 games:UserWarning")
@every_variant
def test_illegal_actions_lose_or_raise(variant):
    """B6, B7: through `env()` the offender forfeits, by default; both agents are terminated, not truncated."""
    rng = np.random.default_rng(0)
    env, strict = wrapped_env(variant), wrapped_env(variant, illegal_action="raise")
    for seed in range(20):
        for each in (env, strict):
            each.reset(seed=seed)
        for _ in range(int(rng.integers(12))):
            action = random_action(env.observe(env.agent_selection)["action_mask"], rng)
            env.step(action)
            strict.step(action)
        offender = env.agent_selection
        illegal = int(np.flatnonzero(env.observe(offender)["action_mask"] == 0)[0]) if seed % 2 else -1
        with pytest.raises(ValueError, match=r"legal|range"):
            strict.step(illegal)
        env.step(illegal)
        assert env.rewards == {agent: -1.0 if agent == offender else 1.0 for agent in AGENTS}
        assert all(env.terminations.values()) and not any(env.truncations.values())
        assert env.agent_selection == env.unwrapped.agent_selection
        assert env.infos[offender]["reason"] == env.unwrapped.game.reasons.index("illegal_action")
        assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in AGENTS)
        copied = raw_env(variant)
        copied.set_state(env.unwrapped.get_state())
        assert copied.result == env.unwrapped.result
        assert copied.game.state_from_text(env.unwrapped.to_text()) is not None
        with pytest.raises(ValueError, match="expected an integer"):
            strict.step("x")


@every_game
def test_integers_of_all_kinds(variant):
    """G9: what policies return is accepted; the history holds plain ints."""
    env = raw_env(variant)
    env.reset(seed=0)
    action = env.legal_actions()[-1]
    traces = []
    for kind in (int, np.int64, np.int32, lambda value: np.array(value), lambda value: np.array([value])):
        env.reset(seed=0)
        env.step(kind(action))
        assert type(env.history[0]) is int
        traces.append(trace(env))
    assert all(each == traces[0] for each in traces)
    before = trace(env)
    for bad in (3.5, None, "x", True, np.array([0, 1]), np.float32(1)):
        with pytest.raises(ValueError, match="expected an integer"):
            env.step(bad)
    assert trace(env) == before


@every_game
def test_same_agent_several_times_in_a_row(variant):
    """B1, B9: PettingZoo's turn-based conversion plays a whole game, with the totals of the AEC game."""
    env, rng = wrapped_env(variant), np.random.default_rng(0)
    parallel = turn_based_aec_to_parallel(env)
    parallel.reset(seed=0)
    total = dict.fromkeys(AGENTS, 0.0)
    while parallel.agents:
        mask = env.observe(env.agent_selection)["action_mask"]
        action = random_action(mask, rng)
        _, rewards, _, _, infos = parallel.step(dict.fromkeys(parallel.agents, action))
        assert infos[AGENTS[0]] is not infos[AGENTS[1]]
        for agent, value in rewards.items():
            total[agent] += value
    result = env.unwrapped.result
    assert total == {
        agent: 0.0 if result.winner is None else 1.0 if agent == result.winner else -1.0 for agent in AGENTS
    }


# C. Observations


@every_variant
def test_observations_lie_in_their_space(variant):
    """C3, C6: shape, dtype and bounds, for both agents, at every position, the final ones included."""
    game, env = game_of(variant), raw_env(variant)
    assert len(game.channels) == game.observation_shape[-1]
    assert len(set(game.channels)) == len(game.channels)
    for number, (states, mask) in enumerate(random_games(game, 2, seed=3)):
        if number % 3 and mask.any():
            continue
        for player, agent in enumerate(AGENTS):
            observation = {
                "observation": game.observation(states, player),
                "action_mask": mask if states[0].player == player else np.zeros_like(mask),
            }
            assert env.observation_space(agent).contains(observation)


SWAPS = {"scalas": ("tops", {0: 1, 1: 0}), "ring_world": ("owners", {1: 2, 2: 1})}


@every_variant
def test_players_see_alike(variant):
    """C1, C7: swap the players in a position, and each sees what the other saw, with the same mask."""
    game = game_of(variant)
    other = [channel for channel, name in enumerate(game.channels) if "Gold" not in name]
    for states, mask in random_games(game, 2, seed=4):
        swapped = states.copy()
        for name in states.dtype.names:
            if states.dtype[name].shape[:1] == (2,) and name not in game.parameter_fields:
                swapped[name] = states[name][:, ::-1]
        if game.name in SWAPS:
            name, table = SWAPS[game.name]
            for value, new in table.items():
                swapped[name][states[name] == value] = new
        if states[0].player != NOBODY:
            swapped["player"] = 1 - states["player"]
        for player in (0, 1):
            seen, mirrored = game.observation(states, player), game.observation(swapped, 1 - player)
            assert np.array_equal(seen[..., other], mirrored[..., other])
        if not (game.name == "tsukiji" and game.decisions[states[0].decision] == "place_land"):
            assert np.array_equal(game.mask(swapped), mask)


@every_game
def test_state_is_a_global_view(variant):
    env = raw_env(variant)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(10):
        view = env.state()
        assert env.state_space.contains(view)
        assert np.array_equal(view[:-1], env.observe("player_0")["observation"].ravel())
        assert view[-1] == (env.agent_selection == "player_1")
        play_randomly(env, rng, 1)


# D. Copies, text, search


@every_variant
def test_copies_are_true_copies(variant):
    """D1: deepcopy, pickle and clone keep everything, at every ply, mid-turn and after the end, raw and wrapped."""
    wrapped, rng = wrapped_env(variant), np.random.default_rng(1)
    wrapped.reset(seed=1)
    ply = 0
    while True:
        original = wrapped.unwrapped
        if ply % 5 == 0 or original.result is not None:
            before = trace(original)
            copies = [
                copy.deepcopy(original),
                pickle.loads(pickle.dumps(original)),
                original.clone(),
                copy.deepcopy(wrapped).unwrapped,
                pickle.loads(pickle.dumps(wrapped)).unwrapped,
            ]
            assert all(trace(each) == before for each in copies)
            if original.result is None:
                seed = int(rng.integers(1000))
                for each in copies:
                    play_randomly(each, np.random.default_rng(seed), 4)
                assert all(trace(each) == trace(copies[0]) for each in copies)
                assert trace(copies[0]) != before
            assert trace(original) == before
        if original.result is not None:
            break
        play_randomly(wrapped, rng, 1)
        ply += 1


@every_variant
def test_position_text_round_trip(variant):
    """D6: a position's text gives the position back, byte for byte, and reads the same in another process."""
    game = game_of(variant)
    for states, _ in random_games(game, 3, seed=5):
        text = game.notation.state_to_text(states[0])
        again = game.state_from_text(text)
        again["rng"] = states[0]["rng"]
        assert without_options(again) == without_options(states[0])
        assert all(line == line.rstrip() for line in text.splitlines())


def without_options(state) -> bytes:
    """The record's bytes, but for reset options that have done their work."""
    state = state.copy()
    for name in ("arrangement", "fallback", "coins", "given_hands"):
        if name in state.dtype.names:
            state[name] = -1
    return state.tobytes()


@every_variant
def test_malformed_position_text_changes_nothing(variant):
    game = game_of(variant)
    states = game.new_states(1, [0])
    text = game.notation.state_to_text(states[0])
    lines = text.splitlines()
    broken = [
        "",
        "x",
        lines[0],
        "\n".join(lines[:-1]),
        text + "\nx",
        text.replace(" to ", " two ", 1),
        text[:-3] + "@@@",
    ]
    for bad in broken:
        target = game.blank_states(1)
        before = target.tobytes()
        with pytest.raises(ValueError, match=r".+"):
            game.notation.text_to_state(bad, target[0])
        assert target.tobytes() == before


@every_variant
def test_history_text_round_trip(variant):
    """D6: the text of a game replays to the same game."""
    env, rng = raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    play_randomly(env, rng)
    text = env.history_to_text()
    assert env.text_to_history(text) == env.history
    again = raw_env(variant)
    again.reset(seed=0, options={"actions": env.history})
    assert trace(again)[0] == trace(env)[0] and again.history == env.history
    assert again.result == env.result and again.rewards == env.rewards


@every_variant
def test_set_state(variant):
    env, other, rng = raw_env(variant), raw_env(variant), np.random.default_rng(0)
    env.reset(seed=0)
    play_randomly(env, rng, 9)
    other.set_state(env.get_state())
    assert other.get_state().tobytes() == env.get_state().tobytes()
    assert other.history == [] and other.legal_actions() == env.legal_actions()
    assert other.agent_selection == env.agent_selection
    env.get_state()["turns"] += 1
    assert other.get_state().tobytes() == env.get_state().tobytes()


@every_game
def test_set_state_refuses_what_does_not_fit(variant):
    env = raw_env(variant)
    env.reset(seed=0)
    before = trace(env)
    name = next(each for each in DEFAULTS if each != variant)
    other = game_of(name).new_states(1, [0])
    bad_player = env.get_state()
    bad_player["player"] = 5
    contradiction = env.get_state()
    contradiction["winner"] = 1
    for state in (other[0], None, 3, "x", bad_player, contradiction, np.zeros(2, env.game.template.dtype)):
        with pytest.raises(ValueError, match="state"):
            env.set_state(state)
        assert trace(env) == before


@every_game
def test_errors_say_what_is_wrong(variant):
    """What is no agent, no text, no options: each with a clear message, and nothing has changed."""
    env = raw_env(variant)
    env.reset(seed=0)
    before = trace(env)
    for method in (env.observe, env.legal_actions, env.observation_space, env.action_space):
        for agent in ("x", 0, ["player_0"]):
            with pytest.raises(ValueError, match=r"agent .* unknown; expected player_0 or player_1"):
                method(agent)
    for method in (env.from_text, env.text_to_action, env.text_to_history, env.game.state_from_text):
        for text in (None, 3, b"x"):
            with pytest.raises(ValueError, match="expected a text"):
                method(text)
    for options in ([1], "x", 3):
        with pytest.raises(ValueError, match=r"options .*; expected a dict or None"):
            env.reset(options=options)
    for actions in (None, 3):
        with pytest.raises(ValueError, match=r"reset option 'actions' is .*; expected a list of actions"):
            env.reset(options={"actions": actions})
    assert trace(env) == before
    env.origin["turns"] += 1
    assert env.origin["turns"] == 0


@every_game
def test_reset_options(variant):
    env = raw_env(variant)
    env.reset(seed=0)
    before = trace(env)
    for options, message in (
        ({"colour": 1}, "unknown"),
        ({"actions": [-1]}, "out of range"),
        ({"actions": ["x"]}, "expected an integer"),
        ({"actions": [10**30]}, "out of range"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(seed=0, options=options)
        assert trace(env) == before
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)


# E. Seeds


@every_variant
def test_same_seed_same_game(variant):
    """E1: the seed decides everything, whatever was played before; no global generator is touched."""
    generators = random.getstate(), np.random.get_state()[1].tolist()
    env, fresh = raw_env(variant), raw_env(variant)
    env.reset(seed=3)
    play_randomly(env, np.random.default_rng(5), 30)
    for each in (env, fresh):
        each.reset(seed=8)
        play_randomly(each, np.random.default_rng(6))
    assert trace(env) == trace(fresh)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == generators


@pytest.mark.parametrize("variant", ["renaissance-full-random", "renaissance-phase2", "renaissance-phase2-joint"])
def test_chance(variant):
    """E1: seeds differ where there is chance; a reset without a seed goes on from the random state."""
    env = raw_env(variant)
    starts = set()
    for seed in range(8):
        env.reset(seed=seed)
        play_randomly(env, np.random.default_rng(0), 12)
        starts.add(env.get_state().tobytes())
    assert len(starts) > 1
    env.reset(seed=0)
    env.reset()
    first = env.get_state().tobytes()
    env.reset(seed=0)
    assert env.get_state().tobytes() != first
    env.reset()
    assert env.get_state().tobytes() == first


@every_game
def test_spaces_belong_to_one_agent(variant):
    """E2: each agent has a space of its own, the same at every call."""
    env = raw_env(variant)
    for space in (env.action_space, env.observation_space):
        assert space("player_0") is space("player_0")
        assert space("player_0") is not space("player_1")


def test_games_are_alike_in_every_process():
    """E1, D6: text, actions and seeds mean the same with another hash seed."""
    code = (
        "import numpy as np, zlib\n"
        "from zoo import VARIANTS, game_of, random_games\n"
        "print([zlib.crc32(b''.join(s.tobytes() for s, _ in random_games(game_of(v), 1))) for v in VARIANTS])"
    )
    outputs = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**ENVIRONMENT, "PYTHONHASHSEED": seed},
        )
        outputs.add(run.stdout)
    here = [zlib.crc32(b"".join(s.tobytes() for s, _ in random_games(game_of(v), 1))) for v in VARIANTS]
    assert outputs == {f"{here}\n"}


# Records


@every_variant
def test_reset_leaves_nothing_behind(variant):
    """A record that was played and reset equals a fresh one with the same random state."""
    game = game_of(variant)
    for states, mask in random_games(game, 2, seed=7):
        if not mask.any():
            fresh = game.blank_states(1)
            fresh["rng"] = states["rng"]
            loops.reset_all(fresh)
            loops.reset_all(states)
            assert states.tobytes() == fresh.tobytes()


@every_variant
def test_results_fit_the_scores(variant):
    """The header of every final record is consistent."""
    game = game_of(variant)
    for states, mask in random_games(game, GAMES, seed=8):
        if not mask.any():
            state = states[0]
            assert state.status in (TERMINATED, TRUNCATED)
            assert state.reason != 0
            result = game.result(state)
            assert result["winner"] in (None, 0, 1)
            assert json.dumps(result)


def test_games_are_their_parameters():
    game = make_game("scalas", size=6)
    assert game == make_game("scalas", size=6) != make_game("scalas")
    assert pickle.loads(pickle.dumps(game)) == game
    assert len({game, make_game("scalas", size=6)}) == 1
    with pytest.raises(ValueError, match="read-only"):
        game.template["turns"] = 1


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("chess", {}),
        ("scalas", {"size": 4}),
        ("scalas", {"size": True}),
        ("scalas", {"sizes": 5}),
        ("scalas", {"size": 5.0}),
        ("ring_world", {"levels": 5}),
        ("ring_world", {"turns": "both"}),
        ("ring_world", {"max_turns": 0}),
        ("tsukiji", {"turns": None}),
        ("tsukiji", {"max_turns": 2.5}),
        ("renaissance", {"variant": "phase3"}),
        ("renaissance", {"setup": "given"}),
        ("renaissance", {"max_adjustments": 0}),
    ],
)
def test_bad_parameters(name, parameters):
    with pytest.raises(ValueError, match=r"expected|unexpected"):
        make_game(name, **parameters)


# PettingZoo's own tests

HARMLESS_WARNINGS = {  # api_test knows dict observations of its own environments only
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@every_variant
def test_pettingzoo_api(variant, capsys):
    """C8, A10."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(wrapped_env(variant), num_cycles=100)
    allowed = set(HARMLESS_WARNINGS)
    if variant.startswith("ring_world"):  # the empty board: nobody owns a ring
        allowed.add("Observation numpy array is all zeros.")
    assert {str(warning.message) for warning in caught} <= allowed


@every_game
def test_pettingzoo_seed(variant):
    """E1, A10."""
    seed_test(lambda: wrapped_env(variant), 50)


def test_pettingzoo_performance_benchmark(capsys, monkeypatch):
    """H2: it runs (for a moment instead of five seconds)."""
    clock = iter(float(second) for second in range(10**6))
    monkeypatch.setattr("time.time", lambda: next(clock))
    performance_benchmark(wrapped_env("scalas-5"))
    assert "turns per second" in capsys.readouterr().out
