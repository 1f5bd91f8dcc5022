"""What a player of Scalas sees: float32 (size, size, 5 + MAX_HEIGHT), channels in the order of `channels`."""

from ..core.kernel import kernel
from .rules import FILL_GAP, MAX_HEIGHT


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
    gaps = state.gaps if state.decision == FILL_GAP else 0
    for row in range(size):
        for column in range(size):
            square = observation[row, column]
            square[0] = state.tops[row, column] == player
            square[1] = state.tops[row, column] == 1 - player
            for height in range(1, gap - 1):
                square[1 + height] = state.heights[row, column] >= height
            square[gap] = gaps >> row * size + column & 1
            square[gap + 1] = state.hands[player] / (size * size)
            square[gap + 2] = state.hands[1 - player] / (size * size)
