"""The table without a browser: what can be clicked, and what a table does with it."""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import sys

import numpy as np
import pytest
from nakajima_zoo.arena.recordings import Recording
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.play import thinking
from nakajima_zoo.play.choices import END, Choices, things_of
from nakajima_zoo.play.store import Store
from nakajima_zoo.play.table import HUMAN, Table
from zoo import VARIANTS, every_game, every_variant, game_of, random_games

POSITIONS = 1000  # of each form of each game, in its first variant; of its other variants FEWER
FEWER = 100
LOOKED_THROUGH = 20  # all that can be clicked is followed up in each so manieth of them
FORMS = {(VARIANTS[name].game, game_of(name).parameters.get("turns")): name for name in reversed(VARIANTS)}


def sequences(choices: Choices, node: int | None = None) -> list[tuple[str, ...]]:
    """All that can be clicked, by the automaton alone."""
    node = choices.start if node is None else node
    if node == END:
        return [()]
    edges = choices.nodes[node].items()
    return [(thing, *rest) for thing, below in edges for rest in sequences(choices, below)]


@every_variant
def test_what_can_be_clicked_is_what_is_legal(variant):
    """No legal action is missing, no illegal one can be clicked, and no two are the same things."""
    game = game_of(variant)
    count = POSITIONS if variant in FORMS.values() else FEWER
    positions = itertools.islice(random_games(game, count), count)
    for number, (states, mask) in enumerate(positions):
        choices = Choices(game, states)
        legal = np.flatnonzero(mask).tolist()
        assert sorted(choices.actions.values()) == legal
        if number % LOOKED_THROUGH == 0 and legal:
            clicked = sequences(choices)
            assert sorted(choices.action(things) for things in clicked) == legal


@every_variant
def test_all_actions_have_things(variant):
    """Illegal ones too, so that the table can say why."""
    game = game_of(variant)
    rng = np.random.default_rng(0)
    for states, _ in itertools.islice(random_games(game, 1), 0, None, 7):
        for action in rng.integers(0, game.num_actions, 50).tolist():
            things = things_of(game, states[0], action)
            assert things and all(isinstance(thing, str) and thing for thing in things)


@every_variant
def test_things_that_can_be_clicked_are_in_the_picture(variant):
    """All but `nothing`, which is a button beside the board."""
    game = game_of(variant)
    for states, mask in itertools.islice(random_games(game, 3), 0, None, 9):
        svg = game.drawing.draw(states[0]).as_svg()
        found = {part for things in Choices(game, states).actions for thing in things for part in thing.split("+")}
        missing = {part for part in found if f'data-thing="{part}"' not in svg}
        assert missing <= {"nothing"}
        assert mask.any() or not found


@every_variant
def test_a_choice_that_is_not_legal(variant):
    table = Table(game_of(variant), seed=1)
    before = table.recording().to_json()
    for things in (["square:z9"], [], ["square:a1"] * 9):
        with pytest.raises(ValueError, match="not a legal choice"):
            table.play(things, 0)
    with pytest.raises(ValueError, match="gone on to 0"):
        table.play(next(iter(table.choices.actions)), 1)
    assert table.recording().to_json() == before


def play_randomly(table: Table, decisions: int, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if table.over:
            return
        table.play(list(table.choices.actions)[rng.integers(len(table.choices.actions))], table.number)


@every_game
def test_a_table_is_kept(variant, tmp_path):
    """F: a server that was started again goes on with the same game."""
    store, table = Store(tmp_path / "tables"), Table(game_of(variant), ("human", "random"), seed=3)
    for _ in range(5):
        play_randomly(table, 5, seed=table.number)
        store.save(table)
        again = store.load(table.name)
        assert again.recording() == table.recording()
        assert again.state.tobytes() == table.state.tobytes()
        assert again.seats == table.seats
    assert store.names() == [table.name]
    assert [path.name for path in store.folder.iterdir()] == [f"{table.name}.jsonl"]


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "a" * 100, "12345678.jsonl", "nothing-here"])
def test_names_of_tables_are_no_paths(name, tmp_path):
    with pytest.raises(ValueError, match="no such game"):
        Store(tmp_path).load(name)


