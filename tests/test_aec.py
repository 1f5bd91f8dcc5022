"""Wrappers of AEC environments."""

import warnings

import numpy as np
import pytest
from nakajima_zoo.wrappers.aec import ShapedRewards, WithoutInfo
from pettingzoo.test import api_test
from zoo import every_variant, play_randomly, random_action, raw_env, wrapped_env

SHAPING = 0.25


def lead(env):
    """By how much each agent leads; 0 once the game is over."""
    first, second = env.unwrapped.get_state().scores.tolist() if env.unwrapped.result is None else (0, 0)
    return {"player_0": first - second, "player_1": second - first}


@every_variant
def test_shaped_rewards(variant):
    """Each step pays the growth of the potential; `last` pays what came since the agent's own last step."""
    plain, shaped = raw_env(variant), ShapedRewards(wrapped_env(variant), SHAPING)
    rng, moved = np.random.default_rng(0), 0
    for env in (plain, shaped):
        env.reset(seed=3)
    start = before = lead(plain)
    paid, owed = dict.fromkeys(start, 0.0), dict.fromkeys(start, 0.0)
    for agent in shaped.agent_iter():
        _, reward, terminated, truncated, _ = shaped.last()
        assert agent == plain.agent_selection and reward == pytest.approx(owed[agent])
        if terminated or truncated:
            plain.step(None)
            shaped.step(None)
            continue
        action = random_action(plain.observe(agent)["action_mask"], rng)
        owed[agent] = 0.0
        for env in (plain, shaped):
            env.step(action)
        now = lead(plain)
        for each in plain.agents:
            grown = plain.rewards[each] + SHAPING * (now[each] - before[each])
            assert shaped.rewards[each] == pytest.approx(grown)
            owed[each] += grown
            paid[each] += grown
        moved += now != before
        before = now
    assert moved
    result = plain.unwrapped.result
    for each, lead_at_start in start.items():
        outcome = 0 if result.winner is None else 1 if result.winner == each else -1
        assert paid[each] == pytest.approx(outcome - SHAPING * lead_at_start)


def test_shaped_rewards_pass_the_checks():
    """PettingZoo's, in which every game is left and begun anew; a forfeit takes the potential back too."""
    env = ShapedRewards(wrapped_env("scalas-5"), SHAPING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about dict observations, as for every environment of ours
        api_test(env, num_cycles=100)
    env.reset(seed=0)
    env.step(0)
    assert env.rewards == {"player_0": SHAPING, "player_1": -SHAPING}
    env.step(int(env.observe("player_1")["action_mask"].argmin()))
    assert env.unwrapped.result.reason == "illegal_action"
    assert env.rewards == {"player_0": 1 - SHAPING, "player_1": SHAPING - 1}


def test_shaped_rewards_of_a_finished_game():
    """Begun at its end, by options, it pays the result as the environment does."""
    plain = raw_env("scalas-5")
    plain.reset(seed=0)
    play_randomly(plain, np.random.default_rng(0))
    finished = {"actions": plain.history}
    plain.reset(seed=0, options=finished)
    shaped = ShapedRewards(wrapped_env("scalas-5"), SHAPING)
    shaped.reset(seed=0, options=finished)
    assert shaped.rewards == plain.rewards and shaped.last()[1:4] == plain.last()[1:4]
    assert set(shaped.rewards.values()) == {-1.0, 1.0}


def test_shaped_rewards_refuse():
    for shaping in (None, "a", float("nan"), float("inf"), True):
        with pytest.raises(ValueError, match="expected a finite number"):
            ShapedRewards(raw_env("scalas-5"), shaping)
    with pytest.raises(RuntimeError, match="call reset"):
        ShapedRewards(raw_env("scalas-5"), SHAPING).step(0)
    with pytest.raises(AssertionError, match="needs to be called before step"):
        ShapedRewards(wrapped_env("scalas-5"), SHAPING).step(0)


def test_without_info():
    env = WithoutInfo(wrapped_env("scalas-5"))
    env.reset(seed=0)
    assert env.infos == {"player_0": {}, "player_1": {}} and env.last()[4] == {}
