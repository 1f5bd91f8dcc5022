"""Recorded games under version control, and perft counts: a change of behaviour shows as a diff."""

import json

import pytest
from record import RECORDED
from test_cases import UNCOMPILED, count_sequences, split
from zoo import ROOT, VARIANTS, raw_env

PERFT = [
    line
    for line in (ROOT / "tests" / "perft.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_recorded_game(variant):
    """D6: the stored text of a game replays, line by line, to the stored end."""
    head, actions, position = (RECORDED / f"{variant}.txt").read_text().rstrip("\n").split("\n\n")
    expected = json.loads(head)
    env = raw_env(variant)
    env.reset(seed=expected["seed"])
    for line in actions.splitlines():
        action = env.text_to_action(line)
        assert env.action_to_text(action) == line
        env.step(action)
    assert env.to_text() == position
    assert env.rewards == expected["rewards"]
    assert json.loads(json.dumps(env.result)) == expected["result"]


@pytest.mark.parametrize("line", PERFT, ids=lambda line: line.split("|")[0].strip())
def test_perft_file(line):
    """Sequences of 1, 2, ... decisions from the start; the source of each count stands in the file."""
    variant, counts, _source = (part.strip() for part in line.split("|"))
    env = raw_env(variant)
    env.reset(seed=0)
    states = env.game.check_state(env.get_state())
    for depth, count in enumerate(map(int, counts.split()), start=1):
        if not UNCOMPILED or count < 1000:
            assert count_sequences(env.game, states, depth) == count, (
                f"depth {depth}\n{env.to_text()}\n{split(env, depth)}"
            )
