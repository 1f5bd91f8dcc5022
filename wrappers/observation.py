"""Observations flattened, or with channels first, for whatever wants them so.

One idea for all: a `Layout` turns an observation, or a batch of them, into the form that the learner wants.

| what | wrapper |
|---|---|
| AEC environment | `LayoutAECEnv` |
| `SingleAgentEnv` | Gymnasium's own `TransformObservation(env, layout, layout.space)` |
| `BatchVectorEnv` | `LayoutVectorEnv`: Gymnasium's own refuse environments that reset in the same step |
| `BatchVecEnv` | `sb3.LayoutVecEnv`: SB3's VecTransposeImage takes uint8 images only; MlpPolicy flattens by itself |
| a player whose model was trained so | `LayoutPlayer` |
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorWrapper
from gymnasium.vector.utils import batch_space
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from ..envs.core.env import AGENTS, player_of
from ..envs.core.game import Game, check_choice
from .players import Player, Positions
from .vector import BatchVectorEnv

LAYOUTS = ("flat", "channels_first")


class Layout:
    """How the numbers of an observation lie: `flat`, (size,), or with `channels_first`, such as (14, 5, 5) for Scalas.

    The Ring World's rings have no rows and columns: (57, 3) becomes (3, 57), as 1-d convolutions want it; neighbours
    in that order need not be neighbours on the board.

    >>> from nakajima_zoo.envs import make_game
    >>> Layout(make_game("scalas"), "channels_first")(np.zeros((64, 5, 5, 14), np.float32)).shape
    (64, 14, 5, 5)
    """

    def __init__(self, game: Game, name: str) -> None:
        """`name`: one of LAYOUTS. Raises ValueError for another."""
        check_choice("layout", name, LAYOUTS)
        *board, channels = self.given = game.observation_shape
        self.name = name
        self.shape = (int(np.prod(self.given)),) if name == "flat" else (channels, *board)

    @property
    def space(self) -> spaces.Box:
        """The space of one observation; a new object at every call."""
        return spaces.Box(0.0, 1.0, self.shape, np.float32)

    def __call__(self, observation: np.ndarray) -> np.ndarray:
        """An observation as the environment gives it, or an array of them (..., *observation_shape), in this layout.

        The result is C-contiguous; flat, it is a view. Raises ValueError for another shape.
        """
        ndim = len(self.given)
        if observation.shape[-ndim:] != self.given:
            raise ValueError(f"observation of shape {observation.shape}; expected {self.given}, or several of them")
        if self.name == "flat":
            return observation.reshape(*observation.shape[:-ndim], *self.shape)
        return np.ascontiguousarray(np.moveaxis(observation, -1, -ndim))


class LayoutAECEnv(BaseWrapper):
    """An AEC environment of one of the games, whose observations have another layout; masks stay as they are."""

    def __init__(self, env: AECEnv, layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another."""
        super().__init__(env)
        self.layout = Layout(env.unwrapped.game, layout)

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The observation space of each agent."""
        return {
            agent: spaces.Dict(
                {"observation": self.layout.space, "action_mask": self.env.observation_space(agent)["action_mask"]}
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what `agent` observes; the same object at every call."""
        return self.observation_spaces[AGENTS[player_of(agent)]]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What `agent` sees now, in fresh arrays."""
        seen = self.env.observe(agent)
        return {"observation": self.layout(seen["observation"]), "action_mask": seen["action_mask"]}


class LayoutVectorEnv(VectorWrapper):
    """A `BatchVectorEnv` whose observations have another layout, the last ones of games that ended too."""

    def __init__(self, env: BatchVectorEnv, layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another."""
        super().__init__(env)
        self.layout = Layout(env.games.game, layout)
        self.single_observation_space = self.layout.space
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **arguments: Any) -> tuple[np.ndarray, dict[str, Any]]:
        """As the environment's own."""
        observation, info = self.env.reset(**arguments)
        return self.layout(observation), info

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """As the environment's own."""
        observation, rewards, terminated, truncated, info = self.env.step(actions)
        if "final_obs" in info:
            finals = info["final_obs"].copy()
            for i in np.flatnonzero(info["_final_obs"]).tolist():
                finals[i] = self.layout(finals[i])
            info["final_obs"] = finals
        return self.layout(observation), rewards, terminated, truncated, info


class LayoutPlayer(Player):
    """A player who is shown observations in another layout: that with which its model was trained."""

    def __init__(self, player: Player, layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another."""
        check_choice("layout", layout, LAYOUTS)
        self.player = player
        self.layout = layout

    def reset(self, seed: int | None = None) -> None:
        """Start all chance of the player anew from `seed`."""
        self.player.reset(seed)

    def begin(self, games: np.ndarray) -> None:
        """Tell the player that new games begin."""
        self.player.begin(games)

    def choose(self, positions: Positions) -> np.ndarray:
        """What the player chooses: integers (k,)."""
        seen = Layout(positions.game, self.layout)(positions.observation)
        return self.player.choose(
            Positions(positions.game, positions.states, positions.games, seen, positions.action_mask)
        )
