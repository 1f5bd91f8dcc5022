"""Drawing, over all games: `ansi`, `rgb_array`, `human`, notebooks; headless, isolated, always the current state."""

import os
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from nakajima_zoo.envs.core.env import GameWrapper
from zoo import VARIANTS, every_game, every_variant, play_randomly, raw_env, wrapped_env


@every_variant
def test_svg_at_any_time(variant):
    """F3: mid-turn, after every kind of decision and at the end; the picture is valid XML and changes."""
    env, rng, pictures = raw_env(variant), np.random.default_rng(0), set()
    env.reset(seed=0)
    stride = 1
    while env.result is None:
        svg = env.svg()
        ElementTree.fromstring(svg)
        pictures.add(svg)
        play_randomly(env, rng, stride)
        stride += 1
    pictures.add(env.svg())
    assert len(pictures) > 3
    assert env._repr_svg_() == env.svg() == GameWrapper(env)._repr_svg_()


@every_game
def test_rgb_array(variant, monkeypatch):
    """F1: without a display or a dummy driver: uint8, several colours, other after a move."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    env = raw_env(variant, render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] == 3
    assert min(first.shape[:2]) >= 400
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 5
    play_randomly(env, np.random.default_rng(0), 2)
    second = env.render()
    assert second.shape == first.shape and not np.array_equal(first, second)


@every_game
def test_pictures_after_the_end(variant):
    """F3: text and picture of the final position equal those of a fresh environment set to it."""
    env = raw_env(variant, render_mode="ansi")
    env.reset(seed=0)
    play_randomly(env, np.random.default_rng(0))
    other = raw_env(variant, render_mode="ansi")
    other.set_state(env.get_state())
    assert env.render() == other.render() == env.to_text()
    drawing = env.game.drawing
    assert drawing.draw(env.get_state()).as_svg() == other.svg()


def test_no_render_mode_is_an_error():
    env = wrapped_env("scalas-5")
    env.reset(seed=0)
    with pytest.raises(ValueError, match="render_mode"):
        env.render()
    with pytest.raises(ValueError, match="expected one of"):
        raw_env("scalas-5", render_mode="video")


def test_windows_are_independent(monkeypatch):
    """F2: closing one environment's window leaves the others alone; close twice, then go on."""
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    first, second = (raw_env("scalas-5", render_mode="human") for _ in range(2))
    for env in (first, second):
        env.metadata["render_fps"] = 1000
        env.reset(seed=0)
    first.close()
    first.close()
    second.step(0)
    first.step(0)
    assert first.render() is None
    copied = first.clone()
    copied.close()
    first.step(first.legal_actions()[0])
    first.close()
    first.reset(seed=1)
    second.close()
    first.close()


@pytest.mark.parametrize("variant", [name for name in VARIANTS if "scalas" in name or "L4" in name])
def test_pictures_have_one_size(variant):
    """A video of a game needs frames of one size."""
    env = raw_env(variant, render_mode="rgb_array")
    shapes = set()
    env.reset(seed=0)
    for _ in range(4):
        shapes.add(env.render().shape)
        play_randomly(env, np.random.default_rng(0), 7)
    assert len(shapes) == 1
