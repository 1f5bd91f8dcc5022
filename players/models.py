"""Models of Stable-Baselines3 and sb3-contrib as players. Needs the extra `train`.

Their files (.zip) are unpickled, which can run any code: load none that you do not trust. `networks.py` has players
from files that hold weights alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..envs.core.extras import needs
from ..envs.core.types import Integers
from .base import Positions, SeededPlayer
from .legal import LegalActions
from .networks import chosen

with needs("train", "a player that is a trained model"):
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.base_class import BaseAlgorithm


@contextmanager
def own_chance(model: BaseAlgorithm, rng: np.random.Generator) -> Iterator[None]:
    """Let what a model draws inside of this block follow from `rng`; the generators that it uses go on as before."""
    explores = model.action_space.np_random.bit_generator  # DQN's actions, and when, by NumPy's global generator
    kept, states = np.random.get_state(), explores.state
    with torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**63)))
        np.random.seed(int(rng.integers(2**32)))
        explores.state = type(explores)(int(rng.integers(2**32))).state
        try:
            yield
        finally:
            np.random.set_state(kept)
            explores.state = states


class UnmaskedPlayer(SeededPlayer):
    """A model without masks as a player: its illegal actions are replaced, as in the `LegalVecEnv` of its training."""

    def __init__(self, model: BaseAlgorithm, replace: str = "next", deterministic: bool = False) -> None:
        """`replace`: as in training; `deterministic`: always the best action (DQN would explore otherwise).

        Raises ValueError for a MaskablePPO model: that is `ModelPlayer`'s.
        """
        if isinstance(model, MaskablePPO):
            raise ValueError("a MaskablePPO model plays with its masks; expected one without: use ModelPlayer")
        self.model = model
        self.legal = LegalActions(replace)
        self.deterministic = deterministic
        super().__init__()

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`, that of the replacements too."""
        super().reset(seed)
        self.legal.reset(seed)

    def choose(self, positions: Positions) -> Integers:
        """The model's actions, made legal: int64 (k,)."""
        with own_chance(self.model, self.rng):
            actions, _ = self.model.predict(positions.observation, deterministic=self.deterministic)
        return self.legal(actions, positions.action_mask)


class PolicyPlayer(SeededPlayer):
    """A frozen copy of a policy network: what a model plays now, for a league of snapshots."""

    def __init__(self, policy: MaskableActorCriticPolicy, deterministic: bool = False) -> None:
        """Copies the policy; further training does not change this player.

        `deterministic`: always the most probable legal action; else actions are drawn from the policy.
        """
        distribution = type(policy.action_dist)(policy.action_space.n)  # after an update its own cannot be copied
        self.policy = copy.deepcopy(policy, {id(policy.action_dist): distribution})
        self.policy.set_training_mode(False)
        self.deterministic = deterministic
        super().__init__()

    def choose(self, positions: Positions) -> Integers:
        """The policy's actions, masks applied: int64 (k,). Raises ValueError if it was trained on another game."""
        learned = int(self.policy.action_space.n), self.policy.observation_space.shape
        asked = positions.action_mask.shape[1], positions.observation.shape[1:]
        if learned != asked:
            what = "a model of {} actions and observations {}".format(*learned)
            raise ValueError(f"{what}; expected {asked[0]} and {asked[1]}, as {positions.game} has")
        policy = self.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            observation, _ = policy.obs_to_tensor(positions.observation)
            probs = policy.get_distribution(observation, positions.action_mask).distribution.probs
            actions: Integers = chosen(probs, None if self.deterministic else self.rng).cpu().numpy()
        return actions


class ModelPlayer(PolicyPlayer):
    """A trained MaskablePPO model, or a path to a saved one, as a player, who plays what the model has learned."""

    def __init__(self, model: MaskablePPO | str | Path, deterministic: bool = False) -> None:
        """Does not copy the model: it plays what the model learns later, too; `deterministic` as for `PolicyPlayer`.

        A file is unpickled, which can run any code: load none that you do not trust. `NetworkPlayer` is for files that
        hold weights alone. Raises FileNotFoundError if there is no such file; the name may lack its end, `.zip`.
        """
        if isinstance(model, str | Path) and not (Path(model).is_file() or Path(f"{model}.zip").is_file()):
            raise FileNotFoundError(f"no model {model}; expected a file that MaskablePPO saved")
        self.model = model if isinstance(model, MaskablePPO) else MaskablePPO.load(model)
        self.policy = self.model.policy
        self.deterministic = deterministic
        self.reset()
