"""Our games in OpenSpiel: its MCTS bot against random play, and its PPO, which learns with masks.

    python examples/openspiel.py --game scalas
    python examples/openspiel.py --game ring_world --set turns=staged --timesteps 100000 --bot-games 4

Leaves runs/<name>/: model.pt and evaluation.txt. OpenSpiel asks a game in Python through several layers at every step:
for speed alone, `MCTSPlayer` and `Batch` are the way.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from common import learner_parser, parse, run, until_stopped
from nakajima_zoo import Game, Score
from nakajima_zoo.arguments import at_least, clear_errors, positive
from nakajima_zoo.envs import needs
from nakajima_zoo.players import FunctionPlayer

with clear_errors(), needs("openspiel", "this example"):
    import torch
    from nakajima_zoo.wrappers import spiel_game
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
    from open_spiel.python.bots.uniform_random import UniformRandomBot
    from open_spiel.python.pytorch.ppo import PPO, PPOAgent
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment, TimeStep
    from open_spiel.python.vector_env import SyncVectorEnv
    from tqdm import tqdm

STEPS = 64  # decisions in each game between two updates


class OneSeat:
    """One seat of a game against random play, drawn anew for each game: OpenSpiel's PPO knows a single agent only.

    What it offers is what `SyncVectorEnv` asks of an environment. The learner finds what it sees, what it may do and
    its rewards in place 0 of a TimeStep, whatever its seat.
    """

    def __init__(self, spiel: Any, seed: int) -> None:
        self.env = Environment(spiel)
        self.rng = np.random.default_rng(seed)
        self.seat = 0

    def reset(self) -> TimeStep:
        """Begin a game, and play at random until the learner is to act."""
        self.seat = int(self.rng.integers(2))
        return self._play_opponent(self.env.reset())

    def step(self, actions: list[int]) -> TimeStep:
        """Play the learner's action, and at random until it is to act again."""
        return self._play_opponent(self.env.step(actions))

    def get_time_step(self) -> TimeStep:
        """What the learner was told last."""
        return self.now

    def _play_opponent(self, found: TimeStep) -> TimeStep:
        while not found.last() and found.current_player() != self.seat:
            found = self.env.step([int(self.rng.choice(found.observations["legal_actions"][1 - self.seat]))])
        if self.seat == 1:
            for values in (found.observations["info_state"], found.observations["legal_actions"], found.rewards):
                if values is not None:
                    values.reverse()
        self.now = found
        return found


def main() -> None:
    """Let the bot play, train, save, load again, and show how good it got."""
    arguments = parse_arguments()
    game: Game = arguments.made_game
    spiel = spiel_game(game, arguments.seed)
    print(f"{spiel}: {spiel.num_distinct_actions()} actions, observation {spiel.observation_tensor_shape()}")
    print(f"OpenSpiel's MCTS, {arguments.simulations} simulations, against random: {play_bots(spiel, arguments)}")
    run(
        arguments,
        lambda game, arguments: train(spiel, arguments),
        save=lambda network, folder: torch.save(network.state_dict(), folder / "model.pt"),
        load=lambda folder: {"OpenSpiel's PPO": load(spiel, folder / "model.pt")},
    )


def load(spiel: Any, path: Path) -> FunctionPlayer:
    """The network whose weights are in the file, as a player of ours."""
    network = new_network(spiel)
    network.load_state_dict(torch.load(path, weights_only=True))
    return network_player(network)


def parse_arguments() -> argparse.Namespace:
    """What to play and to train, and for how long."""
    parser = learner_parser(__doc__)
    parser.add_argument("--simulations", type=at_least(1), default=20, help="of OpenSpiel's MCTS bot, per decision")
    parser.add_argument("--bot-games", type=at_least(1), default=10, help="of the bot, per seat")
    parser.add_argument("--timesteps", type=at_least(1), default=400_000, help="decisions of the learner")
    parser.add_argument("--num-envs", type=at_least(1), default=16, help="games played at once")
    parser.add_argument("--learning-rate", type=positive, default=1e-3, help="at the start; it falls to 0")
    return parse(parser, "openspiel")


def play_bots(spiel: Any, arguments: argparse.Namespace) -> Score:
    """What OpenSpiel's MCTS bot makes of games against its random bot, in both seats."""
    rng = np.random.RandomState(arguments.seed)
    total = Score()
    for number in tqdm(range(2 * arguments.bot_games), desc="MCTS bot", unit="game"):
        seat = number % 2
        search = MCTSBot(spiel, 2.0, arguments.simulations, RandomRolloutEvaluator(1, rng), random_state=rng)
        bots = [search, UniformRandomBot(1 - seat, rng)]
        result = evaluate_bots(spiel.new_initial_state(), bots[:: -1 if seat else 1], rng)[seat]
        total += Score(wins=int(result > 0), draws=int(result == 0), losses=int(result < 0))
    return total


def new_network(spiel: Any) -> PPOAgent:
    """OpenSpiel's network for PPO."""
    return PPOAgent(spiel.num_distinct_actions(), (spiel.observation_tensor_size(),), "cpu")


def train(spiel: Any, arguments: argparse.Namespace) -> PPOAgent:
    """The network of OpenSpiel's PPO after `timesteps` decisions against random play."""
    torch.manual_seed(arguments.seed)
    np.random.seed(arguments.seed)  # OpenSpiel's PPO shuffles with it
    envs = SyncVectorEnv([OneSeat(spiel, arguments.seed + i) for i in range(arguments.num_envs)])
    agent = PPO(
        (spiel.observation_tensor_size(),),
        spiel.num_distinct_actions(),
        num_players=2,
        player_id=0,
        num_envs=arguments.num_envs,
        steps_per_batch=STEPS,
        learning_rate=arguments.learning_rate,
        gamma=1.0,
        agent_fn=PPOAgent,
    )
    updates = max(arguments.timesteps // (STEPS * arguments.num_envs), 1)
    now, wins, games = envs.reset(), 0, 0
    for update in (progress := tqdm(until_stopped(range(updates)), total=updates, desc="PPO", unit="update")):
        for group in agent.optimizer.param_groups:
            group["lr"] = arguments.learning_rate * (1 - update / updates)
        for _ in range(STEPS):
            chosen: list[StepOutput] = agent.step(now)
            now, rewards, done, _ = envs.step(chosen, reset_if_done=True)
            agent.post_step([reward[0] for reward in rewards], done)
            games += sum(done)
            wins += sum(reward[0] > 0 for reward, over in zip(rewards, done, strict=True) if over)
        agent.learn(now)
        if games >= 100:
            progress.set_postfix(won=f"{wins / games:.0%}")
            wins = games = 0
    return agent.network


def network_player(network: PPOAgent) -> FunctionPlayer:
    """The network's most probable legal actions, as a player of ours: the observation is the same memory, flat."""

    @torch.inference_mode()
    def choose(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        logits = network.actor(torch.from_numpy(observation).flatten(1))
        return logits.masked_fill(torch.from_numpy(mask) == 0, -torch.inf).argmax(1).numpy()

    return FunctionPlayer(choose)


if __name__ == "__main__":
    main()
