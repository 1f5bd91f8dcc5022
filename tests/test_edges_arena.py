"""The edges of recordings and evaluation: what is malformed, torn, written by several, played twice or shared."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import warnings

import numpy as np
import pytest
from nakajima_zoo.arena import RecordingError, lines, play_games, read_recordings, write_recordings
from nakajima_zoo.arena.recordings import HEAD, Recording
from nakajima_zoo.envs.core.registry import make_game
from zoo import DEFAULTS, ENVIRONMENT, game_of

# Recordings


@pytest.fixture
def file(tmp_path):
    """A file with two games of Scalas."""
    play_games("scalas", ("random", "random"), 2, 0, tmp_path / "games.jsonl")
    return tmp_path / "games.jsonl"


RESULT = {"winner": 0, "reason": "tops", "scores": [13, 12], "truncated": False}
MALFORMED = {
    "game": [None, 7, ["scalas"], {}],
    "parameters": [None, [], "size", 7],
    "seed": [-1, 1.0, True, "7", []],
    "origin": [7, [], {}],
    "actions": [None, 7, "12", {}, [1.0], [None], ["1"], [True], [[1]]],
    "result": [
        [],
        7,
        "won",
        {},
        {**RESULT, "winner": 2},
        {**RESULT, "winner": True},
        {**RESULT, "winner": "player_0"},
        {**RESULT, "winner": None, "reason": "resigned"},
        {**RESULT, "reason": None},
        {**RESULT, "reason": ["tops"]},
        {**RESULT, "scores": [1]},
        {**RESULT, "scores": [1, None]},
        {**RESULT, "scores": {"0": 1}},
        {**RESULT, "truncated": 0},
        {**RESULT, "more": 1},
    ],
    "players": [7, "two", ["one"], ["one", 2], {}],
    "versions": [None, [], 0, {}, {"nakajima_zoo": "1"}, {"environment": "0"}, {"environment": False}],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in MALFORMED.items() for value in values])
def test_a_malformed_field_is_named_with_its_line(name, value, file):
    good = json.loads(file.read_text().splitlines()[0])
    with file.open("a") as stream:
        stream.write(f"{json.dumps({**good, name: value})}\n")
    with pytest.raises(RecordingError, match=rf"games\.jsonl, line 3: {name}: .*expected "):
        list(read_recordings(file))
    with pytest.raises(RecordingError, match=f"^{name}: "):
        Recording(**{**good, name: value})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"x", "no JSON"),
        (b"", "no JSON"),
        (b"[1]", "no recorded game; expected an object with actions"),
        (b"null", "no recorded game"),
        (b"[" * 100_000, "no JSON: maximum recursion depth"),
        (b'{"game": ' * 100_000, "no JSON: maximum recursion depth"),
        (b"1" * 10_000, "no JSON: Exceeds the limit"),
        (b'{"game": "\xff"}', "no JSON: 'utf-8' codec"),
        (b'{"game": NaN}', "no JSON: NaN"),
        (b'{"game": "scalas"}', "no recorded game"),
    ],
)
def test_a_malformed_line_is_named(line, message, file):
    """Whatever it holds, the class is the same, and the games before it are read."""
    with file.open("ab") as stream:
        stream.write(line + b"\n")
    found = read_recordings(file)
    next(found), next(found)
    with pytest.raises(RecordingError, match=f"line 3: {message}"):
        next(found)


def test_no_version_is_none(file):
    """A recording without its versions does not count as one of today's."""
    good = json.loads(file.read_text().splitlines()[0])
    for values in ({name: value for name, value in good.items() if name != "versions"}, {**good, "versions": {}}):
        file.write_text(f"{json.dumps(values)}\n")
        with pytest.raises(RecordingError, match="versions"):
            list(read_recordings(file))


def test_what_does_not_replay_is_named_with_its_line(file):
    """Well-formed, but not a game by these rules."""
    good = json.loads(file.read_text().splitlines()[0])
    for name, value in (
        ("game", "chess"),
        ("game", "scalas:5"),
        ("parameters", {"size": [5]}),
        ("parameters", {"size": {}}),
        ("parameters", {"colour": 1}),
        ("origin", "!"),
        ("origin", "AAAA"),
        ("origin", "A" * 4 * 400),
        ("actions", [10**30]),
        ("actions", [0, 0, 0]),
        ("result", RESULT),
        ("result", None),
        ("versions", {"environment": 7}),
    ):
        file.write_text(f"{json.dumps({**good, name: value})}\n")
        [found] = read_recordings(file)
        with pytest.raises(RecordingError, match=rf"games\.jsonl, line 1: .*{name}.*: "):
            found.replay()


