"""What a training with MaskablePPO will cost, before it begins: memory and time, both roughly."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch
from nakajima_zoo import Game
from nakajima_zoo.players import PolicyPlayer
from nakajima_zoo.wrappers import BatchVecEnv
from sb3_contrib import MaskablePPO

FLOAT = 4  # bytes; sb3-contrib keeps masks as float32, too
COPIES = 9  # of a minibatch's logits: probabilities, gradients and what else the loss is made of
ENTRIES = 50_000_000  # of logits, that are timed at most


def memory(game: Game, positions: int, batch_size: int) -> int:
    """Bytes that training needs beside the libraries.

    `positions`: decisions of a rollout; `batch_size`: of a minibatch. The masks count twice, since the buffer copies
    them to shuffle them.
    """
    observation = int(np.prod(game.observation_shape))
    rollout = positions * (2 * game.num_actions + observation)
    return FLOAT * (rollout + COPIES * min(batch_size, positions) * game.num_actions)


def seconds(game: Game, model: MaskablePPO, opponent: str, decisions: int) -> float:
    """Roughly how long `decisions` of training take: some steps and a minibatch are timed.

    Neither the model nor the chance of its training is changed by that.
    """
    with torch.random.fork_rng(devices=[]):
        playing = time_of(step_of(game, model, opponent)) / int(model.n_envs)
        rows = min(int(model.batch_size), max(ENTRIES // game.num_actions, 1))
        learning = time_of(update_of(game, model, rows)) / rows
    return decisions * (playing + learning * int(model.n_epochs))


def step_of(game: Game, model: MaskablePPO, opponent: str) -> Callable[[], None]:
    """A decision of the model in each of its games, of its own."""
    env = BatchVecEnv(game, model.n_envs, PolicyPlayer(model.policy) if opponent == "self" else opponent)
    env.seed(0)
    env.reset()

    def step() -> None:
        with torch.no_grad():
            chosen, *_ = model.policy(torch.from_numpy(env.seats.observation), action_masks=env.action_masks())
        env.step(chosen.numpy())

    return step


def update_of(game: Game, model: MaskablePPO, rows: int) -> Callable[[], None]:
    """What is worked out for a minibatch of so many rows; the weights stay as they are."""
    seen, actions = torch.zeros(rows, *game.observation_shape), torch.zeros(rows)
    masks = np.ones((rows, game.num_actions), np.float32)

    def update() -> None:
        values, log_probs, entropy = model.policy.evaluate_actions(seen, actions, action_masks=masks)
        (values.mean() + log_probs.mean() + entropy.mean()).backward()
        model.policy.optimizer.zero_grad()

    return update


def time_of(work: Callable[[], None]) -> float:
    """Seconds that some work takes, what is compiled at its first time not counted."""
    work()
    start = time.perf_counter()
    for _ in range(3):
        work()
    return (time.perf_counter() - start) / 3


def duration(seconds: float) -> str:
    """`12 s`, `5 min` or `3 h`."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
