"""The distribution that normalises once says what sb3-contrib's says."""

import copy

import pytest
import torch
from nakajima_zoo.learning.masked_policy import MaskedPolicy, MaskedSoftmaxDistribution
from nakajima_zoo.players.models import PolicyPlayer
from nakajima_zoo.players.networks import draw
from nakajima_zoo.wrappers.sb3 import BatchVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from torch.overrides import TorchFunctionMode
from zoo import game_of

ROWS, ACTIONS = 6, 9


def both(logits, mask):
    """Ours and sb3-contrib's, of the same logits."""
    found = []
    for kind in (MaskedSoftmaxDistribution, MaskableCategoricalDistribution):
        leaf = logits.clone().requires_grad_()
        distribution = kind(ACTIONS).proba_distribution(leaf)
        distribution.apply_masking(mask)
        found.append((leaf, distribution))
    return found


@pytest.mark.parametrize("masked", [True, False])
def test_same_as_sb3_contrib(masked):
    """Probabilities, entropy, best action, and the gradients of a loss of all of them."""
    torch.manual_seed(0)
    logits = 5 * torch.randn(ROWS, ACTIONS)
    mask = (torch.rand(ROWS, ACTIONS) < 0.4).numpy() if masked else None
    if masked:
        mask[:, 2] = True
        mask[0] = [action == 2 for action in range(ACTIONS)]
    results = []
    for leaf, distribution in both(logits, mask):
        log_prob, entropy = distribution.log_prob(torch.full((ROWS,), 2)), distribution.entropy()
        (log_prob.sum() + 0.3 * entropy.sum()).backward()
        results.append([log_prob, entropy, distribution.distribution.probs, leaf.grad])
        best = distribution.mode()
        assert (distribution.get_actions(deterministic=True) == best).all()
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    assert results[0][3].abs().sum() > 0


def test_a_mask_replaces_the_one_before():
    logits = torch.zeros(1, ACTIONS)
    distribution = MaskedSoftmaxDistribution(ACTIONS).proba_distribution(logits)
    for allowed in (3, 5):
        mask = torch.arange(ACTIONS) == allowed
        distribution.apply_masking(mask.numpy())
        assert distribution.distribution.probs.argmax() == allowed
        assert distribution.entropy().item() == 0
        assert distribution.sample().item() == allowed
    distribution.apply_masking(None)
    torch.testing.assert_close(distribution.distribution.probs, torch.full((1, ACTIONS), 1 / ACTIONS))


def test_logits_that_are_no_numbers_are_refused():
    """As sb3-contrib does: a policy that has diverged must not be taken for one that plays badly."""
    mask = (torch.arange(ACTIONS) < 5).repeat(ROWS, 1).numpy()
    for value in (float("nan"), float("inf")):
        logits = torch.zeros(ROWS, ACTIONS)
        logits[3, 4] = value
        distribution = MaskedSoftmaxDistribution(ACTIONS).proba_distribution(logits)
        distribution.apply_masking(mask)
        for use in (distribution.sample, distribution.mode, distribution.entropy):
            with pytest.raises(ValueError, match="not finite"):
                use()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("scale", [1.0, -1e4])
def test_numbers_of_every_precision(dtype, scale):
    """Nothing illegal is drawn, however low the legal logits are, and entropies are finite."""
    torch.manual_seed(0)
    mask = torch.rand(ROWS, ACTIONS) < 0.4
    mask[:, 2] = True
    logits = torch.full((ROWS, ACTIONS), scale, dtype=dtype) + torch.randn(ROWS, ACTIONS).to(dtype)
    distribution = MaskedSoftmaxDistribution(ACTIONS).proba_distribution(logits)
    distribution.apply_masking(mask.numpy())
    for actions in (distribution.sample(), distribution.mode()):
        assert mask.gather(1, actions[:, None]).all()
    assert distribution.entropy().isfinite().all() and (distribution.distribution.probs[~mask] == 0).all()


