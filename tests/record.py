"""Write the recorded games again: `python tests/record.py`. A diff in tests/recorded is a change of behaviour.

Each file is a game of random decisions: parameters, seed, then a line for each decision, and the final position.
"""

import json

import numpy as np
from zoo import ROOT, VARIANTS, play_randomly, raw_env

RECORDED = ROOT / "tests" / "recorded"
SEED = 2026


def record(variant: str) -> str:
    env = raw_env(variant)
    env.reset(seed=SEED)
    play_randomly(env, np.random.default_rng(SEED))
    head = json.dumps({"variant": variant, "seed": SEED, "rewards": env.rewards, "result": env.result})
    return f"{head}\n\n{env.history_to_text()}\n\n{env.to_text()}\n"


if __name__ == "__main__":
    RECORDED.mkdir(exist_ok=True)
    for name in VARIANTS:
        (RECORDED / f"{name}.txt").write_text(record(name))
