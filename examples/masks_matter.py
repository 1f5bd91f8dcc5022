"""What masks are worth: MaskablePPO against PPO and DQN, which know no masks, on the same game and number of decisions.

    python examples/masks_matter.py --game scalas
    python examples/masks_matter.py --game tsukiji --timesteps 100000 --algorithms MaskablePPO PPO

PPO and DQN choose among all actions; an illegal choice is replaced by the next legal action (--replace random: by any)
and costs --penalty. All three meet the random player. Both kinds of PPO have the same hyperparameters.

Leaves in runs/<name>/: a model of each algorithm, curves.csv, learning_curves.png and evaluation.txt.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

from common import Stop, keep_text, learner_parser, parse, report
from nakajima_zoo import Game, Player, evaluate
from nakajima_zoo.arguments import at_least, clear_errors
from nakajima_zoo.envs import cores, needs
from nakajima_zoo.players import REPLACEMENTS, RandomPlayer

with clear_errors(), needs("train", "this example"):
    import pandas as pd
    import torch
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter
    from nakajima_zoo.players import ModelPlayer, UnmaskedPlayer
    from nakajima_zoo.wrappers import BatchVecEnv, LegalVecEnv
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import DQN, PPO
    from stable_baselines3.common.base_class import BaseAlgorithm
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnv

NETWORK = {"net_arch": [256, 128], "activation_fn": torch.nn.ReLU}
ON_POLICY = {
    "n_steps": 32,
    "batch_size": 512,
    "n_epochs": 4,
    "learning_rate": 1e-3,
    "gamma": 1.0,
    "ent_coef": 0.01,
    "policy_kwargs": NETWORK,
}
OFF_POLICY = {
    "buffer_size": 30_000,
    "learning_starts": 1_000,
    "batch_size": 256,
    "train_freq": 1,
    "gradient_steps": 4,
    "learning_rate": 5e-4,
    "gamma": 1.0,
    "target_update_interval": 1_000,
    "exploration_fraction": 0.3,
    "policy_kwargs": NETWORK,
}
ALGORITHMS: dict[str, tuple[type[BaseAlgorithm], dict[str, Any]]] = {
    "MaskablePPO": (MaskablePPO, ON_POLICY),
    "PPO": (PPO, ON_POLICY),
    "DQN": (DQN, OFF_POLICY),
}
POINTS = 10  # of a learning curve, besides its start


class Progress(BaseCallback):
    """Evaluates the model against the random player from time to time, and notes how many choices were illegal.

    Ends the training if `stop` asks for it.
    """

    def __init__(self, game: Game, arguments: argparse.Namespace, stop: Stop) -> None:
        super().__init__()
        self.game, self.arguments, self.stop = game, arguments, stop
        self.rows: list[dict[str, Any]] = []
        self.due = 0
        self.asked = self.illegal = 0

    def _on_training_start(self) -> None:
        self.note()

    def _on_step(self) -> bool:
        if self.num_timesteps >= self.due:
            self.note()
        return not self.stop.asked

    def note(self) -> None:
        """Add a row: decisions, win rate, and the share of illegal choices in training since the last row."""
        self.due += max(self.arguments.timesteps // POINTS, 1)
        player = make_player(self.model, self.arguments.replace)
        games = max(self.arguments.eval_games // 2, 1)
        first, second = evaluate(self.game, player, RandomPlayer(), games, self.arguments.seed)
        row = {"decisions": self.num_timesteps, "win_rate": (first + second).win_rate}
        env = self.training_env
        if isinstance(env, LegalVecEnv) and env.legal.asked > self.asked:
            row["illegal"] = (env.legal.illegal - self.illegal) / (env.legal.asked - self.asked)
            self.asked, self.illegal = env.legal.asked, env.legal.illegal
        self.rows.append(row)


def main() -> None:
    """Train each algorithm, evaluate what was saved, and draw all curves."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(min(2, cores()))
    print(f"{game}: {game.num_actions} actions; {arguments.timesteps} decisions for each algorithm")
    curves, reports = [], []
    with Stop() as stop:
        for name in arguments.algorithms:
            if not stop.asked:
                start = time.perf_counter()
                curves.append(train(game, name, arguments, stop))
                reports.append(evaluation(game, name, arguments))
                print(f"{name}: trained and evaluated in {time.perf_counter() - start:.0f} s", flush=True)
    keep_text(folder, "\n".join(reports))
    table = pd.concat(curves, ignore_index=True)
    table.to_csv(folder / "curves.csv", index=False)
    draw(table, game, folder / "learning_curves.png")
    print(f"results are in {folder}/")


