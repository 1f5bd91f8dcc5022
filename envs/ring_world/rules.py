"""The Ring World. Rules: docs/ring_world.md, after the designer's page (Masahiro Nakajima, nakajim.net).

Left out: nothing.

L3 is L4 without its smallest rings. So the record numbers rings from the top down, depth by depth, and one set of
tables serves both boards:

    depth           0     1         2           3
    ring            0     1 .. 8    9 .. 56     57 .. 328
    level on L3     3     2         1
    level on L4     4     3         2           1

Ring `FIRST[depth] + id` is the ring called `id` on its level. Staged actions: first the placements, by id of the
level-1 ring, then the rotations: the level-2 rings by id, on L4 then the level-3 rings by id. A joint action is
`placement * rotations + rotation`, with one placement more than there are rings for "none".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, TERMINATED, TRUNCATED, begin, end_game
from ..core.types import Integers, Mask, Record
from .board import BOARDS, NOWHERE

VERSION = 0  # the number in `ring_world_v0`: raised when old results cannot be compared with new ones
LEVELS = (3, 4)
MAX_TURNS = {3: 200, 4: 1000}
DECISIONS = ("place", "rotate", "place_and_rotate")  # the last one in the joint form only
PLACE, ROTATE, PLACE_AND_ROTATE = range(3)
REASONS = ("illegal_action", "top_ring", "turn_limit")
TOP_RING, TURN_LIMIT = 1, 2

TOP = 0  # the ring around all others
UNOWNED = 0  # owners are bits: 0 unowned, 1 << 0 owned by player 0 (red), 1 << 1 owned by player 1 (blue)
COLOURS = 3  # both bits
PENDING = 2  # while a step of the automaton is decided, what it has found waits this many bits higher
CONQUEST = 5  # this many of a ring's 8 children conquer it
MOST_RINGS = 272  # on one level
LEVEL_FACTOR = 8  # in `scores` a ring counts this many times one a level below

FIRST = np.array([0, 1, 9, 57, 329], dtype=np.int64)  # first ring of each depth, and the end

# Of the 64 grandchildren of a ring 16 are shared. child(child(X, k), k + offset), k = 0 .. 7, is a circle of 8 rings;
# offsets 5 and 6 give the circles of offsets 3 and 2 again.
CIRCLES = np.array([0, 1, 2, 3, 4, 7], dtype=np.int64)


def child_table() -> NDArray[np.uint16]:
    """The rings inside each ring, uint16 (57, 8)."""
    return np.concatenate([BOARDS[4].child[4 - depth] + FIRST[depth + 1] for depth in range(3)]).astype(np.uint16)


def adjacent_table() -> NDArray[np.uint16]:
    """The rings that each ring touches, uint16 (329, 3); itself in the place of a third that is missing."""
    table = np.zeros((FIRST[4], 3), np.uint16)
    for depth in range(1, 4):
        adjacent = BOARDS[4].adjacent[4 - depth]
        itself = np.arange(len(adjacent))[:, None]
        table[FIRST[depth] : FIRST[depth + 1]] = np.where(adjacent == NOWHERE, itself, adjacent) + FIRST[depth]
    return table


def parent_table() -> NDArray[np.uint16]:
    """The one or two rings in which each ring lies, uint16 (329, 2); the same one twice if there is one only."""
    table = np.zeros((FIRST[4], 2), np.uint16)
    for ring in range(1, FIRST[4]):
        parents = np.flatnonzero(np.any(ring == CHILD, axis=1))
        table[ring] = parents[0], parents[-1]
    return table


CHILD = child_table()
ADJACENT = adjacent_table()
PARENTS = parent_table()
for _table in (FIRST, CIRCLES, CHILD, ADJACENT, PARENTS):
    _table.flags.writeable = False


def state_dtype(levels: int) -> np.dtype[Any]:
    """The record of a game on the board with `levels` levels."""
    fields = [
        ("max_turns", np.int32),  # parameter: the game is cut off after this many turns
        ("owners", np.int8, (FIRST[levels],)),  # owner of each ring: UNOWNED, 1 (red) or 2 (blue)
    ]
    return np.dtype((np.record, HEADER + fields))


STATES = {levels: state_dtype(levels) for levels in LEVELS}


def levels_of(state: Record) -> int:
    """How many levels the board of a record has."""
    return 3 if state.owners.size == FIRST[3] else 4


def level_owners(state: Record, level: int) -> Integers:
    """The owners of the level's rings, by id: a view of the record."""
    depth = levels_of(state) - level
    return state.owners[FIRST[depth] : FIRST[depth + 1]]


