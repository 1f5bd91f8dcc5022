"""A table with those who look at it: what they ask for is done in order, saved, and shown to all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arena.replay import result_words, side_name
from ..envs.core.batch import observations
from ..envs.core.record import RUNNING
from ..envs.core.types import Record
from ..players.base import Player
from ..players.mcts import MCTSPlayer
from ..players.simple import RandomPlayer
from . import thinking
from .choices import name_of, things_module, things_of
from .search import Search
from .store import Store
from .table import HUMAN, Table

FEW = 4  # things that are named in a refusal
MOST_SHOWN = 24  # actions that the panel lists
ALL_ACTIONS = 20_000  # that are looked through for why something cannot be chosen
GRAPH_SIMULATIONS = 60
LONGEST_GRAPH = 600.0  # seconds
Message = dict[str, Any]


class Room:
    """A table, its guests, and what is going on at it."""

    def __init__(self, table: Table, store: Store, make_player: Callable[[str], Player], pace: float) -> None:
        """`make_player(name)`: the player of a seat; `pace`: seconds between actions that no person waits for."""
        self.table = table
        self.store = store
        self.make_player = make_player
        self.pace = pace
        self.guests: set[Any] = set()
        self.auto = HUMAN not in table.seats
        self.hurry = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.players: dict[str, Player] = {}
        self.random = RandomPlayer()

    # Playing

    def changed(self) -> None:
        """Save, show all guests, and let whoever is to act begin."""
        self.store.save(self.table)
        self.show()
        self.wake()

    def show(self) -> None:
        """Show all guests what is new."""
        for guest in self.guests:
            guest.show()

    def wake(self) -> None:
        """Let players that are no people choose, if they are to."""
        if (self.task is None or self.task.done()) and self.has_work():
            self.task = asyncio.create_task(self.run())

    def has_work(self) -> bool:
        """Whether something goes on without anybody's doing."""
        return not self.table.over and (self.auto or (self.table.machine_to_act and HUMAN in self.table.seats))

    async def run(self) -> None:
        """Choose and play while there is something to choose."""
        try:
            while self.has_work():
                before = self.table.begun, self.table.number
                action = await self.choose()
                if self.auto:
                    await asyncio.sleep(self.pace)
                if before == (self.table.begun, self.table.number):  # nobody has played meanwhile
                    self.table.play_action(action)
                    self.store.save(self.table)
                    self.show()
            self.auto = self.auto and not self.table.over
        except Exception as error:  # a player from outside may raise anything; the game is as it was
            self.auto = False
            self.tell({"is": "error", "text": f"{type(error).__name__}: {error}"})

    async def choose(self) -> int:
        """The action of whoever is to act: by the player of the seat, at random for a person in Auto."""
        table, state = self.table, self.table.state
        seat = table.seats[int(state.player)]
        self.hurry.clear()
        player = self.random if seat == HUMAN else await thinking.in_thread(self.player, seat)
        return await thinking.choose(table.game, state, player, self.thinks, self.hurry)

    def player(self, name: str) -> Player:
        """The player of a name, always the same one."""
        if name not in self.players:
            self.players[name] = self.make_player(name)
        return self.players[name]

    def thinks(self, search: Search) -> None:
        """Tell the guests how far a search is."""
        who = side_name(self.table.game, 0 if search.sign == 1 else 1)
        self.tell({"is": "thinking", "who": who, "done": search.done, "of": search.simulations, "value": search.value})

    def stop(self) -> None:
        """Stop what is going on: thinking, and Auto."""
        self.auto = False
        if self.task is not None:
            self.task.cancel()
            self.task = None
            self.tell({"is": "idle"})

    def tell(self, message: Message) -> None:
        """Send something to all guests."""
        for guest in self.guests:
            guest.send(message)

    # Showing

    def position(self, number: int, seat: int | None) -> Message:
        """All that the page shows of a position; with the choices, where whoever has `seat` can choose now."""
        table = self.table
        table.check_number(number)
        state, live = table.replay.state(number), number == table.number
        why = table.why_not(seat) if live else "this position is past; Branch goes on from it"
        found: Message = {
            "number": number,
            "picture": table.svg(number),
            "why": why,
            "words": self.words(number),
            "motion": self.motion(table.replay.state(number - 1), table.replay.actions[number - 1]) if number else None,
            "legal": int(table.game.mask(table.replay.states[number]).sum()) if state.status == RUNNING else 0,
        }
        if live and not why:
            found["choices"] = {"start": table.choices.start, "nodes": table.choices.nodes}
        return found

    def words(self, number: int) -> str:
        """What is to be done in a position, or how the game ended."""
        table, state = self.table, self.table.replay.state(number)
        result = table.result if number == table.number else table.game.result(state)
        if result is not None:
            return result_words(table.game, result)
        decision = table.game.decisions[int(state.decision)].replace("_", " ")
        return f"{side_name(table.game, int(state.player))} to {decision}"

    def motion(self, state: Record, action: int) -> Message | None:
        """What turns around what with an action, where the game knows such a thing."""
        module = things_module(self.table.game)
        found = module.motion(state, action) if module is not None and hasattr(module, "motion") else None
        return None if found is None else {"about": found[0], "degrees": found[1], "things": found[2]}

    def overview(self) -> Message:
        """What the page shows around the positions."""
        table = self.table
        return {
            "table": table.name,
            "title": table.title,
            "game": table.game.name,
            "seats": table.seats,
            "sides": [side_name(table.game, player) for player in (0, 1)],
            "last": table.number,
            "over": table.over,
            "auto": self.auto and not table.over,
            "toAct": table.to_act,
            "midTurn": table.replay.turn_start(table.number) < table.number,
        }

    def preview(self, number: int, things: list[str]) -> Message:
        """The position after a choice, and whether the turn goes on; no picture where chance would be told."""
        table = self.table
        if number != table.number:
            raise ValueError("the game has gone on")
        action, start = table.choices.action(things), table.replay.turn_start(number)
        after = table.replay.states[-1].copy()
        table.game.play(after, action)
        state, before = after[0], table.state
        goes_on = bool(state.status == RUNNING and state.turns == before.turns and state.player == before.player)
        actions = [*table.replay.actions[start:], action]
        told = state.rng != before.rng
        picture = "" if told else table.replay.picture(state, table.replay.state(start), actions)
        text = table.game.notation.action_to_text(before, action)
        found = {"things": things, "number": number, "picture": picture, "goesOn": goes_on, "text": text}
        return {**found, "motion": self.motion(before, action)}

    def refusal(self, number: int, things: list[str], seat: int | None) -> str:
        """Why whoever has `seat` cannot choose the last of `things` after the others, in the game's words."""
        table = self.table
        why = table.why_not(seat) or ("this position is past" if number != table.number else "")
        if why:
            return why
        wanted, game, state = tuple(things), table.game, table.state
        if wanted[-1] in table.choices.after(wanted[:-1]):
            return ""
        for action in range(min(game.num_actions, ALL_ACTIONS)):
            if things_of(game, state, action)[: len(wanted)] == wanted and (why := game.why_illegal(state, action)):
                return why
        known = table.choices.after(wanted[:-1])
        instead = f", by {' or '.join(map(name_of, known))}" if len(known) <= FEW else ""
        return f"{name_of(things[-1])} cannot be chosen now: {self.words(number)}{instead}"

    async def analysis(self, number: int, name: str, hurry: asyncio.Event, tell: Callable[[Message], None]) -> Message:
        """What a player thinks of a position, what it looks like to a network, and its text."""
        table, game = self.table, self.table.game
        table.check_number(number)
        state, states = table.replay.state(number), table.replay.states[number]
        found: Message = {"number": number, "player": name, "text": game.notation.state_to_text(state)}
        found |= {"actions": [], "value": None, "legal": 0, "channels": game.channels, "planes": []}
        if state.status != RUNNING:
            return found
        planes = observations(game, states, states["player"])[0]
        found["planes"] = np.moveaxis(planes, -1, 0).round(3).tolist()
        found["legal"] = int(game.mask(states).sum())
        player = await thinking.in_thread(self.make_player, name)
        progress = lambda search: tell({"is": "analysing", "done": search.done, "of": search.simulations})  # noqa: E731
        considered, value = await thinking.consider(game, state, player, progress, hurry)
        found["value"] = value
        for each in considered[:MOST_SHOWN]:
            action_value = each.value if each.value == each.value else None
            text, things = game.notation.action_to_text(state, each.action), things_of(game, state, each.action)
            entry = {"text": text, "things": things, "visits": each.visits, "share": each.share, "value": action_value}
            found["actions"].append(entry)
        return found

    async def graph(self, simulations: int, hurry: asyncio.Event, tell: Callable[[Message], None]) -> None:
        """Tell the value of every position in which a turn begins, as it is found."""
        table, begun = self.table, self.table.begun
        player, end = MCTSPlayer(simulations, seed=0), time.monotonic() + LONGEST_GRAPH
        last = table.number
        for number in range(last + 1):
            if begun != table.begun or hurry.is_set() or time.monotonic() > end:
                break
            state = table.replay.state(number)
            if 0 < number < last and state.turns == table.replay.state(number - 1).turns:
                continue
            if number == last and table.resigned is not None:
                value = 1.0 - 2.0 * (table.resigned == 0)
            else:
                value = await thinking.value_of(table.game, state, player, hurry)
            tell({"is": "graph", "number": number, "last": last, "value": value})
        tell({"is": "graphed", "last": last})
