"""Policies of MaskablePPO in files of safetensors: `nakajima_zoo.players.networks` says what is in them.

>>> import tempfile
>>> from sb3_contrib import MaskablePPO
>>> from nakajima_zoo import make_player
>>> from nakajima_zoo.wrappers import BatchVecEnv
>>> model = MaskablePPO("MlpPolicy", BatchVecEnv("scalas", 4))
>>> path = Path(tempfile.mkdtemp()) / "model.safetensors"
>>> save_policy(path, model.policy, "scalas")
>>> player = make_player(path)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gymnasium import spaces

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.registry import as_game
from ..players.networks import ACTIVATIONS, KEY, Header, PolicyFile
from .board_policy import BoardPolicy, board_kwargs
from .masked_policy import MaskedPolicy

with needs("train", "save_policy"):
    from safetensors.torch import save_file
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.torch_layers import FlattenExtractor
    from torch import nn


def save_policy(path: str | Path, policy: MaskableActorCriticPolicy, game: Game | str) -> None:
    """Write the weights of a policy for `game`, those of its values too, with what is needed to use them again.

    Raises ValueError for a policy of another game, and for one that is neither a `BoardPolicy` nor of linear layers
    alone, such as "MlpPolicy" and `MaskedPolicy`: MaskablePPO itself saves those.
    """
    game = as_game(game)
    header = Header.of(game, kind_of(policy), activation_of(policy))
    shape, size = policy.observation_space.shape, int(np.prod(game.observation_shape))
    if shape not in (game.observation_shape, (size,)) or policy.action_space.n != game.num_actions:
        learned = f"observations {shape} and {policy.action_space.n} actions"
        raise ValueError(f"a policy of {learned}; expected {game.observation_shape} and {game.num_actions} of {game}")
    weights = {name: weight.detach().cpu().contiguous() for name, weight in policy.named_parameters()}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    save_file(weights, str(path), metadata={KEY: header.to_json()})


def load_policy(path: str | Path) -> tuple[Game, MaskableActorCriticPolicy]:
    """The game and the policy of a file, a `BoardPolicy` or a `MaskedPolicy`, to go on learning with or to look at.

    `model.policy.load_state_dict(policy.state_dict())` gives it to a model. Raises FileNotFoundError if there is no
    file, and ValueError if it does not hold a policy that fits here.
    """
    file = PolicyFile(path)
    game = file.game
    known = (
        spaces.Box(0.0, 1.0, game.observation_shape, np.float32),
        spaces.Discrete(game.num_actions),
        lambda remaining: 0.0,
    )
    layers = {"pi": file.hidden("policy"), "vf": file.hidden("value")}
    if file.kind == "board":
        kwargs = board_kwargs(game, file.width, file.depth) | {"net_arch": layers}
        policy: MaskableActorCriticPolicy = BoardPolicy(*known, **kwargs)
    else:
        policy = MaskedPolicy(*known, net_arch=layers, activation_fn=getattr(nn, file.activation))
    file.fill(policy)
    return game, policy


def kind_of(policy: MaskableActorCriticPolicy) -> str:
    """The kind of policy that a file says. Raises ValueError for one that no file can hold."""
    if isinstance(policy, BoardPolicy):
        return "board"
    if type(policy.features_extractor) is not FlattenExtractor or not isinstance(policy.action_net, nn.Linear):
        raise ValueError(f"policy {type(policy).__name__}; expected a BoardPolicy, or one of linear layers alone")
    return "dense"


def activation_of(policy: MaskableActorCriticPolicy) -> str:
    """The name of the activation between layers. Raises ValueError for one that no file can hold."""
    name: str = policy.activation_fn.__name__
    if name not in ACTIVATIONS or policy.activation_fn is not getattr(nn, name):
        raise ValueError(f"activation {name}; expected one of {ACTIVATIONS}")
    return name
