"""Players that need no library and no time: random, greedy, and whatever a function says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..envs.core import batch
from ..envs.core.dispatch import play
from ..envs.core.kernel import kernel
from ..envs.core.record import NOBODY, RUNNING
from ..envs.core.types import Actions, Integers, Mask, Observation, Reals, Record, Records
from .base import Player, Positions, SeededPlayer

WIN = 1_000_000_000  # beyond any difference of scores


class RandomPlayer(SeededPlayer):
    """Plays every legal action with the same probability."""

    def choose(self, positions: Positions) -> Actions:
        """A random legal action for each position: int64 (k,)."""
        return batch.uniform_actions(positions.action_mask, self.rng.random(len(positions.states)))


class GreedyPlayer(RandomPlayer):
    """Looks one decision ahead: wins if it can, else takes the best difference of scores; ties at random."""

    def choose(self, positions: Positions) -> Actions:
        """The best action by the score after it, for each position: int64 (k,)."""
        states, mask = positions.states, positions.action_mask
        actions = np.empty(len(states), np.int64)
        best = np.empty(positions.game.num_actions, np.int64)
        greedy_actions(states, states[:1].copy(), mask, self.rng.random(len(actions)), best, actions)
        return actions


class FunctionPlayer(Player):
    """Makes a player of a function `choose(observation, action_mask) -> actions` on arrays of k positions."""

    def __init__(self, function: Callable[[Observation, Mask], Integers]) -> None:
        self.function = function

    def choose(self, positions: Positions) -> Actions:
        """What the function says: int64 (k,)."""
        return np.asarray(self.function(positions.observation, positions.action_mask), np.int64)


@kernel
def greedy_actions(
    states: Records, after: Records, mask: Mask, uniform: Reals, best: Actions, actions: Actions
) -> None:
    """Write the greedy action of each position; `after` (1,) and `best` (num_actions,) are scratch space."""
    for i in range(states.size):
        count, best_value = 0, -2 * WIN
        for action in range(mask.shape[1]):
            if mask[i, action]:
                after[0] = states[i]
                play(after[0], action)
                value = value_for(after[0], states[i].player)
                if value > best_value:
                    count, best_value = 0, value
                if value == best_value:
                    best[count] = action
                    count += 1
        actions[i] = best[int(uniform[i] * count)]


@kernel
def value_for(state: Record, player: int) -> int:
    """How good a position is for `player`: WIN or -WIN when it is over, else the difference of scores."""
    if state.status != RUNNING:
        if state.winner == NOBODY:
            return 0
        return WIN if state.winner == player else -WIN
    return int(state.scores[player]) - int(state.scores[1 - player])
