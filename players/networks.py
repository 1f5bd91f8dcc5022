"""Policies in files: weights alone, as safetensors, with a few words of JSON. Needs the extra `train`.

To read such a file runs no code of it, unlike a pickled model. The words are those of `Header`; what else there is to
know of the networks, the shapes of their weights say. `nakajima_zoo.learning` writes the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.planes import ActionPlanes
from ..envs.core.registry import make_game
from ..envs.core.types import Integers
from .base import Positions, SeededPlayer

with needs("train", "a player that is a trained model"):
    import torch
    from safetensors import SafetensorError, safe_open
    from torch import nn

KEY = "nakajima_zoo"  # of the words, in the metadata of the file
FORMAT = 1
FEW = 4096  # actions of which one is drawn by a single sum: each gets its probability within 0.03 %
BLOCK = 512  # of more actions, so many are summed at once
KINDS = ("dense", "board")
ACTIVATIONS = ("ReLU", "Tanh", "ELU", "GELU", "LeakyReLU", "SiLU")
LAYERS = "mlp_extractor.{}_net"  # where SB3 keeps the hidden layers of `policy` and `value`
TRUNK = "features_extractor.layers"  # where `BoardPolicy` keeps those in front of both


@dataclass(frozen=True, kw_only=True)
class Header:
    """The words in a file."""

    format: int
    game: str
    parameters: dict[str, Any]
    version: int
    """Of the game: what was learned for other rules, actions or observations is worth nothing."""
    observation_shape: list[int]
    num_actions: int
    kind: str
    """One of KINDS: layers that know nothing of squares, or `BoardLayers` in front of a `PlanesHead`."""
    activation: str
    """One of ACTIVATIONS, between the layers."""

    @classmethod
    def of(cls, game: Game, kind: str, activation: str) -> Header:
        """That of a policy for `game`."""
        return cls(
            format=FORMAT,
            game=game.name,
            parameters=dict(game.parameters),
            version=game.version,
            observation_shape=list(game.observation_shape),
            num_actions=game.num_actions,
            kind=kind,
            activation=activation,
        )

    def to_json(self) -> str:
        """As it stands in the file."""
        return json.dumps(asdict(self))


class BoardLayers(nn.Module):
    """From observations (k, rows, columns, channels) to `width` features of every square, (k, squares * width)."""

    def __init__(self, channels: int, width: int, depth: int) -> None:
        """`depth`: how many 3x3 convolutions, all but the first with a residual connection."""
        super().__init__()
        self.first = nn.Conv2d(channels, width, 3, padding=1)
        self.others = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in range(depth - 1))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features, square by square."""
        features = torch.relu(self.first(observations.permute(0, 3, 1, 2)))
        for layer in self.others:
            features = features + torch.relu(layer(features))
        return features.permute(0, 2, 3, 1).flatten(1)


