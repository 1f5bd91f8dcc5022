"""What a player of Scalas sees: float32 (size, size, 5 + MAX_HEIGHT), channels in the order of `channels`."""

import numpy as np

from ..core.kernel import kernel
from ..core.record import NOBODY
from .rules import FILL_GAP, MAX_HEIGHT


def channels(size):
    """The name of each channel."""
    heights = [f"height >= {height}" for height in range(1, MAX_HEIGHT[size] + 1)]
    hands = ["own cubes in hand / squares", "opponent's cubes in hand / squares"]
    return ("top is own", "top is opponent's", *heights, "gap waiting here", *hands)


def _towers():
    """All channels of a square but the last three, for a tower of every top (nobody's, own, opponent's) and height."""
    highest = max(MAX_HEIGHT.values())
    towers = np.zeros((3, highest + 1, 2 + highest), np.float32)
    towers[1, :, 0] = towers[2, :, 1] = 1
    for height in range(highest + 1):
        towers[:, height, 2 : 2 + height] = 1
    return towers


TOWERS = _towers()


@kernel
def observe(state, player, observation):
    """Write what `player` sees into `observation`."""
    size = state.heights.shape[0]
    gap = observation.shape[2] - 3
    own, other = state.hands[player] / (size * size), state.hands[1 - player] / (size * size)
    gaps = state.gaps if state.decision == FILL_GAP else 0
    for row in range(size):
        for column in range(size):
            square, top = observation[row, column], state.tops[row, column]
            tower = TOWERS[0 if top == NOBODY else 1 if top == player else 2, state.heights[row, column]]
            for channel in range(gap):
                square[channel] = tower[channel]
            square[gap] = gaps >> row * size + column & 1
            square[gap + 1] = own
            square[gap + 2] = other
