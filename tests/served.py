"""A server of the table, and pages that talk to it, for tests."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from zoo import ENVIRONMENT

SERVE = """
import json, sys
from pathlib import Path
from nakajima_zoo.play import serve
arguments = json.loads(sys.argv[1])
serve(state=Path(arguments.pop("state")), port=0, browser=False, pace=0.0, **arguments)
"""
SECONDS = 40.0  # for an answer: the first use of a game may have to compile it


class Server:
    """A server in a process of its own."""

    def __init__(self, state: Path, **arguments: Any) -> None:
        words = json.dumps({"state": str(state), **arguments})
        command = [sys.executable, "-W", "error", "-c", SERVE, words]
        self.process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://(127.0.0.1:\d+)/#(\S*)", self.process.stdout.readline())
        assert found is not None
        self.host, self.place = found[1], found[2]
        self.state = state

    @property
    def url(self) -> str:
        return f"http://{self.host}/#{self.place}"

    def kept(self) -> dict[str, str]:
        """What is on disk, by the name of the table."""
        return {path.stem: path.read_text() for path in self.state.glob("*.jsonl")}

    def stop(self, kill: bool = False) -> None:
        self.process.kill() if kill else self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def served(state: Path, **arguments: Any) -> Iterator[Server]:
    server = Server(state, **arguments)
    try:
        yield server
    finally:
        server.stop()


class Page:
    """What a page says and hears, without a browser."""

    def __init__(self, server: Server, token: str | None = None, origin: str | None = None) -> None:
        self.stack = contextlib.ExitStack()
        address, said = f"ws://{server.host}/table", origin or f"http://{server.host}"
        opened = connect(address, origin=said, max_size=None, open_timeout=SECONDS)
        self.socket: ClientConnection = self.stack.enter_context(opened)
        self.table: dict[str, Any] = {}
        self.say("hello", **({"token": token} if token else {}))
        self.welcome = self.hear("welcome")

    def say(self, what: str, **values: Any) -> None:
        self.socket.send(json.dumps({"do": what, **values}))

    def send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; an error is raised, unless it is asked for."""
        while True:
            message = json.loads(self.socket.recv(SECONDS))
            if message["is"] == "table":
                self.table = message
            if message["is"] in kinds:
                return dict(message)
            assert message["is"] != "error", message

    def new(self, game: str, seats: tuple[str, str] = ("human", "human"), **values: Any) -> dict[str, Any]:
        self.say("new", game=game, seats=list(seats), **values)
        return self.hear("table")

    def sequence(self, pick: int = 0) -> list[str]:
        """A legal choice of the position that is shown."""
        choices, things = self.table["position"]["choices"], []
        node = choices["nodes"][choices["start"]]
        while node:
            things.append(list(node)[pick % len(node)])
            node = choices["nodes"][node[things[-1]]]
        return things

    def play(self, pick: int = 0) -> dict[str, Any]:
        """Play a legal choice, and wait until a person is to act again, or the game is over."""
        self.say("play", things=self.sequence(pick), number=self.table["position"]["number"])
        self.hear("table")
        return self.settled()

    def settled(self) -> dict[str, Any]:
        while not self.table["over"] and "choices" not in self.table["position"]:
            self.hear("table")
        return self.table

    def closed(self) -> bool:
        """Whether the server has ended the connection."""
        try:
            while True:
                self.socket.recv(SECONDS)
        except ConnectionClosed:
            return True

    def close(self) -> None:
        self.stack.close()
