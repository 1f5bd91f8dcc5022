"""A match: several games in a row, colours alternating, decided by total score or by games won."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from ..envs.core.aec import Action, Environment, Info
from ..envs.core.agents import AGENTS, reward
from ..envs.core.checks import check_choice
from ..envs.core.env import BoardGameEnv, Result
from ..envs.core.game import Game
from ..envs.core.record import NOBODY
from ..envs.core.types import Observation, Picture, Record, Seen

DECIDED_BY = ("score", "games")


class MatchEnv(Environment, AECEnv[str, Seen, Action]):
    """Several games as one AEC environment. Agents keep their names; their colours alternate from game to game.

    In games 0, 2, ... `player_0` is player 0 of the game, in games 1, 3, ... player 1. Observations and actions are
    those of the game that is being played. Rewards come once, at the end of the match: +1 and -1 by total score or by
    games won, 0 and 0 if equal. An illegal action raises. `info` has also `game`, the number of the game being played,
    and `match`, what each agent has so far; its `winner` is that of the match. A game that the turn limit cuts off
    counts as it stands, and one that the options of `reset` let begin at its end too.
    """

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, Info]

    def __init__(self, game: Game, games: int = 4, decided_by: str = "score", render_mode: str | None = None) -> None:
        """`games`: an even number; `decided_by`: "score" or "games". Raises ValueError for anything else."""
        super().__init__()
        if isinstance(games, bool) or not isinstance(games, int) or games < 2 or games % 2:
            raise ValueError(f"games={games!r}; expected an even number of at least 2")
        check_choice("decided_by", decided_by, DECIDED_BY)
        self.env = BoardGameEnv(game, render_mode)
        self.games = games
        self.decided_by = decided_by
        self.render_mode = render_mode
        self.metadata = {**self.env.metadata, "name": f"{self.env.metadata['name']}_match"}
        self.possible_agents = list(AGENTS)
        self.agents = []

    @property
    def game(self) -> Game:
        """What is played."""
        return self.env.game

    def get_state(self) -> Record:
        """A copy of the record of the game being played; after the match, of the last one."""
        return self.env.get_state()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what `agent` observes."""
        return self.env.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of what `agent` does."""
        return self.env.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. `seed` and `options` are for its first game; all chance follows from the seed."""
        self.env.reset(seed=seed, options=options)
        self.number = 0
        self.match = [0, 0]
        self.agents = list(AGENTS)
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._go_on()

    def step(self, action: Action) -> None:
        """Play `action` for `agent_selection`; when a game ends, the next one begins in the same step.

        Raises as `BoardGameEnv.step`; nothing has changed then.
        """
        if not self.agents:
            raise RuntimeError("no match is running; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.env.step(action)
        self._go_on()

    def observe(self, agent: str) -> Seen:
        """What `agent` sees of the game being played; after the match, of the last one."""
        return self.env.observe(self._swap(agent))

    def state(self) -> Observation:
        """The global view of the game being played."""
        return self.env.state()

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        return self.env.state_space

    def render(self) -> str | Picture | None:
        """The game being played."""
        return self.env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.env.close()

    def _swap(self, agent: str) -> str:
        """The agent of the game that `agent` of the match is now, and the other way round."""
        return AGENTS[(AGENTS.index(agent) + min(self.number, self.games - 1)) % 2]

    def _count(self, result: Result) -> None:
        for player, agent in enumerate(AGENTS):
            name = self._swap(agent)
            won = int(result.winner == name)
            self.match[player] += won if self.decided_by == "games" else result.scores[AGENTS.index(name)]

    def _go_on(self) -> None:
        """Begin the next game if one is over, and bring everything that PettingZoo publishes up to date."""
        while self.env.result is not None and self.number < self.games:
            self._count(self.env.result)
            self.number += 1
            if self.number < self.games:
                self.env.reset()
        self._publish()

    def _publish(self) -> None:
        self.agent_selection = self._swap(self.env.agent_selection)
        self.infos = {
            agent: {**self.env.infos[self._swap(agent)], "game": self.number, "match": tuple(self.match)}
            for agent in AGENTS
        }
        if self.number == self.games:
            self._end()

    def _end(self) -> None:
        first, second = self.match
        winner = NOBODY if first == second else int(second > first)
        for player, agent in enumerate(AGENTS):
            self.terminations[agent] = True
            self.rewards[agent] = reward(player, winner)
            self.infos[agent]["winner"] = winner
        self._accumulate_rewards()
