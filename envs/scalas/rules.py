"""Scalas. Rules: docs/scalas.md, after the designer's page (Masahiro Nakajima, nakajim.net). Left out: nothing.

Squares are numbered row by row from the top left; on 5x5:

     0  1  2  3  4
     5  6  7  8  9
    10 11 12 13 14
    15 16 17 18 19
    20 21 22 23 24

Action `s` places a cube on square `s`, or fills the gap on square `s` while the player chooses among gaps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, TERMINATED, begin, end_game
from ..core.squares import first_square, is_single, moved, neighbours, spread
from ..core.types import Integers, Mask, Record, Squares

VERSION = 0  # the number in `scalas_v0`: raised when old results cannot be compared with new ones
SIZES = (5, 6, 7)
DECISIONS = ("place", "fill_gap")
PLACE, FILL_GAP = range(2)
REASONS = ("illegal_action", "tops", "towers", "equal")
TOPS, TOWERS, EQUAL = 1, 2, 3  # the winner has more tops; equal tops, more high towers; all equal

MAX_HEIGHT = {5: 9, 6: 11, 7: 13}  # largest H with H * (H + 1) / 2 <= 2 * size * size

STEPS = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)], dtype=np.int64)  # to the edge-adjacent squares


def state_dtype(size: int) -> np.dtype[Any]:
    """The record of a game on a board of `size` x `size`."""
    squares = (size, size)
    fields = [
        ("heights", np.int8, squares),  # cubes on each square
        ("tops", np.int8, squares),  # player whose cube is on top, NOBODY on an empty square
        ("levels", np.int64, (MAX_HEIGHT[size] + 2,)),  # levels[h]: the squares of height h, as a set (below)
        ("gaps", np.int64),  # the squares whose gap waits to be filled, as a set
        ("places", np.int64),  # the squares where the mover may place a cube of his choice; none while he fills gaps
        ("hands", np.int16, (2,)),  # cubes that each player has left
    ]
    return np.dtype((np.record, HEADER + fields))


STATES = {size: state_dtype(size) for size in SIZES}


@kernel
def reset(state: Record) -> None:
    """Set up the empty board, in place."""
    begin(state, 0)
    state.heights[:] = 0
    state.tops[:] = NOBODY
    find_levels(state)
    state.gaps = 0
    state.places = (1 << state.heights.size) - 1
    state.hands[:] = state.heights.size


@kernel
def legal_actions(state: Record, mask: Mask) -> None:
    """Write what `state.player` may play into `mask`, int8 (size * size,); all 0 when the game is over."""
    legal = legal_squares(state)
    for square in range(mask.size):
        mask[square] = legal >> square & 1


@kernel
def is_legal(state: Record, action: int, room: Mask) -> bool:
    """Whether `state.player` may play `action`, one of 0 .. size * size - 1; `room` is not needed."""
    return legal_squares(state) >> action & 1 == 1


@kernel
def legal_squares(state: Record) -> Squares:
    """The squares that `state.player` may play on; none when the game is over."""
    if state.player == NOBODY:
        return np.int64(0)
    return state.gaps if state.decision == FILL_GAP else state.places


@kernel
def play(state: Record, action: int) -> None:
    """Play a legal action, in place: one cube, and every cube that it forces without a choice."""
    state.places = 0
    land(state, action)
    while state.hands[state.player] > 0 and is_single(state.gaps):
        land(state, first_square(state.gaps))
    if state.hands[state.player] > 0 and state.gaps != 0:
        state.decision = FILL_GAP
    else:
        end_turn(state)


@kernel
def land(state: Record, square: int) -> None:
    """Put a cube of the mover on `square`, which fills a gap there, and open the gaps that it makes."""
    row, column = square // state.tops.shape[0], square % state.tops.shape[0]
    if state.tops[row, column] != NOBODY:
        state.scores[state.tops[row, column]] -= 1
    state.scores[state.player] += 1
    state.levels[state.heights[row, column]] ^= 1 << square
    state.heights[row, column] += 1
    state.levels[state.heights[row, column]] ^= 1 << square
    state.tops[row, column] = state.player
    state.hands[state.player] -= 1
    state.gaps &= ~(1 << square)
    for direction in range(len(STEPS)):
        open_gap(state, row, column, STEPS[direction, 0], STEPS[direction, 1])


@kernel
def open_gap(state: Record, row: int, column: int, down: int, right: int) -> None:
    """Open the gap one step on if it is lower than the square just landed on and that two steps on, and these match."""
    size = state.heights.shape[0]
    r, c = row + 2 * down, column + 2 * right
    if r < 0 or r >= size or c < 0 or c >= size:
        return
    height = state.heights[row, column]
    match = state.heights[r, c] == height and state.tops[r, c] == state.tops[row, column]
    if match and state.heights[row + down, column + right] < height:
        state.gaps |= 1 << (row + down) * size + column + right


@kernel
def end_turn(state: Record) -> None:
    """Drop gaps for which no cube is left, hand over to the next player who has cubes, end the game if he is stuck."""
    state.gaps = 0
    state.decision = PLACE
    state.turns += 1
    if state.hands[1 - state.player] > 0:
        state.player = 1 - state.player
    if state.hands[state.player] > 0:
        state.places = placements(state)
    if state.places == 0:
        end_by_tops(state)


@kernel
def end_by_tops(state: Record) -> None:
    """End the game: more tops wins; if equal, more tops of the highest towers, and so on down to height 1."""
    lead, reason = state.scores[0] - state.scores[1], TOPS
    for height in range(state.levels.size - 1, 0, -1):
        if lead == 0:
            lead, reason = tower_lead(state, height), TOWERS
    if lead == 0:
        end_game(state, TERMINATED, NOBODY, EQUAL)
    else:
        end_game(state, TERMINATED, 0 if lead > 0 else 1, reason)


@kernel
def tower_lead(state: Record, height: int) -> int:
    """How many more towers of exactly `height` player 0 has on top than player 1."""
    lead = 0
    for row in range(state.heights.shape[0]):
        for column in range(state.heights.shape[0]):
            if state.heights[row, column] == height:
                lead += 1 - 2 * state.tops[row, column]
    return lead


@kernel
def find_levels(state: Record) -> None:
    """Set `levels` anew from `heights`, in place."""
    state.levels[:] = 0
    size = state.heights.shape[0]
    for square in range(size * size):
        state.levels[state.heights[square // size, square % size]] |= 1 << square


@kernel
def find_places(state: Record) -> None:
    """Set `places` anew from all else, in place."""
    state.places = placements(state) if state.player != NOBODY and state.decision == PLACE else 0


# The stair rule


@kernel
def placements(state: Record) -> Squares:
    """The squares on which the mover may place a cube of his choice: they descend, and still do with the cube."""
    size = state.heights.shape[0]
    height = lowest_level(state.levels)
    stairs = edge = state.levels[height]
    legal = stairs if is_single(stairs) else 0  # the only lowest square is at the lowest level with a cube on it, too
    while stairs:
        legal |= still_descending(stairs, edge, state.levels[height + 1], size)
        height += 1
        edge = state.levels[height] & neighbours(stairs, size)
        stairs = spread(edge, state.levels[height], size)
    return legal & ~barred(state)


@kernel
def barred(state: Record) -> Squares:
    """The empty squares if the opponent has no cubes left, else none."""
    return state.levels[0] if state.hands[1 - state.player] == 0 else 0


@kernel
def lowest_level(levels: Integers) -> int:
    """The smallest height on the board."""
    height = 0
    while levels[height] == 0:
        height += 1
    return height


@kernel
def still_descending(stairs: Squares, edge: Squares, above: Squares, size: int) -> Squares:
    """The squares that still descend with a cube, of the set `stairs` of all that descend at one height.

    `edge`: those of `stairs` beside a descending square one lower (all, at the lowest level). `above`: the squares one
    higher. From its cube, a walk arrives as soon as it meets an edge other than its own square: with the first step,
    along the island of `stairs` that the square is on, or over squares of `above`.

    The first three tests find nearly all such squares at once; the loop decides about the rest.
    """
    beside = neighbours(stairs, size)
    found = stairs & (neighbours(edge, size) | ~edge)  # a square that is no edge itself comes down over one
    found |= stairs & neighbours(stairs & between(edge, size), size)
    alone = stairs & ~beside
    found |= alone & neighbours(above & between(stairs, size), size)
    rest = stairs & ~found & (beside | neighbours(above & neighbours(above, size), size))
    while rest:
        square = rest & -rest
        island = spread(square, stairs, size)
        if island & edge != square:
            found |= island & rest
        elif neighbours(spread(square, above, size), size) & stairs & ~island:
            found |= square
        rest &= ~island
    return found


# Sets of squares


@kernel
def between(squares: Squares, size: int) -> Squares:
    """The squares edge-adjacent to at least two of `squares`; bits outside the board may be set too."""
    down, up, right, left = moved(squares, size)
    return down & up | right & left | (down | up) & (right | left)
