"""Self-play on any of the games with RLlib's PPO (current API stack): on one machine, or unchanged on a Ray cluster.

    python examples/rllib_ppo.py --game scalas
    python examples/rllib_ppo.py --policies two --timesteps 200000
    python examples/rllib_ppo.py --local-nodes 3             # a cluster of three Ray nodes on this machine
    python examples/rllib_ppo.py --address auto              # a running cluster, from one of its machines

Every CPU of the cluster plays games (an "env runner"), the learner is here. Leaves in runs/<name>/: checkpoint/, which
RLlib can go on from, and evaluation.txt, of the modules loaded from there.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # the future behaviour, and no warning about it

from common import learner_parser, parse, run, until_stopped
from nakajima_zoo import Game, evaluate
from nakajima_zoo.arguments import at_least, clear_errors
from nakajima_zoo.envs import AGENTS, cores, needs
from nakajima_zoo.players import RandomPlayer

with clear_errors(), needs("rllib", "this example"):
    import ray
    from nakajima_zoo.wrappers import SHARED, MaskedModule, ModulePlayer, make_env
    from ray.cluster_utils import Cluster
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.tune.registry import register_env
    from tqdm import tqdm

BATCH = 4_000  # decisions of an iteration
ENVS_PER_RUNNER = 16


def main() -> None:
    """Train, save, load, evaluate."""
    arguments = parse_arguments()
    cluster = connect(arguments)
    try:
        run(arguments, train, save, load=lambda folder: ModulePlayer(folder / "checkpoint"))
    finally:
        ray.shutdown()
        if cluster:
            cluster.shutdown()


def parse_arguments() -> argparse.Namespace:
    """What to train, for how long, and where."""
    parser = learner_parser(__doc__)
    parser.add_argument("--timesteps", type=at_least(1), default=200_000, help="decisions of both agents together")
    parser.add_argument("--policies", choices=("shared", "two"), default="shared", help="one for both agents, or two")
    parser.add_argument("--env-runners", type=at_least(1), help="processes that play (default: the cluster's CPUs)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--address", help="of a running Ray cluster; `auto` for the one of this machine")
    where.add_argument("--local-nodes", type=at_least(1), help="start a cluster of so many nodes on this machine")
    return parse(parser, "rllib")


def connect(arguments: argparse.Namespace) -> Cluster | None:
    """Connect to Ray: to the cluster of the arguments, or to one of this machine alone. Returns a cluster to stop."""
    cluster = None
    where: dict[str, Any] = {"num_cpus": arguments.env_runners or cores(), "include_dashboard": False}
    if arguments.address:
        where = {"address": arguments.address}
    elif arguments.local_nodes:
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        for _ in range(arguments.local_nodes - 1):
            cluster.add_node(num_cpus=1)
        where = {"address": cluster.address}
    ray.init(logging_level=logging.ERROR, log_to_driver=False, **where)  # what goes wrong is raised here all the same
    return cluster


def configure(arguments: argparse.Namespace) -> PPOConfig:
    """What RLlib is told."""
    game: Game = arguments.made_game
    register_env("nakajima_zoo", make_env)
    policies = [SHARED] if arguments.policies == "shared" else list(AGENTS)
    spec = RLModuleSpec(module_class=MaskedModule, model_config={"hidden": [256, 128]})
    return (
        PPOConfig()
        .environment("nakajima_zoo", env_config={"game": game.name, "parameters": dict(game.parameters)})
        .env_runners(
            num_env_runners=arguments.env_runners or int(ray.cluster_resources()["CPU"]),
            num_envs_per_env_runner=ENVS_PER_RUNNER,
        )
        .multi_agent(
            policies=set(policies),
            policy_mapping_fn=lambda agent, *_, **__: SHARED if SHARED in policies else agent,
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(policies, spec)))
        .training(
            train_batch_size_per_learner=BATCH,
            minibatch_size=512,
            num_epochs=4,
            lr=[[0, 1e-3], [max(arguments.timesteps, 1), 1e-4]],
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
            clip_param=0.2,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .debugging(seed=arguments.seed, log_level="ERROR")
    )


def show_nodes(algorithm: PPO) -> None:
    """Print on which node of the cluster each env runner is."""
    nodes = algorithm.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    print(f"{len(ray.nodes())} nodes, {len(nodes)} env runners")
    for i, node in enumerate(nodes, 1):
        print(f"env runner {i} is on node {node}")


def train(game: Game, arguments: argparse.Namespace) -> PPO:
    """An algorithm that was trained until `timesteps` decisions were played; shows its win rate against random."""
    algorithm = configure(arguments).build_algo()
    show_nodes(algorithm)
    player = ModulePlayer(algorithm.env_runner.module)
    with tqdm(total=arguments.timesteps, unit="decision") as progress:
        for _ in until_stopped(itertools.count()):
            if progress.n >= arguments.timesteps:
                break
            runners = algorithm.train()["env_runners"]
            progress.update(int(runners["num_env_steps_sampled_lifetime"]) - progress.n)
            first, second = evaluate(game, player, RandomPlayer(), max(arguments.eval_games // 8, 1), arguments.seed)
            progress.set_postfix_str(f"{(first + second).win_rate:.0%} against random")
    return algorithm


def save(algorithm: PPO, folder: Path) -> None:
    """Keep a checkpoint; the algorithm has done its work."""
    algorithm.save_to_path(str((folder / "checkpoint").resolve()))
    algorithm.stop()


if __name__ == "__main__":
    main()
