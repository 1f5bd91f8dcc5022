"""Recordings: games kept in files, one JSON object a line, from which they can be replayed.

>>> import tempfile
>>> from nakajima_zoo import scalas_v0
>>> from nakajima_zoo.wrappers import RecordGames
>>> file = Path(tempfile.mkdtemp()) / "games.jsonl"
>>> env = RecordGames(scalas_v0.env(), file)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
>>> [recording] = read_recordings(file)
>>> recording.replay().result == env.unwrapped.result
True
"""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.batch import Batch
from ..envs.core.checks import is_integer
from ..envs.core.env import BoardGameEnv
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION, copy_records
from ..envs.core.registry import make_game
from ..envs.core.types import Integers, Record, Records
from .lines import END, append_lines

RESIGNED = "resigned"  # reason of a result that no rule knows: a player at a table has given up
HEAD = b'{"game": '  # what the line of a recording begins with


class RecordingError(ValueError):
    """What is kept is no recording, or none of a game by these rules: says file, line and field, as far as known."""


def versions(game: Game) -> dict[str, Any]:
    """What a game is recorded with: the version of the package, and that of the game (the 0 of `scalas_v0`)."""
    return {"nakajima_zoo": version("nakajima-zoo"), "environment": game.version}


@dataclass(frozen=True, kw_only=True)
class Recording:
    """One game, as it stands in a line of the file."""

    game: str
    parameters: dict[str, Any]
    seed: int | None = None
    """Of the reset that began it; None if there was none, or if that was not how the game began."""
    origin: str | None = None
    """The record that it began with, as base64 of its bytes, where game and seed alone do not tell it."""
    actions: list[int]
    result: dict[str, Any] | None
    """As `Game.result`; None for a game that was broken off."""
    players: list[str] | None = None
    """Names of player 0 and player 1."""
    versions: dict[str, Any]
    place: str = field(default="", compare=False, repr=False)
    """File and line that it was read from, for errors; it is not kept."""

    def __post_init__(self) -> None:
        """All becomes what JSON can hold, NumPy's numbers too. Raises RecordingError for a field of another kind."""
        for name, (fits, expected) in KEPT.items():
            value = getattr(self, name)
            with self._naming(name):
                kept = as_json(value)
                if not fits(kept):
                    raise ValueError(f"{value!r:.100}; expected {expected}")
            object.__setattr__(self, name, kept)

    @classmethod
    def of(cls, env: BoardGameEnv, seed: int | None = None, players: Iterable[str] | None = None) -> Recording:
        """The game that an environment, unwrapped, has played so far; `seed`: of its reset."""
        return recording(env.game, env.origin, env.history, env.get_state(), seed, players)

    @classmethod
    def from_json(cls, line: str | bytes, place: str = "") -> Recording:
        """The recording of a line, bytes of UTF-8 too. Raises RecordingError if it is none; `place` is named in it."""
        try:
            values = json.loads(line if isinstance(line, str) else line.decode(), parse_constant=no_constant)
        except (ValueError, RecursionError) as error:
            raise RecordingError(f"{at(place)}no JSON: {error}") from None
        if not isinstance(values, dict) or not NEEDED <= set(values) <= set(KEPT):
            raise RecordingError(f"{at(place)}no recorded game; expected an object with {', '.join(sorted(KEPT))}")
        return cls(**values, place=place)

    @property
    def loser(self) -> int | None:
        """The player who has resigned; None if the game did not end so."""
        if self.result is None or self.result["reason"] != RESIGNED:
            return None
        return 1 - int(self.result["winner"])

    def to_json(self) -> str:
        """The recording as a line, without its end."""
        values = {name: getattr(self, name) for name in KEPT}
        return json.dumps({name: value for name, value in values.items() if value is not None or name == "result"})

    def replay(self) -> BoardGameEnv:
        """An environment in which the game was played again, with its history.

        Raises RecordingError if the game does not fit: other rules, an illegal action, another result.
        """
        env = BoardGameEnv(self._game())
        options: dict[str, Any] = {"actions": self.actions}
        if self.origin is not None:
            with self._naming("origin"):
                options["state"] = env.game.check_state(decoded(env.game, self.origin))[0]
        with self._naming("actions"):
            env.reset(seed=(self.seed or 0) if self.origin is None else None, options=options)
        if self.result is not None and self.result["reason"] == env.game.reasons[ILLEGAL_ACTION] and not env.result:
            env.forfeit()
        self._check_result(as_json(env.game.result(env.get_state())))
        return env

    def _game(self) -> Game:
        with self._naming("game, parameters"):
            game = make_game(self.game, **self.parameters)
        with self._naming("versions"):
            found = self.versions["environment"]
            if found != game.version:
                raise ValueError(
                    f"recorded on {self.game}_v{found}; expected {self.game}_v{game.version}, as it is here"
                )
        return game

    def _check_result(self, replayed: Any) -> None:
        resigned = replayed is None and self.loser is not None
        with self._naming("result"):
            if replayed != self.result and not resigned:
                raise ValueError(f"the replayed game ends with {replayed}; expected {self.result}, as recorded")

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Any ValueError inside becomes a RecordingError that names place and field."""
        try:
            yield
        except (ValueError, TypeError, RecursionError) as error:
            raise RecordingError(f"{at(self.place)}{name}: {error}") from error


def at(place: str) -> str:
    """The beginning of an error."""
    return f"{place}: " if place else ""


def no_constant(text: str) -> None:
    """Raise ValueError for `NaN` and the like, which are no JSON."""
    raise ValueError(f"{text} is no number of JSON")


def is_result(value: Any) -> bool:
    """Whether a value of JSON is a result of `Game.result`, or that of a player who has resigned."""
    if not isinstance(value, dict) or set(value) != {"winner", "reason", "scores", "truncated"}:
        return False
    winner, scores = value["winner"], value["scores"]
    nobody = winner is None and value["reason"] != RESIGNED
    return (
        (nobody or (is_integer(winner) and winner in (0, 1)))
        and is_text(value["reason"])
        and isinstance(value["truncated"], bool)
        and all_are(is_integer, scores)
        and len(scores) == 2
    )


def all_are(fits: Callable[[Any], bool], value: Any) -> bool:
    """Whether a value of JSON is a list of nothing but what fits."""
    return isinstance(value, list) and all(map(fits, value))


def is_text(value: Any) -> bool:
    """Whether a value of JSON is a text."""
    return isinstance(value, str)


KEPT: dict[str, tuple[Callable[[Any], bool], str]] = {
    "game": (is_text, "a text"),
    "parameters": (lambda value: isinstance(value, dict), "an object"),
    "seed": (lambda value: value is None or (is_integer(value) and value >= 0), "an integer of at least 0"),
    "origin": (lambda value: value is None or is_text(value), "a text"),
    "actions": (lambda value: all_are(is_integer, value), "a list of integers"),
    "result": (
        lambda value: value is None or is_result(value),
        "null, or winner (0, 1 or null), reason, two scores and truncated",
    ),
    "players": (lambda value: value is None or (all_are(is_text, value) and len(value) == 2), "two texts"),
    "versions": (
        lambda value: isinstance(value, dict) and is_integer(value.get("environment")),
        "an object with an integer 'environment'",
    ),
}
"""The fields of a line, in order: what fits, and what is expected."""
NEEDED = {each.name for each in fields(Recording) if each.default is MISSING}


def recording(
    game: Game,
    origin: Record,
    history: list[int],
    final: Record,
    seed: int | None = None,
    players: Iterable[str] | None = None,
) -> Recording:
    """The recording of a game between the records `origin` and `final`."""
    plain = (seed is not None or not game.has_chance) and game.new_states(1, [seed or 0])[0].tobytes()
    kept = origin.tobytes()
    return Recording(
        game=game.name,
        parameters=dict(game.parameters),
        seed=seed if kept == plain else None,
        origin=None if kept == plain else base64.b64encode(kept).decode(),
        actions=history,
        result=as_json(game.result(final)),
        players=None if players is None else list(players),
        versions=versions(game),
    )


def as_json(value: Any) -> Any:
    """The value as it comes back from JSON, NumPy's numbers as those of Python. Raises ValueError or TypeError."""
    return json.loads(json.dumps(value, default=of_numpy, allow_nan=False))


