"""Draw the README's pictures again: `python docs/pictures/draw.py`. Each is a position of a random game."""

from pathlib import Path

import numpy as np
from nakajima_zoo import make_game
from nakajima_zoo.envs import BoardGameEnv
from PIL import Image

DECISIONS = {"scalas": 38, "ring_world": 45, "tsukiji": 62, "renaissance": 75}

for name, decisions in DECISIONS.items():
    env = BoardGameEnv(make_game(name), render_mode="rgb_array")
    env.reset(seed=0)
    rng = np.random.default_rng(7)
    while len(env.history) < decisions and env.result is None:
        env.step(int(rng.choice(env.legal_actions())))
    Image.fromarray(np.asarray(env.render())).save(Path(__file__).parent / f"{name}.png", optimize=True)
