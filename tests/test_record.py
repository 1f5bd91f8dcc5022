"""Recorded games: written while they are played, read, replayed with checks, and shown as a page."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import pickle
import re

import numpy as np
import pytest
from nakajima_zoo.arena.evaluate import evaluate, play_games
from nakajima_zoo.arena.recordings import Recording, read_recordings
from nakajima_zoo.arena.replay import replay_html
from nakajima_zoo.players.simple import FunctionPlayer, RandomPlayer
from nakajima_zoo.wrappers.aec import RecordGames
from nakajima_zoo.wrappers.single_agent import SingleAgentEnv
from pettingzoo.test import api_test
from zoo import every_game, every_variant, game_of, play_randomly, raw_env, trace, wrapped_env


@every_variant
def test_recorded_while_playing(variant, tmp_path):
    """Every game of an environment, whatever it began with, replays to the same history, record and result."""
    file, rng = tmp_path / "folder" / "games.jsonl", np.random.default_rng(0)
    env = RecordGames(wrapped_env(variant), file, ["one", "other"])
    other = raw_env(variant)
    other.reset(seed=9)
    play_randomly(other, rng, 7)
    traces = []
    for arguments in (
        {"seed": 3},
        {},  # the random state goes on
        {"options": {"state": other.get_state()}},
        {"seed": 4, "options": {"actions": opening(variant, 4)}},
    ):
        env.reset(**arguments)
        play_randomly(env, rng)
        traces.append((env.unwrapped.get_state().tobytes(), env.unwrapped.history, env.unwrapped.result))
    recordings = list(read_recordings(file))
    assert len(recordings) == len(traces)
    for found, expected in zip(recordings, traces, strict=True):
        again = found.replay()
        assert (again.get_state().tobytes(), again.history, again.result) == expected
        assert found.players == ["one", "other"]
        assert Recording.from_json(found.to_json()) == found
    assert [each.seed for each in recordings] == [3, None, None, 4]
    assert [each.origin is None for each in recordings] == [True, not env.unwrapped.game.has_chance, False, True]


def opening(variant, seed):
    env = raw_env(variant)
    env.reset(seed=seed)
    play_randomly(env, np.random.default_rng(1), 3)
    return env.history


@every_game
def test_forfeited_and_broken_off_games(variant, tmp_path):
    """A forfeited game replays to its end; one that was broken off to where it stood; empty ones are left out."""
    file = tmp_path / "games.jsonl"
    env = RecordGames(wrapped_env(variant), file)
    env.reset(seed=0)
    env.reset(seed=1)
    play_randomly(env, np.random.default_rng(0), 3)
    env.step(-1)
    env.reset(seed=2)
    play_randomly(env, np.random.default_rng(0), 4)
    before = env.unwrapped.get_state().tobytes()
    env.close()
    env.close()
    lost, broken = read_recordings(file)
    assert lost.result["reason"] == "illegal_action" and len(lost.actions) == 3
    assert lost.replay().result.reason == "illegal_action"
    assert broken.result is None and broken.replay().get_state().tobytes() == before
    assert in_page(replay_html(lost.replay()))["moves"][-1]["text"] == "illegal action"


@every_variant
def test_recorded_evaluation(variant, tmp_path):
    """Games played in batch: as many as were played, each replays, and together they give the score."""
    file, game, n = tmp_path / "games.jsonl", game_of(variant), 3
    first, second = evaluate(game, RandomPlayer(), RandomPlayer(), n, seed=5, file=file)
    recordings = list(read_recordings(file))
    assert [each.seed for each in recordings] == list(range(5, 5 + 2 * n))
    results = [each.replay().game.result(each.replay().get_state()) for each in recordings]
    wins = [result["winner"] for result in results]
    assert wins[:n].count(0) == first.wins and wins[n:].count(1) == second.wins
    assert recordings[0].players == ["RandomPlayer", "RandomPlayer"]
    finals = play_games(game, (RandomPlayer(0), RandomPlayer(1)), n, file=file)  # no seed
    for found, final in zip(itertools.islice(read_recordings(file), 2 * n, None), finals, strict=True):
        assert found.replay().get_state().tobytes() == final.tobytes()


def test_illegal_actions_in_batch(tmp_path):
    file = tmp_path / "games.jsonl"
    bad = FunctionPlayer(lambda observation, mask: np.full(len(mask), 99))
    evaluate(game_of("scalas-5"), bad, RandomPlayer(), 2, seed=0, file=file)
    for found in read_recordings(file):
        assert found.replay().result.reason == "illegal_action"
        assert 99 not in found.actions


def test_a_game_that_does_not_fit_is_refused(tmp_path):
    file = tmp_path / "games.jsonl"
    play_games(game_of("scalas-5"), (RandomPlayer(0), RandomPlayer(1)), 1, 0, file)
    [good] = read_recordings(file)
    for changes, message in (
        ({"game": "chess"}, "game 'chess' unknown; expected"),
        ({"parameters": {"size": 9}}, "size=9; expected"),
        ({"parameters": {"size": 5, "colour": 1}}, "colour"),
        ({"versions": {"environment": 7}}, "recorded on scalas_v7; expected scalas_v0"),
        ({"actions": [*good.actions[:4], 25]}, r"actions\[4\].*out of range"),
        ({"actions": [*good.actions, 0]}, r"actions\[\d+\].*the game is over"),
        ({"actions": good.actions[:-1]}, "ends with None; expected"),
        ({"result": {**good.result, "scores": [0, 0]}}, r"expected .*'scores': \[0, 0\]"),
        ({"origin": "!"}, "expected base64"),
        ({"origin": "AAAA"}, "origin of 3 bytes; expected"),
    ):
        with pytest.raises(ValueError, match=message):
            dataclasses.replace(good, **changes).replay()
    for line, message in (
        ("x", "line 2: no JSON"),
        ("[1]", "line 2: no recorded game"),
        ('{"game": "scalas"}', "line 2: no recorded game; expected an object with actions"),
        (json.dumps({**json.loads(good.to_json()), "colour": 1}), "line 2: no recorded game"),
    ):
        file.write_text(f"{good.to_json()}\n{line}\n")
        with pytest.raises(ValueError, match=message):
            list(read_recordings(file))


def test_the_wrapper_is_an_environment(tmp_path, capsys):
    """PettingZoo's test passes, copies keep the game, and a single-agent environment's game can be kept too."""
    import warnings

    env = RecordGames(wrapped_env("scalas-5"), tmp_path / "a.jsonl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=100)
    env.reset(seed=0)
    play_randomly(env, np.random.default_rng(0), 5)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert trace(other.unwrapped) == trace(env.unwrapped) and other.file == env.file
    single = SingleAgentEnv("scalas", seat=1)
    _, info = single.reset(seed=4)
    done = False
    while not done:
        _, _, done, _, info = single.step(int(info["action_mask"].argmax()))
    assert Recording.of(single.env, seed=4).replay().result == single.env.result


@every_game
def test_page(variant):
    """One picture for each position, the last one as the environment draws it; nothing ends the script early."""
    env = raw_env(variant)
    env.reset(seed=0)
    play_randomly(env, np.random.default_rng(0), 25)
    page = replay_html(env, "<b>&")
    assert "<h1>&lt;b&gt;&amp;</h1>" in page and re.search("<!-- [A-Z]+ -->", page) is None  # all is filled in
    game = in_page(page)
    pictures = ["\n".join(game["lines"][line] for line in picture) for picture in game["pictures"]]
    assert len(pictures) == len(env.history) + 1 == len(set(pictures))
    assert pictures[-1] == "\n".join(env.svg().splitlines())
    assert [move["text"] for move in game["moves"]] == env.history_to_text().splitlines()
    assert "http" not in page.replace("http://www.w3.org", "").replace(
        "http-equiv", ""
    )  # it needs nothing from elsewhere


def in_page(page: str) -> dict:
    """The game that stands in a page."""
    return json.loads(page.split('<script id="game" type="application/json">')[1].split("</script>")[0])
