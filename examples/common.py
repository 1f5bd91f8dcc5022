"""What the examples share: arguments, folders for results, an end by Ctrl-C, the frame of a training, and reports."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import TypeVar

from nakajima_zoo import Game, Player, Score, evaluate, make_game
from nakajima_zoo.arguments import (
    add_parameters,
    at_least,
    chosen_game,
    clear_errors,
    make_parser,
    refuse_existing,
)
from nakajima_zoo.players import League

RUNS = Path("runs")
GIB = 1 << 30
LIBRARIES = 0.5 * GIB  # what PyTorch and the others take

Model = TypeVar("Model")
Step = TypeVar("Step")


# Arguments and folders


def game_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with `--game`, `--set`, `--seed`, `--name` and `--force`; `description` is the example's docstring."""
    parser = make_parser(description)
    parser.add_argument("--game", default="scalas", help="a game, as a name or with parameters: 'scalas(size=6)'")
    add_parameters(parser)
    parser.add_argument("--seed", type=at_least(0), default=0, help="decides all chance")
    parser.add_argument("--name", help="folder below runs/ for the results (default: by game, parameters and seed)")
    parser.add_argument("--force", action="store_true", help="write into that folder even if it holds results")
    return parser


def learner_parser(description: str | None) -> argparse.ArgumentParser:
    """The same with `--eval-games`."""
    parser = game_parser(description)
    parser.add_argument("--eval-games", type=at_least(1), default=200, help="games of the final evaluation, per seat")
    return parser


def parse(parser: argparse.ArgumentParser, kind: str = "") -> argparse.Namespace:
    """The arguments, with the game that they choose as `made_game` and the folder for the results as `folder`.

    `kind`: of the example, with which the folder's name begins. Nothing is written yet. Ends the program with a clear
    line if there is no such game, or if the folder holds something; `--force` and `--resume` allow that.
    """
    arguments = parser.parse_args()
    game = arguments.made_game = chosen_game(parser, arguments)
    arguments.folder = RUNS / (arguments.name or run_name(kind, game, arguments.seed))
    ways = "--name gives another folder, --force writes into this one"
    if "resume" in arguments:
        ways += ", --resume goes on from its model"
    if not (arguments.force or getattr(arguments, "resume", False)):
        with clear_errors(parser.prog):
            refuse_existing(arguments.folder, ways)
    return arguments


def run_name(kind: str, game: Game, seed: int) -> str:
    """`cleanrl-scalas-size6-0`: the example, the game, those parameters that are not as by default, and the seed."""
    words = [kind, game.name]
    for name, value in game.parameters.items():
        others = {other: kept for other, kept in game.parameters.items() if other != name}
        if make_game(game.name, **others) != game:
            words.append(f"{name}{value}" if isinstance(value, int) else f"{name}-{value}")
    return "-".join(filter(None, [*words, str(seed)]))


def check_memory(parser: argparse.ArgumentParser, needed: float, what: str, instead: str) -> None:
    """Say how much memory is needed; end the program with a clear line if the machine does not have it.

    `needed`: bytes, beside the libraries. `what`: what takes most of it. `instead`: what the user can do.
    """
    there, needed = machine_memory(), needed + LIBRARIES
    print(f"memory: about {needed / GIB:.1f} GiB, most of it for {what}", flush=True)
    if there is not None and needed > there:
        parser.exit(2, f"{parser.prog}: error: this machine has {there / GIB:.1f} GiB of memory; {instead}\n")


def machine_memory() -> int | None:
    """The bytes of memory that this machine, or its container, has; None where the system does not tell."""
    known = []
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.is_file() and (text := limit.read_text().strip()).isdigit():
        known.append(int(text))
    return min(known, default=None)


# An end by Ctrl-C


class Stop:
    """Within its block Ctrl-C is noted as `asked`, so that a training can end where its model is whole.

    A second Ctrl-C raises KeyboardInterrupt, as usual.
    """

    asked = False

    def __enter__(self) -> Stop:
        self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("\nstopping: what was learned so far is kept; Ctrl-C once more ends at once", flush=True)


def until_stopped(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of a training, until Ctrl-C: then there is no further one, and the loop ends after its last."""
    with Stop() as stop:
        for step in steps:
            yield step
            if stop.asked:
                return


# The frame, and what it reports


def run(
    arguments: argparse.Namespace,
    train: Callable[[Game, argparse.Namespace], Model],
    save: Callable[[Model, Path], object],
    load: Callable[[Path], Player | Mapping[str, Player]],
) -> None:
    """Train, save, load again, and report in the folder of the arguments how good that is.

    `save` and `load` get the folder; `load` returns one player, or several with names.
    """
    game, folder = arguments.made_game, arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    model = train(game, arguments)
    save(model, folder)
    print(f"trained in {time.perf_counter() - start:.0f} s")
    players = load(folder)
    named = players if isinstance(players, Mapping) else {"": players}
    keep_text(folder, "\n".join(named_report(name, player, arguments) for name, player in named.items()))
    print(f"results are in {folder}/")


def named_report(name: str, player: Player, arguments: argparse.Namespace) -> str:
    """The `report` of one player, below his name if he has one."""
    text = report(arguments.made_game, player, arguments.eval_games, arguments.seed + 1)
    return f"{name}\n{text}" if name else text


def report(game: Game, player: Player, games_per_seat: int, seed: int, *, greedy: bool = True) -> str:
    """How `player` does against the random and, if asked, the greedy player: wins with 95 % intervals, by seat.

    Raises AssertionError if the player chose an illegal action.
    """
    lines = []
    for name in ("random", "greedy") if greedy else ("random",):
        first, second = evaluate(game, player, name, games_per_seat, seed)
        total = first + second
        assert total.illegal == 0, f"the agent chose {total.illegal} illegal actions"
        rows: list[tuple[str, Score]] = [("player_0", first), ("player_1", second), ("both", total)]
        lines += [f"against {name:6} as {seat:8}: {score}" for seat, score in rows]
    return "\n".join(lines)


def keep_text(folder: Path, text: str) -> None:
    """Print the evaluation, and write it into evaluation.txt."""
    print(text)
    (folder / "evaluation.txt").write_text(text + "\n")


def add_snapshot(league: League, snapshot: Player, random_share: float) -> None:
    """A frozen copy of the learner joins a league that begins with the random player, who keeps his share.

    The newest copy gets half of the rest, and the older ones share what is left.
    """
    league.add(snapshot)
    older, half = len(league.players) - 2, (1 - random_share) / 2
    league.weights = [random_share, *[half / max(older, 1)] * older, half]
