"""Stable-Baselines3: thousands of games as one VecEnv, and trained models as players. Needs the extra `train`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from ..envs.core.checks import check_choice, check_number
from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.types import Flags, Integers, Picture
from ..learning.layout import LAYOUTS, layout_of
from ..learning.seat import SeatBatch, SeatOptions
from ..players.base import Player
from ..players.legal import LegalActions
from ..players.names import PlayerLike

with needs("train", "Stable-Baselines3"):
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.monitor import Monitor
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

    Observations are the planes, float32; masks come from `action_masks()`, as MaskablePPO expects it. `infos[i]` has at
    every step `turn`, `decision` and `reason` (indices into `game.decisions` and `game.reasons`), `scores`, `winner`
    (-1: nobody), and `cut_off`: whether the turn limit ended the game.

    A game that ends begins anew within the same step, and what `infos[i]` says is said of the game that ended; its last
    observation is in `infos[i]["terminal_observation"]`. `infos[i]["episode"]` is what SB3's Monitor would say, without
    any shaping of rewards; so the games count as wrapped in a Monitor.

    A game that is cut off has been paid in full: its reward is all that it is worth. So `TimeLimit.truncated` is never
    True, for SB3 adds the value of the last position to the reward where it is.
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

    @property
    def game(self) -> Game:
        """What is played."""
        return self.seats.game

    @property
    def opponent(self) -> Player:
        """Who plays the other seat, in all games."""
        return self.seats.opponent

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
        infos = self._infos()
        for i in np.flatnonzero(dones).tolist():
            infos[i]["terminal_observation"] = seats.final_observation[i].copy()
            infos[i]["episode"] = {"r": float(seats.outcomes[i]), "l": int(self._lengths[i]), "t": 0.0}
        self._lengths[dones] = 0
        return seats.observation.copy(), rewards.copy(), dones, infos

    def _infos(self) -> list[dict[str, Any]]:
        """What is said of every game at every step."""
        facts = {**self.seats.facts(), "cut_off": self.seats.truncated}
        rows = zip(*(values.tolist() for values in facts.values()), strict=True)
        return [{**dict(zip(facts, row, strict=True)), "TimeLimit.truncated": False} for row in rows]

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
        """Let another `opponent` play all games, also those that are running; `value`: whatever `make_player` takes.

        Raises AttributeError for any other attribute, and ValueError for some of the games only.
        """
        if attr_name != "opponent":
            raise AttributeError(f"attribute {attr_name!r} cannot be set; expected 'opponent': games have no others")
        if sorted(self._get_indices(indices)) != list(range(self.num_envs)):
            raise ValueError(f"an opponent for the games {indices!r}; expected one for all of them, as they share him")
        self.seats.replace_opponent(value)

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Raises ValueError for any options: those of games that begin are given to the constructor."""
        if any(options) if isinstance(options, list) else options:
            raise ValueError(f"options {options!r}; expected none: give `options` to BatchVecEnv")
        super().set_options(options)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """True for Monitor, whose work is done here; else False: the games are records, not wrapped environments."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Picture | None]:
        """No pictures; use `game.drawing.draw` on `games.batch.states`."""
        return [None] * self.num_envs


class CopiedVecEnvWrapper(VecEnvWrapper):
    """A wrapper that can be copied and pickled: SB3's own looks for what is not there yet until the stack overflows."""

    def __init__(self, venv: VecEnv, observation_space: spaces.Space[Any] | None = None) -> None:
        """Raises ValueError for anything but a VecEnv."""
        if not isinstance(venv, VecEnv):
            raise ValueError(f"{type(self).__name__} around {venv!r}; expected a VecEnv of Stable-Baselines3")
        super().__init__(venv, observation_space)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "class_attributes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.class_attributes = dict(inspect.getmembers(type(self)))


class LayoutVecEnv(CopiedVecEnvWrapper):
    """A VecEnv of one of the games whose observations are flat, or have channels first, the last ones too."""

    def __init__(self, venv: VecEnv, layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another, and for other observations than a game's own."""
        check_choice("layout", layout, LAYOUTS)
        super().__init__(venv)
        game = venv.get_attr("game")[0] if venv.has_attr("game") else None
        self.layout = layout_of(self, game, venv.observation_space, layout)
        self.observation_space = self.layout.space

    def reset(self) -> VecEnvObs:
        """As the environment's own."""
        return self.layout(np.asarray(self.venv.reset()))

    def step_wait(self) -> VecEnvStepReturn:
        """As the environment's own."""
        observation, rewards, dones, infos = self.venv.step_wait()
        for i in np.flatnonzero(dones).tolist():
            infos[i]["terminal_observation"] = self.layout(infos[i]["terminal_observation"])
        return self.layout(np.asarray(observation)), rewards, dones, infos


class LegalVecEnv(CopiedVecEnvWrapper):
    """A VecEnv in which every action is legal, for algorithms without masks, such as PPO and DQN.

    `legal` does it, and counts the illegal actions. What `infos[i]["episode"]` says knows no penalty.
    """

    def __init__(self, venv: VecEnv, replace: str = "next", penalty: float = 0.0, seed: int | None = None) -> None:
        """`replace`, `seed`: as for `LegalActions`; `penalty`: what the reward loses where an action was replaced.

        Raises ValueError for bad arguments, and for environments without `action_masks()`.
        """
        check_number("penalty", penalty)
        super().__init__(venv)
        if not is_masking_supported(venv):
            raise ValueError(f"LegalVecEnv around {type(venv).__name__}; expected environments with action_masks()")
        self.legal = LegalActions(replace, seed)
        self.penalty = penalty

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the environments, and the chance of "random" too."""
        if seed is not None:
            self.legal.seed(seed)
        return self.venv.seed(seed)

    def reset(self) -> VecEnvObs:
        """As the environment's own."""
        return self.venv.reset()

    def step_async(self, actions: Integers) -> None:
        """Replace what is illegal, and go on as the environment does. Raises ValueError for what is no integers."""
        legal = self.legal(actions, get_action_masks(self.venv))
        self._replaced = legal != np.asarray(actions)
        self.venv.step_async(legal)

    def step_wait(self) -> VecEnvStepReturn:
        """As the environment's own, but for the penalties."""
        observation, rewards, dones, infos = self.venv.step_wait()
        return observation, rewards - np.float32(self.penalty) * self._replaced, dones, infos
