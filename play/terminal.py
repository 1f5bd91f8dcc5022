"""The table in a terminal: whole games with the notation, between people and players in any seats. Needs no extra."""

from __future__ import annotations

import cmd
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path

import numpy as np

from ..arena.recordings import read_recordings, write_recordings
from ..arena.replay import result_words, side_name
from ..envs.core.game import Game
from ..envs.core.registry import as_game
from ..envs.core.types import Record
from ..players.base import Player, Positions, choose_legal
from ..players.mcts import MCTSPlayer
from ..players.names import make_player
from .search import Search
from .store import Store, state_folder
from .table import HUMAN, Table

HINT = "mcts:200"
BEST = 3  # actions of a hint
SLICE = 20  # simulations between which Ctrl-C is noticed
SHOWN = 60  # actions that `moves` lists
KEPT = 10  # games that `load` lists
WIDTH = 100


def run_terminal(
    game: Game | str, players: Sequence[str] = (), seed: int | None = None, state: Path | None = None
) -> None:
    """Play a game in the terminal until `quit`, or the end of the input.

    `players`: of both seats, "human" or names of players; two people by default. `seed`: decides all chance, that of
    players too; fresh by default. `state`: the folder where the game is kept after every action, that of the page by
    default. Raises ValueError for players that there are not.
    """
    seats = list(players) or [HUMAN, HUMAN]
    if len(seats) != 2:
        raise ValueError(f"{len(seats)} players; expected two, such as human mcts:200")
    terminal = Terminal(Table(as_game(game), seats, seed), Store(state or state_folder()))
    terminal.run()


def told(command: Callable[[Terminal, str], None]) -> Callable[[Terminal, str], None]:
    """Let a command say what is wrong instead of ending the program, and stop at Ctrl-C."""

    @wraps(command)
    def checked(self: Terminal, words: str) -> None:
        try:
            command(self, words)
        except KeyboardInterrupt:
            self.say("stopped")
        except Exception as error:  # a player from outside may raise anything; the game is as it was
            self.say(str(error) or type(error).__name__)

    return checked