def of_numpy(value: Any) -> Any:
    """A value of NumPy as Python's own. Raises TypeError for anything else."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r:.100} of type {type(value).__name__}; expected what JSON can hold")


def decoded(game: Game, origin: str) -> Record:
    """The record of base64 text. Raises ValueError if it does not fit the game."""
    dtype = game.template.dtype
    try:
        kept = base64.b64decode(origin, validate=True)
    except (ValueError, TypeError):
        raise ValueError(f"origin {origin!r}; expected base64") from None
    if len(kept) != dtype.itemsize:
        raise ValueError(f"origin of {len(kept)} bytes; expected {dtype.itemsize}, as a record of {game} has")
    record: Record = np.frombuffer(kept, dtype)[0].copy()
    return record


def write_recordings(file: str | Path, recordings: Iterable[Recording]) -> None:
    """Add recordings to a file, which is made if there is none, with its folder.

    Several processes may add to one file: each writes whole lines at once. A last line that a crash has torn is cut off
    first, with a UserWarning.
    """
    lines = b"".join(each.to_json().encode() + END for each in recordings)
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    append_lines(file, lines, is_torn)


def read_recordings(file: str | Path) -> Iterator[Recording]:
    """The recordings of a file in order. Raises RecordingError, which names the line, for what is none.

    A last line that a crash has torn is left out, with a UserWarning.
    """
    with open(file, "rb") as stream:
        for number, line in enumerate(stream, start=1):
            place = f"{file}, line {number}"
            if not line.endswith(END) and is_torn(line):
                warnings.warn(f"{place}: torn by a crash, and left out", stacklevel=2)
                return
            yield Recording.from_json(line, place)


def is_torn(line: bytes) -> bool:
    """Whether a last line without an end is the beginning of a recording, and no whole one."""
    if line[: len(HEAD)] != HEAD[: len(line)]:
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


class BatchRecorder:
    """Keeps what is played in a batch in which every game is played once."""

    def __init__(self, batch: Batch) -> None:
        """`batch`: as it was reset."""
        self.game = batch.game
        self.origins = copy_records(batch.states)
        self.rows: list[Integers] = []
        self.actions: list[Integers] = []

    def note(self, rows: Integers, actions: Integers) -> None:
        """`actions[k]` was played in game `rows[k]`."""
        self.rows.append(np.array(rows))
        self.actions.append(np.array(actions))

    def recordings(
        self, final_states: Records, seed: int | None = None, players: Iterable[str] | None = None
    ) -> Iterator[Recording]:
        """The games, which ended with `final_states`; game `i` began with `seed + i`."""
        played = np.concatenate(self.rows)
        order = np.argsort(played, kind="stable")
        n = len(self.origins)
        histories = np.split(np.concatenate(self.actions)[order], np.searchsorted(played[order], np.arange(1, n)))
        names = None if players is None else list(players)
        for i, (origin, history, final) in enumerate(zip(self.origins, histories, final_states, strict=True)):
            legal = history.tolist()[: -1 if final.reason == ILLEGAL_ACTION else None]
            yield recording(self.game, origin, legal, final, None if seed is None else seed + i, names)
