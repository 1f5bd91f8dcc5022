"""The table in a terminal: whole games by an automatic person at a pseudo-terminal, and all that can be typed there."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from nakajima_zoo.arena.recordings import read_recordings
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.play.store import Store
from nakajima_zoo.play.table import HUMAN, Table
from nakajima_zoo.play.terminal import Terminal, run_terminal
from zoo import ENVIRONMENT, VARIANTS, every_game, game_of

pexpect = pytest.importorskip("pexpect") if sys.platform != "win32" else pytest.skip("no pty", allow_module_level=True)

PROMPT = r"\r?\n?([A-Z][^\r\n]*)> $"
SECONDS = 120  # to start, and to compile what was not compiled before


class Person:
    """Somebody at a pseudo-terminal."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = ["-m", "nakajima_zoo", "play", "--terminal", "--state", str(folder), *words]
        environment = {**ENVIRONMENT, "TERM": "dumb", "INPUTRC": "/dev/null"}
        self.child = pexpect.spawn(
            sys.executable,
            command,
            env=environment,
            encoding="utf-8",
            timeout=SECONDS,
            echo=False,
            dimensions=(50, 200),
        )
        self.read()

    def read(self) -> None:
        """Read up to the next prompt."""
        self.child.expect(PROMPT)
        self.answer, self.prompt = self.child.before.replace("\r\n", "\n").strip(), self.child.match[1]

    def type(self, line: str) -> str:
        """What the terminal says to a line."""
        self.child.sendline(line)
        self.read()
        return self.answer

    def legal(self) -> list[str]:
        """Actions that `moves` shows."""
        *lines, count = self.type("moves").splitlines()
        assert re.match(r"\d+ legal action", count), count
        return [text for line in lines for text in re.split(" {3,}", line)]

    def leave(self) -> None:
        """End the program; it must say nothing of an error."""
        self.child.sendline("quit")
        self.child.expect(pexpect.EOF)
        assert "Traceback" not in self.child.before
        self.child.close()
        assert self.child.exitstatus == 0


def person(folder: Path, variant: str, *words: str) -> Person:
    name, parameters = VARIANTS[variant]
    sets = [word for key, value in parameters.items() for word in ("--set", f"{key}={value}")]
    return Person(folder, name, *sets, *words)


@pytest.mark.parametrize(
    "variant",
    [
        "scalas-5",
        "ring_world-L3-joint",
        "ring_world-L3-staged",
        "tsukiji-staged",
        "tsukiji-joint",
        "renaissance-phase2",
    ],
)
def test_whole_games_by_an_automatic_person(variant, tmp_path):
    """He plays what `moves` shows, to the end; the game is kept, action by action, with its result."""
    someone, rng = person(tmp_path, variant, "--players", "human", "random", "--seed", "7"), np.random.default_rng(0)
    typed = 0
    while " to " in someone.prompt and " wins" not in someone.prompt and "Draw" not in someone.prompt:
        answer = someone.type(str(rng.choice(someone.legal())))
        assert "not legal" not in answer and "expected" not in answer, answer
        typed += 1
    assert re.match(r"(Red|Blue|Silver|Gold) wins \(|Draw \(|Cut off \(", someone.prompt), someone.prompt
    assert f"The game is over: {someone.prompt}" in someone.answer
    someone.leave()
    [name] = Store(tmp_path).names()
    table = Store(tmp_path).load(name)
    assert table.game == game_of(variant) and table.seed == 7 and table.over
    played = [player for player, _ in enumerate(table.seats) if table.seats[player] == HUMAN]
    movers = [int(table.replay.state(number).player) for number in range(table.number)]
    assert played == [0] and movers.count(0) == typed


def test_a_whole_game_of_renaissance_between_two_people(tmp_path):
    """With all its kinds of decision, in one line each."""
    someone, rng = person(tmp_path, "renaissance-full-staged", "--seed", "1"), np.random.default_rng(3)
    seen = set()
    while " to " in someone.prompt and " wins" not in someone.prompt:
        seen.add(someone.prompt.partition(" to ")[2])
        someone.type(str(rng.choice(someone.legal())))
    assert {"arrange", "place marker", "prepare", "relocate", "move marker"} <= seen
    someone.leave()


def test_wrong_input_is_explained_and_changes_nothing(tmp_path):
    someone = Person(tmp_path, "scalas")
    someone.type("c3")
    board = someone.type("board")
    assert "z9" in someone.type("z9") and "help" in someone.answer
    assert someone.type("c3") == "not legal: c3: c3 does not descend once the cube is on it"
    assert "no such" in someone.type("load nothing-here").lower()
    assert "expected the name of a file" in someone.type("save")
    assert "unknown" in someone.type("hint nobody")
    assert someone.type("") == ""
    assert someone.type("board") == board and someone.prompt == "Blue to place"
    someone.leave()


def test_help_hint_undo_resign_restart(tmp_path):
    someone = Person(tmp_path, "scalas", "--players", "human", "greedy", "--seed", "2")
    start = someone.type("board")
    for command in ("auto", "board", "hint", "history", "load", "moves", "quit", "resign", "save", "undo"):
        assert re.search(rf"^ *{command} +[A-Z]", someone.type("help"), re.MULTILINE)
    assert "which were kept" in someone.type("help load")
    hints = someone.type("hint").splitlines()
    assert len(hints) == 3 and all(
        re.fullmatch(r"[a-e][1-5] +\(\d+% of 200 visits, value [+-]\d\.\d\d\)", hint) for hint in hints
    )
    assert re.fullmatch("[a-e][1-5]", someone.type("hint greedy"))
    assert "Blue (greedy): " in someone.type(hints[0].split()[0])
    assert someone.type("history").count("\n") == 1
    assert someone.type("undo") == start  # both actions
    assert "taken back" in someone.type("undo")
    someone.type("resign")
    assert someone.prompt == "Blue wins (resigned, 0 to 0)"
    assert "the game is over" in someone.type("a1")
    assert someone.type("undo") == start and someone.prompt == "Red to place"
    someone.type("A1")  # in whatever case
    assert someone.type("restart") == start
    someone.leave()


