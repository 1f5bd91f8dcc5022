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
from ..envs.core.env import BoardGameEnv, Wrapper
from ..envs.core.record import RUNNING
from ..envs.core.types import Seen
from ..learning.layout import layout_of


class AECWrapper(Wrapper, BaseWrapper[str, Seen, Action]):
    """What the wrappers here have in common."""

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """Raises ValueError for anything but an AEC environment."""
        if not isinstance(env, AECEnv):
            raise ValueError(f"{type(self).__name__} around {env}; expected an AEC environment of PettingZoo")
        super().__init__(env)

    def _check_game(self) -> None:
        """Raise ValueError unless there is one game of ours inside, and nothing that goes on to others."""
        if not isinstance(self.unwrapped, BoardGameEnv):
            raise ValueError(f"{type(self).__name__} around {self.env}; expected an environment of one of the games")


class WithoutInfo(AECWrapper):
    """The environment with an empty `info` for each agent, for those who would keep all of it in memory."""

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """An empty dictionary for each agent that is still in the game."""
        return {agent: {} for agent in self.env.infos}


class CutGamesEnd(AECWrapper):
    """The environment, but a game that the turn limit cuts off is terminated, not truncated.

    Such a game has been paid in full, by the position as it stands. Algorithms that add the value of the last position
    at a truncation, such as RLlib's, would count what is not there.
    """

    @property
    def terminations(self) -> dict[str, bool]:
        """Whether the game has ended."""
        return {agent: over or self.env.truncations[agent] for agent, over in self.env.terminations.items()}

    @property
    def truncations(self) -> dict[str, bool]:
        """False: whatever ended has ended."""
        return dict.fromkeys(self.env.truncations, False)


class OwnRewards(AECWrapper):
    """A wrapper with rewards of its own, and the sums of them that PettingZoo wants."""

    rewards: dict[str, float]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed, options)
        self.rewards = dict(self.env.rewards)  # not 0 if the options lead to a finished game
        self._cumulative_rewards = dict(self.env._cumulative_rewards)

    def _give(self, agent: str | None, rewards: dict[str, float]) -> None:
        """The rewards of a step of `agent`."""
        earlier = {**self._cumulative_rewards, agent: 0.0}  # without those who were gone before a wrapper began anew
        self.rewards = rewards
        self._cumulative_rewards = {each: earlier.get(each, 0.0) + reward for each, reward in rewards.items()}


class ShapedRewards(OwnRewards):
    """The environment with potential-based rewards for the score, at every step and for both agents.

    An agent's reward grows by its potential after the step minus that before it. The potential is `shaping` times the
    difference of scores, 0 once the game is over: what is best stays best (Ng, Harada and Russell 1999, without
    discount). `SeatBatch` does the same for many games.

    It counts from one `reset` or `step` of its own to the next: play through the wrapper, not through `unwrapped`.
    """

    def __init__(self, env: AECEnv[str, Any, Any], shaping: float) -> None:
        """`shaping`: what a point of the difference of scores is worth.

        Raises ValueError for no finite number, and for anything but one game.
        """
        check_number("shaping", shaping)
        super().__init__(env)
        self._check_game()
        self.shaping = shaping

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed, options)
        self._potentials = self._potentials_now()

    def step(self, action: Action) -> None:
        """As the environment's own, but for the rewards."""
        agent = getattr(self.env, "agent_selection", None)  # None before `reset`: `step` says what is wrong
        super().step(action)
        before, self._potentials = self._potentials, self._potentials_now()
        grown = {each: self._potentials[each] - before[each] for each in before}
        self._give(agent, {each: reward + grown[each] for each, reward in self.env.rewards.items()})

    def _potentials_now(self) -> dict[str, float]:
        state = self.unwrapped.get_state()
        first, second = state.scores.tolist()
        ahead = self.shaping * (first - second) if state.status == RUNNING else 0.0
        return dict(zip(AGENTS, (ahead, -ahead), strict=True))


class LayoutAECEnv(AECWrapper):
    """An AEC environment of one of the games, whose observations have another layout; masks stay as they are."""

    def __init__(self, env: AECEnv[str, Any, Any], layout: str) -> None:
        """`layout`: one of LAYOUTS. Raises ValueError for another, and unless observations are those of a game."""
        super().__init__(env)
        space = env.observation_space(env.possible_agents[0])
        game = getattr(env.unwrapped, "game", None)
        self.layout = layout_of(self, game, space["observation"] if isinstance(space, spaces.Dict) else space, layout)

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


class RecordGames(AECWrapper):
    """An AEC environment of one of the games that adds each game to a file when it ends.

    A game that is broken off by `reset` or `close` is added too, with the result None, if anything was played in it.
    """

    def __init__(self, env: AECEnv[str, Any, Any], file: str | Path, players: Iterable[str] | None = None) -> None:
        """`players`: names of player 0 and player 1, to stand in the file.

        Raises ValueError for anything but one game: `evaluate(..., file=...)` records those of a match.
        """
        super().__init__(env)
        self._check_game()
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
        over = self.env.unwrapped.result is not None
        if self.running and over:
            self._write()
        self.running = not over  # a wrapper inside may have begun another game

    def _write(self) -> None:
        write_recordings(self.file, [Recording.of(self.env.unwrapped, self.seed, self.players)])
