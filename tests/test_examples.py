"""Every example runs, with a tiny budget."""

import importlib
import pickle
import re
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from nakajima_zoo.wrappers import BatchVecEnv
from sb3_contrib import MaskablePPO
from zoo import ENVIRONMENT, ROOT, VARIANTS, game_of

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
    assert "(0 illegal" not in output and output.count(" 0 illegal") == 6
    assert (folder / "evaluation.txt").read_text() in output
    for name in ("model.safetensors", "model.zip", "learning_curve.png", "game.png", "game.txt"):
        assert (folder / name).stat().st_size > 100
    metrics = pd.read_csv(folder / "metrics.csv")
    assert {"time/total_timesteps", "eval/win_rate_against_random"} <= set(metrics)
    if "L4" not in case:  # its games are longer than the budget
        assert "rollout/ep_rew_mean" in metrics


def test_training_is_repeatable(tmp_path):
    """E2: the same seed gives the same evaluation."""
    found = {run_example("train.py", *TINY, "--force", cwd=tmp_path).split("against", 1)[1] for _ in range(2)}
    assert len(found) == 1


def refused(name, *arguments, cwd):
    """The last line of an example that ends with code 2, without a traceback."""
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--set size=4", "size=4; expected one of 5, 6, 7"),
        ("--set size", "expected 'name=value', such as size=6"),
        ("--game chess", "game 'chess' unknown"),
        ("--timesteps 0", "argument --timesteps: 0; expected an integer of at least 1"),
        ("--timesteps -5", "argument --timesteps: -5; expected an integer of at least 1"),
        ("--eval-games 0", "argument --eval-games: 0; expected an integer of at least 1"),
        ("--seed -1", "argument --seed: -1; expected an integer of at least 0"),
        ("--resume", "no runs/scalas-0/model.zip to go on from"),
        ("--game renaissance --set turns=joint --num-envs 100000", "GiB of memory; try a smaller --num-envs"),
    ],
)
def test_bad_arguments_are_explained(arguments, message, tmp_path):
    """And nothing is touched."""
    assert message in refused("train.py", *arguments.split(), cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_results_are_never_overwritten(tmp_path):
    """A folder that holds anything is refused before it is touched, whichever example asks for it."""
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    (folder / "model.zip").write_text("mine")
    for name in ("train.py", "mcts.py"):
        line = refused(name, "--name", "mine", cwd=tmp_path)
        assert "runs/mine exists" in line and "--name" in line and "--force" in line
        assert ("--resume" in line) == (name == "train.py")
    assert [path.name for path in folder.iterdir()] == ["model.zip"]
    assert (folder / "model.zip").read_text() == "mine"


@pytest.fixture
def common(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return importlib.import_module("common")


def test_folders_are_named_by_what_was_asked_for(common):
    """Two different games never share a folder; what is as by default is left out."""
    names = {name: common.run_name("", game_of(name), 3) for name in VARIANTS}
    assert len(set(names.values())) == len(names)
    assert (names["scalas-5"], names["scalas-6"]) == ("scalas-3", "scalas-size6-3")
    assert names["ring_world-L4-staged"] == "ring_world-levels4-turns-staged-3"
    assert common.run_name("cleanrl", game_of("tsukiji-staged"), 0) == "cleanrl-tsukiji-0"


def test_memory_is_that_of_machine_or_container(common, tmp_path, monkeypatch):
    assert common.machine_memory() > 1 << 28
    monkeypatch.setattr(common.os, "sysconf_names", {})
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(common, "Path", lambda name: limit)
    assert common.machine_memory() is None
    limit.write_text("max\n")
    assert common.machine_memory() is None
    limit.write_text("1000000\n")
    assert common.machine_memory() == 1_000_000


def test_a_forecast_leaves_no_trace(common):
    """The training after it is the same as without, since neither weights nor chance have changed."""
    forecast, game = importlib.import_module("forecast"), game_of("scalas-5")
    model = MaskablePPO("MlpPolicy", BatchVecEnv(game, 4), n_steps=8, batch_size=16, seed=0)
    before = {name: weights.clone() for name, weights in model.policy.state_dict().items()}
    chance = torch.get_rng_state(), np.random.get_state()[1].tobytes()
    assert 0 < forecast.seconds(game, model, "self", 1000) < forecast.seconds(game, model, "random", 100_000_000)
    assert all(torch.equal(before[name], weights) for name, weights in model.policy.state_dict().items())
    assert all(parameter.grad is None for parameter in model.policy.parameters())
    assert torch.equal(chance[0], torch.get_rng_state()) and chance[1] == np.random.get_state()[1].tobytes()
    assert forecast.memory(game_of("tsukiji-joint"), 4096, 1024) > 2 * 4096 * 76_611 * 4
    assert [forecast.duration(seconds) for seconds in (89, 120, 5000, 7200)] == ["89 s", "2 min", "83 min", "2 h"]


def test_ctrl_c_ends_after_a_whole_step(common):
    """The first one is noted, a second one raises as usual, and what was there before is there again."""
    before = signal.getsignal(signal.SIGINT)
    done = []
    for step in common.until_stopped(range(10)):
        if step == 2:
            signal.raise_signal(signal.SIGINT)
        done.append(step)
    assert done == [0, 1, 2] and signal.getsignal(signal.SIGINT) is before
    assert list(common.until_stopped("abc")) == ["a", "b", "c"]
    with common.Stop() as stop:
        assert not stop.asked
        signal.raise_signal(signal.SIGINT)
        assert stop.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def interrupted(name, *arguments, cwd, sign):
    """What an example prints that is interrupted once `sign` is true of what it has printed so far."""
    command, log = [sys.executable, "-u", str(ROOT / "examples" / name), *arguments], cwd / "log.txt"
    with (
        log.open("w") as stream,
        subprocess.Popen(command, cwd=cwd, env=ENVIRONMENT, stdout=stream, stderr=subprocess.STDOUT) as process,
    ):
        while not sign(log.read_text()) and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.wait()
    output = log.read_text()
    assert process.returncode == 0, output[-3000:]
    assert "stopping: what was learned so far is kept" in output
    return output


def test_ctrl_c_keeps_the_model_and_resume_goes_on(common, tmp_path):
    """It goes on from decisions, learning rate and league; metrics are added, and the total is what was asked for."""
    budget = ["--num-envs", "16", "--eval-games", "4", "--name", "r"]
    folder = tmp_path / "runs" / "r"
    league = folder / "league.pt"
    output = interrupted(
        "train.py", "--timesteps", "40000", *budget, cwd=tmp_path, sign=lambda printed: torch_list(league) >= 1
    )
    assert "against greedy as both" in output
    first, copies = MaskablePPO.load(folder / "model.zip"), torch_list(league)
    assert 0 < first.num_timesteps < 40_000 and copies >= 1
    rows, copy = pd.read_csv(folder / "metrics.csv"), torch.load(league, weights_only=True)[-1]
    check = importlib.import_module("train").check_resume
    asked = {"folder": folder, "made_game": game_of("scalas-5"), "opponent": "self", "timesteps": None}
    for change, message in (
        ({"timesteps": 9}, "expected a --timesteps above"),
        ({"made_game": game_of("scalas-6")}, "the game in .* is scalas.size=5.; expected scalas.size=6."),
        ({"opponent": "greedy"}, "the opponent in .* is self; expected greedy"),
    ):
        with pytest.raises(ValueError, match=message):
            check(SimpleNamespace(**{**asked, **change}))
    more = first.num_timesteps + 2000
    run_example("train.py", *budget, "--resume", "--timesteps", str(more), cwd=tmp_path)
    second, after = MaskablePPO.load(folder / "model.zip"), pd.read_csv(folder / "metrics.csv")
    assert more <= second.num_timesteps < more + 16 * 32
    assert torch_list(league) >= copies
    kept = torch.load(league, weights_only=True)[copies - 1]
    assert all(torch.equal(weights, kept[name]) for name, weights in copy.items())
    steps, rates = after["time/total_timesteps"], after["train/learning_rate"].dropna()
    assert steps[: len(rows)].tolist() == rows["time/total_timesteps"].tolist() and steps.is_monotonic_increasing
    assert len(after) > len(rows) and rates.iloc[-1] < rates.iloc[0] / 10  # nearly at the end of what was asked for


def torch_list(file):
    """How many copies a league file holds; 0 while it is not written, or half written."""
    try:
        return len(torch.load(file, weights_only=True))
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError):
        return 0


@pytest.mark.parametrize(
    ("name", "budget", "sign"),
    [
        ("cleanrl_ppo.py", ["--decisions", "10_000_000"], "against random"),
        ("alphazero.py", ["--steps", "1_000_000", "--simulations", "2", "--eval-simulations", "2"], "games="),
        ("masks_matter.py", ["--timesteps", "10_000_000"], "decisions for each algorithm"),
    ],
)
def test_ctrl_c_keeps_what_was_learned(name, budget, sign, tmp_path):
    arguments = [*budget, "--eval-games", "2", "--name", "r"]
    output = interrupted(name, *arguments, cwd=tmp_path, sign=lambda printed: sign in printed)
    folder = tmp_path / "runs" / "r"
    assert "against random as both" in output and (folder / "evaluation.txt").is_file()
    assert {path.name for path in folder.iterdir()} & {"model.pt", "MaskablePPO.zip"}
    assert not (folder / "PPO.zip").exists()


PROGRAMS = [path.name for path in sorted((ROOT / "examples").glob("*.py")) if "__main__" in path.read_text()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_names_a_missing_extra(name):
    """F1: even `--help` does, in one line."""
    file = ROOT / "examples" / name
    extra = re.search(r'needs\("(\w+)", "this example"\)', file.read_text())[1]
    hidden = ("torch", "tqdm", "pyspiel", "ray", "agilerl", "torchrl", "tianshou")
    code = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({hidden}))
sys.argv = [{name!r}, "--help"]
sys.path.insert(0, {str(file.parent)!r})
runpy.run_path({str(file)!r}, run_name="__main__")
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and not done.stdout and len(done.stderr.splitlines()) == 1, done.stderr
    assert f"{name}: error: this example needs the extra '{extra}'" in done.stderr


def test_help_tells_defaults_and_parameters(tmp_path):
    output = run_example("train.py", "--help", cwd=tmp_path)
    assert "(default: scalas)" in output and "(default: 128)" in output and "default: None" not in output
    assert "ring_world    levels=3 turns=joint max_turns=200" in output
    assert list(tmp_path.iterdir()) == []


def test_no_plain_evaluation_helper():
    """G1: nothing evaluates a masked model without its masks."""
    for folder in ("examples", "wrappers", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            assert "common.evaluation" not in text or "maskable" in text, path
            assert "EvalCallback" not in text.replace("MaskableEvalCallback", ""), path