@kernel
def bottom(owners: Integers) -> int:
    """The depth of the level-1 rings."""
    return 2 if owners.size == FIRST[3] else 3


@kernel
def num_placements(owners: Integers) -> int:
    """How many level-1 rings there are."""
    return FIRST[bottom(owners) + 1] - FIRST[bottom(owners)]


@kernel
def num_rotations(owners: Integers) -> int:
    """How many rings can be turned: all of level 2 and higher but the top."""
    return FIRST[bottom(owners)] - 1


@kernel
def rotation_ring(owners: Integers, rotation: int) -> int:
    """The ring that `rotation` turns."""
    level_2 = FIRST[bottom(owners) - 1]
    count = FIRST[bottom(owners)] - level_2
    return level_2 + rotation if rotation < count else rotation - count + 1


@kernel
def reset(state: Record) -> None:
    """Set up the board without owners, in place."""
    begin(state, 0)
    for ring in range(state.owners.size):
        state.owners[ring] = UNOWNED
    begin_turn(state)


@kernel
def begin_turn(state: Record) -> None:
    """Set what the player whose turn begins is asked for, in place. He must place if he can."""
    if empty_rings(state.owners) == 0:
        state.decision = ROTATE
    else:
        state.decision = PLACE_AND_ROTATE if state.joint else PLACE


@kernel
def owners_inside(owners: Integers, ring: int) -> int:
    """The owners of the rings in `ring`, both bits if both players own some."""
    inside = UNOWNED
    for k in range(8):
        inside |= owners[CHILD[ring, k]]
    return inside


@kernel
def empty_rings(owners: Integers) -> int:
    """The level-2 rings in which nobody owns a ring, as bits of an int64: bit i is ring i of level 2."""
    level_2, level_1 = FIRST[bottom(owners) - 1], FIRST[bottom(owners)]
    rings = 0
    for ring in range(level_2, level_1):
        rings |= (owners_inside(owners, ring) == UNOWNED) << (ring - level_2)
    return rings


@kernel
def can_place(owners: Integers, ring: int, empty: int) -> int:
    """Whether one of the level-2 rings around the level-1 ring `ring` is among `empty`."""
    level_2 = FIRST[bottom(owners) - 1]
    return (empty >> (PARENTS[ring, 0] - level_2) | empty >> (PARENTS[ring, 1] - level_2)) & 1


@kernel
def can_rotate(owners: Integers, player: int) -> bool:
    """Whether `player` has a ring to turn."""
    for rotation in range(num_rotations(owners)):
        if owners_inside(owners, rotation_ring(owners, rotation)) >> player & 1:
            return True
    return False


@kernel
def legal_actions(state: Record, mask: Mask) -> None:
    """Write what `state.player` may do into `mask`, int8 (num_actions,); all 0 when the game is over."""
    for action in range(mask.size):
        mask[action] = 0
    if state.player == NOBODY:
        return
    if state.joint:
        legal_joint(state, mask)
    elif state.decision == ROTATE:
        legal_rotations(state, mask[num_placements(state.owners) :])
    else:
        legal_placements(state, mask)


@kernel
def is_legal(state: Record, action: int, room: Mask) -> bool:
    """Whether `state.player` may do `action`, one of 0 .. num_actions - 1; `room` is not needed."""
    owners = state.owners
    rotations, placements = num_rotations(owners), num_placements(owners)
    if state.player == NOBODY:
        return False
    if not state.joint and action < placements:
        return state.decision == PLACE and can_place(owners, FIRST[bottom(owners)] + action, empty_rings(owners)) != 0
    placement, rotation = action // rotations, action % rotations
    if not state.joint:
        placement, rotation = placements, action - placements
    if placement == placements:
        return state.decision == ROTATE and may_rotate(state, rotation)
    ring = FIRST[bottom(owners)] + placement
    if state.decision == ROTATE or not can_place(owners, ring, empty_rings(owners)):
        return False
    around = rotation + FIRST[bottom(owners) - 1]
    return may_rotate(state, rotation) or around == PARENTS[ring, 0] or around == PARENTS[ring, 1]