class PlanesHead(nn.Module):
    """From the features of all squares, (k, squares * width), to one logit an action, (k, num_actions)."""

    def __init__(self, planes: ActionPlanes, squares: int, width: int) -> None:
        super().__init__()
        self.planes = nn.Linear(width, planes.num_planes)
        nn.init.orthogonal_(self.planes.weight, 0.01)  # all actions alike at first, as in SB3's own policies
        nn.init.zeros_(self.planes.bias)
        plane, square = divmod(planes.places, squares)
        self.register_buffer("index", torch.as_tensor(square * planes.num_planes + plane))
        self.width = width

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The logits."""
        squares: torch.Tensor = features.unflatten(1, (-1, self.width))
        logits: torch.Tensor = self.planes(squares).flatten(1).index_select(1, self.index)
        return logits


class PolicyFile:
    """What a file holds, checked: `game`, `kind`, `activation`, and `weights`, by the names that SB3 gives them."""

    def __init__(self, path: str | Path) -> None:
        """Raises FileNotFoundError if there is no file, and ValueError if it does not hold a policy that fits here."""
        self.path = Path(path)
        if not self.path.is_file():
            raise FileNotFoundError(f"no model {path}; expected a file that save_policy wrote")
        try:
            with safe_open(str(path), framework="pt") as file:
                words = (file.metadata() or {}).get(KEY)
                self.weights: dict[str, torch.Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
        except SafetensorError as error:
            raise ValueError(f"{path}: {error}; expected safetensors, as save_policy writes them") from None
        header = self._header(words)
        self.kind, self.activation = header.kind, header.activation
        self.game = self._game(header)

    def hidden(self, part: str) -> list[int]:
        """The sizes of the hidden layers of `policy` or `value`."""
        return [self._rows(name) for name in self._numbered(LAYERS.format(part))]

    @property
    def width(self) -> int:
        """The features of a square in `BoardLayers`."""
        return self._rows(f"{TRUNK}.first.weight")

    @property
    def depth(self) -> int:
        """The number of its convolutions."""
        return 1 + len(self._numbered(f"{TRUNK}.others"))

    def fill(self, network: nn.Module) -> None:
        """Give a network its weights, in place. Raises ValueError if they do not fit."""
        with torch.no_grad():
            for name, parameter in network.named_parameters():
                weight = self._weight(name)
                if weight.shape != parameter.shape or not weight.is_floating_point():
                    raise ValueError(f"{self.path}: {name} is {tuple(weight.shape)}; expected {tuple(parameter.shape)}")
                parameter.copy_(weight)

    def _rows(self, name: str) -> int:
        weight = self._weight(name)
        if not weight.numel() or not weight.dim():
            raise ValueError(f"{self.path}: {name} is {tuple(weight.shape)}; expected the weights of a layer")
        return len(weight)

    def _weight(self, name: str) -> torch.Tensor:
        if name not in self.weights:
            raise ValueError(f"{self.path}: no weights {name!r}; expected those of a {self.kind} policy")
        return self.weights[name]

    def _numbered(self, where: str) -> list[str]:
        """The weights of the layers below a name, in order."""
        found = {
            int(match[1]): name for name in self.weights if (match := re.fullmatch(rf"{where}\.(\d+)\.weight", name))
        }
        return [found[number] for number in sorted(found)]

    def _header(self, words: str | None) -> Header:
        try:
            header = Header(**json.loads(words or "null"))
        except (TypeError, ValueError, RecursionError):
            names = ", ".join(field.name for field in fields(Header))
            raise ValueError(f"{self.path} does not say what it is for; expected {names}, from save_policy") from None
        for name, choices in (("format", (FORMAT,)), ("kind", KINDS), ("activation", ACTIVATIONS)):
            if getattr(header, name) not in choices:
                raise ValueError(f"{self.path}: {name} {getattr(header, name)!r}; expected one of {choices}")
        return header

    def _game(self, header: Header) -> Game:
        if not isinstance(header.parameters, Mapping):
            raise ValueError(f"{self.path}: parameters {header.parameters!r}; expected an object")
        game = make_game(header.game, **header.parameters)
        here = Header.of(game, header.kind, header.activation)
        for name in ("version", "observation_shape", "num_actions"):
            found, expected = getattr(header, name), getattr(here, name)
            if found != expected:
                raise ValueError(f"{self.path} was trained with {name} {found} of {game}; expected {expected}, as here")
        if self.kind == "board" and game.action_planes is None:
            raise ValueError(f"{self.path}: {game} has no action planes; expected a dense policy")
        return game


class PolicyNetwork(nn.Module):
    """What plays of a policy in a file, before it is given the weights: parts have the names that SB3 gives them."""

    def __init__(self, file: PolicyFile) -> None:
        super().__init__()
        game, hidden = file.game, file.hidden("policy")
        planes = game.action_planes if file.kind == "board" else None
        *board, channels = game.observation_shape
        squares, width = int(np.prod(board)), file.width if planes else channels
        layers = BoardLayers(channels, width, file.depth) if planes else nn.Flatten()
        last = [squares * width, *hidden][-1]
        self.features_extractor = nn.ModuleDict({"layers": layers})
        activation = getattr(nn, file.activation)
        self.mlp_extractor = nn.ModuleDict({"policy_net": dense(squares * width, hidden, activation)})
        self.action_net: nn.Module = nn.Linear(last, game.num_actions)
        if planes:
            self.action_net = PlanesHead(planes, squares, last // squares)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Logits (k, num_actions) of observations (k, *observation_shape)."""
        features = self.features_extractor["layers"](observation)
        logits: torch.Tensor = self.action_net(self.mlp_extractor["policy_net"](features))
        return logits


