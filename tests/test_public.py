"""What users are shown - README, documentation, examples, benchmarks - needs public names alone.

A name is public if `__all__` lists it: that of `nakajima_zoo`, or that of a module which itself is public.
"""

import ast
import contextlib
import importlib
import re
from types import ModuleType

import pytest
from zoo import ROOT

PACKAGE = "nakajima_zoo"
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
PROGRAMS = [
    path.relative_to(ROOT).as_posix()
    for folder in ("examples", "benchmarks", "docs")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
INTERNAL = {  # and why
    "benchmarks/ours.py": {
        "nakajima_zoo.envs.core.loops": "kernels are timed themselves, as a search calls them",
        "nakajima_zoo.envs.core.record.copy_records": "it is what copies a record in them",
    }
}
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
DOTTED = re.compile(rf"\b{PACKAGE}(?:\.\w+)+")
IN_A_ROOM = re.compile(r"`((?:envs|players|arena|learning|wrappers)(?:\.\w+)+)")  # as the text abbreviates it


def names_in(code: str) -> set[str]:
    """The dotted names of ours that Python code imports, or names in full."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and (match := DOTTED.fullmatch(ast.unparse(node))):
            found.add(match[0])
    return {name for name in found if name.split(".")[0] == PACKAGE and name != PACKAGE}


def names_on(page: str) -> set[str]:
    """The same of a page: of its blocks of Python, and in its text."""
    text = BLOCK.sub("", page)
    short = {f"{PACKAGE}.{name}" for name in IN_A_ROOM.findall(text)}
    return set().union(*map(names_in, BLOCK.findall(page))) | set(DOTTED.findall(text)) | short


def is_public(name: str) -> bool:
    """Whether each part of a dotted name is in the `__all__` of the part before it; attributes of classes are."""
    found = importlib.import_module(PACKAGE)
    for word in name.split(".")[1:]:
        if isinstance(found, ModuleType) and word not in found.__all__:
            return False
        try:
            found = getattr(found, word)
        except ImportError:  # it needs an extra that is not installed
            return True
    return True


@pytest.mark.parametrize("file", [*PAGES, *PROGRAMS])
def test_public_names_only(file):
    text = (ROOT / file).read_text()
    names = names_in(text) if file.endswith(".py") else names_on(text)
    hidden = {name for name in names if not is_public(name)}
    allowed = set(INTERNAL.get(file, {}))
    assert hidden <= allowed, f"{file}: not public: {', '.join(sorted(hidden - allowed))}"
    assert allowed <= hidden, f"{file}: need not be allowed any more: {', '.join(sorted(allowed - hidden))}"


@pytest.mark.parametrize("room", ["envs", "players", "arena", "learning", "wrappers", "arguments"])
def test_rooms_say_what_is_public(room):
    """Every room is public and lists names, all of which exist."""
    assert is_public(f"{PACKAGE}.{room}")
    module = importlib.import_module(f"{PACKAGE}.{room}")
    assert module.__all__
    for name in module.__all__:
        with contextlib.suppress(ImportError):  # an extra that is not installed
            assert hasattr(module, name), name


def test_it_sees_what_is_not_public():
    """Of every kind: deep modules, names that no `__all__` has, names in text, in full and in blocks."""
    code = """
import nakajima_zoo.envs.core.loops
from nakajima_zoo.envs.core import batch
from nakajima_zoo.players.simple import RandomPlayer
from nakajima_zoo.envs import make_game, scalas
import nakajima_zoo.envs
from nakajima_zoo import evaluate, nothing
nakajima_zoo.envs.variants.VARIANTS
nakajima_zoo.envs.Batch.reset
"""
    hidden = {
        "envs.core.loops",
        "envs.core.batch",
        "players.simple.RandomPlayer",
        "envs.scalas",
        "nothing",
        "envs.variants",
        "envs.variants.VARIANTS",
    }
    assert {name for name in names_in(code) if not is_public(name)} == {f"{PACKAGE}.{name}" for name in hidden}
    page = "`nakajima_zoo.envs.scalas.symmetry`\n```python\nimport nakajima_zoo.cli\n```\n`wrappers.sb3.LegalVecEnv`"
    hidden = {"nakajima_zoo.envs.scalas.symmetry", "nakajima_zoo.cli", "nakajima_zoo.wrappers.sb3.LegalVecEnv"}
    assert {name for name in names_on(page) if not is_public(name)} == hidden
