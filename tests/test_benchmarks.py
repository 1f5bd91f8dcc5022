"""The benchmarks run, with a tiny budget; nothing here depends on the speed of the machine."""

import importlib
import subprocess
import sys

import pytest
from nakajima_zoo import GAMES
from zoo import ENVIRONMENT, ROOT, VARIANTS, game_of

TINY = ["--games", "scalas", "--seconds", "0.001", "--rounds", "1", "--rollout", "64"]


def run_benchmark(*arguments, cwd, code=""):
    """Run `benchmarks/speed.py`, after `code`; returns what it printed and the page."""
    page = cwd / "page.md"
    script = f"import runpy, sys\n{code}\nsys.argv = sys.argv[1:]\nsys.path.insert(0, {str(ROOT / 'benchmarks')!r})\n"
    script += "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-c", script, str(ROOT / "benchmarks" / "speed.py"), *TINY, "--output", str(page)]
    done = subprocess.run([*command, *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout, page.read_text()


def test_sections(tmp_path):
    """Every section but the slow compilation; of the peers, those that compile fast."""
    peers = ["connect_four_v3", "tictactoe_v3", "connect_four"]
    sections = ["aec", "batch", "clone", "copies", "search", "memory", "training"]
    _, page = run_benchmark("--sections", *sections, "--peers", *peers, cwd=tmp_path)
    for word in (
        "# Performance",
        "python benchmarks/speed.py --games scalas",
        "numba ",
        "x PettingZoo connect_four_v3",
    ):
        assert word in page
    for title in (
        "AEC loop",
        "batch of 1024",
        "clone, play",
        "Copies",
        "MCTS",
        "Memory",
        "Training",
        "Ratios of the design",
    ):
        assert title in page
    verdicts = [line for line in page.splitlines() if "reached" in line and line.startswith("|")]
    assert len([line for line in verdicts if "AEC loop" in line]) == 3
    assert len([line for line in verdicts if "training" in line]) == 1
    assert "| scalas-5 " in page and "175.0" in page  # MiB of observations: 2048 * 64 * 5 * 5 * 14 * 4 bytes


def test_missing_peers_are_left_out(tmp_path):
    """With a clear line for each; our own numbers are still there."""
    names = ["connect_four_v3", "chess_v6", "connect_four", "go(board_size=9)"]
    code = "sys.modules.update(dict.fromkeys(('pettingzoo.classic', 'chess', 'pgx', 'jax', 'pyspiel')))"
    output, page = run_benchmark("--sections", "aec", "batch", "clone", "--peers", *names, cwd=tmp_path, code=code)
    for line in ("PettingZoo chess_v6", "pgx connect_four", "OpenSpiel connect_four", "OpenSpiel go(board_size=9)"):
        assert f"left out: {line} (" in output
        assert f"{line} " in page and "left out" in page
    assert page.count("| scalas-7 ") == 3


def test_nothing_names_the_machine(tmp_path):
    import platform

    _, page = run_benchmark("--sections", "memory", cwd=tmp_path)
    assert platform.node() not in page.replace("Linux", "") or len(platform.node()) < 3
    assert str(tmp_path.parent) not in page.replace(str(tmp_path / "page.md"), "")


def test_systems_without_affinity(tmp_path):
    """F1: such as macOS and Windows, whose `os` does not have `sched_getaffinity`."""
    code = "import os; os.__dict__.pop('sched_getaffinity', None)"
    _, page = run_benchmark("--sections", "memory", cwd=tmp_path, code=code)
    assert " cores, " in page


def test_games_are_the_variants_of_the_tests(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    ours = importlib.import_module("ours")
    assert ours.variants(GAMES) == {name: game_of(name) for name in VARIANTS}
    assert set(ours.variants(["scalas"])) == {"scalas-5", "scalas-6", "scalas-7"}


def test_goals_and_trained_variants_exist(monkeypatch):
    """A variant that was renamed would lose its goals without a word."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    speed = importlib.import_module("speed")
    assert set(speed.TRAINED) <= set(VARIANTS)
    for goal in speed.GOALS:
        assert any(name.startswith(goal.variant) for name in VARIANTS), goal


def test_random_actions_are_fair():
    """What both sides of the AEC loop draw from, and what ours draws from in batch."""
    np = pytest.importorskip("numpy")
    from nakajima_zoo.envs.core.batch import uniform_actions

    mask = np.zeros((1, 300), np.int8)
    mask[0, [3, 70, 299]] = 1
    many = np.repeat(mask, 30_000, axis=0)
    actions, counts = np.unique(uniform_actions(many, np.random.default_rng(0).random(len(many))), return_counts=True)
    assert actions.tolist() == [3, 70, 299]
    assert (abs(counts - 10_000) < 400).all()
