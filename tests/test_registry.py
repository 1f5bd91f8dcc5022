"""Games from outside of the package, and how games and players are called: the same everywhere."""

import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
import zoo
from nakajima_zoo import Batch, evaluate, game_names, make_game, make_player, register_game, scalas_v0
from nakajima_zoo.arena import read_recordings, replay_html
from nakajima_zoo.envs import GAMES, parameters_of
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.learning import SeatBatch, augment
from nakajima_zoo.players import FunctionPlayer, GreedyPlayer, MCTSPlayer, Player, RandomPlayer, register_player
from nakajima_zoo.wrappers import BatchVectorEnv, SingleAgentEnv
from pettingzoo.test import api_test, seed_test
from zoo import ENVIRONMENT, ROOT, VARIANTS, every_game, every_variant, game_of, random_games

TOY = "tic_tac_toe"


@pytest.fixture(autouse=True)
def toy():
    """The one line that a game from outside takes."""
    register_game(TOY, "toy")
    return make_game(TOY)


def test_a_fifth_game_takes_its_package_and_one_line(toy, tmp_path):
    """It is played, searched, recorded, drawn and trained on like ours."""
    assert game_names() == (*GAMES, TOY) and parameters_of(TOY) == {} and pickle.loads(pickle.dumps(toy)) == toy
    env = BoardGameEnv(toy)
    with pytest.warns(UserWarning, match="Observation"):  # about that are dicts, and the empty board, as for our games
        api_test(env, num_cycles=50)
    seed_test(lambda: BoardGameEnv(toy), num_cycles=50)
    file = tmp_path / "games.jsonl"
    first, second = evaluate(TOY, "mcts:200", "random", 20, file=file)
    assert first.wins + second.wins >= 30 and first.losses + second.losses <= 2
    recordings = list(read_recordings(file))
    assert len(recordings) == 40 and {recording.game for recording in recordings} == {TOY}
    assert "<svg" in recordings[0].replay().svg() and "Tic" in replay_html(recordings[0].replay())
    batch = Batch(TOY, 8)
    batch.reset(0)
    batch.step(batch.action_mask.argmax(axis=1))
    assert SeatBatch(TOY, 4, "greedy").observation.shape == (4, 3, 3, 2)
    assert BatchVectorEnv(TOY, 4).reset(seed=0)[0].shape == (4, 3, 3, 2)
    observation, mask, action = augment(
        batch.observation, batch.action_mask, batch.action_mask.argmax(axis=1), toy.symmetries[3]
    )
    assert mask[np.arange(8), action].all() and observation.shape == batch.observation.shape
    assert toy.action_planes is not None and toy.action_planes.num_planes == 1


def test_the_positions_of_a_fifth_game(toy):
    """Text, copies and masks hold at every position, as for our games."""
    for states, mask in random_games(toy, 20):
        text = toy.notation.state_to_text(states[0])
        assert toy.state_from_text(text).tobytes() == states.tobytes()
        assert (toy.mask(states) == mask).all() and toy.check_state(states[0]).tobytes() == states.tobytes()


def test_edited_rules_are_compiled_again(tmp_path):
    """An edit of a game from outside was ignored: old code came from the cache. Remarks compile nothing anew."""
    package = tmp_path / "edited"
    shutil.copytree(ROOT / "tests" / "toy", package)
    program = """
import nakajima_zoo
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event)
    def on_end(self, event):
        pass
event.register("numba:compile", Listener())
nakajima_zoo.register_game("edited", "edited")
batch = nakajima_zoo.Batch("edited", 1)
batch.reset(0)
rewards = []
for action in (0, 3, 1, 4, 2):
    rewards.append(batch.step([action])[0][0, 0].item())
print(rewards, len(compiled) > 0)
"""

    def run():
        environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-W", "error", "-c", program]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert run() == "[0.0, 0.0, 0.0, 0.0, 1.0] True"
    rules = package / "rules.py"
    rules.write_text(rules.read_text().replace("np.array([7, 56,", "np.array([56,"))  # a table, not the kernel itself
    assert run() == "[0.0, 0.0, 0.0, 0.0, 0.0] True"
    rules.write_text(rules.read_text() + "\n# a remark\n")
    assert run() == "[0.0, 0.0, 0.0, 0.0, 0.0] False"


def test_a_name_is_one_game():
    with pytest.raises(ValueError, match=r"game 'scalas' is that of nakajima_zoo\.envs\.scalas; expected another name"):
        register_game("scalas", "toy")
    with pytest.raises(ValueError, match="expected letters"):
        register_game("tic tac toe", "toy")
    register_game(TOY, "toy")  # the same again


