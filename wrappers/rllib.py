"""RLlib, current API stack: a network that respects masks, and trained ones as players. Needs the extra `rllib`.

The games go into RLlib by its own PettingZooEnv, which asks only the agent to act, lets it act several times in a row,
and at the end gives both agents their last observation, reward and flag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.agents import AGENTS
from ..envs.core.env import BoardGameEnv
from ..envs.core.extras import needs
from ..envs.core.registry import make_game
from ..envs.core.types import Integers, Mask, Observation, Reals
from ..players.base import Positions, SeededPlayer
from .aec import CutGamesEnd

with needs("rllib", "RLlib"):
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

MODULES_IN_CHECKPOINT = Path("learner_group", "learner", "rl_module")
SHARED = "shared"  # the module that plays both seats, where there is but one


def make_env(config: dict[str, Any]) -> PettingZooEnv:
    """The environment of `env_config`: `game`, a name, and `parameters` of it. An illegal action raises ValueError.

    Games that the turn limit cuts off are terminated: RLlib would add the value of the last position to truncated ones.
    """
    return PettingZooEnv(CutGamesEnd(BoardGameEnv(make_game(config["game"], **config["parameters"]))))


class MaskedModule(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    """A policy and a value network over the flattened planes; actions that are not legal have probability 0.

    `model_config["hidden"]`: the sizes of the hidden layers of each. RLlib's example of such a module is not used: it
    wants other keys, takes the mask out of the batch that it is given, and its encoders know no pictures this small.
    """

    def setup(self) -> None:
        """Build the networks."""
        inputs, hidden = int(np.prod(self.observation_space["observation"].shape)), self.model_config["hidden"]
        self.policy = network(inputs, hidden, int(self.action_space.n))
        self.value = network(inputs, hidden, 1)

    def get_non_inference_attributes(self) -> list[str]:
        """What those who only play do without."""
        return ["value"]

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"].flatten(1))
        lowest = torch.finfo(logits.dtype).min
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, lowest)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """The expected reward of the agent that observes: float32 (k,)."""
        return self.value(batch[Columns.OBS]["observation"].flatten(1)).squeeze(-1)


def network(inputs: int, hidden: Sequence[int], outputs: int) -> torch.nn.Sequential:
    """Linear layers with ReLU between them."""
    layers: list[torch.nn.Module] = []
    for size in hidden:
        layers += [torch.nn.Linear(inputs, size), torch.nn.ReLU()]
        inputs = size
    return torch.nn.Sequential(*layers, torch.nn.Linear(inputs, outputs))


class ModulePlayer(SeededPlayer):
    """Trained modules, or the folder of an algorithm's checkpoint, as a player.

    The modules are one named `shared`, or one for each agent, named as it.
    """

    def __init__(
        self,
        modules: MultiRLModule | Mapping[str, MaskedModule] | str | Path,
        deterministic: bool = False,
        seed: int | None = None,
    ) -> None:
        """`deterministic`: always the most probable legal action; else actions are drawn from the policy."""
        if isinstance(modules, str | Path):
            modules = MultiRLModule.from_checkpoint(str(Path(modules).resolve() / MODULES_IN_CHECKPOINT))
        self.modules = [modules[SHARED if SHARED in modules else agent] for agent in AGENTS]
        self.deterministic = deterministic
        super().__init__(seed)

    def choose(self, positions: Positions) -> Integers:
        """The actions of the modules, masks applied: int64 (k,)."""
        logits = np.empty(positions.action_mask.shape, np.float32)
        for player, module in enumerate(self.modules):
            rows = np.flatnonzero(positions.states["player"] == player)
            logits[rows] = self._logits(module, positions.observation[rows], positions.action_mask[rows])
        # The highest of logits with Gumbel noise is a draw from the policy.
        return (logits if self.deterministic else logits + self.rng.gumbel(size=logits.shape)).argmax(axis=1)

    def _logits(self, module: MaskedModule, observation: Observation, action_mask: Mask) -> Reals:
        seen = {"observation": torch.from_numpy(observation), "action_mask": torch.from_numpy(action_mask)}
        with torch.no_grad():
            return module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].numpy()
