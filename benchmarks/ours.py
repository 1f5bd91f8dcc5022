"""The work of our games, as it is timed against that of the peers."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from measure import Work
from nakajima_zoo import Batch, Game, Positions
from nakajima_zoo.envs import VARIANTS, BoardGameEnv, GameWrapper, variant_game
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.record import copy_records
from nakajima_zoo.players import MCTSPlayer, RandomPlayer

BATCH_SIZE = 1024
DECISIONS = 64  # of an AEC loop or a batch at a time
POSITIONS = 256  # that are copied
SIMULATIONS = 500  # of a search, per decision


def variants(games: Iterable[str]) -> dict[str, Game]:
    """All variants of the games with these names."""
    wanted = set(games)
    return {name: variant_game(name) for name, variant in VARIANTS.items() if variant.game in wanted}


def environment(game: Game) -> GameWrapper:
    """What `env()` of the game's module makes."""
    return GameWrapper(BoardGameEnv(game))


def aec_loop(env: Any, seed: int = 0) -> Callable[[], int]:
    """Random legal play of any AEC environment: `last` and `step`, resets and dead steps included."""
    pick = random.Random(seed).random
    env.reset(seed=seed)

    def run() -> int:
        played = 0
        while played < DECISIONS:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                if not env.agents:
                    env.reset()
            else:
                env.step(loops.uniform_action(observation["action_mask"], pick()))
                played += 1
        return played

    return run


def batch_loop(game: Game) -> Callable[[], int]:
    """Random legal play of many games; every step writes all masks and observations, and resets what ended."""
    batch, player = Batch(game, BATCH_SIZE), RandomPlayer(0)
    batch.reset(seed=0)

    def run() -> int:
        for _ in range(DECISIONS):
            positions = Positions(game, batch.states, None, batch.observation, batch.action_mask)
            batch.step(player.choose(positions))
        return DECISIONS * BATCH_SIZE

    return run


def clone_loop(game: Game) -> Callable[[], int]:
    """Copy a game, play an action in the copy, see what is legal there: what a search does at every node."""
    nodes = list(random_nodes(game))
    mask, status = np.empty(game.num_actions, np.int8), np.empty(loops.STATUS_SIZE, np.int32)

    def run() -> int:
        for states, action in nodes:
            child = copy_records(states)
            loops.play_at(child, 0, action)
            loops.describe(child, 0, mask, status)
        return len(nodes)

    return run


def random_nodes(game: Game) -> Iterable[tuple[np.ndarray, int]]:
    """Positions of random games, each with a random legal action."""
    rng = random.Random(0)
    status = np.zeros(loops.STATUS_SIZE, np.int32)
    mask = np.zeros(game.num_actions, np.int8)
    for number in range(POSITIONS):
        if not mask.any():
            states = game.new_states(1, [number])
            loops.describe(states, 0, mask, status)
        action = rng.choice(np.flatnonzero(mask).tolist())
        yield copy_records(states), action
        loops.advance(states, 0, action, mask, status)


def search_loop(game: Game, cut: int | None = None) -> Callable[[], int]:
    """Search the start position, where random games are longest, on one core; `cut`: decisions of a random game."""
    start, player = Positions(game, game.new_states(1, [0])), MCTSPlayer(SIMULATIONS, cut=cut, num_threads=1, seed=0)

    def run() -> int:
        player.choose(start)
        return SIMULATIONS

    return run


def environment_copies(game: Game) -> tuple[Work, Work]:
    """Copying an environment in the middle of a game: by `clone`, and by `deepcopy`."""
    env = BoardGameEnv(game)
    run = aec_loop(GameWrapper(env))
    run()
    env.observation_space("player_0"), env.action_space("player_0")  # as any user has asked for them

    def clone() -> int:
        for _ in range(DECISIONS):
            env.clone()
        return DECISIONS

    def deepcopy() -> int:
        copy.deepcopy(env)
        return 1

    return Work("clone", clone), Work("deepcopy", deepcopy)
