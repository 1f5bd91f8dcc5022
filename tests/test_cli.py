"""The command line: every command does its work, and what a user gets wrong ends with code 2 and one line."""

import os
import subprocess
import sys
from importlib.metadata import entry_points

import nakajima_zoo
import pandas as pd
import pytest
from nakajima_zoo.arena import read_recordings
from nakajima_zoo.cli import main
from nakajima_zoo.envs import VARIANTS, parameters_of, variant_game
from nakajima_zoo.wrappers import BatchVecEnv
from sb3_contrib import MaskablePPO
from zoo import ENVIRONMENT, game_of

COMMANDS = ("games", "compile", "evaluate", "tournament", "record", "replay")


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command in an empty folder; returns what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        main(words)
        return capsys.readouterr().out

    return run


@pytest.fixture
def fails(run, capsys):
    """Runs a command that a user got wrong; returns the one line that it ended with."""

    def fails(*words):
        with pytest.raises(SystemExit) as ended:
            run(*words)
        assert ended.value.code == 2
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return told.err.splitlines()[-1]

    return fails


def test_it_is_installed_and_a_module():
    (point,) = (point for point in entry_points(group="console_scripts") if point.name == "nakajima-zoo")
    assert point.load() is main
    command = [sys.executable, "-m", "nakajima_zoo", "--version"]
    assert subprocess.check_output(command, text=True, env=ENVIRONMENT).split() == [
        "nakajima-zoo",
        nakajima_zoo.__version__,
    ]


