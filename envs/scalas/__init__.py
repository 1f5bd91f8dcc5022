"""Scalas: stack cubes in stairs and hold the tops. Rules, spaces and notation: docs/scalas.md."""

from .game import game

__all__ = ["game"]
