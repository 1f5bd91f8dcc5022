"""Games kept in files, one JSON object a line, from which they can be replayed.

>>> import tempfile
>>> from nakajima_zoo.envs import scalas_v0
>>> file = Path(tempfile.mkdtemp()) / "games.jsonl"
>>> env = RecordGames(scalas_v0.env(), file)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
>>> [recording] = read_games(file)
>>> recording.replay().result == env.unwrapped.result
True
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from .. import __version__
from ..envs.core.batch import Batch
from ..envs.core.env import BoardGameEnv
from ..envs.core.game import VERSION, Game, make_game
from ..envs.core.record import ILLEGAL_ACTION, copy_records


def versions() -> dict[str, Any]:
    """What a game is recorded with: version of the package, and of the environments (the 0 of `scalas_v0`)."""
    return {"nakajima_zoo": __version__, "environment": VERSION}


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
    versions: dict[str, Any] = field(default_factory=versions)

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
        if not isinstance(values, dict) or not {"game", "parameters", "actions", "result"} <= set(values) <= known:
            raise ValueError(f"no recorded game; expected an object with {', '.join(sorted(known))}")
        return cls(**values)

    def to_json(self) -> str:
        """The recording as a line, without its end."""
        return json.dumps(
            {name: value for name, value in asdict(self).items() if value is not None or name == "result"}
        )

    def replay(self) -> BoardGameEnv:
        """An environment in which the game was played again, with its history.

        Raises ValueError if the game does not fit: other rules, an illegal action, another result.
        """
        found = self.versions.get("environment")
        if found != VERSION:
            raise ValueError(f"recorded on {self.game}_v{found}; expected {self.game}_v{VERSION}, as it is here")
        env = BoardGameEnv(make_game(self.game, self.parameters))
        options: dict[str, Any] = {"actions": self.actions}
        if self.origin is not None:
            options["state"] = decoded(env.game, self.origin)
        env.reset(seed=self.seed or 0, options=options)
        if self.result is not None and self.result["reason"] == env.game.reasons[ILLEGAL_ACTION] and not env.result:
            env.forfeit()
        result = as_json(env.game.result(env.get_state()))
        if result != as_json(self.result):
            raise ValueError(f"the replayed game ends with {result}; expected {self.result}, as recorded")
        return env


def recording(
    game: Game,
    origin: Any,
    history: list[int],
    final: Any,
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
    )


def as_json(value: Any) -> Any:
    """The value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def decoded(game: Game, origin: str) -> Any:
    """The record of base64 text. Raises ValueError if it does not fit the game."""
    dtype = game.template.dtype
    try:
        kept = base64.b64decode(origin, validate=True)
    except (ValueError, TypeError):
        raise ValueError(f"origin {origin!r}; expected base64") from None
    if len(kept) != dtype.itemsize:
        raise ValueError(f"origin of {len(kept)} bytes; expected {dtype.itemsize}, as a record of {game} has")
    return np.frombuffer(kept, dtype)[0].copy()


def write_games(file: str | Path, recordings: Iterable[Recording]) -> None:
    """Add games to a file, which is made if there is none, with its folder."""
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a", encoding="utf-8") as stream:
        stream.writelines(f"{each.to_json()}\n" for each in recordings)


def read_games(file: str | Path) -> Iterator[Recording]:
    """The games of a file, one after the other. Raises ValueError, with the number of the line, for what is none."""
    with open(file, encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                yield Recording.from_json(line)
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from None


class RecordGames(BaseWrapper):
    """An AEC environment of one of the games that adds each game to a file when it ends.

    A game that is broken off by `reset` or `close` is added too, with the result None, if anything was played in it.
    """

    def __init__(self, env: AECEnv, file: str | Path, players: Iterable[str] | None = None) -> None:
        """`players`: names of player 0 and player 1, to stand in the file."""
        super().__init__(env)
        self.file = Path(file)
        self.players = None if players is None else list(players)
        self.running = False
        self.seed: int | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, as the environment does."""
        self._write_unfinished()
        self.running = False
        self.env.reset(seed=seed, options=options)
        self.seed, self.running = seed, True
        self._write_finished()

    def step(self, action: Any) -> None:
        """Play an action, as the environment does."""
        self.env.step(action)
        self._write_finished()

    def close(self) -> None:
        """Close the environment."""
        self._write_unfinished()
        self.running = False
        self.env.close()

    def _write_unfinished(self) -> None:
        if self.running and self.env.unwrapped.history:
            self._write()

    def _write_finished(self) -> None:
        if self.running and self.env.unwrapped.result is not None:
            self.running = False
            self._write()

    def _write(self) -> None:
        write_games(self.file, [Recording.of(self.env.unwrapped, self.seed, self.players)])


class BatchRecorder:
    """Keeps what is played in a batch in which every game is played once."""

    def __init__(self, batch: Batch) -> None:
        """`batch`: as it was reset."""
        self.game = batch.game
        self.origins = copy_records(batch.states)
        self.games: list[np.ndarray] = []
        self.actions: list[np.ndarray] = []

    def note(self, games: np.ndarray, actions: np.ndarray) -> None:
        """`actions[k]` was played in game `games[k]`."""
        self.games.append(np.array(games))
        self.actions.append(np.array(actions))

    def recordings(
        self, final_states: np.ndarray, seed: int | None = None, players: Iterable[str] | None = None
    ) -> Iterator[Recording]:
        """The games, which ended with `final_states`; game `i` began with `seed + i`."""
        played = np.concatenate(self.games)
        order = np.argsort(played, kind="stable")
        n = len(self.origins)
        histories = np.split(np.concatenate(self.actions)[order], np.searchsorted(played[order], np.arange(1, n)))
        names = None if players is None else list(players)
        for i, (origin, history, final) in enumerate(zip(self.origins, histories, final_states, strict=True)):
            legal = history.tolist()[: -1 if final.reason == ILLEGAL_ACTION else None]
            yield recording(self.game, origin, legal, final, None if seed is None else seed + i, names)
