"""PPO self-play in one file, in the manner of CleanRL: PyTorch and the batch, no framework.

    python examples/cleanrl_ppo.py --game scalas
    python examples/cleanrl_ppo.py --game scalas --set size=6 --decisions 2000000 --seed 3

One network plays both seats of all games, and learns from every decision of both.

Whose value is it? A network values a position for the player to act in it. A player may act several times in a row, so
what is good for him now is good for him at the next decision exactly if that one is his too: the sign of the next value
and of the next advantage comes from the players of the two decisions, never from counting steps (see `advantages`).

Leaves in runs/<name>/: model.pt, and evaluation.txt of the model that was loaded from it.
"""

from __future__ import annotations

import argparse
import itertools
import os
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy

import numpy as np
from common import check_memory, learner_parser, parse, run, until_stopped
from nakajima_zoo import Batch, Game, evaluate, make_game
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import cores, needs
from nakajima_zoo.players import FunctionPlayer, RandomPlayer

with clear_errors(), needs("train", "this example"):
    import torch
    from torch import Tensor, nn
    from tqdm import tqdm

DECISIONS = {"scalas": 500_000, "ring_world": 500_000, "tsukiji": 800_000, "renaissance": 800_000}
# In games with many actions and few wins by chance, points count while they are won: potential-based shaping, which
# changes no best play. It is how much a point of the difference of scores is worth.
SHAPING = {"scalas": 0.0, "ring_world": 0.0, "tsukiji": 0.3, "renaissance": 0.1}
GAE_LAMBDA = {"scalas": 0.95, "ring_world": 0.95, "tsukiji": 0.8, "renaissance": 0.8}


class Agent(nn.Module):
    """Logits of the actions, and the value of the position for the player to act."""

    def __init__(self, game: Game, hidden: tuple[int, int] = (256, 128)) -> None:
        super().__init__()
        inputs = int(np.prod(game.observation_shape))
        self.actor = network([inputs, *hidden, game.num_actions], last_gain=0.01)
        self.critic = network([inputs, *hidden, 1], last_gain=1.0)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities (k, num_actions) and values (k,) of float32 (k, *observation_shape), bool (k, actions)."""
        flat = observation.flatten(1)
        return masked_log_probs(self.actor(flat), mask), self.critic(flat).squeeze(1)


def network(sizes: list[int], last_gain: float) -> nn.Sequential:
    """Linear layers with ReLU between them, initialised orthogonally."""
    linears = [linear(inputs, outputs) for inputs, outputs in itertools.pairwise(sizes)]
    nn.init.orthogonal_(linears[-1].weight, last_gain)
    layers: list[nn.Module] = []
    for layer in linears:
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def linear(inputs: int, outputs: int) -> nn.Linear:
    """A layer for ReLU, with orthogonal weights and without bias at first."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, 2**0.5)
    nn.init.zeros_(layer.bias)
    return layer


def masked_log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities of the legal actions, -inf of the others. Raises ValueError for a row without a legal action.

    No `torch.distributions.Categorical`: its check that probabilities sum to 1 fails at random when there are many
    actions, since float32 adds them up inexactly.
    """
    if not mask.any(dim=1).all():
        raise ValueError("a player must act, but no action is legal")
    return logits.masked_fill(~mask, -torch.inf).log_softmax(dim=1)


def sample(log_probs: Tensor) -> Tensor:
    """An action for each row, int64 (k,), by the Gumbel trick: one with probability 0 can never win the comparison."""
    return (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(dim=1)


def entropy(log_probs: Tensor) -> Tensor:
    """The entropy of each row, (k,); 0 log 0 = 0, and no gradient comes from there."""
    return -(log_probs.exp() * log_probs.masked_fill(log_probs.isinf(), 0)).sum(dim=1)


@dataclass
class Rollout:
    """`steps` decisions in each of `n` games. All but `next_*` are (steps, n, ...), of the player who decided."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    players: Tensor
    rewards: Tensor
    ended: Tensor
    next_value: Tensor
    next_player: Tensor


