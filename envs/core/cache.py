"""Compiled kernels on disk: a file for each kernel and the types that it was compiled for.

Numba's own cache asks whether the file of a kernel has changed, and does not see the kernels that it calls. Here a file
is named after all that the compiled code is made of (`fingerprint`): the kernel's own code, that of all kernels and
tables that it uses, wherever they stand, the rules of the games whose records it is compiled for, and the versions of
Numba and of the processor. So a change anywhere asks for another file, and old code can never be used, whether the
game is ours or somebody else's.

Files are written beside their place and moved there, and hold a digest of themselves: processes that compile at the
same time do not disturb each other, and a damaged file is one that is not there. Where nothing can be written, kernels
are compiled anew in every process, after one warning.

The folder is NUMBA_CACHE_DIR if that is set, else `nakajima_zoo` in the user's cache folder (XDG_CACHE_HOME or
~/.cache; LOCALAPPDATA on Windows).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import compiler, serialize
from numba.core.dispatcher import Dispatcher

DIGEST = hashlib.sha256().digest_size
PATIENCE = 3.0  # seconds

rules_of: dict[Any, tuple[Any, ...]] = {}
"""The kernels of a game, by the type of its records, NumPy's and Numba's; filled by `dispatch.register`."""


def cache_folder() -> Path | None:
    """Where compiled kernels are kept; None if this user has no place for it."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    places = ("LOCALAPPDATA",) if sys.platform == "win32" else ("XDG_CACHE_HOME",)
    for place in places:
        if os.environ.get(place):
            return Path(os.environ[place]) / "nakajima_zoo"
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home, as in containers
        return None
    return home / ("AppData/Local" if sys.platform == "win32" else ".cache") / "nakajima_zoo"


class KernelCache:
    """The compiled forms of one kernel, as Numba asks for them: in place of its `FunctionCache`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    @property
    def cache_path(self) -> str:
        """The folder, as Numba's statistics show it."""
        return str(cache_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature; None if it has to be compiled."""
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        payload = None if path is None else read(path)
        if payload is None:
            notice.begin()
            return None
        return compiler.CompileResult._rebuild(target_context, *payload)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled kernel, if there is a place for it."""
        notice.end()
        path = self._path(signature, compiled.codegen)
        if path is not None and not compiled.library.has_dynamic_globals:  # those are addresses in this process
            write(path, serialize.dumps(compiled._reduce()))

    def enable(self) -> None:
        """Nothing to do: the cache is always on."""

    def disable(self) -> None:
        """Nothing to do: the cache is always on."""

    def flush(self) -> None:
        """Nothing to do: what no longer fits is never asked for."""

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            warn("this user has no home folder, and NUMBA_CACHE_DIR is not set")
            return None
        parts = (fingerprint(self.function), types_fingerprint(signature), versions(), repr(codegen.magic_tuple()))
        name = hashlib.sha256("\n".join([str(signature), *parts]).encode()).hexdigest()[:32]
        return folder / f"{self.function.__name__}-{name}.kernel"


def versions() -> str:
    """What else compiled code depends on."""
    return f"numba {numba.__version__}, Python {sys.version_info[:2]}, pickled as {compiler.CompileResult.__module__}"


def read(path: Path) -> Any:
    """What a file holds; None if there is none, or if it is damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(kept[DIGEST:]).digest() != kept[:DIGEST]:
        return None
    return pickle.loads(kept[DIGEST:])


def write(path: Path, payload: bytes) -> None:
    """Write a file with its digest, at once or not at all; a warning where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        try:
            with open(handle, "wb") as stream:
                stream.write(hashlib.sha256(payload).digest() + payload)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        warn(f"{error}")


warned = False


def warn(why: str) -> None:
    """Say once a process that nothing is kept."""
    global warned
    if not warned:
        warned = True
        message = f"nakajima_zoo compiles its rules anew in every process: {why}; set NUMBA_CACHE_DIR to a folder"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


# What compiled code is made of

_fingerprints: dict[int, str] = {}  # of functions, by id: kernels live as long as the process


def types_fingerprint(signature: Any) -> str:
    """Of the rules of all games whose records are among the types of a signature."""
    arguments = signature if isinstance(signature, tuple) else signature.args
    found = []
    for argument in arguments:
        for rule in rules_of.get(getattr(argument, "dtype", argument), ()):  # of an array's entries, or of a record
            found.append(fingerprint(rule))
    return " ".join(found)


def fingerprint(function: Any) -> str:
    """A digest of a kernel, or of a plain function: of its code and of all kernels and constants that this names."""
    function = getattr(function, "py_func", function)
    if id(function) not in _fingerprints:
        digest = hashlib.sha256()
        for part in ingredients(function, {id(function)}):
            digest.update(part)
        _fingerprints[id(function)] = digest.hexdigest()
    return _fingerprints[id(function)]


def ingredients(function: Any, seen: set[int]) -> Iterator[bytes]:
    """The code of a function, and the value of every global name in it; of kernels their ingredients, once each."""
    yield from code_parts(function.__code__)
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    names = sorted(global_names(function.__code__))
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    for value in (*cells, *values):
        yield from value_parts(value, seen)


def code_parts(code: CodeType) -> Iterator[bytes]:
    """The instructions and constants of a function, and of those inside it."""
    yield code.co_code
    yield repr(code.co_names + code.co_varnames).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_parts(constant)
        else:
            yield repr(constant).encode()


def global_names(code: CodeType) -> set[str]:
    """The names that a function, or one inside it, may look up in its module."""
    inside = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(global_names, inside))


def value_parts(value: Any, seen: set[int]) -> Iterator[bytes]:
    """What tells one value of a global name from another."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, Dispatcher):
        function = value.py_func
        if id(function) not in seen:
            seen.add(id(function))
            yield from ingredients(function, seen)
    elif isinstance(value, ModuleType):
        yield value.__name__.encode()
    elif isinstance(value, int | float | str | tuple | np.generic | None):
        yield repr(value).encode()
    else:  # a function that Numba knows or that `dispatch` decides about by the types
        yield getattr(value, "__qualname__", type(value).__qualname__).encode()


# A word while compiling takes long


class Notice:
    """Says so if compiling takes long, so that nobody takes the first use for a hang."""

    def __init__(self) -> None:
        self.depth = 0
        self.timer: threading.Timer | None = None
        self.told = False

    def begin(self) -> None:
        """A kernel is about to be compiled; others may be while it is."""
        self.depth += 1
        if self.depth == 1 and not self.told:
            self.timer = threading.Timer(PATIENCE, self.tell)
            self.timer.daemon = True
            self.timer.start()

    def end(self) -> None:
        """It is compiled."""
        self.depth = max(self.depth - 1, 0)
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()

    def tell(self) -> None:
        """Say it, once a process."""
        self.told = True
        message = "nakajima_zoo: compiling the rules; this happens at the first use only, later ones take them from"
        print(message, cache_folder(), file=sys.stderr, flush=True)


notice = Notice()
