"""A game as one animated SVG: every position is in it, what they share once, and it needs nothing but itself."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from nakajima_zoo.arena import animation as module
from nakajima_zoo.arena.animation import LAST, animated_svg, animation, elements_of, merge
from nakajima_zoo.arena.replay import Replay, moves_and_pictures, resignation
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.render import rasterise
from zoo import every_game, every_variant, play_randomly, raw_env

SIZE = 300_000  # bytes that a game of Scalas may take


def played(variant: str, seed: int = 0, decisions: int | None = None) -> BoardGameEnv:
    env = raw_env(variant)
    env.reset(seed=seed)
    play_randomly(env, np.random.default_rng(seed), decisions)
    return env


def frames_of(env: BoardGameEnv) -> list[list[str]]:
    definitions: dict[str, str] = {}
    _, pictures = moves_and_pictures(Replay(env.game, env.origin, env.history), None)
    return [elements_of(ElementTree.fromstring(svg), definitions) for svg in pictures]


@every_variant
def test_every_position_is_in_it_in_order(variant):
    """Of what is shown at a time the elements are those of the picture, in the order in which it draws them."""
    frames = frames_of(played(variant, decisions=25))
    merged = merge(frames)
    for number, frame in enumerate(frames):
        assert [element.text for element in merged if number in element.shown] == frame
    assert len(merged) < sum(map(len, frames)) / 3


@every_game
def test_it_is_an_svg_that_needs_nothing_else(variant):
    """Valid XML without scripts or links; each of its times has its keyframes; what it refers to is defined."""
    svg = animated_svg(played(variant, decisions=60), title="<i> & 'you'")
    root = ElementTree.fromstring(svg)
    assert "script" not in svg and "href" not in svg and "data-" not in svg and svg.count("http") == 1
    assert root.find("{*}title").text == "<i> & 'you'"
    style = root.find("{*}style").text
    classes = {element.get("class") for element in root.iter() if element.get("class")}
    assert classes == set(re.findall(r"@keyframes (\w+)", style)) and "prefers-reduced-motion" in style
    defined = {element.get("id") for element in root.find("{*}defs")}
    assert defined == set(re.findall(r"url\(#(\w+)\)", svg)) and bool(defined) == variant.startswith("renaissance")


@every_game
def test_without_animation_the_last_position_is_seen(variant):
    """Programs that do not animate draw what the drawing of the game draws, but for rounding."""
    env = played(variant, decisions=30)
    still, picture = rasterise(animated_svg(env)), rasterise(env.svg())
    height = picture.shape[0]
    assert still.shape == (height + module.CAPTION, *picture.shape[1:])
    assert np.abs(still[:height].astype(int) - picture).max() <= 80  # at the edges
    assert (still[:height] != picture).any(axis=2).mean() < 0.02


@pytest.mark.parametrize("seed", range(6))
def test_a_game_of_scalas_is_small_and_has_its_board_once(seed):
    env = played("scalas-5", seed)
    svg = animated_svg(env)
    assert env.result is not None and len(svg.encode()) <= SIZE
    for file in "abcde":
        assert svg.count(f">{file}</text>") == 1
    assert svg.count(module.caption("", 800, 600)[0]) == 1


def test_the_line_below_tells_what_was_played():
    env = played("scalas-5", decisions=3)
    svg = animated_svg(env)
    for number, action in enumerate(env.history, start=1):
        assert (
            f">{number}. {('Blue', 'Red')[number % 2]}: {env.game.notation.action_to_text(env.origin, action)}<" in svg
        )


def test_each_position_has_its_time_and_the_last_one_more():
    svg = animated_svg(played("scalas-5", decisions=4), seconds=0.5)
    assert f"animation:{0.5 * (4 + LAST):g}s step-end infinite" in svg
    starts = {float(found) for found in re.findall(r"([\d.]+)%\{visibility", svg)}
    assert starts == {round(100 * number / (4 + LAST), 3) for number in range(5)}


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "1", None, True])
def test_bad_seconds(seconds):
    with pytest.raises(ValueError, match="seconds"):
        animated_svg(played("scalas-5", decisions=1), seconds=seconds)


def test_ends_that_no_action_has_made():
    env = played("scalas-5", decisions=2)
    replay = Replay(env.game, env.origin, env.history)
    assert "3. Red: resigns" in animated_svg(env, loser=0)
    assert animated_svg(env, loser=0, title="x") == animation(replay, "x", last=resignation(replay, 0))
    env.forfeit()
    assert "3. Red: illegal action" in animated_svg(env)


@every_game
def test_in_a_browser_every_position_is_shown_at_its_time(variant):
    """In Chromium: at the time of each position as many elements can be seen as its picture has."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("needs Chromium")
    env = played(variant, decisions=12)
    frames = frames_of(env)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 800, "height": 632})
        page.set_content(animated_svg(env, seconds=1.0))
        seen = [page.evaluate(VISIBLE, 1000 * number + 500) for number in range(len(frames))]
        after = page.evaluate(VISIBLE, 1000 * (len(frames) - 1 + LAST) + 500)
        browser.close()
    below = len(module.caption("", 800, 600))
    assert seen == [leaves(frame) + below for frame in frames] and after == seen[0]


VISIBLE = """time => {
    document.getAnimations().forEach(animation => { animation.pause(); animation.currentTime = time; });
    return [...document.querySelectorAll("svg :not(g, defs, defs *, title, style)")]
        .filter(element => getComputedStyle(element).visibility === "visible").length;
}"""


def leaves(frame: list[str]) -> int:
    """How many things a frame draws, those in groups counted one by one."""
    return sum(len(re.findall(r"<(?!/|g\b)", text)) for text in frame)
