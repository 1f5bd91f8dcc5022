"""A game at the table: what was played, who sits there, and what people do beside playing. Knows no network."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from ..arena.recordings import RESIGNED, Recording, as_json, recording
from ..arena.replay import Replay, page_html, resignation, resigned, side_name, title_of
from ..envs.core.game import Game
from ..envs.core.record import RUNNING
from ..envs.core.seeds import fresh_seed
from ..envs.core.types import Record
from .choices import Choices

HUMAN = "human"


class Table:
    """One game. What is asked of it and cannot be done raises ValueError, and changes nothing."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str] = (HUMAN, HUMAN),
        seed: int | None = None,
        origin: Record | None = None,
        actions: Iterable[int] = (),
        name: str | None = None,
    ) -> None:
        """`origin`: the record to begin with, by default the start by `seed`, a fresh one by default."""
        self.game = game
        self.seats = list(seats)
        self.seed = fresh_seed() if seed is None else seed
        self.name = name or secrets.token_urlsafe(9)
        self.begun = 0  # how often the game was begun anew or changed otherwise than by one more action
        self.resigned: int | None = None
        self.replay = Replay(game, self.start() if origin is None else origin, actions)
        self._choices: Choices | None = None

    def start(self) -> Record:
        """The start position by the seed."""
        record: Record = self.game.new_states(1, [self.seed])[0]
        return record

    # What it shows

    @property
    def number(self) -> int:
        """Of the position that is played from: how many actions were played."""
        return len(self.replay.actions)

    @property
    def state(self) -> Record:
        """The record of the position; not to be written into."""
        return self.replay.state(self.number)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.resigned is not None or int(self.state.status) != RUNNING

    @property
    def to_act(self) -> int | None:
        """The player whose decision it is, 0 or 1; None when the game is over."""
        return None if self.over else int(self.state.player)

    @property
    def machine_to_act(self) -> bool:
        """Whether a player that is no person has to choose."""
        return self.to_act is not None and self.seats[self.to_act] != HUMAN

    @property
    def result(self) -> dict[str, Any] | None:
        """As `Game.result`, or with the reason "resigned"; None while the game runs."""
        if self.resigned is None:
            return self.game.result(self.state)
        scores = tuple(self.state.scores.tolist())
        return {"winner": 1 - self.resigned, "reason": RESIGNED, "scores": scores, "truncated": False}

    @property
    def choices(self) -> Choices:
        """What can be clicked in the position."""
        if self._choices is None:
            self._choices = Choices(self.game, self.replay.states[-1])
        return self._choices

    @property
    def title(self) -> str:
        """The game, and who plays it."""
        return title_of(self.game, self.seats)

    def check_number(self, number: int) -> None:
        """Raise ValueError for the number of a position that there is not."""
        if not 0 <= number <= self.number:
            raise ValueError(f"position {number}; expected 0 to {self.number}")

    def svg(self, number: int) -> str:
        """The picture of a position."""
        self.check_number(number)
        if number == self.number and self.resigned is not None:
            end = resigned(self.state, self.resigned)
            start = self.replay.shown_from(number)
            return self.replay.picture(end, self.replay.state(start), self.replay.actions[start:])
        return self.replay.svg(number)

    # What people do

    def play(self, things: Sequence[str], number: int) -> int:
        """Play the action that `things` make up; `number`: of the position in which it was chosen."""
        self.check_running()
        if number != self.number:
            raise ValueError(f"chosen in position {number}, but the game has gone on to {self.number}")
        action = self.choices.action(things)
        self.play_action(action)
        return action

    def play_action(self, action: int) -> None:
        """Play an action by its number."""
        self.check_running()
        self.replay.add(action)
        self._choices = None

    def check_running(self) -> None:
        """Raise ValueError if the game is over."""
        if self.over:
            raise ValueError("the game is over")

    def undo(self) -> None:
        """Take back what was done since a person had to choose last, or a resignation alone."""
        if self.resigned is not None:
            self.resigned = None
            self.begun += 1
            return
        if self.number == 0:
            raise ValueError("nothing was played yet that could be taken back")
        number = self.number - 1
        while number > 0 and HUMAN in self.seats and self.seats[int(self.replay.state(number).player)] != HUMAN:
            number -= 1
        self.cut(number)

    def cut(self, number: int) -> None:
        """Go back to a position."""
        self.check_number(number)
        self.replay.cut(number)
        self._choices = None
        self.begun += 1

    def resign(self, player: int) -> None:
        """`player` gives the game up."""
        self.check_running()
        self.resigned = player
        self.begun += 1

    def restart(self) -> None:
        """Begin again; where chance plays a part, with another seed."""
        if self.replay.states[0].tobytes() == self.start().tobytes():
            self.seed = fresh_seed()
            self.replay = Replay(self.game, self.start())
        self.resigned = None
        self.cut(0)

    def branch(self, number: int) -> Table:
        """Another table, at which the game goes on from a position between people."""
        self.check_number(number)
        return Table(self.game, seed=self.seed, origin=self.replay.state(0), actions=self.replay.actions[:number])

    def why_not(self, player: int | None) -> str:
        """Why nobody who has seat `player` (None: any) can choose now; empty if he can."""
        if self.over:
            return "the game is over"
        if self.machine_to_act:
            return f"{side_name(self.game, int(self.state.player))} ({self.seats[int(self.state.player)]}) is to act"
        if player is not None and player != self.to_act:
            return f"{side_name(self.game, int(self.state.player))} is to act, on another screen"
        return ""

    # What is kept

    def recording(self) -> Recording:
        """The game so far."""
        first, last = self.replay.state(0), self.state
        found = recording(self.game, first, list(self.replay.actions), last, self.seed, self.seats)
        return Recording(**{**found.__dict__, "result": as_json(self.result)})

    @classmethod
    def of_recording(cls, found: Recording, seats: Sequence[str] = (HUMAN, HUMAN), name: str | None = None) -> Table:
        """A table with a recorded game on it. Raises ValueError if it does not fit the rules."""
        env = found.replay()
        table = cls(env.game, seats, found.seed, env.origin, env.history, name)
        table.resigned = found.loser
        return table

    def html(self) -> str:
        """The game as a page that needs no other."""
        return page_html(self.replay, self.title, resignation(self.replay, self.resigned))
