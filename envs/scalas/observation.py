"""What a player of Scalas sees: float32 (size, size, 5 + MAX_HEIGHT), channels in the order of `channels`."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.record import NOBODY
from ..core.types import Observation, Record
from .rules import FILL_GAP, MAX_HEIGHT

OWN_TOP, OPPONENTS_TOP, HEIGHTS = range(3)  # HEIGHTS + h: height > h
GAP, OWN_HAND, OPPONENTS_HAND = range(3)  # behind the heights, whose number depends on the size
NUM_BEHIND = 3


def channels(size: int) -> tuple[str, ...]:
    """The name of each channel."""
    heights = [f"height >= {height}" for height in range(1, MAX_HEIGHT[size] + 1)]
    hands = ["own cubes in hand / squares", "opponent's cubes in hand / squares"]
    return ("top is own", "top is opponent's", *heights, "gap waiting here", *hands)


def _towers() -> Observation:
    """All channels of a square but the last three, for a tower of every top (nobody's, own, opponent's) and height."""
    highest = max(MAX_HEIGHT.values())
    towers = np.zeros((3, highest + 1, HEIGHTS + highest), np.float32)
    towers[1, :, OWN_TOP] = towers[2, :, OPPONENTS_TOP] = 1
    for height in range(highest + 1):
        towers[:, height, HEIGHTS : HEIGHTS + height] = 1
    return towers


TOWERS = _towers()


@kernel
def observe(state: Record, player: int, observation: Observation) -> None:
    """Write what `player` sees into `observation`."""
    size = state.heights.shape[0]
    behind = observation.shape[2] - NUM_BEHIND  # the first channel behind the heights
    own, other = state.hands[player] / (size * size), state.hands[1 - player] / (size * size)
    gaps = state.gaps if state.decision == FILL_GAP else 0
    for row in range(size):
        for column in range(size):
            square, top = observation[row, column], state.tops[row, column]
            tower = TOWERS[0 if top == NOBODY else 1 if top == player else 2, state.heights[row, column]]
            for channel in range(behind):
                square[channel] = tower[channel]
            square[behind + GAP] = gaps >> row * size + column & 1
            square[behind + OWN_HAND] = own
            square[behind + OPPONENTS_HAND] = other
