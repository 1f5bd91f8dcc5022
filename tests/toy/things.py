"""What an action of tic-tac-toe points at."""

from __future__ import annotations

from nakajima_zoo.envs.core.types import Record


def things(state: Record, action: int) -> tuple[str, ...]:
    """The square."""
    return (f"square:{action}",)
