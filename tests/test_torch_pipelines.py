"""The examples on PyTorch: each trains with a tiny budget, and hands the right values to the right player."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
from nakajima_zoo.envs.core.registry import make_game
from test_examples import run_example
from zoo import ROOT, game_of, raw_env

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:Creating .* which inherits from WeightUpdaterBase:DeprecationWarning")

GAMES = {
    "scalas-5": ["--game", "scalas"],
    "ring_world-L3-joint": ["--game", "ring_world"],
    "tsukiji-staged": ["--game", "tsukiji"],
    "renaissance-full-staged": ["--game", "renaissance"],
}
TINY = ["--num-envs", "8", "--eval-games", "3", "--name", "tiny", "--seed", "1"]
SEVERAL_IN_A_ROW = ("scalas-5", "tsukiji-staged")


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return importlib.import_module


def check_run(output, folder):
    assert "against random as both" in output and "against greedy as both" in output
    assert output.count(" 0 illegal") == 6
    assert (folder / "evaluation.txt").read_text() in output
    assert (folder / "model.pt").stat().st_size > 1000


def results_of(variant, players, actions):
    """Plays the actions on the AEC environment, game after game; who acted must fit. What each decision's player got.

    NaN for the decisions of a last game that did not end.
    """
    env = raw_env(variant)
    env.reset()
    results, begun = np.full(len(actions), np.nan), 0
    for step, (player, action) in enumerate(zip(players, actions, strict=True)):
        assert env.agent_selection == f"player_{player}"
        env.step(int(action))
        if env.result is not None:
            results[begun : step + 1] = [env.rewards[f"player_{p}"] for p in players[begun : step + 1]]
            begun = step + 1
            env.reset()
    return results


# CleanRL style


@pytest.mark.parametrize("variant", GAMES)
def test_cleanrl_example(variant, tmp_path):
    output = run_example("cleanrl_ppo.py", *GAMES[variant], "--decisions", "512", *TINY, cwd=tmp_path)
    check_run(output, tmp_path / "runs" / "tiny")


def test_cleanrl_is_repeatable_and_short(tmp_path):
    command = ["cleanrl_ppo.py", "--decisions", "512", *TINY]
    assert len({run_example(*command, "--force", cwd=tmp_path).split("against", 1)[1] for _ in range(2)}) == 1
    assert len((ROOT / "examples" / "cleanrl_ppo.py").read_text().splitlines()) < 400


@pytest.mark.parametrize("variant", SEVERAL_IN_A_ROW)
def test_cleanrl_returns_are_the_players_own(variant, example):
    """B2, D5: without bootstrapping, each decision is worth what its player gets in the end."""
    ppo, game = example("cleanrl_ppo"), game_of(variant)
    torch.manual_seed(0)
    rollout = ppo.Collector(game, 4, 400, shaping=0.0, seed=0).collect(ppo.Agent(game))
    rollout.values.zero_()
    returns = ppo.advantages(rollout, gae_lambda=1.0).numpy()
    players, ended = rollout.players.numpy(), rollout.ended.numpy()
    assert ((players[1:] == players[:-1]) & ~ended[:-1]).any(), "no player acts twice in a row"
    assert rollout.masks.gather(2, rollout.actions[..., None]).all()
    for i in range(4):
        expected = results_of(variant, players[:, i], rollout.actions[:, i].numpy())
        known = np.isfinite(expected)
        assert known.any()
        np.testing.assert_allclose(returns[known, i], expected[known], atol=1e-4)


def test_cleanrl_shaping_telescopes(example):
    """Shaping takes away what the player already had, and nothing else."""
    ppo, game = example("cleanrl_ppo"), game_of("scalas-5")
    returns = []
    for shaping in (0.0, 0.5):
        torch.manual_seed(0)
        rollout = ppo.Collector(game, 2, 100, shaping=shaping, seed=0).collect(ppo.Agent(game))
        rollout.values.zero_()
        rollout.next_value.zero_()
        returns.append(ppo.advantages(rollout, gae_lambda=1.0).numpy())
    played = rollout.ended.flip(0).cumsum(0).flip(0).bool().numpy()  # games that ended within the rollout
    own, other = (rollout.observations[..., channel].sum(dim=(2, 3)).numpy() for channel in (0, 1))
    np.testing.assert_allclose((returns[0] - returns[1])[played], 0.5 * (own - other)[played], atol=1e-4)


def test_cleanrl_bootstraps_by_player(example):
    """D5: the next value counts as it is for the same player, with its sign turned for the other, not after the end."""
    ppo = example("cleanrl_ppo")
    rollout = SimpleNamespace(
        values=torch.zeros(4, 1),
        rewards=torch.zeros(4, 1),
        players=torch.tensor([[0], [0], [1], [0]]),
        ended=torch.tensor([[False], [False], [False], [True]]),
        next_value=torch.tensor([9.0]),
        next_player=torch.tensor([0]),
    )
    rollout.values[:, 0] = torch.tensor([0.0, 0.5, 0.25, 0.125])
    found = ppo.advantages(rollout, gae_lambda=0.0)[:, 0]
    assert found.tolist() == [0.5, -0.25 - 0.5, -0.125 - 0.25, -0.125]


@pytest.mark.parametrize("actions", [25, 1_347, 15_288])
def test_cleanrl_masked_distribution(actions, example):
    """A2, A3: never an illegal action, finite gradients, and no row without a legal action."""
    ppo = example("cleanrl_ppo")
    generator = torch.Generator().manual_seed(0)
    mask = torch.rand(256, actions, generator=generator) < 3 / actions
    mask[torch.arange(256), torch.randint(actions, (256,), generator=generator)] = True
    for scale in (1.0, 1e4):
        logits = (scale * torch.randn(256, actions, generator=generator)).requires_grad_()
        log_probs = ppo.masked_log_probs(logits, mask)
        for _ in range(20):
            chosen = ppo.sample(log_probs)
            assert mask.gather(1, chosen[:, None]).all()
        entropy = ppo.entropy(log_probs)
        (entropy.sum() + log_probs.gather(1, chosen[:, None]).sum()).backward()
        assert logits.grad.isfinite().all() and (logits.grad[~mask] == 0).all()
        assert (entropy >= -1e-4).all() and (entropy <= mask.sum(1).log() + 1e-4).all()
    mask[7] = False
    with pytest.raises(ValueError, match="no action is legal"):
        ppo.masked_log_probs(logits, mask)


def test_cleanrl_saved_is_loaded(example, tmp_path):
    ppo, game = example("cleanrl_ppo"), game_of("scalas-6")
    agent = ppo.Agent(game)
    ppo.save(agent, game, tmp_path / "model.pt")
    loaded_game, loaded = ppo.load(tmp_path / "model.pt")
    assert loaded_game == game
    seen = torch.rand(5, *game.observation_shape), torch.ones(5, game.num_actions, dtype=torch.bool)
    assert all(map(torch.equal, agent(*seen), loaded(*seen)))


# TorchRL


@pytest.fixture
def torchrl_ppo(example):
    pytest.importorskip("torchrl")
    return example("torchrl_ppo")


@pytest.mark.parametrize("variant", SEVERAL_IN_A_ROW)
def test_torchrl_example(variant, tmp_path):
    pytest.importorskip("torchrl")
    budget = ["--frames", "64", "--steps", "8", "--minibatch", "32", "--epochs", "2"]
    output = run_example("torchrl_ppo.py", *GAMES[variant], *budget, *TINY, cwd=tmp_path)
    check_run(output, tmp_path / "runs" / "tiny")


@pytest.mark.parametrize("variant", SEVERAL_IN_A_ROW)
def test_torchrl_turns_masks_and_ends(variant, torchrl_ppo):
    """G7: TorchRL's wrapper says whose decision it is, and both players' courses end with their own result."""
    game = game_of(variant)
    torch.manual_seed(0)
    env, actor = torchrl_ppo.make_env(game), torchrl_ppo.make_actor(game)
    data = env.rollout(400, actor, break_when_any_done=False)
    acting, actions = data["player", "mask"], data["player", "action"]
    assert (acting.sum(1) == 1).all()
    assert data["player", "action_mask"].gather(2, actions[..., None])[acting].all()
    players = acting.int().argmax(1).numpy()
    expected = results_of(variant, players, actions[acting].numpy())
    known = np.isfinite(expected)
    assert known.any() and data["next", "done"].sum() == (data["next", "player", "reward"].abs().sum(1) > 0).sum()
    critic = torchrl_ppo.make_critic(game)
    for parameter in critic.parameters():
        parameter.data.zero_()
    with torch.no_grad():
        torchrl_ppo.make_advantage(critic, 1.0)(data)
    np.testing.assert_allclose(data["player", "advantage"][acting].squeeze(1).numpy()[known], expected[known])


def test_torchrl_takes_our_infos(torchrl_ppo):
    """It failed at texts; now what the environment says of a game stands in its tensors."""
    with pytest.warns(UserWarning, match="PettingZoo in TorchRL is tested"):
        env = torchrl_ppo.PettingZooWrapper(raw_env("tsukiji-staged"), use_mask=True)
    env.set_seed(0)
    torch.manual_seed(0)
    infos = env.rollout(40)["next", "player_0", "info"]
    assert set(infos.keys()) == {"turn", "decision", "scores", "winner", "reason"}
    assert (infos["winner"] == -1).all() and len(infos["decision"].unique()) > 1
    assert infos["turn"].max() > 3 and infos["scores"].shape[-1] == 2


# Tianshou


@pytest.fixture
def tianshou_dqn(example):
    pytest.importorskip("tianshou")
    return example("tianshou_dqn")


@pytest.mark.parametrize("variant", SEVERAL_IN_A_ROW)
def test_tianshou_example(variant, tmp_path):
    pytest.importorskip("tianshou")
    budget = ["--decisions", "1280", "--minibatch", "32"]
    output = run_example("tianshou_dqn.py", *GAMES[variant], *budget, *TINY, cwd=tmp_path)
    check_run(output, tmp_path / "runs" / "tiny")


def tianshou_games(module, game, decisions):
    """The algorithm and a buffer full of games that it played, exploring as it does in training."""
    policy = module.make_policy(game)
    arguments = SimpleNamespace(learning_rate=1e-3, n_step=1, target_update=10)
    algorithm = module.make_algorithm(game, policy, arguments)
    envs = module.DummyVectorEnv([lambda: module.make_env(game)])
    buffer = module.VectorReplayBuffer(decisions, 1)
    policy.set_eps_inference(0.5)
    np.random.seed(0)
    torch.manual_seed(0)
    collector = module.Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    with importlib.import_module("tianshou.utils.torch_utils").policy_within_training_step(algorithm.policy):
        collector.collect(n_step=decisions)
    return algorithm, buffer


@pytest.mark.parametrize("variant", SEVERAL_IN_A_ROW)
def test_tianshou_targets(variant, tianshou_dqn, monkeypatch):
    """G8, D5: the agent's own rewards, and a value whose sign is that of whoever acts next."""
    game = game_of(variant)
    algorithm, buffer = tianshou_games(tianshou_dqn, game, 400)
    data, indices = buffer[np.arange(400)], np.arange(400)
    assert data.obs.mask[indices, data.act].all()
    players = np.array([int(agent[-1]) for agent in data.obs.agent_id])
    expected = results_of(variant, players, data.act)
    known = np.isfinite(expected)
    assert known.any()
    monkeypatch.setattr(tianshou_dqn.DQN, "_target_q", lambda self, buffer, indices: torch.full((len(indices),), 0.5))
    for n_step in (1, game.max_decisions):
        for agent in tianshou_dqn.AGENTS:
            algorithm.get_algorithm(agent).n_step = n_step
        found = algorithm._preprocess_batch(buffer[indices], buffer, indices)
        for player, agent in enumerate(tianshou_dqn.AGENTS):
            own = players == player
            returns = found[agent].returns.flatten().numpy()
            if n_step == 1:
                signs = np.where(data.obs_next.agent_id == agent, 0.5, -0.5)
                wanted = np.where(data.done, data.rew[:, player], signs)[own]
                assert (wanted[~data.done[own]] > 0).any() and (wanted[~data.done[own]] < 0).any()
                np.testing.assert_allclose(returns, wanted)
            else:
                np.testing.assert_allclose(returns[known[own]], expected[own & known])


