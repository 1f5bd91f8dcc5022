"""Players: whatever chooses actions. One interface for random and greedy players, trained models, search and people.

A player is asked for many positions at once, so that a network is evaluated once for a whole batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..envs.core import batch, loops
from ..envs.core.dispatch import play
from ..envs.core.game import Game, check_seed
from ..envs.core.kernel import kernel
from ..envs.core.record import NOBODY, RUNNING

WIN = 1_000_000_000  # beyond any difference of scores


class Positions:
    """k positions in which a player is asked for a decision.

    `game`: what is played. `states` (k,): the records, which a player must not write into. `games` (k,): the rows of
    the batch that they come from.
    """

    def __init__(
        self,
        game: Game,
        states: np.ndarray,
        games: np.ndarray | None = None,
        observation: np.ndarray | None = None,
        action_mask: np.ndarray | None = None,
    ) -> None:
        """`observation` and `action_mask` are worked out when first asked for, unless they are given."""
        self.game = game
        self.states = states
        self.games = np.arange(len(states)) if games is None else games
        if observation is not None:
            self.observation = observation
        if action_mask is not None:
            self.action_mask = action_mask

    def __getitem__(self, rows: np.ndarray) -> Positions:
        """Some of the positions."""
        rows = np.arange(len(self.states))[rows]
        states = self.states.take(rows)  # ten times as fast as indexing an array of records
        return Positions(self.game, states, self.games[rows], self.observation[rows], self.action_mask[rows])

    @cached_property
    def observation(self) -> np.ndarray:
        """What the player to act sees: float32 (k, *observation_shape)."""
        return batch.observations(self.game, self.states, self.states["player"])

    @cached_property
    def action_mask(self) -> np.ndarray:
        """What the player to act may do: int8 (k, num_actions)."""
        return batch.masks(self.game, self.states)


class Player(ABC):
    """What every player offers. Subclass it to plug in your own; only `choose` must be written."""

    @abstractmethod
    def choose(self, positions: Positions) -> np.ndarray:
        """A legal action for each position: integers (k,)."""

    def reset(self, seed: int | None = None) -> None:  # noqa: B027 - nothing to do is a good default
        """Start all chance anew from `seed`."""

    def begin(self, games: np.ndarray) -> None:  # noqa: B027
        """Told that new games begin in these rows of the batch, integers (k,)."""


class RandomPlayer(Player):
    """Plays every legal action with the same probability."""

    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`."""
        self.rng = np.random.default_rng(seed)

    def choose(self, positions: Positions) -> np.ndarray:
        """A random legal action for each position: int64 (k,)."""
        return batch.uniform_actions(positions.action_mask, self.rng.random(len(positions.states)))


class GreedyPlayer(RandomPlayer):
    """Looks one decision ahead: wins if it can, else takes the best difference of scores; ties at random."""

    def choose(self, positions: Positions) -> np.ndarray:
        """The best action by the score after it, for each position: int64 (k,)."""
        states, mask = positions.states, positions.action_mask
        actions = np.empty(len(states), np.int64)
        best = np.empty(positions.game.num_actions, np.int64)
        greedy_actions(states, states[:1].copy(), mask, self.rng.random(len(actions)), best, actions)
        return actions


class FunctionPlayer(Player):
    """Makes a player of a function `choose(observation, action_mask) -> actions` on arrays of k positions."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.function = function

    def choose(self, positions: Positions) -> np.ndarray:
        """What the function says: int64 (k,)."""
        return np.asarray(self.function(positions.observation, positions.action_mask), np.int64)


class League(Player):
    """Several players, one of whom is drawn for each game that begins."""

    def __init__(
        self, players: Sequence[Player], weights: Sequence[float] | None = None, seed: int | None = None
    ) -> None:
        """`weights`: how often each player is drawn, relative to the others; equally often by default."""
        self.players = list(players)
        self.weights = list(weights) if weights is not None else [1.0] * len(self.players)
        self.drawn = np.zeros(0, np.int64)
        self.rng = np.random.default_rng(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start all chance anew from `seed`, that of the players too."""
        self.rng = np.random.default_rng(seed)
        for player in self.players:
            player.reset(None if seed is None else int(self.rng.integers(2**31)))

    def add(self, player: Player, weight: float = 1.0) -> None:
        """Let `player` join; it is drawn for games that begin from now on."""
        self.players.append(player)
        self.weights.append(weight)

    def begin(self, games: np.ndarray) -> None:
        """Draw a player for each of the games."""
        if games.size and games.max() >= self.drawn.size:
            self.drawn = np.resize(self.drawn, int(games.max()) + 1)
        chances = np.array(self.weights) / sum(self.weights)
        self.drawn[games] = self.rng.choice(len(self.players), size=games.size, p=chances)

    def choose(self, positions: Positions) -> np.ndarray:
        """What the drawn players choose, each asked once for all its positions: int64 (k,)."""
        drawn = self.drawn[positions.games]
        actions = np.empty(len(drawn), np.int64)
        for member in np.unique(drawn):
            rows = np.flatnonzero(drawn == member)
            actions[rows] = self.players[member].choose(positions[rows])
        return actions


def _mcts_player() -> Player:
    """A search with the defaults; imported when asked for, since it is built on this module."""
    from .mcts import MCTSPlayer

    return MCTSPlayer()


PLAYERS: dict[str, Callable[[], Any]] = {"random": RandomPlayer, "greedy": GreedyPlayer, "mcts": _mcts_player}


def make_player(player: str | Player, seed: int | None = None) -> Player:
    """The player of a name (one of PLAYERS), seeded; a player as it is. Raises ValueError for anything else."""
    if isinstance(player, Player):
        return player
    if not isinstance(player, str) or player not in PLAYERS:
        raise ValueError(f"player {player!r} unknown; expected one of {', '.join(PLAYERS)}, or a Player")
    made = PLAYERS[player]()
    made.reset(None if seed is None else check_seed(seed))
    return made


def choose_legal(player: Player, positions: Positions) -> np.ndarray:
    """What `player` chooses, int64 (k,). Raises ValueError that names player and action if one is not legal."""
    found, name = np.asarray(player.choose(positions)), type(player).__name__
    games = np.arange(len(positions.states))
    if found.shape != games.shape or not np.issubdtype(found.dtype, np.integer):
        raise ValueError(f"{name} chose {found.dtype}{found.shape}; expected an integer for each of {games.size} games")
    actions = found.astype(np.int64, copy=False)
    k = loops.first_illegal(games, actions, positions.action_mask)
    if k >= 0:
        raise ValueError(f"{name} chose action {actions[k]}, which is not legal in game {positions.games[k]}")
    return actions


@kernel
def greedy_actions(states, after, mask, uniform, best, actions):
    """Write the greedy action of each position; `after` (1,) and `best` (num_actions,) are scratch space."""
    for i in range(states.size):
        count, best_value = 0, -2 * WIN
        for action in range(mask.shape[1]):
            if mask[i, action]:
                after[0] = states[i]
                play(after[0], action)
                value = value_for(after[0], states[i].player)
                if value > best_value:
                    count, best_value = 0, value
                if value == best_value:
                    best[count] = action
                    count += 1
        actions[i] = best[int(uniform[i] * count)]


@kernel
def value_for(state, player):
    """How good a position is for `player`: WIN or -WIN when it is over, else the difference of scores."""
    if state.status != RUNNING:
        if state.winner == NOBODY:
            return 0
        return WIN if state.winner == player else -WIN
    return int(state.scores[player]) - int(state.scores[1 - player])
