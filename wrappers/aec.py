"""Small wrappers of AEC environments, for libraries that expect less of one than ours offer."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import BaseWrapper


class WithoutInfo(BaseWrapper):
    """The environment with an empty `info` for each agent.

    TorchRL's PettingZooWrapper makes a tensor of every entry and fails at text, such as `decision`; others keep all of
    it with every transition in memory. What it says is in the observation too.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """An empty dictionary for each agent that is still in the game."""
        return {agent: {} for agent in self.env.infos}
