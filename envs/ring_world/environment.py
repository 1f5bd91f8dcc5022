"""The Ring World as a PettingZoo environment."""

from __future__ import annotations

from ..core.checks import names_keywords
from ..core.env import BoardGameEnv, GameWrapper
from .game import game


@names_keywords
def raw_env(
    *,
    levels: int = 3,
    turns: str = "joint",
    max_turns: int | None = None,
    render_mode: str | None = None,
) -> BoardGameEnv:
    """The Ring World, bare: an illegal action raises IllegalActionError.

    `levels`: of the board, 3 or 4. `turns`: "joint", a whole turn is one action, or "staged", placement and rotation
    are two. `max_turns`: the game is cut off after so many; None stands for 200 with 3 levels, 1000 with 4.
    `render_mode`: None, "ansi", "rgb_array" or "human". Raises ValueError for other values.
    """
    return BoardGameEnv(game(levels=levels, turns=turns, max_turns=max_turns), render_mode)


@names_keywords
def env(
    *,
    levels: int = 3,
    turns: str = "joint",
    max_turns: int | None = None,
    illegal_action: str = "lose",
    render_mode: str | None = None,
) -> GameWrapper:
    """The Ring World, wrapped, so that the order of calls is checked.

    `illegal_action`: "lose" ends the game with a loss, "raise" raises IllegalActionError. The other parameters are
    those of `raw_env`. Raises ValueError for other values.
    """
    bare = raw_env(levels=levels, turns=turns, max_turns=max_turns, render_mode=render_mode)
    return GameWrapper(bare, illegal_action)
