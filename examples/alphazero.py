"""A small AlphaZero: a network plays itself with search, and learns what the search visits and who wins.

    python examples/alphazero.py --game scalas
    python examples/alphazero.py --game ring_world --set turns=staged --steps 3000 --simulations 48

All games are searched in step (`NetworkSearch`), so that the network judges a batch of positions at a time. Leaves
runs/<name>/: model.pt and evaluation.txt. Joint forms of Tsukiji and Renaissance have too many actions for its network.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import numpy as np
from common import learner_parser, parse, run, until_stopped
from nakajima_zoo import Batch, Game, Player, evaluate
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import cores, masks, needs, observations
from nakajima_zoo.players import FunctionPlayer, GreedyPlayer, NetworkSearch, NetworkSearchPlayer

with clear_errors(), needs("train", "this example"):
    import torch
    from torch import nn
    from torch.nn.functional import cross_entropy, mse_loss
    from tqdm import tqdm

STEPS_KEPT = 400  # of all games: what the network learns from
UNKNOWN = 2  # outcome of a game that still runs


class Network(nn.Module):
    """Policy and value of a position, both for the player to act."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        size = int(np.prod(game.observation_shape))
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, game.num_actions))
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1), nn.Tanh())

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (k, num_actions), very low for what is illegal, and values (k,)."""
        seen = self.body(observation)
        logits = self.policy(seen).masked_fill(mask == 0, -1e9)
        return logits, self.value(seen).squeeze(1)

    @torch.inference_mode()
    def judge(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the search asks for: priors and values."""
        logits, values = self(torch.from_numpy(observation), torch.from_numpy(mask))
        return torch.softmax(logits, 1).numpy(), values.numpy()

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """The most probable action without any search."""
        return self.judge(observation, mask)[0].argmax(axis=1)


class SelfPlay:
    """Many games of the network against itself, and the last positions of them with what came of them.

    Positions are kept as records and the few actions that were visited, whatever the number of actions: masks and
    observations are worked out again when the network learns.
    """

    def __init__(self, game: Game, arguments: argparse.Namespace) -> None:
        n, k = arguments.num_games, arguments.simulations
        self.game = game
        self.batch = Batch(game, n)
        self.batch.reset(arguments.seed)
        self.search = NetworkSearch(game, n, k)
        self.rng = np.random.default_rng(arguments.seed)
        self.states = game.blank_states(STEPS_KEPT * n).reshape(STEPS_KEPT, n)
        self.actions = np.zeros((STEPS_KEPT, n, k), np.int64)
        self.visits = np.zeros((STEPS_KEPT, n, k), np.int64)
        self.outcomes = np.full((STEPS_KEPT, n), UNKNOWN, np.float32)  # of player 0
        self.began = np.zeros(n, np.int64)  # the step in which each game began
        self.step_number = 0
        self.games = 0

    def step(self, network: Network) -> None:
        """One decision in every game, drawn by how often the search visited it."""
        now = self.step_number % STEPS_KEPT
        actions, visits = self.search.run(self.batch.states, network.judge, self.rng, noise=0.25)
        self.states[now], self.actions[now], self.visits[now] = self.batch.states, actions, visits
        self.outcomes[now] = UNKNOWN
        shares = visits.cumsum(axis=1)
        drawn = (shares > self.rng.random((len(visits), 1)) * shares[:, -1:]).argmax(axis=1)
        rewards, terminated, truncated = self.batch.step(actions[np.arange(len(actions)), drawn])
        self.step_number += 1
        for i in np.flatnonzero(terminated | truncated):
            first = max(self.began[i], self.step_number - STEPS_KEPT)
            self.outcomes[np.arange(first, self.step_number) % STEPS_KEPT, i] = rewards[i, 0]
            self.began[i] = self.step_number
            self.games += 1

    def sample(self, size: int) -> tuple[torch.Tensor, ...] | None:
        """Observations, masks, policies and values to learn; None as long as too few games are over."""
        known = np.flatnonzero(self.outcomes.ravel() != UNKNOWN)
        if known.size < 4 * size:
            return None
        rows = self.rng.choice(known, size)
        states = self.states.reshape(-1).take(rows)
        players = states["player"]
        visits = self.visits.reshape(-1, self.visits.shape[2])[rows].astype(np.float32)
        policies = np.zeros((size, self.game.num_actions), np.float32)
        actions = self.actions.reshape(-1, self.actions.shape[2])[rows]
        np.add.at(policies, (np.arange(size)[:, None], actions), visits)
        policies /= policies.sum(axis=1, keepdims=True)
        values = self.outcomes.ravel()[rows] * np.where(players == 0, 1, -1).astype(np.float32)
        arrays = observations(self.game, states, players), masks(self.game, states), policies, values
        return tuple(map(torch.from_numpy, arrays))


