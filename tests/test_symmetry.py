"""Symmetries, over all games and variants: a game and its image, played in parallel, stay images of each other."""

from __future__ import annotations

import time

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.game import Game
from nakajima_zoo.envs.core.record import NOBODY
from nakajima_zoo.envs.core.symmetry import Symmetry
from nakajima_zoo.learning.augment import augment, augment_at_random
from zoo import VARIANTS, every_variant, game_of, random_action, random_games

COUNTS = {"scalas": 8, "ring_world": 8, "tsukiji": 4, "renaissance": 8}


def chance_options(game: Game, symmetry: Symmetry) -> tuple[dict, dict]:
    """Reset options that take the place of chance, which knows no symmetry; for a game and for its image."""
    if game.name != "renaissance":
        return {}, {}
    if game.parameters["variant"] == "phase2":
        given = {"hands": [[4, 2, 1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1]]}
        return given, given
    states = Game.new_states(random_setup(game), 1, [3])
    placements = np.unique(states[0].cover[states[0].cover >= 0])
    name = "arrangement" if game.parameters["setup"] == "random" else "fallback"
    return {name: placements}, {name: np.sort(symmetry.action[placements])}


def random_setup(game: Game) -> Game:
    from nakajima_zoo.envs.core.registry import make_game

    return make_game(game.name, **{**game.parameters, "setup": "random"})


def two_games(game: Game, symmetry: Symmetry) -> tuple[np.ndarray, np.ndarray]:
    """A game and its image, each (1,); past the setup where the image begins with the other player."""
    pair = game.blank_states(1), game.blank_states(1)
    for states, options in zip(pair, chance_options(game, symmetry), strict=True):
        game.seed(states, [0])
        game.give_options(states, options)
        loops.reset_all(states)
    if symmetry.swaps_players:
        for states, choices in zip(pair, ((0, 2), (2, 0)), strict=True):
            for choice in choices:
                game.play(states, choice)
        pair[1]["player"] = 1 - pair[1]["player"]
    return pair


def other(player: int, symmetry: Symmetry) -> int:
    return 1 - player if symmetry.swaps_players and player != NOBODY else player


CASES = [(variant, number) for variant in VARIANTS for number in range(1, COUNTS[VARIANTS[variant][0]])]


@pytest.mark.parametrize(("variant", "number"), CASES)
def test_a_game_and_its_image(variant, number):
    """C1: at every decision, and at the end, the image has the mapped mask and the mapped observations."""
    game = game_of(variant)
    symmetry, rng = game.symmetries[number], np.random.default_rng(number)
    here, there = two_games(game, symmetry)
    every = 1 if game.num_actions < 10_000 else 8
    ply = 0
    while True:
        mask = game.mask(here)
        action = random_action(mask, rng) if mask.any() else 0
        if ply % every == 0 or not mask.any():
            for player in (0, 1):
                seen = game.observation(here, player)[None]
                image, image_mask, image_action = augment(seen, mask[None], np.array([action]), symmetry)
                assert np.array_equal(image[0], game.observation(there, other(player, symmetry)))
                assert np.array_equal(image_mask[0], game.mask(there))
        else:
            seen = game.observation(here, int(here[0].player))[None]
            _, _, image_action = augment(seen, mask[None], np.array([action]), symmetry)
        assert there[0].player == other(here[0].player, symmetry)
        if not mask.any():
            break
        game.play(here, action)
        game.play(there, int(image_action[0]))
        ply += 1
    assert ply > 5
    assert there[0].winner == other(here[0].winner, symmetry)
    scores = here[0].scores[::-1] if symmetry.swaps_players else here[0].scores
    for name in ("status", "reason", "turns"):
        assert here[0][name] == there[0][name]
    assert np.array_equal(scores, there[0].scores)