class Collector:
    """Plays all games with the agent in both seats, and keeps what it saw. The tensors are written in place."""

    def __init__(self, game: Game, n: int, steps: int, shaping: float, seed: int) -> None:
        self.batch = Batch(game, n)
        self.batch.reset(seed)
        self.steps, self.shaping = steps, shaping
        floats = [torch.zeros(steps, n) for _ in range(3)]
        self.rollout = Rollout(
            observations=torch.zeros(steps, n, *game.observation_shape),
            masks=torch.zeros(steps, n, game.num_actions, dtype=torch.bool),
            actions=torch.zeros(steps, n, dtype=torch.int64),
            log_probs=floats[0],
            values=floats[1],
            players=torch.zeros(steps, n, dtype=torch.int64),
            rewards=floats[2],
            ended=torch.zeros(steps, n, dtype=torch.bool),
            next_value=torch.zeros(n),
            next_player=torch.zeros(n, dtype=torch.int64),
        )

    @torch.no_grad()
    def collect(self, agent: Agent) -> Rollout:
        """Play `steps` decisions in every game."""
        rollout, batch = self.rollout, self.batch
        for step in range(self.steps):
            # Copies, since the batch writes into its own arrays.
            rollout.observations[step] = torch.from_numpy(batch.observation)
            rollout.masks[step] = torch.from_numpy(batch.action_mask)
            rollout.players[step] = torch.from_numpy(batch.to_play)
            log_probs, rollout.values[step] = agent(rollout.observations[step], rollout.masks[step])
            actions = sample(log_probs)
            rollout.actions[step] = actions
            rollout.log_probs[step] = log_probs.gather(1, actions[:, None]).squeeze(1)
            rollout.rewards[step], rollout.ended[step] = map(torch.from_numpy, self.play(actions.numpy()))
        mask = torch.from_numpy(batch.action_mask).bool()
        _, rollout.next_value = agent(torch.from_numpy(batch.observation), mask)
        rollout.next_player = torch.from_numpy(batch.to_play.astype(np.int64))
        return rollout

    def play(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the step brought to those who decided, float32 (n,), and where a game ended, bool (n,).

        A game that the turn limit cuts off pays what the position is worth by the rules, so it has ended like others.
        """
        players = self.batch.to_play.astype(np.int64)
        before = self.potential(players)
        rewards, terminated, truncated = self.batch.step(actions)
        ended = terminated | truncated
        after = np.where(ended, 0, self.potential(players))
        reward = rewards[np.arange(len(players)), players] + after - before
        return reward.astype(np.float32), ended

    def potential(self, players: np.ndarray) -> np.ndarray:
        """The lead in points of `players`, scaled, (n,)."""
        scores, games = self.batch.states["scores"], np.arange(len(players))
        return self.shaping * (scores[games, players].astype(np.float32) - scores[games, 1 - players])


def advantages(rollout: Rollout, gae_lambda: float) -> Tensor:
    """Generalised advantages (steps, n), each for the player of its decision, without discount.

    What comes next counts as it is if the same player decides next, and with the opposite sign if the other one does:
    the games are zero-sum, so the value for one is minus the value for the other. Where a game ended nothing follows.
    """
    result = torch.zeros_like(rollout.values)
    value, player, advantage = rollout.next_value, rollout.next_player, torch.zeros_like(rollout.next_value)
    for step in reversed(range(len(result))):
        sign = torch.where(rollout.players[step] == player, 1.0, -1.0) * ~rollout.ended[step]
        delta = rollout.rewards[step] + sign * value - rollout.values[step]
        result[step] = advantage = delta + gae_lambda * sign * advantage
        value, player = rollout.values[step], rollout.players[step]
    return result


def learn(agent: Agent, optimiser: torch.optim.Optimizer, rollout: Rollout, arguments: argparse.Namespace) -> None:
    """Improve the agent by PPO on one rollout, in minibatches."""
    advantage = advantages(rollout, arguments.gae_lambda).flatten()
    returns = advantage + rollout.values.flatten()
    observations, masks = rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)
    actions, old_log_probs = rollout.actions.flatten(), rollout.log_probs.flatten()
    for _ in range(arguments.epochs):
        for rows in torch.randperm(len(actions)).split(arguments.minibatch):
            if len(rows) < 2:
                continue  # one row has no spread to scale its advantage by
            all_log_probs, values = agent(observations[rows], masks[rows])
            log_probs = all_log_probs.gather(1, actions[rows, None]).squeeze(1)
            ratio = (log_probs - old_log_probs[rows]).exp()
            scaled = (advantage[rows] - advantage[rows].mean()) / (advantage[rows].std() + 1e-8)
            clipped = ratio.clamp(1 - arguments.clip, 1 + arguments.clip)
            policy_loss = -torch.minimum(scaled * ratio, scaled * clipped).mean()
            value_loss = 0.5 * (values - returns[rows]).square().mean()
            loss = policy_loss + value_loss - arguments.entropy * entropy(all_log_probs).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def train(game: Game, arguments: argparse.Namespace) -> Agent:
    """An agent that has learned from `decisions` decisions of its own games."""
    torch.manual_seed(arguments.seed)
    agent = Agent(game)
    optimiser = torch.optim.Adam(agent.parameters(), arguments.learning_rate, eps=1e-5)
    collector = Collector(game, arguments.num_envs, arguments.steps, arguments.shaping, arguments.seed)
    per_update = arguments.num_envs * arguments.steps
    updates = max(arguments.decisions // per_update, 1)
    with tqdm(total=updates * per_update, unit=" decisions", unit_scale=True) as progress:
        for update in until_stopped(range(updates)):
            optimiser.param_groups[0]["lr"] = arguments.learning_rate * (1 - update / updates)
            learn(agent, optimiser, collector.collect(agent), arguments)
            progress.update(per_update)
            if update % max(updates // 10, 1) == 0:
                first, second = evaluate(game, player_of(agent), RandomPlayer(), 50, arguments.seed)
                progress.set_postfix_str(f"{(first + second).win_rate:.0%} against random")
    return agent


def player_of(agent: Agent) -> FunctionPlayer:
    """The agent as a player that takes the most probable action."""

    @torch.no_grad()
    def choose(observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        log_probs, _ = agent(torch.from_numpy(observation), torch.from_numpy(action_mask).bool())
        return log_probs.argmax(dim=1).numpy()

    return FunctionPlayer(choose)


def save(agent: Agent, game: Game, path: Path) -> None:
    """Write the agent, and what it plays, into a file."""
    torch.save({"game": game.name, "parameters": dict(game.parameters), "agent": agent.state_dict()}, path)


def load(path: Path) -> tuple[Game, Agent]:
    """The game and the agent of a file that `save` wrote."""
    saved = torch.load(path, weights_only=True)
    game = make_game(saved["game"], **saved["parameters"])
    agent = Agent(game)
    agent.load_state_dict(saved["agent"])
    return game, agent


def parse_arguments() -> argparse.Namespace:
    """What to train, how, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--decisions", type=at_least(1), help="of both players together (default: by game)")
    parser.add_argument("--num-envs", type=at_least(1), default=128, help="games played at once")
    parser.add_argument("--steps", type=at_least(1), default=32, help="decisions in each game between two updates")
    parser.add_argument("--epochs", type=at_least(1), default=4, help="times that each decision is learned from")
    parser.add_argument("--minibatch", type=at_least(2), default=512, help="decisions that are learned from at once")
    parser.add_argument("--learning-rate", type=positive, default=1e-3, help="at the start; it falls to 0")
    parser.add_argument("--gae-lambda", type=float, help="how far credit reaches back (default: by game)")
    parser.add_argument("--clip", type=positive, default=0.2, help="how far a policy may move in an update")
    parser.add_argument("--entropy", type=float, default=0.01, help="how much the entropy of the policy is worth")
    parser.add_argument("--shaping", type=float, help="what a point of score is worth on the way (default: by game)")
    arguments = parse(parser, "cleanrl")
    game = arguments.made_game
    for name, defaults in (("decisions", DECISIONS), ("shaping", SHAPING), ("gae_lambda", GAE_LAMBDA)):
        if getattr(arguments, name) is None:
            setattr(arguments, name, defaults.get(game.name, defaults["scalas"]))
    check_memory(parser, memory(game, arguments), "masks and observations", "try --num-envs, or a staged form")
    return arguments


def memory(game: Game, arguments: argparse.Namespace) -> float:
    """Bytes that training needs, roughly: the rollout, and a minibatch with its logits and their gradients."""
    observation = 4 * int(np.prod(game.observation_shape))
    positions = arguments.num_envs * arguments.steps
    return positions * (game.num_actions + observation) + arguments.minibatch * game.num_actions * 4 * 8


def main() -> None:
    """Train, save, load, evaluate."""
    arguments = parse_arguments()
    torch.set_num_threads(min(2, cores()))
    game: Game = arguments.made_game
    run(
        arguments,
        train,
        save=lambda agent, folder: save(agent, game, folder / "model.pt"),
        load=lambda folder: player_of(load(folder / "model.pt")[1]),
    )


if __name__ == "__main__":
    main()
