"""The command line: `nakajima-zoo`, or `python -m nakajima_zoo`. Each command is thin over the library."""

from __future__ import annotations

import argparse
import inspect
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import __version__, arena
from .arena.replay import title_of
from .arguments import (
    HelpFormatter,
    add_parameters,
    at_least,
    clear_errors,
    make_parser,
    parameters_text,
    positive,
    refuse_existing,
)
from .envs import GAMES
from .envs.core.batch import Batch
from .envs.core.env import BoardGameEnv
from .envs.core.game import Game
from .envs.core.registry import game_function, game_names, make_game
from .envs.core.threads import cores
from .envs.core.types import Mask, Observation, Reals
from .envs.variants import VARIANTS
from .players.base import Positions
from .players.mcts import MCTSPlayer
from .players.names import make_player, player_names
from .players.network_search import NetworkSearch
from .players.simple import GreedyPlayer, RandomPlayer

if TYPE_CHECKING:
    from .arena import Recording, Score

PROGRAM = "nakajima-zoo"
GAME_HELP = "a game, as a name or with parameters: scalas, 'scalas(size=6)'"
PLAYER_HELP = (
    f"{', '.join(player_names())}, mcts:400, 'mcts(cut=30)', module:function, or a model file: .safetensors, or .zip, "
    "which is unpickled and can run any code: load none that you do not trust"
)

Command = Callable[[argparse.Namespace], None]


def main(words: Sequence[str] | None = None) -> None:
    """Run the command of `words`, by default of the command line.

    Raises SystemExit: with code 2 for what the user got wrong, after one line on stderr.
    """
    parser = command_line()
    arguments = parser.parse_args(words)
    sys.path.append(os.getcwd())  # where `module:function` may be
    with clear_errors(PROGRAM):
        arguments.run(arguments)


def command_line() -> argparse.ArgumentParser:
    """All commands, with their arguments."""
    parser = make_parser("Games by Masahiro Nakajima as reinforcement-learning environments.", prog=PROGRAM)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.set_defaults(run=lambda arguments: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in (add_games, add_compile, add_evaluate, add_tournament, add_record, add_replay, add_play):
        add(commands)
    return parser


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, run: Command
) -> argparse.ArgumentParser:
    """A command; its function's docstring describes it."""
    description = inspect.getdoc(run) or ""
    parser = commands.add_parser(
        name, help=description.partition("\n")[0], description=description, formatter_class=HelpFormatter
    )
    parser.set_defaults(run=run)
    return parser


def add_game(parser: argparse.ArgumentParser) -> None:
    """What the commands that play have in common: the game, and the seed."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    add_parameters(parser)
    parser.add_argument("--seed", type=at_least(0), default=0, help="decides all chance")


def add_opening(parser: argparse.ArgumentParser) -> None:
    """What the commands that let players play have in common: random openings."""
    help_text = (
        "the first decisions of each game, so many, are random, so that players without chance do not repeat one"
    )
    parser.add_argument("--opening", type=at_least(0), default=0, help=help_text)


def game_of(arguments: argparse.Namespace) -> Game:
    """The game of the arguments that `add_game` made. Raises ValueError if there is none."""
    return make_game(arguments.game, **dict(arguments.set))


# games


def add_games(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo games`."""
    parser = add_command(commands, "games", show_games)
    parser.add_argument("games", metavar="GAME", nargs="*", help="these games alone, with what their parameters mean")


def show_games(arguments: argparse.Namespace) -> None:
    """Show all games and variants: actions, observations, decisions, parameters.

    A variant is a game with parameters, which `--set` and brackets change: scalas(size=6).
    """
    names = arguments.games or game_names()
    for name in names:
        if name not in game_names():
            raise ValueError(f"game {name!r} unknown; expected one of {', '.join(game_names())}")
    heads = ("game", "version", "parameters", "actions", "observation", "decisions")
    print_table([heads, *(row for name in names for row in rows_of(name))])
    for name in arguments.games:
        with suppress(Exception):  # of a game that does not work; the table says why
            print(f"\n{name}: {inspect.getdoc(game_function(name))}")


def rows_of(name: str) -> Iterable[tuple[str, ...]]:
    """The rows of a game: with its defaults, then its other variants. Of one that does not work, why."""
    try:
        default = make_game(name)
    except Exception:  # a game from outside may raise anything; the others are still to be shown
        yield name, "", parameters_text(name), "", "", ""
        return
    yield facts(default)
    games = (make_game(name, **parameters) for game, parameters in VARIANTS.values() if game == name)
    yield from (facts(game) for game in games if game != default)


def facts(game: Game) -> tuple[str, ...]:
    """The row of a variant."""
    parameters = " ".join(f"{key}={value}" for key, value in game.parameters.items())
    shape = "x".join(map(str, game.observation_shape))
    return game.name, str(game.version), parameters, str(game.num_actions), shape, ", ".join(game.decisions)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


