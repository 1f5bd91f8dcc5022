"""Games and players in words: a name, then `:` and one argument, or arguments with their names in brackets.

    scalas                                  mcts:400
    ring_world(levels=4, turns=staged)      mcts(simulations=400, cut=30)

As OpenSpiel writes the names of games. The text of a `Game` is one of these, and so names it again.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

CALL = re.compile(r"(?P<name>[A-Za-z_][\w.-]*)\s*(?::(?P<argument>[^()]*)|\((?P<keywords>.*)\))?", re.DOTALL)


class Call(NamedTuple):
    """A name with its arguments."""

    name: str
    argument: str | None
    """What stands behind the colon; None: there is none."""
    keywords: dict[str, Any]
    """What stands in the brackets."""


def parse_call(what: str, text: str) -> Call:
    """Name and arguments of a text; `what` it names, for errors. Raises ValueError for any other text."""
    match = CALL.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{what} {text!r}; expected a name, 'name:argument' or 'name(keyword=value, ...)'")
    keywords = match["keywords"]
    found = {} if not keywords or not keywords.strip() else dict(parse_keyword(part) for part in keywords.split(","))
    return Call(match["name"], match["argument"], found)


def parse_keyword(text: str) -> tuple[str, Any]:
    """`size=6` as `("size", 6)`. Raises ValueError for any other text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise ValueError(f"{text.strip()!r}; expected 'name=value', such as size=6")
    return name.strip(), parse_value(value.strip())


def parse_value(text: str) -> Any:
    """A number, None, True, False or a text in quotes as Python reads it; anything else is the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
