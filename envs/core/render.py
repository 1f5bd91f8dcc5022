"""Pictures on the screen and as arrays, from the SVG that a game draws. Needs the extra `render`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from .extras import needs
from .types import Picture

with needs("render", "drawing"):
    import font_roboto
    import resvg_py
    from PIL import Image


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
    """A window that shows pictures, by pygame-ce. Several can be open; each releases only what it owns."""

    def __init__(self, title: str) -> None:
        """Raises ImportError without the extra `render`."""
        with needs("render", "a window"):
            import pygame
        self._pygame = pygame
        pygame.display.init()
        self._title = title
        self._window: Any = None
        self._clock = pygame.time.Clock()

    def show(self, picture: Picture, frames_per_second: int) -> None:
        """Show a picture, uint8 (height, width, 3), for one frame."""
        pygame = self._pygame
        size = picture.shape[1], picture.shape[0]
        if self._window is None:
            self._window = pygame.Window(self._title, size)
        self._window.get_surface().blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        self._window.flip()
        pygame.event.pump()
        self._clock.tick(frames_per_second)

    def close(self) -> None:
        """Close this window; other windows and the rest of pygame stay as they are. May be called twice."""
        if self._window is not None:
            self._window.destroy()
            self._window = None
