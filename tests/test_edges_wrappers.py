"""Edges of the wrappers: games that are cut off, other libraries' habits, wrappers around wrappers, seeds, models."""

from __future__ import annotations

import numpy as np
import pytest
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.players.base import Player
from nakajima_zoo.wrappers.sb3 import BatchVecEnv, LegalVecEnv
from nakajima_zoo.wrappers.single_agent import SingleAgentEnv
from nakajima_zoo.wrappers.vector import BatchVectorEnv
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN
from zoo import random_action

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
