"""The variants of the games that are tested, measured and documented: game, parameters, and a short name for both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from .core.game import Game
from .core.registry import make_game


class Variant(NamedTuple):
    """A game by name, with its parameters; those that are missing have their defaults."""

    game: str
    parameters: Mapping[str, Any]


VARIANTS: Mapping[str, Variant] = {
    "scalas-5": Variant("scalas", {"size": 5}),
    "scalas-6": Variant("scalas", {"size": 6}),
    "scalas-7": Variant("scalas", {"size": 7}),
    "ring_world-L3-joint": Variant("ring_world", {"levels": 3, "turns": "joint"}),
    "ring_world-L3-staged": Variant("ring_world", {"levels": 3, "turns": "staged"}),
    "ring_world-L4-joint": Variant("ring_world", {"levels": 4, "turns": "joint"}),
    "ring_world-L4-staged": Variant("ring_world", {"levels": 4, "turns": "staged"}),
    "tsukiji-staged": Variant("tsukiji", {"turns": "staged"}),
    "tsukiji-joint": Variant("tsukiji", {"turns": "joint"}),
    "renaissance-full-staged": Variant("renaissance", {"variant": "full", "turns": "staged"}),
    "renaissance-full-joint": Variant("renaissance", {"variant": "full", "turns": "joint"}),
    "renaissance-full-random": Variant("renaissance", {"variant": "full", "setup": "random"}),
    "renaissance-phase1": Variant("renaissance", {"variant": "phase1"}),
    "renaissance-phase2": Variant("renaissance", {"variant": "phase2"}),
    "renaissance-phase2-joint": Variant(
        "renaissance", {"variant": "phase2", "distribution": "random", "turns": "joint"}
    ),
}


@cache
def variant_game(name: str) -> Game:
    """The game of a variant by its short name. Raises ValueError for an unknown one."""
    if name not in VARIANTS:
        raise ValueError(f"variant {name!r} unknown; expected one of {', '.join(VARIANTS)}")
    return make_game(VARIANTS[name].game, **VARIANTS[name].parameters)
