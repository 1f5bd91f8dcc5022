"""Arrows point down only and never in a circle, those in strings included; and nothing heavy is imported unasked."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import pairwise

import pytest
from nakajima_zoo.envs import GAMES
from zoo import ROOT

PACKAGE = "nakajima_zoo"
ROOMS = ("package", "envs", "players", "arena", "learning", "wrappers", "play")
LAYERS = (  # from the bottom; what stands in one line does not know each other
    ("envs/core/",),
    tuple(f"envs/{game}/" for game in GAMES),
    ("envs/",),
    ("players/",),
    ("arena/", "learning/"),
    ("wrappers/",),
    ("play/",),
    ("package/",),
)
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for room in ROOMS
    for end in ("py", "pyi")
    for path in (ROOT / room).rglob(f"*.{end}")
)
NOT_RULES = (
    "__init__",
    "environment",
    "game",
    "drawing",
    "notation",
    "planes",
    "position",
    "refusals",
    "symmetry",
    "things",
)
RULE_FILES = [
    file for file in FILES if file.startswith(LAYERS[1]) and file.split("/")[-1].removesuffix(".py") not in NOT_RULES
]


def module_of(file: str) -> str:
    """The dotted name that a file is imported by."""
    words = file.removesuffix("i").removesuffix(".py").removeprefix("package/").split("/")
    return ".".join([PACKAGE, *(word for word in words if word != "__init__")])


MODULES = {module_of(file): file for file in FILES if file.endswith(".py")}


def known(module: str) -> str:
    """The file of a module of ours, or of the module that has it as a name; empty for others."""
    return MODULES.get(module) or MODULES.get(module.rpartition(".")[0], "")


def targets(file: str) -> Iterator[str]:
    """The dotted names of all that a file imports or names in strings, wherever in the file."""
    name = module_of(file)
    package = name if "/__init__." in file else name.rpartition(".")[0]
    nodes = list(ast.walk(ast.parse((ROOT / file).read_text())))
    parts = {id(word) for node in nodes if isinstance(node, ast.JoinedStr) for word in node.values}
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield from named_in(node.value, package)
        elif isinstance(node, ast.JoinedStr):
            yield from named_in("".join(text_of(word, name) for word in node.values), package)


def text_of(word: ast.expr, name: str) -> str:
    """A part of an f-string, as far as it can be known without running it: `__name__` can."""
    if isinstance(word, ast.Constant):
        return str(word.value)
    return name if getattr(getattr(word, "value", None), "id", "") == "__name__" else "?"


def named_in(text: str, package: str) -> Iterator[str]:
    """The module that a string names as a whole: `nakajima_zoo.wrappers.vector:BatchVectorEnv`, `..scalas.notation`."""
    module = text.partition(":")[0]
    level = len(module) - len(module.lstrip("."))
    if level:
        module = ".".join([*package.split(".")[: len(package.split(".")) - level + 1], module.lstrip(".")])
    if module in MODULES and module != PACKAGE:  # which is a word, too
        yield module


def arrows(file: str) -> set[str]:
    """The files of ours that a file needs."""
    return {known(target) for target in targets(file)} - {"", file}


def layer(file: str) -> int:
    """The number of the layer that a file belongs to."""
    return next(number for number, starts in enumerate(LAYERS) if file.startswith(starts))


@pytest.mark.parametrize("file", FILES)
def test_imports_point_down(file):
    for other in arrows(file):
        assert layer(other) <= layer(file), f"{file} needs {other}"
        same_room = next(start for start in LAYERS[layer(file)] if file.startswith(start))
        assert layer(other) < layer(file) or other.startswith(same_room), f"{file} needs {other}"


def test_no_circle():
    TopologicalSorter({file: arrows(file) for file in FILES if file.endswith(".py")}).prepare()


def test_the_map_of_arrows_sees_strings_and_stubs(tmp_path, monkeypatch):
    """What escaped: names of games in core, of wrapper classes in envs, of modules behind dots."""
    written = {
        "envs/core/a.py": """import_module("..scalas.notation")""",
        "envs/b.py": """register(entry_point="nakajima_zoo.wrappers.vector:BatchVectorEnv")""",
        "wrappers/c.py": """f"{__name__}.nothing", f"..{name}.notation", "scalas" """,
        "players/__init__.pyi": """from .base import Player as Player""",
        "arena/d.py": """from .. import players""",
    }
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = {name: arrows(name) for name in written}
    assert found["envs/core/a.py"] == {"envs/scalas/notation.py"}
    assert found["envs/b.py"] == {"wrappers/vector.py"}
    assert found["players/__init__.pyi"] == {"players/base.py"}
    assert found["arena/d.py"] == {"players/__init__.py"}
    assert layer("envs/b.py") < layer("wrappers/vector.py")


@pytest.mark.parametrize("file", RULE_FILES)
def test_rules_know_numpy_and_the_kernel_only(file):
    game = file.split("/")[1]
    core = ("kernel", "record", "squares", "types")
    own = (f"{PACKAGE}.envs.{game}", *(f"{PACKAGE}.envs.core.{name}" for name in core))
    allowed = ("__future__", "numpy", "itertools", "math", "typing", "collections", "types", "functools", "dataclasses")
    for target in targets(file):
        assert target.startswith((*own, *allowed)), target


def test_layers_are_in_order():
    assert all(lower != upper for lower, upper in pairwise(LAYERS)) and {layer(file) for file in FILES} == set(range(8))


def test_playing_needs_no_extra():
    """F1, H3: a game is played and shown as text without pygame, a drawing library, a plotting library or torch."""
    code = """
