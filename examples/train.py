"""Train an agent on any of the games by self-play with MaskablePPO, and show how good it got.

    python examples/train.py --game scalas
    python examples/train.py --game scalas --set size=6 --timesteps 500000 --seed 3 --opponent random

Leaves in runs/<name>/: model.zip, metrics.csv, learning_curve.png, game.png, game.txt and evaluation.txt.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from common import game_parser, parsed_game, report
from nakajima_zoo.envs.core.batch import cores
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.wrappers.evaluate import evaluate
from nakajima_zoo.wrappers.players import League, Player, Positions, RandomPlayer, make_player
from nakajima_zoo.wrappers.sb3 import BatchVecEnv, ModelPlayer, PolicyPlayer
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import CSVOutputFormat, Logger

TIMESTEPS = {"scalas": 750_000, "ring_world": 600_000, "tsukiji": 400_000, "renaissance": 400_000}
# Games with many actions and few wins by chance learn several times faster if points count while they are won
# (potential-based shaping, which changes no best play) and if credit reaches less far back.
SHAPING = {"scalas": 0.0, "ring_world": 0.0, "tsukiji": 0.3, "renaissance": 0.1}
GAE_LAMBDA = {"scalas": 0.95, "ring_world": 0.95, "tsukiji": 0.8, "renaissance": 0.8}
RANDOM_SHARE = {"scalas": 0.3, "ring_world": 0.3, "tsukiji": 0.7, "renaissance": 0.7}  # of the games of self-play
OPPONENTS = ("self", "random", "greedy")


class SelfPlay(BaseCallback):
    """Adds a frozen copy of the policy to the opponents from time to time.

    The random player keeps its share, the newest copy gets half of the rest, and the older copies share what is left.
    """

    def __init__(self, league: League, every: int, random_share: float) -> None:
        super().__init__()
        self.league, self.every, self.random_share = league, every, random_share

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.every * len(self.league.players):
            self.league.add(PolicyPlayer(self.model.policy))
            older, half = len(self.league.players) - 2, (1 - self.random_share) / 2
            self.league.weights = [self.random_share, *[half / max(older, 1)] * older, half]


class Progress(BaseCallback):
    """Writes the win rate against the random player into the metrics from time to time."""

    def __init__(self, game: Game, every: int, games_per_seat: int, seed: int) -> None:
        super().__init__()
        self.game, self.every, self.games_per_seat, self.seed = game, every, games_per_seat, seed
        self.due = 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + self.every
            player = ModelPlayer(self.model)
            first, second = evaluate(self.game, player, RandomPlayer(), self.games_per_seat, self.seed)
            self.logger.record("eval/win_rate_against_random", (first + second).win_rate)


def main() -> None:
    """Train, evaluate, and leave everything in a folder."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    folder = Path("runs") / (arguments.name or f"{arguments.game}-{arguments.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{game}: {game.num_actions} actions, observation {game.observation_shape}")
    start = time.perf_counter()
    model = train(game, arguments, folder)
    print(f"trained in {time.perf_counter() - start:.0f} s")
    model.save(folder / "model.zip")
    draw_learning_curve(folder)
    evaluation = report(game, ModelPlayer(model), arguments.eval_games, arguments.seed + 1)
    print(evaluation)
    (folder / "evaluation.txt").write_text(evaluation + "\n")
    draw_game(game, ModelPlayer(model), folder, arguments.seed)
    print(f"total {time.perf_counter() - start:.0f} s; results are in {folder}/")


def parse_arguments() -> argparse.Namespace:
    """What to train, and for how long."""
    parser = game_parser(__doc__)
    parser.add_argument("--timesteps", type=int, help="decisions of the learner (default: by game)")
    parser.add_argument("--opponent", choices=OPPONENTS, default="self")
    parser.add_argument("--num-envs", type=int, default=128, help="games played at once")
    parser.add_argument("--eval-games", type=int, default=200, help="games of the final evaluation, per seat")
    arguments = parser.parse_args()
    arguments.timesteps = arguments.timesteps or TIMESTEPS[arguments.game]
    arguments.made_game = parsed_game(parser, arguments)
    return arguments


def train(game: Game, arguments: argparse.Namespace, folder: Path) -> MaskablePPO:
    """A model that has played `timesteps` decisions."""
    torch.set_num_threads(min(2, cores()))
    league = League([RandomPlayer() if arguments.opponent == "self" else make_player(arguments.opponent)])
    env = BatchVecEnv(game, arguments.num_envs, league, shaping=SHAPING[game.name])
    env.seed(arguments.seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        seed=arguments.seed,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        learning_rate=linear(1e-3),
        gamma=1.0,
        gae_lambda=GAE_LAMBDA[game.name],
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
    )
    model.set_logger(Logger(str(folder), [CSVOutputFormat(str(folder / "metrics.csv"))]))
    every = max(arguments.timesteps // 10, 1)
    callbacks: list[BaseCallback] = [Progress(game, every, max(arguments.eval_games // 4, 1), arguments.seed)]
    if arguments.opponent == "self":
        callbacks.append(SelfPlay(league, every, RANDOM_SHARE[game.name]))
    model.learn(arguments.timesteps, callback=callbacks, progress_bar=True)
    return model


def linear(start: float) -> Callable[[float], float]:
    """A learning rate that falls from `start` to nearly 0."""
    return lambda remaining: start * max(remaining, 0.02)


def draw_learning_curve(folder: Path) -> None:
    """Win rate against the random player, and reward against the opponents met, over the decisions played."""
    metrics = pd.read_csv(folder / "metrics.csv")
    steps = metrics["time/total_timesteps"]
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    columns = {
        "eval/win_rate_against_random": "win rate against random",
        "rollout/ep_rew_mean": "mean reward against the opponents met",
    }
    for column, label in columns.items():
        if column in metrics:
            known = metrics[column].notna()
            axes.plot(steps[known], metrics.loc[known, column], marker="o", markersize=3, label=label)
    axes.set(xlabel="decisions of the learner", ylim=(-1.05, 1.05))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "learning_curve.png", dpi=120)
    plt.close(figure)


def draw_game(game: Game, player: Player, folder: Path, seed: int) -> None:
    """One game of the agent against itself, as text, and its final position as a picture."""
    from nakajima_zoo.envs.core.render import save_png

    env = BoardGameEnv(game)
    env.reset(seed=seed)
    while env.result is None:
        states = np.array([env.get_state()], game.template.dtype)
        env.step(int(player.choose(Positions(game, states))[0]))
    (folder / "game.txt").write_text(f"{env.history_to_text()}\n\n{env.to_text()}\n")
    save_png(env.svg(), folder / "game.png")


if __name__ == "__main__":
    main()