def test_tianshou_keeps_our_infos(tianshou_dqn):
    """Its buffer filled what was missing, or no number, with NaN."""
    game = make_game("tsukiji", max_turns=8)
    _, buffer = tianshou_games(tianshou_dqn, game, 100)
    infos, done = buffer.info[np.arange(100)], buffer.done[:100]
    assert done.any() and (infos.reason[done] == game.reasons.index("turn_limit")).all()
    assert np.isin(infos.winner[done], [-1, 0, 1]).all() and (infos.winner[~done] == -1).all()
    assert infos.turn.max() == 8 and infos.scores.shape == (100, 2) and infos.decision.max() > 0


def test_tianshou_explores(tianshou_dqn):
    """Without exploration every game would be the same one, and nothing would be learned."""
    _, buffer = tianshou_games(tianshou_dqn, game_of("scalas-5"), 400)
    data = buffer[np.arange(400)]
    ends = np.flatnonzero(data.done) + 1
    games = np.split(data.act, ends)[:-1]
    assert len(games) >= 5 and len({tuple(actions) for actions in games}) == len(games)


def test_tianshou_expects_nothing_after_the_turn_limit(tianshou_dqn):
    """A game that is cut off has been paid; its last position is worth nothing more."""
    game = make_game("tsukiji", max_turns=4)
    algorithm, buffer = tianshou_games(tianshou_dqn, game, 100)
    ends = np.flatnonzero(buffer.truncated[:100])
    assert len(ends) and not buffer.terminated[ends].any()
    found = algorithm._preprocess_batch(buffer[ends], buffer, ends)
    for player, agent in enumerate(tianshou_dqn.AGENTS):
        own = buffer.obs.agent_id[ends] == agent
        if own.any():
            np.testing.assert_allclose(found[agent].returns.flatten().numpy(), buffer.rew[ends, player][own])
