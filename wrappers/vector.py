"""Many games as a Gymnasium VectorEnv, with the meaning of `gymnasium.make_vec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..envs.core.checks import check_choice
from ..envs.core.game import Game
from ..envs.core.registry import as_game
from ..envs.core.types import Flags, Integers, Observation, Reals
from ..learning.layout import layout_of
from ..learning.seat import CUT_OFF, SeatBatch, facts_of
from ..players.names import PlayerLike


class BatchVectorEnv(VectorEnv[Observation, Integers, NDArray[Any]]):
    """Many games: the learner in one seat, an opponent who plays in batch in the other.

    `info` has for each game, of the learner's next decision, `action_mask`, `seat`, `turn`, `decision`, `scores`,
    `winner` and `reason`, all of them numbers: `decision` and `reason` are indices into `game.decisions` and
    `game.reasons`, and while a game runs `winner` is -1 and `reason` 0.

    Autoreset happens in the same step (`AutoresetMode.SAME_STEP`): where a game ended, `observation` and `info` belong
    to the new game, `info["final_obs"]` holds the last observation of the old one, and `info["final_info"]` the same of
    the old one but for its mask, which would be empty.

    What a game that the turn limit cuts off is worth, and what `cut_off` is for, is as for `SingleAgentEnv`.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponent: PlayerLike = "random",
        seat: str | int = "random",
        *,
        illegal_action: str = "lose",
        cut_off: str = "truncated",
        render_mode: None = None,
        **parameters: Any,
    ) -> None:
        """Arguments as for `SingleAgentEnv`, but there are no pictures: ValueError for a `render_mode`."""
        if render_mode is not None:
            raise ValueError(f"render_mode={render_mode!r}; expected None: use SingleAgentEnv to see a game")
        check_choice("cut_off", cut_off, CUT_OFF)
        game = as_game(game, **parameters)
        self.cut_off = cut_off
        self.seats = SeatBatch(game, num_envs, opponent, seat, illegal_action=illegal_action)
        self.num_envs = num_envs
        self.render_mode = None
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = spaces.Box(0.0, 1.0, game.observation_shape, np.float32)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games. A seed decides games, seats and opponent; of a list, game `i` gets `seed[i]`.

        Raises ValueError for options: there are none.
        """
        if options:
            raise ValueError(f"options {options!r}; expected none")
        self.seats.reset(seed)
        return self.seats.observation.copy(), self._info()

    def step(self, actions: Integers) -> tuple[Observation, Reals, Flags, Flags, dict[str, Any]]:
        """Play the learner's actions, (num_envs,), and the opponent's replies."""
        seats = self.seats
        rewards, terminated, truncated = seats.step(actions)
        info = self._info()
        ended = terminated | truncated
        if ended.any():
            facts = {**seats.facts(), "seat": seats.final_seat}
            for i in np.flatnonzero(ended).tolist():
                final = {name: values[i] for name, values in facts.items()}
                info = self._add_info(info, {"final_obs": seats.final_observation[i].copy(), "final_info": final}, i)
        if self.cut_off == "terminated":
            terminated, truncated = ended, np.zeros_like(truncated)
        return seats.observation.copy(), rewards.astype(np.float64), terminated.copy(), truncated.copy(), info

    @property
    def game(self) -> Game:
        """What is played."""
        return self.seats.game

    def action_masks(self) -> Flags:
        """What the learner may do in each game: bool (num_envs, num_actions), a fresh array."""
        return self.seats.action_mask.astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        info = {
            "action_mask": self.seats.action_mask.copy(),
            "seat": self.seats.seat.copy(),
            **facts_of(self.seats.batch.states),
        }
        return info | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in info}


class LayoutVectorEnv(VectorWrapper):
    """A `BatchVectorEnv` whose observations have another layout, the last ones of games that ended too."""

    def __init__(self, env: VectorEnv[Any, Any, Any], layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another, and unless observations are those of a game."""
        if not isinstance(env, VectorEnv):
            raise ValueError(f"LayoutVectorEnv around {env}; expected a BatchVectorEnv, wrapped or not")
        super().__init__(env)
        game = getattr(env.unwrapped, "game", None)
        self.layout = layout_of(self, game, env.single_observation_space, layout)
        self.single_observation_space = self.layout.space
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **arguments: Any) -> tuple[Observation, dict[str, Any]]:
        """As the environment's own."""
        observation, info = self.env.reset(**arguments)
        return self.layout(observation), info

    def step(self, actions: Integers) -> tuple[Observation, Reals, Flags, Flags, dict[str, Any]]:
        """As the environment's own."""
        observation, rewards, terminated, truncated, info = self.env.step(actions)
        if "final_obs" in info:
            finals = info["final_obs"].copy()
            for i in np.flatnonzero(info["_final_obs"]).tolist():
                finals[i] = self.layout(finals[i])
            info["final_obs"] = finals
        return self.layout(observation), rewards, terminated, truncated, info
