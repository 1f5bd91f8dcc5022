"""`kernel`: the one Numba decorator of the project.

Compiled code is kept on disk, in a cache of our own (`cache.py`). Rules written for `kernel` also run as plain Python
with `NUMBA_DISABLE_JIT=1`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from .cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` with Numba: no Python objects, no lock held, result kept on disk.

    A division by zero gives no error, since no rule divides by what can be 0, and nothing is made for callers from C:
    leaving both out compiles faster.
    """
    compiled: Any = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    if hasattr(compiled, "py_func"):  # not with NUMBA_DISABLE_JIT
        compiled._cache = KernelCache(function)
    return compiled
