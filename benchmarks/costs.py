"""What playing and training cost beside time per step: memory, compilation, throughput of a learner."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from measure import Work
from nakajima_zoo import Game

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))  # the training example, which is timed

ROLLOUT_STEPS, ROLLOUT_GAMES = 2048, 64
NUM_ENVS = 128
MIB = 1 << 20


def memory(games: dict[str, Game]) -> pd.DataFrame:
    """What the masks and observations of a rollout take, by variant."""
    rows = {}
    for variant, game in games.items():
        positions = ROLLOUT_STEPS * ROLLOUT_GAMES
        entries = int(np.prod(game.observation_shape))
        rows[variant] = {
            "actions": game.num_actions,
            "observation": str(game.observation_shape),
            "masks int8, MiB": positions * game.num_actions / MIB,
            "masks packed to bits, MiB": positions * ((game.num_actions + 7) // 8) / MIB,
            "masks float32 (sb3-contrib), MiB": positions * game.num_actions * 4 / MIB,
            "observations float32, MiB": positions * entries * 4 / MIB,
            "records, MiB": positions * game.template.dtype.itemsize / MIB,
        }
    return pd.DataFrame.from_dict(rows, orient="index").round(1)


def compilation() -> pd.DataFrame:
    """Seconds that compiling all games takes, with an empty cache and with a full one, and that importing takes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        compile_all = (sys.executable, "-m", "nakajima_zoo", "compile")
        rows = {
            "`nakajima-zoo compile`, nothing cached": run_seconds(compile_all, environment),
            "the same again, all cached": run_seconds(compile_all, environment),
            "`import nakajima_zoo.envs`": run_seconds((sys.executable, "-c", "import nakajima_zoo.envs"), environment),
            "`import pettingzoo, gymnasium, numba` alone": run_seconds(
                (sys.executable, "-c", "import pettingzoo, gymnasium, numba"), environment
            ),
        }
    return pd.DataFrame({"seconds": rows}).round(2)


def run_seconds(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Seconds that a command takes, the start of Python included."""
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def training(game: Game, rollout: int) -> list[Work]:
    """MaskablePPO on many games at once, and the way of single environments: decisions of the learner.

    Each unit of work is one rollout of `rollout` decisions and the training on it, alike but for the environments.
    """
    from nakajima_zoo.wrappers import BatchVecEnv, SingleAgentEnv
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    def single() -> Any:
        return Monitor(SingleAgentEnv(game, "random"))

    num_envs = min(NUM_ENVS, rollout)
    return [
        Work(f"BatchVecEnv, {num_envs} games", learner(game, BatchVecEnv(game, num_envs, "random"), rollout)),
        Work("DummyVecEnv, 8 environments", learner(game, DummyVecEnv([single] * 8), rollout)),
        Work("DummyVecEnv, 1 environment", learner(game, DummyVecEnv([single]), rollout)),
    ]


def learner(game: Game, env: Any, rollout: int) -> Callable[[], int]:
    """Learning on `env` as `examples/train.py` does."""
    import train

    settings = train.settings_of(game)
    settings = replace(settings, batch_size=min(settings.batch_size, rollout))
    model = train.make_model(game, env, settings, seed=0, n_steps=rollout // env.num_envs)

    def run() -> int:
        before = model.num_timesteps
        model.learn(rollout, reset_num_timesteps=before == 0)
        return model.num_timesteps - before

    return run
