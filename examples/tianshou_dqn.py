"""DQN self-play with Tianshou 2: its own PettingZooEnv and multi-agent algorithm.

    python examples/tianshou_dqn.py --game scalas
    python examples/tianshou_dqn.py --game ring_world --decisions 50000 --seed 3

One network plays both seats. What had to be done so that turns and masks are right (Tianshou 2.0):

- PettingZooEnv turns our observations into `obs`, `mask` and `agent_id`, and DQN masks its choices with `mask`, when it
  explores too. Both are right as they are. `raw_env` is wrapped: it raises at an illegal action.
- The next observation in the buffer is that of whoever acts next. Tianshou's DQN takes the best value there for the
  agent's own, though it is often his opponent's. An agent may act several times in a row, so no length of n-step
  returns cures that. `SelfPlayDQN` gives the value its sign by the `agent_id` that is written there.
- Rewards are right as they are: n-step returns sum the agent's own column of rewards over the steps of both agents.
  Not so in Tianshou's on-policy algorithms, which see the rewards of the agent's own steps alone: the agent who did
  not make the last move would never learn that he has lost. Hence DQN here, and no PPO.
- MultiAgentPolicy does not tell the policies inside it that training goes on, so they explore as much as in inference:
  `set_eps_inference` is what decides here.
- No warm-up with `collect(random=True)`, which ignores masks: exploration begins at 1 instead, which respects them.

Leaves in runs/<name>/: model.pt and evaluation.txt.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import numpy as np
from common import Stop, learner_parser, parse, run
from nakajima_zoo import Game
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import AGENTS, BoardGameEnv, needs
from nakajima_zoo.players import FunctionPlayer

with clear_errors(), needs("tianshou", "this example"):
    import torch
    from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Batch, Collector, ReplayBuffer, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv
    from tianshou.trainer import OffPolicyTrainerParams
    from tianshou.utils.net.common import Net


class SelfPlayDQN(DQN):
    """DQN for one agent of a two-player zero-sum game in which either agent may act next."""

    def __init__(self, agent: str, **options: Any) -> None:
        """`agent`: whose decisions this learns from."""
        super().__init__(**options)
        self.agent = agent

    def _target_q(self, buffer: ReplayBuffer, indices: np.ndarray) -> torch.Tensor:
        """What the positions after `indices` are worth to this agent: minus the value for whoever else acts there.

        0 at the end of a game, of one that the turn limit cuts off too: what it is worth has been paid.
        """
        best = super()._target_q(buffer, indices)
        sign = np.where(buffer.obs_next.agent_id[indices] == self.agent, 1, -1) * ~buffer.done[indices]
        return best * torch.from_numpy(sign)


def make_env(game: Game) -> PettingZooEnv:
    """One game in Tianshou's wrapper."""
    return PettingZooEnv(BoardGameEnv(game))


def make_policy(game: Game) -> DiscreteQLearningPolicy:
    """A network with a value for each action; the policy takes the best legal one."""
    env = make_env(game)
    net = Net(state_shape=game.observation_shape, action_shape=game.num_actions, hidden_sizes=[256, 128])
    return DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=env.observation_space["observation"]
    )


def make_algorithm(
    game: Game, policy: DiscreteQLearningPolicy, arguments: argparse.Namespace
) -> MultiAgentOffPolicyAlgorithm:
    """One learner an agent, both with the same network."""
    learners = [
        SelfPlayDQN(
            agent,
            policy=policy,
            optim=AdamOptimizerFactory(lr=arguments.learning_rate),
            gamma=1.0,
            n_step_return_horizon=arguments.n_step,
            target_update_freq=arguments.target_update,
        )
        for agent in AGENTS
    ]
    return MultiAgentOffPolicyAlgorithm(algorithms=learners, env=make_env(game))


def train(game: Game, arguments: argparse.Namespace) -> DiscreteQLearningPolicy:
    """A policy that has learned from `decisions` decisions of its own games."""
    torch.manual_seed(arguments.seed)
    np.random.seed(arguments.seed)  # Tianshou explores with the global generator
    policy = make_policy(game)
    algorithm = make_algorithm(game, policy, arguments)
    envs = DummyVectorEnv([partial(make_env, game)] * arguments.num_envs)
    envs.seed(arguments.seed)
    buffer = VectorReplayBuffer(arguments.buffer, arguments.num_envs)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collected = arguments.num_envs * 16
    epochs = 10
    steps = max(arguments.decisions // (epochs * collected), 1) * collected

    def explore(epoch: int, decisions: int) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        policy.set_eps_inference(max(0.05, 1 - 2 * decisions / (epochs * steps)))

    collector.reset()
    parameters = OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=epochs,
        epoch_num_steps=steps,
        collection_step_num_env_steps=collected,
        batch_size=arguments.minibatch,
        update_step_num_gradient_steps_per_sample=arguments.updates_per_decision,
        training_fn=explore,
        multi_agent_return_reduction=lambda returns: returns[:, 0],
        verbose=False,
    )
    with Stop() as stop, contextlib.suppress(KeyboardInterrupt):
        algorithm.run_training(parameters)
    policy.set_eps_inference(0.0)
    return policy


def player_of(policy: DiscreteQLearningPolicy) -> FunctionPlayer:
    """The policy as a player that takes the best action."""

    @torch.no_grad()
    def choose(observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        seen = Batch(obs=observation, mask=action_mask.astype(np.bool_))
        return policy(Batch(obs=seen, info=Batch())).act

    return FunctionPlayer(choose)


def load(game: Game, path: Path) -> DiscreteQLearningPolicy:
    """The policy whose weights are in the file."""
    policy = make_policy(game)
    policy.load_state_dict(torch.load(path, weights_only=True))
    return policy


def parse_arguments() -> argparse.Namespace:
    """What to train, how, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--decisions", type=at_least(1), default=100_000, help="of both players together")
    parser.add_argument("--num-envs", type=at_least(1), default=16, help="games played at once")
    parser.add_argument("--buffer", type=at_least(1), default=40_000, help="decisions that are remembered")
    parser.add_argument("--minibatch", type=at_least(1), default=256, help="decisions that are learned from at once")
    parser.add_argument("--updates-per-decision", type=positive, default=0.06, help="minibatches for a decision")
    parser.add_argument("--n-step", type=at_least(1), default=10, help="decisions of both players in a return")
    parser.add_argument("--target-update", type=at_least(1), default=250, help="updates between copies of the network")
    parser.add_argument("--learning-rate", type=positive, default=5e-4, help="of all updates")
    return parse(parser, "tianshou")


def main() -> None:
    """Train, save, load, evaluate."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    logging.getLogger("tianshou.data.stats").setLevel(logging.ERROR)  # warns that two agents have two returns
    torch.set_num_threads(1)  # the network is too small for more
    run(
        arguments,
        train,
        save=lambda policy, folder: torch.save(policy.state_dict(), folder / "model.pt"),
        load=lambda folder: player_of(load(game, folder / "model.pt")),
    )


if __name__ == "__main__":
    main()
