"""MCTS with random games against the random and the greedy player.

    python examples/mcts.py --game scalas
    python examples/mcts.py --game tsukiji --simulations 1000 --games 50 --cut 30
    python examples/mcts.py --game ring_world --set levels=4 --set turns=staged --cut 40

Leaves runs/<name>/evaluation.txt. The player learns nothing; wherever a player is wanted it goes by the name
`mcts:200`, or as `MCTSPlayer(simulations=200)`.
"""

from __future__ import annotations

import argparse
import time

from common import game_parser, keep_text, parse, until_stopped
from nakajima_zoo import Game, Positions, Score, evaluate, make_player
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import needs
from nakajima_zoo.players import MCTSPlayer

with clear_errors(), needs("train", "this example"):
    from tqdm import tqdm

AT_ONCE = 10  # games per seat between two signs of progress


def main() -> None:
    """Play, print, keep."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    arguments.folder.mkdir(parents=True, exist_ok=True)
    player = MCTSPlayer(arguments.simulations, arguments.exploration, arguments.cut)
    print(f"{game}: {speed(game, player):,.0f} simulations per second from the start position, on one core")
    lines = [f"against {name:6}: {play(game, player, name, arguments)}" for name in ("random", "greedy")]
    keep_text(arguments.folder, "\n".join(lines))


def parse_arguments() -> argparse.Namespace:
    """What to play, and how hard to think."""
    parser = game_parser(__doc__)
    parser.add_argument("--simulations", type=at_least(1), default=200, help="random games per decision")
    parser.add_argument(
        "--exploration", type=positive, default=1.0, help="weight of what was tried little against what went well"
    )
    parser.add_argument("--cut", type=at_least(1), help="decisions after which a random game goes by the points")
    parser.add_argument("--games", type=at_least(1), default=50, help="per seat and opponent")
    return parse(parser, "mcts")


def speed(game: Game, player: MCTSPlayer) -> float:
    """Simulations per second, compilation not counted."""
    start = Positions(game, game.new_states(1))
    player.choose(start)
    began = time.perf_counter()
    player.choose(start)
    return player.simulations / (time.perf_counter() - began)


def play(game: Game, player: MCTSPlayer, name: str, arguments: argparse.Namespace) -> Score:
    """What the player makes of its games in both seats."""
    total = Score()
    with tqdm(total=2 * arguments.games, desc=f"against {name}", unit="game") as progress:
        for first in until_stopped(range(0, arguments.games, AT_ONCE)):
            games = min(AT_ONCE, arguments.games - first)
            both = evaluate(game, player, make_player(name), games, arguments.seed + 2 * first)
            total = total + both[0] + both[1]
            progress.set_postfix(won=total.wins, lost=total.losses)
            progress.update(2 * games)
    return total


if __name__ == "__main__":
    main()
