"""Players who strictly alternate, for programs that take that for granted, such as searches that negate at every ply.

In most of the games a player may act several times in a row. Here his opponent passes in between: one more action, the
last, which is the only legal one then.

| what | how |
|---|---|
| AEC environment | `AlternateAECEnv(env)` |
| OpenSpiel | `pyspiel.load_game("nakajima_ring_world(turns=staged,alternate=True)")` |
| search of your own | `AlternatePosition.begin(game)` |
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..envs.core import loops
from ..envs.core.aec import Action
from ..envs.core.agents import AGENTS, player_of
from ..envs.core.checks import as_action
from ..envs.core.env import IllegalActionError
from ..envs.core.game import Game
from ..envs.core.record import NOBODY, copy_records
from ..envs.core.types import Mask, Observation, Records, Seen
from .aec import OwnRewards

PASS = "pass"  # the text of the action


class Position:
    """A position that is played on, with its mask, which is never written again, so that copies share it."""

    __slots__ = ("game", "mask", "player", "states")

    def __init__(self, game: Game, states: Records, player: int | None = None) -> None:
        """`states`, (1,): the record, which is not copied; `player`: who acts, by default who does in the record."""
        self.game, self.states = game, states
        self.player = int(states["player"][0]) if player is None else player
        self.mask = self._mask_now()

    @classmethod
    def begin(cls, game: Game, seed: int | None = None) -> Position:
        """The start of a game; `seed` matters in games with chance only."""
        return cls(game, game.new_states(1, None if seed is None else [seed]))

    def copy(self) -> Position:
        """A copy that shares nothing that changes."""
        made = object.__new__(type(self))
        made.game, made.mask, made.player = self.game, self.mask, self.player
        made.states = copy_records(self.states)
        return made

    def play(self, action: int) -> None:
        """Play `action`, in place. Raises ValueError if it is not legal."""
        number = as_action(action)
        if not (0 <= number < self.mask.size and self.mask[number]):
            raise ValueError(f"action {number} is not legal in this position of {self.game}")
        self._play(number)
        self.mask = self._mask_now()

    @property
    def over(self) -> bool:
        """Whether the game is over, by the rules or by the turn limit."""
        return self.player == NOBODY

    def outcome(self, player: int) -> float:
        """What `player` got once the game is over: 1, -1 or 0; 0 before."""
        winner = int(self.states["winner"][0])
        return 0.0 if winner == NOBODY else 1.0 if winner == player else -1.0

    def observation(self, player: int) -> Observation:
        """What `player`, 0 or 1, sees: float32 of `game.observation_shape`."""
        return self.game.observation(self.states, player)

    def action_to_text(self, action: int) -> str:
        """The notation of an action."""
        return self.game.notation.action_to_text(self.states[0], action)

    def _play(self, action: int) -> None:
        loops.play_at(self.states, 0, action)
        self.player = int(self.states["player"][0])

    def _mask_now(self) -> Mask:
        return self.game.mask(self.states)

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.states, self.player)


class AlternatePosition(Position):
    """A position of a game with passes: after every action it is the other player's ply, until the game is over.

    `mask`, int8 (num_actions + 1,), has the pass behind all actions of the game.

    >>> from nakajima_zoo import make_game
    >>> position = AlternatePosition.begin(make_game("ring_world", turns="staged"))
    >>> position.player, position.mask.size
    (0, 57)
    """

    __slots__ = ()

    def action_to_text(self, action: int) -> str:
        """The notation of an action, `pass` for a pass."""
        return PASS if action == self.game.num_actions else super().action_to_text(action)

    def _play(self, action: int) -> None:
        if action != self.game.num_actions:
            loops.play_at(self.states, 0, action)
        self.player = NOBODY if self.states["player"][0] == NOBODY else 1 - self.player

    def _mask_now(self) -> Mask:
        mask = np.zeros(self.game.num_actions + 1, np.int8)
        if self.states["player"][0] == self.player:
            mask[:-1] = self.game.mask(self.states)
        else:
            mask[-1] = 1
        return mask


class AlternateAECEnv(OwnRewards):
    """An AEC environment of which agents strictly alternate: whoever waits for another decision of the other passes.

    Passes are steps of this wrapper alone; what `unwrapped` says knows none. An action in the place of a pass raises
    IllegalActionError, and nothing has changed then.
    """

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """Raises ValueError for anything but an AEC environment of two agents with masks."""
        super().__init__(env)
        if tuple(env.possible_agents) != AGENTS or not isinstance(env.action_space(AGENTS[0]), spaces.Discrete):
            raise ValueError(f"AlternateAECEnv around {env}; expected an environment of one of the games")
        self.pass_action = int(env.action_space(AGENTS[0]).n)
        self._waiting: str | None = None

    @property
    def agent_selection(self) -> str:
        """The agent that acts next, or passes."""
        return self._waiting or self.env.agent_selection

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        super().reset(seed, options)
        self._waiting = None

    def step(self, action: Action) -> None:
        """As the environment's own; or pass, if that is what `agent_selection` has to do."""
        if self._waiting:
            self._pass(action)
            return
        agent = getattr(self.env, "agent_selection", None)  # None before `reset`: `step` says what is wrong
        self.env.step(action)
        self._give(agent, dict(self.env.rewards))
        running = not any((*self.env.terminations.values(), *self.env.truncations.values()))
        if running and agent == self.env.agent_selection:
            self._waiting = AGENTS[1 - player_of(agent)]

    def observe(self, agent: str) -> Seen:
        """What `agent` sees now, in fresh arrays."""
        seen = self.env.observe(agent)
        mask = np.zeros(self.pass_action + 1, np.int8)
        if self._waiting:
            mask[-1] = agent == self._waiting
        else:
            mask[:-1] = seen["action_mask"]
        return {**seen, "action_mask": mask}

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The observation space of each agent."""
        mask = spaces.Box(0, 1, (self.pass_action + 1,), np.int8)
        return {
            agent: spaces.Dict({**self.env.observation_space(agent).spaces, "action_mask": mask}) for agent in AGENTS
        }

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Discrete]:
        """The action space of each agent."""
        return {agent: spaces.Discrete(self.pass_action + 1) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what `agent` observes; the same object at every call."""
        return self.observation_spaces[AGENTS[player_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of what `agent` does; the same object at every call."""
        return self.action_spaces[AGENTS[player_of(agent)]]

    def _pass(self, action: Action) -> None:
        if as_action(action) != self.pass_action:
            raise IllegalActionError(
                f"action {action} of {self._waiting}, who has to pass; expected {self.pass_action}"
            )
        agent, self._waiting = self._waiting, None
        self._give(agent, dict.fromkeys(self.env.rewards, 0.0))
