"""Which games there are, and what a caller's words for a game mean.

The games of this package register themselves in `nakajima_zoo.envs`. One from outside does so with

    register_game("my_game", "my_package.my_game")

or by an entry point of the group `nakajima_zoo.games`, which needs no import: its name is that of the game, its value
that of the package. The package has the files that each of our games has, and a function `game(...)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from .calls import parse_call
from .checks import check_text, unknown_names
from .game import Game

GROUP = "nakajima_zoo.games"

_packages: dict[str, str] = {}  # of the games that were registered, by name


def register_game(name: str, package: str) -> None:
    """Make the game of `package`, a dotted name, known as `name`.

    Raises ValueError if the name is no identifier, or that of another package's game.
    """
    check_text("name of a game", name)
    check_text("package", package)
    if not all(part.isidentifier() for part in package.split(".")):
        raise ValueError(f"package {package!r} of the game {name!r}; expected a dotted name")
    if not name.isidentifier():
        raise ValueError(f"name {name!r} of a game; expected letters, digits and '_'")
    if known_packages().get(name, package) != package:
        raise ValueError(f"game {name!r} is that of {known_packages()[name]}; expected another name for {package}")
    _packages[name] = package


def known_packages() -> Mapping[str, str]:
    """The packages of all games, by name."""
    return {**announced(), **_packages}


@cache
def announced() -> Mapping[str, str]:
    """What installed packages announce by entry points."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def game_names() -> tuple[str, ...]:
    """The names of all games that are known: ours first, then those from outside."""
    return tuple(dict.fromkeys((*_packages, *announced())))


def game_function(name: str) -> Callable[..., Game]:
    """The function `game(...)` of a game by name. Raises ValueError for an unknown name."""
    if name not in _packages and name not in announced():
        raise ValueError(f"game {name!r} unknown; expected one of {', '.join(game_names())}")
    package = known_packages()[name]
    try:
        function: Callable[..., Game] = import_module(package).game
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"game {name!r}: {error}; expected a function game(...) in {package}") from error
    return function


def parameters_of(name: str) -> dict[str, Any]:
    """The parameters that a game by name takes, with their defaults. Raises ValueError for an unknown name."""
    return {key: value.default for key, value in inspect.signature(game_function(name)).parameters.items()}


def make_game(name: str, /, **parameters: Any) -> Game:
    """The game called `name`, with `parameters`; a name may have them too: `make_game("scalas(size=6)")`.

    Raises ValueError for an unknown name, an unknown parameter, or a value that the game does not know.

    >>> make_game("scalas", size=6).num_actions
    36
    """
    if not isinstance(name, str):
        raise ValueError(f"game {name!r} of type {type(name).__name__}; expected a name such as 'scalas'")
    call = parse_call("game", name)
    if call.argument is not None:
        raise ValueError(f"game {name!r}; expected parameters with their names, such as scalas(size=6)")
    function = game_function(call.name)
    given = {**call.keywords, **parameters}
    unknown = unknown_names(function, given)
    if unknown:
        known = ", ".join(parameters_of(call.name))
        raise ValueError(f"parameter {unknown[0]!r} unknown for {call.name}; expected {known}")
    return function(**given)


def as_game(game: Game | str, /, **parameters: Any) -> Game:
    """A game as it is, or made of its name and `parameters`.

    Raises ValueError as `make_game`, and for parameters beside a game as it is.
    """
    if not isinstance(game, Game):
        return make_game(game, **parameters)
    if parameters:
        raise ValueError(f"{', '.join(parameters)} given beside {game}; expected parameters of a game by name only")
    return game
