"""What a user writes against the public names. Checkers must accept it, and know the types that it asserts."""

from __future__ import annotations

from typing import Any

import nakajima_zoo
import numpy as np
from gymnasium import spaces
from nakajima_zoo import Batch, Game, Player, Positions, Score, evaluate, make_game, make_player, scalas_v0
from nakajima_zoo.arena import MatchEnv, Recording, play_games, read_recordings, replay_html, round_robin
from nakajima_zoo.envs import BoardGameEnv, GameWrapper, IllegalActionError, Result
from nakajima_zoo.learning import Layout, SeatBatch, augment
from nakajima_zoo.players import GreedyPlayer, League, MCTSPlayer, RandomPlayer, choose_legal
from nakajima_zoo.wrappers import BatchVecEnv, BatchVectorEnv, RecordGames, SingleAgentEnv
from numpy.typing import NDArray
from typing_extensions import assert_type


def play_one_game() -> str:
    env = scalas_v0.env(size=5, illegal_action="raise", render_mode="ansi")
    assert_type(env, GameWrapper)
    env.reset(seed=1)
    for agent in env.agent_iter():
        assert_type(agent, str)
        observation, reward, terminated, truncated, info = env.last()
        assert_type((reward, terminated, truncated, info), tuple[float, bool, bool, dict[str, Any]])
        if terminated or truncated:
            action = None
        else:
            assert_type(env.action_space(agent), spaces.Discrete)
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    assert_type(env.unwrapped, BoardGameEnv)
    assert_type(env.unwrapped.result, Result | None)
    assert_type(env.rewards, dict[str, float])
    result = env.unwrapped.result
    return f"{result.winner} wins {result.scores[0]}" if result is not None else env.unwrapped.to_text()


def look_ahead(env: BoardGameEnv) -> list[int]:
    copy = env.clone()
    try:
        copy.step(copy.legal_actions()[0])
    except IllegalActionError as error:
        print(error)
    env.set_state(copy.get_state())
    assert_type(copy.observe("player_0"), dict[str, NDArray[Any]])
    assert_type(env.unwrapped, BoardGameEnv)
    return copy.history


def step_many() -> NDArray[np.float32]:
    batch = Batch(make_game("ring_world", levels=3, turns="staged"), 64)
    assert_type(batch.game, Game)
    batch.reset(seed=0)
    rewards, terminated, truncated = batch.step(batch.action_mask.argmax(axis=1))
    assert_type(rewards, NDArray[np.float32])
    assert_type(terminated | truncated, NDArray[np.bool_])
    assert_type(batch.action_mask, NDArray[np.int8])
    return batch.observation


class LastPlayer(Player):
    """Plays the legal action with the highest number."""

    def choose(self, positions: Positions) -> NDArray[np.int64]:
        mask = positions.action_mask
        actions: NDArray[np.int64] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return actions


def choose_first(observation: NDArray[np.float32], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = action_mask.argmax(axis=1)
    return actions


def compete() -> float:
    as_first, as_second = evaluate("scalas(size=6)", LastPlayer(), "mcts:50", games_per_seat=10, seed=1)
    assert_type(as_first + as_second, Score)
    against_function, _ = evaluate(make_game("tsukiji"), choose_first, GreedyPlayer())
    final_states = play_games("scalas", ["random", LastPlayer()], 10)
    results = round_robin("scalas", ["random", "greedy"], games_per_seat=10)
    match = MatchEnv(make_game("scalas"), games=2)
    match.reset(seed=1)
    assert_type(match.last()[1], float)
    print(results.names, results.points.max(), final_states["winner"], match.rewards["player_0"])
    return as_first.win_rate + against_function.interval()[0]


def learn_one_seat(opponent: Player) -> float:
    env = SingleAgentEnv("scalas", opponent=opponent, seat="random", size=6)
    observation, info = env.reset(seed=1)
    assert_type(observation, NDArray[np.float32])
    observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    assert_type((reward, terminated, truncated), tuple[float, bool, bool])
    return reward if terminated or truncated else float(env.action_masks().sum())


def learn_many_seats() -> None:
    envs = BatchVectorEnv("tsukiji", 8, opponent=MCTSPlayer(simulations=10))
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert_type(observations, NDArray[np.float32])
    venv = BatchVecEnv("scalas", 16, opponent=League([RandomPlayer(), LastPlayer()]), shaping=0.1)
    venv.reset()
    assert_type(venv.action_masks(), NDArray[np.bool_])
    seats = SeatBatch(make_game("scalas"), 4, illegal_action="lose")
    flat = Layout(seats.game, "flat")(seats.observation)
    actions = seats.action_mask.argmax(axis=1)
    image, mask, _ = augment(seats.observation, seats.action_mask, actions, seats.game.symmetries[1])
    assert_type(mask, NDArray[np.int8])
    print(flat.shape, image.shape, rewards.sum(), (terminated | truncated).any())


def keep_games() -> list[int]:
    env = RecordGames(scalas_v0.env(), "games.jsonl", players=("me", "you"))
    env.reset(seed=1)
    assert_type(env.unwrapped.result, Result | None)
    recording = next(read_recordings("games.jsonl"))
    assert_type(recording, Recording)
    page = replay_html(recording.replay(), title="A game")
    return [*recording.replay().history, len(page)]


game = nakajima_zoo.make_game("scalas", size=6)
assert_type(game.notation.state_to_text(game.new_states(1)[0]), str)
assert_type(make_player("greedy"), Player)
print(nakajima_zoo.__version__, nakajima_zoo.GAMES, nakajima_zoo.game_names(), game.num_actions)
print(choose_legal(make_player(choose_first), Positions(game, game.new_states(3))))
