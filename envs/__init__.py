"""The games. Importing this package registers them with PettingZoo and Gymnasium.

from nakajima_zoo.envs import scalas_v0
env = scalas_v0.env(size=5)
pettingzoo.make("aec", "nakajima_zoo/scalas-v0")
gymnasium.make("nakajima_zoo/Scalas-v0", opponent="random")
"""

import gymnasium
import pettingzoo

from . import renaissance_v0, ring_world_v0, scalas_v0, tsukiji_v0
from .core.game import GAMES, VERSION, Game, make_game

__all__ = ["GAMES", "Game", "make_game", "renaissance_v0", "ring_world_v0", "scalas_v0", "tsukiji_v0"]


def _register() -> None:
    for name in GAMES:
        if hasattr(pettingzoo, "register"):  # from PettingZoo 1.27 on; some pipelines still need an older one
            pettingzoo.register("aec", f"nakajima_zoo/{name}-v{VERSION}", f"nakajima_zoo.envs.{name}:env")
        gymnasium.register(
            id=f"nakajima_zoo/{name.title().replace('_', '')}-v{VERSION}",
            entry_point="nakajima_zoo.wrappers.single_agent:SingleAgentEnv",
            vector_entry_point="nakajima_zoo.wrappers.vector:BatchVectorEnv",
            kwargs={"game": name},
        )


_register()
