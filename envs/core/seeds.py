"""Seeds: what decides all chance in a game, in any process."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from .checks import is_integer


def check_seed(seed: Any) -> int:
    """A seed as `int`. Raises ValueError if it is not a non-negative integer."""
    if not is_integer(seed) or seed < 0:
        raise ValueError(f"seed={seed!r}; expected a non-negative integer")
    return int(seed)


def generator(seed: int | None, *more: int) -> np.random.Generator:
    """A generator that begins with `seed`; without one, as nobody can foresee. `more` tells it from others of the seed.

    Raises ValueError if the seed is not a non-negative integer.
    """
    return np.random.default_rng(None if seed is None else (check_seed(seed), *more) if more else check_seed(seed))


def fresh_seed() -> int:
    """A seed that nobody can foresee."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def seeds_of(seed: int | Collection[int], n: int) -> Collection[int]:
    """The seed of each of `n` games. Raises ValueError for anything but an integer or `n` of them."""
    if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim):
        return check_seeds(seed, n)
    first = check_seed(seed)
    return range(first, first + n)


def check_seeds(seeds: Any, n: int) -> Collection[int]:
    """One seed for each of `n` games, as they are. Raises ValueError for anything else."""
    if not isinstance(seeds, Collection) or isinstance(seeds, str | bytes) or getattr(seeds, "ndim", 1) != 1:
        raise ValueError(f"seeds {seeds!r}; expected one per game")
    if len(seeds) != n:
        raise ValueError(f"{len(seeds)} seeds for {n} games; expected one per game")
    for seed in seeds[:1] if isinstance(seeds, range) else seeds:
        check_seed(seed)
    return seeds


def random_state(seed: int) -> np.uint64:
    """A random state, never 0, from any non-negative integer."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] | np.uint64(1)