def network_of(file: PolicyFile) -> PolicyNetwork:
    """What plays of a policy in a file. Raises ValueError if the weights do not fit each other and the game."""
    with torch.device("meta"):  # sizes are compared before there is memory for them
        file.fill(PolicyNetwork(file))
    network = PolicyNetwork(file)
    file.fill(network)
    return network.eval()


def dense(inputs: int, hidden: list[int], activation: type[nn.Module]) -> nn.Sequential:
    """Linear layers, each with an activation behind it."""
    layers: list[nn.Module] = []
    for size in hidden:
        layers += [nn.Linear(inputs, size), activation()]
        inputs = size
    return nn.Sequential(*layers)


def draw_actions(probs: torch.Tensor, uniform: torch.Tensor) -> torch.Tensor:
    """An action for each of k positions, (k,), of probabilities (k, num_actions); none of probability 0.

    `uniform`, float32 (2, k, 1) in [0, 1): the chance. Of many actions in two draws, a block and an action of it: sums
    over few numbers are exact enough in single precision, which all devices have.
    """
    probs = probs.float()
    n = probs.shape[-1]
    if n <= FEW:
        return draw(probs, uniform[0])
    whole = n // BLOCK * BLOCK
    sums = [probs[:, :whole].unflatten(1, (-1, BLOCK)).sum(-1), probs[:, whole:].sum(-1, keepdim=True)]
    start = draw(torch.cat(sums, 1), uniform[0]).unsqueeze(1) * BLOCK
    places = start + torch.arange(BLOCK, device=probs.device)
    block = probs.gather(1, places.clamp(max=n - 1)) * (places < n)
    return start.squeeze(1) + draw(block, uniform[1])


def draw(weights: torch.Tensor, uniform: torch.Tensor) -> torch.Tensor:
    """The index that `uniform`, (k, 1), picks in each row of weights, (k, m), in proportion to them: (k,).

    None of weight 0: where rounding has led to one, the largest is taken.
    """
    sums = weights.cumsum(-1)
    found = torch.searchsorted(sums, uniform * sums[:, -1:], right=True).clamp_(max=weights.shape[1] - 1)
    possible = weights.gather(1, found) > 0
    if not possible.all():
        found = torch.where(possible, found, weights.argmax(-1, keepdim=True))
    return found.squeeze(-1)


class NetworkPlayer(SeededPlayer):
    """The policy of a file that `save_policy` wrote, as a player."""

    def __init__(self, path: str | Path, deterministic: bool = False, seed: int | None = None) -> None:
        """`deterministic`: always the most probable legal action; else actions are drawn from the policy.

        Raises FileNotFoundError if there is no file, and ValueError if it does not hold a policy that fits here.
        """
        file = PolicyFile(path)
        self.game = file.game
        self.network = network_of(file)
        self.deterministic = deterministic
        super().__init__(seed)

    def choose(self, positions: Positions) -> Integers:
        """The policy's actions, masks applied: int64 (k,). Raises ValueError if it was trained on another game."""
        check_game(self.game, positions.game)
        with torch.no_grad():
            logits = self.network(torch.from_numpy(positions.observation))
            masked = logits.masked_fill(torch.from_numpy(positions.action_mask) == 0, -torch.inf)
            return chosen(masked.softmax(-1), None if self.deterministic else self.rng).numpy()


def chosen(probs: torch.Tensor, rng: np.random.Generator | None) -> torch.Tensor:
    """An action for each position, (k,), of probabilities (k, num_actions): by chance, or without it the likeliest."""
    if rng is None:
        return probs.argmax(-1)
    return draw_actions(probs, torch.from_numpy(rng.random((2, len(probs), 1), np.float32)).to(probs.device))


def check_game(learned: Game, asked: Game) -> None:
    """Raise ValueError if what was learned on one game says nothing of another; turn limits may differ."""
    facts = ("name", "num_actions", "observation_shape", "channels")
    if any(getattr(learned, fact) != getattr(asked, fact) for fact in facts):
        raise ValueError(f"a model of {learned}; expected one of {asked}, as is played")
