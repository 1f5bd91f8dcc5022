"""Refusals: every action that is not legal is refused for a rule of the game, in its words; over all games."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import toy
from games import test_renaissance as renaissance
from games import test_scalas as scalas
from games import test_tsukiji as tsukiji
from games.test_ring_world import EVERYWHERE, Table
from nakajima_zoo.envs.core.env import BoardGameEnv, IllegalActionError
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.registry import make_game
from zoo import every_variant, game_of, random_games, raw_env

SOME = 80  # actions that are looked at in a position, where there are more
MOST_POSITIONS = 150


def some_actions(game: Game, mask: np.ndarray, rng: np.random.Generator) -> list[int]:
    """All actions, or some with a few legal ones among them, and of each kind that the numbers tell some."""
    if game.num_actions <= SOME:
        return list(range(game.num_actions))
    legal = rng.choice(np.flatnonzero(mask), 6)
    near = np.clip(legal[:, None] + [-9, -1, 1, 9], 0, game.num_actions - 1).reshape(-1)
    return [*legal.tolist(), *near.tolist(), *rng.integers(game.num_actions, size=SOME).tolist()]


@every_variant
def test_a_reason_exactly_for_what_is_not_legal(variant):
    """What is legal breaks no rule, all else breaks one that is named; nothing is changed by asking."""
    game, rng = game_of(variant), np.random.default_rng(0)
    positions = [pair for pair in random_games(game, 3) if pair[1].any()]
    for number in rng.permutation(len(positions))[:MOST_POSITIONS]:
        states, mask = positions[number]
        before = states.tobytes()
        for action in some_actions(game, mask, rng):
            why = game.refusals.why_illegal(states[0], action)
            assert bool(why) != bool(mask[action]), (game.notation.action_to_text(states[0], action), why)
            assert "\n" not in why and len(why) < 120
        assert states.tobytes() == before


@every_variant
def test_a_reason_names_the_thing(variant):
    """But for those that say what is asked for instead, a reason has a square, a ring, a piece or a vehicle in it."""
    game, rng = game_of(variant), np.random.default_rng(1)
    instead = re.compile(
        "now .* is to be|^a ring has to be placed|the construction comes|has to move|the setup|first puts"
    )
    thing = re.compile(r"\b[a-h][1-8]\b|\b[0-7](\.[0-7])*\b|\b[DIVOTLS][34]?\b|monomino|marker|truck|ship|bridge")
    named = 0
    for states, mask in [pair for pair in random_games(game, 2, seed=5) if pair[1].any()][::3]:
        for action in some_actions(game, mask, rng):
            why = game.refusals.why_illegal(states[0], action)
            if why and not instead.search(why):
                assert thing.search(why), why
                named += 1
    assert named > 20


@every_variant
def test_after_the_end_the_game_is_over(variant):
    """Every action is refused, for that."""
    game = game_of(variant)
    *_, (states, _) = random_games(game, 1)
    for action in (0, game.num_actions // 2, game.num_actions - 1):
        assert game.refusals.why_illegal(states[0], action) == "the game is over"


@every_variant
def test_errors_give_the_reason(variant):
    """The error of an environment has number, notation, reason and an example; the game is as it was."""
    env = raw_env(variant)
    env.reset(seed=3)
    while env.observe(env.agent_selection)["action_mask"].all() or not env.history:
        env.step(env.legal_actions()[0])
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[-1])
    state, before = env.get_state(), env.get_state().tobytes()
    with pytest.raises(IllegalActionError) as caught:
        env.step(illegal)
    text, why = env.action_to_text(illegal), env.game.why_illegal(state, illegal)
    example = env.action_to_text(env.legal_actions()[0])
    for part in (f"{text} (action {illegal})", f": {why};", f"for example {example} (action {env.legal_actions()[0]})"):
        assert part in str(caught.value)
    assert why and env.get_state().tobytes() == before
    with pytest.raises(ValueError, match=re.escape(why)):
        env.game.play(np.array([state], env.game.template.dtype), illegal)
    with pytest.raises(
        ValueError, match=re.escape(f"line 1: {text!r}: action {illegal} is not legal in game 0 of {env.game}: {why}")
    ):
        env.game.text_to_history(np.array([state], env.game.template.dtype), text)


def test_a_game_that_gives_no_reasons():
    """One from outside may have no module `refusals`; the error says what is asked for."""
    env = BoardGameEnv(toy.game())
    env.reset(seed=0)
    env.step(env.legal_actions()[0])
    illegal = next(action for action in range(env.game.num_actions) if action not in env.legal_actions())
    with pytest.raises(ImportError):
        env.game.refusals  # noqa: B018 - there is none
    with pytest.raises(IllegalActionError, match=f"expected another {env.game.decisions[0]}"):
        env.step(illegal)
    assert env.game.why_illegal(env.get_state(), env.legal_actions()[0]) == ""
    assert "out of range" in env.game.why_illegal(env.get_state(), env.game.num_actions)


# Each rule once, on positions of the stories about it


def refusal(game: Game, state: Any, text: str) -> str:
    """Why the action called `text` is not legal."""
    return game.why_illegal(state, game.notation.text_to_action(state, text))


def test_scalas():
    game = make_game("scalas")
    cliff, alone = scalas.position(scalas.CLIFF)[0], scalas.position(scalas.ALONE, hands=(5, 0))[0]
    assert refusal(game, cliff, "b1") == ""
    assert refusal(game, cliff, "c3").startswith("c3 does not descend: no walk from it")
    assert refusal(game, cliff, "a1") == "a1 does not descend once the cube is on it"
    assert refusal(game, alone, "c4") == "c4 is empty, and the opponent has no cubes left"
    assert refusal(game, alone, "c3") == ""
    gaps = scalas.play(scalas.position(scalas.CROSS), "c3")[0]
    assert refusal(game, gaps, "a1") == "no gap waits on a1; gaps wait on c4, b3, d3, c2"
    assert refusal(game, gaps, "d3") == ""


@pytest.mark.parametrize(
    ("table", "text", "expected"),
    [
        (Table(red="0.0"), "0.0", "0.0 is owned by red"),
        (Table(red="0.0"), "0.4", "the ring 0 around 0.4 is not empty"),
        (Table(red="0.0 1.1"), "0.2", "neither of the rings 0 and 1 around 0.2 is empty"),
        (Table(red="0.0"), "0.2", ""),
        (Table(red="0.0"), "r0", "a ring has to be placed before one is turned"),
        (Table(red="6.6").play("2.2"), "r5", "you own no ring of level 1 in ring 5, and so cannot turn it"),
        (Table(red="6.6").play("2.2"), "r2", ""),
        (Table(red="6.6").play("2.2"), "4.4", "4.4 cannot be taken: one ring has been taken in this turn; now one is"),
        (Table(red=EVERYWHERE), "4.4", "4.4 cannot be taken: one has been taken in this turn, or no ring of level 2"),
        (Table(red=EVERYWHERE, turns="joint"), "4.4 r4", "4.4 cannot be taken: no ring of level 2 is empty"),
        (Table(blue="4.4", turns="joint"), "4.5 r4", "the ring 4 around 4.5 is not empty"),
        (Table(blue="4.4", turns="joint"), "2.2 r4", "you own no ring of level 1 in ring 4, and so cannot turn it"),
        (Table(blue="4.4", turns="joint"), "r4", "a ring has to be placed before one is turned"),
        (Table(4, turns="joint"), "3.5.1 r3", "you own no ring of level 2 in ring 3, and so cannot turn it"),
        (Table(4, turns="joint"), "3.5.1 r3.5", ""),
    ],
)
def test_ring_world(table, text, expected):
    found = refusal(table.game, table.state, text)
    assert found.startswith(expected) and bool(found) == bool(expected)


SHIP = tsukiji.around_a_ship
BRIDGED = {"c3": "#=", "d3": "~=", "e3": "#="}
BLUES = {"blue": "I 3, V 3, bridge c3 e3", "scores": "0 1"}
REDS = {"red": "I 3, V 3, bridge c3 e3", "scores": "1 0"}
ONE_V = {"red": "I 0, V 1, bridge in hand"}
SAIL = {"who": "red to move_ship"}
DRIVE = {"who": "red to move_truck", "red": tsukiji.NOTHING + "b4 d4", "scores": "1 0"}
LOCK = {"a8": "~B", "a1": "#B", "h8": "#R", "h1": "~R", "g1": "#", "h2": "~", "f2": "#"}
UNDER = {**tsukiji.AWAY, "a4": "#R", "b4": "#=", "c4": "~=", "d4": "#=", "e4": "#r", "c2": "#", "c6": "#", "h8": "#B"}


@pytest.mark.parametrize(
    ("squares", "text", "expected", "more"),
    [
        (SHIP(), "ship: I e5 e6 e7, build e5", "none of e5 e6 e7 is next to the ship on d4", {}),
        (SHIP(c5="#"), "ship: I c5 c4 c3, build c3", "c5 is land already", {}),
        (SHIP(), "ship: I d4 d5 d6, build d5", "a ship is on d4", {}),
        (SHIP(), "ship: I d5 d6 d7, build d5", "I piece: none left", ONE_V),
        (SHIP(), "ship: V d5 d6 e6, build e6", "", ONE_V),
        (LOCK, "ship: V g2 g3 h2, build g3", "the ship has no way out afterwards", {}),
        (SHIP(d5="#B", a1="~"), "ship: build d5", "a truck stands on d5", {}),
        (SHIP(d5="#b"), "ship: build d5", "d5 has a building", {}),
        (SHIP(), "ship: build d5", "d5 is sea: buildings stand on land", {}),
        (SHIP(d6="#"), "ship: build d6", "d6 is not next to the ship on d4", {}),
        (
            SHIP(d5="#", c5="#r", b5="#r", e5="#r", f5="#r"),
            "ship: build d5",
            "the group on d5 would have 5 b",
            {"scores": "2 0"},
        ),
        (SHIP(**BRIDGED), "ship: build e3", "e3 is under or on a bridge", BLUES),
        (SHIP(**BRIDGED), "ship: bridge d3 d5", "d3 is under or on a bridge already", BLUES),
        (SHIP(**BRIDGED), "ship: bridge d5 d7", "the only bridge is built already, c3 e3", REDS),
        (SHIP(d5="#", d7="#r"), "ship: bridge d5 d7", "d7 has a building: a bridge ends on squares without one", {}),
        (SHIP(d5="#"), "ship: bridge d5 d7", "d7 is sea: a bridge ends on land", {}),
        (SHIP(d5="#", f5="#R", h8="~"), "ship: bridge d5 f5", "a truck stands on f5", {}),
        (SHIP(d7="#", f7="#"), "ship: bridge d7 f7", "none of d7 f7 is next to the ship on d4", {}),
        (SHIP(), "to d5", "the construction comes before the move", {}),
        (SHIP(), "land b7", "the setup is over", {}),
        (
            {**tsukiji.AWAY, "d4": "#R", "d5": "#", "g4": "#", "a1": "#B"},
            "truck: nothing",
            "the truck has to construct",
            {},
        ),
        (
            {**tsukiji.AWAY, "d4": "#R", "d5": "#", "f1": "#B"},
            "truck: build d5",
            "the truck has no way out afterwards",
            {},
        ),
        ({**tsukiji.AWAY, "d4": "#R", "f1": "#B"}, "truck: nothing", "the truck cannot move", {}),
        (SHIP(d6="#"), "to d4", "the ship has to leave d4", SAIL),
        (SHIP(d6="#"), "to e6", "e6 is not in line with the ship on d4", SAIL),
        (SHIP(d6="#"), "to d7", "d6 is land: a ship cannot enter it", SAIL),
        (SHIP(a8="~", b4="~B"), "to a4", "the other ship on b4 is in the way", SAIL),
        (SHIP(), "ship: build d5", "the ship has to move now: its construction is done", SAIL),
        (SHIP(**BRIDGED), "to d2", "d3 is under a bridge: a ship cannot pass there", {**SAIL, **BLUES}),
        (UNDER, "to d1", "d1 is sea: a truck stops on land", DRIVE),
        (UNDER, "to e4", "c4 is sea under a bridge: a truck cannot cross it", DRIVE),
        ({**UNDER, "a5": "#r"}, "to a5", "a5 has a building: a truck cannot stop there", DRIVE),
        ({**UNDER, "a6": "#B", "h8": "~"}, "to a8", "the other truck on a6 is in the way", DRIVE),
    ],
)
def test_tsukiji(squares, text, expected, more):
    state = tsukiji.position(**{"who": "red to construct", "squares": squares, **more})
    found = refusal(tsukiji.game(), state, text)
    assert found.startswith(expected) and bool(found) == bool(expected), found


def test_tsukiji_in_the_setup_and_in_joint_turns():
    game = tsukiji.game(turns="joint")
    setup = tsukiji.start(turns="joint")
    assert refusal(game, setup, "truck: nothing, to d4").startswith("each player first puts his land on one of his")
    state = tsukiji.play(setup, "land b7", "land g2")
    assert refusal(game, state, "ship: V f1 f2 g1, build f1, to h3") == ""
    assert refusal(game, state, "ship: V f1 f2 g1, build f1, to f1").startswith("g1 is land: a ship cannot enter it")
    assert refusal(game, state, "ship: V a1 a2 b1, build a1, to h3").startswith("none of a1 a2 b1 is next to the ship")


PHASE_1 = renaissance.phase_1(renaissance.PUSHES, renaissance.REST)
CORNERED = renaissance.phase_1(renaissance.FULL_LINES, renaissance.REST)
PREPARED = renaissance.Story(renaissance.HANDS, variant="phase2").play("monomino g6", "marker a1")
PHASE_2 = renaissance.phase_2(renaissance.RELOCATION, "D", "D")
MOVING = renaissance.phase_2(renaissance.RELOCATION, "D D", "D").play("D b7 c7", "move g7 W", "D g5 g4")
JOINT = renaissance.phase_2(renaissance.RELOCATION, "D D", "D", turns="joint")
LAST = renaissance.phase_2(renaissance.RELOCATION, "", "D", turns="joint")
STUCK = renaissance.Story().play(*renaissance.STUCK)
PROTECTED = renaissance.Story().play(*renaissance.PROTECTED_ALONE_HELPS)


@pytest.mark.parametrize(
    ("story", "text", "expected"),
    [
        (renaissance.Story().play("L4 a7 b7 c7 a6"), "L4 a5 b5 c5 a4", "L4: none is left"),
        (renaissance.Story().play("L4 a7 b7 c7 a6"), "D a7 a6", "a polyomino lies on a7"),
        (renaissance.Story(), "marker c5", "now a polyomino is to be laid"),
        (renaissance.Story(), "D c7 d7", ""),
        (STUCK, "take off d7", ""),
        (STUCK, "take off d6", "the polyomino on d6 is named by its first square, d7"),
        (STUCK, "take off g7", "no polyomino lies on g7"),
        (STUCK, "take off a1", "without the polyomino on a1 nothing else that is left fits, and without another"),
        (STUCK, "D g7 g6", "now nothing that is left fits: a polyomino is to be taken off"),
        (PROTECTED, "take off c7", "the polyomino on c7 was laid in the adjustment just before"),
        (
            renaissance.Story().play(*renaissance.STUCK, "take off f4"),
            "D f4 g4",
            "D was taken off in this turn: another",
        ),
        (PHASE_1, "marker d4", "d4 is closed"),
        (PHASE_1, "marker d5", "d5 has a marker"),
        (PHASE_1, "marker e6", ""),
        (PHASE_1, "marker e7", "e7 is not diagonally adjacent to a marker of yours, and not beside the centre"),
        (PHASE_1, "push top g", "g7 is not diagonally adjacent to a marker of yours"),
        (PHASE_1, "push top e", "e7 has no marker to push"),
        (CORNERED, "push top d", "the line from d7 to d5 is full"),
        (CORNERED, "push left 7", "the line from a7 to g7 is full"),
        (PREPARED, "monomino b1", "your monomino is placed already"),
        (PREPARED, "marker g6", "g6 has a monomino"),
        (PREPARED, "marker a1", "a1 has a marker"),
        (PREPARED, "marker d4", "d4 is closed"),
        (renaissance.Story({}, variant="phase2", distribution="players"), "D a1 b1", "now a polyomino is to be picked"),
        (PHASE_2, "I3 b7 c7 d7", "I3: none in your hand"),
        (PHASE_2, "D b3 b2", "none of b3 b2 is next to a marker of yours"),
        (PHASE_2, "D a7 b7", "a7 has a marker"),
        (PHASE_2, "D b1 c1", "b1 has a monomino"),
        (PHASE_2, "move a1 N", "now a polyomino of the hand is to be placed"),
        (MOVING, "move f7 E", "the move f7 E would undo the last one"),
        (MOVING, "move b4 N", "no marker is on b4"),
        (MOVING, "move a7 N", "there is no open square N of a7"),
        (MOVING, "move c4 E", "there is no open square E of c4"),
        (MOVING, "move a7 E", "a polyomino lies on b7"),
        (JOINT, "D b7 c7", "a marker has to be moved in the same turn"),
        (JOINT, "D b7 c7, move g7 W", ""),
        (JOINT, "D b7 c7, move a7 E", "a polyomino lies on b7"),
        (LAST, "D b7 c7, move g7 W", "no marker is moved after this placement"),
        (LAST, "D b7 c7", ""),
    ],
)
def test_renaissance(story, text, expected):
    found = refusal(story.game, story.state, text)
    assert found.startswith(expected) and bool(found) == bool(expected), found


def test_renaissance_without_markers_and_kinds():
    story = renaissance.Story(renaissance.HANDS, variant="phase2")
    story.play("marker a1", "marker b1", "marker a2", "marker b2", "marker a3", "marker b3")
    assert refusal(story.game, story.state, "marker g7") == "no marker is left"
    draft = renaissance.Story({"coins": [0] * 7}, variant="phase2").play("pick L4")
    assert refusal(draft.game, draft.state, "pick L4") == "L4: none is left"
