"""Tsukiji: reclaim land from the sea, build on it, bridge it. Rules, spaces and notation: docs/tsukiji.md."""

from .game import game

__all__ = ["game"]