@pytest.mark.parametrize("words", [(), ("--help",), *((command, "--help") for command in COMMANDS)])
def test_help_compiles_nothing(words, tmp_path):
    """And tells defaults and what `--set` takes; the extras that a command needs are not imported for it."""
    code = "import sys; sys.modules.update(dict.fromkeys(('choix', 'drawsvg', 'pandas', 'scipy', 'torch')))\n"
    code += f"from nakajima_zoo.cli import main; main({words!r})"
    environment = {**ENVIRONMENT, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    output = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert not (tmp_path / "cache").exists()
    if words in ((), ("--help",)):
        assert all(command in output for command in COMMANDS)
    if words[:1] in (("evaluate",), ("tournament",), ("record",)):
        assert "(default: 0)" in output
        for game in nakajima_zoo.GAMES:
            (line,) = (line for line in output.splitlines() if line.split()[:1] == [game])
            assert all(f" {parameter}=" in line for parameter in parameters_of(game)), line


def test_games(run):
    """Every variant with the numbers of its game; `games NAME` tells what its parameters mean."""
    lines = run("games").splitlines()
    for name in VARIANTS:
        game = variant_game(name)
        shape = "x".join(map(str, game.observation_shape))
        parameters = " ".join(f"{key}={value}" for key, value in game.parameters.items())
        (line,) = (line for line in lines if line.split()[0] == game.name and f" {parameters} " in f"{line} ")
        assert [game.name, str(game.version)] == line.split()[:2]
        assert f" {game.num_actions} " in line and f" {shape} " in line and line.endswith(", ".join(game.decisions))
    output = run("games", "ring_world")
    assert "`max_turns`" in output and "scalas" not in output


def test_games_from_elsewhere(run, monkeypatch):
    """A game that an installed package announces has its row; one that does not work says why."""
    from nakajima_zoo.envs.core import registry

    found = {"abroad": "nakajima_zoo.envs.tsukiji", "broken": "no_such_package"}
    monkeypatch.setattr(registry, "announced", lambda: found)
    output = run("games", "abroad", "broken")
    assert "tsukiji" in output and "turns=staged" in output
    assert "broken" in output and "No module named 'no_such_package'" in output
    assert "does not work" in run("games")


def test_compile_leaves_nothing_to_compile(tmp_path):
    """After `compile`, playing, greedy players, both searches and learning find all their kernels."""
    cache = tmp_path / "cache"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    output = subprocess.check_output(
        [sys.executable, "-m", "nakajima_zoo", "compile", "scalas"], text=True, env=environment
    )
    assert output.splitlines()[0].startswith("scalas ")
    before = sorted(cache.rglob("*"))
    assert before
    code = """
import numpy as np
from nakajima_zoo import evaluate, make_game, scalas_v0
from nakajima_zoo.players import NetworkSearch, NetworkSearchPlayer
from nakajima_zoo.wrappers import BatchVecEnv, BatchVectorEnv, SingleAgentEnv
def judge(seen, mask):
    return mask / mask.sum(axis=1, keepdims=True, dtype=np.float32), np.zeros(len(mask), np.float32)
for player in ("random", "greedy", "mcts:5", "mcts(simulations=5, cut=3)", NetworkSearchPlayer(judge, 3)):
    evaluate("scalas", player, "random", 2)
game = make_game("scalas")
NetworkSearch(game, 2, 3).run(game.new_states(2), judge, np.random.default_rng(0), noise=0.25)
env = scalas_v0.env()
env.reset(seed=0)
env.step(env.unwrapped.legal_actions()[0])
env.observe("player_1"), env.unwrapped.clone(), env.unwrapped.from_text(env.unwrapped.to_text())
for make in (BatchVecEnv, BatchVectorEnv):
    make(game, 3, opponent="greedy").reset()
SingleAgentEnv(game, "greedy").reset(seed=0)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert sorted(cache.rglob("*")) == before


def test_evaluate(run):
    output = run("evaluate", "scalas", "greedy", "--games", "5", "--seed", "1", "--set", "size=6")
    assert output.startswith("scalas(size=6): greedy against random, 5 games per seat")
    scores = nakajima_zoo.evaluate("scalas(size=6)", "greedy", "random", 5, 1)
    lines = output.splitlines()[1:]
    for line, seat, score in zip(
        lines, ("as player_0", "as player_1", "both"), (*scores, scores[0] + scores[1]), strict=True
    ):
        assert line.startswith(seat) and line.endswith(str(score))


def test_openings(run):
    """Random decisions, on `evaluate`, `tournament` and `record`; without them players without chance repeat one."""
    words = ("scalas", "zoo:first_player", "zoo:last_player")
    assert "; 2 of 10 distinct" in run("evaluate", *words, "--games", "5")
    assert "; 10 of 10 distinct" in run("evaluate", *words, "--games", "5", "--opening", "9", "--file", "a.jsonl")
    run("record", *words, "--games", "5", "--opening", "9", "--file", "b.jsonl")
    evaluated, kept = (list(read_recordings(file)) for file in ("a.jsonl", "b.jsonl"))
    assert [each.actions for each in kept] == [each.actions for each in evaluated[:5]]
    for opening, distinct in (("0", 2), ("9", 10)):
        run("tournament", *words, "--games", "5", "--opening", opening, "--out", "a.csv", "--force")
        assert (pd.read_csv("a.csv")["distinct"] == distinct).all()


def test_without_scipy_there_is_a_score_and_no_interval(run, monkeypatch):
    for name in ("scipy", "scipy.stats"):
        monkeypatch.setitem(sys.modules, name, None)
    output = run("evaluate", "scalas", "greedy", "--games", "2")
    assert output.count(" won, ") == 3 and "nakajima-zoo[train]" in output


def test_games_are_added_never_overwritten(run, fails, tmp_path):
    """Of `evaluate` and `record`; what is no file of games is left alone."""
    run("evaluate", "scalas", "greedy", "--games", "2", "--file", "games.jsonl")
    run("record", "scalas(size=7)", "random", "greedy", "--games", "3", "--file", "games.jsonl")
    run("record", "tsukiji", "random", "random", "--games", "1")
    found = list(read_recordings("games.jsonl"))
    assert [each.game for each in found] == ["scalas"] * 7 + ["tsukiji"]
    assert found[4].replay().game == game_of("scalas-7")
    (tmp_path / "notes.txt").write_text("notes\n")
    for words in (("evaluate", "scalas", "random"), ("record", "scalas", "random", "random")):
        assert "notes.txt, line 1" in fails(*words, "--file", "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "notes\n"


def test_record_keeps_seats_and_seeds(run):
    output = run("record", "scalas", "greedy", "random", "--games", "4", "--seed", "9")
    finals = nakajima_zoo.play_games("scalas", ("greedy", "random"), 4, 9)
    assert f"player_0 (greedy): {nakajima_zoo.arena.score(finals, 0)}" in output
    found = [each.replay().get_state().tobytes() for each in read_recordings("games.jsonl")]
    assert found == [final.tobytes() for final in finals]


def test_replay(run, fails, tmp_path):
    """The page shows the game that was asked for; it is refused if it exists, and never takes the place of games."""
    run("record", "scalas", "greedy", "random", "--games", "2")
    output = run("replay", "games.jsonl", "--number", "1")
    page = tmp_path / "games-1.html"
    assert "game 1 of games.jsonl" in output and page.stat().st_size > 10_000
    page.write_text("mine")
    assert "games-1.html exists" in fails("replay", "games.jsonl", "--number", "1")
    assert page.read_text() == "mine"
    run("replay", "games.jsonl", "--number", "1", "--force")
    run("replay", "games.jsonl", "--out", "first.html")
    assert page.read_text() != (tmp_path / "first.html").read_text() != "mine"
    games = (tmp_path / "games.jsonl").read_text()
    assert "ends with .html" in fails("replay", "games.jsonl", "--out", "games.jsonl", "--force")
    assert "no game number 2" in fails("replay", "games.jsonl", "--number", "2")
    assert (tmp_path / "games.jsonl").read_text() == games


def test_replay_as_an_animation(run, fails, tmp_path):
    """It is written instead of the page, or beside it; refused as the page is."""
    run("record", "scalas", "greedy", "random", "--games", "1")
    assert "open game.svg" in run("replay", "games.jsonl", "--animation", "game.svg", "--seconds", "0.5")
    first = (tmp_path / "game.svg").read_text()
    assert first.startswith("<svg") and "@keyframes" in first and not list(tmp_path.glob("*.html"))
    assert "game.svg exists" in fails("replay", "games.jsonl", "--animation", "game.svg")
    run("replay", "games.jsonl", "--animation", "game.svg", "--out", "game.html", "--force")
    assert (tmp_path / "game.svg").read_text() != first and (tmp_path / "game.html").exists()
    assert "--animation game.png; expected a name that ends with .svg" in fails(
        "replay", "games.jsonl", "--animation", "game.png"
    )
    assert "expected a number above 0" in fails("replay", "games.jsonl", "--animation", "b.svg", "--seconds", "0")


def test_tournament(run, fails, tmp_path):
    """1 000 games of model against model, in one call each seat; files are refused before anything is played."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        env = BatchVecEnv(game_of("scalas-5"), 4)
        model = MaskablePPO("MlpPolicy", env, n_steps=8, policy_kwargs={"net_arch": [8]}, seed=ord(name))
        model.save(tmp_path / name / "model.zip")
    models = ["a/model.zip", "b/model.zip"]
    files = ["--out", "standings.csv", "--out", "standings.png"]
    assert "1000 games" in run("tournament", "scalas", *models, "--games", "500", *files)
    table = pd.read_csv("standings.csv", index_col="player")
    assert set(table.index) == set(models) and (table["games"] == 1000).all()
    assert (tmp_path / "standings.png").stat().st_size > 5000
    assert "standings.csv exists" in fails("tournament", "scalas", "random", "greedy", *files)
    run("tournament", "scalas", "random", "greedy", "--games", "2", "--force", *files)
    assert set(pd.read_csv("standings.csv", index_col="player").index) == {"random", "greedy"}


def test_tournament_and_evaluation_are_repeatable(run):
    """E2: the same words give the same table."""
    for words in (
        ("tournament", "scalas", "random", "mcts:5", "greedy"),
        ("evaluate", "ring_world", "mcts:5", "--set", "turns=staged"),
    ):
        first, second = (run(*words, "--games", "3", "--seed", "4").splitlines()[1:] for _ in range(2))
        assert first == second and len(first) >= 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("evaluate", "the following arguments are required: GAME, PLAYER"),
        ("evaluate chess greedy", "game 'chess' unknown; expected one of scalas"),
        ("evaluate scalas(size=4) greedy", "size=4; expected one of 5, 6, 7"),
        ("evaluate scalas greedy --set size=4", "size=4; expected one of 5, 6, 7"),
        ("evaluate scalas greedy --set width=5", "parameter 'width' unknown for scalas; expected size"),
        ("evaluate scalas greedy --set size", "expected 'name=value', such as size=6"),
        ("evaluate scalas nobody", "player 'nobody' unknown"),
        ("evaluate scalas mcts:0", "simulations=0"),
        ("evaluate scalas nope.zip", "no model nope.zip; "),
        ("evaluate scalas random runs/nope.zip", "no model runs/nope.zip; "),
        ("evaluate scalas random no_module:make", "No module named 'no_module'"),
        ("evaluate scalas greedy --games 0", "argument --games: 0; expected an integer of at least 1"),
        ("evaluate scalas greedy --games many", "argument --games: many; expected an integer"),
        ("evaluate scalas greedy --seed -1", "argument --seed: -1; expected an integer of at least 0"),
        ("tournament scalas random", "expected two or more"),
        ("tournament scalas random random", "different names"),
        ("tournament scalas random greedy --out x.txt", "ends with .csv or .png"),
        ("tournament scalas random greedy --out no/x.csv", "no folder no"),
        ("replay nope.jsonl", "No such file or directory: 'nope.jsonl'"),
        ("replay nope.jsonl --number -1", "argument --number: -1; expected an integer of at least 0"),
        ("compile scalas chess", "game 'chess' unknown"),
        ("games chess", "game 'chess' unknown"),
        ("fly", "invalid choice: 'fly'"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(words, message, fails, tmp_path):
    line = fails(*words.split())
    assert message in line and line.startswith("nakajima-zoo")
    assert list(tmp_path.iterdir()) == []


def test_a_model_of_another_game_is_told_in_a_line(run, fails, tmp_path):
    """Of another board, and of the same observation with other actions."""
    env = BatchVecEnv(game_of("ring_world-L3-joint"), 4)
    MaskablePPO("MlpPolicy", env, n_steps=8, policy_kwargs={"net_arch": [8]}).save(tmp_path / "model.zip")
    assert "57" in fails("evaluate", "scalas", "model.zip", "--games", "2")
    assert "392" in fails("evaluate", "ring_world", "model.zip", "--games", "2", "--set", "turns=staged")


def test_a_missing_extra_is_told_in_a_line(run, fails, monkeypatch):
    """F1."""
    run("record", "scalas", "random", "random", "--games", "1")
    for name in [name for name in sys.modules if name.startswith("nakajima_zoo.") and name.endswith("drawing")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "drawsvg", None)
    assert "pip install 'nakajima-zoo[render]'" in fails("replay", "games.jsonl")
