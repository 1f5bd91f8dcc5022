"""Tables on disk: each a file with one recording, written anew after every action, so that nothing is lost."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from ..arena.recordings import Recording
from .table import HUMAN, Table

NAME = re.compile(r"[A-Za-z0-9_-]{8,32}")
MOST = 5000  # tables on disk


def state_folder() -> Path:
    """Where tables are kept unless the user says otherwise: below XDG_STATE_HOME, by default ~/.local/state."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "nakajima_zoo" / "tables"


class Store:
    """A folder of tables."""

    def __init__(self, folder: Path) -> None:
        """The folder is made, with those above it, if it is not there."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def save(self, table: Table) -> None:
        """Write a table: whoever reads finds the old file or the new one, never half of one."""
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(f"{table.recording().to_json()}\n")
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(name, self.path(table.name))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def path(self, name: str) -> Path:
        """The file of a table. Raises ValueError for what is no name of one."""
        if not NAME.fullmatch(name):
            raise ValueError("no such game")
        return self.folder / f"{name}.jsonl"

    def load(self, name: str) -> Table:
        """The table of that name. Raises ValueError if there is none, or its file is damaged."""
        path = self.path(name)
        if not path.is_file():
            raise ValueError("no such game; it may have been removed")
        found = Recording.from_json(path.read_text(encoding="utf-8"))
        return Table.of_recording(found, found.players or (HUMAN, HUMAN), name)

    def remove(self, name: str) -> None:
        """Forget a table."""
        self.path(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """The names of the tables, the one that was changed last first."""
        files = sorted(self.folder.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)
        return [path.stem for path in files]

    def check_room(self) -> None:
        """Raise ValueError if there are too many tables for another one."""
        if len(self.names()) >= MOST:
            raise ValueError(f"{MOST} games are kept already; remove some of them")
