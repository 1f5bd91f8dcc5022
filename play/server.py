"""The server of the table: pages, and one WebSocket for each page, over which everything is asked and told.

What comes in is not trusted: a message that is malformed, too large, out of turn or not allowed gets an error, and
leaves every game as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from ..arena.recordings import Recording
from ..arena.replay import PAGE
from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.registry import game_names, make_game, parameters_of
from ..envs.variants import VARIANTS
from ..players.base import Player
from ..players.names import make_player, player_names
from .room import GRAPH_SIMULATIONS, Message, Room
from .store import Store
from .table import HUMAN, Table
from .thinking import MANY_SIMULATIONS, in_thread

with needs("play", "the table"):
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

MOST_GUESTS = 100  # connections at a time
MOST_ROOMS = 200  # games in memory; others wait on disk
MOST_WAITING = 500  # messages that a slow page may be behind
LARGEST_MESSAGE = 500_000  # bytes
HELLO_SECONDS = 10.0  # to say who one is
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
STRENGTHS = ("mcts:50", "mcts:200", "mcts:1000")  # offered by name; any mcts:N may be asked for
SEARCH = re.compile(r"mcts:([1-9]\d{0,5})")

Kind = TypeVar("Kind")
REQUIRED: Any = object()


def take(message: Mapping[str, Any], name: str, kind: type[Kind], default: Any = REQUIRED) -> Kind:
    """A value of a message. Raises ValueError if it is missing or of another type."""
    value = message.get(name, default)
    if value is REQUIRED or not (value is default or type(value) is kind):
        raise ValueError(f"{name!r} missing or of type {type(value).__name__}; expected {kind.__name__}")
    return cast(Kind, value)


def take_words(message: Mapping[str, Any], name: str, most: int) -> list[str]:
    """A list of texts. Raises ValueError if it is none, or too long."""
    words = take(message, name, list)
    if not 1 <= len(words) <= most or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name!r}; expected 1 to {most} texts")
    return words


class Hall:
    """All tables, and who may come in."""

    def __init__(
        self, store: Store, given: Mapping[str, str] | None = None, token: str | None = None, pace: float = 0.4
    ) -> None:
        """`given`: players of the command line by the name that pages show; `token`: what guests must know, if any."""
        self.store = store
        self.given = dict(given or {})
        self.token = token
        self.pace = pace
        self.rooms: dict[str, Room] = {}
        self.guests: set[Guest] = set()

    def player_names(self) -> list[str]:
        """The players that a page offers."""
        plain = [name for name in player_names() if name != "mcts"]
        return list(dict.fromkeys([*plain, *STRENGTHS, *self.given]))

    def check_player(self, name: str) -> None:
        """Raise ValueError for a player that a page may not ask for: files are for the command line alone."""
        search = SEARCH.fullmatch(name)
        if name in self.player_names() or (search and int(search[1]) <= MANY_SIMULATIONS):
            return
        raise ValueError(f"player {name!r} unknown; expected {HUMAN}, {', '.join(self.player_names())} or mcts:N")

    def make_player(self, name: str) -> Player:
        """The player of a name that a page may ask for. Raises ValueError for others."""
        self.check_player(name)
        return make_player(self.given.get(name, name))

    def open(self, table: Table) -> Room:
        """The room of a new table."""
        self.store.check_room()
        self.store.save(table)
        return self.add(table)

    def add(self, table: Table) -> Room:
        """A room for a table that is kept; rooms that nobody is in make place."""
        for name in [name for name, room in self.rooms.items() if not room.guests and not room.has_work()]:
            if len(self.rooms) >= MOST_ROOMS:
                del self.rooms[name]
        if len(self.rooms) >= MOST_ROOMS:
            raise ValueError(f"{MOST_ROOMS} games are being played; close one of them")
        room = self.rooms[table.name] = Room(table, self.store, self.make_player, self.pace)
        return room

    async def room(self, name: str) -> Room:
        """The room of a table, fetched from disk if need be. Raises ValueError if there is none."""
        if name not in self.rooms:
            table = await in_thread(self.store.load, name)
            if name not in self.rooms:
                return self.add(table)
        return self.rooms[name]


def offered_games() -> list[Message]:
    """The games that work, with what their parameters can be."""
    found = []
    for name in game_names():
        with contextlib.suppress(Exception):  # one from outside may raise anything; the others are still there
            title, chance = name.replace("_", " ").title(), make_game(name).has_chance
            found.append({"name": name, "title": title, "parameters": offered_parameters(name), "chance": chance})
    return found


def offered_parameters(name: str) -> list[Message]:
    """The parameters of a game: those of its variants to choose from, or a default alone."""
    variants = [variant.parameters for variant in VARIANTS.values() if variant.game == name]
    found = []
    for key, default in parameters_of(name).items():
        known = dict.fromkeys([default, *(variant[key] for variant in variants if key in variant)])
        found.append({"name": key, "default": default, "choices": list(known) if len(known) > 1 else []})
    return found


class Guest:
    """One page that is connected."""

    def __init__(self, hall: Hall, socket: WebSocket) -> None:
        self.hall, self.socket = hall, socket
        self.room: Room | None = None
        self.seat: int | None = None  # that this page plays for; None: any
        self.out: asyncio.Queue[Message | None] = asyncio.Queue(MOST_WAITING)
        self.known = (-1, 0)  # `begun` and number of the moves that the page has
        self.hurry = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    # Out

    def send(self, message: Message) -> None:
        """Send a message when the page takes it; a page that is too slow is cut off, and can come back."""
        try:
            self.out.put_nowait(message)
        except asyncio.QueueFull:
            while not self.out.empty():
                self.out.get_nowait()
            self.out.put_nowait(None)

    async def write(self) -> None:
        """Hand the messages to the page; end the connection where that fails."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            try:
                while (message := await self.out.get()) is not None:
                    await self.socket.send_text(json.dumps(message, allow_nan=False))
            finally:
                await self.socket.close(1013)

    def show(self) -> None:
        """Send what is new at the table."""
        room = self.here()
        table, (begun, count) = room.table, self.known
        first = min(count, table.number) if begun == table.begun else 0
        moves = [table.replay.move(number) for number in range(first + 1, table.number + 1)]
        self.known = table.begun, table.number
        message = {"is": "table", **room.overview(), "seat": self.seat, "from": first, "moves": moves}
        self.send({**message, "position": room.position(table.number, self.seat)})

    def here(self) -> Room:
        """The room that the page is in. Raises ValueError if it is in none."""
        if self.room is None:
            raise ValueError("choose a game first")
        return self.room

    # In

    async def read(self) -> None:
        """Answer messages until the page is gone."""
        while True:
            text = await self.socket.receive_text()
            try:
                await self.answer(text)
            except ValueError as error:
                self.send({"is": "error", "text": str(error)[:1000]})
            except (RecursionError, TypeError, KeyError, OverflowError, AttributeError, ImportError) as error:
                self.send({"is": "error", "text": f"that makes no sense: {type(error).__name__}: {error}"[:1000]})

    async def answer(self, text: str) -> None:
        """Do what a message asks for. Raises ValueError, with nothing changed, if it cannot be done."""
        message = json.loads(text)
        if not isinstance(message, dict) or not isinstance(message.get("do"), str) or message["do"] not in COMMANDS:
            raise ValueError(f"no message that is understood; expected 'do' to be one of {', '.join(COMMANDS)}")
        await COMMANDS[message["do"]](self, message)

    def enter(self, room: Room, seat: int | None = None) -> None:
        """Come to a table, and see it."""
        self.leave()
        self.room, self.seat, self.known = room, seat, (-1, 0)
        room.guests.add(self)
        self.show()
        room.wake()

    def leave(self) -> None:
        """Go from the table."""
        self.stop_work()
        if self.room is not None:
            self.room.guests.discard(self)
            self.room = None

    def stop_work(self) -> None:
        """Give up what was being worked out for this page."""
        if self.task is not None:
            self.task.cancel()
            self.task = None

    def work(self, job: Callable[[], Awaitable[None]]) -> None:
        """Work something out for this page, instead of what it has asked for before."""
        self.stop_work()
        self.hurry = asyncio.Event()
        self.task = asyncio.ensure_future(self.guarded(job))

    async def guarded(self, job: Callable[[], Awaitable[None]]) -> None:
        """Tell the page of an error."""
        try:
            await job()
        except Exception as error:  # players from outside may raise anything
            self.send({"is": "error", "text": str(error)[:1000]})


