"""A picture of a position of Scalas."""

from collections.abc import Sequence
from typing import Any

import drawsvg


def draw(state: Any, before: Any = None, actions: Sequence[int] = ()) -> drawsvg.Drawing:
    """The position; `before` and `actions`: the state before the last turn, and what was played since."""
    return drawsvg.Drawing(600, 600)