import sys
import nakajima_zoo
assert not {"numba", "gymnasium", "pettingzoo", "numpy"} & set(sys.modules)
from nakajima_zoo import evaluate, scalas_v0
from nakajima_zoo.wrappers import BatchVectorEnv, SingleAgentEnv
env = scalas_v0.env(render_mode="ansi")
env.reset(seed=0)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
assert " wins" in env.render()
evaluate("scalas", "greedy", "random", 1)
heavy = {"pygame", "torch", "drawsvg", "resvg_py", "PIL", "matplotlib", "stable_baselines3", "pandas"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("env.render()", "render"),
        ("env.unwrapped.svg()", "render"),
        ("nakajima_zoo.arena.replay_html(env.unwrapped)", "render"),
        ("nakajima_zoo.arena.round_robin('scalas', ['random', 'greedy'], 1)", "train"),
        ("nakajima_zoo.Score(1, 0, 0).interval()", "train"),
        ("nakajima_zoo.players.ModelPlayer", "train"),
        ("nakajima_zoo.make_player(__file__)", "train"),
        ("nakajima_zoo.learning.MaskedPolicy", "train"),
        ("nakajima_zoo.learning.BoardPolicy", "train"),
        ("nakajima_zoo.wrappers.BatchVecEnv", "train"),
        ("nakajima_zoo.wrappers.spiel_game", "openspiel"),
        ("nakajima_zoo.wrappers.MaskedModule", "rllib"),
        ("nakajima_zoo.play.serve", "play"),
    ],
)
def test_what_lacks_an_extra_names_it(use, extra, tmp_path):
    """F1: every entry that needs an extra says which one, not only `render`."""
    program = tmp_path / "model.zip"  # a program that is a model, too
    program.write_text(f"""
import sys
heavy = ("drawsvg", "resvg_py", "PIL", "pygame", "font_roboto", "torch", "stable_baselines3", "sb3_contrib", "choix")
for name in (*heavy, "starlette", "uvicorn", "pandas", "matplotlib", "scipy", "pyspiel", "open_spiel", "ray"):
    sys.modules[name] = None
import nakajima_zoo
env = nakajima_zoo.scalas_v0.env(render_mode="rgb_array")
env.reset(seed=0)
try:
    {use}
except ImportError as error:
    assert "pip install 'nakajima-zoo[{extra}]'" in str(error), error
else:
    raise AssertionError("no error")
""")
    subprocess.run([sys.executable, str(program)], check=True)
