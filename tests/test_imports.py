"""Arrows point down only: examples -> wrappers -> envs/<game> -> envs/core; and nothing heavy is imported unasked."""

import ast
import subprocess
import sys

import pytest
from nakajima_zoo.envs import GAMES
from zoo import ROOT

FILES = sorted(
    path.relative_to(ROOT).as_posix() for folder in ("envs", "wrappers") for path in (ROOT / folder).rglob("*.py")
)
NOT_RULES = ("__init__.py", "game.py", "drawing.py", "notation.py", "planes.py", "position.py", "symmetry.py")
RULE_FILES = [file for file in FILES if file.split("/")[1] in GAMES and file.split("/")[-1] not in NOT_RULES]


def imported_modules(file):
    """Absolute names of all that a file imports, wherever in the file."""
    package = ["nakajima_zoo", *file.split("/")[:-1]]
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES)
def test_imports_point_down(file):
    layer = file.split("/")
    for module in imported_modules(file):
        assert not module.startswith(("nakajima_zoo.examples", "examples", "tests"))
        if layer[0] == "envs":
            assert not module.startswith("nakajima_zoo.wrappers"), module
        if layer[:2] == ["envs", "core"]:
            assert not any(module.startswith(f"nakajima_zoo.envs.{game}") for game in GAMES), module
        if layer[0] == "wrappers":
            assert not any(module.startswith(f"nakajima_zoo.envs.{game}") for game in GAMES), module
        if layer[1] in GAMES:
            others = [game for game in GAMES if game != layer[1]]
            assert not any(module.startswith(f"nakajima_zoo.envs.{game}") for game in others), module


@pytest.mark.parametrize("file", RULE_FILES)
def test_rules_know_numpy_and_the_kernel_only(file):
    game = file.split("/")[1]
    allowed = ("numpy", "itertools", "math", "typing", "collections", "types", "functools", "dataclasses")
    own = (f"nakajima_zoo.envs.{game}", "nakajima_zoo.envs.core.kernel", "nakajima_zoo.envs.core.record")
    for module in imported_modules(file):
        if module not in ("nakajima_zoo.envs.core", "nakajima_zoo.envs"):
            assert module.startswith((*own, *allowed)), module


def test_playing_needs_no_extra():
    """F1, H3: a game is played and shown as text without pygame, a drawing library, a plotting library or torch."""
    code = """
import sys
import nakajima_zoo.envs, nakajima_zoo.wrappers.single_agent, nakajima_zoo.wrappers.vector
from nakajima_zoo.envs import scalas_v0
env = scalas_v0.env(render_mode="ansi")
env.reset(seed=0)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
assert " wins" in env.render()
heavy = {"pygame", "torch", "drawsvg", "resvg_py", "PIL", "matplotlib", "stable_baselines3", "pandas"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_drawing_without_its_extra_says_so():
    """F1: `rgb_array` without the libraries gives a clear message; `ansi` works."""
    code = """
import sys
for name in ("drawsvg", "resvg_py", "PIL", "pygame", "font_roboto"):
    sys.modules[name] = None
from nakajima_zoo.envs import scalas_v0
env = scalas_v0.env(render_mode="rgb_array")
env.reset(seed=0)
try:
    env.render()
except ImportError as error:
    assert "nakajima-zoo[render]" in str(error), error
else:
    raise AssertionError("no error")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
