"""Videos by Gymnasium, of one seat and of both, as docs/pictures.md tells."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from nakajima_zoo.wrappers import SingleAgentEnv
from zoo import ENVIRONMENT, ROOT, VARIANTS, every_game

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "pictures.md").read_text(), re.DOTALL)
NEEDS_MOVIEPY = "needs MoviePy (extra video), which the tests do not install: it wants another Pillow"


def moviepy():
    return pytest.importorskip("moviepy", reason=NEEDS_MOVIEPY)


@every_game
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # MoviePy leaves pipes open
def test_record_video(variant, tmp_path):
    """A video has a frame for each position of the learner, at the pace that the environment says."""
    moviepy()
    name, parameters = VARIANTS[variant]
    bare = SingleAgentEnv(name, render_mode="rgb_array", seat=0, **parameters)
    folder = tmp_path / "videos"
    env = gymnasium.wrappers.RecordVideo(bare, str(folder), episode_trigger=lambda episode: True)
    _, info = env.reset(seed=1)
    for _ in range(8):
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        assert not terminated and not truncated
    env.close()
    [file] = folder.glob("*.mp4")
    with moviepy().VideoFileClip(str(file)) as clip:
        assert tuple(clip.size) == (800, 600) and clip.fps == bare.metadata["render_fps"] == 2
        first, last = (clip.get_frame(at) for at in (0, clip.duration - 0.01))
        assert clip.n_frames == 9 and np.abs(first.astype(int) - last).max() > 100


@every_game
def test_frames_of_one_seat(variant):
    """What RecordVideo collects: uint8, all of one size, another one after each step."""
    name, parameters = VARIANTS[variant]
    env = SingleAgentEnv(name, render_mode="rgb_array", seat=0, **parameters)
    _, info = env.reset(seed=1)
    frames = [env.render()]
    for _ in range(4):
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        frames.append(env.render())
    assert {(frame.shape, frame.dtype) for frame in frames} == {((600, 800, 3), np.dtype(np.uint8))}
    assert all((one != other).any() for one, other in pairwise(frames))


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_code_of_the_page_runs(number, tmp_path):
    """Each block as it stands leaves a file."""
    if "video" in BLOCKS[number]:
        moviepy()
    subprocess.run([sys.executable, "-W", "ignore", "-c", BLOCKS[number]], check=True, cwd=tmp_path, env=ENVIRONMENT)
    assert [*tmp_path.glob("*.svg"), *tmp_path.glob("videos/*.mp4")]
