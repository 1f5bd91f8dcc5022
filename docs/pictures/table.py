"""Take the pictures of the table again: `python docs/pictures/table.py`. Needs the extra `test`, and chromium."""

from __future__ import annotations

import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from nakajima_zoo import make_game
from nakajima_zoo.arena import Recording
from nakajima_zoo.envs import BoardGameEnv
from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
MOMENTS = {  # after how many decisions or more, at which decision, and what is clicked then
    "scalas": (36, "place", []),
    "ring_world": (34, "place_and_rotate", []),
    "tsukiji": (18, "construct", ["ship:red", "piece:red:"]),
    "renaissance": (80, "relocate", ["piece:silver:"]),
}
SIZES = {"desktop": {"width": 1280, "height": 650}, "phone": {"width": 390, "height": 844}}
SERVE = [sys.executable, "-m", "nakajima_zoo", "play", "--no-browser", "--port", "0", "--state"]


def recording(name: str) -> str:
    """A game of random actions, broken off at its moment, as a line."""
    decisions, decision, _ = MOMENTS[name]
    env = BoardGameEnv(make_game(name))
    for seed in itertools.count():
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.result is None:
            if len(env.history) >= decisions and is_moment(env, decision):
                return Recording.of(env, seed=seed).to_json()
            env.step(int(rng.choice(env.legal_actions())))
    raise AssertionError


def is_moment(env: BoardGameEnv, decision: str) -> bool:
    """Whether the first player is to take a decision of that name."""
    return env.agent_selection == "player_0" and env.game.decisions[env.get_state().decision] == decision


def take(page: Page, name: str) -> None:
    """The pictures of one game, in few colours, so that they are small."""
    file = {"name": "game.jsonl", "mimeType": "text/plain", "buffer": recording(name).encode()}
    page.set_viewport_size(SIZES["desktop"])
    page.set_input_files("#file", [file])
    page.wait_for_selector(".marks .can", state="attached")
    for part in MOMENTS[name][2]:
        page.locator(f".marks .can[data-part^='{part}']").first.click()
    if MOMENTS[name][2]:
        page.locator(".marks .can").nth(4).hover()
    for size, pixels in SIZES.items():
        page.set_viewport_size(pixels)
        if size == "phone":
            page.mouse.move(2, 2)  # there is no pointer
        page.wait_for_timeout(300)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture.quantize(128).save(FOLDER / f"table_{name}_{size}.png", optimize=True)
    page.click("#home")


def main() -> None:
    """Start a server, and go to the table of every game."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        server = subprocess.Popen([*SERVE, state], stdout=subprocess.PIPE, text=True, env=os.environ)
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            page.goto(found[0] if found else "")
            page.wait_for_selector("#choose select")
            for name in MOMENTS:
                take(page, name)
            browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
