"""Why an action of The Ring World is not legal, in the game's words. Plain and slow: loaded when somebody asks."""

from __future__ import annotations

from ..core.record import NOBODY
from ..core.types import Record
from . import rules
from .board import BOARDS
from .notation import NAMES, PLACEMENTS, PLAYERS, ROTATION, ROTATIONS


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action within the action space breaks; empty if it breaks none."""
    if state.player == NOBODY:
        return "the game is over"
    levels = rules.levels_of(state)
    placements, rotations = len(PLACEMENTS[levels]), len(ROTATIONS[levels])
    if state.joint:
        return why_not_both(state, *divmod(action, rotations))
    if action < placements:
        return why_not_placed(state, action)
    if state.decision == rules.PLACE:
        return "a ring has to be placed before one is turned"
    return why_not_turned(state, action - placements)


def why_not_both(state: Record, placement: int, rotation: int) -> str:
    """Why a whole turn is not legal; its placement is one more than there are rings for "none"."""
    if placement == len(PLACEMENTS[rules.levels_of(state)]):
        if state.decision != rules.ROTATE:
            return "a ring has to be placed before one is turned"
        return why_not_turned(state, rotation)
    return why_not_placed(state, placement) or why_not_turned(state, rotation, placement)


def why_not_placed(state: Record, ring: int) -> str:
    """Why the level-1 ring `ring` cannot be taken."""
    levels = rules.levels_of(state)
    name = PLACEMENTS[levels][ring]
    if state.decision == rules.ROTATE:
        return why_only_turned(state, name)
    owners = rules.level_owners(state, 1)
    around = [above for above, inside in enumerate(BOARDS[levels].child[2].tolist()) if ring in inside]
    if any(not owners[BOARDS[levels].child[2][above]].any() for above in around):
        return ""
    if owners[ring] != rules.UNOWNED:
        return f"{name} is owned by {PLAYERS[owners[ring] - 1]}"
    names = [NAMES[levels][2][above] for above in around]
    if len(names) == 1:
        return f"the ring {names[0]} around {name} is not empty"
    return f"neither of the rings {' and '.join(names)} around {name} is empty"


def why_only_turned(state: Record, name: str) -> str:
    """Why no ring is to be taken, of which this is one, but one to be turned."""
    if state.joint:
        return f"{name} cannot be taken: no ring of level 2 is empty"
    if rules.empty_rings(state.owners) != 0:
        return f"{name} cannot be taken: one ring has been taken in this turn; now one is to be turned"
    return f"{name} cannot be taken: one has been taken in this turn, or no ring of level 2 is empty; turn a ring now"


def why_not_turned(state: Record, rotation: int, placement: int | None = None) -> str:
    """Why the mover cannot turn a ring, after he has taken the level-1 ring `placement` if there is one."""
    levels = rules.levels_of(state)
    name = ROTATIONS[levels][rotation].removeprefix(ROTATION)
    level = levels - len(name.split("."))
    inside = BOARDS[levels].child[level][NAMES[levels][level].index(name)].tolist()
    owned = (rules.level_owners(state, level - 1)[inside] == 1 << state.player).any()
    if owned or (level == 2 and placement in inside):
        return ""
    return f"you own no ring of level {level - 1} in ring {name}, and so cannot turn it"
