"""Files to which several processes add lines: whole lines alone, never mixed, and what a crash has torn is mended."""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from collections.abc import Callable
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows; there, one write is all that keeps lines whole
    fcntl = None  # type: ignore[assignment]

END = b"\n"
BLOCK = 1 << 16  # bytes that are read at once, from the end backwards
BINARY = getattr(os, "O_BINARY", 0)  # Windows would write "\r\n"


def append_lines(file: str | Path, lines: bytes, is_torn: Callable[[bytes], bool]) -> None:
    """Add whole lines to a file, which is made if there is none: all of them, or, where the disk is full, none.

    `is_torn` says of a last line without an end whether a crash has torn it: then it is cut off, with a UserWarning.
    Any other gets its end. Others who add to the file wait meanwhile.
    """
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY, 0o666)
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)  # closing the file unlocks it
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # a pipe, say: nothing can be read again there
            write_all(descriptor, lines)
            return
        if mend(descriptor, is_torn):
            warnings.warn(f"{file}: the last line was torn by a crash, and is cut off", stacklevel=3)
        before = os.fstat(descriptor).st_size
        try:
            write_all(descriptor, lines)
        except BaseException:
            os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def mend(descriptor: int, is_torn: Callable[[bytes], bool]) -> bool:
    """Let the file end with a whole line: cut a torn one off, or give it its end; whether one was cut off."""
    line = unended_line(descriptor)
    if line and is_torn(line):
        os.ftruncate(descriptor, os.fstat(descriptor).st_size - len(line))
        return True
    if line:
        write_all(descriptor, END)
    return False


def unended_line(descriptor: int) -> bytes:
    """What stands behind the last end of a line."""
    start, tail = os.fstat(descriptor).st_size, b""
    while start > 0 and END not in tail:
        length = min(BLOCK, start)
        start -= length
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = os.read(descriptor, length) + tail
    return tail.rpartition(END)[2]


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in one go as a rule."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
