"""Names for what functions and kernels take and give; the shapes stand in the docstrings."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Record: TypeAlias = np.record
"""One game: an element of an array of records. Its fields are attributes, of which a checker knows nothing."""
Records: TypeAlias = NDArray[Any]
"""Games: a one-dimensional array of records."""
Squares: TypeAlias = Any
"""A set of squares as the bits of an int64, bit `s` for square `s`. Python's int where no kernel is compiled."""
Mask: TypeAlias = NDArray[np.int8]
"""int8 (num_actions,), or (k, num_actions) of k games: 1 for a legal action, else 0."""
Observation: TypeAlias = NDArray[np.float32]
"""float32 of `Game.observation_shape`, or with a first axis of k games."""
Actions: TypeAlias = NDArray[np.int64]
"""int64 (k,): an action for each of k games."""
Integers: TypeAlias = NDArray[np.integer[Any]]
"""Integers of any size."""
