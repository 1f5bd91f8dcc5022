"""Players in words: the same wherever a player is wanted, on the command line too.

    random    greedy    mcts    mcts:400    mcts(simulations=400, cut=30)    runs/scalas-0/model.safetensors
    module:function

A name has an argument behind a colon, or several in brackets. A file is a policy that `save_policy` wrote, or (.zip) a
model that MaskablePPO saved: that is unpickled, which can run any code, so load none that you do not trust.
`module:function` is a function without arguments that makes a Player.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from ..envs.core.calls import CALL, parse_call, parse_value
from ..envs.core.checks import check_text, unknown_names
from ..envs.core.seeds import check_seed
from ..envs.core.types import Integers, Mask, Observation
from .base import Player
from .mcts import MCTSPlayer
from .simple import FunctionPlayer, GreedyPlayer, RandomPlayer

PlayerLike: TypeAlias = Player | str | Path | Callable[[Observation, Mask], Integers]
"""A Player; a name of one; a model file; or a function `choose(observation, action_mask) -> actions`."""

WEIGHTS, PICKLED = MODELS = (".safetensors", ".zip")
EXPECTED = "a Player, a model file (.safetensors or .zip), 'module:function' or a function"

_makers: dict[str, Callable[..., Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer, "mcts": MCTSPlayer}


def register_player(name: str, make: Callable[..., Player]) -> None:
    """Let `name` stand for the player that `make` makes; the argument behind a colon is its first.

    Raises ValueError if the name is no identifier, or known already.
    """
    check_text("name of a player", name)
    if not name.isidentifier() or name in _makers:
        raise ValueError(f"name {name!r} of a player; expected letters, digits and '_', and none of {known_names()}")
    _makers[name] = make


def player_names() -> tuple[str, ...]:
    """The names of players that are known."""
    return tuple(_makers)


def known_names() -> str:
    """The names of players, for errors."""
    return ", ".join(_makers)


def make_player(player: PlayerLike, seed: int | None = None) -> Player:
    """The player that is meant, its chance started anew from `seed`; a Player is returned as it is, seed or not.

    Raises ValueError for anything that means none, FileNotFoundError for a model that is not there, and ImportError for
    a model without the extra `train`.

    >>> make_player("mcts:50").simulations
    50
    """
    if isinstance(player, Player):
        return player
    if isinstance(player, Path) or (isinstance(player, str) and player.endswith(MODELS)):
        made = model_player(Path(player))
    elif isinstance(player, str):
        made = named_player(player)
    elif isinstance(player, type):
        raise ValueError(f"player {player.__name__} is a class; expected a Player, such as {player.__name__}()")
    elif callable(player):
        return FunctionPlayer(player)
    else:
        raise ValueError(f"player {player!r}; expected one of {known_names()}, {EXPECTED}")
    made.reset(None if seed is None else check_seed(seed))
    return made


def named_player(text: str) -> Player:
    """The player of a name. Raises ValueError for a name that is not known."""
    call = parse_call("player", text) if CALL.fullmatch(text.strip()) else None
    if call is None or call.name not in _makers:
        if call is not None and call.argument:
            return imported_player(call.name, call.argument)
        raise ValueError(f"player {text!r} unknown; expected one of {known_names()}, {EXPECTED}")
    make = _makers[call.name]
    unknown = unknown_names(make, call.keywords)
    if unknown:
        raise ValueError(f"player {text!r} has no {unknown[0]!r}; expected {', '.join(keywords_of(make))}")
    arguments = [] if call.argument is None else [parse_value(call.argument)]
    if len(arguments) > len(keywords_of(make)):
        raise ValueError(f"player {text!r}; {call.name} has no argument")
    return make(*arguments, **call.keywords)


def keywords_of(make: Callable[..., Player]) -> list[str]:
    """What a player by name can be given; seeds come from whoever lets it play."""
    return [name for name in inspect.signature(make).parameters if name != "seed"]


def imported_player(module: str, function: str) -> Player:
    """The player that `function` of `module` makes. Raises ValueError if there is none."""
    try:
        make = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"player '{module}:{function}': {error}; expected one of {known_names()}, {EXPECTED}"
        ) from None
    if isinstance(make, Player):
        return make
    if not callable(make) or not takes_nothing(make):
        raise ValueError(
            f"'{module}:{function}' is {make!r}; expected a function without arguments that makes a Player"
        )
    made = make()
    if not isinstance(made, Player):
        raise ValueError(f"'{module}:{function}' made {type(made).__name__}; expected a Player")
    return made


def takes_nothing(function: Callable[..., object]) -> bool:
    """Whether a function can be called without arguments, as far as it tells."""
    try:
        inspect.signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True


def model_player(path: Path) -> Player:
    """The model of a file. Raises FileNotFoundError if there is none, and ValueError if it does not fit."""
    if not path.is_file():
        raise FileNotFoundError(f"no model {path}; expected a file that save_policy or MaskablePPO wrote")
    if path.suffix == WEIGHTS:
        from .networks import NetworkPlayer  # they need the extra `train`

        return NetworkPlayer(path)
    from .models import ModelPlayer

    return ModelPlayer(path)
