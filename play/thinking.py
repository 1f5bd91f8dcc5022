"""Players at work while the page stays alive: in threads, in slices, bounded in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from ..envs.core.game import Game
from ..envs.core.record import NOBODY, RUNNING
from ..envs.core.threads import cores
from ..envs.core.types import Reals, Record
from ..players.base import Player, Positions, choose_legal
from ..players.mcts import MCTSPlayer
from .search import Considered, Search

LONGEST = 60.0  # seconds that a search may take
SLICE = 0.05  # seconds of a slice of it
MANY_SIMULATIONS = 100_000  # more are not asked for by a page

Result = TypeVar("Result")
Progress = Callable[[Search], None]

_pool = ThreadPoolExecutor(cores() + 1, "thinking")


async def in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Do some work in a thread; kernels let go of the interpreter."""
    return await asyncio.get_running_loop().run_in_executor(_pool, work, *arguments)


async def run_search(search: Search, progress: Progress, hurry: asyncio.Event) -> None:
    """Search to the end, or until `hurry` is set, or as long as may be; at least one slice."""
    start, count = time.monotonic(), 1
    while search.done < search.simulations:
        begun = time.monotonic()
        await in_thread(search.run, count)
        progress(search)
        now = time.monotonic()
        if hurry.is_set() or now - start > LONGEST:
            return
        count = max(1, min(2 * count, int(count * SLICE / max(now - begun, 1e-6))))


async def choose(game: Game, state: Record, player: Player, progress: Progress, hurry: asyncio.Event) -> int:
    """The action that a player chooses in the position of a running game."""
    if isinstance(player, MCTSPlayer):
        search = await in_thread(Search, game, state, player)
        await run_search(search, progress, hurry)
        return search.considered()[0].action
    return int((await in_thread(choose_legal, player, Positions.of_state(game, state)))[0])


async def consider(
    game: Game, state: Record, player: Player, progress: Progress, hurry: asyncio.Event
) -> tuple[list[Considered], float | None]:
    """The actions that a player thinks of, the best first; and the position's value for player 0, if it has one."""
    if isinstance(player, MCTSPlayer):
        search = await in_thread(Search, game, state, player)
        await run_search(search, progress, hurry)
        return search.considered(), search.value
    judge = judge_of(player)
    if judge is not None:
        return await in_thread(judge, Positions.of_state(game, state))
    action = int((await in_thread(choose_legal, player, Positions.of_state(game, state)))[0])
    return [Considered(action, 0, 1.0, float("nan"))], None


def judge_of(player: Player) -> Callable[[Positions], tuple[list[Considered], float | None]] | None:
    """What tells the probabilities of a player that is a network; None for others."""
    if hasattr(player, "policy"):
        return lambda positions: judged_by_policy(player.policy, positions)
    if hasattr(player, "network"):
        return lambda positions: (judged_by_network(player.network, positions), None)
    return None


def judged_by_policy(policy: Any, positions: Positions) -> tuple[list[Considered], float]:
    """The probabilities of a policy of Stable-Baselines3 in one position, and its value for player 0."""
    observation, _ = policy.obs_to_tensor(positions.observation)
    distribution = policy.get_distribution(observation, action_masks=positions.action_mask)
    value = float(policy.predict_values(observation).detach().cpu().numpy()[0, 0])
    sign = 1 if positions.states[0]["player"] == 0 else -1
    return ranked(distribution.distribution.probs.detach().cpu().numpy()[0], positions), sign * value


def judged_by_network(network: Any, positions: Positions) -> list[Considered]:
    """The probabilities of the network of a NetworkPlayer in one position."""
    import torch  # the player has it

    with torch.no_grad():
        logits = network(torch.from_numpy(positions.observation)).double().numpy()[0]
    weights = np.where(positions.action_mask[0] == 1, np.exp(logits - logits.max()), 0)
    return ranked(weights / weights.sum(), positions)


def ranked(shares: Reals, positions: Positions) -> list[Considered]:
    """The legal actions of one position with their probabilities, (num_actions,), the likeliest first."""
    legal = np.flatnonzero(positions.action_mask[0])
    best = legal[np.argsort(-shares[legal], kind="stable")].tolist()
    return [Considered(action, 0, float(shares[action]), float("nan")) for action in best]


async def value_of(game: Game, state: Record, player: MCTSPlayer, hurry: asyncio.Event) -> float:
    """What player 0 can expect in a position, by search; the outcome once the game is over."""
    if state.status != RUNNING:
        return 0.0 if state.winner == NOBODY else 1.0 if state.winner == 0 else -1.0
    search = await in_thread(Search, game, state, player)
    await run_search(search, lambda search: None, hurry)
    return search.value
