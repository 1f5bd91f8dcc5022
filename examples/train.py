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
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from common import add_snapshot, game_parser, keep_report, parsed_game
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.threads import cores
from nakajima_zoo.learning.board_policy import BoardPolicy, board_kwargs
from nakajima_zoo.learning.masked_policy import MaskedPolicy
from nakajima_zoo.players.base import Player, Positions
from nakajima_zoo.players.league import League
from nakajima_zoo.players.models import ModelPlayer, PolicyPlayer
from nakajima_zoo.players.names import make_player
from nakajima_zoo.players.simple import RandomPlayer
from nakajima_zoo.wrappers.sb3 import BatchVecEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import CSVOutputFormat, Logger
from stable_baselines3.common.vec_env import VecEnv


@dataclass(frozen=True)
class Settings:
    """What was found to learn well within a few minutes."""

    timesteps: int
    """Decisions of the learner."""
    learning_rate: float = 1e-3
    n_epochs: int = 4
    batch_size: int = 512
    ent_coef: float = 0.01
    gae_lambda: float = 0.95
    margin: float = 0.0
    """Reward for a point of the difference of scores, beside that for winning."""
    random_share: float = 0.3
    """Share of the random player in the games of self-play."""
    on_squares: bool = False
    """Whether the policy treats all squares alike (`BoardPolicy`)."""


# With over a thousand actions, most games are lost or won by chance at first. Points then tell sooner what was good,
# credit need not reach far back, and what is learned about one square had better hold on all of them.
MANY_ACTIONS = Settings(
    timesteps=400_000,
    learning_rate=2e-3,
    n_epochs=3,
    batch_size=1024,
    ent_coef=0.005,
    gae_lambda=0.8,
    margin=0.3,
    random_share=0.7,
    on_squares=True,
)
SETTINGS = {
    "scalas": Settings(timesteps=750_000),
    "ring_world": Settings(timesteps=1_000_000),
    "tsukiji": MANY_ACTIONS,
    "renaissance": replace(MANY_ACTIONS, margin=0.1, gae_lambda=0.9),
}
OPPONENTS = ("self", "random", "greedy")


class SelfPlay(BaseCallback):
    """Adds a frozen copy of the policy to the opponents from time to time."""

    def __init__(self, league: League, every: int, random_share: float) -> None:
        super().__init__()
        self.league, self.every, self.random_share = league, every, random_share

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.every * len(self.league.players):
            add_snapshot(self.league, PolicyPlayer(self.model.policy), self.random_share)


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
    keep_report(game, ModelPlayer(model), arguments, folder)
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
    arguments.timesteps = arguments.timesteps or SETTINGS[arguments.game].timesteps
    arguments.made_game = parsed_game(parser, arguments)
    return arguments


def train(game: Game, arguments: argparse.Namespace, folder: Path) -> MaskablePPO:
    """A model that has played `timesteps` decisions."""
    league = League([RandomPlayer() if arguments.opponent == "self" else make_player(arguments.opponent)])
    settings = SETTINGS[game.name]
    env = BatchVecEnv(game, arguments.num_envs, league, margin=settings.margin)
    env.seed(arguments.seed)
    model = make_model(game, env, settings, arguments.seed)
    model.set_logger(Logger(str(folder), [CSVOutputFormat(str(folder / "metrics.csv"))]))
    every = max(arguments.timesteps // 10, 1)
    callbacks: list[BaseCallback] = [Progress(game, every, max(arguments.eval_games // 4, 1), arguments.seed)]
    if arguments.opponent == "self":
        callbacks.append(SelfPlay(league, every, settings.random_share))
    model.learn(arguments.timesteps, callback=callbacks, progress_bar=True)
    return model


def make_model(game: Game, env: VecEnv, settings: Settings, seed: int, n_steps: int = 32) -> MaskablePPO:
    """A model that knows nothing yet; `n_steps`: decisions in each game between two updates.

    Tells torch how many threads to use: a dense network is too small for more than one.
    """
    on_squares = settings.on_squares and game.action_planes is not None
    torch.set_num_threads(min(2, cores()) if on_squares else 1)
    return MaskablePPO(
        BoardPolicy if on_squares else MaskedPolicy,
        env,
        seed=seed,
        n_steps=n_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        learning_rate=linear(settings.learning_rate),
        gamma=1.0,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.ent_coef,
        policy_kwargs=board_kwargs(game) if on_squares else {"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
    )


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
