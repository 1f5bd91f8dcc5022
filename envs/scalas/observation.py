"""What a player of Scalas sees: float32 (size, size, 5 + MAX_HEIGHT), channels in the order of `channels`."""

from ..core.kernel import kernel
from ..core.record import NOBODY
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
    own, other = state.hands[player] / (size * size), state.hands[1 - player] / (size * size)
    gaps = state.gaps if state.decision == FILL_GAP else 0
    observation[:] = 0
    for row in range(size):
        for column in range(size):
            square = observation[row, column]
            if state.tops[row, column] != NOBODY:
                square[0 if state.tops[row, column] == player else 1] = 1
            for height in range(state.heights[row, column]):
                square[2 + height] = 1
            square[gap] = gaps >> row * size + column & 1
            square[gap + 1] = own
            square[gap + 2] = other