@kernel
def may_rotate(state: Record, rotation: int) -> bool:
    """Whether the mover may do `rotation` with the rings that he owns now."""
    return owners_inside(state.owners, rotation_ring(state.owners, rotation)) >> state.player & 1 == 1


@kernel
def legal_placements(state: Record, mask: Mask) -> None:
    """Write on which level-1 rings the mover may place into the first entries of `mask`."""
    owners = state.owners
    empty = empty_rings(owners)
    for placement in range(num_placements(owners)):
        mask[placement] = can_place(owners, FIRST[bottom(owners)] + placement, empty)


@kernel
def legal_rotations(state: Record, mask: Mask) -> None:
    """Write which rotations the mover may do with the rings that he owns now, int8 (rotations,)."""
    for rotation in range(mask.size):
        mask[rotation] = may_rotate(state, rotation)


@kernel
def legal_joint(state: Record, mask: Mask) -> None:
    """Write which whole turns the mover may play: a row of rotations for each placement, the last row for none."""
    owners = state.owners
    rotations, placements = num_rotations(owners), num_placements(owners)
    alone = mask[placements * rotations :]
    legal_rotations(state, alone)
    if state.decision == ROTATE:
        return
    empty = empty_rings(owners)
    for placement in range(placements):
        if can_place(owners, FIRST[bottom(owners)] + placement, empty):
            row = mask[placement * rotations : (placement + 1) * rotations]
            legal_after_placement(owners, FIRST[bottom(owners)] + placement, alone, row)
    for rotation in range(rotations):
        alone[rotation] = 0


@kernel
def legal_after_placement(owners: Integers, ring: int, before: Mask, row: Mask) -> None:
    """Write which rotations may follow a placement on `ring`: those legal before, and those of the rings around it."""
    for rotation in range(row.size):
        row[rotation] = before[rotation]
    for parent in PARENTS[ring]:
        row[parent - FIRST[bottom(owners) - 1]] = 1


