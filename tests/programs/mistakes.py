"""What a user gets wrong. Checkers must object to every line that ends with the word `wrong`, and to no other."""

from __future__ import annotations

from nakajima_zoo import Batch, Player, evaluate, make_player, renaissance_v0, ring_world_v0, scalas_v0, tsukiji_v0
from nakajima_zoo.wrappers import BatchVecEnv, SingleAgentEnv

env = scalas_v0.env(size=5)
scalas_v0.env(sise=5)  # wrong
scalas_v0.raw_env(5)  # wrong
ring_world_v0.env(level=4)  # wrong
tsukiji_v0.env(turns=2)  # wrong
renaissance_v0.raw_env(setups="random")  # wrong
env.step("e4")  # wrong
env.reset(seed="one")  # wrong
env.unwrapped.from_text(1)  # wrong
print(env.unwrapped.result.winner)  # wrong: it is None while the game runs
print(env.rewards[0])  # wrong
Batch(5, 10)  # wrong
Batch("scalas", "10")  # wrong
Player()  # wrong
make_player(5)  # wrong
evaluate("scalas", "greedy", "random", games="10")  # wrong
BatchVecEnv("scalas", 4, shapin=0.1)  # wrong
SingleAgentEnv("scalas", opponent=3)  # wrong