def main() -> None:
    """Train, save, load again, and show how good it got."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    run(
        arguments,
        train,
        save=lambda network, folder: torch.save(network.state_dict(), folder / "model.pt"),
        load=lambda folder: load(game, folder / "model.pt", arguments),
    )


def load(game: Game, path: Path, arguments: argparse.Namespace) -> dict[str, Player]:
    """The network whose weights are in the file as a player, without search and with it."""
    network = Network(game, arguments.width)
    network.load_state_dict(torch.load(path, weights_only=True))
    simulations = arguments.eval_simulations
    return {
        "policy alone": FunctionPlayer(network.choose),
        f"search of {simulations}": NetworkSearchPlayer(network.judge, simulations),
    }


def parse_arguments() -> argparse.Namespace:
    """What to train, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--steps", type=at_least(1), default=1_500, help="decisions in each of the games")
    parser.add_argument("--num-games", type=at_least(1), default=128, help="games played at once")
    parser.add_argument("--simulations", type=at_least(1), default=32, help="positions judged per decision")
    parser.add_argument("--updates", type=at_least(1), default=2, help="minibatches learned after each step")
    parser.add_argument("--batch-size", type=at_least(1), default=512, help="positions of a minibatch")
    parser.add_argument("--learning-rate", type=positive, default=1e-3, help="at the start; it falls to 0")
    parser.add_argument("--width", type=at_least(1), default=256, help="of the layers of the network")
    parser.add_argument("--eval-simulations", type=at_least(1), default=32, help="the same in the final evaluation")
    return parse(parser, "alphazero")


def train(game: Game, arguments: argparse.Namespace) -> Network:
    """A network that has learned from `steps` decisions in each of `num_games` games."""
    torch.set_num_threads(min(2, cores()))
    torch.manual_seed(arguments.seed)
    network = Network(game, arguments.width)
    optimizer = torch.optim.AdamW(network.parameters(), arguments.learning_rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, arguments.steps)
    games = SelfPlay(game, arguments)
    shown = {}
    for step in (progress := tqdm(until_stopped(range(arguments.steps)), total=arguments.steps, unit="step")):
        games.step(network)
        for _ in range(arguments.updates):
            if (sample := games.sample(arguments.batch_size)) is not None:
                shown["loss"] = f"{learn(network, optimizer, sample):.2f}"
        schedule.step()
        if (step + 1) % max(arguments.steps // 15, 1) == 0:
            first, second = evaluate(game, FunctionPlayer(network.choose), GreedyPlayer(), 50, arguments.seed)
            shown["policy against greedy"] = f"{(first + second).win_rate:.0%}"
        progress.set_postfix(games=games.games, **shown)
    return network


def learn(network: Network, optimizer: torch.optim.Optimizer, sample: tuple[torch.Tensor, ...]) -> float:
    """One minibatch; returns the loss."""
    observed, legal, policies, values = sample
    logits, found = network(observed, legal)
    loss = cross_entropy(logits, policies) + mse_loss(found, values)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())


if __name__ == "__main__":
    main()
