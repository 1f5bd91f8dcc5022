"""The edges of recordings and evaluation: what is malformed, torn, written by several, played twice or shared."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import warnings

import numpy as np
import pytest
from nakajima_zoo.arena import (
    RecordingError,
    Score,
    evaluate,
    lines,
    play_games,
    read_recordings,
    round_robin,
    standings,
    write_recordings,
)
from nakajima_zoo.arena.recordings import HEAD, Recording
from nakajima_zoo.envs.core import registry
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.players import FunctionPlayer, League, RandomPlayer
from zoo import DEFAULTS, ENVIRONMENT, every_game, first_player, game_of, last_player

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


# Evaluation

FIRST, LAST = first_player(), last_player()


@every_game
def test_a_game_that_is_played_again_counts_once(variant):
    """Players without chance play one game a seat, whatever the seeds of the games: score and interval say so."""
    both = sum(evaluate(game_of(variant), FIRST, LAST, 20), Score())
    chance = variant == "renaissance-full-staged"  # the engine may arrange at random
    assert both.games == 40 and (both.distinct == 2 or chance)
    assert f"; {both.distinct} of 40 distinct)" in str(both)
    low, high = Score(wins=100, repeats=98).interval()
    assert (low, high) == Score(wins=2).interval() and low < 0.5
    assert evaluate(game_of(variant), "random", "random", 20)[0].distinct == 20


def test_an_illegal_player_plays_one_game():
    bad = FunctionPlayer(lambda observation, mask: np.full(len(mask), -1))
    assert play_games("scalas", (bad, bad), 5)["winner"].tolist() == [1] * 5
    assert evaluate("scalas", bad, FIRST, 5)[0] == Score(losses=5, illegal=5, repeats=4)


@every_game
@pytest.mark.parametrize("opening", [1, 5])
def test_openings_are_random_and_the_same_on_both_seats(variant, opening, tmp_path):
    """Their decisions stand in the recordings; they depend on the seed of the game alone."""
    game, n = game_of(variant), 12
    evaluate(game, FIRST, LAST, n, 7, tmp_path / "a.jsonl", opening)
    kept = list(read_recordings(tmp_path / "a.jsonl"))
    begun = [each.actions[:opening] for each in kept]
    assert begun[:n] == begun[n:] and [each.seed for each in kept] == [*range(7, 7 + n)] * 2
    assert len({tuple(each) for each in begun}) > 1
    for each in kept:
        each.replay()
    play_games(game, ("random", "greedy"), 3, 9, tmp_path / "b.jsonl", opening)
    assert [each.actions[:opening] for each in read_recordings(tmp_path / "b.jsonl")] == begun[2:5]


def test_players_are_asked_after_the_opening():
    asked = []

    def choose(observation, mask):
        asked.append(len(mask))
        return mask.argmax(axis=1)

    finals = play_games("scalas", (choose, choose), 3, 0, opening=10_000)
    assert not asked and (finals["player"] == -1).all()
    play_games("scalas", (choose, choose), 3, 0, opening=40)
    assert asked


@pytest.mark.parametrize("opening", [-1, 1.0, True, None, "2", float("nan")])
def test_bad_openings_are_refused(opening):
    for call in (
        lambda: play_games("scalas", ("random", "random"), 1, opening=opening),
        lambda: evaluate("scalas", "random", opening=opening),
        lambda: round_robin("scalas", ["random", "greedy"], 1, opening=opening),
    ):
        with pytest.raises(ValueError, match=r"opening=.*; expected"):
            call()


class Counting(RandomPlayer):
    """Holds state of each game, and of all."""

    def __init__(self):
        super().__init__(0)
        self.asked, self.begun = 0, []

    def begin(self, rows):
        self.begun.append(rows.size)

    def choose(self, positions):
        self.asked += len(positions.states)
        return super().choose(positions)


@pytest.mark.parametrize(
    "play",
    [
        lambda player: evaluate("scalas", player, player, 3),
        lambda player: play_games("scalas", (player, player), 3),
        lambda player: round_robin("scalas", {"a": player, "b": player}, 3),
    ],
)
def test_evaluation_leaves_players_as_they_were(play):
    """A league in the middle of somebody's games meets the same players in them, and draws the same ones then."""
    player, mine = Counting(), np.arange(4)
    league = League([RandomPlayer(), FIRST, player], seed=3)
    league.begin(mine)
    drawn, chance = league.drawn.copy(), league.rng.bit_generator.state
    begun, numbers = list(player.begun), player.rng.bit_generator.state
    play(league)
    play(player)
    assert (league.drawn == drawn).all() and league.rng.bit_generator.state == chance
    assert (player.asked, player.begun, player.rng.bit_generator.state) == (0, begun, numbers)


def test_repeats_are_no_certainty_in_a_tournament():
    """Of two players without chance who play a hundred games; with openings the error is that of a hundred games."""
    players = {"first": FIRST, "last": LAST}
    again = round_robin("tsukiji", players, 100)
    assert again.games.sum() == 400 and again.distinct[0, 1] == again.distinct[1, 0] == 2
    table = standings(again)
    assert table["distinct"].tolist() == [2, 2] and table["games"].tolist() == [200, 200]
    opened = standings(round_robin("tsukiji", players, 100, opening=6))
    assert (opened["distinct"] > 190).all()
    assert table["error"].max() > 2 * opened["error"].max() > 0


# Games by name


def broken(size: int = 5):
    """A game with a defect of its own."""
    return size + "squares"


def test_an_error_inside_of_a_game_is_not_taken_for_a_bad_parameter(monkeypatch):
    """A TypeError of its code stays one; a wrong keyword is told with those that are known."""
    monkeypatch.setattr(registry, "game_function", lambda name: broken)
    with pytest.raises(TypeError, match="unsupported operand"):
        make_game("broken", size=6)
    with pytest.raises(ValueError, match="parameter 'width' unknown for broken; expected size"):
        make_game("broken", width=6)
