"""What a player of The Ring World sees: float32 (rings, 3), channels in the order of CHANNELS.

Rows: the level-1 rings by id, then those of level 2 and so on up to the top.
"""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.types import Observation, Record
from .rules import FIRST, ROTATE, bottom

CHANNELS = ("own", "opponent's", "next decision is a rotation only")
OWN, OPPONENTS, ROTATION_ONLY = range(3)


@kernel
def observe(state: Record, player: int, observation: Observation) -> None:
    """Write what `player` sees into `observation`."""
    row = 0
    for depth in range(bottom(state.owners), -1, -1):
        for ring in range(FIRST[depth], FIRST[depth + 1]):
            observation[row, OWN] = state.owners[ring] >> player & 1
            observation[row, OPPONENTS] = state.owners[ring] >> (1 - player) & 1
            observation[row, ROTATION_ONLY] = state.decision == ROTATE
            row += 1
