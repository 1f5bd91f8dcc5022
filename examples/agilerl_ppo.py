"""Self-play on any of the games with AgileRL's PPO, against frozen copies of the agent.

    python examples/agilerl_ppo.py --game scalas
    python examples/agilerl_ppo.py --game ring_world --set turns=staged --timesteps 1000000

PPO and not DQN: AgileRL's DQN applies the mask where it acts, but takes the best of all actions, the illegal ones too,
where it learns; its PPO keeps the mask of every decision and learns with it. Its multi-agent algorithms take
PettingZoo's parallel environments only, so the games go in as a Gymnasium vector environment, with an opponent.

Leaves in runs/<name>/: agent.pt and evaluation.txt, of the agent loaded from there.
"""

from __future__ import annotations

import argparse
import itertools
import os
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import numpy as np
from common import add_snapshot, learner_parser, parse, run, until_stopped
from gymnasium.spaces.utils import flatten_space
from gymnasium.vector import VectorWrapper
from gymnasium.vector.utils import batch_space
from nakajima_zoo import Game, evaluate
from nakajima_zoo.arguments import at_least, clear_errors
from nakajima_zoo.envs import cores, needs
from nakajima_zoo.players import FunctionPlayer, League, RandomPlayer
from nakajima_zoo.wrappers import BatchVectorEnv

with clear_errors(), needs("agilerl", "this example"):
    import torch
    from agilerl.algorithms import PPO
    from agilerl.rollouts.on_policy import collect_rollouts
    from tqdm import tqdm

NUM_ENVS, STEPS = 128, 32  # games at once, and decisions of each between two updates
RANDOM_SHARE = 0.3  # of the games; frozen copies play the others
COPIES = 10  # made in the course of the training


class Flat(VectorWrapper):
    """Flattens observations, since AgileRL takes one of three dimensions for a picture.

    Gymnasium's own wrapper refuses environments that reset within the same step.
    """

    def __init__(self, env: BatchVectorEnv) -> None:
        super().__init__(env)
        self.single_observation_space = flatten_space(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **arguments: Any) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all games."""
        seen, info = self.env.reset(**arguments)
        return flat(seen), info

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's actions and the opponent's replies."""
        seen, *others = self.env.step(actions)
        return flat(seen), *others


def flat(seen: np.ndarray) -> np.ndarray:
    """Observations (k, ...) as (k, entries)."""
    return seen.reshape(len(seen), -1)


def main() -> None:
    """Train, save, load, evaluate."""
    arguments = parse_arguments()
    run(
        arguments,
        train,
        save=lambda agent, folder: agent.save_checkpoint(str(folder / "agent.pt")),
        load=lambda folder: player(load(folder / "agent.pt")),
    )


def parse_arguments() -> argparse.Namespace:
    """What to train, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--timesteps", type=at_least(1), default=800_000, help="decisions of the learner")
    return parse(parser, "agilerl")


def train(game: Game, arguments: argparse.Namespace) -> PPO:
    """An agent that has played `timesteps` decisions; shows its win rate against the random player."""
    torch.set_num_threads(min(2, cores()))
    torch.manual_seed(arguments.seed)
    np.random.seed(arguments.seed)  # AgileRL shuffles with it
    league = League([RandomPlayer()])
    env = Flat(BatchVectorEnv(game, NUM_ENVS, league, illegal_action="raise", cut_off="terminated"))
    env.reset(seed=arguments.seed)
    agent = make_agent(env)
    stand: dict[str, Any] = {}  # of the games: where the next rollout goes on
    with tqdm(total=arguments.timesteps, unit="decision") as progress:
        for _ in until_stopped(itertools.count()):
            if progress.n >= arguments.timesteps:
                break
            _, *last = collect_rollouts(agent, env, STEPS, **stand)
            stand = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
            agent.learn()
            progress.update(NUM_ENVS * STEPS)
            if progress.n >= arguments.timesteps / COPIES * len(league.players):
                add_copy(league, agent)
                games = max(arguments.eval_games // 4, 1)
                first, second = evaluate(game, player(agent), RandomPlayer(), games, arguments.seed)
                progress.set_postfix_str(f"{(first + second).win_rate:.0%} against random")
    return agent


def make_agent(env: Flat) -> PPO:
    """An agent that has learnt nothing yet."""
    return PPO(
        env.single_observation_space,
        env.single_action_space,
        net_config={"encoder_config": {"hidden_size": [256]}, "latent_dim": 128, "head_config": {"hidden_size": [128]}},
        share_encoders=False,
        num_envs=env.num_envs,
        learn_step=STEPS * env.num_envs,
        batch_size=512,
        update_epochs=4,
        lr=5e-4,
        gamma=1.0,
        # AgileRL's GAE looks one decision too late for the end of a game, so that a reward at the end reaches the last
        # decision alone; its plain returns look at the right place.
        rollout_buffer_config={"use_gae": False},
        ent_coef=0.01,
    )


def load(path: Path) -> PPO:
    """A saved agent."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Attribute rollout_buffer not found")  # it is never saved
        return PPO.load(str(path))


def player(agent: PPO) -> FunctionPlayer:
    """The agent as a player, who draws from its policy."""
    return FunctionPlayer(lambda seen, mask: agent.get_action(flat(seen), action_mask=mask)[0])


def add_copy(league: League, agent: PPO) -> None:
    """A frozen copy of the agent joins."""
    add_snapshot(league, player(agent.clone()), RANDOM_SHARE)


if __name__ == "__main__":
    main()
