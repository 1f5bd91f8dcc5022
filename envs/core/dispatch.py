"""One name for the same rule of every game: `reset`, `legal_actions`, `play`, `observe` work on any record.

Which game is meant is decided by the record's type, when a kernel is compiled (and at run time in plain Python), so
that loops over games are written once and call the games' own kernels without any cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.extending import overload

from .cache import rules_of
from .kernel import kernel
from .types import Mask, Observation, Record


@kernel
def by_mask(state: Record, action: int, room: Mask) -> bool:
    """Whether `action` is legal, by the whole mask, which is written into `room`."""
    legal_actions(state, room)
    return room[action] == 1


class Rules(NamedTuple):
    """The kernels that make a game. All write in place and check nothing: the caller checks."""

    reset: Callable[[Record], None]
    """reset(state): the start position; parameters and `rng` in the record stay."""
    legal_actions: Callable[[Record, Mask], None]
    """legal_actions(state, mask): what `state.player` may do into `mask`, int8 (num_actions,); all 0 when over."""
    play: Callable[[Record, int], None]
    """play(state, action): play a legal action."""
    observe: Callable[[Record, int, Observation], None]
    """observe(state, player, observation): what `player` sees into `observation`, float32."""
    is_legal: Callable[[Record, int, Mask], bool] = by_mask
    """is_legal(state, action, room): whether `action`, 0 .. num_actions - 1, is in the mask, without making all of it;
    `room`, int8 (num_actions,), is written into at will."""


_RULES: dict[Any, Rules] = {}  # by NumPy dtype and by Numba type; filled when a game is imported


def register(dtype: np.dtype[Any], rules: Rules) -> None:
    """Make `rules` those of all records of `dtype`."""
    compiled_type = numba.from_dtype(dtype)
    _RULES[dtype] = _RULES[compiled_type] = rules
    rules_of[dtype] = rules_of[compiled_type] = tuple(rules)


def reset(state: Record) -> None:
    """Set up the start position, in place."""
    _RULES[state.dtype].reset(state)


def legal_actions(state: Record, mask: Mask) -> None:
    """Write what `state.player` may do into `mask`, int8 (num_actions,); all 0 when the game is over."""
    _RULES[state.dtype].legal_actions(state, mask)


def play(state: Record, action: int) -> None:
    """Play a legal action, in place."""
    _RULES[state.dtype].play(state, action)


def observe(state: Record, player: int, observation: Observation) -> None:
    """Write what `player` sees into `observation`, float32."""
    _RULES[state.dtype].observe(state, player, observation)


def is_legal(state: Record, action: int, room: Mask) -> bool:
    """Whether `state.player` may play `action`, 0 .. num_actions - 1; `room`, a mask, is written into at will."""
    return _RULES[state.dtype].is_legal(state, action, room)


@overload(reset, strict=False)
def _reset(state: Any) -> Callable[..., None]:
    rule = _RULES[state].reset
    return lambda state: rule(state)


@overload(legal_actions, strict=False)
def _legal_actions(state: Any, mask: Any) -> Callable[..., None]:
    rule = _RULES[state].legal_actions
    return lambda state, mask: rule(state, mask)


@overload(play, strict=False)
def _play(state: Any, action: Any) -> Callable[..., None]:
    rule = _RULES[state].play
    return lambda state, action: rule(state, action)


@overload(observe, strict=False)
def _observe(state: Any, player: Any, observation: Any) -> Callable[..., None]:
    rule = _RULES[state].observe
    return lambda state, player, observation: rule(state, player, observation)


@overload(is_legal, strict=False)
def _is_legal(state: Any, action: Any, room: Any) -> Callable[..., bool]:
    rule = _RULES[state].is_legal
    return lambda state, action, room: rule(state, action, room)
