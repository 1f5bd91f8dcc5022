"""Stable-Baselines3: thousands of games as one VecEnv, and trained models as players. Needs the extra `train`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.types import Flags, Integers, Picture
from ..learning.layout import Layout
from ..learning.seat import SeatBatch, SeatOptions
from ..players.legal import LegalActions
from ..players.names import PlayerLike

with needs("train", "Stable-Baselines3"):
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.vec_env.base_vec_env import (
        VecEnv,
        VecEnvIndices,
        VecEnvObs,
        VecEnvStepReturn,
        VecEnvWrapper,
    )

if TYPE_CHECKING:
    from typing_extensions import Unpack


class BatchVecEnv(VecEnv):
    """Many games as a VecEnv: the learner in one seat, an opponent who plays in batch in the other.

    Observations are the planes, float32; masks come from `action_masks()`, as MaskablePPO expects it. A game that ends
    begins anew within the same step; its last observation is in `infos[i]["terminal_observation"]`, and
    `infos[i]["TimeLimit.truncated"]` says whether the turn limit ended it. `infos[i]["episode"]` is what SB3's Monitor
    would say, without any shaping of rewards.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        opponent: PlayerLike = "random",
        seat: str | int = "random",
        **options: Unpack[SeatOptions],
    ) -> None:
        """Arguments as for `SeatBatch`."""
        self.seats = SeatBatch(game, num_envs, opponent, seat, **options)
        game = self.seats.game
        self.render_mode = None
        super().__init__(
            num_envs,
            spaces.Box(0.0, 1.0, game.observation_shape, np.float32),
            spaces.Discrete(game.num_actions),
        )
        self._lengths = np.zeros(num_envs, np.int64)

    def action_masks(self) -> Flags:
        """What the learner may do in each game: bool (num_envs, num_actions), a fresh array.

        Raises RuntimeError if a row allows nothing: a masked distribution would take it for "everything".
        """
        masks = self.seats.action_mask.astype(np.bool_)
        if not masks.any(axis=1).all():
            raise RuntimeError(
                f"game {int(masks.any(axis=1).argmin())}: no action is legal, though the learner must act"
            )
        return masks

    def reset(self) -> VecEnvObs:
        """Begin all games; uses the seed of `seed(...)`, once."""
        seeds = self._seeds
        self.seats.reset(seeds[0] if seeds and seeds[0] is not None else None)
        self._reset_seeds()
        self._lengths[:] = 0
        return self.seats.observation.copy()

    def step_async(self, actions: Integers) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions of `step_async` and the opponent's replies."""
        seats = self.seats
        rewards, terminated, truncated = seats.step(self._actions)
        dones = terminated | truncated
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones).tolist():
            infos[i] = {
                "terminal_observation": seats.final_observation[i].copy(),
                "TimeLimit.truncated": bool(truncated[i]),
                "episode": {"r": float(seats.outcomes[i]), "l": int(self._lengths[i]), "t": 0.0},
            }
        self._lengths[dones] = 0
        return seats.observation.copy(), rewards.copy(), dones, infos

    def close(self) -> None:
        """Nothing to release."""

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """The rows of `action_masks()`, or of any other method that returns one row a game."""
        rows = getattr(self, method_name)(*method_args, **method_kwargs)
        return [rows[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute of this object, once per game. Raises AttributeError if there is none."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this object; games have none of their own."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """False: the games are records, not wrapped environments."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Picture | None]:
        """No pictures; use `game.drawing.draw` on `games.batch.states`."""
        return [None] * self.num_envs


class LayoutVecEnv(VecEnvWrapper):
    """A `BatchVecEnv` whose observations are flat, or have channels first, the last ones of games that ended too."""

    def __init__(self, venv: VecEnv, layout: str) -> None:
        """`layout`: one of `observation.LAYOUTS`. Raises ValueError for another."""
        self.layout = Layout(venv.get_attr("seats")[0].game, layout)
        super().__init__(venv, self.layout.space)

    def reset(self) -> VecEnvObs:
        """As the environment's own."""
        return self.layout(np.asarray(self.venv.reset()))

    def step_wait(self) -> VecEnvStepReturn:
        """As the environment's own."""
        observation, rewards, dones, infos = self.venv.step_wait()
        for i in np.flatnonzero(dones).tolist():
            infos[i]["terminal_observation"] = self.layout(infos[i]["terminal_observation"])
        return self.layout(np.asarray(observation)), rewards, dones, infos


class LegalVecEnv(VecEnvWrapper):
    """A VecEnv in which every action is legal, for algorithms without masks, such as PPO and DQN.

    `legal` does it, and counts the illegal actions. What `infos[i]["episode"]` says knows no penalty.
    """

    def __init__(self, venv: VecEnv, replace: str = "next", penalty: float = 0.0, seed: int | None = None) -> None:
        """`replace`, `seed`: as for `LegalActions`; `penalty`: what the reward loses where an action was replaced."""
        super().__init__(venv)
        self.legal = LegalActions(replace, seed)
        self.penalty = penalty

    def reset(self) -> VecEnvObs:
        """As the environment's own."""
        return self.venv.reset()

    def step_async(self, actions: Integers) -> None:
        """Replace what is illegal, and go on as the environment does."""
        legal = self.legal(actions, get_action_masks(self.venv))
        self._replaced = legal != actions
        self.venv.step_async(legal)

    def step_wait(self) -> VecEnvStepReturn:
        """As the environment's own, but for the penalties."""
        observation, rewards, dones, infos = self.venv.step_wait()
        return observation, rewards - np.float32(self.penalty) * self._replaced, dones, infos
