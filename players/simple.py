"""Players that need no library and no time: random, greedy, and whatever a function says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..envs.core import batch
from ..envs.core.dispatch import play
from ..envs.core.kernel import kernel
from ..envs.core.record import NOBODY, RUNNING
from ..envs.core.types import Actions, Integers, Mask, Observation, Reals, Record, Records
from .base import Player, Positions, SeededPlayer, chosen_by

WIN = 1_000_000_000  # beyond any difference of scores
SLICE = 64  # positions that are judged before Ctrl-C is heard again


class RandomPlayer(SeededPlayer):
    """Plays every legal action with the same probability."""

    def choose(self, positions: Positions) -> Actions:
        """A random legal action for each position: int64 (k,)."""
        actions = batch.uniform_actions(positions.action_mask, self.rng.random(len(positions.rows)))
        if actions.size and actions.min() < 0:  # asked first, it would take as long as drawing
            positions.check_running()
        return actions


class GreedyPlayer(RandomPlayer):
    """Looks one decision ahead: wins if it can, else takes the best difference of scores; ties at random.

    It does not know the game's chance: what it looks at is drawn by its own.
    """

    def choose(self, positions: Positions) -> Actions:
        """The best action by the score after it, for each position: int64 (k,)."""
        positions.check_running()
        game, states, mask = positions.game, positions.states, positions.action_mask
        uniform, actions = self.rng.random(len(states)), np.empty(len(states), np.int64)
        best, after = np.empty(game.num_actions, np.int64), game.blank_states(1)
        for start in range(0, len(states), SLICE):
            part = slice(start, start + SLICE)
            greedy_actions(states[part], after, mask[part], uniform[part], best, actions[part])
        return actions


class FunctionPlayer(Player):
    """Makes a player of a function `choose(observation, action_mask) -> actions` on arrays of k positions."""

    def __init__(self, function: Callable[[Observation, Mask], Integers]) -> None:
        self.function = function

    def choose(self, positions: Positions) -> Actions:
        """What the function says: int64 (k,). Raises ValueError if it says anything but integers."""
        actions = self.function(positions.observation, positions.action_mask)
        return chosen_by(type(self).__name__, actions, len(positions.states))


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
                if after[0].rng != 0:
                    after[0].rng = np.uint64(1 + uniform[i] * 2.0**53)
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
