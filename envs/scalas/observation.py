"""What a player of Scalas sees: float32 (size, size, 5 + MAX_HEIGHT), channels in the order of `channels`."""

from ..core.kernel import kernel
from ..core.record import NOBODY
from .rules import MAX_HEIGHT


def channels(size):
    """The name of each channel."""
    heights = [f"height >= {height}" for height in range(1, MAX_HEIGHT[size] + 1)]
    hands = ["own cubes in hand / squares", "opponent's cubes in hand / squares"]
    return ("top is own", "top is opponent's", *heights, "gap waiting here", *hands)


@kernel
def observe(state, player, observation):
    """Write what `player` sees into `observation`."""
    size = state.heights.shape[0]
    gap = observation.shape[2] - 3
    observation[:, :, :gap] = 0
    observation[:, :, gap + 1] = state.hands[player] / (size * size)
    observation[:, :, gap + 2] = state.hands[1 - player] / (size * size)
    for row in range(size):
        for column in range(size):
            if state.tops[row, column] != NOBODY:
                observation[row, column, 0 if state.tops[row, column] == player else 1] = 1
            observation[row, column, 2 : 2 + state.heights[row, column]] = 1
            observation[row, column, gap] = state.gaps[row, column]
