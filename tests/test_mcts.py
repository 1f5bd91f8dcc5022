"""MCTS: what it finds, and that it disturbs nothing."""

from __future__ import annotations

import numpy as np
import pytest
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.envs.core.record import RUNNING, copy_records
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.players import tree
from nakajima_zoo.players.base import Positions
from nakajima_zoo.players.mcts import NEVER, MCTSPlayer
from nakajima_zoo.players.names import make_player
from nakajima_zoo.players.simple import GreedyPlayer
from nakajima_zoo.wrappers.single_agent import SingleAgentEnv
from zoo import every_variant, game_of, random_games


def after(game, states, action):
    child = copy_records(states)
    game.play(child, action)
    return child


def value(game, states, player, depth):
    """What best play brings `player`: 1, 0, -1; None if that is not known after `depth` decisions."""
    if states[0].status != RUNNING:
        return int(tree.outcome(states[0])) * (1 if player == 0 else -1)
    if depth == 0:
        return None
    values = [
        value(game, after(game, states, action), player, depth - 1) for action in np.flatnonzero(game.mask(states))
    ]
    if None in values:
        return None
    return max(values) if states[0].player == player else min(values)


def winning(game, states, depth):
    """The actions after which the player to act wins by best play within `depth` decisions."""
    player = int(states[0].player)
    actions = np.flatnonzero(game.mask(states)).tolist()
    return [action for action in actions if value(game, after(game, states, action), player, depth - 1) == 1]


def positions_to_solve(game, depth, count):
    """Positions that are over in exactly `depth` decisions, in which some actions win and most do not."""
    found = []
    for states, mask in random_games(game, 400, seed=1):
        left = int(states[0].hands.sum())
        if mask.any() and left == depth and 2 <= mask.sum() <= 12:
            good = winning(game, states, depth)
            if good and len(good) <= mask.sum() / 2:
                found.append((states, good))
        if len(found) == count:
            return found
    raise AssertionError(f"{len(found)} positions only")


@pytest.mark.parametrize("decisions", [1, 2, 3])
def test_finds_the_forced_win(decisions):
    """Scalas, with as many cubes left: a win in one is one decision, a win in two is an answer to every reply."""
    game, player = game_of("scalas-5"), MCTSPlayer(1_000, seed=0)
    for states, good in positions_to_solve(game, decisions, 8):
        assert int(player.choose(Positions(game, states))[0]) in good


def turns_to_win(game, count):
    """Positions in the last turn before the limit, of two decisions, in which few pairs of decisions win."""
    found = []
    for states, mask in random_games(game, 300, seed=2):
        if not mask.any() or game.decisions[states[0].decision] != "place":
            continue
        states["max_turns"] = states["turns"] + 1
        good = []
        for action in np.flatnonzero(mask).tolist():
            middle = after(game, states, action)
            second = np.flatnonzero(game.mask(middle)).tolist()
            wins = sum(after(game, middle, other)[0].winner == states[0].player for other in second)
            if wins > len(second) / 2:
                break
            good += [action] if wins else []
        else:
            if good and len(good) <= mask.sum() / 2:
                found.append((states, good))
        if len(found) == count:
            return found
    raise AssertionError(f"{len(found)} positions only")


def test_the_sign_is_that_of_the_player():
    """D5: a player acts twice in a row. A sign that changes with the depth takes the second decision for a reply.

    Such a search still chooses well here, since nothing else wins; but it shuns the second half of the winning turn,
    and so it does not believe in the win.
    """
    game = game_of("ring_world-L3-staged")
    for states, good in turns_to_win(game, 8):
        grown = grown_tree(game, states, 2_000)
        root = grown.nodes[0, 0]
        assert tree.most_visited(grown.nodes[0], grown.edges[0]) in good
        assert root["sign"] * root["value"] / root["visits"] > 0.8


def grown_tree(game, states, simulations):
    grown = tree.Trees(game, 1, simulations + 1)
    tree.search(
        states,
        0,
        np.uint64(2**40 + 1),
        grown.heads,
        grown.nodes,
        grown.edges,
        grown.states,
        game.blank_states(1),
        np.empty(game.num_actions, np.int8),
        True,
        simulations,
        1.0,
        NEVER,
    )
    return grown


@every_variant
def test_every_game(variant):
    """Legal, repeatable, and the positions asked about stay as they are."""
    game = game_of(variant)
    states = np.concatenate([copy_records(states) for states, mask in random_games(game, 1, seed=3) if mask.any()][::9])
    states = states[:4]
    before = states.tobytes()
    players = [MCTSPlayer(8, cut=20, num_threads=threads, seed=5) for threads in (1, 3)]
    actions = [player.choose(Positions(game, states)) for player in players]
    assert states.tobytes() == before
    assert np.array_equal(*actions)
    mask = Positions(game, states).action_mask
    assert mask[np.arange(len(states)), actions[0]].all()


def test_a_position_of_a_batch_is_the_position_alone():
    """The seeds are drawn one a position, so that asking one by one gives what asking for all gives."""
    game = game_of("scalas-5")
    states = np.concatenate([states for states, mask in random_games(game, 1, seed=4) if mask.any()])
    together = MCTSPlayer(50, seed=6).choose(Positions(game, states))
    player = MCTSPlayer(50, seed=6)
    alone = [int(player.choose(Positions(game, states[i : i + 1]))[0]) for i in range(len(states))]
    assert together.tolist() == alone
    assert together.tolist() != MCTSPlayer(50, seed=7).choose(Positions(game, states)).tolist()


def test_chance_of_the_game_is_not_foreseen():
    """The record's random state plays no part: what the game will draw is not known to the search."""
    game = make_game("renaissance", variant="phase2")
    one, other = game.new_states(1, [0]), game.new_states(1, [0])
    other["rng"] = 12345
    first, second = (MCTSPlayer(300, seed=1).choose(Positions(game, states)) for states in (one, other))
    assert first == second


def test_a_cut_off_game_counts_as_its_result():
    """The Ring World cut off is 0 and 0, Tsukiji cut off goes by points."""
    for name, turns in (("ring_world", 3), ("tsukiji", 6)):
        game = make_game(name, max_turns=turns)
        final = [states[0] for states, mask in random_games(game, 30) if not mask.any()]
        assert all(state.status == 2 for state in final if game.reasons[state.reason] == "turn_limit")
        values = {float(tree.outcome(state)) for state in final if state.status == 2}
        assert values == {0.0} if name == "ring_world" else {1.0, -1.0} <= values


def test_no_room_for_edges(monkeypatch):
    """A node that finds no room stays a leaf, and the search goes on."""
    monkeypatch.setattr("nakajima_zoo.players.tree.MAX_EDGES", 60)
    game = game_of("scalas-5")
    states = game.new_states(1)
    assert 0 <= MCTSPlayer(200, seed=0).choose(Positions(game, states))[0] < 25


def test_by_name():
    """The name works wherever names of opponents do."""
    assert isinstance(make_player("mcts", seed=1), MCTSPlayer)
    env = SingleAgentEnv("scalas", "mcts", seat=1)
    _, info = env.reset(seed=0)
    assert info["action_mask"].sum() < 25 or env.env.history
    for arguments in ({"simulations": 0}, {"cut": 0}, {"num_threads": 0}):
        with pytest.raises(ValueError, match="expected an integer from 1"):
            MCTSPlayer(**arguments)


def test_beats_greedy():
    first, second = evaluate(game_of("scalas-5"), MCTSPlayer(100), GreedyPlayer(), 50, seed=0)
    assert (first + second).win_rate > 0.7 and (first + second).illegal == 0
