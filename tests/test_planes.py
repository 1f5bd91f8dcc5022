"""Action planes, and the policy that stands on them."""

import numpy as np
import pytest
import torch
from nakajima_zoo.envs.renaissance import board
from nakajima_zoo.envs.tsukiji import rules
from nakajima_zoo.learning.board_policy import BoardPolicy, PlanesHead, board_kwargs
from nakajima_zoo.players.base import Positions
from nakajima_zoo.players.models import ModelPlayer
from nakajima_zoo.wrappers.sb3 import BatchVecEnv
from sb3_contrib import MaskablePPO
from zoo import VARIANTS, every_variant, game_of

WITH_PLANES = ("scalas-5", "tsukiji-staged", "renaissance-full-staged")


@every_variant
def test_every_action_has_a_place_of_its_own(variant):
    game = game_of(variant)
    planes = game.action_planes
    if VARIANTS[variant][0] == "ring_world" or "joint" in variant:
        assert planes is None
        return
    squares = game.observation_shape[0] * game.observation_shape[1]
    assert planes.places.shape == (game.num_actions,) and planes.places.min() >= 0
    assert len(set(planes.places.tolist())) == game.num_actions
    assert set((planes.places // squares).tolist()) == set(range(planes.num_planes))


def test_the_number_of_planes():
    """6 shapes of land x 3 buildings, 2 x (building + 2 bridges), 3 marked, nothing, move; and so on."""
    assert game_of("scalas-7").action_planes.num_planes == 1
    assert game_of("tsukiji-staged").action_planes.num_planes == 18 + 6 + 3 + 1 + 1
    assert game_of("renaissance-full-staged").action_planes.num_planes == 27 + 2 + 4 + 1 + 8 + 8


@pytest.mark.parametrize(
    ("variant", "first", "pieces", "copies"),
    [
        ("tsukiji-staged", rules.SHIP_LAND, rules.PLACEMENT_SQUARES.tolist(), 3),
        ("renaissance-full-staged", 0, board.PLACEMENTS, 1),
    ],
)
def test_on_one_plane_a_piece_is_shifted_only(variant, first, pieces, copies):
    """Two placements on one plane differ by the shift between their squares of the plane."""
    game = game_of(variant)
    columns = game.observation_shape[1]
    squares = columns * game.observation_shape[0]
    seen = {}
    for number, piece in enumerate(pieces):
        plane, square = divmod(int(game.action_planes.places[first + copies * number]), squares)
        cells = {(cell // columns - square // columns, cell % columns - square % columns) for cell in piece}
        assert seen.setdefault(plane, cells) == cells


def test_the_head_puts_every_logit_in_its_place():
    """The logit of an action is the plane's weights applied to the features of its square, and nothing else."""
    game = game_of("tsukiji-staged")
    head = PlanesHead(game.action_planes, 64, 5)
    features = torch.rand(2, 64, 5)
    logits = head(features.flatten(1))
    for action in (0, 3, 700, 900, 1263):
        plane, square = divmod(int(game.action_planes.places[action]), 64)
        expected = features[:, square] @ head.planes.weight[plane] + head.planes.bias[plane]
        assert torch.allclose(logits[:, action], expected, atol=1e-6)


@pytest.mark.parametrize("variant", WITH_PLANES)
def test_a_board_policy_trains_and_is_loaded_again(variant, tmp_path):
    game = game_of(variant)
    model = MaskablePPO(
        BoardPolicy, BatchVecEnv(game, 4), n_steps=8, batch_size=16, seed=0, policy_kwargs=board_kwargs(game, width=8)
    )
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(64)
    changed = [not torch.equal(old, new) for old, new in zip(before, model.policy.parameters(), strict=True)]
    assert all(changed)
    model.save(tmp_path / "model.zip")
    states = game.new_states(6, range(6))
    for deterministic in (True, False):
        chosen = []
        for player in (ModelPlayer(model, deterministic), ModelPlayer(tmp_path / "model.zip", deterministic)):
            player.reset(0)
            chosen.append(player.choose(Positions(game, states)))
        assert np.array_equal(*chosen)


def test_a_board_policy_needs_planes():
    for variant in ("tsukiji-joint", "ring_world-L3-joint"):
        with pytest.raises(ValueError, match="has no action planes"):
            board_kwargs(game_of(variant))
