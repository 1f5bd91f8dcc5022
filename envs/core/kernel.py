"""`kernel`: the one Numba decorator of the project.

Compiled code is cached on disk. Numba's cache looks at the file of the compiled function only, not at the files of
the functions it calls, so the cache folder is named after a hash of every source file of `envs`: a change anywhere
starts a new folder, and a stale cache can never be used. `make clean` removes the folders.

Rules written for `kernel` also run as plain Python with `NUMBA_DISABLE_JIT=1`.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba

Function = TypeVar("Function", bound=Callable)

SOURCES = Path(__file__).resolve().parent.parent


def _sources_hash() -> str:
    digest = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        digest.update(str(path.relative_to(SOURCES)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """NUMBA_CACHE_DIR if the user has set it, else a folder of ours in the user's cache folder."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "nakajima_zoo"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "nakajima_zoo"


CACHE_DIR = _cache_root() / _sources_hash()


def kernel(function: Function) -> Function:
    """Compile `function` with Numba: no Python objects, no lock held, result cached in `CACHE_DIR`."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
