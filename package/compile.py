"""Compile the rules of every game now, on its default board, so that no later use has to wait.

`python -m nakajima_zoo.compile`. Other boards, the greedy player and the search are still compiled when first used.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor

from .envs import GAMES
from .envs.core.batch import Batch
from .envs.core.env import BoardGameEnv
from .envs.core.registry import make_game


def compile_game(name: str) -> float:
    """Play a few decisions of the game, alone and in a batch; returns the seconds that took."""
    start = time.perf_counter()
    env = BoardGameEnv(make_game(name))
    env.reset(seed=0)
    env.observe(env.agent_selection)
    env.step(env.legal_actions()[0])
    batch = Batch(env.game, 2)
    batch.reset(0)
    batch.step(batch.action_mask.argmax(axis=1))
    batch.final_observation(batch.to_play[:1] * 0, batch.to_play[:1] * 0)
    return time.perf_counter() - start


def main() -> None:
    """Compile all games on their default boards, the slowest first."""
    start = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        for name, seconds in zip(reversed(GAMES), pool.map(compile_game, reversed(GAMES)), strict=True):
            print(f"{name:12} {seconds:5.1f} s")
    print(f"all games    {time.perf_counter() - start:5.1f} s")


if __name__ == "__main__":
    main()
