"""The Ring World's board is no grid of squares, so its actions have no planes."""

from __future__ import annotations

from ..core.game import Game


def planes(game: Game) -> None:
    """None."""
