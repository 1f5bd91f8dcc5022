"""A mask that nobody uses is silent: games end at once, and lost. Whoever forfeits games for it says so, once."""

from __future__ import annotations

import warnings

IN_A_ROW = 10  # games that ended by an illegal action, one after the other: no player with masks has a single one

MESSAGE = (
    f"the last {IN_A_ROW} games all ended by an illegal action, which loses: choose among the actions for which "
    "`action_mask` is 1 (in the observation, in `info`, or from `action_masks()`), or wrap the environment in LegalEnv "
    "or LegalVecEnv"
)


class ForgottenMask:
    """Counts games in a row that ended by an illegal action; warns once, after IN_A_ROW of them."""

    def __init__(self) -> None:
        self.illegal = 0
        self.warned = False

    def note(self, ended: int, illegal: int) -> None:
        """So many games have ended, so many of them by an illegal action. A UserWarning if that looks like no mask.

        All environments warn from this line, so that Python shows one warning a process.
        """
        self.illegal = self.illegal + illegal if illegal == ended else 0
        if self.illegal >= IN_A_ROW and not self.warned:
            self.warned = True
            warnings.warn(MESSAGE, stacklevel=1)