def test_auto_save_and_load(tmp_path):
    """A game saved to a file is one of the recordings of all programs; what was kept can be taken up again."""
    file = tmp_path / "games.jsonl"
    someone = Person(tmp_path / "kept", "tsukiji", "--seed", "4")
    someone.type("land b7; land e4")  # several actions in a line
    assert someone.prompt == "Red to construct"
    someone.type(f"save {file}")
    someone.type("auto")
    assert "wins" in someone.prompt or "Draw" in someone.prompt
    final = someone.type("board")
    someone.type(f"save {file}")
    first, second = read_recordings(file)
    assert len(first.actions) == 2 and first.result is None and second.replay().result is not None
    someone.type(f"load {file} 0")
    assert someone.prompt == "Red to construct"
    assert someone.type(f"load {file}") == final
    listed = someone.type("load").splitlines()
    assert len(listed) == 3 and all("Tsukiji" in line for line in listed)
    someone.type("undo")
    someone.leave()
    again = Person(tmp_path / "kept", "scalas")
    again.type(f"load {listed[0].split()[0]}")
    assert "to " in again.prompt and again.prompt.startswith(("Red to", "Blue to"))
    again.leave()


def test_players_alone_are_watched(tmp_path):
    """Without a person the game is played to its end at once."""
    someone = Person(tmp_path, "ring_world", "--players", "random", "greedy", "--seed", "0")
    assert "wins" in someone.prompt or "Cut off" in someone.prompt
    assert someone.answer.count("Red (random): ") > 5 and someone.answer.count("Blue (greedy): ") > 5
    someone.leave()


def test_ctrl_c_gives_up_a_line_and_stops_players(tmp_path):
    someone = Person(tmp_path, "ring_world", "--set", "levels=4", "--players", "human", "mcts:30000")
    someone.child.send("not sent")
    someone.child.sendintr()
    someone.read()
    assert "quit leaves" in someone.answer
    someone.child.sendline("0.0.0 r0.0")
    time.sleep(1)  # while Blue thinks
    someone.child.sendintr()
    someone.read()
    assert "stopped" in someone.answer and someone.prompt == "Blue to place and rotate"
    someone.type("undo")
    assert someone.prompt == "Red to place and rotate"
    someone.leave()


# In this process


def terminal(table: Table, folder: Path) -> Terminal:
    made = Terminal(table, Store(folder))
    made.stdout = io.StringIO()
    return made


@every_game
def test_every_action_can_be_typed_in_any_case(variant, tmp_path):
    """What `moves` shows is understood, in capitals too; a beginning is told how it goes on."""
    game, rng = game_of(variant), np.random.default_rng(0)
    made = terminal(Table(game, seed=0), tmp_path)
    for _ in range(30):
        if made.table.over:
            break
        texts = made.beginning_with("")
        text = str(rng.choice(texts))
        assert made.understood(text) == made.understood(text.upper()) == made.understood(f"  {text.lower()} ")
        action, why = made.understood(text)
        assert why == "" and made.table.game.mask(made.table.replay.states[-1])[action]
        assert text in made.completenames(text[:1])
        half = text[: len(text) // 2]
        assert all(
            found.lower().startswith(half.lower()) for found in made.beginning_with(half)
        ) and made.beginning_with(half)
        made.act(text)


def test_the_originals_digits_are_understood(tmp_path):
    table = Table(make_game("ring_world", levels=4), seed=0)
    made = terminal(table, tmp_path)
    made.onecmd("351 35")
    assert table.replay.move(1)["text"] == "3.5.1 r3.5"
    made.onecmd("history")
    assert "   1  Red: 3.5.1 r3.5   (351 35)" in made.stdout.getvalue()


def test_a_beginning_is_told_how_it_goes_on(tmp_path):
    made = terminal(Table(make_game("tsukiji"), seed=0), tmp_path)
    made.onecmd("land")
    assert "'land' goes on: land b7, or land c6, or land d5" in made.stdout.getvalue()
    made.onecmd("land b7; land g2; ship: build")
    assert made.table.number == 2 and "goes on: " in made.stdout.getvalue()


def test_a_player_that_raises_leaves_the_game_as_it_was(tmp_path):
    from nakajima_zoo.players import FunctionPlayer

    def fail(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        raise RuntimeError("out of order")

    made = terminal(Table(make_game("scalas"), (HUMAN, "random"), seed=0), tmp_path)
    made.players["random"] = FunctionPlayer(fail)
    made.onecmd("c3")
    assert "out of order" in made.stdout.getvalue() and made.table.number == 1
    made.onecmd("b2")
    assert "Blue (random) is to act" in made.stdout.getvalue() and made.table.number == 1
    made.onecmd("undo")
    assert made.table.number == 0


@pytest.mark.parametrize("players", [["human"], ["human", "nobody"], ["human", "human", "human"]])
def test_players_that_there_are_not(players, tmp_path):
    with pytest.raises(ValueError, match="expected"):
        run_terminal("scalas", players, state=tmp_path)


def test_a_game_is_wanted():
    done = subprocess.run(
        [sys.executable, "-m", "nakajima_zoo", "play", "--terminal"], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == 2 and "no game for the terminal; expected one of scalas" in done.stderr
