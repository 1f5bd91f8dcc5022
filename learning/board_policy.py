"""A policy for games on a board of squares, for MaskablePPO: what it learns about one square holds on all of them.

Convolutions keep the board's shape to the end, and every way to act is a plane (`Game.action_planes`), so that the
layers in front of the logits are shared by all squares. On games with over a thousand actions this learns several
times faster than layers that know nothing of squares.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.planes import ActionPlanes
from ..players.networks import BoardLayers, PlanesHead
from .masked_policy import MaskedPolicy

with needs("train", "BoardPolicy"):
    import torch
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.type_aliases import Schedule
    from torch import nn


class BoardTrunk(BaseFeaturesExtractor):
    """`BoardLayers` as SB3 wants them."""

    def __init__(self, observation_space: gymnasium.spaces.Box, width: int, depth: int) -> None:
        """`depth`: how many 3x3 convolutions, all but the first with a residual connection."""
        rows, columns, channels = observation_space.shape
        super().__init__(observation_space, rows * columns * width)
        self.layers = BoardLayers(channels, width, depth)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features, square by square."""
        features: torch.Tensor = self.layers(observations)
        return features


class BoardPolicy(MaskedPolicy):
    """Policy and value on a shared `BoardTrunk`: `MaskablePPO(BoardPolicy, env, policy_kwargs=board_kwargs(game))`."""

    def __init__(self, *args: Any, planes: ActionPlanes, **kwargs: Any) -> None:
        """`planes`: of the game; the rest as for any policy of SB3."""
        self.action_planes = planes
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        """As in SB3, with the head in place of a layer that knows nothing of squares."""
        super()._build(lr_schedule)
        rows, columns, _ = self.observation_space.shape
        self.action_net = PlanesHead(self.action_planes, rows * columns, self.features_dim // (rows * columns))
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """What saving a policy on its own must keep."""
        parameters: dict[str, Any] = super()._get_constructor_parameters()
        return parameters | {"planes": self.action_planes}


def board_kwargs(game: Game, width: int = 32, depth: int = 3, value_layers: tuple[int, ...] = (64,)) -> dict[str, Any]:
    """The `policy_kwargs` of a `BoardPolicy` for `game`. Raises ValueError if its actions have no planes."""
    if game.action_planes is None:
        raise ValueError(f"{game} has no action planes; expected a game on a board of squares, in its staged form")
    return {
        "planes": game.action_planes,
        "features_extractor_class": BoardTrunk,
        "features_extractor_kwargs": {"width": width, "depth": depth},
        "net_arch": {"pi": [], "vf": list(value_layers)},
        "activation_fn": nn.ReLU,
    }
