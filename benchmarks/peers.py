"""The work of the peers. A peer that is not installed is left out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pettingzoo
from measure import Work
from ours import BATCH_SIZE, DECISIONS, POSITIONS, aec_loop
from pettingzoo.env_registry.exceptions import FailedToImport

PETTINGZOO = ("connect_four_v3", "tictactoe_v3", "chess_v6")
PGX = ("connect_four", "othello", "go_9x9", "hex")
OPENSPIEL = ("connect_four", "othello", "go(board_size=9)")


def works(library: str, names: Iterable[str], loop: Callable[[str], Callable[[], int]]) -> tuple[list[Work], list[str]]:
    """The work of each game of a library, and a line about each that cannot be imported."""
    found, missing = [], []
    for name in names:
        try:
            found.append(Work(f"{library} {name}", loop(name)))
        except (ImportError, FailedToImport) as error:
            missing.append(f"left out: {library} {name} ({error}); it comes with the extra `bench`")
    return found, missing


def pettingzoo_loop(name: str) -> Callable[[], int]:
    """Random legal play of a classic PettingZoo environment."""
    return aec_loop(pettingzoo.make("aec", f"classic/{name.replace('_v', '-v')}"))


def pgx_loop(name: str) -> Callable[[], int]:
    """Random legal play of many pgx games, compiled as a whole; pgx works out mask and observation at every step.

    Actions are drawn as for our games: one uniform number per game picks the n-th legal action. That is at least as
    fast as pgx's own examples, which draw from `categorical`.
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, pick, chance = jax.random.split(key, 3)
        counts = jnp.cumsum(state.legal_action_mask, axis=1, dtype=jnp.int32)
        nth = (jax.random.uniform(pick, (BATCH_SIZE,)) * counts[:, -1]).astype(jnp.int32)
        actions = jnp.argmax(counts > nth[:, None], axis=1)
        return step_all(state, actions, jax.random.split(chance, BATCH_SIZE)), key

    compiled = jax.jit(step)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH_SIZE))
    now = [state, jax.random.PRNGKey(1)]
    steps = DECISIONS if name in ("connect_four", "othello") else 4  # the others take milliseconds a step

    def run() -> int:
        for _ in range(steps):
            now[:] = compiled(*now)
        jax.block_until_ready(now)
        return steps * BATCH_SIZE

    return run


def openspiel_loop(name: str) -> Callable[[], int]:
    """Copy an OpenSpiel state, play an action in the copy, see what is legal there."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng, state, nodes = random.Random(0), game.new_initial_state(), []
    for _ in range(POSITIONS):
        if state.is_terminal():
            state = game.new_initial_state()
        action = rng.choice(state.legal_actions())
        nodes.append((state.clone(), action))
        state.apply_action(action)

    def run() -> int:
        for parent, action in nodes:
            child = parent.clone()
            child.apply_action(action)
            child.legal_actions_mask()
        return len(nodes)

    return run
