"""Our games as Python games of OpenSpiel, for its bots, its algorithms and its evaluation. Needs the extra `openspiel`.

Importing this module registers `nakajima_scalas`, `nakajima_ring_world`, `nakajima_tsukiji` and `nakajima_renaissance`:

>>> import pyspiel
>>> game = pyspiel.load_game("nakajima_ring_world(levels=4,turns=staged)")
>>> game.num_distinct_actions(), game.observation_tensor_shape()
(328, [329, 3])

The parameters are those of the games themselves, with 0 for a turn limit that the game chooses. With `alternate=True`
players strictly alternate: see `wrappers.alternate`. Renaissance has `seed`
too: OpenSpiel would have every draw as a chance node with all its outcomes, and a random arrangement has too many; so
here a game is one of a given seed, without chance. Whoever searches on clones of its states sees what the seed will
draw later: the coins of the draft, and the arrangement at the limit of adjustments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs import GAMES
from ..envs.core import loops
from ..envs.core.extras import needs
from ..envs.core.game import Game
from ..envs.core.record import copy_records
from ..envs.core.registry import make_game, parameters_of
from ..envs.core.types import Record
from .alternate import AlternatePosition, Position

with needs("openspiel", "OpenSpiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

PREFIX = "nakajima_"


class SpielGame(pyspiel.Game):
    """One game in one variant, as OpenSpiel knows games. `game` is ours."""

    name: str  # of the game; a subclass for each has it

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """`params`: those of `parameter_specification(name)`. Raises ValueError for values the game does not know."""
        params = {**parameter_specification(self.name), **(params or {})}
        self.game = made_game(self.name, params)
        position = AlternatePosition if params["alternate"] else Position
        self.start = position.begin(self.game, params.get("seed", 0))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.mask.size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.game.max_decisions * (2 if params["alternate"] else 1),
        )
        super().__init__(game_type(self.name), info, params)

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self)

    def observation_tensor_layout(self) -> pyspiel.TensorLayout:
        """Channels stand last."""
        return pyspiel.TensorLayout.HWC

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Writes observations of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position of a game, as OpenSpiel knows states. `record` is ours."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = game.start.copy()

    @property
    def record(self) -> Record:
        """A copy of the game's record."""
        return copy_records(self.position.states)[0]

    def current_player(self) -> int:
        """Who is to act: 0, 1, or TERMINAL."""
        return pyspiel.PlayerId.TERMINAL if self.position.over else self.position.player

    def is_terminal(self) -> bool:
        """Whether the game is over, by the rules or by the turn limit."""
        return self.position.over

    def returns(self) -> list[float]:
        """+1 and -1 once somebody has won, else 0 and 0."""
        return [self.position.outcome(player) for player in (0, 1)]

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.position.mask).tolist()

    def _apply_action(self, action: int) -> None:
        self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.action_to_text(action)

    def __str__(self) -> str:
        return self.position.game.notation.state_to_text(self.position.states[0])


class Observer:
    """What OpenSpiel asks for observations: `tensor` is flat, `dict["observation"]` the same memory in our shape."""

    def __init__(self, game: Game, params: Any) -> None:
        """Raises ValueError for any `params`: there are none."""
        if params:
            raise ValueError(f"observation parameters {params}; expected none")
        self.tensor = np.zeros(int(np.prod(game.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what `player` sees."""
        loops.observe_at(state.position.states, 0, player, self.dict["observation"])

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text, the same for both players."""
        return str(state)


def parameter_specification(name: str) -> dict[str, int | str | bool]:
    """The parameters of a game with their defaults, as OpenSpiel wants them: 0 stands for None."""
    found = {key: 0 if default is None else default for key, default in parameters_of(name).items()}
    return found | {"alternate": False} | ({"seed": 0} if make_game(name).has_chance else {})


def made_game(name: str, params: dict[str, Any]) -> Game:
    """Our game of OpenSpiel's parameters. Raises ValueError for values the game does not know."""
    defaults = parameters_of(name)
    given = {key: value for key, value in params.items() if key in defaults}
    return make_game(
        name, **{key: None if value == 0 and defaults[key] is None else value for key, value in given.items()}
    )


def loaded(text: str) -> pyspiel.Game:
    """The game of OpenSpiel's text of it, in any process: to find this function there is to register the games."""
    return pyspiel.load_game(text)


def game_type(name: str) -> pyspiel.GameType:
    """What OpenSpiel wants to know about all variants of a game."""
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=name.replace("_", " ").title(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameter_specification(name),
    )


def spiel_game(game: Game, seed: int = 0, alternate: bool = False) -> pyspiel.Game:
    """A game of ours as OpenSpiel loads it; `seed` matters in games with chance only."""
    given = {**game.parameters, "alternate": alternate, "seed": seed}
    return pyspiel.load_game(PREFIX + game.name, {name: given[name] for name in parameter_specification(game.name)})


# Classes: OpenSpiel lets go of what makes a game after Python has ended, and a function would be freed then, and crash.
for _name in GAMES:
    pyspiel.register_game(game_type(_name), type(f"SpielGame_{_name}", (SpielGame,), {"name": _name}))
