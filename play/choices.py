"""What can be clicked: the legal actions of a position as sequences of things.

A thing is an id such as `square:c3`; several that are one choice are joined by `+`. The legal sequences are sent as an
automaton: a list of nodes, each of which maps a thing to the number of the node behind it. Equal nodes are one, so that
the 10 000 turns of a joint form take little more room than their halves. Node 0 is the end of every sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.types import Record, Records

Things = tuple[str, ...]

END = 0  # the node behind the last thing


class Choices:
    """The legal actions of one position by their things."""

    def __init__(self, game: Game, states: Records) -> None:
        """`states`: (1,) record."""
        legal = np.flatnonzero(game.mask(states)).tolist()
        self.actions: Mapping[Things, int] = {things_of(game, states[0], action): action for action in legal}
        """The legal action of each sequence."""
        if len(self.actions) != len(legal):
            raise ValueError(f"two legal actions of {game} have the same things")
        self.start, self.nodes = automaton(self.actions)

    def action(self, things: Iterable[str]) -> int:
        """The action that `things` make up. Raises ValueError if it is not a legal one."""
        found = self.actions.get(tuple(things))
        if found is None:
            raise ValueError(f"{' '.join(map(name_of, things))}: not a legal choice")
        return found

    def after(self, things: Things) -> list[str]:
        """What can be chosen after `things`."""
        count = len(things)
        return list(dict.fromkeys(each[count] for each in self.actions if each[:count] == things and len(each) > count))


def things_of(game: Game, state: Record, action: int) -> Things:
    """The things of an action, legal or not; its notation alone, where a game does not say."""
    module = things_module(game)
    if module is None:
        return (game.notation.action_to_text(state, action),)
    found: Things = module.things(state, action)
    return found


def things_module(game: Game) -> ModuleType | None:
    """The game's module `things`; None if it has none."""
    name = f"{game.package}.things"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def name_of(thing: str) -> str:
    """What a thing is called where people read it: `c3`, `ring 3.5`, `piece silver L4`."""
    names = [part.removeprefix("square:").replace(":", " ") for part in thing.split("+")]
    return " ".join(names)


def automaton(sequences: Iterable[Things]) -> tuple[int, list[dict[str, int]]]:
    """Where it begins, and its nodes, equal ones merged. No sequence may begin with another."""
    tree: dict[str, Any] = {}
    for sequence in sequences:
        node = tree
        for thing in sequence:
            node = node.setdefault(thing, {})
    nodes: list[dict[str, int]] = [{}]
    numbers: dict[tuple[tuple[str, int], ...], int] = {(): END}
    return merge(tree, nodes, numbers), nodes


def merge(tree: dict[str, Any], nodes: list[dict[str, int]], numbers: dict[tuple[tuple[str, int], ...], int]) -> int:
    """The number of the node that a tree becomes; new nodes are added to both, in place."""
    edges = {thing: merge(below, nodes, numbers) for thing, below in tree.items()}
    key = tuple(edges.items())
    if key not in numbers:
        numbers[key] = len(nodes)
        nodes.append(edges)
    return numbers[key]
