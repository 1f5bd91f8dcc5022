"""Small wrappers of AEC environments, for pipelines that want them a little different."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from ..envs.core.env import AGENTS
from ..envs.core.game import check_number
from ..envs.core.record import RUNNING


class WithoutInfo(BaseWrapper):
    """The environment with an empty `info` for each agent.

    TorchRL's PettingZooWrapper makes a tensor of every entry and fails at text, such as `decision`; others keep all of
    it with every transition in memory. What it says is in the observation too.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """An empty dictionary for each agent that is still in the game."""
        return {agent: {} for agent in self.env.infos}


class ShapedRewards(BaseWrapper):
    """The environment with potential-based rewards for the score, at every step and for both agents.

    An agent's reward grows by its potential after the step minus that before it. The potential is `shaping` times the
    difference of scores, 0 once the game is over: what is best stays best (Ng, Harada and Russell 1999, without
    discount). `SeatBatch` does the same for many games.

    It counts from one `reset` or `step` of its own to the next: play through the wrapper, not through `unwrapped`.
    """

    def __init__(self, env: AECEnv, shaping: float) -> None:
        """`shaping`: what a point of the difference of scores is worth. Raises ValueError for no finite number."""
        check_number("shaping", shaping)
        super().__init__(env)
        self.shaping = shaping

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed, options)
        self._potentials = self._potentials_now()
        self.rewards = dict(self.env.rewards)  # not 0 if the options lead to a finished game
        self._cumulative_rewards = dict(self.env._cumulative_rewards)

    def step(self, action: Any) -> None:
        """As the environment's own, but for the rewards."""
        agent = getattr(self.env, "agent_selection", None)  # None before `reset`: `step` says what is wrong
        super().step(action)
        before, self._potentials = self._potentials, self._potentials_now()
        earlier = {**self._cumulative_rewards, agent: 0.0}
        self.rewards = {
            each: reward + self._potentials[each] - before[each] for each, reward in self.env.rewards.items()
        }
        self._cumulative_rewards = {each: earlier[each] + reward for each, reward in self.rewards.items()}

    def _potentials_now(self) -> dict[str, float]:
        state = self.unwrapped.get_state()
        first, second = state.scores.tolist()
        ahead = self.shaping * (first - second) if state.status == RUNNING else 0.0
        return dict(zip(AGENTS, (ahead, -ahead), strict=True))
