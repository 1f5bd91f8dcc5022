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
from .checks import as_action, check_choice, check_count, check_text, is_integer
from .extras import needs
from .planes import ActionPlanes
from .record import RUNNING, TRUNCATED, copy_records
from .seeds import check_seeds, fresh_seed, random_state
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
        parameters = {name: plain(value) for name, value in self.parameters.items()}
        object.__setattr__(self, "parameters", MappingProxyType(parameters))
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
        if state.status != RUNNING:
            return "the game is over"
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
        them. Raises ValueError if they do not fit.
        """
        check_count("n", n)
        n = int(n)  # small kinds of NumPy integers cannot be reckoned with
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
        """Set the random state of each game, in place; nothing to do in games without chance.

        Raises ValueError for anything but one seed a game.
        """
        check_seeds(seeds, len(self.check_records(states, write=True)))
        if self.has_chance:
            states["rng"] = [random_state(seed) for seed in seeds]

    def without_chance(self, states: Records) -> Records:
        """The records with the random state of seed 0, so that they tell nothing about the chance to come: a copy.

        Those of a game without chance are returned as they are.
        """
        if not self.has_chance:
            return states
        hidden = copy_records(states)
        hidden["rng"] = random_state(0)
        return hidden

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
        self.check_headers(states)
        self.check_position(states[0])
        return states

    def check_records(self, states: Any, write: bool = False) -> Records:
        """`states`, once it is known to be an array of this game's records; `write`: one that can be written into.

        Their headers are checked, not the positions: for a record from elsewhere there is `check_state`.
        Raises ValueError.
        """
        if not isinstance(states, np.ndarray) or states.dtype != self.template.dtype or states.ndim != 1:
            found = f"{states.dtype}{states.shape}" if isinstance(states, np.ndarray) else type(states).__name__
            raise ValueError(f"states {found:.100}; expected a one-dimensional array of records of {self}")
        if write and not states.flags.writeable:
            raise ValueError("states in memory that is read-only; expected an array that can be written into")
        return states

    def check_headers(self, states: Records) -> None:
        """Raise ValueError if a record is none of this form of the turns, or its header contradicts itself."""
        i = loops.first_unfit(states, self._joint, len(self.decisions), len(self.reasons))
        if i >= 0:
            names = ("joint", "player", "decision", "status", "winner", "reason", "turns")
            fields = ", ".join(f"{name} {states[i][name]}" for name in names)
            raise ValueError(f"the header of state {i} contradicts itself or {self}: {fields}")

    @cached_property
    def _joint(self) -> int:
        return int(self.template[0]["joint"])

    def one_of(self, states: Records, i: int, write: bool = False) -> Records:
        """Game `i` of `states`, a view (1,), once all is known to be right. Raises ValueError."""
        self.check_records(states, write)
        if not is_integer(i) or not 0 <= i < states.size:
            raise ValueError(f"game {i!r} of {states.size}; expected an index from 0 to {states.size - 1}")
        one = states[i : i + 1]
        self.check_headers(one)
        return one

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
        """The actions played since `origin`, (1,) records, one a line. Raises ValueError if one is not legal."""
        states, lines = copy_records(self.one_of(origin, 0)), []
        for action in history:
            before = copy_records(states)
            self.play(states, action)
            lines.append(self.notation.action_to_text(before[0], as_action(action)))
        return "\n".join(lines)

    def text_to_history(self, origin: Records, text: str) -> list[int]:
        """The actions of `history_to_text`. Raises ValueError if one is malformed or illegal."""
        check_text("history", text)
        states, history = copy_records(self.one_of(origin, 0)), []
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                action = self.notation.text_to_action(states[0], line)
                self.play(states, action)
            except ValueError as error:
                raise ValueError(f"line {number}: {line!r}: {error}") from None
            history.append(action)
        return history

    def last_turn(self, origin: Records, history: list[int]) -> tuple[Record, list[int]]:
        """The state before the turn in which the last action was played, and the actions since.

        Raises ValueError if an action is not legal.
        """
        states = copy_records(self.one_of(origin, 0))
        start, first = copy_records(states), 0
        for i, action in enumerate(history):
            if states[0].turns != start[0].turns:
                start, first = copy_records(states), i
            self.play(states, action)
        return start[0], history[first:]

    def play(self, states: Records, action: int, i: int = 0) -> None:
        """Play `action`, in place, in game `i`. Raises ValueError if it is not legal."""
        one, number = self.one_of(states, i, write=True), as_action(action)
        mask = np.empty(self.num_actions, np.int8)
        loops.mask_at(one, 0, mask)
        if not (0 <= number < self.num_actions and mask[number]):
            raise ValueError(f"action {number} is not legal in game {i} of {self}: {self.why_illegal(one[0], number)}")
        loops.play_at(one, 0, number)

    def mask(self, states: Records, i: int = 0) -> Mask:
        """What the player to act may do in game `i`: int8 (num_actions,), all 0 when the game is over.

        Raises ValueError for an array or an index that does not fit.
        """
        mask = np.empty(self.num_actions, np.int8)
        loops.mask_at(self.one_of(states, i), 0, mask)
        return mask

    def observation(self, states: Records, player: int, i: int = 0) -> Observation:
        """What `player` (0 or 1) sees of game `i`: float32 of `observation_shape`.

        Raises ValueError for an array, a player or an index that does not fit.
        """
        check_choice("player", player, (0, 1))
        observation = np.empty(self.observation_shape, np.float32)
        loops.observe_at(self.one_of(states, i), 0, int(player), observation)
        return observation

    def result(self, state: Record) -> dict[str, Any] | None:
        """None while the game runs; then winner (0, 1 or None), reason, scores and whether it was truncated.

        Raises ValueError for anything but a record of this game.
        """
        if getattr(state, "dtype", None) != self.template.dtype or np.shape(state):
            raise ValueError(f"state {type(state).__name__!r}; expected a record of {self}, as of get_state()")
        if state.status == RUNNING:
            return None
        self.check_headers(np.array([state], self.template.dtype))
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


def plain(value: Any) -> Any:
    """A NumPy number or text as Python's own: so that it is equal to it, hashes and can be written as JSON."""
    return value.item() if isinstance(value, np.generic) else value


def _again(package: str, parameters: Mapping[str, Any]) -> Game:
    """The game of a package, in a process in which nobody may have registered it."""
    made: Game = import_module(package).game(**parameters)
    return made
