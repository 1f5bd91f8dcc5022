"""Let players and trained models play each other, and rate them.

    python examples/tournament.py --game scalas
    python examples/tournament.py --game scalas --models runs/a/model.zip runs/b/model.zip --games 500

Prints the standings, and leaves runs/<name>/: standings.csv and standings.png.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from common import game_parser, parsed_game
from nakajima_zoo.arena.tournament import draw, round_robin, standings
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.players.base import Player
from nakajima_zoo.players.models import ModelPlayer
from nakajima_zoo.players.names import PLAYERS, make_player


def main() -> None:
    """Play, print, draw."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    folder = Path("runs") / (arguments.name or f"tournament-{arguments.game}")
    folder.mkdir(parents=True, exist_ok=True)
    players = {name: make_player(name) for name in arguments.players}
    players |= {model_name(path): load_model(game, path) for path in arguments.models}
    start = time.perf_counter()
    results = round_robin(game, players, arguments.games, arguments.seed)
    table = standings(results)
    played = results.games.sum() // 2
    print(f"{game}: {played} games in {time.perf_counter() - start:.1f} s\n\n{table.to_string(float_format='%.2f')}")
    table.to_csv(folder / "standings.csv")
    draw(results, table, str(game)).savefig(folder / "standings.png", dpi=120)
    print(f"\nresults are in {folder}/")


def parse_arguments() -> argparse.Namespace:
    """Who plays what, and how often."""
    parser = game_parser(__doc__)
    parser.add_argument("--players", nargs="*", choices=PLAYERS, default=["random", "greedy"])
    parser.add_argument("--models", nargs="*", type=Path, default=[], help="models saved by MaskablePPO")
    parser.add_argument("--games", type=int, default=200, help="games of each pair, per seat")
    arguments = parser.parse_args()
    names = [*arguments.players, *map(model_name, arguments.models)]
    arguments.made_game = parsed_game(parser, arguments)
    if len(names) < 2 or len(set(names)) < len(names):
        parser.error(f"players {', '.join(names)}; expected two or more, all of different names")
    return arguments


def model_name(path: Path) -> str:
    """What a model is called: its folder, if the file has the name that `train.py` gives, else the file."""
    return path.parent.name if path.name == "model.zip" else path.stem


def load_model(game: Game, path: Path) -> Player:
    """The model as a player. Raises SystemExit if it was trained on something else."""
    player = ModelPlayer(path)
    if (player.model.action_space.n, player.model.observation_space.shape) != (
        game.num_actions,
        game.observation_shape,
    ):
        raise SystemExit(f"{path} was not trained on {game}")
    return player


if __name__ == "__main__":
    main()