# What a page can ask for


async def new(guest: Guest, message: Message) -> None:
    """A new table: `game`, `parameters`, `seats`, `seed`."""
    seats = seats_of(guest, message)
    game = await in_thread(game_of, take(message, "game", str), take(message, "parameters", dict, {}))
    seed = take(message, "seed", int, None)
    guest.enter(guest.hall.open(await in_thread(new_table, game, seats, seed)))


def seats_of(guest: Guest, message: Message) -> list[str]:
    """Who sits where. Raises ValueError."""
    seats = take_words(message, "seats", 2)
    if len(seats) != 2:
        raise ValueError("expected two seats")
    for seat in seats:
        if seat != HUMAN:
            guest.hall.check_player(seat)
    return seats


def game_of(name: str, parameters: dict[str, Any]) -> Game:
    """The game of a name that is known, without parameters in it. Raises ValueError."""
    if name not in game_names():
        raise ValueError(f"game {name[:40]!r} unknown; expected one of {', '.join(game_names())}")
    return make_game(name, **parameters)


def new_table(game: Game, seats: Sequence[str], seed: int | None = None) -> Table:
    """A new table, all that it needs compiled."""
    table = Table(game, seats, seed)
    game.play(table.replay.states[0].copy(), next(iter(table.choices.actions.values())))
    return table


