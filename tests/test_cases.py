"""Positions, games and counts with the right answer, made by independent slow implementations: tests/cases/*.json.

Run with `NUMBA_DISABLE_JIT=1` the same tests check the rules as plain Python, on a sample.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest
from nakajima_zoo.envs import GAMES
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.agents import AGENTS
from nakajima_zoo.envs.core.batch import Batch
from nakajima_zoo.envs.core.dispatch import legal_actions, play
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.kernel import kernel
from nakajima_zoo.envs.core.registry import make_game
from zoo import ENVIRONMENT, ROOT

UNCOMPILED = bool(numba.config.DISABLE_JIT)
LIMIT = 2_000 if UNCOMPILED else 10**9  # leaves of a perft
OPTIONS = ("arrangement", "fallback", "coins", "hands")


@cache
def cases(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "tests" / "cases" / f"{name}.json").read_text())


def sample(items: list[Any]) -> list[Any]:
    """All, or when uncompiled the first of each variant and those made for a rule."""
    if not UNCOMPILED:
        return items
    seen: set[str] = set()
    return [i for i in items if (key := json.dumps(i["variant"])[:20]) not in seen and not seen.add(key)]


GAME_CASES = [
    pytest.param(name, case, id=f"{name}-{number}")
    for name in GAMES
    for number, case in enumerate(sample(cases(name)["games"]))
]
PERFT_CASES = [
    pytest.param(name, case, id=f"{name}-{number}")
    for name in GAMES
    for number, case in enumerate(cases(name)["perft"])
]


def game_and_options(name: str, variant: dict[str, Any], turns: str = "staged") -> tuple[Game, dict[str, Any]]:
    options = {key: value for key, value in variant.items() if key in OPTIONS}
    parameters = {key: value for key, value in variant.items() if key not in OPTIONS}
    if name != "scalas":
        parameters["turns"] = turns
    return make_game(name, **parameters), options


def checksum(observation: np.ndarray) -> int:
    return zlib.crc32(np.rint(1000 * observation).astype("<i4").tobytes())


def list_checksum(actions: list[int]) -> int:
    return zlib.crc32(",".join(map(str, actions)).encode())


@pytest.mark.parametrize(("name", "case"), GAME_CASES)
def test_game(name, case):
    """Every decision of a recorded game: who acts, what is legal, what both see, and how it ends."""
    game, options = game_and_options(name, case["variant"])
    env = BoardGameEnv(game)
    env.reset(options=options)
    shown = {row["ply"]: row for row in case["shown"]}
    for ply, (player, action, count, crc) in enumerate(case["steps"]):
        legal = env.legal_actions()
        assert env.agent_selection == AGENTS[player], f"ply {ply}"
        assert (len(legal), list_checksum(legal)) == (count, crc), f"ply {ply}\n{env.to_text()}"
        if ply in shown:
            assert legal == shown[ply]["legal"]
            seen = [checksum(env.observe(agent)["observation"]) for agent in AGENTS]
            assert seen == shown[ply]["observation"], f"ply {ply}\n{env.to_text()}"
        env.step(action)
    assert [env.rewards[agent] for agent in AGENTS] == case["rewards"]
    assert all(env.truncations.values()) == case["truncated"] != all(env.terminations.values())
    assert [checksum(env.observe(agent)["observation"]) for agent in AGENTS] == case["final_observation"]


@pytest.mark.parametrize(("name", "case"), [case for case in GAME_CASES if case.values[0] != "scalas"])
def test_game_in_the_joint_form(name, case):
    """The same game with whole turns as actions: the joint mask where it is shown, the same end."""
    staged, options = game_and_options(name, case["variant"])
    joint, _ = game_and_options(name, case["variant"], "joint")
    slow, fast = BoardGameEnv(staged), BoardGameEnv(joint)
    slow.reset(options=options)
    fast.reset(options=options)
    actions = [row[1] for row in case["steps"]]
    shown = {row["ply"]: row["joint"] for row in case["shown"] if "joint" in row}
    ply = 0
    while ply < len(actions):
        legal = fast.legal_actions()
        if ply in shown:
            assert [len(legal), list_checksum(legal)] == shown[ply], f"ply {ply}\n{slow.to_text()}"
        assert fast.agent_selection == slow.agent_selection
        action, length = join(name, joint, actions[ply : ply + 2], legal)
        for part in actions[ply : ply + length]:
            slow.step(part)
        fast.step(action)
        ply += length
    assert fast.rewards == slow.rewards and fast.result == slow.result
    assert [checksum(fast.observe(agent)["observation"]) for agent in AGENTS] == case["final_observation"]


def join(name: str, game: Game, parts: list[int], legal: list[int]) -> tuple[int, int]:
    """The joint action of the next staged decisions, by the formulas of the rules pages, and how many it spans."""
    first, second = parts[0], parts[-1]
    if name == "ring_world":
        placements, rotations = {392: (48, 8), 15_288: (272, 56)}[game.num_actions]
        if first < placements:
            return first * rotations + second - placements, 2
        return placements * rotations + first - placements, 1
    if name == "tsukiji":
        return (first, 1) if first < 3 else (3 + 64 * (first - 3) + second - 1200, 2)
    moved = 1347 + 392 * first + second - 947
    return (moved, 2) if first < 772 and 947 <= second < 1339 and moved in legal else (first, 1)


@pytest.mark.parametrize("name", GAMES)
def test_games_in_a_batch(name):
    """The same games as rows of batches, side by side: the same masks, observations and results."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for case in sample(cases(name)["games"]):
        groups.setdefault(json.dumps(case["variant"], sort_keys=True), []).append(case)
    for group in groups.values():
        game, options = game_and_options(name, group[0]["variant"])
        batch = Batch(game, len(group), options=options)
        batch.reset(0)
        for ply in range(max(len(case["steps"]) for case in group)):
            rows = [row for row, case in enumerate(group) if ply < len(case["steps"])]
            for row in rows:
                player, _, count, crc = group[row]["steps"][ply]
                legal = np.flatnonzero(batch.action_mask[row]).tolist()
                assert batch.to_play[row] == player
                assert (len(legal), list_checksum(legal)) == (count, crc)
                for shown in group[row]["shown"]:
                    if shown["ply"] == ply:
                        assert checksum(batch.observation[row]) == shown["observation"][player]
            actions = np.array([group[row]["steps"][ply][1] for row in rows])
            rewards, terminated, truncated = batch.step(actions, np.array(rows))
            for row in rows:
                case, last = group[row], ply == len(group[row]["steps"]) - 1
                assert (terminated[row] or truncated[row]) == last
                if last:
                    assert rewards[row].tolist() == case["rewards"] and truncated[row] == case["truncated"]
                    seen = batch.final_observation(np.array([row, row]), np.array([0, 1]))
                    assert [checksum(each) for each in seen] == case["final_observation"]


