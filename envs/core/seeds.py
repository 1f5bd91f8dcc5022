"""Seeds: what decides all chance in a game, in any process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .checks import is_integer


def check_seed(seed: Any) -> int:
    """A seed as `int`. Raises ValueError if it is not a non-negative integer."""
    if not is_integer(seed) or seed < 0:
        raise ValueError(f"seed={seed!r}; expected a non-negative integer")
    return int(seed)


def fresh_seed() -> int:
    """A seed that nobody can foresee."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def seeds_of(seed: int | Sequence[int], n: int) -> Sequence[int]:
    """The seed of each of `n` games. Raises ValueError for anything but an integer or `n` of them."""
    if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim == 1):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds for {n} games; expected one per game, or one for all")
        return [check_seed(each) for each in seed]
    first = check_seed(seed)
    return range(first, first + n)


def random_state(seed: int) -> np.uint64:
    """A random state, never 0, from any non-negative integer."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] | np.uint64(1)
