"""What a player of tic-tac-toe sees: float32 (3, 3, 2)."""

from __future__ import annotations

from nakajima_zoo.envs.core.kernel import kernel
from nakajima_zoo.envs.core.types import Observation, Record

from .rules import SIZE

CHANNELS = ("own", "opponent's")
OWN, OPPONENTS = range(2)


@kernel
def observe(state: Record, player: int, observation: Observation) -> None:
    """Write what `player` sees into `observation`."""
    for row in range(SIZE):
        for column in range(SIZE):
            square = SIZE * row + column
            observation[row, column, OWN] = state.marks[player] >> square & 1
            observation[row, column, OPPONENTS] = state.marks[1 - player] >> square & 1
