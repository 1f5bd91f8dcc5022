"""Train an agent on any of the games by self-play with MaskablePPO, and show how good it got.

    python examples/train.py --game scalas
    python examples/train.py --game scalas --set size=6 --timesteps 500000 --seed 3 --opponent random
    python examples/train.py --game scalas --set size=6 --seed 3 --resume    # goes on where Ctrl-C ended it

Leaves in runs/<name>/: model.safetensors, which plays wherever players have names, metrics.csv, learning_curve.png,
game.png, game.txt and evaluation.txt; for --resume also model.zip, all that learning needs, run.json, what was asked
for, and league.pt, copies of the model that it met. Ctrl-C ends the training and keeps
what was learned; --resume goes on from there, up to --timesteps in all.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import numpy as np
from common import Stop, add_snapshot, check_memory, learner_parser, parse, run
from nakajima_zoo import Game, Player, evaluate, make_player
from nakajima_zoo.arguments import at_least, clear_errors
from nakajima_zoo.envs import BoardGameEnv, cores, needs
from nakajima_zoo.players import League, RandomPlayer

with clear_errors(), needs("train", "this example"):
    import forecast
    import matplotlib.image
    import pandas as pd
    import torch
    from matplotlib.figure import Figure
    from nakajima_zoo.learning import BoardPolicy, MaskedPolicy, board_kwargs, save_policy
    from nakajima_zoo.players import ModelPlayer, NetworkPlayer, PolicyPlayer
    from nakajima_zoo.wrappers import BatchVecEnv
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
OTHERS = Settings(timesteps=1_000_000)
"""For games from elsewhere."""
OPPONENTS = ("self", "random", "greedy")
WEIGHTS = "model.safetensors"
ROLLOUT = 32  # decisions in each game between two updates


class SelfPlay(BaseCallback):
    """Adds a frozen copy of the policy to the opponents from time to time, and keeps them all in a file."""

    def __init__(self, league: League, every: int, random_share: float, file: Path) -> None:
        super().__init__()
        self.league, self.every, self.random_share, self.file = league, every, random_share, file

    def _on_training_start(self) -> None:
        self.keep()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.every * len(self.league.players):
            add_snapshot(self.league, PolicyPlayer(self.model.policy), self.random_share)
            self.keep()

    def keep(self) -> None:
        """Write the weights of all copies; the first player of the league is none."""
        copies = [player for player in self.league.players if isinstance(player, PolicyPlayer)]
        torch.save([player.policy.state_dict() for player in copies], self.file)


class Progress(BaseCallback):
    """Writes the win rate against the random player into the metrics from time to time; ends if `stop` asks for it."""

    def __init__(self, game: Game, every: int, games_per_seat: int, seed: int, stop: Stop) -> None:
        super().__init__()
        self.game, self.every, self.games_per_seat, self.seed, self.stop = game, every, games_per_seat, seed, stop
        self.due = 0

    def _on_step(self) -> bool:
        return not self.stop.asked

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
    print(f"{game}: {game.num_actions} actions, observation {game.observation_shape}")
    run(
        arguments,
        train,
        save=lambda model, folder: save(model, game, folder),
        load=lambda folder: NetworkPlayer(folder / WEIGHTS),
    )
    draw_game(game, NetworkPlayer(arguments.folder / WEIGHTS), arguments.folder, arguments.seed)


def parse_arguments() -> argparse.Namespace:
    """What to train, and for how long; ends the program with a clear line if that cannot be."""
    parser = learner_parser(__doc__)
    parser.add_argument("--timesteps", type=at_least(1), help="decisions of the learner (default: by game)")
    parser.add_argument("--opponent", choices=OPPONENTS, default="self", help="whom it meets")
    parser.add_argument("--num-envs", type=at_least(1), default=128, help="games played at once")
    parser.add_argument("--resume", action="store_true", help="go on from the model in the folder")
    arguments = parse(parser)
    game, settings = arguments.made_game, settings_of(arguments.made_game)
    arguments.played = 0
    if arguments.resume:
        with clear_errors(parser.prog):
            check_resume(arguments)
    arguments.timesteps = arguments.timesteps or settings.timesteps
    needed = forecast.memory(game, arguments.num_envs * ROLLOUT, settings.batch_size)
    less = "try a smaller --num-envs, or the staged form of the game (--set turns=staged)"
    check_memory(parser, needed, f"the masks of {arguments.num_envs * ROLLOUT} decisions", less)
    return arguments


def check_resume(arguments: argparse.Namespace) -> None:
    """Fill in from the folder what was played and how much was asked for.

    Raises FileNotFoundError if there is nothing to go on from, and ValueError if that is another run.
    """
    model, kept = arguments.folder / "model.zip", arguments.folder / "run.json"
    for file in (model, kept):
        if not file.is_file():
            raise FileNotFoundError(f"no {file} to go on from")
    asked = json.loads(kept.read_text())
    for name, value in (("game", str(arguments.made_game)), ("opponent", arguments.opponent)):
        if asked[name] != value:
            raise ValueError(f"the {name} in {arguments.folder} is {asked[name]}; expected {value}, as asked for now")
    arguments.timesteps = arguments.timesteps or asked["timesteps"]
    arguments.played = MaskablePPO.load(model).num_timesteps
    if arguments.played >= arguments.timesteps:
        raise ValueError(f"{model} has played {arguments.played} decisions; expected a --timesteps above that")


def settings_of(game: Game) -> Settings:
    """What learns well on a game."""
    return SETTINGS.get(game.name, OTHERS)


def train(game: Game, arguments: argparse.Namespace) -> MaskablePPO:
    """A model that has played `timesteps` decisions, or fewer if Ctrl-C ended it; writes metrics.csv as it goes."""
    league = League([RandomPlayer() if arguments.opponent == "self" else make_player(arguments.opponent)])
    settings, folder = settings_of(game), arguments.folder
    env = BatchVecEnv(game, arguments.num_envs, league, margin=settings.margin)
    env.seed(arguments.seed + arguments.played)
    model = make_model(game, env, settings, arguments.seed)
    if arguments.resume:
        model = MaskablePPO.load(folder / "model.zip", env=env)
        load_league(league, model, settings.random_share, folder / "league.pt")
    model.set_logger(Logger(str(folder), [metrics_file(folder / "metrics.csv", arguments.resume)]))
    left = arguments.timesteps - arguments.played
    print(f"time: {forecast.duration(forecast.seconds(game, model, arguments.opponent, left))}, roughly", flush=True)
    asked = {"game": str(game), "opponent": arguments.opponent, "timesteps": arguments.timesteps}
    (folder / "run.json").write_text(json.dumps(asked) + "\n")
    every = max(arguments.timesteps // 10, 1)
    with Stop() as stop:
        callbacks: list[BaseCallback] = [Progress(game, every, max(arguments.eval_games // 4, 1), arguments.seed, stop)]
        if arguments.opponent == "self":
            callbacks.append(SelfPlay(league, every, settings.random_share, folder / "league.pt"))
        model.learn(left, callback=callbacks, progress_bar=True, reset_num_timesteps=not arguments.resume)
    return model


def load_league(league: League, model: MaskablePPO, random_share: float, file: Path) -> None:
    """Let the copies in a file join, if there is one."""
    for weights in torch.load(file, weights_only=True) if file.is_file() else []:
        player = PolicyPlayer(model.policy)
        player.policy.load_state_dict(weights)
        add_snapshot(league, player, random_share)


def metrics_file(path: Path, resume: bool) -> CSVOutputFormat:
    """Where the metrics go; to `resume` is to add to those that are there."""
    before = path.read_text() if resume and path.is_file() else ""
    metrics = CSVOutputFormat(str(path))
    if before:
        metrics.keys = before.partition("\n")[0].split(",")
        metrics.file.write(before)
    return metrics


def save(model: MaskablePPO, game: Game, folder: Path) -> None:
    """Keep the policy, to play, and the model, to go on learning; draw how it learned."""
    save_policy(folder / WEIGHTS, model.policy, game)
    model.save(folder / "model.zip")
    draw_learning_curve(folder)


def make_model(game: Game, env: VecEnv, settings: Settings, seed: int, n_steps: int = ROLLOUT) -> MaskablePPO:
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
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
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


def draw_game(game: Game, player: Player, folder: Path, seed: int) -> None:
    """One game of the agent against itself, as text, and its final position as a picture."""
    env = BoardGameEnv(game, render_mode="rgb_array")
    env.reset(seed=seed)
    while env.result is None:
        env.step(player.act(env))
    (folder / "game.txt").write_text(f"{env.history_to_text()}\n\n{env.to_text()}\n")
    matplotlib.image.imsave(folder / "game.png", np.asarray(env.render()))


if __name__ == "__main__":
    main()
