"""Observations flattened, or with channels first, for whatever wants them so.

One idea for all: a `Layout` turns an observation, or a batch of them, into the form that the learner wants.

| what | wrapper |
|---|---|
| AEC environment | `wrappers.LayoutAECEnv` |
| `SingleAgentEnv` | Gymnasium's own `TransformObservation(env, layout, layout.space)` |
| `BatchVectorEnv` | `wrappers.LayoutVectorEnv`: Gymnasium's own refuse environments that reset in the same step |
| `BatchVecEnv` | `wrappers.LayoutVecEnv`: SB3's VecTransposeImage takes images of uint8; MlpPolicy flattens |
| a player whose model was trained so | `LayoutPlayer` |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ..envs.core.checks import check_choice
from ..envs.core.game import Game
from ..envs.core.types import Integers, Observation
from ..players.base import Player, Positions

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

    def __call__(self, observation: Observation) -> Observation:
        """An observation as the environment gives it, or an array of them (..., *observation_shape), in this layout.

        The result is C-contiguous; flat, it is a view. Raises ValueError for another shape.
        """
        ndim = len(self.given)
        if observation.shape[-ndim:] != self.given:
            raise ValueError(f"observation of shape {observation.shape}; expected {self.given}, or several of them")
        if self.name == "flat":
            return observation.reshape(*observation.shape[:-ndim], *self.shape)
        return np.ascontiguousarray(np.moveaxis(observation, -1, -ndim))


def layout_of(wrapper: object, game: Game | None, space: spaces.Space[Any], name: str) -> Layout:
    """The layout that a wrapper gives to what it is put around; `game` and `space` are those that it finds there.

    Raises ValueError unless the observations are those of the game as it gives them.
    """
    if not isinstance(game, Game) or space.shape != game.observation_shape:
        expected = game.observation_shape if isinstance(game, Game) else "those of one of the games"
        raise ValueError(f"{type(wrapper).__name__} around observations of shape {space.shape}; expected {expected}")
    return Layout(game, name)


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

    def begin(self, rows: Integers) -> None:
        """Tell the player that new games begin."""
        self.player.begin(rows)

    def choose(self, positions: Positions) -> Integers:
        """What the player chooses: integers (k,)."""
        seen = Layout(positions.game, self.layout)(positions.observation)
        return self.player.choose(
            Positions(positions.game, positions.states, positions.rows, seen, positions.action_mask)
        )
