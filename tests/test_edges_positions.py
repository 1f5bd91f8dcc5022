"""Positions that cannot be: whatever record or text is accepted plays to its end with every promise kept.

Records and texts of random games are corrupted at random; those that `check_state` or `state_from_text` takes are
played on at random. `CORRUPTED=100000` in the environment tries that many, over both kinds and all variants together.
"""

from __future__ import annotations

import contextlib
import os
import re
from functools import partial
from typing import Any

import numpy as np
import pytest
from nakajima_zoo.envs import VARIANTS
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, end_game
from nakajima_zoo.envs.core.registry import make_game
from zoo import every_variant, game_of, random_action, random_games

TRIES = int(os.environ.get("CORRUPTED", 3000)) // (2 * len(VARIANTS))
THOROUGH = 0.02  # of the positions of a game
POOL = 120  # records of each variant that are corrupted


def pool_of(game: Game, seed: int) -> np.ndarray:
    """Records of random games: of their whole course, the last ones and forfeited ones too."""
    found = np.concatenate([states for states, _ in random_games(game, 3, seed)])
    rng = np.random.default_rng(seed)
    found = found[np.sort(rng.choice(len(found), min(POOL, len(found)), replace=False))]
    forfeited = found[found["status"] == RUNNING][::4].copy()
    for state in forfeited:
        end_game(state, TERMINATED, 1 - state.player, ILLEGAL_ACTION)
    last = [list(random_games(game, 1, seed + 10 + number))[-1][0] for number in range(4)]
    return np.concatenate([found, forfeited, *last])


