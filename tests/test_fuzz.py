"""Public functions with whatever there is: each gives a right result, or says in words what was wrong.

Anything else fails: another kind of error, a warning, and of course a crash. Quick in the suite, and always the same;
100 000 inputs, other ones every time:

    FUZZ=100000 python -m pytest tests/test_fuzz.py
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from nakajima_zoo.arena import Recording, play_games, score
from nakajima_zoo.envs import as_game, make_game, masks, observations, parameters_of, register_game, variant_game
from nakajima_zoo.envs.core.batch import Batch
from nakajima_zoo.envs.core.env import BoardGameEnv, GameWrapper
from nakajima_zoo.learning import SeatBatch
from nakajima_zoo.players import (
    FunctionPlayer,
    GreedyPlayer,
    League,
    MCTSPlayer,
    NetworkSearch,
    NetworkSearchPlayer,
    Positions,
    RandomPlayer,
    choose_legal,
    make_player,
    register_player,
)
from nakajima_zoo.wrappers import BatchVectorEnv, LegalEnv, SingleAgentEnv
from zoo import VARIANTS, game_of, random_games

INPUTS = int(os.environ.get("FUZZ", 0))
WORDS = ValueError, TypeError, RuntimeError
MANY = 64  # games that a test may ask for

SMALL = [name for name in VARIANTS if game_of(name).num_actions < 20_000]
games = st.sampled_from(SMALL).map(game_of)
every_game = st.sampled_from(list(VARIANTS)).map(game_of)

texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["random", "greedy", "mcts:3", "mcts(cut=0)", "scalas(size=6)", "scalas(size={[]})", "player_0", "raise"]
    ),
)
numbers = st.one_of(
    st.integers(-3, 30),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.complex_numbers(),
    st.sampled_from(
        [np.int8(3), np.uint64(2**64 - 1), np.float16(1), np.bool_(1), np.timedelta64(3, "s"), np.datetime64(3, "s")]
    ),
)
shapes = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
dtypes = st.one_of(arrays.integer_dtypes(), arrays.floating_dtypes(), arrays.boolean_dtypes())
many = arrays.arrays(dtypes, shapes)
tensors = st.sampled_from(
    [torch.tensor(3), torch.tensor([1, 2]), torch.tensor(0.5, requires_grad=True), torch.tensor([True])]
)
junk = st.one_of(
    st.none(),
    numbers,
    texts,
    st.binary(max_size=8),
    many,
    tensors,
    st.lists(numbers, max_size=4),
    st.dictionaries(texts, numbers, max_size=2),
    st.builds(object),
    st.sampled_from([range(2), slice(0, 2), {1, 2}, (1, 2), int]),
)


@cache
def positions_of(game):
    """Positions of a random game, the final one included, as (1,) records."""
    found = [states for states, _ in random_games(game, 1, seed=1)]
    return [*found[:: max(1, len(found) // 12)], found[-1]]


@st.composite
def records(draw, game):
    """An array of records: real ones, damaged ones, random bytes, other shapes and kinds, or no such thing."""
    one = draw(st.sampled_from(positions_of(game))).copy()
    kind = draw(st.integers(0, 9))
    if kind <= 2:
        return one
    if kind == 3:
        return np.frombuffer(one.tobytes(), game.template.dtype)
    if kind == 4:
        return np.frombuffer(draw(st.binary(min_size=one.nbytes, max_size=one.nbytes)), game.template.dtype)
    if kind == 5:
        one["joint"] ^= 1
        return one
    if kind == 6:
        return draw(st.sampled_from([one[0], one.reshape(1, 1), one[:0], np.repeat(one, 5)[::2], game.blank_states(2)]))
    if kind == 7:
        return positions_of(game_of("scalas-6"))[0]
    if kind == 8:
        return np.repeat(one, 2)
    return draw(junk)


@st.composite
def damaged(draw, game):
    """A record for functions that check the whole position: some bytes of a real one are others."""
    one = draw(st.sampled_from(positions_of(game))).copy()
    view = one.view(np.uint8)
    for at in draw(st.lists(st.integers(0, view.size - 1), max_size=3)):
        view[at] = draw(st.sampled_from([0, 1, 2, 255, 127, 128]))
    return one[0]


@st.composite
def broken_texts(draw, game):
    """The text of a position, with something else in it."""
    text = game.notation.state_to_text(draw(st.sampled_from(positions_of(game)))[0])
    start = draw(st.integers(0, len(text)))
    return text[:start] + draw(st.text("0123456789 -.;,abr\n", max_size=3)) + text[start + draw(st.integers(0, 3)) :]


def some(count):
    """`count` things, or one that is none."""
    return count if isinstance(count, int | np.integer) and count <= MANY else min(MANY, hash(str(count)) % 3 - 1)


# Ways in: each takes `draw` and a game. What it returns without an error is held to be right by its own assertions.


def game_mask(draw, game):
    states, row = draw(records(game)), draw(st.one_of(st.just(0), junk))
    mask = game.mask(states, row)
    assert mask.any() == (states[row].status == 0)


def game_observation(draw, game):
    seen = game.observation(
        draw(records(game)), draw(st.one_of(st.integers(0, 1), junk)), draw(st.one_of(st.just(0), junk))
    )
    assert seen.shape == game.observation_shape


def game_play(draw, game):
    states, action = draw(records(game)), draw(st.one_of(st.integers(0, game.num_actions), junk))
    legal = game.mask(states)
    game.play(states, action)
    assert legal[int(np.asarray(action).item())] == 1


def game_others(draw, game):
    use = draw(
        st.sampled_from(
            [
                lambda: masks(game, draw(records(game))),
                lambda: observations(game, draw(records(game)), draw(junk)),
                lambda: game.new_states(some(draw(numbers)), draw(junk)),
                lambda: game.new_states(draw(st.one_of(texts, st.none(), many))),
                lambda: game.seed(draw(records(game)), draw(junk)),
                lambda: game.history_to_text(draw(records(game)), draw(st.lists(numbers, max_size=3))),
                lambda: game.text_to_history(draw(records(game)), draw(texts)),
                lambda: game.last_turn(draw(records(game)), draw(st.lists(numbers, max_size=3))),
                lambda: game.result(draw(st.one_of(damaged(game), junk))),
                lambda: game.notation.text_to_action(positions_of(game)[0][0], draw(texts)),
            ]
        )
    )
    use()


def game_state(draw, game):
    """A record that is accepted can be played on."""
    states = game.check_state(draw(st.one_of(damaged(game), records(game))))
    mask = game.mask(states)
    if mask.any():
        game.play(states, int(mask.argmax()))


def game_text(draw, game):
    state = game.state_from_text(draw(st.one_of(broken_texts(game), junk)))
    assert game.state_from_text(game.notation.state_to_text(state)).tobytes() == state.tobytes()


def names(draw, game):
    word, value = draw(st.one_of(texts, junk)), draw(junk)
    use = draw(
        st.sampled_from(
            [
                lambda: make_game(word),
                lambda: as_game(word),
                lambda: make_game(game.name, **{draw(st.sampled_from([*game.parameters, "sise"])): value}),
                lambda: variant_game(word),
                lambda: parameters_of(word),
                lambda: register_game(value, word) if not isinstance(word, str) else None,
                lambda: register_player(value, word) if not isinstance(value, str) else None,
                lambda: make_player(word, value),
            ]
        )
    )
    use()


def env(draw, game):
    raw = BoardGameEnv(game)
    made = draw(st.sampled_from([raw, GameWrapper(raw)]))
    if draw(st.integers(0, 4)):
        made.reset(seed=1, options={"state": draw(st.sampled_from(positions_of(game)))})
    options = st.one_of(
        st.none(), junk, st.dictionaries(st.sampled_from(["state", "actions", *game.options, "x"]), junk)
    )
    before = raw.get_state().tobytes() if raw._begun else None
    use = draw(
        st.sampled_from(
            [
                lambda: raw.step(draw(junk)),
                lambda: raw.step(draw(st.integers(-1, game.num_actions))),
                lambda: raw.reset(seed=draw(junk), options=draw(options)),
                lambda: raw.reset(options={"state": draw(st.one_of(damaged(game), records(game)))}),
                lambda: raw.observe(draw(st.one_of(texts, junk))),
                lambda: raw.legal_actions(draw(st.one_of(texts, junk))),
                lambda: raw.observation_space(draw(texts)),
                lambda: raw.action_to_text(draw(st.one_of(st.integers(-1, game.num_actions), junk))),
                lambda: raw.text_to_action(draw(st.one_of(texts, junk))),
                lambda: raw.from_text(draw(st.one_of(broken_texts(game), junk))),
                lambda: raw.text_to_history(draw(st.one_of(texts, junk))),
                lambda: BoardGameEnv(game, draw(texts)),
                lambda: GameWrapper(raw, draw(junk)),
                raw.forfeit,
                raw.state,
                raw.render,
            ]
        )
    )
    try:
        use()
    except WORDS:
        assert before is None or raw.get_state().tobytes() == before, "an error has changed the game"
        raise


def batch(draw, game):
    lax = draw(st.booleans())
    made = Batch(game, 2, illegal_action="lose" if lax else "raise")
    if draw(st.integers(0, 4)):
        made.reset(0)
    use = draw(
        st.sampled_from(
            [
                lambda: Batch(game, some(draw(numbers)), options=draw(junk), illegal_action=draw(texts)),
                lambda: Batch(game, 2, num_threads=some(draw(numbers)), action_mask=draw(junk), observation=draw(junk)),
                lambda: made.reset(draw(junk)),
                lambda: made.step(draw(st.one_of(junk, st.lists(st.integers(-1, game.num_actions), max_size=3)))),
                lambda: made.step(draw(junk), draw(junk)),
                lambda: made.final_observation(draw(junk), draw(junk)),
            ]
        )
    )
    before = made.states.tobytes()
    try:
        use()
    except WORDS:
        assert made.states.tobytes() == before, "an error has changed a game"
        raise


def positions(draw, game):
    player = draw(
        st.sampled_from([RandomPlayer(0), GreedyPlayer(0), MCTSPlayer(2, cut=3, seed=0), League([RandomPlayer(1)])])
    )
    more = draw(st.sampled_from([{}, {"rows": draw(junk)}, {"observation": draw(junk)}, {"action_mask": draw(junk)}]))
    asked = Positions(game, draw(records(game)), **more)
    if "action_mask" in more:
        return
    actions = choose_legal(player, asked)
    assert masks(game, asked.states)[np.arange(len(actions)), actions].all()


def players(draw, game):
    value = draw(junk)
    asked = Positions(game, game.new_states(2, [0, 1]))
    use = draw(
        st.sampled_from(
            [
                lambda: choose_legal(FunctionPlayer(lambda seen, mask: value), asked),
                lambda: MCTSPlayer(draw(junk)),
                lambda: MCTSPlayer(2, exploration=value, cut=2).choose(asked),
                lambda: MCTSPlayer(2, cut=value),
                lambda: MCTSPlayer(2, cut=3, num_threads=some(value), seed=draw(junk)).choose(asked),
                lambda: RandomPlayer(value),
                lambda: GreedyPlayer().reset(value),
                lambda: League([RandomPlayer()], value).choose(asked),
                lambda: League([RandomPlayer()]).add(RandomPlayer(), value),
                lambda: RandomPlayer().act(value),
                lambda: NetworkSearchPlayer(lambda seen, mask: value, 2).choose(asked),
                lambda: play_games(game_of("scalas-5"), value, 2) if not isinstance(value, str) else None,
            ]
        )
    )
    use()


def search(draw, game):
    def judge(seen, mask):
        priors, values = mask.astype(np.float32), np.zeros(len(mask), np.float32)
        fault = draw(st.integers(0, 6))
        if fault == 0:
            priors[draw(st.integers(0, len(mask) - 1))] = draw(st.floats(width=32))
        elif fault == 1:
            values[0] = draw(st.floats(width=32))
        elif fault == 2:
            return draw(junk)
        elif fault == 3:
            priors, values = draw(junk), draw(junk)
        return priors, values

    n = draw(st.integers(1, 3))
    made = NetworkSearch(game, n, draw(st.integers(1, 4)), draw(st.one_of(st.just(1.5), numbers)))
    rng = draw(st.one_of(st.just(np.random.default_rng(0)), junk))
    actions, visits = made.run(draw(records(game)), judge, rng, draw(st.one_of(st.just(0.2), numbers)))
    assert visits.sum() == n * made.simulations and (actions >= 0).all()


def seats(draw, game):
    use = draw(
        st.sampled_from(
            [
                lambda: SeatBatch(game, 2, draw(texts), draw(junk)),
                lambda: SeatBatch(game, 2, shaping=draw(junk)),
                lambda: SeatBatch(game, 2).reset(draw(junk)),
                lambda: SeatBatch(game, 2).step(draw(junk)),
                lambda: BatchVectorEnv(game, 2).step(draw(junk)),
                lambda: BatchVectorEnv(game, 2).reset(seed=draw(junk)),
                lambda: single(game).step(draw(junk)),
                lambda: single(game).reset(seed=draw(junk), options=draw(junk)),
                lambda: SingleAgentEnv(game, draw(texts), draw(junk), illegal_action=draw(texts)),
                lambda: LegalEnv(single(game), draw(texts), draw(junk)),
                lambda: LegalEnv(single(game)).step(draw(junk)),
            ]
        )
    )
    use()


def single(game):
    made = SingleAgentEnv(game, RandomPlayer(0))
    made.reset(seed=0)
    return made


def kept(draw, game):
    text = st.one_of(
        texts,
        st.binary(max_size=30),
        st.sampled_from(["[" * 3000, '{"game": 1}', '{"game": "scalas(size=5)", "actions": [1e3]}']),
    )
    use = draw(
        st.sampled_from(
            [
                lambda: Recording.from_json(draw(text)),
                lambda: score(draw(records(game)), draw(st.integers(0, 1))),
            ]
        )
    )
    use()


WAYS = (
    game_mask,
    game_observation,
    game_play,
    game_others,
    game_state,
    game_text,
    names,
    env,
    batch,
    positions,
    players,
    search,
    seats,
    kept,
)


@pytest.mark.parametrize("way", WAYS)
def test_any_input_gives_a_result_or_words(way):
    count = max(1, INPUTS // len(WAYS)) if INPUTS else 90

    @settings(
        max_examples=count,
        derandomize=not INPUTS,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data(), game=games)
    def run(data, game):
        try:
            way(data.draw, game)
        except WORDS:
            pass
        except FileNotFoundError:
            assert way is names

    run()
