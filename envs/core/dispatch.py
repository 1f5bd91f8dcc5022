"""One name for the same rule of every game: `reset`, `legal_actions`, `play`, `observe` work on any record.

Which game is meant is decided by the record's type, when a kernel is compiled (and at run time in plain Python), so
that loops over games are written once and call the games' own kernels without any cost.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.extending import overload


class Rules(NamedTuple):
    """The kernels that make a game. All write in place and check nothing: the caller checks."""

    reset: Callable[[Any], None]
    """reset(state): the start position; parameters and `rng` in the record stay."""
    legal_actions: Callable[[Any, Any], None]
    """legal_actions(state, mask): what `state.player` may do into `mask`, int8 (num_actions,); all 0 when over."""
    play: Callable[[Any, int], None]
    """play(state, action): play a legal action."""
    observe: Callable[[Any, int, Any], None]
    """observe(state, player, observation): what `player` sees into `observation`, float32."""


_RULES: dict[Any, Rules] = {}  # by NumPy dtype and by Numba type; filled when a game is imported


def register(dtype: np.dtype, rules: Rules) -> None:
    """Make `rules` those of all records of `dtype`."""
    _RULES[dtype] = _RULES[numba.from_dtype(dtype)] = rules


def reset(state: Any) -> None:
    """Set up the start position, in place."""
    _RULES[state.dtype].reset(state)


def legal_actions(state: Any, mask: Any) -> None:
    """Write what `state.player` may do into `mask`, int8 (num_actions,); all 0 when the game is over."""
    _RULES[state.dtype].legal_actions(state, mask)


def play(state: Any, action: int) -> None:
    """Play a legal action, in place."""
    _RULES[state.dtype].play(state, action)


def observe(state: Any, player: int, observation: Any) -> None:
    """Write what `player` sees into `observation`, float32."""
    _RULES[state.dtype].observe(state, player, observation)


@overload(reset)
def _reset(state):
    rule = _RULES[state].reset
    return lambda state: rule(state)


@overload(legal_actions)
def _legal_actions(state, mask):
    rule = _RULES[state].legal_actions
    return lambda state, mask: rule(state, mask)


@overload(play)
def _play(state, action):
    rule = _RULES[state].play
    return lambda state, action: rule(state, action)


@overload(observe)
def _observe(state, player, observation):
    rule = _RULES[state].observe
    return lambda state, player, observation: rule(state, player, observation)
