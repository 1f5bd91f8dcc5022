"""A window in a process of its own, so that it stays alive whatever the program that draws is doing.

That program starts `python -m nakajima_zoo.envs.core.window TITLE`, reads one line, `open` or why there is no window,
and then writes pictures: a head of two numbers, width and height, and the bytes of the picture. The process ends when
there are no more, or when somebody closes the window. Needs pygame-ce (extra `render`).
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
from typing import Any, BinaryIO

import pygame

HEAD = struct.Struct("<II")  # width and height of the picture that follows, 3 bytes a pixel
OPEN = "open"
SIZE = 960, 600  # before the first picture
BESIDE = "#f7f4ec"  # around a picture that does not have the form of the window
NO_DISPLAY = ("offscreen", "dummy")  # drivers that show nothing to anybody
DRIVER = "SDL_VIDEODRIVER"  # where the user may ask for one of them
PICTURE = pygame.event.custom_type()  # an event: there is another picture


class Screen:
    """The window: draws the newest picture as large as fits, until it is closed."""

    def __init__(self, title: str) -> None:
        """Raises RuntimeError if there is no display."""
        try:
            pygame.display.init()
            self.window = pygame.Window(title, SIZE, resizable=True)
        except pygame.error as error:
            raise RuntimeError(f"no display: {error}") from None
        driver = pygame.display.get_driver()
        if driver in NO_DISPLAY and os.environ.get(DRIVER) != driver:
            raise RuntimeError("no display was found")
        self.picture: pygame.Surface | None = None

    def run(self) -> None:
        """Handle events until the window is closed or a QUIT arrives."""
        while self.handle(pygame.event.wait()):
            pass

    def handle(self, event: Any) -> bool:
        """Do what an event asks for; whether the window is still to be there."""
        if event.type == PICTURE:
            if self.picture is None:
                self.window.size = event.picture.get_size()
            self.picture = event.picture
        if event.type in (PICTURE, pygame.WINDOWRESIZED, pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self.draw()
        return event.type not in (pygame.QUIT, pygame.WINDOWCLOSE)

    def draw(self) -> None:
        """Draw the picture in the middle of the window."""
        surface = self.window.get_surface()
        surface.fill(BESIDE)
        if self.picture is not None:
            whole = surface.get_rect()
            place = self.picture.get_rect().fit(whole)
            surface.blit(pygame.transform.smoothscale(self.picture, place.size), place)
        self.window.flip()


def read_pictures(stream: BinaryIO) -> None:
    """Post an event for each picture of a stream, and one that asks to end at its end."""
    while len(head := stream.read(HEAD.size)) == HEAD.size:
        size = HEAD.unpack(head)
        pixels = stream.read(3 * size[0] * size[1])
        pygame.event.post(pygame.event.Event(PICTURE, picture=pygame.image.frombytes(pixels, size, "RGB")))
    pygame.event.post(pygame.event.Event(pygame.QUIT))


def main() -> None:
    """Open the window and show what arrives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that draws; its end ends the pictures
    try:
        screen = Screen(sys.argv[1])
    except RuntimeError as error:
        print(error, flush=True)
        return
    print(OPEN, flush=True)
    threading.Thread(target=read_pictures, args=(sys.stdin.buffer,), daemon=True).start()
    screen.run()


if __name__ == "__main__":
    main()
