"""The interfaces of other libraries: PettingZoo, Gymnasium, Stable-Baselines3, RLlib, OpenSpiel.

Importing this package makes the games known to Gymnasium. `gymnasium.make("nakajima_zoo:nakajima_zoo/Scalas-v0")` does
it by itself, in any process.
"""

import gymnasium
import lazy_loader

from ..envs import GAMES, make_game

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

for _name in GAMES:
    gymnasium.register(
        id=f"nakajima_zoo/{_name.title().replace('_', '')}-v{make_game(_name).version}",
        entry_point=f"{__name__}.single_agent:SingleAgentEnv",
        vector_entry_point=f"{__name__}.vector:BatchVectorEnv",
        kwargs={"game": _name},
    )