def evaluation(game: Game, name: str, arguments: argparse.Namespace) -> str:
    """How good the saved model of an algorithm is."""
    model = ALGORITHMS[name][0].load(arguments.folder / f"{name}.zip")
    player = make_player(model, arguments.replace)
    found = report(game, player, arguments.eval_games, arguments.seed + 1, greedy=False)
    return "\n".join(f"{name:11} {line}" for line in found.splitlines())


def parse_arguments() -> argparse.Namespace:
    """What to train, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--timesteps", type=at_least(1), default=150_000, help="decisions of each learner")
    parser.add_argument(
        "--algorithms", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS), help="which ones are trained"
    )
    parser.add_argument("--replace", choices=REPLACEMENTS, default="next", help="what an illegal action becomes")
    parser.add_argument("--penalty", type=float, default=0.0, help="what an illegal action costs")
    parser.add_argument("--num-envs", type=at_least(1), default=64, help="games played at once")
    return parse(parser, "masks-matter")


def train(game: Game, name: str, arguments: argparse.Namespace, stop: Stop) -> pd.DataFrame:
    """Train and save a model, until `stop` asks for an end; returns its learning curve."""
    algorithm, hyperparameters = ALGORITHMS[name]
    env: VecEnv = BatchVecEnv(game, arguments.num_envs)
    if algorithm is not MaskablePPO:
        env = LegalVecEnv(env, arguments.replace, arguments.penalty, arguments.seed)
    env.seed(arguments.seed)
    model = algorithm("MlpPolicy", env, seed=arguments.seed, **hyperparameters)
    progress = Progress(game, arguments, stop)
    model.learn(arguments.timesteps, callback=progress, progress_bar=True)
    model.save(arguments.folder / f"{name}.zip")
    return pd.DataFrame(progress.rows).assign(algorithm=name)


def make_player(model: BaseAlgorithm, replace: str) -> Player:
    """The model as a player: with masks, or with its illegal choices replaced as in training."""
    if isinstance(model, MaskablePPO):
        return ModelPlayer(model)
    return UnmaskedPlayer(model, replace, deterministic=isinstance(model, DQN))


def draw(table: pd.DataFrame, game: Game, path: Path) -> None:
    """Win rate against the random player, and the share of illegal choices, over the decisions played."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    wins, illegal = figure.subplots(1, 2)
    for name, curve in table.groupby("algorithm", sort=False):
        wins.plot(curve["decisions"], curve["win_rate"], marker="o", markersize=3, label=name)
        share = curve["illegal"] if "illegal" in curve else curve["decisions"] * float("nan")
        illegal.plot(curve["decisions"], share.fillna(0.0 if name == "MaskablePPO" else float("nan")), label=name)
    wins.axhline(0.5, color="grey", linestyle=":", label="even")
    wins.set(title="wins against the random player", ylim=(0, 1.02))
    illegal.set(title="illegal choices while training", ylim=(-0.02, 1.02))
    for axes in (wins, illegal):
        axes.set(xlabel="decisions of the learner")
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(alpha=0.3)
    wins.legend()
    figure.suptitle(f"{game}: {game.num_actions} actions")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
