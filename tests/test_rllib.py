"""RLlib: its own PettingZooEnv fits our games, its PPO respects masks, and a cluster of several nodes does the work."""

import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from zoo import ENVIRONMENT, ROOT, every_game, game_of, random_action

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Ray's, while it is imported
    pytest.importorskip("ray.rllib", reason="RLlib is not installed; `make test-rllib` has an environment for it")
    import torch
    from nakajima_zoo.wrappers.rllib import MaskedModule, ModulePlayer, PettingZooEnv, make_env
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.envs.core.agents import AGENTS
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.players.base import Positions
from nakajima_zoo.players.simple import RandomPlayer

TINY = ["--timesteps", "4000", "--eval-games", "4", "--seed", "1", "--name", "tiny"]


def module_of(game, seed=0):
    torch.manual_seed(seed)
    spaces = BoardGameEnv(game)
    return MaskedModule(
        observation_space=spaces.observation_space(AGENTS[0]),
        action_space=spaces.action_space(AGENTS[0]),
        model_config={"hidden": [16]},
    )


def run_example(*arguments, cwd):
    command = [sys.executable, str(ROOT / "examples" / "rllib_ppo.py"), *TINY, *arguments]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@every_game
def test_agents_get_what_is_theirs(variant):
    """G6: only the agent to act is asked; at the end both get observation, reward and flag, and so does `__all__`."""
    env = PettingZooEnv(BoardGameEnv(game_of(variant)))
    rng = np.random.default_rng(0)
    repeated, longest = 0, 0
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        returns = dict.fromkeys(AGENTS, 0.0)
        over, last = False, None
        while not over:
            (agent,) = seen
            assert agent == env.env.agent_selection
            repeated += agent == last
            last = agent
            seen, rewards, terminated, truncated, _ = env.step({agent: random_action(seen[agent]["action_mask"], rng)})
            over = terminated["__all__"] or truncated["__all__"]
            for name, reward in rewards.items():
                returns[name] += reward
            longest += 1
        assert set(seen) == set(rewards) == set(AGENTS)
        assert all(terminated[name] != truncated[name] for name in (*AGENTS, "__all__"))
        winner = env.env.result.winner
        assert returns == {name: 0.0 if winner is None else 1.0 if name == winner else -1.0 for name in AGENTS}
    assert longest > 5
    assert repeated or variant == "ring_world-L3-joint"  # the games in which an agent acts several times in a row


def test_a_game_that_is_cut_off_has_ended():
    """It has been paid in full: RLlib would add its guess of the last position to a truncated one."""
    env, rng = make_env({"game": "tsukiji", "parameters": {"max_turns": 3}}), np.random.default_rng(0)
    seen, _ = env.reset(seed=0)
    terminated = truncated = {"__all__": False}
    while not (terminated["__all__"] or truncated["__all__"]):
        (agent,) = seen
        seen, _, terminated, truncated, _ = env.step({agent: random_action(seen[agent]["action_mask"], rng)})
    assert all(terminated[name] and not truncated[name] for name in (*AGENTS, "__all__"))


def test_an_illegal_action_is_no_accident_that_passes():
    """G4, G5: the environment that RLlib trains on raises, so that training cannot go on without masks."""
    env = make_env({"game": "scalas", "parameters": {}})
    seen, _ = env.reset(seed=0)
    seen, *_ = env.step(dict.fromkeys(seen, 0))  # on the empty board everything is legal
    (agent,) = seen
    assert not seen[agent]["action_mask"].all()
    with pytest.raises(ValueError, match="is not legal"):
        env.step({agent: int(seen[agent]["action_mask"].argmin())})


@every_game
def test_module_respects_masks(variant):
    """A3, G5: illegal actions have probability 0, entropy and gradients are finite, the batch is left as it was."""
    game = game_of(variant)
    module = module_of(game)
    mask = np.zeros((3, game.num_actions), np.int8)
    mask[0, [1, 4]] = 1
    mask[1, -1] = 1  # a single action; the third row, of an agent that does not act, has none
    seen = {
        "observation": torch.rand(3, *game.observation_shape),
        "action_mask": torch.from_numpy(mask),
    }
    batch = {"obs": dict(seen)}
    logits = module.forward_train(batch)["action_dist_inputs"]
    assert set(batch["obs"]) == set(seen)
    distribution = torch.distributions.Categorical(logits=logits)
    assert (distribution.probs[:2][torch.from_numpy(mask[:2]) == 0] == 0).all()
    assert (distribution.sample((200,))[:, 1] == game.num_actions - 1).all()
    values = module.compute_values(batch)
    assert values.shape == (3,)
    (distribution.entropy().sum() + values.sum()).backward()
    assert all(torch.isfinite(parameter.grad).all() for parameter in module.parameters())


def test_two_policies_have_their_seats():
    """Each of two modules plays the seat of its name."""
    game = game_of("scalas-5")
    modules = {agent: module_of(game) for agent in AGENTS}
    mask = np.ones((2, game.num_actions), np.int8)
    for seat, module in enumerate(modules.values()):
        with torch.no_grad():
            module.policy[-1].weight.zero_()
            module.policy[-1].bias.copy_(torch.eye(game.num_actions)[3 + seat])
    player = ModulePlayer(modules, deterministic=True)
    states = game.new_states(2, [0, 1])
    states["player"] = [0, 1]
    assert player.choose(Positions(game, states, action_mask=mask)).tolist() == [3, 4]


@pytest.mark.parametrize("policies", ["shared", "two"])
def test_example_saves_what_it_trained(policies, tmp_path):
    """G1, G5, H4: it trains, plays no illegal action, and what is loaded plays as reported."""
    output = run_example("--policies", policies, "--env-runners", "1", cwd=tmp_path)
    assert output.count(" 0 illegal") == 6
    evaluation = (tmp_path / "runs" / "tiny" / "evaluation.txt").read_text()
    assert evaluation in output
    player = ModulePlayer(tmp_path / "runs" / "tiny" / "checkpoint")
    assert (player.modules[0] is player.modules[1]) == (policies == "shared")
    assert type(player.modules[0]) is MaskedModule
    first, second = evaluate(game_of("scalas-5"), player, RandomPlayer(), 4, 2)
    assert f"against random as both    : {first + second}" in evaluation


def test_env_runners_are_spread_over_a_cluster(tmp_path):
    """The same program on a cluster of two Ray nodes: each has an env runner."""
    output = run_example("--local-nodes", "2", cwd=tmp_path)
    assert "2 nodes, 2 env runners" in output
    nodes = re.findall(r"env runner \d is on node (\w+)", output)
    assert len(nodes) == len(set(nodes)) == 2
