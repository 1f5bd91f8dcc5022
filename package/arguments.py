"""For programs that take a game on the command line: `nakajima-zoo`, the examples, and your own.

parser = make_parser("Trains something.")
add_parameters(parser)
parser.add_argument("game")
parser.add_argument("--timesteps", type=at_least(1), default=1000, help="how long")
arguments = parser.parse_args()
game = chosen_game(parser, arguments)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .envs.core.calls import parse_keyword
from .envs.core.game import Game
from .envs.core.registry import game_names, make_game

__all__ = ["add_parameters", "at_least", "chosen_game", "clear_errors", "make_parser", "positive", "refuse_existing"]

INTERRUPTED = 130  # what a shell says of a program that Ctrl-C ended


class HelpFormatter(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of descriptions, and tells defaults, where there are any."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        told = not any(action.default is value for value in (None, False, argparse.SUPPRESS)) and action.default != []
        return super()._get_help_string(action) if told else action.help


def make_parser(description: str | None, **options: Any) -> argparse.ArgumentParser:
    """A parser whose `--help` tells defaults and keeps the lines of the description; `options`: of argparse."""
    return argparse.ArgumentParser(description=description, formatter_class=HelpFormatter, **options)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """Add `--set NAME=VALUE` for the parameters of a game, and to `--help` what each game takes."""
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        type=parameter,
        action="append",
        default=[],
        help="a parameter of the game, such as size=6; may be repeated",
    )
    parser.epilog = f"games, and what --set takes, with defaults:\n{described_parameters(game_names())}"


def parameter(text: str) -> tuple[str, Any]:
    """`size=6` as ("size", 6): a type for argparse."""
    try:
        return parse_keyword(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def described_parameters(names: Iterable[str]) -> str:
    """A line for each of the games: its name, and its parameters with their defaults."""
    return "\n".join(f"  {name:13} {parameters_text(name)}" for name in names)


def parameters_text(name: str) -> str:
    """The parameters of a game with their defaults; why there are none, for one from outside that does not work."""
    try:
        parameters = make_game(name).parameters
    except Exception as error:  # whatever it raises, the other games are still there
        return f"(does not work: {type(error).__name__}: {error})"
    return " ".join(f"{key}={value}" for key, value in parameters.items())


def chosen_game(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Game:
    """The game of `game` and `--set`; ends the program with a clear line if there is no such game."""
    with clear_errors(parser.prog):
        return make_game(arguments.game, **dict(arguments.set))


def at_least(least: int) -> Callable[[str], int]:
    """A type for argparse: an integer of at least `least`."""

    def integer(text: str) -> int:
        try:
            value = int(text.replace("_", ""))
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text}; expected an integer of at least {least}")
        return value

    return integer


def positive(text: str) -> float:
    """A type for argparse: a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}; expected a number above 0")
    return value


def refuse_existing(path: Path, instead: str = "give another name, or --force to replace it") -> None:
    """Raise FileExistsError if `path` is there already, and not an empty folder; `instead`: what the user can do."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise FileExistsError(f"{path} exists; {instead}")


@contextmanager
def clear_errors(program: str | None = None) -> Iterator[None]:
    """End the program with exit code 2 and one line if what the user asked for cannot be, without a traceback.

    That is a ValueError, an ImportError of a missing extra, or an OSError. `program`: its name, by default that of the
    file.
    """
    try:
        yield
    except (ValueError, ImportError, OSError) as error:
        line = " ".join(str(error).split())
        print(f"{program or Path(sys.argv[0]).name}: error: {line}", file=sys.stderr)
        raise SystemExit(2) from error
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