async def join(guest: Guest, message: Message) -> None:
    """Come to a table: `table`, and `seat` if the page is to play for one alone."""
    seat = take(message, "seat", int, None)
    if seat not in (None, 0, 1):
        raise ValueError(f"seat {seat}; expected 0 or 1")
    guest.enter(await guest.hall.room(take(message, "table", str)), seat)


async def leave(guest: Guest, message: Message) -> None:
    """Go from the table, and see which there are."""
    guest.leave()
    guest.send({"is": "tables", "tables": await in_thread(listed, guest.hall.store)})


def listed(store: Store) -> list[Message]:
    """The tables that were changed last."""
    found = []
    for name in store.names()[:30]:
        with contextlib.suppress(ValueError, OSError, KeyError, TypeError):
            kept = Recording.from_json(store.path(name).read_text(encoding="utf-8"))
            ended = "" if kept.result is None else str(kept.result["reason"])
            seats, played = kept.players or [], len(kept.actions)
            found.append({"name": name, "game": kept.game, "seats": seats, "played": played, "ended": ended})
    return found


async def remove(guest: Guest, message: Message) -> None:
    """Forget a table that nobody looks at: `table`."""
    name = take(message, "table", str)
    room = guest.hall.rooms.get(name)
    if room is not None:
        if room.guests:
            raise ValueError("somebody is at that table")
        room.stop()
        del guest.hall.rooms[name]
    guest.hall.store.remove(name)
    await leave(guest, message)


async def play(guest: Guest, message: Message) -> None:
    """Play: `things`, chosen in the position `number`."""
    room = guest.here()
    why = room.table.why_not(guest.seat)
    if why:
        raise ValueError(why)
    room.table.play(take_words(message, "things", 8), take(message, "number", int))
    room.changed()


async def look(guest: Guest, message: Message) -> None:
    """See the position `number`."""
    room = guest.here()
    guest.send({"is": "position", "position": room.position(take(message, "number", int), guest.seat)})


async def preview(guest: Guest, message: Message) -> None:
    """See the position after `things`, chosen in the position `number`."""
    found = guest.here().preview(take(message, "number", int), take_words(message, "things", 8))
    guest.send({"is": "preview", **found})


async def why(guest: Guest, message: Message) -> None:
    """Hear why the last of `things` cannot be chosen in the position `number`."""
    room, number, things = guest.here(), take(message, "number", int), take_words(message, "things", 8)
    guest.send({"is": "refusal", "text": await in_thread(room.refusal, number, things, guest.seat)})


async def undo(guest: Guest, message: Message) -> None:
    """Take back."""
    room = guest.here()
    room.stop()
    room.table.undo()
    room.changed()


async def resign(guest: Guest, message: Message) -> None:
    """Give up: the seat of the page, or the only person's, or whoever is to act."""
    room = guest.here()
    table = room.table
    people = [seat for seat in (0, 1) if table.seats[seat] == HUMAN]
    if not people:
        raise ValueError("no person plays, who could resign")
    loser = people[0] if len(people) == 1 else table.to_act if guest.seat is None else guest.seat
    table.check_running()
    if loser is None or loser not in people:
        raise ValueError("only a person can resign")
    room.stop()
    table.resign(loser)
    room.changed()


async def restart(guest: Guest, message: Message) -> None:
    """Begin again."""
    room = guest.here()
    room.stop()
    room.table.restart()
    room.changed()


async def seats(guest: Guest, message: Message) -> None:
    """Let others sit at the table: `seats`."""
    room, found = guest.here(), seats_of(guest, message)
    room.stop()
    room.table.seats = found
    room.auto = HUMAN not in found
    room.changed()


async def auto(guest: Guest, message: Message) -> None:
    """Let the game go on by itself, at random for people, or stop it: `on`."""
    room = guest.here()
    on = take(message, "on", bool)
    if on:
        room.table.check_running()
        room.auto = True
    else:
        room.stop()
    room.show()
    room.wake()


async def hurry(guest: Guest, message: Message) -> None:
    """Let whoever thinks choose now; and end what is being worked out for the page."""
    guest.here().hurry.set()
    guest.hurry.set()


async def analyse(guest: Guest, message: Message) -> None:
    """What `player` thinks of the position `number`."""
    room, number, name = guest.here(), take(message, "number", int), take(message, "player", str)
    guest.hall.check_player(name)
    room.table.check_number(number)

    async def job() -> None:
        guest.send({"is": "analysis", **await room.analysis(number, name, guest.hurry, guest.send)})

    guest.work(job)


