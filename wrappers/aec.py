"""Small wrappers of AEC environments, for pipelines that want them a little different."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from ..arena.recordings import Recording, write_recordings
from ..envs.core.aec import Action
from ..envs.core.agents import AGENTS, player_of
from ..envs.core.checks import check_number
from ..envs.core.env import Wrapper
from ..envs.core.record import RUNNING
from ..envs.core.types import Seen
from ..learning.layout import Layout


class WithoutInfo(Wrapper, BaseWrapper[str, Seen, Action]):
    """The environment with an empty `info` for each agent.

    TorchRL's PettingZooWrapper makes a tensor of every entry and fails at text, such as `decision`; others keep all of
    it with every transition in memory. What it says is in the observation too.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """An empty dictionary for each agent that is still in the game."""
        return {agent: {} for agent in self.env.infos}


class ShapedRewards(Wrapper, BaseWrapper[str, Seen, Action]):
    """The environment with potential-based rewards for the score, at every step and for both agents.

    An agent's reward grows by its potential after the step minus that before it. The potential is `shaping` times the
    difference of scores, 0 once the game is over: what is best stays best (Ng, Harada and Russell 1999, without
    discount). `SeatBatch` does the same for many games.

    It counts from one `reset` or `step` of its own to the next: play through the wrapper, not through `unwrapped`.
    """

    rewards: dict[str, float]

    def __init__(self, env: AECEnv[str, Any, Any], shaping: float) -> None:
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

    def step(self, action: Action) -> None:
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


class LayoutAECEnv(Wrapper, BaseWrapper[str, Seen, Action]):
    """An AEC environment of one of the games, whose observations have another layout; masks stay as they are."""

    def __init__(self, env: AECEnv[str, Any, Any], layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another."""
        super().__init__(env)
        self.layout = Layout(env.unwrapped.game, layout)

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The observation space of each agent."""
        return {
            agent: spaces.Dict(
                {"observation": self.layout.space, "action_mask": self.env.observation_space(agent)["action_mask"]}
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what `agent` observes; the same object at every call."""
        return self.observation_spaces[AGENTS[player_of(agent)]]

    def observe(self, agent: str) -> Seen:
        """What `agent` sees now, in fresh arrays."""
        seen = self.env.observe(agent)
        return {"observation": self.layout(seen["observation"]), "action_mask": seen["action_mask"]}


class RecordGames(Wrapper, BaseWrapper[str, Seen, Action]):
    """An AEC environment of one of the games that adds each game to a file when it ends.

    A game that is broken off by `reset` or `close` is added too, with the result None, if anything was played in it.
    """

    def __init__(self, env: AECEnv[str, Any, Any], file: str | Path, players: Iterable[str] | None = None) -> None:
        """`players`: names of player 0 and player 1, to stand in the file."""
        super().__init__(env)
        self.file = Path(file)
        self.players = None if players is None else list(players)
        self.running = False
        self.seed: int | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, as the environment does."""
        self._write_unfinished()
        self.running = False
        self.env.reset(seed=seed, options=options)
        self.seed, self.running = seed, True
        self._write_finished()

    def step(self, action: Action) -> None:
        """Play an action, as the environment does."""
        self.env.step(action)
        self._write_finished()

    def close(self) -> None:
        """Close the environment."""
        self._write_unfinished()
        self.running = False
        self.env.close()

    def _write_unfinished(self) -> None:
        if self.running and self.env.unwrapped.history:
            self._write()

    def _write_finished(self) -> None:
        if self.running and self.env.unwrapped.result is not None:
            self.running = False
            self._write()

    def _write(self) -> None:
        write_recordings(self.file, [Recording.of(self.env.unwrapped, self.seed, self.players)])
