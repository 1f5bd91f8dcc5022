"""The window of `render_mode="human"`: alive between pictures, resized and closed by whoever looks at it."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from nakajima_zoo.envs.core.render import Window
from zoo import ENVIRONMENT, raw_env

pygame = pytest.importorskip("pygame")
window = pytest.importorskip("nakajima_zoo.envs.core.window")

WIDTH, HEIGHT = 90, 60
RED = np.full((HEIGHT, WIDTH, 3), (200, 0, 0), np.uint8)


@pytest.fixture(autouse=True)
def _driver(monkeypatch):
    """One that shows nothing, as the user may ask for."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def screen():
    """What runs in the process of the window, in this one."""
    made = window.Screen("a game")
    yield made
    made.window.destroy()
    pygame.display.quit()


def picture_event(pixels: np.ndarray) -> pygame.Event:
    height, width, _ = pixels.shape
    return pygame.Event(window.PICTURE, picture=pygame.image.frombytes(pixels.tobytes(), (width, height), "RGB"))


def colour(screen, x: float, y: float) -> tuple[int, ...]:
    surface = screen.window.get_surface()
    width, height = surface.get_size()
    return tuple(surface.get_at((int(x * (width - 1)), int(y * (height - 1)))))[:3]


def test_the_first_picture_sets_the_size_and_later_ones_keep_it(screen):
    assert screen.handle(picture_event(RED))
    assert tuple(screen.window.size) == (WIDTH, HEIGHT) and colour(screen, 0.5, 0.5) == (200, 0, 0)
    screen.window.size = (180, 120)
    assert screen.handle(picture_event(255 - RED))
    assert tuple(screen.window.size) == (180, 120)
    assert colour(screen, 0, 0) == colour(screen, 1, 1) == (55, 255, 255)


def test_a_resized_window_shows_the_whole_picture_in_its_form(screen):
    """With a margin at the sides of a window that is too wide."""
    screen.handle(picture_event(RED))
    screen.window.size = (400, 60)
    assert screen.handle(pygame.Event(pygame.WINDOWRESIZED, x=400, y=60))
    assert colour(screen, 0.5, 0) == colour(screen, 0.5, 1) == (200, 0, 0)
    assert colour(screen, 0, 0.5) == colour(screen, 1, 0.5) == tuple(pygame.Color(window.BESIDE))[:3]


def test_it_can_be_closed_and_asked_before_there_is_a_picture(screen):
    assert screen.handle(pygame.Event(pygame.WINDOWEXPOSED))
    assert not screen.handle(pygame.Event(pygame.WINDOWCLOSE))
    assert not screen.handle(pygame.Event(pygame.QUIT))


def test_pictures_arrive_in_order_and_their_end_is_the_end(screen):
    sent = b"".join(window.HEAD.pack(WIDTH, HEIGHT) + pixels.tobytes() for pixels in (RED, 255 - RED))
    pygame.event.clear()
    window.read_pictures(io.BytesIO(sent + b"half"))
    screen.run()
    assert colour(screen, 0.5, 0.5) == (55, 255, 255)


def test_it_is_alive_while_nothing_is_drawn():
    """Another process handles its events; it is still there after a while, and ends when it is closed."""
    shown = Window("a game")
    shown.show(RED, 1000)
    time.sleep(0.3)
    assert shown.is_open
    shown.show(RED, 1000)
    shown.close()
    shown.close()
    assert not shown.is_open
    shown.show(RED, 1000)


def test_no_more_pictures_in_a_second_than_that():
    shown = Window("a game")
    start = time.monotonic()
    for _ in range(4):
        shown.show(RED, 20)
    assert time.monotonic() - start >= 3 / 20
    shown.close()


def test_somebody_closes_it_and_the_game_goes_on():
    env = raw_env("scalas-5", render_mode="human")
    env.metadata["render_fps"] = 1000
    env.reset(seed=0)
    env._window._process.kill()
    env._window._process.wait()
    for _ in range(3):
        env.step(env.legal_actions()[0])
    assert len(env.history) == 3 and not env._window.is_open
    env.close()
    env.render()
    assert env._window.is_open  # after close() there is another one
    env.close()


def test_somebody_closes_it_while_a_picture_is_on_its_way(monkeypatch):
    shown = Window("a game")
    shown._process.kill()
    shown._process.wait()
    monkeypatch.setattr(Window, "is_open", True)  # as it was a moment ago
    shown.show(RED, 1000)
    shown.close()


def test_a_window_that_is_forgotten_ends():
    shown = Window("a game")
    process = shown._process
    del shown
    gc.collect()
    assert process.wait(10) == 0


def test_without_a_display_it_says_so():
    """And what to do instead; nothing is left running."""
    code = """
from nakajima_zoo import scalas_v0
env = scalas_v0.env(render_mode="human")
try:
    env.reset()
except RuntimeError as error:
    print(error)
"""
    hidden = {name: value for name, value in ENVIRONMENT.items() if "DISPLAY" not in name and name != "SDL_VIDEODRIVER"}
    done = subprocess.run([sys.executable, "-c", code], env=hidden, capture_output=True, text=True, timeout=60)
    if sys.platform == "linux":
        assert "no display" in done.stdout and "render_mode='rgb_array'" in done.stdout, done.stderr
    asked = {**hidden, "SDL_VIDEODRIVER": "no such driver"}
    done = subprocess.run([sys.executable, "-c", code], env=asked, capture_output=True, text=True, timeout=60)
    assert "no display" in done.stdout, done.stderr
    assert os.environ["SDL_VIDEODRIVER"] == "dummy"
