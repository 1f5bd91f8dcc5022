"""Checks of what callers hand over: each raises ValueError that says what was wrong and what was expected."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")


def check_choice(name: str, value: Any, choices: Collection[Any]) -> None:
    """Raise ValueError if `value` is none of `choices`."""
    if isinstance(value, bool) or not isinstance(value, str | int | np.integer) or value not in choices:
        raise ValueError(f"{name}={value!r}; expected one of {', '.join(map(repr, choices))}")


def check_count(name: str, value: Any) -> None:
    """Raise ValueError if `value` is not an integer from 1 to what a record's int32 can hold."""
    most = np.iinfo(np.int32).max
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise ValueError(f"{name}={value!r}; expected an integer from 1 to {most}")


def check_number(name: str, value: Any) -> None:
    """Raise ValueError if `value` is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise ValueError(f"{name}={value!r}; expected a finite number")


def check_text(name: str, text: Any) -> None:
    """Raise ValueError if `text` is no text."""
    if not isinstance(text, str):
        raise ValueError(f"{name} {text!r} of type {type(text).__name__}; expected a text")


def as_action(action: Any) -> int:
    """An integer, NumPy integer or array of one integer as `int`. Raises ValueError for anything else."""
    if isinstance(action, int | np.integer) and not isinstance(action, bool):
        return int(action)
    if isinstance(action, np.ndarray) and action.size == 1 and np.issubdtype(action.dtype, np.integer):
        return int(action.item())
    raise ValueError(f"action {action!r} of type {type(action).__name__}; expected an integer")


def check_in_range(action: int, num_actions: int) -> None:
    """Raise ValueError if `action` is outside the action space."""
    if not 0 <= action < num_actions:
        raise ValueError(f"action {action} is out of range; expected 0 to {num_actions - 1}")


def unknown_names(function: Callable[..., Any], given: Iterable[str]) -> list[str]:
    """Those of `given` that are no keyword of `function`."""
    return [name for name in given if name not in inspect.signature(function).parameters]


def names_keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Let `function`, which takes keywords alone, say which ones it knows when it gets another: as a TypeError."""

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = unknown_names(function, kwargs)
        if unknown:
            known = ", ".join(inspect.signature(function).parameters)
            raise TypeError(f"{function.__name__}() got an unknown keyword {unknown[0]!r}; expected {known}")
        return function(*args, **kwargs)

    return checked
