"""Renaissance: build with polyominoes, fight for them, rebuild. Rules, spaces and notation: docs/renaissance.md."""

from .game import game

__all__ = ["game"]
