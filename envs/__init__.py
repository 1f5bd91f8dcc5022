"""The games. Importing this package makes them known by name, to PettingZoo too.

from nakajima_zoo import scalas_v0
env = scalas_v0.env(size=5)
pettingzoo.make("aec", "nakajima_zoo/scalas-v0")
"""

from __future__ import annotations

import pettingzoo

from . import renaissance_v0, ring_world_v0, scalas_v0, tsukiji_v0
from .core.agents import AGENTS
from .core.batch import Batch, masks, observations
from .core.env import BoardGameEnv, GameWrapper, IllegalActionError, Result
from .core.extras import needs
from .core.game import Game
from .core.registry import as_game, game_names, make_game, parameters_of, register_game
from .core.threads import cores
from .variants import VARIANTS, variant_game

__all__ = [
    "AGENTS",
    "GAMES",
    "VARIANTS",
    "Batch",
    "BoardGameEnv",
    "Game",
    "GameWrapper",
    "IllegalActionError",
    "Result",
    "as_game",
    "cores",
    "game_names",
    "make_game",
    "masks",
    "needs",
    "observations",
    "parameters_of",
    "register_game",
    "renaissance_v0",
    "ring_world_v0",
    "scalas_v0",
    "tsukiji_v0",
    "variant_game",
]

GAMES = ("scalas", "ring_world", "tsukiji", "renaissance")
"""The games of this package; `game_names()` has those from outside too."""

for _name in GAMES:
    register_game(_name, f"{__name__}.{_name}")
    if hasattr(pettingzoo, "register"):  # from PettingZoo 1.27 on; some pipelines still need an older one
        _id = f"nakajima_zoo/{_name}-v{make_game(_name).version}"
        pettingzoo.register("aec", _id, f"{__name__}.{_name}:env")
