"""A policy for MaskablePPO that normalises its logits once. Needs the extra `train`.

sb3-contrib's own distribution works out a `logsumexp` when it is made, another one when it is masked, and over masked
logits that is slow: with a thousand actions, half the time of an update. Probabilities are the same.
"""

from __future__ import annotations

from functools import cached_property

from ..envs.core.extras import needs

with needs("train", "MaskedPolicy"):
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution, MaybeMasks
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.type_aliases import Schedule


FEW = 4096  # actions of which one is drawn by a single sum: each gets its probability within 0.03 %
BLOCK = 512  # of more actions, so many are summed at once


class MaskedSoftmax:
    """What a policy may do in k positions, of logits (k, num_actions) and a mask."""

    def __init__(self, logits: torch.Tensor) -> None:
        self.all_logits = self.logits = logits

    def apply_masking(self, masks: MaybeMasks) -> None:
        """Allow what is True in `masks`, bool, reshaped to (k, num_actions); None allows everything."""
        self.logits = self.all_logits
        if masks is not None:
            allowed = torch.as_tensor(masks, dtype=torch.bool, device=self.logits.device).reshape(self.logits.shape)
            lowest = torch.finfo(self.logits.dtype).min / 2  # finite, so that entropies are, but of probability 0
            self.logits = self.all_logits.masked_fill(~allowed, lowest)
        for name in ("log_probs", "probs"):
            vars(self).pop(name, None)

    @cached_property
    def log_probs(self) -> torch.Tensor:
        """Logarithms of the probabilities, (k, num_actions)."""
        return torch.log_softmax(self.logits, dim=-1)

    @cached_property
    def probs(self) -> torch.Tensor:
        """Probabilities, (k, num_actions): faster this way than by `exp` of large negative numbers.

        Raises ValueError if there are none, because logits are not finite.
        """
        probs = torch.softmax(self.logits, dim=-1)
        if not torch.isfinite(probs.sum()):
            raise ValueError("the policy's logits are not finite; expected numbers: the training has diverged")
        return probs

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """Of the actions, (k,)."""
        return self.log_probs.gather(-1, actions.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> torch.Tensor:
        """In nats, (k,)."""
        return -(self.probs * self.log_probs).sum(-1)

    def sample(self) -> torch.Tensor:
        """An action for each position, (k,): `torch.multinomial` takes several times as long.

        Of many actions in two draws, a block and an action of it: sums over few numbers are exact enough in single
        precision, which all devices have. What has probability 0 is never drawn.
        """
        probs = self.probs.float()
        n = probs.shape[-1]
        whole = n // BLOCK * BLOCK
        if n <= FEW:
            return draw(probs)
        sums = [probs[:, :whole].unflatten(1, (-1, BLOCK)).sum(-1), probs[:, whole:].sum(-1, keepdim=True)]
        places = draw(torch.cat(sums, 1)).unsqueeze(1) * BLOCK + torch.arange(BLOCK, device=probs.device)
        block = probs.gather(1, places.clamp(max=n - 1)) * (places < n)
        return places[:, 0] + draw(block)


def draw(weights: torch.Tensor) -> torch.Tensor:
    """The index of one of each row of weights, (k, m), by chance in proportion to them: (k,); none of weight 0.

    Where rounding has led to one of weight 0, the largest is taken.
    """
    sums = weights.cumsum(-1)
    drawn = torch.rand(len(sums), 1, dtype=sums.dtype, device=sums.device) * sums[:, -1:]
    found = torch.searchsorted(sums, drawn, right=True).clamp_(max=weights.shape[1] - 1)
    possible = weights.gather(1, found) > 0
    if not possible.all():
        found = torch.where(possible, found, weights.argmax(-1, keepdim=True))
    return found.squeeze(-1)


class MaskedSoftmaxDistribution(MaskableCategoricalDistribution):
    """sb3-contrib's distribution of actions, on a `MaskedSoftmax`."""

    def proba_distribution(self, action_logits: torch.Tensor) -> MaskedSoftmaxDistribution:
        """Take new logits, in place."""
        self.distribution = MaskedSoftmax(action_logits.view(-1, self.action_dim))
        return self


class MaskedPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's "MlpPolicy" on a `MaskedSoftmax`: `MaskablePPO(MaskedPolicy, env)`."""

    def _build(self, lr_schedule: Schedule) -> None:
        """As in SB3, with the other distribution."""
        self.action_dist = MaskedSoftmaxDistribution(self.action_space.n)
        super()._build(lr_schedule)