@kernel
def play(state: Record, action: int) -> None:
    """Play a legal action, in place."""
    placements, rotations = num_placements(state.owners), num_rotations(state.owners)
    if state.joint:
        if action // rotations < placements:
            place(state, action // rotations)
        rotate(state, action % rotations)
    elif action < placements:
        place(state, action)
    else:
        rotate(state, action - placements)


@kernel
def place(state: Record, placement: int) -> None:
    """Let the mover take a level-1 ring, in place."""
    state.owners[FIRST[bottom(state.owners)] + placement] = 1 << state.player
    state.scores[state.player] += 1
    state.decision = ROTATE


@kernel
def rotate(state: Record, rotation: int) -> None:
    """Turn a ring and end the turn, in place."""
    turn(state.owners, rotation_ring(state.owners, rotation))
    state.turns += 1
    end_turn(state)
    if state.player == NOBODY:
        return
    if state.turns >= state.max_turns:
        end_game(state, TRUNCATED, NOBODY, TURN_LIMIT)
    elif state.decision == ROTATE and not can_rotate(state.owners, state.player):
        end_turn(state)  # the engine plays the pass; all owned rings are the other player's, who can therefore act


@kernel
def turn(owners: Integers, ring: int) -> None:
    """Move everything inside `ring` on by one position, in place."""
    carried = UNOWNED
    for k in range(9):  # the ninth step brings the owner from position 7 to position 0
        here = CHILD[ring, k % 8]
        owners[here], carried = carried, owners[here]
    if ring < FIRST[bottom(owners) - 1]:
        turn_grandchildren(owners, ring)


@kernel
def turn_grandchildren(owners: Integers, ring: int) -> None:
    """Move the rings two levels below `ring` on, in place: what was at (k, j) comes to (k + 1, j + 1)."""
    for offset in CIRCLES:
        carried = UNOWNED
        for k in range(9):
            here = CHILD[CHILD[ring, k % 8], (k + offset) % 8]
            owners[here], carried = carried, owners[here]


@kernel
def end_turn(state: Record) -> None:
    """Run the automaton; the owner of the top ring wins, else the turn goes to the other player. In place."""
    next_generation(state.owners)
    count_scores(state)
    if state.owners[TOP] != UNOWNED:
        end_game(state, TERMINATED, state.owners[TOP] >> 1, TOP_RING)
    else:
        state.player = 1 - state.player
        begin_turn(state)


@kernel
def count_scores(state: Record) -> None:
    """Bring `scores` up to date: the rings that each player owns, one of level k counted 8 ** (k - 1) times."""
    owners = state.owners
    for player in range(2):
        score = 0
        for depth in range(bottom(owners) + 1):
            score *= LEVEL_FACTOR
            for ring in range(FIRST[depth], FIRST[depth + 1]):
                score += int(owners[ring] >> player & 1)
        state.scores[player] = score


@kernel
def next_generation(owners: Integers) -> None:
    """Run the automaton, in place: level by level upwards creation, annihilation, conquest of the level above."""
    for depth in range(bottom(owners), 0, -1):
        create(owners, FIRST[depth], FIRST[depth + 1])
        annihilate(owners, FIRST[depth], FIRST[depth + 1])
        conquer(owners, FIRST[depth - 1], FIRST[depth])


@kernel
def create(owners: Integers, first: int, end: int) -> None:
    """Give every unowned ring in [first, end) that touches two of one colour that colour, all at once, in place."""
    found = False
    for ring in range(first, end):
        if owners[ring] == UNOWNED:
            a, b, c = owners[ADJACENT[ring, 0]], owners[ADJACENT[ring, 1]], owners[ADJACENT[ring, 2]]
            colour = (a & b | b & c | c & a) & COLOURS
            if colour != UNOWNED:
                owners[ring] = colour << PENDING
                found = True
    if found:
        for ring in range(first, end):
            if owners[ring] > COLOURS:
                owners[ring] >>= PENDING


@kernel
def annihilate(owners: Integers, first: int, end: int) -> None:
    """Free every group without a liberty, in place: all rings but those that reach one through their own colour."""
    suspects = np.empty(MOST_RINGS, np.uint16)
    count = suspect(owners, first, end, suspects)
    before = count + 1
    while 0 < count < before:
        before = count
        count = clear(owners, suspects, count)
    for i in range(count):
        owners[suspects[i]] = UNOWNED


@kernel
def suspect(owners: Integers, first: int, end: int, suspects: Integers) -> int:
    """Make the owners of all rings without a liberty pending, list these rings in `suspects`; how many they are."""
    count = 0
    for ring in range(first, end):
        if owners[ring] != UNOWNED:
            a, b, c = owners[ADJACENT[ring, 0]], owners[ADJACENT[ring, 1]], owners[ADJACENT[ring, 2]]
            if a != UNOWNED and b != UNOWNED and c != UNOWNED:
                owners[ring] <<= PENDING
                suspects[count] = ring
                count += 1
    return count


@kernel
def clear(owners: Integers, suspects: Integers, count: int) -> int:
    """Restore the suspects that touch a ring of their colour that lives, keep the others listed; how many remain."""
    remaining = 0
    for i in range(count):
        ring = suspects[i]
        colour = owners[ring] >> PENDING
        a, b, c = owners[ADJACENT[ring, 0]], owners[ADJACENT[ring, 1]], owners[ADJACENT[ring, 2]]
        if a == colour or b == colour or c == colour:
            owners[ring] = colour
        else:
            suspects[remaining] = ring
            remaining += 1
    return remaining


@kernel
def conquer(owners: Integers, first: int, end: int) -> None:
    """Give every ring from `first` up to `end` with five children of one colour to that colour, in place."""
    for ring in range(first, end):
        red, blue = 0, 0
        for k in range(8):
            red += owners[CHILD[ring, k]] & 1
            blue += owners[CHILD[ring, k]] >> 1
        if red >= CONQUEST:
            owners[ring] = 1
        elif blue >= CONQUEST:
            owners[ring] = 2
