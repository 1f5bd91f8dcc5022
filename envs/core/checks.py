"""Checks of what callers hand over: each raises ValueError that says what was wrong and what was expected."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

LARGEST = 1e9  # number that a parameter can be

P = ParamSpec("P")
R = TypeVar("R")


def is_integer(value: Any) -> bool:
    """Whether `value` is an integer of Python or NumPy; a bool is none, nor is a span of time."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def check_choice(name: str, value: Any, choices: Collection[Any]) -> None:
    """Raise ValueError if `value` is none of `choices`."""
    if not (isinstance(value, str) or is_integer(value)) or value not in choices:
        raise ValueError(f"{name}={value!r}; expected one of {', '.join(map(repr, choices))}")


def check_count(name: str, value: Any) -> None:
    """Raise ValueError if `value` is not an integer from 1 to what a record's int32 can hold."""
    most = np.iinfo(np.int32).max
    if not is_integer(value) or not 1 <= value <= most:
        raise ValueError(f"{name}={value!r}; expected an integer from 1 to {most}")


def check_number(name: str, value: Any, least: float = -math.inf) -> None:
    """Raise ValueError if `value` is not a number of `least` or more, or too large to reckon with in float32."""
    if not is_finite(value) or value < least or abs(float(value)) > LARGEST:
        bound = "" if least == -math.inf else f" of at least {least:g}"
        raise ValueError(f"{name}={value!r}; expected a finite number{bound}, {LARGEST:g} at most")


def is_finite(value: Any) -> bool:
    """Whether `value` is a real number of Python or NumPy that a float can hold."""
    try:
        return (is_integer(value) or isinstance(value, float | np.floating)) and math.isfinite(value)
    except OverflowError:
        return False


def check_text(name: str, text: Any) -> None:
    """Raise ValueError if `text` is no text."""
    if not isinstance(text, str):
        raise ValueError(f"{name} {text!r} of type {type(text).__name__}; expected a text")


def as_options(options: Any) -> dict[str, Any]:
    """Options, or None for none, as a dict of the caller's own. Raises ValueError for anything else."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options {options!r}; expected a dict or None")
    return dict(options or {})


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Whatever NumPy can read, a tensor too, as an array. Raises ValueError for anything else."""
    try:
        return np.asarray(values)
    except Exception as error:  # other libraries raise what they like
        raise ValueError(f"{name} of type {type(values).__name__}: {error}") from None


def as_integers(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Integers of `shape` as int64; -1 in it stands for any length. Raises ValueError for anything else.

    An empty list is one of integers. A number that no int64 holds becomes -1, which is legal nowhere.
    """
    array = as_array(name, values)
    fits = array.ndim == len(shape) and all(want in (-1, size) for want, size in zip(shape, array.shape, strict=True))
    if not fits or (array.dtype.kind not in "iu" and array.size):
        raise ValueError(f"{name} {array.dtype}{array.shape}; expected integers of shape {shape}")
    if array.dtype == np.uint64:
        return np.where(array > np.iinfo(np.int64).max, -1, array.astype(np.int64))
    return array.astype(np.int64, copy=False)


def as_actions(actions: Any, n: int) -> NDArray[np.int64]:
    """An action for each of `n` games, int64 (n,). Raises ValueError for anything else, bools and floats included."""
    return as_integers("actions", actions, (n,))


def as_action(action: Any) -> int:
    """An integer of Python or NumPy, or an array or tensor of one integer, as `int`.

    Raises ValueError for anything else.
    """
    if is_integer(action):
        return int(action)
    if hasattr(action, "__array__"):
        array = as_array("action", action)
        if array.size == 1 and array.dtype.kind in "iu":
            return int(array.item())
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
