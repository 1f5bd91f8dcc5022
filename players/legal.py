"""For algorithms that know no masks: whatever they choose is made legal.

An illegal action is replaced by a legal one, and may cost a penalty. Where masks can be used, use them: the example
`masks_matter.py` shows the difference. (To let an illegal action lose the game instead, give `illegal_action="lose"`
to `SingleAgentEnv`, `BatchVectorEnv` or `BatchVecEnv`.)

`LegalEnv` is for Gymnasium, `sb3.LegalVecEnv` for Stable-Baselines3; `sb3.UnmaskedPlayer` plays what was trained so.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.batch import uniform_actions
from ..envs.core.checks import as_actions, check_choice
from ..envs.core.seeds import generator
from ..envs.core.types import Actions, Flags, Integers, Mask

REPLACEMENTS = ("next", "random")
CHANCE = 1  # beside a seed: what an environment draws from the same seed must not be the same numbers


class LegalActions:
    """Replaces what is illegal among actions. Counts: `asked`, actions looked at; `illegal`, those that were replaced.

    "next": the legal action with the next higher number, from the highest on to the lowest; so the same choice in the
    same position is always the same action, which can be learned. "random": any legal action, all equally likely.
    """

    def __init__(self, replace: str = "next", seed: int | None = None) -> None:
        """`replace`: one of REPLACEMENTS; `seed`: of "random". Raises ValueError for bad arguments."""
        check_choice("replace", replace, REPLACEMENTS)
        self.replace = replace
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`, and the counts from 0."""
        self.seed(seed)
        self.asked = self.illegal = 0

    def seed(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`; the counts go on."""
        self.rng = generator(seed, CHANCE)

    def __call__(self, actions: Integers, masks: Mask | Flags) -> Actions:
        """Legal actions, int64 (k,), for what was chosen, integers (k,), where `masks` (k, num_actions) hold.

        Raises ValueError for a row that allows nothing, for what is no integer, and for an action outside the action
        space.
        """
        legal: Actions = as_actions(actions, len(masks)).copy()
        num_actions = masks.shape[1]
        if not ((legal >= 0) & (legal < num_actions)).all():
            raise ValueError(f"actions {legal}; expected integers from 0 to {num_actions - 1}")
        rows = np.flatnonzero(masks[np.arange(len(legal)), legal] == 0)
        if rows.size:
            allowed = masks[rows].astype(np.int8)
            if not allowed.any(axis=1).all():
                raise ValueError(f"row {rows[allowed.any(axis=1).argmin()]} of the masks allows nothing")
            legal[rows] = self._replaced(legal[rows], allowed)
        self.asked += len(legal)
        self.illegal += rows.size
        return legal

    def _replaced(self, actions: Actions, allowed: Mask) -> Actions:
        if self.replace == "random":
            return uniform_actions(allowed, self.rng.random(len(actions)))
        numbers = np.arange(allowed.shape[1])
        above = allowed.astype(np.bool_) & (numbers > actions[:, None])
        next_legal: Actions = np.where(above.any(axis=1), above.argmax(axis=1), allowed.argmax(axis=1))
        return next_legal
