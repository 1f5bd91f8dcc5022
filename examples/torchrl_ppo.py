"""PPO self-play with TorchRL: its own PettingZooWrapper, collector, GAE, loss and masked distribution.

    python examples/torchrl_ppo.py --game scalas
    python examples/torchrl_ppo.py --game ring_world --frames 100000 --seed 3

One network plays both seats. What had to be done so that turns, masks and ends are right (TorchRL 0.14):

- Both agents are one group, so every tensor has a row for each: `("player", "observation")` is (games, 2, ...). The
  wrapper says in `("player", "mask")` whose decision it is; the other row's `action_mask` is all True, its action is
  drawn and ignored. So the losses of the policy count acting rows alone.
- An agent that acts several times in a row needs no care: nothing looks for "the next step of this agent". Each row is
  a full course of the game as one player sees it, with his own reward at its end and a value in every position, whoever
  is to act. The value network gets `mask` as an input too, since a position is worth more to the player to act.
- Rewards and ends are right as they are: both agents get theirs on the step that ends the game, and the wrapper
  resets when both are done, so PettingZoo's dead steps never occur.
- A game that the turn limit cuts off has been paid what the position is worth: for GAE it is as good as terminated.
- `raw_env` is wrapped: it raises at an illegal action, so a run that ends had none.

TorchRL takes about 3 ms a step for its bookkeeping, a thousand times what the games take; `cleanrl_ppo.py` learns the
same from more games in the same time. Leaves in runs/<name>/: model.pt and evaluation.txt.
"""

from __future__ import annotations

import argparse
import os
import warnings
from functools import partial
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads of torch must not keep a core busy
os.environ.setdefault("CHECK_SPEC_ENCODE", "0")  # TorchRL would check every observation against its space

import numpy as np
from common import learner_parser, parse, run, until_stopped
from nakajima_zoo import Game
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import BoardGameEnv, needs
from nakajima_zoo.players import FunctionPlayer

with clear_errors(), needs("torchrl", "this example"):
    import torch
    from tensordict import TensorDict
    from tensordict.nn import TensorDictModule, TensorDictModuleBase
    from torch import Tensor, nn
    from torchrl.collectors import Collector
    from torchrl.envs import EnvBase, SerialEnv
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.envs.utils import ExplorationType, set_exploration_type
    from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
    from tqdm import tqdm

GROUP = "player"
OBSERVATION = (GROUP, "observation", "observation")


class Policy(nn.Module):
    """Logits (..., num_actions) of observations (..., *observation_shape)."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.dimensions = len(game.observation_shape)
        inputs = int(np.prod(game.observation_shape))
        self.layers = MLP(inputs, game.num_actions, num_cells=[256, 128], activation_class=nn.ReLU)

    def forward(self, observation: Tensor) -> Tensor:
        """The logits; masks come later, in the distribution."""
        return self.layers(observation.flatten(-self.dimensions))


class Value(nn.Module):
    """What positions are worth, (..., 1), to the player who sees them, whoever is to act."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.dimensions = len(game.observation_shape)
        inputs = int(np.prod(game.observation_shape)) + 1
        self.layers = MLP(inputs, 1, num_cells=[256, 128], activation_class=nn.ReLU)

    def forward(self, observation: Tensor, acting: Tensor) -> Tensor:
        """The values; `acting`, bool (...,): whether it is his decision."""
        return self.layers(torch.cat([observation.flatten(-self.dimensions), acting[..., None].float()], -1))


def make_env(game: Game) -> EnvBase:
    """One game as a TorchRL environment, both agents in one group."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested using version")
        env = BoardGameEnv(game)
        return PettingZooWrapper(env, use_mask=True, group_map={GROUP: env.possible_agents})


def make_actor(game: Game) -> ProbabilisticActor:
    """The policy as an actor of TorchRL; it draws legal actions alone."""
    return ProbabilisticActor(
        TensorDictModule(Policy(game), in_keys=[OBSERVATION], out_keys=[(GROUP, "logits")]),
        in_keys={"logits": (GROUP, "logits"), "mask": (GROUP, "action_mask")},
        out_keys=[(GROUP, "action")],
        distribution_class=MaskedCategorical,
        default_interaction_type=ExplorationType.RANDOM,
        return_log_prob=True,
    )


def make_critic(game: Game) -> TensorDictModuleBase:
    """The value network as a module of TorchRL."""
    return TensorDictModule(Value(game), in_keys=[OBSERVATION, (GROUP, "mask")], out_keys=[(GROUP, "state_value")])


def make_advantage(critic: TensorDictModuleBase, gae_lambda: float) -> GAE:
    """TorchRL's GAE, without discount, on the courses of both players."""
    advantage = GAE(gamma=1.0, lmbda=gae_lambda, value_network=critic)
    done = (GROUP, "done")
    advantage.set_keys(reward=(GROUP, "reward"), done=done, terminated=done, **own_keys("advantage", "value_target"))
    advantage.set_keys(value=(GROUP, "state_value"))
    return advantage


