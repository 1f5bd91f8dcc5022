"""One AEC environment for every game, and the wrapper that `env()` puts around it."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from . import loops
from .aec import Action, Environment, Info
from .agents import AGENTS, agent_name, player_of, reward
from .checks import as_action, as_options, check_choice, check_in_range, check_text
from .forgotten import ForgottenMask
from .game import Game
from .record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, copy_records, end_game
from .seeds import fresh_seed
from .types import Mask, Observation, Picture, Record, Records, Seen, Status

T = TypeVar("T")

RENDER_MODES = ("ansi", "rgb_array", "human")
ILLEGAL_ACTION_POLICIES = ("lose", "raise")


class Result(NamedTuple):
    """How a game ended."""

    winner: str | None
    """`player_0`, `player_1`, or None for a draw or a game cut off without a winner."""
    reason: str
    """One of the game's `reasons`."""
    scores: tuple[int, int]
    """Of player_0 and player_1."""


class IllegalActionError(ValueError):
    """The action is an integer, but not legal now; the state is unchanged."""


class BoardGameEnv(Environment, AECEnv[str, Seen, Action]):
    """A game as a PettingZoo AEC environment: agents `player_0` and `player_1`, one decision a step.

    Observation of each agent: a dict of `observation`, float32 of `game.observation_shape` within [0, 1], and
    `action_mask`, int8 (num_actions,), all 0 for the agent that is not to act and for both when the game is over.
    Action: an integer of `Discrete(num_actions)`. Rewards: +1 and -1, or 0 and 0, on the step that ends the game.
    `infos` of each agent, at all times: `turn`, `decision` (an index into `game.decisions`), `scores` (of player_0 and
    player_1), `winner` (0, 1, or -1 for nobody) and `reason` (an index into `game.reasons`; 0 while the game runs).

    `step` raises IllegalActionError (a ValueError) on an illegal action and ValueError on something that is no integer;
    in both cases nothing has changed.
    """

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, Info]

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Raises ValueError for an unknown render mode."""
        super().__init__()
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,  # use PettingZoo's turn-based conversion, not the plain one
        }
        self.possible_agents = list(AGENTS)
        self.agents = []
        self._shape = game.observation_shape
        self._window: Any = None
        self._states = game.blank_states(1)
        self._origin = copy_records(self._states)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._status = np.zeros(loops.STATUS_SIZE, np.int32)
        self._history: list[int] = []
        self._begun = False

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The observation space of each agent. Made when first asked for, since that takes longer than a clone."""
        shape, n = self.game.observation_shape, self.game.num_actions
        return {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (n,), np.int8),
                }
            )
            for agent in AGENTS
        }

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Discrete]:
        """The action space of each agent."""
        return {agent: spaces.Discrete(self.game.num_actions) for agent in AGENTS}

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        return spaces.Box(0.0, 1.0, (int(np.prod(self.game.observation_shape)) + 1,), np.float32)

    # The PettingZoo interface

    @property
    def unwrapped(self) -> BoardGameEnv:
        """The environment itself: there is nothing around it."""
        return self

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what `agent` observes; the same object at every call. Raises ValueError for no agent."""
        return self.observation_spaces[AGENTS[player_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of what `agent` does; the same object at every call. Raises ValueError for no agent."""
        return self.action_spaces[AGENTS[player_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        `seed`: a non-negative integer that decides all chance in the game; without one the random state goes on, or
        that of the option `state`.
        `options`: `state`, a record to begin from; `actions`, a list of actions to replay; and the game's own.
        Raises ValueError for bad options, and then the game that was running goes on.
        """
        options = as_options(options)
        actions = options.pop("actions", ())
        if not isinstance(actions, Iterable):
            raise ValueError(f"reset option 'actions' is {actions!r}; expected a list of actions")
        states = self._position(seed, options) if "state" in options else self._start(seed, options)
        origin = copy_records(states)
        mask, status = self._mask.copy(), self._status.copy()
        loops.describe(states, 0, mask, status)
        if status[loops.STATUS] == RUNNING and not mask.any():
            raise ValueError("the state has no legal action, though its game is not over")
        history, player = [as_action(action) for action in actions], 0
        for i, action in enumerate(history):
            player = status[loops.PLAYER]
            if not (0 <= action < mask.size and loops.advance(states, 0, action, mask, status)):
                raise IllegalActionError(f"actions[{i}]: {self._why_illegal(states[0], mask, action)}")
        self._begun = True
        self._begin(origin, states, mask, status, history, AGENTS[player])

    def step(self, action: Action) -> None:
        """Play `action` for `agent_selection`; None for an agent that is terminated or truncated.

        Raises IllegalActionError for an illegal action, ValueError for one that is no integer, and RuntimeError before
        `reset` and once both agents are gone; nothing has changed then.
        """
        if not self.agents:
            raise RuntimeError("no game is running; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = action if type(action) is int else as_action(action)
        # A number that no int64 holds must not get to the kernel.
        if not (0 <= number < self._mask.size and loops.advance(self._states, 0, number, self._mask, self._status)):
            raise IllegalActionError(f"{agent}: {self._why_illegal(self._states[0], self._mask, number)}")
        self._history.append(number)
        self._after_step()

    def observe(self, agent: str) -> Seen:
        """What `agent` sees now, in fresh arrays; works for both agents at any time after `reset`.

        Raises ValueError for anything that is no agent, and RuntimeError before `reset`.
        """
        self._check_begun()
        player = player_of(agent)
        observation = np.empty(self._shape, np.float32)
        mask = np.empty_like(self._mask)
        loops.observe_and_mask_at(self._states, 0, player, observation, self._mask, mask)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> Observation:
        """A global view: player_0's observation, flattened, then 1 if player_1 is to act, else 0; float32."""
        self._check_begun()
        view = np.empty(self.state_space.shape, np.float32)
        loops.observe_at(self._states, 0, 0, view[:-1].reshape(self.game.observation_shape))
        view[-1] = self._status[loops.PLAYER] == 1
        return view

    def render(self) -> str | Picture | None:
        """The current position: text (`ansi`), a uint8 picture (height, width, 3) (`rgb_array`), or None (`human`)."""
        self._check_begun()
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given to the environment; expected one of {', '.join(RENDER_MODES)}")
        if self.render_mode == "ansi":
            return self.to_text()
        from . import render

        if self.render_mode == "rgb_array":
            return render.rasterise(self.svg())
        if self._window is None:
            self._window = render.Window(self.metadata["name"])
        self._window.show(render.rasterise(self.svg()), self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close this environment's window, if it has one; may be called twice, and the environment can go on."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # Beyond PettingZoo

    @property
    def history(self) -> list[int]:
        """The actions played since `reset` or `set_state` (a copy)."""
        return list(self._history)

    @property
    def origin(self) -> Record:
        """A copy of the record that the history begins with."""
        self._check_begun()
        return copy_records(self._origin)[0]

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        result = self.game.result(self._states[0]) if self._status[loops.STATUS] != RUNNING else None
        if result is None:
            return None
        return Result(agent_name(result["winner"]), result["reason"], result["scores"])

    def clone(self) -> BoardGameEnv:
        """A copy that shares nothing that changes; much faster than `deepcopy`. Its spaces are fresh ones.

        That of an environment with the render mode `human` has none: it opens no window, and does not wait.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._window = None
        if self.render_mode == "human":
            twin.render_mode = None
        twin._states, twin._origin = copy_records(self._states), copy_records(self._origin)
        for name in ("_mask", "_status", "_history", "agents", "possible_agents"):
            setattr(twin, name, getattr(self, name).copy())
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
            if name in self.__dict__:
                setattr(twin, name, dict(getattr(self, name)))
        if "infos" in self.__dict__:
            twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
        twin.metadata = dict(self.metadata)
        for name in ("observation_spaces", "action_spaces", "state_space"):
            twin.__dict__.pop(name, None)
        return twin

    def __copy__(self) -> BoardGameEnv:
        return self.clone()  # two environments with one board would help nobody

    def get_state(self) -> Record:
        """A copy of the game's record: all that the game needs to go on. Raises RuntimeError before `reset`."""
        self._check_begun()
        return copy_records(self._states)[0]

    def set_state(self, state: Record) -> None:
        """Go on from a copy of `state`, a record of this game and variant; the history begins here.

        Raises ValueError for a record of another game or variant, or one that the rules cannot go on from.
        """
        self.reset(options={"state": state})

    def legal_actions(self, agent: str | None = None) -> list[int]:
        """The ascending legal actions of `agent` (default: the one to act); empty for one that is not to act.

        Raises ValueError for anything that is no agent, and RuntimeError before `reset`.
        """
        self._check_begun()
        if agent is not None and self._status[loops.PLAYER] != player_of(agent):
            return []
        return np.flatnonzero(self._mask.view(np.bool_)).tolist()

    def action_to_text(self, action: int) -> str:
        """The notation of an action in the current position."""
        self._check_begun()
        number = as_action(action)
        check_in_range(number, self.game.num_actions)
        return self.game.notation.action_to_text(self._states[0], number)

    def text_to_action(self, text: str) -> int:
        """The action that `text` names in the current position, legal or not. Raises ValueError if it names none."""
        self._check_begun()
        check_text("action", text)
        return self.game.notation.text_to_action(self._states[0], text)

    def to_text(self) -> str:
        """The position as text that a person can read and `from_text` can parse. Raises RuntimeError before `reset`."""
        self._check_begun()
        return self.game.notation.state_to_text(self._states[0])

    def from_text(self, text: str) -> None:
        """Go on from the position in `text`; the history begins here. Raises ValueError for a malformed text.

        The random state goes on: the text does not hold one.
        """
        states = np.array([self.game.state_from_text(text)], self.game.template.dtype)
        if self._begun:
            states["rng"] = self._states["rng"]
        else:
            self.game.seed(states, [fresh_seed()])
        self.set_state(states[0])

    def history_to_text(self) -> str:
        """The actions since `reset` or `set_state`, one a line."""
        self._check_begun()
        return self.game.history_to_text(self._origin, self._history)

    def text_to_history(self, text: str) -> list[int]:
        """The actions of `history_to_text`, for the reset option `actions`. Raises ValueError if one is illegal."""
        self._check_begun()
        return self.game.text_to_history(self._origin, text)

    def svg(self) -> str:
        """The position as a picture, with what the last turn changed. Needs the extra `render`."""
        self._check_begun()
        before, actions = self.game.last_turn(self._origin, self._history)
        return self.game.drawing.draw(self._states[0], before, actions).as_svg()

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None before `reset`, and, with a warning, without the extra `render`."""
        if not self._begun:
            return None
        try:
            return self.svg()
        except ImportError as error:
            warnings.warn(str(error), stacklevel=1)  # from one line, so that Python shows it once
            return None

    def forfeit(self) -> None:
        """End the game: the agent to act loses, with the reason `illegal_action`."""
        self._check_begun()
        player = int(self._status[loops.PLAYER])
        if player == NOBODY or not self.agents:
            raise RuntimeError("no game is running; there is nothing to forfeit")
        end_game(self._states[0], TERMINATED, 1 - player, ILLEGAL_ACTION)
        loops.describe(self._states, 0, self._mask, self._status)
        self._after_step()

    # Inside

    def _check_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("no game is running; call reset() first")

    def _start(self, seed: int | None, options: dict[str, Any]) -> Records:
        """A game in its start position."""
        game = self.game
        options.pop("options", None)  # PettingZoo's api_test passes one of this name to every environment
        states = game.blank_states(1)
        states["rng"] = self._states["rng"]
        if seed is not None or not self._begun:
            game.seed(states, [seed if seed is not None else fresh_seed()])
        game.give_options(states, options, ("state", "actions"))
        loops.reset_all(states)
        return states

    def _position(self, seed: int | None, options: dict[str, Any]) -> Records:
        """A game that begins with a copy of the option `state`; its chance is that of the seed, if there is one."""
        state = options.pop("state")
        if options:
            raise ValueError(f"reset option {next(iter(options))!r} cannot be combined with 'state'")
        states = self.game.check_state(state)
        if seed is not None:
            self.game.seed(states, [seed])
        return states

    def _begin(
        self, origin: Records, states: Records, mask: Mask, status: Status, history: list[int], last: str
    ) -> None:
        """Take over a position, and set what PettingZoo wants of an environment that was reset; `last`: who acted."""
        self._origin, self._states, self._mask, self._status, self._history = origin, states, mask, status, history
        self.agents = list(AGENTS)
        self._skip_agent_selection = None
        self.agent_selection = last
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._after_step()

    def _after_step(self) -> None:
        """Bring everything that PettingZoo publishes in line with the record."""
        player, decision, status, winner, reason, turns, score_0, score_1 = self._status.tolist()
        scores = score_0, score_1
        self.infos = {  # written out: this is the hottest line of an AEC loop
            "player_0": {"turn": turns, "decision": decision, "scores": scores, "winner": winner, "reason": reason},
            "player_1": {"turn": turns, "decision": decision, "scores": scores, "winner": winner, "reason": reason},
        }
        if status == RUNNING:
            self.agent_selection = AGENTS[player]
        else:
            self._end(status, winner)
        if self.render_mode == "human":
            self.render()

    def _end(self, status: int, winner: int) -> None:
        """Both agents get their flag and their reward; the agent that did not act last is asked first."""
        self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        flags = self.terminations if status == TERMINATED else self.truncations
        for player, agent in enumerate(AGENTS):
            flags[agent] = True
            self.rewards[agent] = reward(player, winner)
        self._accumulate_rewards()

    def _why_illegal(self, state: Record, mask: Mask, action: int) -> str:
        """What is wrong with an action that is not legal."""
        if not 0 <= action < mask.size:
            return f"action {action} is out of range; expected 0 to {mask.size - 1}"
        if state.player == NOBODY:
            return f"action {action}: the game is over"
        text, example = (self.game.notation.action_to_text(state, a) for a in (action, int(mask.argmax())))
        why = self.game.why_illegal(state, action)
        return (
            f"{text} (action {action}) is not legal for the decision {self.game.decisions[state.decision]!r}"
            f"{': ' * bool(why)}{why}; "
            f"{int(mask.sum())} actions are, for example {example} (action {int(mask.argmax())})"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}


class Wrapper(Environment):
    """What every wrapper of one of our environments has; all but `__copy__` for checkers alone, too."""

    def __copy__(self: T) -> T:
        return copy.deepcopy(self)  # two wrappers around one environment would help nobody

    if TYPE_CHECKING:
        env: Any

        @property
        def unwrapped(self) -> BoardGameEnv:
            """The game's own environment."""

        def observation_space(self, agent: str) -> spaces.Dict:
            """The space of what `agent` observes."""

        def action_space(self, agent: str) -> spaces.Discrete:
            """The space of what `agent` does."""

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            """Begin a game."""

        def step(self, action: Action) -> None:
            """Play `action` for `agent_selection`."""

        def observe(self, agent: str) -> Seen:
            """What `agent` sees now."""

        def state(self) -> Observation:
            """A global view."""

        def render(self) -> str | Picture | None:
            """The current position."""

        def close(self) -> None:
            """Close the window, if there is one."""


class GameWrapper(Wrapper, OrderEnforcingWrapper[str, Seen, Action]):
    """What `env()` returns: enforces the order of calls, and decides what an illegal action does.

    PettingZoo's TerminateIllegalWrapper is not used: it sets terminations and truncations at once, and trusts the mask
    of the last observation.
    """

    env: BoardGameEnv

    def __init__(self, env: BoardGameEnv, illegal_action: str = "lose") -> None:
        """`illegal_action`: "lose", the offender gets -1, the other +1, both are terminated; or "raise"."""
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTION_POLICIES)
        super().__init__(env)
        self.illegal_action = illegal_action
        self._forgotten = ForgottenMask()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. A UserWarning if the last ones all ended by an illegal action: somebody forgot the mask."""
        status = self.env._status
        if self._has_reset and status[loops.STATUS] != RUNNING:
            self._forgotten.note(1, int(status[loops.REASON] == ILLEGAL_ACTION))
        super().reset(seed, options)

    def step(self, action: Action) -> None:
        """Play `action` for `agent_selection`. Raises ValueError for something that is no integer."""
        if not self._has_reset or not self.env.agents:
            super().step(action)  # which says what is wrong
            return
        self._has_updated = True
        try:
            self.env.step(action)
        except IllegalActionError:
            if self.illegal_action == "raise":
                raise
            self.env.forfeit()

    @property
    def unwrapped(self) -> BoardGameEnv:
        """The environment inside."""
        return self.env

    @property
    def agents(self) -> list[str]:
        """The agents that are still in the game; AttributeError before `reset`, as for all that changes."""
        return self.env.agents if self._has_reset else self.__getattr__("agents")

    @property
    def agent_selection(self) -> str:
        """The agent that acts next."""
        return self.env.agent_selection if self._has_reset else self.__getattr__("agent_selection")

    def last(self, observe: bool = True) -> tuple[Seen | Any, float, bool, bool, Info]:
        """Observation, reward since its last action, terminated, truncated and info of `agent_selection`."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def _repr_svg_(self) -> str | None:
        return self.env._repr_svg_()
