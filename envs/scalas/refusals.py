"""Why an action of Scalas is not legal, in the game's words. Plain and slow: loaded when somebody asks."""

from __future__ import annotations

from ..core.record import NOBODY
from ..core.squares import square_name
from ..core.types import Record
from . import rules

Square = tuple[int, int]
Heights = dict[Square, int]


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action within the action space breaks; empty if it breaks none."""
    if state.player == NOBODY:
        return "the game is over"
    size = len(state.heights)
    name = square_name(action, size)
    if state.decision == rules.FILL_GAP:
        waiting = [square_name(square, size) for square in range(size * size) if int(state.gaps) >> square & 1]
        return "" if name in waiting else f"no gap waits on {name}; gaps wait on {', '.join(waiting)}"
    return why_not_there(state, divmod(action, size), name)


def why_not_there(state: Record, square: Square, name: str) -> str:
    """Which of the three rules of a chosen placement `square`, called `name`, breaks."""
    size = len(state.heights)
    heights = {divmod(index, size): height for index, height in enumerate(state.heights.reshape(-1).tolist())}
    with_cube = {**heights, square: heights[square] + 1}
    if state.hands[1 - state.player] == 0 and heights[square] == 0:
        return f"{name} is empty, and the opponent has no cubes left"
    if not descends(heights, square):
        return f"{name} does not descend: no walk from it, level or one down at a step, gets to the lowest level"
    if not descends(with_cube, square):
        return f"{name} does not descend once the cube is on it"
    return ""


def descends(heights: Heights, start: Square) -> bool:
    """Whether a walk from `start`, each step as high or one lower, gets to the lowest level."""
    lowest = min(heights.values())
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if heights[here] == lowest:
            return True
        for down, right in rules.STEPS.tolist():
            there = here[0] + down, here[1] + right
            if there in heights and there not in seen and heights[here] - heights[there] in (0, 1):
                seen.add(there)
                waiting.append(there)
    return False
