"""A game position by position, and as one HTML file to step through in any browser. Needs the extra `render`.

The page is that of the table (`nakajima-zoo play`) without its server: the same files, in the folder `page`.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from ..envs.core.agents import agent_name
from ..envs.core.env import BoardGameEnv
from ..envs.core.game import Game
from ..envs.core.record import RESIGNED, TERMINATED, copy_records, end_game
from ..envs.core.types import Record, Records

PAGE = files(__package__) / "page"
MODULES = ("dom.js", "picture.js", "review.js", "tip.js", "replay.js")  # each after what it needs
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
ESCAPED = "<", "\\u003c"  # no text in the data can end the script, or begin a comment


class Replay:
    """A game, position by position: number 0 is that of the start, number k the one after k actions."""

    def __init__(self, game: Game, origin: Record, actions: Iterable[int] = ()) -> None:
        """`origin`: the record that it begins with. Raises ValueError for an action that is not legal."""
        self.game = game
        self.states: list[Records] = [game.check_state(origin)]
        """The (1,) record of each position."""
        self.actions: list[int] = []
        for action in actions:
            self.add(action)

    def add(self, action: int) -> None:
        """Play an action. Raises ValueError, with nothing changed, if it is not legal."""
        states = copy_records(self.states[-1])
        self.game.play(states, action)
        self.states.append(states)
        self.actions.append(action)

    def cut(self, number: int) -> None:
        """Forget what came after a position."""
        del self.states[number + 1 :], self.actions[number:]

    def state(self, number: int) -> Record:
        """The record of a position; not to be written into."""
        record: Record = self.states[number][0]
        return record

    def turn_start(self, number: int) -> int:
        """The number of the first position of the turn that a position is in, before anything was done in it."""
        turns = int(self.state(number).turns)
        while number > 0 and int(self.state(number - 1).turns) == turns:
            number -= 1
        return number

    def shown_from(self, number: int) -> int:
        """The number of the position since which a picture marks what has changed: the turn of the last action."""
        return self.turn_start(max(number - 1, 0))

    def svg(self, number: int) -> str:
        """The picture of a position, with what the last turn changed."""
        start = self.shown_from(number)
        return self.picture(self.state(number), self.state(start), self.actions[start:number])

    def picture(self, state: Record, before: Record, actions: list[int]) -> str:
        """The picture of a record, with what has changed since `before`."""
        svg: str = self.game.drawing.draw(state, before, actions).as_svg()
        return svg

    def move(self, number: int) -> dict[str, Any]:
        """What led to position `number`, from 1: `player` 0 or 1, `who`, `text`, and `digits` where there are any."""
        state, action = self.state(number - 1), self.actions[number - 1]
        player, notation = int(state.player), self.game.notation
        found = {"player": player, "who": side_name(self.game, player), "text": notation.action_to_text(state, action)}
        digits = getattr(notation, "action_to_digits", None)
        return found if digits is None else {**found, "digits": digits(state, action)}


def side_name(game: Game, player: int) -> str:
    """What the game calls a player, 0 or 1: `Red`."""
    names = getattr(game.notation, "PLAYERS", None)
    return str(names[player]).capitalize() if names else str(agent_name(player))


def result_words(game: Game, result: dict[str, Any] | None) -> str:
    """How a game ended, as `Game.result` has it; empty while it runs."""
    if result is None:
        return ""
    reason = str(result["reason"]).replace("_", " ")
    scores = " to ".join(str(score) for score in result["scores"])
    if result["winner"] is None:
        return f"{'Cut off' if result['truncated'] else 'Draw'} ({reason}, {scores})"
    return f"{side_name(game, result['winner'])} wins ({reason}, {scores})"


def resigned(state: Record, loser: int) -> Record:
    """A copy of the record of a running game, for a picture that shows that a player has given up."""
    record: Record = state.copy()
    end_game(record, TERMINATED, 1 - loser, RESIGNED)
    return record


def title_of(game: Game, players: Iterable[str] | None = None) -> str:
    """The game with its parameters, and who plays it."""
    parameters = ", ".join(f"{name} {value}" for name, value in game.parameters.items() if value is not None)
    name = game.name.replace("_", " ").title()
    return f"{name} ({parameters})" + (f": {' against '.join(players)}" if players else "")


def resignation(replay: Replay, loser: int | None) -> tuple[str, Record] | None:
    """The end of a game that `loser` has given up, for `page_html`; None if nobody has."""
    return None if loser is None else ("resigns", resigned(replay.state(-1), loser))


def replay_html(env: BoardGameEnv, title: str | None = None, loser: int | None = None) -> str:
    """The game that an environment, unwrapped, has played since `reset` or `set_state`, as a page that needs no other.

    `title`: the game's name and parameters by default; `loser`: the player who has resigned, if one has.
    """
    replay = Replay(env.game, env.origin, env.history)
    return page_html(replay, title or title_of(env.game), end_of(env, replay, loser))


def end_of(env: BoardGameEnv, replay: Replay, loser: int | None) -> tuple[str, Record] | None:
    """How a game ended, and its final record, where no action has ended it; else None."""
    if env.game.result(replay.state(-1)) != env.game.result(env.get_state()):
        return "illegal action", env.get_state()
    return resignation(replay, loser)


def page_html(replay: Replay, title: str, last: tuple[str, Record] | None = None) -> str:
    """A game as a page; `last`: how it ended, and the final record, where no action has ended it."""
    moves, pictures = moves_and_pictures(replay, last)
    return filled(title, {"title": title, "moves": moves, **shared_lines(pictures)})


def moves_and_pictures(replay: Replay, last: tuple[str, Record] | None) -> tuple[list[dict[str, Any]], list[str]]:
    """What was played, as `Replay.move` tells it, and the pictures before and after; `last` as of `page_html`."""
    moves = [replay.move(number) for number in range(1, len(replay.states))]
    pictures = [replay.svg(number) for number in range(len(replay.states))]
    if last is not None:
        player = int(replay.state(-1).player)
        moves.append({"player": player, "who": side_name(replay.game, player), "text": last[0]})
        start = replay.shown_from(len(replay.actions))
        pictures.append(replay.picture(last[1], replay.state(start), replay.actions[start:]))
    return moves, pictures


def shared_lines(pictures: list[str]) -> dict[str, Any]:
    """Pictures with each different line kept once: `lines`, and of each picture the numbers of its lines."""
    numbers: dict[str, int] = {}
    found = [[numbers.setdefault(line, len(numbers)) for line in svg.splitlines()] for svg in pictures]
    return {"lines": list(numbers), "pictures": found}


def filled(title: str, game: dict[str, Any]) -> str:
    """The page with a game in it, its scripts and its style."""
    values = {
        "TITLE": html.escape(title),
        "POLICY": POLICY,
        "STYLE": (PAGE / "style.css").read_text(encoding="utf-8"),
        "GAME": json.dumps(game).replace(*ESCAPED),
        "SCRIPT": "\n".join(script(name) for name in MODULES),
    }
    page = (PAGE / "replay.html").read_text(encoding="utf-8")
    return re.sub(r"<!-- ([A-Z]+) -->", lambda found: values[found[1]], page)


def script(name: str) -> str:
    """A module of the page as part of one script: without its imports and exports, one a line."""
    text = (PAGE / name).read_text(encoding="utf-8")
    return re.sub(r"^(import .*\n|export )", "", text, flags=re.MULTILINE)
