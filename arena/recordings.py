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
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.batch import Batch
from ..envs.core.env import BoardGameEnv
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION, copy_records
from ..envs.core.registry import make_game
from ..envs.core.types import Integers, Record, Records

RESIGNED = "resigned"  # reason of a result that no rule knows: a player at a table has given up


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

    @classmethod
    def of(cls, env: BoardGameEnv, seed: int | None = None, players: Iterable[str] | None = None) -> Recording:
        """The game that an environment, unwrapped, has played so far; `seed`: of its reset."""
        return recording(env.game, env.origin, env.history, env.get_state(), seed, players)

    @classmethod
    def from_json(cls, line: str) -> Recording:
        """The recording of a line. Raises ValueError if it is none."""
        try:
            values = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"no JSON: {error}") from None
        known = {each.name for each in fields(cls)}
        if (
            not isinstance(values, dict)
            or not {"game", "parameters", "actions", "result", "versions"} <= set(values) <= known
        ):
            raise ValueError(f"no recorded game; expected an object with {', '.join(sorted(known))}")
        return cls(**values)

    @property
    def loser(self) -> int | None:
        """The player who has resigned; None if the game did not end so."""
        if self.result is None or self.result["reason"] != RESIGNED:
            return None
        return 1 - int(self.result["winner"])

    def to_json(self) -> str:
        """The recording as a line, without its end."""
        return json.dumps(
            {name: value for name, value in asdict(self).items() if value is not None or name == "result"}
        )

    def replay(self) -> BoardGameEnv:
        """An environment in which the game was played again, with its history.

        Raises ValueError if the game does not fit: other rules, an illegal action, another result.
        """
        game = make_game(self.game, **self.parameters)
        found = self.versions.get("environment")
        if found != game.version:
            raise ValueError(f"recorded on {self.game}_v{found}; expected {self.game}_v{game.version}, as it is here")
        env = BoardGameEnv(game)
        options: dict[str, Any] = {"actions": self.actions}
        if self.origin is not None:
            options["state"] = decoded(env.game, self.origin)
        env.reset(seed=self.seed or 0, options=options)
        if self.result is not None and self.result["reason"] == env.game.reasons[ILLEGAL_ACTION] and not env.result:
            env.forfeit()
        result = as_json(env.game.result(env.get_state()))
        if result is None and self.loser is not None:
            return env
        if result != as_json(self.result):
            raise ValueError(f"the replayed game ends with {result}; expected {self.result}, as recorded")
        return env


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
    """The value as it comes back from JSON."""
    return json.loads(json.dumps(value))


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
    """Add recordings to a file, which is made if there is none, with its folder."""
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a", encoding="utf-8") as stream:
        stream.writelines(f"{each.to_json()}\n" for each in recordings)


def read_recordings(file: str | Path) -> Iterator[Recording]:
    """The recordings of a file in order. Raises ValueError, with the number of the line, for what is none."""
    with open(file, encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                yield Recording.from_json(line)
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from None


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
