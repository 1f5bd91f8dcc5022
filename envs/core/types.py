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
Rewards: TypeAlias = NDArray[np.float32]
"""float32: +1, -1 or 0, of each player, or of a learner with its shaping."""
Flags: TypeAlias = NDArray[np.bool_]
"""bool (n,): one for each of n games."""
Reals: TypeAlias = NDArray[np.floating[Any]]
"""Floating point numbers of any size: probabilities, values, random numbers in [0, 1)."""
Status: TypeAlias = NDArray[np.int32]
"""int32 (loops.STATUS_SIZE,): what `loops.advance` tells about a game."""
Picture: TypeAlias = NDArray[np.uint8]
"""uint8 (height, width, 3)."""
Seen: TypeAlias = dict[str, NDArray[Any]]
"""What an agent sees: `observation` and `action_mask`."""