class Terminal(cmd.Cmd):
    """Reads commands and actions, and does at the table what they say."""

    def __init__(self, table: Table, store: Store) -> None:
        """Raises ValueError for players that there are not."""
        super().__init__()
        self.store = store
        self.players: dict[str, Player] = {}
        self.sit_down(table)

    def sit_down(self, table: Table) -> None:
        """Take a table. Raises ValueError, with the table as before, for players that there are not."""
        for number, seat in enumerate(table.seats):
            if seat != HUMAN and seat not in self.players:
                self.players[seat] = make_player(seat, table.seed + 1 + number)
        self.table = table
        self.random = make_player("random", table.seed)

    def run(self) -> None:
        """Show the table, and read until the end."""
        seed = f", seed {self.table.seed}" if self.table.game.has_chance else ""
        self.say(f"{self.table.title}{seed}", "Type an action as it is written, or help.", "")
        self.show()
        self.onecmd("go" if HUMAN in self.table.seats else "auto")
        self.cmdloop()

    # Reading: what `cmd` asks for

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Who is to do what."""
        return f"{self.waiting}> "

    @property
    def waiting(self) -> str:
        """`Red to place`, or how the game ended."""
        table = self.table
        if table.over:
            return result_words(table.game, table.result)
        decision = table.game.decisions[int(table.state.decision)].replace("_", " ")
        return f"{side_name(table.game, int(table.state.player))} to {decision}"

    def cmdloop(self, intro: str | None = None) -> None:
        """Read until `quit`; Ctrl-C gives up the line, not the game."""
        while True:
            try:
                return super().cmdloop(intro)
            except KeyboardInterrupt:
                self.say("^C (quit leaves; the game is kept)")

    def emptyline(self) -> bool:
        """Enter alone lets players that are to act go on, and does nothing else."""
        self.onecmd("go")
        return False

    def precmd(self, line: str) -> str:
        """Commands may be written in capitals."""
        word, space, rest = line.strip().partition(" ")
        return f"{word.lower()}{space}{rest}" if hasattr(self, f"do_{word.lower()}") else line.strip()

    @told
    def default(self, line: str) -> None:
        """An action, or several with semicolons between."""
        before = self.table.number
        for text in line.split(";"):
            if not self.act(text.strip()):
                break
        if self.table.number > before:
            self.show()

    def completenames(self, text: str, *ignored: object) -> list[str]:
        """Commands and actions that begin so."""
        return [*super().completenames(text), *self.completedefault(text, text, 0, len(text))]

    def completedefault(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """What is left of the actions that begin with the line."""
        return [found[begin:] for found in self.beginning_with(line.lstrip())]

    def say(self, *lines: str) -> None:
        """Print lines."""
        print(*lines, sep="\n", file=self.stdout, flush=True)

    # Actions

    def act(self, text: str) -> bool:
        """Play what a person has written, and let the players go on; whether that was an action that he could play."""
        why = self.table.why_not(None)
        if not why:
            action, why = self.understood(text)
        if why:
            self.say(why)
            return False
        self.play(action)
        self.go_on()
        return True

    def go_on(self) -> None:
        """Let the players play that are no people, as long as it is theirs to act."""
        while self.table.machine_to_act:
            seat = self.table.seats[int(self.table.state.player)]
            self.play_by(self.players[seat], seat)

    def understood(self, text: str) -> tuple[int, str]:
        """The action that a text names, and nothing if it is legal, else what is wrong; -1 if it names none."""
        game, state, begin = self.table.game, self.table.state, self.beginning_with(text)
        try:
            exact = [each for each in begin if len(each) == len(" ".join(text.split()))]  # in whatever case
            action = action_named(game, state, exact[0] if exact else text)
        except ValueError as error:
            if not begin:
                return -1, f"{error}\n(moves: what is legal; help: what else can be typed)"
            return -1, f"{text!r} goes on: {', or '.join(begin[:BEST])}{', or ...' * (len(begin) > BEST)}"
        why, name = game.why_illegal(state, action), game.notation.action_to_text(state, action)
        return action, f"not legal: {name}: {why}" if why else ""

    def beginning_with(self, text: str) -> list[str]:
        """The legal actions, as they are written, that begin so."""
        if self.table.over:
            return []
        game, state, wanted = self.table.game, self.table.state, " ".join(text.lower().split())
        texts = (game.notation.action_to_text(state, action) for action in legal_actions(self.table))
        return [text for text in texts if text.lower().startswith(wanted)]

    def play(self, action: int) -> None:
        """Play a legal action, and keep the game."""
        self.table.play_action(action)
        self.store.save(self.table)

    def play_by(self, player: Player, name: str) -> None:
        """Let a player play one action, and tell it."""
        game, state = self.table.game, self.table.state
        who = side_name(game, int(state.player))
        action = chosen(game, state, player)
        text = game.notation.action_to_text(state, action)
        self.play(action)
        self.say(f"{who} ({name}): {text}")

    def show(self) -> None:
        """Show the position, and how the game ended if it has."""
        self.say("", self.table.game.notation.state_to_text(self.table.state), "")
        if self.table.over:
            self.say(f"The game is over: {self.waiting}")

    # Commands: the docstrings are what `help` shows

    @told
    def do_help(self, words: str) -> None:
        """What can be typed."""
        table = self.table
        if words:
            super().do_help(words)
            return
        for name in sorted(name for name in self.get_names() if name.startswith("do_") and name.islower()):
            self.say(f"  {name.removeprefix('do_'):10}{getattr(self, name).__doc__}")
        legal = [] if table.over else legal_actions(table)[:BEST]
        texts = [table.game.notation.action_to_text(table.state, action) for action in legal]
        self.say("All else is an action, several with ';' between. Tab completes. " + "Now for example:" * bool(texts))
        self.say(*(f"  {text}" for text in texts))

    @told
    def do_board(self, words: str) -> None:
        """Show the position."""
        self.show()

    @told
    def do_moves(self, words: str) -> None:
        """The legal actions; moves WORDS: those that begin so."""
        texts = self.beginning_with(words)
        for line in in_columns(texts[:SHOWN]):
            self.say(line)
        more = f"; the first {SHOWN} are shown, moves WORDS shows those that begin so" if len(texts) > SHOWN else ""
        self.say(f"{len(texts)} legal action{'s' * (len(texts) != 1)}{more}")

    @told
    def do_hint(self, words: str) -> None:
        """What a search would play; hint PLAYER: what that player would, such as greedy or mcts:1000."""
        self.table.check_running()
        game, state = self.table.game, self.table.state
        player = make_player(words or HINT, self.table.seed)
        if not isinstance(player, MCTSPlayer):
            self.say(game.notation.action_to_text(state, chosen(game, state, player)))
            return
        search = searched(game, state, player)
        for found in search.considered()[:BEST]:
            text = game.notation.action_to_text(state, found.action)
            self.say(f"{text}   ({found.share:.0%} of {search.done} visits, value {found.value:+.2f})")

    @told
    def do_history(self, words: str) -> None:
        """What was played so far."""
        for number in range(1, self.table.number + 1):
            move = self.table.replay.move(number)
            digits = f"   ({move['digits']})" if "digits" in move else ""
            self.say(f"{number:4}  {move['who']}: {move['text']}{digits}")

    @told
    def do_go(self, words: str) -> None:
        """Let the players that are no people go on; Enter alone does that, too."""
        if self.table.machine_to_act:
            self.go_on()
            self.show()

    @told
    def do_auto(self, words: str) -> None:
        """Play to the end, at random for people; Ctrl-C stops it."""
        while not self.table.over:
            seat = self.table.seats[int(self.table.state.player)]
            self.play_by(*((self.random, "random") if seat == HUMAN else (self.players[seat], seat)))
        self.show()

    @told
    def do_undo(self, words: str) -> None:
        """Take back what was done since a person chose last."""
        self.table.undo()
        self.store.save(self.table)
        self.show()

    @told
    def do_resign(self, words: str) -> None:
        """Give the game up."""
        self.table.check_running()
        self.table.resign(int(self.table.state.player))
        self.store.save(self.table)
        self.say(self.waiting)

    @told
    def do_restart(self, words: str) -> None:
        """Begin again."""
        self.table.restart()
        self.store.save(self.table)
        self.show()
        self.onecmd("go")

    @told
    def do_save(self, words: str) -> None:
        """Add the game to a file of recordings: save FILE."""
        if not words:
            raise ValueError("expected the name of a file, such as games.jsonl")
        write_recordings(words, [self.table.recording()])
        self.say(f"added to {words}")

    @told
    def do_load(self, words: str) -> None:
        """Go on with a recorded game, load FILE [NUMBER], or a kept one, load NAME; load alone: which were kept."""
        if not words:
            for name in self.store.names()[:KEPT]:
                table = self.store.load(name)
                self.say(f"{name}  {table.title}, {table.number} actions")
            return
        self.sit_down(self.loaded(words))
        self.store.save(self.table)
        self.show()
        self.onecmd("go")

    def loaded(self, words: str) -> Table:
        """The table that `load` means; the last game of a file by default. Raises ValueError or OSError."""
        if words in self.store.names():
            return self.store.load(words)
        file, _, number = words.rpartition(" ")
        if not file or not number.isdecimal():
            file, number = words, ""
        recordings = list(read_recordings(file))
        if number and int(number) >= len(recordings):
            raise ValueError(f"{file} has {len(recordings)} games; expected a number below that, counted from 0")
        return Table.of_recording(recordings[int(number or -1)], self.table.seats)

    def do_quit(self, words: str) -> bool:
        """Leave; the game is kept."""
        if self.table.number:
            self.say(f"The game is kept: load {self.table.name} goes on with it")
        return True

    def do_EOF(self, words: str) -> bool:
        """Leave at the end of the input; `cmd` wants this name."""
        self.say("")
        return self.do_quit(words)


def chosen(game: Game, state: Record, player: Player) -> int:
    """The action that a player chooses."""
    if isinstance(player, MCTSPlayer):
        return searched(game, state, player).considered()[0].action
    return int(choose_legal(player, Positions.of_state(game, state))[0])


def searched(game: Game, state: Record, player: MCTSPlayer) -> Search:
    """The whole search of a player, in slices, between which Ctrl-C is noticed."""
    search = Search(game, state, player)
    while search.done < search.simulations:
        search.run(SLICE)
    return search


def legal_actions(table: Table) -> list[int]:
    """The legal actions of the position, ascending."""
    found: list[int] = np.flatnonzero(table.game.mask(table.replay.states[-1])).tolist()
    return found


def action_named(game: Game, state: Record, text: str) -> int:
    """The action that a text names, legal or not, in the original's digits too. Raises ValueError if it names none."""
    read = getattr(game.notation, "digits_to_action", None)
    if read is not None and all(word.isdecimal() for word in text.split()):
        return int(read(state, text))
    return game.notation.text_to_action(state, text)


def in_columns(texts: Iterable[str]) -> list[str]:
    """Texts side by side, as many as there is room for."""
    texts = list(texts)
    width = max(map(len, texts), default=0) + 3
    side_by_side = max(WIDTH // width, 1)
    rows = (texts[first : first + side_by_side] for first in range(0, len(texts), side_by_side))
    return ["".join(text.ljust(width) for text in row).rstrip() for row in rows]
