"""AgileRL: its PPO respects masks, where it acts and where it learns, and an agent is saved and loaded."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from zoo import ENVIRONMENT, ROOT, every_game, game_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # AgileRL's, and those of all that it imports
    pytest.importorskip("agilerl", reason="AgileRL is not installed; `make test-agilerl` has an environment for it")
    sys.path.insert(0, str(ROOT / "examples"))
    import agilerl_ppo as example
    import torch
from nakajima_zoo.arena.evaluate import evaluate
from nakajima_zoo.players.simple import RandomPlayer
from nakajima_zoo.wrappers.vector import BatchVectorEnv


@every_game
def test_rollouts_keep_the_masks(variant):
    """A8, G1, G10: every action of a rollout is legal by the mask that is kept with it, and learning uses that mask."""
    game = game_of(variant)
    env = example.Flat(BatchVectorEnv(game, 4, illegal_action="raise"))
    env.reset(seed=0)
    agent = example.make_agent(env)
    example.collect_rollouts(agent, env, 8)
    kept = agent.rollout_buffer.get_tensor_batch()
    masks, actions = kept["action_masks"], kept["actions"].long().reshape(-1, 1)
    assert masks.shape == (32, game.num_actions) and masks.any(dim=1).all() and not masks.all()
    assert masks.gather(1, actions).all()
    log_probs, _, _ = agent.evaluate_actions(
        obs=kept["observations"], actions=actions.squeeze(1), action_mask=kept["action_masks"]
    )
    assert torch.allclose(log_probs, kept["log_probs"].reshape(-1), atol=1e-4)
    assert np.isfinite(agent.learn())


def test_the_reward_reaches_every_decision_of_its_game():
    """What AgileRL's GAE gets wrong: the reward at the end counts for all decisions of that game, and no other's."""
    env = example.Flat(BatchVectorEnv(game_of("scalas-5"), 4, illegal_action="raise"))
    env.reset(seed=0)
    agent = example.make_agent(env)
    example.collect_rollouts(agent, env, 32)
    kept = agent.rollout_buffer.buffer[:32]
    rewards, dones, returns = (kept[key].reshape(32, 4).numpy() for key in ("rewards", "dones", "returns"))
    assert dones.sum() >= 4
    for game in range(4):
        ends = np.flatnonzero(dones[:, game])
        for start, end in zip([0, *(ends[:-1] + 1)], ends, strict=True):
            assert (returns[start : end + 1, game] == rewards[end, game]).all()


def test_a_copy_stays_as_it_was():
    """Self-play: what the agent learns later does not change a frozen copy."""
    env = example.Flat(BatchVectorEnv(game_of("scalas-5"), 4, illegal_action="raise"))
    env.reset(seed=0)
    agent = example.make_agent(env)
    league = example.League([RandomPlayer()])
    example.add_copy(league, agent)
    assert league.weights == [0.3, 0.35]
    before = [parameter.clone() for parameter in agent.actor.parameters()]
    copied = league.players[1].function.__closure__[0].cell_contents
    example.collect_rollouts(agent, env, 8)
    agent.learn()
    assert any(not torch.equal(old, new) for old, new in zip(before, agent.actor.parameters(), strict=True))
    assert all(torch.equal(old, new) for old, new in zip(before, copied.actor.parameters(), strict=True))


def test_a_loaded_agent_plays_as_the_saved_one(tmp_path):
    game = game_of("scalas-5")
    env = example.Flat(BatchVectorEnv(game, 4, illegal_action="raise"))
    env.reset(seed=0)
    agent = example.make_agent(env)
    example.collect_rollouts(agent, env, 8)
    agent.learn()
    agent.save_checkpoint(str(tmp_path / "agent.pt"))
    loaded, other = example.load(tmp_path / "agent.pt"), example.make_agent(env)
    saved = agent.actor.state_dict()
    for each, same in ((loaded, True), (other, False)):
        assert all(torch.equal(each.actor.state_dict()[name], saved[name]) for name in saved) == same
    found = []
    for each in (agent, loaded):
        torch.manual_seed(0)
        found.append(evaluate(game, example.player(each), RandomPlayer(), 20, 1))
    assert found[0] == found[1]


def test_example_runs(tmp_path):
    """G1, H4: it trains, plays no illegal action, and leaves what it promises."""
    command = [sys.executable, str(ROOT / "examples" / "agilerl_ppo.py"), "--timesteps", "4000", "--eval-games", "4"]
    done = subprocess.run(
        [*command, "--name", "tiny"], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert done.stdout.count(" 0 illegal") == 6
    assert (tmp_path / "runs" / "tiny" / "evaluation.txt").read_text() in done.stdout
    assert (tmp_path / "runs" / "tiny" / "agent.pt").stat().st_size > 1000