@kernel
def perft(states, mask, depth):
    """How many sequences of `depth` more decisions start from `states[depth]`; the rest of `states` is scratch."""
    legal_actions(states[depth], mask[depth])
    if depth == 1:
        return int(mask[depth].sum())
    total = 0
    for action in range(mask.shape[1]):
        if mask[depth, action]:
            states[depth - 1] = states[depth]
            play(states[depth - 1], action)
            total += perft(states, mask, depth - 1)
    return total


def count_sequences(game: Game, states: np.ndarray, depth: int) -> int:
    stack = np.repeat(states, depth + 1)
    return perft(stack, np.zeros((depth + 1, game.num_actions), np.int8), depth)


@pytest.mark.parametrize(("name", "case"), PERFT_CASES)
def test_perft(name, case):
    """Sequences of 1, 2, ... decisions after a prefix. A failure shows the position and the count per action."""
    game, options = game_and_options(name, case["variant"])
    env = BoardGameEnv(game)
    env.reset(options={**options, "actions": case["prefix"]})
    states = np.array([env.get_state()], game.template.dtype)
    for depth, count in enumerate(case["perft"], start=1):
        if count <= LIMIT:
            found = count_sequences(game, states, depth)
            assert found == count, f"depth {depth}\n{env.to_text()}\n{split(env, depth)}"


def split(env: BoardGameEnv, depth: int) -> str:
    """The count of each first action, for the eye."""
    lines = []
    for action in env.legal_actions():
        states = np.array([env.get_state()], env.game.template.dtype)
        loops.play_at(states, 0, action)
        count = count_sequences(env.game, states, depth - 1) if depth > 1 else 1
        lines.append(f"{env.action_to_text(action)}: {count}")
    return "\n".join(lines)


@pytest.mark.parametrize("levels", [3, 4])
def test_ring_world_boards(levels):
    """The tables of children and adjacent rings, which the geometry gives, are the recorded ones."""
    from nakajima_zoo.envs.ring_world.board import BOARDS

    expected = next(board for key, board in cases("ring_world")["boards"].items() if key.endswith(str(levels)))
    board = BOARDS[levels]
    for level, rings in expected["child"].items():
        assert np.asarray(board.child[int(level)]).tolist() == rings
    for level, rings in expected["adjacent"].items():
        found = [[ring for ring in row if ring >= 0] for row in np.asarray(board.adjacent[int(level)]).tolist()]
        assert found == rings


def test_renaissance_placements():
    """Index, kind and squares of every placement are the recorded ones."""
    from nakajima_zoo.envs.renaissance import board

    expected = cases("renaissance")["placements"]
    assert len(expected) == len(board.PLACEMENTS)
    for index, row in enumerate(expected):
        kind, squares = (row["kind"], row["squares"]) if isinstance(row, dict) else (row[0], row[1])
        assert list(board.PLACEMENTS[index]) == squares
        assert board.KIND[index] == (board.KINDS.index(kind) if isinstance(kind, str) else kind)


@pytest.mark.skipif(UNCOMPILED, reason="this is the uncompiled run")
def test_uncompiled():
    """The rules as plain Python, with index errors and overflows visible: the same cases, a sample of them."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_cases.py"],
        cwd=ROOT,
        env={**ENVIRONMENT, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:]
    assert " passed" in run.stdout
