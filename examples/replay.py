"""Record games, and look at one of them in a browser.

    python examples/replay.py --game tsukiji --players greedy random --games 10
    python examples/replay.py --models runs/scalas-0/model.zip --players greedy
    python examples/replay.py --file runs/replay-tsukiji/games.jsonl --number 3

The first two play games between two players and add them to runs/<name>/games.jsonl; all leave runs/<name>/replay.html,
a page with every position of one game, that of --number.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

from common import game_parser, parsed_game
from nakajima_zoo.arena.evaluate import play_games, score
from nakajima_zoo.arena.recordings import Recording, read_recordings
from nakajima_zoo.arena.replay import replay_html
from nakajima_zoo.players.base import Player
from nakajima_zoo.players.names import PLAYERS, make_player


def main() -> None:
    """Play and record, or read; then write the page."""
    parser, arguments = parse_arguments()
    folder = Path("runs") / (arguments.name or f"replay-{arguments.game}")
    folder.mkdir(parents=True, exist_ok=True)
    file = arguments.file or folder / "games.jsonl"
    if arguments.file is None:
        record(parser, arguments, file)
    try:
        found = next(itertools.islice(read_recordings(file), arguments.number, None), None)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if found is None:
        parser.error(f"{file} has no game number {arguments.number}; expected one counted from 0")
    page = folder / "replay.html"
    page.write_text(replay_html(found.replay(), title(found, arguments.number)), encoding="utf-8")
    print(f"game {arguments.number} of {file}: {len(found.actions)} actions, {found.result}\nopen {page} in a browser")


def parse_arguments() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    """What to play, or which file to look at."""
    parser = game_parser(__doc__)
    parser.add_argument("--players", nargs="*", choices=PLAYERS, default=[], help="after the models")
    parser.add_argument("--models", nargs="*", type=Path, default=[], help="models saved by MaskablePPO")
    parser.add_argument("--games", type=int, default=10, help="games to play and record")
    parser.add_argument("--file", type=Path, help="look at a game of this file instead of playing")
    parser.add_argument("--number", type=int, default=0, help="which game of the file the page shows, from 0")
    arguments = parser.parse_args()
    if arguments.number < 0:
        parser.error(f"--number {arguments.number}; expected 0 or more")
    return parser, arguments


def record(parser: argparse.ArgumentParser, arguments: argparse.Namespace, file: Path) -> None:
    """Play games between the two players and write them into a new file."""
    game = parsed_game(parser, arguments)
    file.unlink(missing_ok=True)
    players: list[Player] = []
    for path in arguments.models:
        from nakajima_zoo.players.models import ModelPlayer

        players.append(ModelPlayer(path))
    players += [make_player(name, arguments.seed + seat) for seat, name in enumerate(arguments.players)]
    if not players:
        players = [make_player("greedy", arguments.seed), make_player("random", arguments.seed)]
    if len(players) != 2:
        parser.error(f"{len(players)} players; expected two, models and others together")
    finals = play_games(game, (players[0], players[1]), arguments.games, arguments.seed, file)
    print(f"{game}: {arguments.games} games; player_0: {score(finals, 0)}")


def title(found: Recording, number: int) -> str:
    """What the page is called."""
    who = " against ".join(found.players) if found.players else ""
    return f"{found.game}, game {number}" + (f": {who}" if who else "")


if __name__ == "__main__":
    main()
