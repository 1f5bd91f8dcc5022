"""A policy for MaskablePPO that normalises its logits once. Needs the extra `train`.

sb3-contrib's own distribution works out a `logsumexp` when it is made, another one when it is masked, and over masked
logits that is slow: with a thousand actions, half the time of an update. Probabilities are the same.
"""

from __future__ import annotations

from functools import cached_property

from ..envs.core.extras import needs
from ..players.networks import draw_actions

with needs("train", "MaskedPolicy"):
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution, MaybeMasks
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.type_aliases import Schedule


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
        """An action for each position, (k,): `torch.multinomial` takes several times as long."""
        return draw_actions(self.probs, torch.rand(2, len(self.probs), 1, device=self.probs.device))


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
