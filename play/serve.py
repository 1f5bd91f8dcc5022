"""Start the server of the table, and open its page."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..players.names import MODELS
from .server import LARGEST_MESSAGE, Hall, application, new_table
from .store import Store, state_folder
from .table import HUMAN

with needs("play", "the table"):
    import uvicorn

LOOPBACK = "127.0.0.1"
PORT = 8642


def serve(
    game: Game | None = None,
    players: Sequence[str] = (),
    port: int = PORT,
    network: bool = False,
    state: Path | None = None,
    browser: bool = True,
    pace: float = 0.4,
    seed: int | None = None,
) -> None:
    """Serve the table until Ctrl-C.

    `game`, `players`: of a table to begin with, "human" or names of players, model files among them; these are offered
    by the page too, which cannot ask for other files. `network`: for others in the network too, who know the link.
    `state`: the folder where games are kept. Raises ValueError for players that there are not, and OSError if the port
    is taken.
    """
    given = {shown(name): name for name in players if name != HUMAN}
    hall = Hall(Store(state or state_folder()), given, secrets.token_urlsafe(18) if network else None, pace)
    place = f"#table={new_place(hall, game, players, seed)}" if game is not None else "#"
    listener = listen(port, network)
    port = listener.getsockname()[1]
    token = f"&token={hall.token}" if hall.token else ""
    print(f"the table: http://{LOOPBACK}:{port}/{place}{token}   (Ctrl-C ends it; games are kept)", flush=True)
    hosts = [LOOPBACK, "localhost"]
    if network:
        others = addresses()
        hosts += others
        for host in others:
            print(f"for others in the network: http://{host}:{port}/{place}{token}", flush=True)
    if browser:
        webbrowser.open(f"http://{LOOPBACK}:{port}/{place}{token}")
    run(hall, hosts, listener)


def new_place(hall: Hall, game: Game, players: Sequence[str], seed: int | None = None) -> str:
    """Open a table: its name. Raises ValueError for players that there are not."""
    seats = [shown(name) for name in players] or [HUMAN, HUMAN]
    if len(seats) != 2:
        raise ValueError(f"{len(seats)} players; expected two, such as human mcts:200")
    for seat in seats:
        if seat != HUMAN:
            hall.make_player(seat)
    return quote(hall.open(new_table(game, seats, seed)).table.name)


def shown(player: str) -> str:
    """What a page calls a player that was given on the command line."""
    return "/".join(Path(player).parts[-2:]) if player.endswith(MODELS) else player


def listen(port: int, network: bool) -> socket.socket:
    """A socket that listens, on this machine alone or for the network. Raises OSError if the port cannot be had."""
    try:
        return socket.create_server(("0.0.0.0" if network else LOOPBACK, port))
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OSError(f"port {port}: {why}; choose another with --port") from None


def addresses() -> list[str]:
    """The names and addresses of this machine in its network."""
    name = socket.gethostname()
    found = [name, f"{name}.local"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
            found.insert(0, probe.getsockname()[0])
        except OSError:
            pass
    return found


def run(hall: Hall, hosts: Sequence[str], listener: socket.socket) -> None:
    """Serve until the program is interrupted."""
    config = uvicorn.Config(
        application(hall, hosts),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        server_header=False,
        limit_concurrency=300,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listener])
