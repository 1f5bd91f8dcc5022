"""What an action of Scalas points at, for a table where people click."""

from __future__ import annotations

from ..core.types import Record
from .notation import action_to_text


def things(state: Record, action: int) -> tuple[str, ...]:
    """The square, such as `square:c3`."""
    return (f"square:{action_to_text(state, action)}",)