@every_game
def test_resigning(variant):
    """A reason of its own, which recordings keep; undo takes it back."""
    table = Table(game_of(variant), seed=2)
    play_randomly(table, 7)
    running = table.recording()
    loser = table.to_act
    table.resign(loser)
    assert table.over and table.to_act is None
    assert table.result["reason"] == "resigned" and table.result["winner"] == 1 - loser
    assert "by resignation" in table.svg(table.number)
    with pytest.raises(ValueError, match="over"):
        table.resign(loser)
    again = Table.of_recording(Recording.from_json(table.recording().to_json()))
    assert again.result == table.result and again.resigned == loser
    table.undo()
    assert table.recording() == running


@every_game
def test_undo_and_restart(variant):
    table = Table(game_of(variant), seed=2)
    states = [table.state.tobytes()]
    for _ in range(9):
        play_randomly(table, 1, seed=table.number)
        states.append(table.state.tobytes())
    while table.number:
        assert table.state.tobytes() == states[table.number]
        table.undo()
    with pytest.raises(ValueError, match="nothing was played"):
        table.undo()
    play_randomly(table, 4)
    table.restart()
    assert table.number == 0 and not table.over


def test_undo_goes_back_to_a_person():
    table = Table(make_game("scalas"), (HUMAN, "random"), seed=0)
    play_randomly(table, 6)
    assert table.to_act == 0
    table.undo()
    assert table.to_act == 0 and table.number < 6


@every_game
def test_branch(variant):
    table = Table(game_of(variant), seed=2)
    play_randomly(table, 12)
    other = table.branch(5)
    assert other.replay.actions == table.replay.actions[:5] and other.state.tobytes() == table.replay.state(5).tobytes()
    play_randomly(other, 3, seed=9)
    assert table.number == 12


@pytest.mark.parametrize("kind", ["policy", "network"])
def test_what_a_network_considers(kind, tmp_path):
    """All legal actions with their probabilities, the likeliest first, which is what it plays when it may not draw."""
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from nakajima_zoo.learning import save_policy
    from nakajima_zoo.players import ModelPlayer, NetworkPlayer, Positions
    from nakajima_zoo.wrappers import BatchVecEnv

    game, file = make_game("scalas"), tmp_path / "model.safetensors"
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", BatchVecEnv(game, 2), n_steps=8, policy_kwargs={"net_arch": [8]}, seed=1
    )
    save_policy(file, model.policy, game)
    player = ModelPlayer(model, deterministic=True) if kind == "policy" else NetworkPlayer(file, deterministic=True)
    table = Table(game, seed=0)
    play_randomly(table, 9)
    positions = Positions.of_state(game, table.state)
    job = thinking.consider(game, table.state, player, lambda search: None, asyncio.Event())
    considered, value = asyncio.run(job)
    assert sorted(each.action for each in considered) == sorted(table.choices.actions.values())
    assert sum(each.share for each in considered) == pytest.approx(1)
    assert considered[0].action == player.choose(positions)[0]
    assert (value is None) == (kind == "network")


@every_game
def test_the_page_of_a_game(variant):
    """All of it in one file: it asks for nothing, and what is in it cannot get out of it."""
    table = Table(game_of(variant), ("human</script><script>alert(1)</script>", HUMAN), seed=2)
    play_randomly(table, 8)
    page = table.html()
    assert "<script>alert" not in page and page.count("</script>") == 2
    assert "import " not in page.split('<script type="module">')[1].replace("important", "")
    assert "default-src 'none'" in page and "http://" not in page.replace("http://www.w3.org", "")
    game = json.loads(page.split('application/json">')[1].split("</script>")[0])
    assert len(game["pictures"]) == len(game["moves"]) + 1 == 9


def test_games_without_things_have_buttons(monkeypatch):
    """A game from outside needs no file for the table: its notation is what can be clicked."""
    toy = importlib.import_module("toy.game").game()
    states = toy.new_states(1)
    assert [*Choices(toy, states).actions] == [(f"square:{square}",) for square in range(9)]
    monkeypatch.setitem(sys.modules, "toy.things", None)
    assert [*Choices(toy, states).actions] == [(str(square),) for square in range(9)]
