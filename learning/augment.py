"""Augmentation: positions, their masks and their actions seen in the mirror of a game's symmetries, mapped together.

>>> from nakajima_zoo.envs import make_game
>>> game = make_game("scalas")
>>> [symmetry.name for symmetry in game.symmetries][:3]
['identity', 'flip columns', 'flip rows']
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..envs.core.game import Game
from ..envs.core.symmetry import Symmetry
from ..envs.core.types import Integers, Observation

Number = TypeVar("Number", bound=np.number[Any])


def augment(
    observation: Observation, action_mask: NDArray[Number], action: Integers, symmetry: Symmetry
) -> tuple[Observation, NDArray[Number], Integers]:
    """The images of k positions: observation (k, ...), mask (k, num_actions) and action (k,), all of them copies.

    Observations are as the environment gives them, or flattened; not with channels first. In the place of the mask
    there may be anything that has one number an action, such as the probabilities of a policy. Rewards and values stay
    as they are, those of the player to act.
    """
    flat = observation.reshape(len(observation), -1)
    image = flat[:, symmetry.observation].reshape(observation.shape)
    mask, actions = action_mask[:, symmetry.mask], symmetry.action[action]
    if symmetry.renamed is not None:
        first, stop, rename = symmetry.renamed
        offsets = mask[:, first:stop].copy()
        rows, columns = np.nonzero(offsets)
        mask[:, first:stop] = 0
        mask[rows, first + rename(image[rows], columns)] = offsets[rows, columns]
        rows = np.flatnonzero((actions >= first) & (actions < stop))
        actions[rows] = first + rename(image[rows], actions[rows] - first)
    return image, mask, actions


def augment_at_random(
    game: Game, observation: Observation, action_mask: NDArray[Number], action: Integers, rng: np.random.Generator
) -> tuple[Observation, NDArray[Number], Integers]:
    """As `augment`, with a symmetry of its own for each position."""
    drawn = rng.integers(len(game.symmetries), size=len(action))
    image, mask, actions = observation.copy(), action_mask.copy(), np.array(action)
    for number in np.unique(drawn):
        rows = np.flatnonzero(drawn == number)
        image[rows], mask[rows], actions[rows] = augment(
            observation[rows], action_mask[rows], actions[rows], game.symmetries[number]
        )
    return image, mask, actions