def test_draws_follow_the_probabilities():
    torch.manual_seed(1)
    logits = torch.tensor([[0.0, 1.0, 2.0, 9.0]]).log().repeat(20_000, 1)
    distribution = MaskedSoftmaxDistribution(4).proba_distribution(logits)
    distribution.apply_masking(torch.tensor([True, True, True, False]).repeat(20_000, 1).numpy())
    counts = torch.bincount(distribution.sample(), minlength=4) / 20_000
    torch.testing.assert_close(counts, torch.tensor([0, 1 / 3, 2 / 3, 0]), rtol=0, atol=0.02)


class WithoutDouble(TorchFunctionMode):
    """A device that has no double precision, as Apple's MPS."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        if isinstance(found, torch.Tensor) and found.dtype == torch.float64:
            raise TypeError("cannot convert to float64, which this device does not support")
        return found


@pytest.mark.parametrize("count", [9, 1347, 5000, 303_971])
def test_sampling_in_single_precision(count):
    """Sampling needed float64. Of many actions too, no masked one is drawn, and the others with their probabilities."""
    torch.manual_seed(2)
    mask = torch.rand(8, count) < 0.3
    mask[:, -1], mask[0, :-1], mask[1, 1:] = True, False, False
    mask[1, 0], mask[1, -1] = True, False
    logits = 3 * torch.randn(8, count)
    with WithoutDouble():
        distribution = MaskedSoftmaxDistribution(count).proba_distribution(logits)
        distribution.apply_masking(mask.numpy())
        for _ in range(50 if count < 10_000 else 10):
            actions = distribution.sample()
            assert mask.gather(1, actions[:, None]).all()
        assert actions[0] == count - 1 and actions[1] == 0
        assert distribution.log_prob(actions).isfinite().all() and distribution.entropy().isfinite().all()
    probs = torch.softmax(logits[2].masked_fill(~mask[2], -torch.inf), -1)
    draws = 4000 if count < 10_000 else 400
    rows = MaskedSoftmaxDistribution(count).proba_distribution(logits[2:3].expand(draws // 8, -1))
    rows.apply_masking(mask[2].repeat(draws // 8, 1).numpy())
    drawn = torch.cat([rows.sample() for _ in range(8)])
    likely = probs > probs.max() / 4  # the share of these, and of the first half, of all draws
    for chosen in (likely, torch.arange(count) < count // 2):
        share = probs[chosen].sum().item()
        assert abs(chosen[drawn].float().mean().item() - share) < 5 * (share * (1 - share) / draws) ** 0.5 + 1e-3


def test_rounding_draws_nothing_impossible(monkeypatch):
    """On devices that add up in parallel, sums may fall where nothing is added."""
    weights = torch.tensor([[0.5, 0.0, 0.5, 0.0]])
    monkeypatch.setattr(torch.Tensor, "cumsum", lambda self, dim: torch.tensor([[0.5, 0.5001, 0.5, 0.5002]]))
    for uniform in torch.linspace(0, 1, 5001):
        assert draw(weights, uniform.reshape(1, 1)).item() in (0, 2)


def test_learns_and_loads_again(tmp_path):
    """It begins as sb3-contrib's policy does, can be copied right after an update, and what was saved plays alike."""
    models = []
    for policy in (MaskedPolicy, "MlpPolicy"):
        env = BatchVecEnv(game_of("scalas-5"), 4)
        env.seed(0)
        models.append(MaskablePPO(policy, env, n_steps=8, batch_size=32, n_epochs=1, seed=0))
    first = [copy.deepcopy(model.policy.state_dict()) for model in models]
    assert all(torch.equal(first[0][name], weights) for name, weights in first[1].items())
    for model in models:
        copied = PolicyPlayer(model.learn(32).policy).policy
        assert type(copied) is type(model.policy) and copied.action_dist is not model.policy.action_dist
    models[0].save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip")
    assert isinstance(loaded.policy, MaskedPolicy)
    learned = models[0].policy.state_dict()
    assert all(torch.equal(weights, learned[name]) for name, weights in loaded.policy.state_dict().items())
    assert any(not torch.equal(weights, first[0][name]) for name, weights in learned.items())