def make_loss(actor: ProbabilisticActor, critic: TensorDictModuleBase) -> ClipPPOLoss:
    """TorchRL's PPO loss, one number a row, so that rows can be left out."""
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, reduction="none")
    loss.set_keys(value=(GROUP, "state_value"), action=(GROUP, "action"), **own_keys("advantage", "value_target"))
    loss.set_keys(sample_log_prob=(GROUP, "action_log_prob"))
    return loss


def own_keys(*names: str) -> dict[str, tuple[str, str]]:
    """Each name as a key within the group."""
    return {name: (GROUP, name) for name in names}


def train(game: Game, arguments: argparse.Namespace) -> ProbabilisticActor:
    """An actor that has learned from `frames` decisions of its own games."""
    torch.manual_seed(arguments.seed)
    actor, critic = make_actor(game), make_critic(game)
    advantage, loss = make_advantage(critic, arguments.gae_lambda), make_loss(actor, critic)
    optimiser = torch.optim.Adam(loss.parameters(), arguments.learning_rate, eps=1e-5)
    env = SerialEnv(arguments.num_envs, partial(make_env, game))
    env.set_seed(arguments.seed)
    collector = Collector(
        env,
        actor,
        frames_per_batch=arguments.num_envs * arguments.steps,
        total_frames=arguments.frames,
        auto_register_policy_transforms=False,
    )
    with tqdm(total=arguments.frames, unit=" decisions") as progress:
        for data in until_stopped(collector):
            optimiser.param_groups[0]["lr"] = arguments.learning_rate * max(1 - progress.n / arguments.frames, 0.02)
            with torch.no_grad():
                advantage(data)
            learn(loss, optimiser, data.reshape(-1), arguments)
            progress.update(data.numel())
    collector.shutdown()
    return actor


def learn(loss: ClipPPOLoss, optimiser: torch.optim.Optimizer, data: TensorDict, arguments: argparse.Namespace) -> None:
    """Improve actor and critic on the steps in `data`, (steps,), in minibatches."""
    acting = data[GROUP, "mask"]
    advantage = data[GROUP, "advantage"]
    data[GROUP, "advantage"] = (advantage - advantage[acting].mean()) / (advantage[acting].std() + 1e-8)
    for _ in range(arguments.epochs):
        for rows in torch.randperm(len(data)).split(arguments.minibatch):
            minibatch = data[rows]
            losses = loss(minibatch)
            acting = minibatch[GROUP, "mask"]
            policy_loss = losses["loss_objective"][acting].mean() + losses["loss_entropy"][acting].mean()
            optimiser.zero_grad()
            (policy_loss + losses["loss_critic"].mean()).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimiser.step()


def player_of(actor: ProbabilisticActor) -> FunctionPlayer:
    """The actor as a player that takes the most probable action."""

    @torch.no_grad()
    def choose(observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        group = {
            "observation": {"observation": torch.from_numpy(observation)},
            "action_mask": torch.from_numpy(action_mask).bool(),
        }
        with set_exploration_type(ExplorationType.MODE):
            return actor(TensorDict({GROUP: group}))[GROUP, "action"].numpy()

    return FunctionPlayer(choose)


def load(game: Game, path: Path) -> ProbabilisticActor:
    """The actor whose weights are in the file."""
    actor = make_actor(game)
    actor.load_state_dict(torch.load(path, weights_only=True))
    return actor


def parse_arguments() -> argparse.Namespace:
    """What to train, how, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--frames", type=at_least(1), default=150_000, help="decisions of both players together")
    parser.add_argument("--num-envs", type=at_least(1), default=32, help="games played at once")
    parser.add_argument("--steps", type=at_least(1), default=128, help="decisions in each game between two updates")
    parser.add_argument("--epochs", type=at_least(1), default=4, help="times that each decision is learned from")
    parser.add_argument("--minibatch", type=at_least(1), default=512, help="decisions that are learned from at once")
    parser.add_argument("--learning-rate", type=positive, default=1e-3, help="at the start; it falls nearly to 0")
    parser.add_argument("--gae-lambda", type=float, default=0.95, help="how far credit reaches back")
    return parse(parser, "torchrl")


def main() -> None:
    """Train, save, load, evaluate."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    torch.set_num_threads(1)  # the networks are too small for more
    run(
        arguments,
        train,
        save=lambda actor, folder: torch.save(actor.state_dict(), folder / "model.pt"),
        load=lambda folder: player_of(load(game, folder / "model.pt")),
    )


if __name__ == "__main__":
    main()
