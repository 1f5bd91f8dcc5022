"""ruff (lint and format) and mypy, as part of the suite."""

import os
import subprocess
import sys

import pytest
from zoo import ROOT, laid_out

MYPY = ("mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"))
PROGRAMS = [ROOT / "examples", ROOT / "benchmarks"]


def run(*command, **environment):
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("check",), ("format", "--check")])
def test_ruff(command):
    run("ruff", *command, ".")


def test_mypy(tmp_path):
    run(*MYPY, "-p", "nakajima_zoo", MYPYPATH=str(laid_out(tmp_path)))


def test_mypy_of_programs(tmp_path):
    """Examples and benchmarks import each other by their bare names, as Python lets them when they are run."""
    files = [str(file) for folder in PROGRAMS for file in sorted(folder.glob("*.py"))]
    run(*MYPY, *files, MYPYPATH=os.pathsep.join(map(str, [laid_out(tmp_path), *PROGRAMS])))