@every_variant
def test_symmetries_are_a_group(variant):
    """The identity is first; all differ; one after another is one of them again, and so is the way back."""
    game = game_of(variant)
    symmetries = game.symmetries
    assert game.symmetries is symmetries and len(symmetries) == COUNTS[game.name]
    assert len({symmetry.name for symmetry in symmetries}) == len(symmetries)
    first = symmetries[0]
    assert first.name == "identity" and not first.swaps_players
    assert np.array_equal(first.observation, np.arange(np.prod(game.observation_shape)))
    assert np.array_equal(first.action, np.arange(game.num_actions))
    maps = {(each.observation.tobytes(), each.swaps_players): each for each in symmetries}
    assert len(maps) == len(symmetries)
    for one in symmetries:
        assert np.array_equal(one.action[one.mask], first.action)
        with pytest.raises(ValueError, match="read-only"):
            one.action[0] = 1
        for two in symmetries:
            both = maps[one.observation[two.observation].tobytes(), one.swaps_players ^ two.swaps_players]
            assert np.array_equal(both.action, two.action[one.action])


@every_variant
def test_augment_is_for_batches(variant):
    """Shapes and dtypes stay, flattened or not; what was legal stays legal; the arrays given are not written into."""
    game, rng = game_of(variant), np.random.default_rng(0)
    positions = [(states, mask) for states, mask in random_games(game, 1, seed=2) if mask.any()][::9]
    observation = np.stack([game.observation(states, int(states[0].player)) for states, _ in positions])
    masks = np.stack([mask for _, mask in positions])
    actions = np.array([random_action(mask, rng) for mask in masks])
    before = observation.tobytes(), masks.tobytes(), actions.tobytes()
    rows = np.arange(len(actions))
    for symmetry in game.symmetries:
        seen, mask, action = augment(observation, masks, actions, symmetry)
        assert (seen.shape, seen.dtype) == (observation.shape, observation.dtype)
        assert (mask.shape, mask.dtype) == (masks.shape, masks.dtype)
        assert mask[rows, action].all() and np.array_equal(mask.sum(axis=1), masks.sum(axis=1))
        flat, mask_again, action_again = augment(observation.reshape(len(rows), -1), masks, actions, symmetry)
        assert flat.shape == (len(rows), observation[0].size) and flat.tobytes() == seen.tobytes()
        assert np.array_equal(mask_again, mask) and np.array_equal(action_again, action)
        policy = masks / masks.sum(axis=1, keepdims=True)
        assert np.allclose(augment(observation, policy, actions, symmetry)[1].sum(axis=1), 1)
    _, mask, action = augment_at_random(game, observation, masks, actions, rng)
    assert mask[rows, action].all() and np.array_equal(mask.sum(axis=1), masks.sum(axis=1))
    assert (observation.tobytes(), masks.tobytes(), actions.tobytes()) == before


def test_take_offs_are_named_by_the_image():
    """The first square of a polyomino's image may be the image of another square of it."""
    game = game_of("renaissance-full-staged")
    found = 0
    for states, mask in random_games(game, 30, seed=0):
        if mask.any() and game.decisions[states[0].decision] == "take_off":
            action = np.array([int(np.flatnonzero(mask)[0])])
            seen = game.observation(states, int(states[0].player))[None]
            for symmetry in game.symmetries:
                _, image_mask, image_action = augment(seen, mask[None], action, symmetry)
                assert image_mask.sum() == mask.sum() and image_mask[0, image_action[0]]
                found += int(image_action[0] != symmetry.action[action[0]])
    assert found


def test_large_spaces_are_quick():
    """All symmetries of 303 971 actions are worked out within seconds, and 32 positions are mapped in a moment."""
    game = random_setup(game_of("renaissance-full-joint"))
    start = time.perf_counter()
    symmetry = game.symmetries[5]
    assert time.perf_counter() - start < 10
    observation, masks = np.zeros((32, *game.observation_shape), np.float32), np.zeros((32, game.num_actions), np.int8)
    start = time.perf_counter()
    augment(observation, masks, np.zeros(32, np.int64), symmetry)
    assert time.perf_counter() - start < 2
