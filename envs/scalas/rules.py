"""Scalas. Rules: docs/scalas.md, after the designer's page (Masahiro Nakajima, nakajim.net). Left out: nothing.

Squares are numbered row by row from the top left; on 5x5:

     0  1  2  3  4
     5  6  7  8  9
    10 11 12 13 14
    15 16 17 18 19
    20 21 22 23 24

Action `s` places a cube on square `s`, or fills the gap on square `s` while the player chooses among gaps.
"""

import numpy as np

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, TERMINATED, begin, end_game

SIZES = (5, 6, 7)
DECISIONS = ("place", "fill_gap")
PLACE, FILL_GAP = range(2)
REASONS = ("illegal_action", "tops", "towers", "equal")
TOPS, TOWERS, EQUAL = 1, 2, 3  # the winner has more tops; equal tops, more high towers; all equal

MAX_HEIGHT = {5: 9, 6: 11, 7: 13}  # largest H with H * (H + 1) / 2 <= 2 * size * size

STEPS = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)], dtype=np.int8)  # to the edge-adjacent squares


def state_dtype(size):
    """The record of a game on a board of `size` x `size`."""
    squares = (size, size)
    fields = [
        ("heights", np.int8, squares),  # cubes on each square
        ("tops", np.int8, squares),  # player whose cube is on top, NOBODY on an empty square
        ("gaps", np.int8, squares),  # 1 where an opened gap waits to be filled
        ("hands", np.int16, (2,)),  # cubes that each player has left
    ]
    return np.dtype((np.record, HEADER + fields))


MAX_HEIGHT_7 = MAX_HEIGHT[7]
LEFT_COLUMN = np.array([sum(1 << row * size for row in range(size)) for size in range(8)], dtype=np.int64)

STATES = {size: state_dtype(size) for size in SIZES}


@kernel
def reset(state):
    """Set up the empty board, in place."""
    begin(state, 0)
    state.heights[:] = 0
    state.tops[:] = NOBODY
    state.gaps[:] = 0
    state.hands[:] = state.heights.size


