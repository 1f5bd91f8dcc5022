"""What the tests of all games share: the variants, and random games."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.env import BoardGameEnv, GameWrapper
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.variants import VARIANTS
from nakajima_zoo.envs.variants import variant_game as game_of
from nakajima_zoo.players.simple import FunctionPlayer

DEFAULTS = ("scalas-5", "ring_world-L3-joint", "tsukiji-staged", "renaissance-full-staged")
STAGED = tuple(name for name in VARIANTS if "joint" not in name)
JOINT = tuple(name for name in VARIANTS if "joint" in name)

every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_game = pytest.mark.parametrize("variant", DEFAULTS)

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}  # of processes that tests start


def laid_out(folder: Path) -> Path:
    """The package in `folder` as it is installed: checkers of types do not know the mapping of the build backend."""
    package = folder / "nakajima_zoo"
    package.mkdir()
    rooms = [file.parent for file in ROOT.glob("*/__init__.py") if file.parent.name != "package"]
    for source in [*rooms, *(ROOT / "package").iterdir()]:
        if source.name != "__pycache__":
            (package / source.name).symlink_to(source)
    return folder


def raw_env(variant: str, **options: Any) -> BoardGameEnv:
    return BoardGameEnv(game_of(variant), **options)


def wrapped_env(variant: str, **options: Any) -> GameWrapper:
    return GameWrapper(raw_env(variant), **options)


def plain_rules(variant: str) -> ModuleType:
    return importlib.import_module(f"plain.{VARIANTS[variant][0]}")


def random_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def random_games(game: Game, count: int, seed: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every position of `count` random games, the final ones included, as (1,) records and mask; both are copies."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        states = game.new_states(1, [seed + number])
        mask, status = game.mask(states), np.zeros(loops.STATUS_SIZE, np.int32)
        while mask.any():
            yield states.copy(), mask.copy()
            assert loops.advance(states, 0, random_action(mask, rng), mask, status)
        yield states.copy(), mask.copy()


def first_player() -> FunctionPlayer:
    """A player without chance: the first legal action."""
    return FunctionPlayer(lambda observation, mask: mask.argmax(axis=1))


def last_player() -> FunctionPlayer:
    """A player without chance: the last legal action."""
    return FunctionPlayer(lambda observation, mask: mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1))


def play_randomly(env: Any, rng: np.random.Generator, decisions: int | None = None) -> None:
    """Play random actions on an AEC environment, to the end or for some decisions."""
    played = 0
    while played != decisions and not any({**env.terminations, **env.truncations}.values()) and env.agents:
        env.step(random_action(env.observe(env.agent_selection)["action_mask"], rng))
        played += 1
        if env.unwrapped.result is not None:
            return


def trace(env: BoardGameEnv) -> tuple[Any, ...]:
    """All that an AEC environment shows, for comparison."""
    return (
        env.get_state().tobytes(),
        env.history,
        env.agent_selection,
        list(env.agents),
        dict(env.rewards),
        dict(env._cumulative_rewards),
        dict(env.terminations),
        dict(env.truncations),
        {agent: dict(info) for agent, info in env.infos.items()},
    )
