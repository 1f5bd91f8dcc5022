"""What the things of the games with squares share: ids such as `square:c3`, for a table where people click."""

from __future__ import annotations

from collections.abc import Iterable

from .squares import square_names


def square_things(size: int) -> tuple[str, ...]:
    """The squares of a board of `size` x `size` as things, by square."""
    return tuple(f"square:{name}" for name in square_names(size))


def together(things: Iterable[str]) -> str:
    """Several things that are one choice."""
    return "+".join(things)