def corrupted(pool: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One of the records, (1,), with one to three fields changed."""
    states = pool[rng.integers(len(pool))].reshape(1).copy()
    for _ in range(rng.integers(1, 4)):
        name = str(rng.choice(pool.dtype.names))
        field = states[name].reshape(-1)  # a view
        other = pool[name][rng.integers(len(pool))]
        corrupt(field, np.asarray(other).reshape(-1), rng)
    return states


def corrupt(field: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> None:
    """Change a field in place, in one of several ways; `other` is that of another record."""
    kind, at = np.iinfo(field.dtype), int(rng.integers(field.size))
    bits = field.view(f"u{field.itemsize}")
    match rng.integers(7):
        case 0:
            field[:] = other
        case 1:
            bits[at] = (int(bits[at]) + int(rng.choice([-1, 1]))) % 2**kind.bits
        case 2:
            field[at] = [kind.min, kind.max, kind.max - 1, 0][rng.integers(4)]
        case 3:
            field[at] = rng.integers(max(kind.min, -3), 14)
        case 4:
            bits[at] ^= 1 << int(rng.integers(kind.bits))
        case 5:
            field[:] = field[rng.permutation(field.size)]
        case 6:
            field[:] = [0, other[at]][rng.integers(2)]


def corrupted_text(text: str, other: str, rng: np.random.Generator) -> str:
    """A text with one to three changes: numbers, words, cells and lines, some of another text."""
    for _ in range(rng.integers(1, 4)):
        lines, others = text.split("\n"), other.split("\n")
        at = int(rng.integers(len(lines)))
        words = re.split(r"([ ;,:=]+)", lines[at])
        match rng.integers(6):
            case 0:
                lines[at] = others[at % len(others)]
            case 1:
                place = int(rng.integers(len(words)))
                words[place] = str(rng.choice([*re.split(r"[ ;,:=]+", text), "-1", "0", "1", "2147483647", "9" * 20]))
                lines[at] = "".join(words)
            case 2:
                one, two = rng.integers(len(words), size=2)
                words[one], words[two] = words[two], words[one]
                lines[at] = "".join(words)
            case 3:
                digits = [found.start() for found in re.finditer(r"\d", lines[at])]
                if digits:
                    place = int(rng.choice(digits))
                    lines[at] = lines[at][:place] + str(rng.integers(10)) + lines[at][place + 1 :]
            case 4:
                place = int(rng.integers(len(lines[at]) + 1))
                lines[at] = lines[at][:place] + str(rng.choice(list(text))) + lines[at][place + 1 :]
            case 5:
                two = int(rng.integers(len(lines)))
                lines[at], lines[two] = lines[two], lines[at]
        text = "\n".join(lines)
    return text


def check_promises(game: Game, states: np.ndarray, rng: np.random.Generator) -> None:
    """Play (1,) records, which were accepted, at random to the end, and assert what every game promises."""
    states = game.check_state(states[0])
    mask, status = np.empty(game.num_actions, np.int8), np.zeros(loops.STATUS_SIZE, np.int32)
    loops.describe(states, 0, mask, status)
    limit = dict(game.parameters).get("max_turns")
    for decision in range(game.max_decisions + 1):
        check_position(game, states, mask, decision == 0 or rng.random() < THOROUGH)
        assert limit is None or states[0].turns <= limit
        if states[0].status != RUNNING:
            return
        turns = int(states[0].turns)
        assert loops.advance(states, 0, random_action(mask, rng), mask, status)
        assert turns <= states[0].turns <= turns + 1
    raise AssertionError(f"more than {game.max_decisions} decisions")


def check_position(game: Game, states: np.ndarray, mask: np.ndarray, thoroughly: bool) -> None:
    """Assert what holds in every position; `thoroughly`: texts and records too, which take time."""
    state = states[0]
    assert mask.any() == (state.status == RUNNING) == (state.player != NOBODY)
    for player in (0, 1):
        observation = game.observation(states, player)
        assert observation.min() >= 0 and observation.max() <= 1
    result = game.result(state)
    assert (result is None) == (state.status == RUNNING)
    if thoroughly:
        game.check_state(state)
        again = game.state_from_text(game.notation.state_to_text(state))
        check_same(game, again, state)


def check_same(game: Game, again: np.record, state: np.record) -> None:
    """Assert that records are equal but for what texts do not hold: random states, and options still to come."""
    for name in game.template.dtype.names:
        if name not in ("rng", "arrangement", "fallback", "coins", "given_hands"):
            assert np.array_equal(again[name], state[name]), name


def changed(start: np.ndarray, **fields: Any) -> np.record:
    """A copy of a record with other values in some fields."""
    states = start.copy()
    for name, value in fields.items():
        states[0][name] = value
    return states[0]


def find(game: Game, decision: str, seed: int = 0) -> np.ndarray:
    """The first position of a random game in which `decision` is asked, (1,)."""
    number = game.decisions.index(decision)
    return next(states for states, mask in random_games(game, 9, seed) if mask.any() and states[0].decision == number)


def renaissance_cases() -> list[tuple[str, str, dict[str, Any], str]]:
    """Variant, decision, fields that are changed, and why the record is refused then."""
    hands = [[4, 2, 0, 0, 0, 0, 0, 0], [0, 0, 2, 1, 1, 1, 1, 0]]
    last = {"pool": [0, 0, 0, 0, 0, 0, 0, 1], "hands": hands, "scores": [-14, -22]}
    return [
        ("renaissance-phase2", "pick", last, "the last polyomino is handed over"),
        ("renaissance-phase2", "pick", {"turns": 1}, "turns 1; expected at most 0"),
        ("renaissance-phase2", "pick", {"distribution": 1}, "distribution is 1"),
        ("renaissance-phase1", "place_marker", {"supply": [24, 0]}, "markers of each player"),
        ("renaissance-phase1", "place_marker", {"turns": 2**31 - 1}, "turns 2147483647; expected at most"),
        ("renaissance-full-staged", "arrange", {"decision": 1}, "an adjustment, though a polyomino fits"),
        ("renaissance-full-random", "place_marker", {"adjustments": 1}, "1 adjustments; expected at most 0"),
        ("renaissance-full-staged", "move_marker", {"hands": 0}, "score|left out"),
        ("renaissance-full-staged", "relocate", {"undo": 8 * 3 + 4}, "no marker has made"),
    ]


@pytest.mark.parametrize(("variant", "decision", "fields", "message"), renaissance_cases())
def test_positions_of_renaissance_that_cannot_be(variant, decision, fields, message):
    game = game_of(variant)
    start = find(game, decision)
    game.check_state(start[0])
    with pytest.raises(ValueError, match=message):
        game.check_state(changed(start, **fields))


def test_whoever_is_to_act_in_phase_1_has_a_use_for_a_marker():
    """All 24 of his markers lie; the opponent has some, and so would be asked. Observations were below 0."""
    game = game_of("renaissance-phase1")
    for states, mask in random_games(game, 60):
        state = states[0].copy()
        if (
            mask.any()
            and state.decision == game.decisions.index("place_marker")
            and state.supply[1 - state.player] == 0
        ):
            state.player = 1 - state.player
            with pytest.raises(ValueError, match="no use for a marker"):
                game.check_state(state)
            return
    raise AssertionError("no random game in which one has no markers left")


@every_variant
def test_turns_do_not_wrap(variant):
    """The counters are bounded by what can have been played."""
    game = game_of(variant)
    for states, _ in random_games(game, 1):
        for turns in (2**31 - 1, game.max_decisions + 1):
            with pytest.raises(ValueError, match="turns"):
                game.check_state(changed(states, turns=turns))


@every_variant
def test_texts_name_actions_of_the_form(variant):
    """What the other form calls an action is refused, or one of this form's; never a number outside of the space."""
    game = game_of(variant)
    forms = [game]
    if "turns" in game.parameters:
        forms += [make_game(game.name, **{**game.parameters, "turns": turns}) for turns in ("staged", "joint")]
    for form in forms:
        for states, mask in random_games(form, 1):
            text = form.notation.action_to_text(states[0], int(mask.argmax()))
            with contextlib.suppress(ValueError):
                number = game.notation.text_to_action(game.new_states(1, [0])[0], text)
                assert 0 <= number < game.num_actions
            if form != game:
                with contextlib.suppress(ValueError):
                    game.text_to_history(game.new_states(1, [0]), text)


def test_the_staged_form_of_renaissance_knows_no_joint_action():
    game = game_of("renaissance-full-staged")
    start = game.new_states(1, [0])
    for ask in (partial(game.notation.text_to_action, start[0]), partial(game.text_to_history, start)):
        with pytest.raises(ValueError, match="two actions of turns='staged'; expected one"):
            ask("D a1 b1, move c4 NE")


@pytest.mark.parametrize("variant", ["scalas-5", "scalas-6", "scalas-7"])
def test_a_forfeited_game_of_scalas_keeps_its_places_in_its_text(variant):
    game = game_of(variant)
    for states, mask in random_games(game, 3):
        if mask.any():
            state = states[0].copy()
            end_game(state, TERMINATED, 1 - state.player, ILLEGAL_ACTION)
            assert (
                game.state_from_text(game.notation.state_to_text(state)).tobytes() == game.check_state(state).tobytes()
            )


@every_variant
def test_an_end_is_one_by_the_rules(variant):
    """A running game that is said to be over, by whichever reason but a forfeit, is refused.

    Where only a move is missing, the position may be an end by itself.
    """
    game = game_of(variant)
    for states, mask in random_games(game, 1):
        for reason in range(1, len(game.reasons)):
            for winner in (0, 1, NOBODY):
                state = states[0].copy()
                end_game(state, TERMINATED, winner, reason)
                if mask.any() and "move" not in game.decisions[states[0].decision]:
                    with pytest.raises(ValueError, match=" "):
                        game.check_state(state)


@every_variant
def test_accepted_records_keep_every_promise(variant):
    """Records of which one to three fields were changed."""
    game, rng = game_of(variant), np.random.default_rng(1)
    pool, accepted = pool_of(game, 0), 0
    for state in pool[::6]:
        check_position(game, state.reshape(1), game.mask(state.reshape(1)), True)
    for _ in range(TRIES):
        states = corrupted(pool, rng)
        try:
            game.check_state(states[0])
        except ValueError:
            continue
        check_promises(game, states, rng)
        accepted += 1
    assert accepted


@every_variant
def test_accepted_texts_keep_every_promise(variant):
    """Texts of positions with one to three changes."""
    game, rng = game_of(variant), np.random.default_rng(2)
    texts = [game.notation.state_to_text(state) for state in pool_of(game, 1)]
    accepted = 0
    for _ in range(TRIES):
        one, other = rng.integers(len(texts), size=2)
        text = corrupted_text(texts[one], texts[other], rng)
        try:
            state = game.state_from_text(text)
        except ValueError:
            continue
        check_promises(game, np.array([state], game.template.dtype), rng)
        accepted += 1
    assert accepted
