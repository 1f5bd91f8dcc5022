"""Every example runs, with a tiny budget."""

import subprocess
import sys

import pandas as pd
import pytest
from zoo import ENVIRONMENT, ROOT

CASES = {
    "scalas": [],
    "scalas-greedy": ["--game", "scalas", "--set", "size=6", "--opponent", "greedy"],
    "ring_world-joint": ["--game", "ring_world", "--set", "turns=joint"],
    "ring_world-staged": ["--game", "ring_world", "--set", "turns=staged"],
    "ring_world-L4-joint": ["--game", "ring_world", "--set", "levels=4", "--set", "turns=joint"],
    "ring_world-L4-staged": ["--game", "ring_world", "--set", "levels=4", "--set", "turns=staged"],
    "tsukiji": ["--game", "tsukiji"],
    "renaissance-phase1": ["--game", "renaissance", "--set", "variant=phase1"],
    "renaissance-phase2": ["--game", "renaissance", "--set", "variant=phase2"],
    "renaissance-full": ["--game", "renaissance", "--set", "variant=full", "--opponent", "random"],
}
TINY = ["--timesteps", "1500", "--num-envs", "16", "--eval-games", "4", "--name", "tiny", "--seed", "1"]


def run_example(name, *arguments, cwd):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), *arguments],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_train_example(case, tmp_path):
    """G1, H4: it trains, plays no illegal action, and leaves what it promises."""
    output = run_example("train.py", *CASES[case], *TINY, cwd=tmp_path)
    folder = tmp_path / "runs" / "tiny"
    assert "against random as both" in output and "against greedy as both" in output
    assert "(0 illegal" not in output and output.count(" 0 illegal)") == 6
    assert (folder / "evaluation.txt").read_text() in output
    for name in ("model.zip", "learning_curve.png", "game.png", "game.txt"):
        assert (folder / name).stat().st_size > 100
    metrics = pd.read_csv(folder / "metrics.csv")
    assert {"time/total_timesteps", "eval/win_rate_against_random"} <= set(metrics)
    if "L4" not in case:  # its games are longer than the budget
        assert "rollout/ep_rew_mean" in metrics


def test_training_is_repeatable(tmp_path):
    """E2: the same seed gives the same evaluation."""
    found = {run_example("train.py", *TINY, cwd=tmp_path).split("against", 1)[1].split("total")[0] for _ in range(2)}
    assert len(found) == 1


def test_bad_arguments_are_explained(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "train.py"), "--set", "size=4"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "size=4; expected one of 5, 6, 7" in done.stderr


def test_no_plain_evaluation_helper():
    """G1: nothing evaluates a masked model without its masks."""
    for folder in ("examples", "wrappers", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            assert "common.evaluation" not in text or "maskable" in text, path
            assert "EvalCallback" not in text.replace("MaskableEvalCallback", ""), path