def test_numpy_numbers_can_be_kept(tmp_path):
    """As parameters, seed, actions and in the result: what comes back is equal, and replays."""
    game = make_game("scalas", size=np.int64(6))
    finals = play_games(game, ("random", "random"), 1, np.int64(3), tmp_path / "a.jsonl")
    [kept] = read_recordings(tmp_path / "a.jsonl")
    assert kept.replay().get_state().tobytes() == finals[0].tobytes()
    result = {**kept.result, "winner": np.int8(kept.result["winner"]), "scores": np.array(kept.result["scores"])}
    actions = list(np.array(kept.actions, np.int16))
    again = dataclasses.replace(
        kept, parameters={"size": np.int64(6)}, seed=np.uint8(3), actions=actions, result=result
    )
    write_recordings(tmp_path / "b.jsonl", [again])
    assert list(read_recordings(tmp_path / "b.jsonl")) == [kept]


def test_a_torn_last_line_is_left_out_and_mended(file):
    """Wherever it was torn: the games before it are read, and the next one is a line of its own."""
    whole = file.read_bytes()
    first = whole.index(b"\n") + 1
    assert whole.startswith(HEAD)
    kept = list(read_recordings(file))
    for end in (*range(first + 1, first + 20), len(whole) - 30, len(whole) - 2):
        file.write_bytes(whole[:end])
        with pytest.warns(UserWarning, match=r"games\.jsonl, line 2: torn by a crash, and left out"):
            assert list(read_recordings(file)) == kept[:1]
        with pytest.warns(UserWarning, match=r"games\.jsonl: the last line was torn by a crash, and is cut off"):
            write_recordings(file, kept[1:])
        assert file.read_bytes() == whole


def test_a_line_that_lacks_nothing_but_its_end_is_kept(file):
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    kept = list(read_recordings(file))
    assert len(kept) == 2
    write_recordings(file, kept[:1])
    assert file.read_bytes() == whole + whole[: whole.index(b"\n") + 1]


def test_what_is_no_recording_is_never_cut_off(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("my notes, without an end")
    with pytest.raises(RecordingError, match="line 1"):
        list(read_recordings(file))
    play_games("scalas", ("random", "random"), 1, 0, file)
    assert file.read_text().startswith("my notes, without an end\n{")


def test_a_full_disk_leaves_the_file_as_it_was(file, monkeypatch):
    """Half of what was to be written is on the disk when it is full."""
    before, write = file.read_bytes(), lines.os.write

    def full(descriptor, data):
        if len(data) < 500:
            raise OSError(28, "No space left on device")
        return write(descriptor, bytes(data)[:500])

    monkeypatch.setattr(lines.os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        write_recordings(file, list(read_recordings(file)) * 3)
    assert file.read_bytes() == before


WRITER = """
import sys
from nakajima_zoo.arena import read_recordings, write_recordings
kept = list(read_recordings(sys.argv[1]))
for _ in range(100):
    write_recordings(sys.argv[2], kept * 3)
"""


def test_several_writers_mix_no_lines(file, tmp_path):
    """Four processes, one of which meets a torn line first: every game is there, whole."""
    together = tmp_path / "together.jsonl"
    together.write_bytes(HEAD + b'"scal')
    command = [sys.executable, "-W", "ignore", "-c", WRITER, str(file), str(together)]
    writers = [subprocess.Popen(command, env=ENVIRONMENT) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = list(read_recordings(together))
    kept = list(read_recordings(file))
    assert len(found) == 4 * 100 * 6 and all(each in kept for each in found)


def test_every_variants_defaults_can_be_kept(tmp_path):
    for variant in DEFAULTS:
        game = game_of(variant)
        play_games(game, ("random", "random"), 1, 1, tmp_path / f"{variant}.jsonl")
        [kept] = read_recordings(tmp_path / f"{variant}.jsonl")
        assert kept.replay().game == game and kept.place.endswith(f"{variant}.jsonl, line 1")
        assert "place" not in json.loads(kept.to_json())
