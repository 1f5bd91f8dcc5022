"""The Ring World. Rules: docs/ring_world.md, after the designer's page (Masahiro Nakajima, nakajim.net). Left out: nothing.

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

import numpy as np

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, TERMINATED, TRUNCATED, begin, end_game
from .board import BOARDS, NOWHERE

LEVELS = (3, 4)
MAX_TURNS = {3: 200, 4: 1000}
DECISIONS = ("place", "rotate", "place_and_rotate")  # the last one in the joint form only
PLACE, ROTATE, PLACE_AND_ROTATE = range(3)
REASONS = ("illegal_action", "top_ring", "turn_limit")
TOP_RING, TURN_LIMIT = 1, 2

TOP = 0  # the ring around all others
CONQUEST = 5  # this many of a ring's 8 children conquer it
PENDING = 2  # added to an owner while a step of the automaton is being decided
LEVEL_FACTOR = 8  # in `scores` a ring counts this much more than one a level below

FIRST = np.array([0, 1, 9, 57, 329], dtype=np.int64)  # first ring of each depth, and the end

# Of the 64 grandchildren of a ring 16 are shared. child(child(X, k), k + offset), k = 0 .. 7, is a circle of 8 rings;
# offsets 5 and 6 give the circles of offsets 3 and 2 again.
CIRCLES = np.array([0, 1, 2, 3, 4, 7], dtype=np.int64)


def child_table():
    """The rings inside each ring, int16 (57, 8)."""
    return np.concatenate([BOARDS[4].child[4 - depth] + FIRST[depth + 1] for depth in range(3)]).astype(np.int16)


def adjacent_table():
    """The rings that each ring touches, int16 (329, 3); itself in the place of a third that is missing."""
    table = np.zeros((FIRST[4], 3), np.int16)
    for depth in range(1, 4):
        adjacent = BOARDS[4].adjacent[4 - depth]
        itself = np.arange(len(adjacent))[:, None]
        table[FIRST[depth] : FIRST[depth + 1]] = np.where(adjacent == NOWHERE, itself, adjacent) + FIRST[depth]
    return table


def parent_table():
    """The one or two rings in which each ring lies, int16 (329, 2); the same one twice if there is one only."""
    table = np.zeros((FIRST[4], 2), np.int16)
    for ring in range(1, FIRST[4]):
        parents = np.flatnonzero((CHILD == ring).any(axis=1))
        table[ring] = parents[0], parents[-1]
    return table


CHILD = child_table()
ADJACENT = adjacent_table()
PARENTS = parent_table()
for _table in (FIRST, CIRCLES, CHILD, ADJACENT, PARENTS):
    _table.flags.writeable = False


def state_dtype(levels):
    """The record of a game on the board with `levels` levels."""
    fields = [
        ("max_turns", np.int32),  # parameter: the game is cut off after this many turns
        ("owners", np.int8, (FIRST[levels],)),  # owner of each ring: 0, 1 or NOBODY
    ]
    return np.dtype((np.record, HEADER + fields))


STATES = {levels: state_dtype(levels) for levels in LEVELS}


@kernel
def bottom(owners):
    """The depth of the level-1 rings."""
    return 2 if owners.size == FIRST[3] else 3


@kernel
def num_placements(owners):
    """How many level-1 rings there are."""
    return FIRST[bottom(owners) + 1] - FIRST[bottom(owners)]


@kernel
def num_rotations(owners):
    """How many rings can be turned: all of level 2 and higher but the top."""
    return FIRST[bottom(owners)] - 1


@kernel
def rotation_ring(owners, rotation):
    """The ring that `rotation` turns."""
    level_2 = FIRST[bottom(owners) - 1]
    count = FIRST[bottom(owners)] - level_2
    return level_2 + rotation if rotation < count else rotation - count + 1


@kernel
def reset(state):
    """Set up the board without owners, in place."""
    begin(state, 0)
    state.owners[:] = NOBODY
    begin_turn(state, 0)


@kernel
def begin_turn(state, player):
    """Give `player` the turn, in place. He must place if he can."""
    state.player = player
    if empty_rings(state.owners) == 0:
        state.decision = ROTATE
    else:
        state.decision = PLACE_AND_ROTATE if state.joint else PLACE


@kernel
def empty_rings(owners):
    """The level-2 rings in which nobody owns a level-1 ring, as the bits of an int64: bit i is ring i of the level."""
    level_2 = FIRST[bottom(owners) - 1]
    rings = 0
    for ring in range(level_2, FIRST[bottom(owners)]):
        if is_empty(owners, ring):
            rings |= 1 << (ring - level_2)
    return rings


@kernel
def is_empty(owners, ring):
    """Whether nobody owns a ring in `ring`."""
    for child in CHILD[ring]:
        if owners[child] != NOBODY:
            return False
    return True


@kernel
def holds(owners, ring, player):
    """Whether `player` owns a ring in `ring`, and so may turn it."""
    for child in CHILD[ring]:
        if owners[child] == player:
            return True
    return False


@kernel
def can_place(owners, ring, empty):
    """Whether one of the level-2 rings around the level-1 ring is in `empty`."""
    level_2 = FIRST[bottom(owners) - 1]
    return (empty >> (PARENTS[ring, 0] - level_2) | empty >> (PARENTS[ring, 1] - level_2)) & 1


@kernel
def can_rotate(owners, player):
    """Whether `player` has a ring to turn."""
    for rotation in range(num_rotations(owners)):
        if holds(owners, rotation_ring(owners, rotation), player):
            return True
    return False


@kernel
def legal_actions(state, mask):
    """Write what `state.player` may do into `mask`, int8 (num_actions,); all 0 when the game is over."""
    if state.player == NOBODY:
        mask[:] = 0
    elif state.joint:
        legal_joint(state, mask)
    elif state.decision == ROTATE:
        mask[: num_placements(state.owners)] = 0
        legal_rotations(state, mask[num_placements(state.owners) :])
    else:
        mask[num_placements(state.owners) :] = 0
        legal_placements(state, mask)


@kernel
def legal_placements(state, mask):
    """Write on which level-1 rings the mover may place, int8 (placements,)."""
    owners = state.owners
    empty = empty_rings(owners)
    for placement in range(num_placements(owners)):
        mask[placement] = can_place(owners, FIRST[bottom(owners)] + placement, empty)


@kernel
def legal_rotations(state, mask):
    """Write which rotations the mover may do with the rings that he owns now, int8 (rotations,)."""
    owners = state.owners
    for rotation in range(mask.size):
        mask[rotation] = holds(owners, rotation_ring(owners, rotation), state.player)


@kernel
def legal_joint(state, mask):
    """Write which whole turns the mover may play: a row of rotations for each placement, the last row for none."""
    rotations = num_rotations(state.owners)
    none = num_placements(state.owners) * rotations
    legal_rotations(state, mask[none:])
    if state.decision == ROTATE:
        mask[:none] = 0
        return
    empty = empty_rings(state.owners)
    for placement in range(num_placements(state.owners)):
        row = mask[placement * rotations : (placement + 1) * rotations]
        legal_with_placement(state.owners, FIRST[bottom(state.owners)] + placement, empty, mask[none:], row)
    mask[none:] = 0


@kernel
def legal_with_placement(owners, ring, empty, before, row):
    """Write into `row` which rotations may follow a placement on `ring`: those legal `before`, and its parents."""
    if not can_place(owners, ring, empty):
        row[:] = 0
        return
    row[:] = before
    for parent in PARENTS[ring]:
        row[parent - FIRST[bottom(owners) - 1]] = 1


@kernel
def play(state, action):
    """Play a legal action, in place."""
    if state.joint:
        play_joint(state, action)
    elif action < num_placements(state.owners):
        place(state, action)
    else:
        rotate(state, action - num_placements(state.owners))


@kernel
def play_joint(state, action):
    """Play a whole turn, in place."""
    placement = action // num_rotations(state.owners)
    if placement < num_placements(state.owners):
        place(state, placement)
    rotate(state, action % num_rotations(state.owners))


@kernel
def place(state, placement):
    """Let the mover take a level-1 ring, in place."""
    state.owners[FIRST[bottom(state.owners)] + placement] = state.player
    state.scores[state.player] += 1
    state.decision = ROTATE


@kernel
def rotate(state, rotation):
    """Turn a ring and end the turn, in place."""
    turn(state.owners, rotation_ring(state.owners, rotation))
    state.turns += 1
    end_turn(state)
    if state.player != NOBODY and state.turns >= state.max_turns:
        end_game(state, TRUNCATED, NOBODY, TURN_LIMIT)
    if state.player != NOBODY and state.decision == ROTATE and not can_rotate(state.owners, state.player):
        end_turn(state)  # the engine plays the pass; then the other player owns all rings there are, and can act


@kernel
def turn(owners, ring):
    """Move everything inside `ring` on by one position, in place."""
    turn_circle(owners, CHILD[ring])
    if ring < FIRST[bottom(owners) - 1]:
        circle = np.empty(8, np.int16)
        for offset in CIRCLES:
            for k in range(8):
                circle[k] = CHILD[CHILD[ring, k], (k + offset) % 8]
            turn_circle(owners, circle)


@kernel
def turn_circle(owners, circle):
    """Move the owners of 8 rings on by one, in place."""
    last = owners[circle[7]]
    for k in range(7, 0, -1):
        owners[circle[k]] = owners[circle[k - 1]]
    owners[circle[0]] = last


@kernel
def end_turn(state):
    """Run the automaton; the owner of the top ring wins, else the turn goes to the other player. In place."""
    next_generation(state.owners)
    count_scores(state)
    if state.owners[TOP] != NOBODY:
        end_game(state, TERMINATED, state.owners[TOP], TOP_RING)
    else:
        begin_turn(state, 1 - state.player)


@kernel
def count_scores(state):
    """Bring `scores` up to date: the rings that each player owns, those of level k counted 8 ** (k - 1) times."""
    owners = state.owners
    for player in range(2):
        score = 0
        for depth in range(bottom(owners) + 1):
            score *= LEVEL_FACTOR
            for ring in range(FIRST[depth], FIRST[depth + 1]):
                score += owners[ring] == player
        state.scores[player] = score


@kernel
def next_generation(owners):
    """Run the automaton, in place: level by level upwards creation, annihilation, conquest of the level above."""
    for depth in range(bottom(owners), TOP, -1):
        create(owners, depth)
        annihilate(owners, depth)
        conquer(owners, depth - 1)


@kernel
def create(owners, depth):
    """Give every unowned ring with two adjacent rings of one colour that colour, all at once, in place."""
    for ring in range(FIRST[depth], FIRST[depth + 1]):
        if owners[ring] == NOBODY:
            colour = colour_around(owners, ring)
            if colour == 0 or colour == 1:
                owners[ring] = colour + PENDING
    settle(owners, depth, False)


@kernel
def colour_around(owners, ring):
    """The owner of at least two of the rings adjacent to an unowned one, else something that is no player."""
    first, second, third = owners[ADJACENT[ring, 0]], owners[ADJACENT[ring, 1]], owners[ADJACENT[ring, 2]]
    return second if second == third else first if first == second or first == third else NOBODY


@kernel
def annihilate(owners, depth):
    """Free every group without a liberty, in place: all but the rings that reach one through their own colour."""
    spreading = True
    while spreading:
        spreading = False
        for ring in range(FIRST[depth], FIRST[depth + 1]):
            if 0 <= owners[ring] < PENDING and breathes(owners, ring):
                owners[ring] += PENDING
                spreading = True
    settle(owners, depth, True)


@kernel
def breathes(owners, ring):
    """Whether an owned ring has a liberty or touches one of its colour that is known to breathe."""
    for other in ADJACENT[ring]:
        if owners[other] == NOBODY or owners[other] == owners[ring] + PENDING:
            return True
    return False


@kernel
def settle(owners, depth, free_others):
    """Make pending owners owners, in place; if asked, free all other rings of the depth."""
    for ring in range(FIRST[depth], FIRST[depth + 1]):
        if owners[ring] >= PENDING:
            owners[ring] -= PENDING
        elif free_others:
            owners[ring] = NOBODY


@kernel
def conquer(owners, depth):
    """Give every ring with five children of one colour to that colour, in place."""
    for ring in range(FIRST[depth], FIRST[depth + 1]):
        for player in range(2):
            if count_children(owners, ring, player) >= CONQUEST:
                owners[ring] = player


@kernel
def count_children(owners, ring, player):
    """How many rings `player` owns in `ring`."""
    count = 0
    for child in CHILD[ring]:
        count += owners[child] == player
    return count