@every_variant
def test_the_text_of_a_game_names_it(variant):
    assert make_game(str(game_of(variant))) == game_of(variant)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_game("chess"), "game 'chess' unknown; expected one of scalas, ring_world, tsukiji, renaissance"),
        (lambda: make_game("scalas", siz=5), "parameter 'siz' unknown for scalas; expected size"),
        (lambda: make_game("scalas(siz=5)"), "parameter 'siz' unknown for scalas; expected size"),
        (lambda: make_game("scalas(size=4)"), "size=4; expected one of 5, 6, 7"),
        (lambda: make_game("scalas:5"), "expected parameters with their names"),
        (lambda: make_game("scalas(5)"), "'5'; expected 'name=value'"),
        (lambda: make_game("scalas(size=5"), "expected a name"),
        (lambda: make_game(5), "game 5 of type int; expected a name"),
        (lambda: Batch("chess", 2), "game 'chess' unknown"),
        (lambda: Batch(None, 2), "game None of type NoneType"),
        (lambda: evaluate("tsukiji", "chess"), "player 'chess' unknown"),
        (lambda: SingleAgentEnv(game_of("scalas-5"), size=5), "expected parameters of a game by name only"),
        (lambda: make_player("mcts:0"), "simulations=0; expected"),
        (lambda: make_player("mcts(simulation=5)"), "has no 'simulation'; expected simulations, exploration, cut"),
        (lambda: make_player("no_such_module:player"), "no_such_module"),
        (lambda: make_player("zoo:random_action"), "expected|missing"),
        (lambda: make_player("os:system"), "expected a function without arguments that makes a Player"),
        (lambda: make_player(RandomPlayer), r"RandomPlayer is a class; expected a Player, such as RandomPlayer\(\)"),
        (lambda: make_player(7), "player 7; expected one of random, greedy, mcts, a Player"),
        (lambda: register_player("mcts", RandomPlayer), "none of random, greedy, mcts"),
    ],
)
def test_errors_name_what_is_valid(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_wrong_keywords_name_the_valid_ones():
    with pytest.raises(TypeError, match=r"env\(\) got an unknown keyword 'siz'; expected size, illegal_action, render"):
        scalas_v0.env(siz=5)
    with pytest.raises(TypeError, match=r"raw_env\(\) got an unknown keyword 'turns'"):
        scalas_v0.raw_env(turns="joint")


def one_way_to_call(player):
    """Whatever takes a player takes this one."""
    evaluate("scalas", player, "random", 1)
    evaluate(game_of("scalas-5"), "greedy", player, 1)
    SeatBatch("scalas", 2, player)
    SingleAgentEnv("scalas", player).reset(seed=0)
    return make_player(player)


def lowest(observation, action_mask):
    return action_mask.argmax(axis=1)


def random_maker():
    return RandomPlayer()


def test_one_way_to_call_players(monkeypatch):
    monkeypatch.setattr(zoo, "random_maker", random_maker, raising=False)
    for player, kind in (
        ("random", RandomPlayer),
        ("greedy", GreedyPlayer),
        ("mcts:5", MCTSPlayer),
        ("mcts(simulations=5, cut=3)", MCTSPlayer),
        (lowest, FunctionPlayer),
        (RandomPlayer(), RandomPlayer),
        ("zoo:random_maker", RandomPlayer),
    ):
        assert isinstance(one_way_to_call(player), kind)
    register_player("lowest", lambda: FunctionPlayer(lowest))
    assert isinstance(one_way_to_call("lowest"), FunctionPlayer)


@every_game
def test_a_player_acts_in_one_environment(variant):
    """The action is legal, the environment is as before, and the same seed chooses alike; wrapped or not."""
    for env in (zoo.raw_env(variant), zoo.wrapped_env(variant)):
        env.reset(seed=1)
        before = zoo.trace(env.unwrapped)
        actions = {make_player("random", 3).act(env) for _ in range(3)}
        assert len(actions) == 1 and actions.pop() in env.unwrapped.legal_actions()
        assert zoo.trace(env.unwrapped) == before
    single = SingleAgentEnv(game_of(variant), seat=0)
    single.reset(seed=0)
    assert single.action_masks()[make_player("greedy", 0).act(single)]
    zoo.play_randomly(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="nobody is to act"):
        make_player("greedy").act(env)


def test_a_player_acts_in_our_games_only():
    import gymnasium

    with pytest.raises(ValueError, match="expected one of nakajima_zoo's games"):
        make_player("random").act(gymnasium.make("CartPole-v1"))


class Loser(Player):
    """A player of somebody else."""

    def choose(self, positions):
        return np.zeros(len(positions.states), np.int64)


def test_the_choice_of_a_player_is_checked():
    env = scalas_v0.env()
    env.reset(seed=0)
    env.step(0)
    env.step(24)
    while 0 in env.unwrapped.legal_actions():
        env.step(env.unwrapped.legal_actions()[-1])
    with pytest.raises(ValueError, match="Loser chose action 0, which is not legal"):
        Loser().act(env)


def test_versions_are_those_of_each_game():
    """One constant would have renamed all games when the rules of one are mended."""
    import gymnasium
    import pettingzoo

    for name in GAMES:
        game = make_game(name)
        assert game.version == 0 and BoardGameEnv(game).metadata["name"] == f"{name}_v{game.version}"
        assert pettingzoo.make("aec", f"nakajima_zoo/{name}-v{game.version}").unwrapped.game == game
        title = name.title().replace("_", "")
        env = gymnasium.make(f"nakajima_zoo:nakajima_zoo/{title}-v{game.version}")
        assert env.unwrapped.game == game
    assert {variant.game for variant in VARIANTS.values()} == set(GAMES)
