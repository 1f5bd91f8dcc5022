"""`Game`: the facts of one game in one variant, and what can be done with its records without an environment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from . import loops
from .checks import check_text
from .extras import needs
from .planes import ActionPlanes
from .record import NOBODY, RUNNING, TERMINATED, TRUNCATED, copy_records
from .seeds import fresh_seed, random_state
from .symmetry import Symmetry
from .types import Mask, Observation, Record, Records


class Notation(Protocol):
    """What a game's module `notation` has. Texts are checked: ValueError says what is wrong with one."""

    def action_to_text(self, state: Record, action: int) -> str:
        """The notation of an action in a position."""

    def text_to_action(self, state: Record, text: str) -> int:
        """The action that `text` names in a position, legal or not."""

    def state_to_text(self, state: Record) -> str:
        """The position as text."""

    def text_to_state(self, text: str, state: Record) -> None:
        """Fill a record with the position in `text`, in place."""


class Refusals(Protocol):
    """What a game's module `refusals` has."""

    def why_illegal(self, state: Record, action: int) -> str:
        """The rule that an action within the action space breaks, in the game's words; empty if it breaks none."""


class Drawing(Protocol):
    """What a game's module `drawing` has."""

    def draw(self, state: Record, before: Record | None = None, actions: Sequence[int] = ()) -> Any:
        """The position as a drawsvg.Drawing, with what the last turn changed: since `before`, by `actions`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """One game in one variant, as made by the `game(...)` function of each game's package.

    Pickles as its name and parameters; two games are equal if those are.
    """

    name: str
    """As in `make_game(name)`."""
    package: str
    """The package with the game's files, such as `nakajima_zoo.envs.scalas`."""
    version: int
    """The number in `scalas_v0`: raised when a change makes old results not comparable with new ones."""
    parameters: Mapping[str, Any]
    """All arguments of `game(...)`, defaults filled in."""
    template: Records
    """(1,) array of the game's record: parameters filled in, the rest as it is before `reset`. Read-only."""
    num_actions: int
    observation_shape: tuple[int, ...]
    channels: tuple[str, ...]
    """What each index of the observation's last axis holds."""
    decisions: tuple[str, ...]
    """Names of the kinds of decision, by the record's field `decision`."""
    reasons: tuple[str, ...]
    """Why a game ended, by the record's field `reason`."""
    max_decisions: int
    """No game has more decisions than this."""
    has_chance: bool = False
    """Whether the seed plays a part in the game itself."""
    options: tuple[str, ...] = ()
    """Names of the reset options of this game alone, beside `state` and `actions`."""
    parameter_fields: tuple[str, ...] = ("joint",)
    """Names of the record's fields that are parameters."""
    check_position: Callable[[Record], None] = lambda state: None
    """Raises ValueError for a record that the rules cannot go on from (kernels check nothing)."""
    set_options: Callable[[Record, Mapping[str, Any]], None] | None = None
    """Writes those options into a record that is about to be reset; raises ValueError for bad ones."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        self.template.flags.writeable = False

    @property
    def notation(self) -> Notation:
        """Text of actions and positions: `action_to_text`, `text_to_action`, `state_to_text`, `text_to_state`."""
        notation: Any = import_module(f"{self.package}.notation")
        return notation

    @property
    def refusals(self) -> Refusals:
        """What is wrong with actions that are not legal: `why_illegal`. Raises ImportError for a game without it."""
        refusals: Any = import_module(f"{self.package}.refusals")
        return refusals

    def why_illegal(self, state: Record, action: int) -> str:
        """The rule that an action breaks, in the game's words; empty for a legal one.

        For a game whose package has no module `refusals`: what is asked for instead.
        """
        if not 0 <= action < self.num_actions:
            return f"action {action} is out of range; expected 0 to {self.num_actions - 1}"
        if find_spec(f"{self.package}.refusals") is None:
            legal = np.array([state], self.template.dtype)
            return "" if self.mask(legal)[action] else f"expected another {self.decisions[state.decision]}"
        return self.refusals.why_illegal(state, action)

    @property
    def drawing(self) -> Drawing:
        """Pictures of positions: `draw`. Needs the extra `render`."""
        with needs("render", "drawing"):
            drawing: Any = import_module(f"{self.package}.drawing")
        return drawing

    @cached_property
    def action_planes(self) -> ActionPlanes | None:
        """Where each action stands on planes of the size of the board; None if the board or the form has none."""
        return import_module(f"{self.package}.planes").planes(self)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the board that the rules respect, the identity first; for data augmentation."""
        return import_module(f"{self.package}.symmetry").symmetries(self)

    def new_states(self, n: int, seeds: Collection[int] | None = None) -> Records:
        """`n` games in their start position, (n,) array of records.

        `seeds`: one per game; they decide all chance in the games, fresh ones by default. Games without chance ignore
        them.
        """
        states = self.blank_states(n)
        if seeds is None:
            first = fresh_seed()
            seeds = range(first, first + n)
        self.seed(states, seeds)
        loops.reset_all(states)
        return states

    def blank_states(self, n: int) -> Records:
        """`n` records with this variant's parameters, to be filled by `reset`."""
        return np.ndarray(n, self.template.dtype, bytearray(self.template.tobytes() * n))  # faster than `repeat`

    def seed(self, states: Records, seeds: Collection[int]) -> None:
        """Set the random state of each game, in place; nothing to do in games without chance."""
        if len(seeds) != len(states):
            raise ValueError(f"{len(seeds)} seeds for {len(states)} games; expected one per game")
        if self.has_chance:
            states["rng"] = [random_state(seed) for seed in seeds]

    def give_options(self, states: Records, options: Mapping[str, Any], others: tuple[str, ...] = ()) -> None:
        """Write this game's reset options into a record, (1,), that is about to be reset, in place.

        Raises ValueError for a bad or an unknown one; `others` are options that the caller knows beside the game's.
        """
        for name in options:
            if name not in self.options:
                known = ", ".join((*others, *self.options)) or "none"
                raise ValueError(f"reset option {name!r} unknown for {self}; expected {known}")
        if options and self.set_options is not None:
            self.set_options(states[0], options)

    def check_state(self, state: Record) -> Records:
        """A copy of `state` as (1,) array, once it is known to be a position of this game and variant.

        Raises ValueError if it is not.
        """
        if getattr(state, "dtype", None) != self.template.dtype or np.shape(state) not in ((), (1,)):
            raise ValueError(f"state {type(state).__name__!r}; expected a record of {self}, as of get_state()")
        states = self.blank_states(1)
        states[0] = state if np.shape(state) == () else state[0]
        for name in self.parameter_fields:
            found, expected = states[0][name], self.template[0][name]
            if not np.array_equal(found, expected):
                raise ValueError(f"the state's {name} is {found}; expected {expected}, as in {self}")
        if self.has_chance and states[0]["rng"] == 0:
            raise ValueError("the state's rng is 0, which gives the same chance for ever; expected that of a seed")
        self._check_header(states[0])
        self.check_position(states[0])
        return states

    def _check_header(self, state: Record) -> None:
        over = state.status != RUNNING
        valid = (
            state.status in (RUNNING, TERMINATED, TRUNCATED)
            and state.player in ((NOBODY,) if over else (0, 1))
            and state.winner in ((NOBODY, 0, 1) if over else (NOBODY,))
            and 0 <= state.decision < (1 if over else len(self.decisions))
            and 0 <= state.reason < (len(self.reasons) if over else 1)
            and state.turns >= 0
        )
        if not valid:
            names = ("player", "decision", "status", "winner", "reason", "turns")
            fields = ", ".join(f"{name} {state[name]}" for name in names)
            raise ValueError(f"the state's header contradicts itself: {fields}")

    def state_from_text(self, text: str) -> Record:
        """The position that `to_text` wrote, with the random state of seed 0: the text does not hold one.

        Raises ValueError for a malformed text or an impossible position.
        """
        check_text("position", text)
        states = self.blank_states(1)
        self.seed(states, [0])
        self.notation.text_to_state(text, states[0])
        return self.check_state(states[0])[0]

    def history_to_text(self, origin: Records, history: Iterable[int]) -> str:
        """The actions played since `origin`, (1,) records, one a line."""
        states, lines = copy_records(origin), []
        for action in history:
            lines.append(self.notation.action_to_text(states[0], action))
            loops.play_at(states, 0, action)
        return "\n".join(lines)

    def text_to_history(self, origin: Records, text: str) -> list[int]:
        """The actions of `history_to_text`. Raises ValueError if one is malformed or illegal."""
        check_text("history", text)
        states, history = copy_records(origin), []
        for number, line in enumerate(text.splitlines(), start=1):
            action = self.notation.text_to_action(states[0], line)
            if not self.mask(states)[action]:
                raise ValueError(f"line {number}: {line!r} is not legal; {self.why_illegal(states[0], action)}")
            loops.play_at(states, 0, action)
            history.append(action)
        return history

    def last_turn(self, origin: Records, history: list[int]) -> tuple[Record, list[int]]:
        """The state before the turn in which the last action was played, and the actions since."""
        states, start, first = copy_records(origin), copy_records(origin), 0
        for i, action in enumerate(history):
            if states[0].turns != start[0].turns:
                start, first = copy_records(states), i
            loops.play_at(states, 0, action)
        return start[0], history[first:]

    def play(self, states: Records, action: int, i: int = 0) -> None:
        """Play `action`, in place, in game `i`. Raises ValueError if it is not legal."""
        if not (0 <= action < self.num_actions and self.mask(states, i)[action]):
            why = self.why_illegal(states[i], action)
            raise ValueError(f"action {action} is not legal in game {i} of {self}; {why}")
        loops.play_at(states, i, action)

    def mask(self, states: Records, i: int = 0) -> Mask:
        """What the player to act may do in game `i`: int8 (num_actions,), all 0 when the game is over."""
        mask = np.empty(self.num_actions, np.int8)
        loops.mask_at(states, i, mask)
        return mask

    def observation(self, states: Records, player: int, i: int = 0) -> Observation:
        """What `player` (0 or 1) sees of game `i`: float32 of `observation_shape`."""
        observation = np.empty(self.observation_shape, np.float32)
        loops.observe_at(states, i, player, observation)
        return observation

    def result(self, state: Record) -> dict[str, Any] | None:
        """None while the game runs; then winner (0, 1 or None), reason, scores and whether it was truncated."""
        if state.status == RUNNING:
            return None
        return {
            "winner": int(state.winner) if state.winner >= 0 else None,
            "reason": self.reasons[state.reason],
            "scores": tuple(state.scores.tolist()),
            "truncated": bool(state.status == TRUNCATED),
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.parameters.items()))))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.package, dict(self.parameters))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"


def _again(package: str, parameters: Mapping[str, Any]) -> Game:
    """The game of a package, in a process in which nobody may have registered it."""
    made: Game = import_module(package).game(**parameters)
    return made
