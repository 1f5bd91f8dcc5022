"""`kernel`: the one Numba decorator of the project.

Compiled code is cached on disk. Numba's cache looks at the file of the compiled function only, not at the files of
the functions it calls, so the cache folder is named after a hash of every source file of `envs`: a change anywhere
starts a new folder, and a stale cache can never be used. `make clean` removes the folders.

Rules written for `kernel` also run as plain Python with `NUMBA_DISABLE_JIT=1`.
"""

import hashlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable)

SOURCES = Path(__file__).resolve().parent.parent
NO_KERNELS = (  # rules may not import them
    "batch.py",
    "draw.py",
    "drawing.py",
    "env.py",
    "notation.py",
    "planes.py",
    "render.py",
    "symmetry.py",
    "text.py",
)


def _sources_hash() -> str:
    digest = hashlib.sha256(__name__.encode())  # cached code names the modules that it comes from
    for path in sorted(path for path in SOURCES.rglob("*.py") if path.name not in NO_KERNELS):
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
    """Compile `function` with Numba: no Python objects, no lock held, result cached in `CACHE_DIR`.

    A division by zero gives no error, since no rule divides by what can be 0, and nothing is made for callers from C:
    leaving both out compiles faster.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    finally:
        numba.config.CACHE_DIR = before


class _SlowCompilation(event.Listener):
    """Says so if compiling takes long, so that nobody takes the first use for a hang."""

    PATIENCE = 3.0  # seconds

    def __init__(self) -> None:
        self.depth = 0
        self.timer: threading.Timer | None = None
        self.told = False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1 and "nakajima_zoo" in event.data["dispatcher"].py_func.__module__:
            self.timer = threading.Timer(self.PATIENCE, self.tell)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()

    def tell(self) -> None:
        if self.told:
            return
        self.told = True
        message = "nakajima_zoo: compiling the rules; this happens at the first use only, later ones take them from"
        print(message, CACHE_DIR, file=sys.stderr, flush=True)


event.register("numba:compile", _SlowCompilation())
