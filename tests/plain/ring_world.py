"""Which actions are legal in The Ring World: plain, slow and on its own, for comparison with the kernels.

Reads the fields `player`, `decision` and `owners` of a record, nothing else. `owners` goes from the top ring down,
level by level; 1 is red's, 2 is blue's.
"""

import cmath
from functools import cache
from math import cos, pi, tan

ROTATE = 1  # the decision that asks for a rotation only


@cache
def board(levels):
    """For each level from 2 up, the list of its rings, each as the list of the ids of the 8 rings inside."""
    inside, centres, radius = {}, [0j], 1.0
    for level in range(levels, 1, -1):
        known = {}
        inside[level] = []
        for centre in centres:
            places = [centre + cmath.rect(radius / cos(pi / 8), k * pi / 4) for k in range(8)]
            keys = [(round(place.real, 4) + 0.0, round(place.imag, 4) + 0.0) for place in places]
            for key, place in zip(keys, places, strict=True):
                known.setdefault(key, (len(known), place))
            inside[level].append([known[key][0] for key in keys])
        centres = [place for _, place in known.values()]
        radius *= tan(pi / 8)
    return inside


def owners_by_level(state):
    """Level -> list of owners."""
    levels = {57: 3, 329: 4}[len(state.owners)]
    owners, found = [int(owner) for owner in state.owners], {}
    for level, count in zip(range(levels, 0, -1), (1, 8, 48, 272), strict=False):
        found[level], owners = owners[:count], owners[count:]
    return found


def placements(owners):
    """The level-1 rings in a level-2 ring in which nobody owns one."""
    empty = [rings for rings in board(max(owners))[2] if not any(owners[1][ring] for ring in rings)]
    return sorted({ring for rings in empty for ring in rings})


def rotations(owners, colour):
    """The rotations of rings that hold one of the colour, level-2 rings first."""
    legal, first = [], 0
    for level in range(2, max(owners)):
        for ring, rings in enumerate(board(max(owners))[level]):
            if any(owners[level - 1][child] == colour for child in rings):
                legal.append(first + ring)
        first += len(owners[level])
    return legal


def legal_actions(state):
    """The legal staged actions, ascending."""
    if state.player < 0:
        return []
    owners = owners_by_level(state)
    if state.decision != ROTATE:
        return placements(owners)
    return [len(owners[1]) + rotation for rotation in rotations(owners, state.player + 1)]


def joint_actions(state):
    """The legal whole turns, ascending: every placement followed by every rotation that is legal after it."""
    if state.player < 0:
        return []
    owners = owners_by_level(state)
    count = sum(len(owners[level]) for level in range(2, max(owners)))
    if state.decision == ROTATE:
        return [len(owners[1]) * count + rotation for rotation in rotations(owners, state.player + 1)]
    actions = []
    for ring in placements(owners):
        owners[1][ring] = state.player + 1
        actions += [ring * count + rotation for rotation in rotations(owners, state.player + 1)]
        owners[1][ring] = 0
    return actions