async def graph(guest: Guest, message: Message) -> None:
    """The value of all positions, by `simulations` each."""
    simulations = take(message, "simulations", int, GRAPH_SIMULATIONS)
    if not 1 <= simulations <= 10_000:
        raise ValueError(f"simulations {simulations}; expected 1 to 10000")
    room = guest.here()

    async def job() -> None:
        await room.graph(simulations, guest.hurry, guest.send)

    guest.work(job)


async def branch(guest: Guest, message: Message) -> None:
    """Another table that goes on from the position `number`."""
    room = guest.here()
    guest.enter(guest.hall.open(await in_thread(room.table.branch, take(message, "number", int))))


async def text(guest: Guest, message: Message) -> None:
    """Another table that begins with the position `text`."""
    game = guest.here().table.game
    state = await in_thread(game.state_from_text, take(message, "text", str))
    guest.enter(guest.hall.open(await in_thread(Table, game, (HUMAN, HUMAN), None, state)))


async def load(guest: Guest, message: Message) -> None:
    """A table with a recorded game: line `number` of `text`, lines as in a .jsonl file."""
    lines = [line for line in take(message, "text", str).splitlines() if line.strip()]
    number = take(message, "number", int, 0)
    if not 0 <= number < len(lines):
        raise ValueError(f"game {number} of {len(lines)}; expected a line for each game")
    found = Recording.from_json(lines[number])
    if found.game not in game_names():
        raise ValueError(f"game {str(found.game)[:40]!r} is not known here")
    guest.enter(guest.hall.open(await in_thread(Table.of_recording, found)))
    guest.send({"is": "loaded", "number": number, "games": len(lines)})


async def save(guest: Guest, message: Message) -> None:
    """The game as a recording."""
    table = guest.here().table
    name = f"{table.game.name}-{table.name}.jsonl"
    guest.send({"is": "file", "name": name, "text": f"{table.recording().to_json()}\n", "kind": "application/jsonl"})


async def export(guest: Guest, message: Message) -> None:
    """The game as a page that needs no other."""
    table = guest.here().table
    name = f"{table.game.name}-{table.name}.html"
    guest.send({"is": "file", "name": name, "text": await in_thread(table.html), "kind": "text/html"})


HANDLERS: Sequence[Callable[[Guest, Message], Awaitable[None]]] = (
    new, join, leave, remove, play, look, preview, why, undo, resign, restart, seats, auto, hurry, analyse, graph,
    branch, text, load, save, export,
)  # fmt: skip
COMMANDS = {cast(Any, handler).__name__: handler for handler in HANDLERS}


# The application


def application(hall: Hall, hosts: Sequence[str]) -> Starlette:
    """The application; `hosts`: the names by which pages may ask for it."""

    async def page(request: Request) -> Response:
        return static(request.path_params.get("name", "table.html"))

    async def socket(socket: WebSocket) -> None:
        await serve_guest(hall, socket)

    routes = [Route("/", page), Route("/page/{name}", page), WebSocketRoute("/table", socket)]
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(routes=routes, middleware=[trusted])


def static(name: str) -> Response:
    """A file of the page."""
    kind = KINDS.get(name.rpartition(".")[2])
    if kind is None or name not in {file.name for file in PAGE.iterdir()}:
        return Response("not found", 404, HEADERS, "text/plain")
    return Response((PAGE / name).read_text(encoding="utf-8"), 200, HEADERS, kind)


async def serve_guest(hall: Hall, socket: WebSocket) -> None:
    """Take in a page, if it is one of ours, and answer it until it is gone."""
    if socket.headers.get("origin") != f"http://{socket.headers.get('host')}" or len(hall.guests) >= MOST_GUESTS:
        await socket.close(1008)
        return
    await socket.accept()
    guest = Guest(hall, socket)
    hall.guests.add(guest)
    writer = asyncio.create_task(guest.write())
    try:
        if await knows(hall, socket):
            guest.send({"is": "welcome", "games": offered_games(), "players": hall.player_names()})
            await leave(guest, {})
            await guest.read()
        else:
            await socket.close(1008)
    except WebSocketDisconnect:
        pass
    finally:
        hall.guests.discard(guest)
        guest.leave()
        writer.cancel()


async def knows(hall: Hall, socket: WebSocket) -> bool:
    """Whether the first message is a hello, with the token if one is wanted."""
    try:
        hello = json.loads(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS))
        said = str(hello.get("token", "")) if hello["do"] == "hello" else ""
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, asyncio.TimeoutError):
        return False
    return hello["do"] == "hello" and (hall.token is None or hmac.compare_digest(said.encode(), hall.token.encode()))
