"""ruff (lint and format) and mypy, as part of the suite."""

import os
import subprocess
import sys

import pytest
from zoo import ROOT


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
    """The folders are laid out as they are installed, since mypy does not know the mapping of the build backend."""
    package = tmp_path / "nakajima_zoo"
    package.mkdir()
    for folder in ("envs", "wrappers"):
        (package / folder).symlink_to(ROOT / folder)
    for file in (ROOT / "package").iterdir():
        if file.is_file():
            (package / file.name).symlink_to(file)
    config = str(ROOT / "pyproject.toml")
    run(
        "mypy",
        "--config-file",
        config,
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        "-p",
        "nakajima_zoo",
        MYPYPATH=str(tmp_path),
    )
