"""What the examples share: the arguments that choose a game, leagues of copies, the report of how good a player is."""

from __future__ import annotations

import argparse
from pathlib import Path

from nakajima_zoo.arena.evaluate import Score, evaluate
from nakajima_zoo.envs import GAMES
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.players.base import Player
from nakajima_zoo.players.league import League
from nakajima_zoo.players.simple import GreedyPlayer, RandomPlayer


def game_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with `--game`, `--set`, `--seed` and `--name`; `description` is the example's docstring."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="scalas")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        type=parse_parameter,
        action="append",
        default=[],
        help="a parameter of the game, such as size=6; may be repeated",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", help="folder below runs/ for the results")
    return parser


def parse_parameter(text: str) -> tuple[str, int | str]:
    """`size=6` as ("size", 6): a parameter of the game."""
    name, _, value = text.partition("=")
    return name, int(value) if value.lstrip("-").isdigit() else value


def parsed_game(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Game:
    """The game of the arguments; ends the program with a clear line if there is no such game."""
    try:
        return make_game(arguments.game, **dict(arguments.set))
    except ValueError as error:
        parser.error(str(error))


def parse_with_game(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments, with the game they choose as `made_game`."""
    arguments = parser.parse_args()
    arguments.made_game = parsed_game(parser, arguments)
    return arguments


def add_snapshot(league: League, snapshot: Player, random_share: float) -> None:
    """A frozen copy of the learner joins a league that begins with the random player, who keeps his share.

    The newest copy gets half of the rest, and the older ones share what is left.
    """
    league.add(snapshot)
    older, half = len(league.players) - 2, (1 - random_share) / 2
    league.weights = [random_share, *[half / max(older, 1)] * older, half]


def report(game: Game, player: Player, games_per_seat: int, seed: int, *, greedy: bool = True) -> str:
    """How `player` does against the random and, if asked, the greedy player: wins with 95 % intervals, by seat.

    Raises AssertionError if the player chose an illegal action.
    """
    lines = []
    opponents: dict[str, Player] = {"random": RandomPlayer()} | ({"greedy": GreedyPlayer()} if greedy else {})
    for name, opponent in opponents.items():
        first, second = evaluate(game, player, opponent, games_per_seat, seed)
        total = first + second
        assert total.illegal == 0, f"the agent chose {total.illegal} illegal actions"
        rows: list[tuple[str, Score]] = [("player_0", first), ("player_1", second), ("both", total)]
        lines += [f"against {name:6} as {seat:8}: {score}" for seat, score in rows]
    return "\n".join(lines)


def keep_report(game: Game, player: Player, arguments: argparse.Namespace, folder: Path) -> None:
    """Print the `report` of `arguments.eval_games` games per seat, and write it into evaluation.txt."""
    evaluation = report(game, player, arguments.eval_games, arguments.seed + 1)
    print(evaluation)
    (folder / "evaluation.txt").write_text(evaluation + "\n")