@kernel
def legal_actions(state, mask):
    """Write what `state.player` may play into `mask`, int8 (size * size,); all 0 when the game is over."""
    mask[:] = 0
    if state.player == NOBODY:
        return
    if state.decision == FILL_GAP:
        size = state.gaps.shape[0]
        for square in range(size * size):
            mask[square] = state.gaps[square // size, square % size]
    else:
        legal_placements(state, mask)


@kernel
def play(state, action):
    """Play a legal action, in place: one cube, and every cube that it forces without a choice."""
    state.gaps[action // state.gaps.shape[0], action % state.gaps.shape[0]] = 0
    land(state, action)
    while state.hands[state.player] > 0 and state.gaps.sum() == 1:
        fill_lone_gap(state)
    if state.hands[state.player] > 0 and state.gaps.sum() > 1:
        state.decision = FILL_GAP
    else:
        end_turn(state)


@kernel
def land(state, square):
    """Put a cube of the mover on `square` and open the gaps that it makes."""
    row, column = square // state.tops.shape[0], square % state.tops.shape[0]
    if state.tops[row, column] != NOBODY:
        state.scores[state.tops[row, column]] -= 1
    state.scores[state.player] += 1
    state.heights[row, column] += 1
    state.tops[row, column] = state.player
    state.hands[state.player] -= 1
    open_gaps(state, row, column)


@kernel
def open_gaps(state, row, column):
    """Mark each lower square between the one just landed on and one of equal height and top, two squares away."""
    size = state.heights.shape[0]
    height, top = state.heights[row, column], state.tops[row, column]
    for step in STEPS:
        r, c = row + 2 * step[0], column + 2 * step[1]
        if 0 <= r < size and 0 <= c < size and state.heights[r, c] == height and state.tops[r, c] == top:
            gap = row + step[0], column + step[1]
            if state.heights[gap] < height:
                state.gaps[gap] = 1


@kernel
def fill_lone_gap(state):
    """Fill the only gap that waits."""
    size = state.gaps.shape[0]
    for square in range(size * size):
        if state.gaps[square // size, square % size]:
            state.gaps[square // size, square % size] = 0
            land(state, square)
            return


@kernel
def end_turn(state):
    """Drop gaps for which no cube is left, hand over to the next player who has cubes, end the game if he is stuck."""
    state.gaps[:] = 0
    state.decision = PLACE
    state.turns += 1
    if state.hands[1 - state.player] > 0:
        state.player = 1 - state.player
    if state.hands[state.player] == 0 or not can_place(state):
        end_by_tops(state)


@kernel
def end_by_tops(state):
    """End the game: more tops wins; if equal, more tops of the highest towers, and so on down to height 1."""
    difference, reason = state.scores[0] - state.scores[1], TOPS
    height = state.heights.max()
    while difference == 0 and height > 0:
        difference, reason = towers(state, 0, height) - towers(state, 1, height), TOWERS
        height -= 1
    if difference == 0:
        end_game(state, TERMINATED, NOBODY, EQUAL)
    else:
        end_game(state, TERMINATED, 0 if difference > 0 else 1, reason)


@kernel
def towers(state, player, height):
    """How many towers of exactly `height` have a cube of `player` on top."""
    count = 0
    for row in range(state.heights.shape[0]):
        for column in range(state.heights.shape[0]):
            count += state.heights[row, column] == height and state.tops[row, column] == player
    return count


# The stair rule works on sets of squares, held as the bits of an int64: bit s is square s.


@kernel
def legal_placements(state, mask):
    """Set the squares on which the mover may place a cube of his choice."""
    levels = level_sets(state)
    candidates = descending(levels, state.heights.shape[0]) & ~barred(state, levels)
    for square in range(mask.size):
        if candidates >> square & 1:
            mask[square] = descends_after(state, levels, square)


@kernel
def can_place(state):
    """Whether the mover has a legal square."""
    levels = level_sets(state)
    candidates = descending(levels, state.heights.shape[0]) & ~barred(state, levels)
    for square in range(state.heights.size):
        if candidates >> square & 1 and descends_after(state, levels, square):
            return True
    return False


@kernel
def level_sets(state):
    """The squares of each height, int64 (MAX_HEIGHT of 7x7 + 2,): `levels[h]` = the set of squares with height h."""
    levels = np.zeros(MAX_HEIGHT_7 + 2, np.int64)
    size = state.heights.shape[0]
    for square in range(size * size):
        levels[state.heights[square // size, square % size]] |= 1 << square
    return levels


@kernel
def barred(state, levels):
    """The empty squares if the opponent has no cubes left, else none."""
    return levels[0] if state.hands[1 - state.player] == 0 else 0


@kernel
def lowest_level(levels):
    """The smallest height on the board."""
    height = 0
    while levels[height] == 0:
        height += 1
    return height


@kernel
def descending(levels, size):
    """The squares from which a walk, never up and never down by two, arrives at the lowest level."""
    height = lowest_level(levels)
    reached = found = levels[height]
    while reached:
        height += 1
        reached = spread(neighbours(reached, size) & levels[height], levels[height], size)
        found |= reached
    return found


@kernel
def descends_after(state, levels, square):
    """Whether `square` descends once a cube is put on it."""
    size = state.heights.shape[0]
    cube = 1 << square
    height = state.heights[square // size, square % size] + 1
    lowest = lowest_level(levels)
    if levels[lowest] == cube:  # the only lowest square: with the cube it is again at the lowest level
        return True
    reached = spread(cube, levels[height] | cube, size)
    while reached and height > lowest:
        height -= 1
        level = levels[height] & ~cube
        reached = spread(neighbours(reached, size) & level, level, size)
    return reached != 0


@kernel
def spread(seeds, within, size):
    """All squares of `within` that are connected to `seeds` by edges inside `within`."""
    before = 0
    while seeds != before:
        before = seeds
        seeds |= neighbours(seeds, size) & within
    return seeds


@kernel
def neighbours(squares, size):
    """The squares edge-adjacent to one of `squares`."""
    left = LEFT_COLUMN[size]
    right = left << (size - 1)
    vertical = squares << size | squares >> size
    horizontal = (squares & ~right) << 1 | (squares & ~left) >> 1
    return (vertical | horizontal) & ((1 << size * size) - 1)
