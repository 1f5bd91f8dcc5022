"""The Ring World: place on small rings, turn larger ones, own the ring around all. Rules, spaces and notation: docs/ring_world.md."""

from .game import game

__all__ = ["game"]