# compile


def add_compile(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo compile`."""
    parser = add_command(commands, "compile", compile_games)
    parser.add_argument("games", metavar="GAME", nargs="*", help=f"{GAME_HELP}; default: every game with its defaults")


def compile_games(arguments: argparse.Namespace) -> None:
    """Compile the rules, the greedy player and the search now, so that no first use has to wait.

    What is compiled is kept, for a game with a board: others (scalas(size=6), ring_world(levels=4)) are compiled when
    they are first used, or when they are given here.
    """
    texts = arguments.games or list(GAMES) + [name for name in game_names() if name not in GAMES]
    for text in texts:
        make_game(text)
    start = time.perf_counter()
    texts = texts[::-1]  # the slowest first
    with ProcessPoolExecutor(min(cores(), len(texts))) as pool:
        for text, seconds in zip(texts, pool.map(compile_game, texts), strict=True):
            print(f"{text:24} {seconds:6.1f} s", flush=True)
    print(f"{'all':24} {time.perf_counter() - start:6.1f} s")


def compile_game(text: str) -> float:
    """Play a few decisions of the game, alone, in a batch and by search; returns the seconds that took."""
    start = time.perf_counter()
    env = BoardGameEnv(make_game(text))
    env.reset(seed=0)
    env.observe(env.agent_selection)
    env.step(env.legal_actions()[0])
    env.from_text(env.to_text())
    batch = Batch(env.game, 2)
    batch.reset(0)
    for player in (RandomPlayer(), GreedyPlayer(), MCTSPlayer(2)):
        batch.step(player.choose(Positions.of_batch(batch, np.arange(2))))
    NetworkSearch(env.game, 2, 2).run(batch.states, know_nothing, np.random.default_rng(0), noise=0.25)
    positions = Positions(env.game, batch.states)
    assert len(positions.action_mask) == len(positions.observation)  # they are worked out when they are asked for
    return time.perf_counter() - start


def know_nothing(observation: Observation, mask: Mask) -> tuple[Reals, Reals]:
    """Judge all legal actions as equally good, and every position as even: float32 (k, num_actions) and (k,)."""
    return mask / mask.sum(axis=1, keepdims=True, dtype=np.float32), np.zeros(len(mask), np.float32)


# evaluate


def add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo evaluate`."""
    parser = add_command(commands, "evaluate", show_evaluation)
    add_game(parser)
    parser.add_argument("player", metavar="PLAYER", help=PLAYER_HELP)
    parser.add_argument("opponent", metavar="OPPONENT", nargs="?", default="random", help="as PLAYER")
    parser.add_argument("--games", type=at_least(1), default=100, help="games per seat")
    add_opening(parser)
    parser.add_argument("--file", type=Path, help="add the games to this file, as `replay` reads them")


def show_evaluation(arguments: argparse.Namespace) -> None:
    """Let a player play against another one in both seats, and show what it won."""
    game = game_of(arguments)
    player, opponent = make_player(arguments.player), make_player(arguments.opponent)
    check_recordings(arguments.file)
    print(f"{game}: {arguments.player} against {arguments.opponent}, {arguments.games} games per seat", flush=True)
    first, second = arena.evaluate(
        game, player, opponent, arguments.games, arguments.seed, arguments.file, arguments.opening
    )
    for name, score in (("as player_0", first), ("as player_1", second), ("both", first + second)):
        print(f"{name:11}: {score_text(score)}")


def score_text(score: Score) -> str:
    """The score with its interval, as far as SciPy is there for it."""
    try:
        return str(score)
    except ImportError as error:
        return f"{score.counts()} ({error})"


def check_recordings(file: Path | None) -> None:
    """Raise ValueError if games are to be added to a file that holds something else."""
    if file is not None and file.exists():
        next(arena.read_recordings(file), None)


# tournament


def add_tournament(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo tournament`."""
    parser = add_command(commands, "tournament", show_tournament)
    add_game(parser)
    parser.add_argument("players", metavar="PLAYER", nargs="+", help=PLAYER_HELP)
    parser.add_argument("--games", type=at_least(1), default=100, help="games of each pair, per seat")
    add_opening(parser)
    parser.add_argument(
        "--out", type=Path, action="append", default=[], help="a .csv or .png file for the standings; may be repeated"
    )
    parser.add_argument("--force", action="store_true", help="replace the files of --out if they exist")


def show_tournament(arguments: argparse.Namespace) -> None:
    """Let all players play each other in both seats, and rate them. Needs the extra `train`."""
    game = game_of(arguments)
    for path in arguments.out:
        check_out(path, arguments.force, (".csv", ".png"))
    start = time.perf_counter()
    results = arena.round_robin(game, arguments.players, arguments.games, arguments.seed, arguments.opening)
    table = arena.standings(results)
    print(f"{game}: {results.games.sum() // 2} games in {time.perf_counter() - start:.1f} s\n")
    print(table.to_string(float_format="%.2f"))
    for path in arguments.out:
        if path.suffix == ".csv":
            table.to_csv(path)
        else:
            arena.plot_standings(results, table, str(game)).savefig(path, dpi=120)


def check_out(path: Path, force: bool, kinds: tuple[str, ...], argument: str = "--out") -> None:
    """Raise an error, before anything is played, if `path` is not to be written."""
    if path.suffix not in kinds:
        raise ValueError(f"{argument} {path}; expected a name that ends with {' or '.join(kinds)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{argument} {path}; there is no folder {path.parent}")
    if not force:
        refuse_existing(path)


# record, replay


def add_record(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo record`."""
    parser = add_command(commands, "record", record_games)
    add_game(parser)
    parser.add_argument("first", metavar="FIRST", help=f"player_0: {PLAYER_HELP}")
    parser.add_argument("second", metavar="SECOND", help="player_1, as FIRST")
    parser.add_argument("--games", type=at_least(1), default=10, help="games to play")
    add_opening(parser)
    parser.add_argument("--file", type=Path, default=Path("games.jsonl"), help="the games are added to it")


def record_games(arguments: argparse.Namespace) -> None:
    """Let two players play, and add their games to a file."""
    game, players = game_of(arguments), (arguments.first, arguments.second)
    check_recordings(arguments.file)
    finals = arena.play_games(game, players, arguments.games, arguments.seed, arguments.file, arguments.opening)
    print(f"{game}: {arguments.games} games added to {arguments.file}")
    print(f"player_0 ({arguments.first}): {score_text(arena.score(finals, 0))}")


def add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo replay`."""
    parser = add_command(commands, "replay", write_replay)
    parser.add_argument("file", metavar="FILE", type=Path, help="recorded games")
    parser.add_argument("--number", type=at_least(0), default=0, help="which game of the file, from 0")
    parser.add_argument("--out", type=Path, help="the page (default: beside the file, with the game's number)")
    parser.add_argument("--animation", type=Path, help="an animated .svg instead of the page, or beside it with --out")
    parser.add_argument("--seconds", type=positive, default=1.0, help="of the animation, for each position")
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def write_replay(arguments: argparse.Namespace) -> None:
    """Write a page that shows every position of one recorded game, or an animation. Needs the extra `render`."""
    file, number, animation = arguments.file, arguments.number, arguments.animation
    page = arguments.out or (file.with_name(f"{file.stem}-{number}.html") if animation is None else None)
    found = next(itertools.islice(arena.read_recordings(file), number, None), None)
    if found is None:
        raise ValueError(f"{file} has no game number {number}; expected one counted from 0")
    if page is not None:
        check_out(page, arguments.force, (".html", ".htm"))
    if animation is not None:
        check_out(animation, arguments.force, (".svg",), "--animation")
    print(f"game {number} of {file}: {len(found.actions)} actions, {found.result}")
    env = found.replay()
    shown = title(env.game, found, number)
    if page is not None:
        page.write_text(arena.replay_html(env, shown, found.loser), encoding="utf-8")
    if animation is not None:
        animation.write_text(arena.animated_svg(env, arguments.seconds, shown, found.loser), encoding="utf-8")
    print(f"open {page or animation} in a browser")


def title(game: Game, found: Recording, number: int) -> str:
    """What the page is called."""
    return f"{title_of(game, found.players)}, game {number}"


# play


def add_play(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`nakajima-zoo play`."""
    parser = add_command(commands, "play", play_at_table)
    parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME_HELP}; none: the page asks")
    add_parameters(parser)
    parser.add_argument("--players", metavar="PLAYER", nargs=2, default=[], help=f"'human', or {PLAYER_HELP}")
    parser.add_argument("--seed", type=at_least(0), help="decides all chance, that of players too")
    parser.add_argument("--terminal", action="store_true", help="in this terminal, without a browser")
    parser.add_argument("--port", type=at_least(0), default=8642, help="of the page; 0: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="open no browser, show the link alone")
    parser.add_argument("--network", action="store_true", help="let others in the network in, who know the link")
    parser.add_argument(
        "--state", metavar="FOLDER", type=Path, help="where games are kept (default: as XDG_STATE_HOME)"
    )


def play_at_table(arguments: argparse.Namespace) -> None:
    """Play, watch and review games at a table, in a browser or in a terminal.

    The browser needs the extra `play`; the terminal needs none.
    """
    if arguments.terminal:
        from .play.terminal import run_terminal

        if arguments.game is None:
            raise ValueError(f"no game for the terminal; expected one of {', '.join(game_names())}")
        run_terminal(game_of(arguments), arguments.players, arguments.seed, arguments.state)
        return
    from .play import serve

    game = game_of(arguments) if arguments.game else None
    browser = not arguments.no_browser
    serve(game, arguments.players, arguments.port, arguments.network, arguments.state, browser, seed=arguments.seed)
