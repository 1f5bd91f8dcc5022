"""Pictures on the screen and as arrays, from the SVG that a game draws. Needs the extra `render`."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
import weakref
from pathlib import Path

import numpy as np

from .extras import needs
from .types import Picture

with needs("render", "drawing"):
    import font_roboto
    import resvg_py
    from PIL import Image

PATIENCE = 5.0  # seconds that the process of a window has for its end


def png(svg: str) -> bytes:
    """The picture as PNG. Text is set in a font that comes with the extra, whatever fonts the machine has."""
    fonts = [font_roboto.Roboto, font_roboto.RobotoBold]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=fonts, font_family="Roboto", sans_serif_family="Roboto"
        )
    )


def save_png(svg: str, path: str | Path) -> None:
    """Write the picture to a file."""
    Path(path).write_bytes(png(svg))


def rasterise(svg: str) -> Picture:
    """The picture as uint8 (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(png(svg))).convert("RGB"))


class Window:
    """A window that shows pictures, in a process of its own, so that it is alive between them and alone if it closes.

    Whoever looks at it may resize and close it. Once closed it stays so, and nothing is shown until there is another.
    """

    def __init__(self, title: str) -> None:
        """Raises ImportError without the extra `render`, and RuntimeError if there is no display to open it on."""
        with needs("render", "a window"):
            from . import window
        self._head = window.HEAD
        command = [sys.executable, "-m", window.__name__, title]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._end = weakref.finalize(self, end_process, self._process)
        self._next = time.monotonic()
        assert self._process.stdout is not None
        answer = self._process.stdout.readline().decode().strip()
        if answer != window.OPEN:
            self.close()
            raise RuntimeError(f"{answer or 'the window could not be opened'}; render_mode='rgb_array' needs none")

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it."""
        return self._process.poll() is None

    def show(self, picture: Picture, frames_per_second: int) -> None:
        """Show a picture, uint8 (height, width, 3), and no more of them in a second than that; nothing once closed."""
        if not self.is_open:
            return
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + 1 / frames_per_second
        height, width, _ = picture.shape
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(self._head.pack(width, height) + np.ascontiguousarray(picture).tobytes())
            self._process.stdin.flush()
        except OSError:  # somebody has closed it just now
            self.close()

    def close(self) -> None:
        """Close this window, and no other. May be called twice."""
        self._end()


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Let the process of a window end, and wait for that; make it, if it does not."""
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # what was still to be written has no reader any more
            if stream is not None:
                stream.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
