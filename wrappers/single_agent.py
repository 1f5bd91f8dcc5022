"""One seat of one game as a Gymnasium environment, against any opponent."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from ..envs.core.aec import Action
from ..envs.core.agents import AGENTS
from ..envs.core.checks import as_action, check_choice, check_number
from ..envs.core.env import ILLEGAL_ACTION_POLICIES, RENDER_MODES, BoardGameEnv, IllegalActionError
from ..envs.core.forgotten import ForgottenMask
from ..envs.core.game import Game
from ..envs.core.registry import as_game
from ..envs.core.seeds import check_seed
from ..envs.core.types import Flags, Observation, Picture, Record
from ..learning.seat import CUT_OFF, SEATS
from ..players.base import Player
from ..players.legal import LegalActions
from ..players.names import PlayerLike, make_player


class SingleAgentEnv(gymnasium.Env[Observation, Action]):
    """The learner has one seat and sees its own decisions only: the opponent's belong to the learner's step.

    Observation: the planes, float32 of `game.observation_shape`; the mask comes from the method `action_masks()` and
    stands in `info["action_mask"]`. Reward: +1, -1 or 0 of the learner, on the step in which the game ends. `info` has
    the same keys at every step, all of them numbers: those of the AEC environment, `action_mask` and `seat`.

    A game that the turn limit cuts off has been paid in full, by the position as it stands: its value is its reward.
    Gymnasium calls that truncated, and algorithms that add the value of the last position at a truncation are wrong
    then; for them there is `cut_off="terminated"`.

    >>> env = SingleAgentEnv("scalas", opponent="random", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum())
    ((5, 5, 14), 25)
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012 - Gymnasium reads the class

    def __init__(
        self,
        game: Game | str,
        opponent: PlayerLike = "random",
        seat: str | int = "random",
        *,
        illegal_action: str = "lose",
        cut_off: str = "truncated",
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        """`game`: a Game or a name; `parameters`: of a game by name; `opponent`: whatever `make_player` takes.

        `seat`: 0, 1 or "random" for each game. `illegal_action`: "lose", the learner's illegal action ends the game
        with a loss; or "raise" IllegalActionError. `cut_off`: whether a game that the turn limit cuts off is
        "truncated" or "terminated". Raises ValueError for bad arguments.
        """
        check_choice("seat", seat, SEATS)
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTION_POLICIES)
        check_choice("cut_off", cut_off, CUT_OFF)
        self.env = BoardGameEnv(as_game(game, **parameters), render_mode)
        self.game = self.env.game
        self.opponent = opponent
        self.seat_choice = seat
        self.illegal_action = illegal_action
        self.cut_off = cut_off
        self.render_mode = render_mode
        self.metadata = self.env.metadata
        self.observation_space = spaces.Box(0.0, 1.0, self.game.observation_shape, np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._forgotten = ForgottenMask()

    @property
    def opponent(self) -> Player:
        """Who plays the other seat. Set it to whatever `make_player` takes: he plays on from the next decision."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: PlayerLike) -> None:
        self._opponent = make_player(opponent).copy_for_use()
        self._opponent.begin(np.zeros(1, np.int64))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, and let the opponent play if he is first. A seed decides game, seat and opponent.

        `options`: as for the AEC environment. Raises ValueError for a bad seed, bad options, or if the game is over
        before the learner can act.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self.opponent.reset(int(self.np_random.integers(2**31)))
        self.env.reset(seed=seed, options=options)
        self.seat = int(self.np_random.integers(2)) if self.seat_choice == "random" else int(self.seat_choice)
        self.opponent.begin(np.zeros(1, np.int64))
        self._play_opponent()
        if self.env.result is not None:
            raise ValueError("the game is over before the learner can act")
        return self._seen()

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the opponent's replies.

        Raises ValueError for something that is no integer, and IllegalActionError if `illegal_action="raise"`. An
        illegal action of the opponent is an error of his, and raises ValueError, in every environment with opponents.
        """
        env = self.env
        if env.agents and env.result is not None:
            raise RuntimeError("the game is over; call reset() first")
        legal = True
        try:
            env.step(action)
        except IllegalActionError:
            if self.illegal_action == "raise":
                raise
            legal = False
            env.forfeit()
        self._play_opponent()
        agent = AGENTS[self.seat]
        terminated, truncated = env.terminations[agent], env.truncations[agent]
        if terminated or truncated:
            self._forgotten.note(1, int(not legal))
        if self.cut_off == "terminated":
            terminated, truncated = terminated or truncated, False
        observation, info = self._seen()
        return observation, env.rewards[agent], terminated, truncated, info

    def action_masks(self) -> Flags:
        """What the learner may do now: bool (num_actions,); all False only when the game is over.

        Raises RuntimeError before `reset`.
        """
        if not self.env.agents:
            raise RuntimeError("no game is running; call reset() first")
        return self.env.observe(AGENTS[self.seat])["action_mask"].astype(np.bool_)

    def get_state(self) -> Record:
        """A copy of the game's record."""
        return self.env.get_state()

    def render(self) -> str | Picture | None:
        """The position, as the AEC environment renders it."""
        return self.env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.env.close()

    def _play_opponent(self) -> None:
        env = self.env
        while env.result is None and env.agent_selection != AGENTS[self.seat]:
            env.step(self.opponent.act(env))

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        """The learner's observation and info, from one look at the game."""
        agent = AGENTS[self.seat]
        seen = self.env.observe(agent)
        info = {**self.env.infos[agent], "action_mask": seen["action_mask"], "seat": self.seat}
        return seen["observation"], info


class LegalEnv(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A `SingleAgentEnv` in which every action is legal. `info["replaced"]` says whether the last one was not."""

    def __init__(
        self, env: gymnasium.Env[Any, Any], replace: str = "next", penalty: float = 0.0, seed: int | None = None
    ) -> None:
        """`replace`, `seed`: as for `LegalActions`; `penalty`: what the reward loses where an action was replaced.

        Raises ValueError for bad arguments, and for an environment without `action_masks()`.
        """
        check_number("penalty", penalty)
        legal = LegalActions(replace, seed)
        if not isinstance(env, gymnasium.Env) or not env.has_wrapper_attr("action_masks"):
            raise ValueError(f"LegalEnv around {env}; expected a Gymnasium environment with action_masks()")
        RecordConstructorArgs.__init__(self, replace=replace, penalty=penalty, seed=seed)
        gymnasium.Wrapper.__init__(self, env)
        self.legal = legal
        self.penalty = penalty

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment's own; the seed decides the chance of "random" too."""
        if seed is not None:
            self.legal.seed(seed)
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "replaced": False}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play the action, or the legal one in its place. Raises ValueError for something that is no integer."""
        number = legal = as_action(action)
        masks = self.action_masks()
        if masks.any():  # else the game is over, and the environment says so, or begins another one
            legal = int(self.legal(np.array([number]), masks[None])[0])
        observation, reward, terminated, truncated, info = self.env.step(legal)
        replaced = legal != number
        paid = float(reward) - self.penalty * replaced
        return observation, paid, terminated, truncated, {**info, "replaced": replaced}

    def action_masks(self) -> Flags:
        """What would not be replaced: bool (num_actions,)."""
        masks: Flags = self.env.get_wrapper_attr("action_masks")()
        return masks
