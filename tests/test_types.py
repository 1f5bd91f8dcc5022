"""What type checkers make of programs of users, who have the package as it is installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from zoo import ROOT, laid_out

PROGRAMS = ROOT / "tests" / "programs"
SPARE = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}  # or it asks its registry for a newer version


def run(*command: str, **environment: str) -> str:
    """What the checker puts out. It exits with 0 if there are no errors, and with 1 if there are."""
    words, variables = [sys.executable, "-m", *command], {**os.environ, **SPARE, **environment}
    done = subprocess.run(words, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def mypy(programs: Path, installed: Path) -> list[tuple[str, int, str]]:
    """File, line and text of every error of mypy, strict, without the configuration of this project."""
    cache = str(ROOT / ".mypy_cache" / "users")
    command = ("mypy", "--strict", "--config-file", os.devnull, "--cache-dir", cache, "--output", "json", str(programs))
    errors = [json.loads(line) for line in run(*command, PYTHONPATH=str(installed)).splitlines()]
    return [(Path(error["file"]).name, error["line"], error["message"]) for error in errors]


def pyright(programs: Path, installed: Path) -> list[tuple[str, int, str]]:
    """File, line and text of every error of pyright, strict."""
    config = {"extraPaths": [str(installed)], "typeCheckingMode": "strict"}
    (programs / "pyrightconfig.json").write_text(json.dumps(config))
    command = ("pyright", "--project", str(programs), "--pythonpath", sys.executable, "--outputjson")
    errors = json.loads(run(*command))["generalDiagnostics"]
    return [(Path(error["file"]).name, error["range"]["start"]["line"] + 1, error["message"]) for error in errors]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_programs_of_users(checker, tmp_path):
    """A right program has no error; a wrong one has an error in every line that is marked, and in no other."""
    pytest.importorskip(checker.__name__, reason="it comes with the extra 'test'")
    pytest.importorskip("stable_baselines3", reason="the programs train")
    programs, installed = tmp_path / "programs", tmp_path / "installed"
    shutil.copytree(PROGRAMS, programs)
    installed.mkdir()
    found = checker(programs, laid_out(installed))
    assert [error for error in found if error[0] != "mistakes.py"] == []
    lines = (PROGRAMS / "mistakes.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, start=1) if "# wrong" in line}
    assert wrong == {line for _, line, _ in found}, found
