"""One seat of many games for a learner, against opponents who play in batch too. Knows no training library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..envs.core.batch import Batch
from ..envs.core.checks import check_choice, check_number
from ..envs.core.forgotten import ForgottenMask
from ..envs.core.game import Game
from ..envs.core.record import ILLEGAL_ACTION
from ..envs.core.seeds import seeds_of
from ..envs.core.types import Actions, Flags, Integers, Mask, Observation, Reals, Records, Rewards
from ..players.base import Positions, choose_legal
from ..players.names import PlayerLike, make_player

if TYPE_CHECKING:
    from typing_extensions import Unpack

SEATS = ("random", 0, 1)
CUT_OFF = ("truncated", "terminated")
"""What is said of a game that the turn limit cuts off. It has been paid in full, by the position as it stands, so that
nothing comes after it; `terminated` says so to algorithms that add a value of the last position at a truncation."""
FACTS = {"turn": "turns", "decision": "decision", "scores": "scores", "winner": "winner", "reason": "reason"}
"""What `info` says of a game, in every environment, and the fields of the record that say it."""


class BatchOptions(TypedDict, total=False):
    """What `SeatBatch` hands on to its `Batch`."""

    num_threads: int | None
    action_mask: Mask | None
    observation: Observation | None
    options: dict[str, Any] | None


class SeatOptions(BatchOptions, total=False):
    """The keywords of `SeatBatch`."""

    illegal_action: str
    shaping: float
    margin: float


class SeatBatch:
    """`n` games in which the learner has one seat. It sees its own decisions only.

    The opponent's replies, and whatever turns the rules give him in a row, belong to the learner's transition: after
    `step` it is the learner's decision in every game. Arrays, written in place:

    - `observation` (n, *observation_shape) float32 and `action_mask` (n, num_actions) int8: of the learner's decisions.
    - `seat` (n,): which player the learner is; drawn anew for each game if `seat="random"`.
    - `rewards` (n,) float32, `terminated` (n,), `truncated` (n,) bool: of the learner's last transition.
    - `outcomes` (n,) float32: the game's own rewards; the same as `rewards` without shaping.
    - `final_observation` (n, *observation_shape) float32: what the learner saw at the end, where a game ended.
    - `final_states` (n,): the records of the games that ended.
    - `final_seat` (n,): which player the learner was in them.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        opponent: PlayerLike = "random",
        seat: str | int = "random",
        *,
        illegal_action: str = "raise",
        shaping: float = 0.0,
        margin: float = 0.0,
        **batch_options: Unpack[BatchOptions],
    ) -> None:
        """`game`: a Game or a name; `opponent`: whatever `make_player` takes; `seat`: 0, 1 or "random".

        A Player plays as a copy for use: it can be given to several. `illegal_action`: "raise" or "lose" the game.

        `shaping`: how much a point of the difference of scores is worth as a potential. The reward of a transition
        grows by the potential after it minus that before it, the potential of a finished game being 0; so what is
        best stays best (Ng, Harada and Russell 1999, without discount). 0: no shaping.
        `margin`: how much a point of the difference of scores is worth for good: it is rewarded when the difference
        changes and not taken back. It does change what is best, towards winning by much, and is learned faster.
        """
        check_choice("seat", seat, SEATS)
        check_number("shaping", shaping)
        check_number("margin", margin)
        self.batch = Batch(game, n, illegal_action=illegal_action, **batch_options)
        self.game = self.batch.game
        self.n = n = self.batch.n
        self.opponent = make_player(opponent).copy_for_use()
        self.seat_choice = seat
        self.seat = np.zeros(n, np.int8)
        self.shaping = float(shaping)
        self.margin = float(margin)
        self.potential = np.zeros(n, np.float32)
        self.rewards = np.zeros(n, np.float32)
        self.outcomes = np.zeros(n, np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_observation = np.zeros_like(self.batch.observation)
        self.final_seat = self.seat.copy()
        self._untouched = np.ones(n, np.bool_)  # the learner has not acted in these games yet
        self._forgotten = ForgottenMask()
        self.reset(None)

    @property
    def observation(self) -> Observation:
        """What the learner sees in each game."""
        return self.batch.observation

    @property
    def action_mask(self) -> Mask:
        """What the learner may do in each game; every row has a 1."""
        return self.batch.action_mask

    @property
    def final_states(self) -> Records:
        """The records of the games that ended."""
        return self.batch.final_states

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin all games, and let the opponent play where he is first. A seed decides games, seats and opponent.

        `seed`: as for `Batch.reset`; a list has one for each game, and all of them together decide seats and opponent.
        """
        if seed is not None:
            seeds_of(seed, self.n)
            seeds = np.random.SeedSequence(seed).generate_state(2)
            self.rng = np.random.default_rng(seeds[0])
            self.opponent.reset(int(seeds[1]))
        elif not hasattr(self, "rng"):
            self.rng = np.random.default_rng()
        self.batch.reset(seed)
        self._begin(np.arange(self.n))
        self._clear()
        self._play_opponent()
        self._clear()
        self._shape()

    def step(self, actions: Integers) -> tuple[Rewards, Flags, Flags]:
        """Play the learner's actions and the opponent's replies; returns `rewards, terminated, truncated`.

        Raises ValueError for actions as `Batch.step`, for an illegal action of the opponent, whatever `illegal_action`
        is, and if a new game is over before the learner can act in it.
        """
        self._clear()
        self._untouched[:] = False
        self._play(actions, np.arange(self.n))
        self._play_opponent()
        self._note_illegal()
        self.rewards[:] = self.outcomes + self._shape()
        return self.rewards, self.terminated, self.truncated

    def facts(self) -> dict[str, NDArray[Any]]:
        """What `info` says of the learner's last transition, by name: copies, (n,) and (n, 2).

        Where a game ended, it is said of that game.
        """
        over = self.terminated | self.truncated
        found = facts_of(self.batch.states)
        if over.any():
            final = facts_of(self.final_states)
            for name, values in found.items():
                values[over] = final[name][over]
        return found

    def replace_opponent(self, opponent: PlayerLike) -> None:
        """Let another opponent play, in the games that are running too; `opponent`: whatever `make_player` takes."""
        self.opponent = make_player(opponent).copy_for_use()
        self.opponent.begin(np.arange(self.n))

    def _note_illegal(self) -> None:
        """Tell `ForgottenMask` of the games that have ended; only the learner's illegal actions end one."""
        ended = self.terminated | self.truncated
        if ended.any():
            reasons = self.final_states["reason"][ended]
            self._forgotten.note(reasons.size, int((reasons == ILLEGAL_ACTION).sum()))

    def _shape(self) -> Reals:
        """Bring the potentials up to date; returns by how much they have grown, (n,)."""
        if not self.shaping and not self.margin:
            return self.potential  # they are 0 for ever
        potential = (self.shaping + self.margin) * lead(self.batch.states, self.seat)
        last = np.where(
            self.terminated | self.truncated, self.margin * lead(self.final_states, self.final_seat), potential
        )
        grown = last - self.potential
        self.potential[:] = potential
        return grown

    def _clear(self) -> None:
        self.rewards[:] = 0
        self.outcomes[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    def _begin(self, rows: Integers) -> None:
        """New games begin: draw the learner's seats, and tell the opponent."""
        if self.seat_choice == "random":
            self.seat[rows] = self.rng.integers(2, size=rows.size)
        else:
            self.seat[rows] = self.seat_choice
        self._untouched[rows] = True
        self.opponent.begin(rows)

    def _play_opponent(self) -> None:
        """Let the opponent act until every game waits for the learner."""
        batch = self.batch
        while True:
            rows = np.flatnonzero(batch.to_play != self.seat)
            if not rows.size:
                return
            self._play(choose_legal(self.opponent, Positions.of_batch(batch, rows)), rows)

    def _play(self, actions: Integers, rows: Integers) -> None:
        batch = self.batch
        rewards, terminated, truncated = batch.step(actions, rows)
        ended = rows[terminated[rows] | truncated[rows]]
        if ended.size:
            if self._untouched[ended].any():
                raise ValueError("a game was over before the learner could act in it")
            seats = self.final_seat[ended] = self.seat[ended]
            self.outcomes[ended] = rewards[ended, seats]
            self.terminated[ended] = terminated[ended]
            self.truncated[ended] = truncated[ended]
            self.final_observation[ended] = batch.final_observation(ended, seats)
            self._begin(ended)


def facts_of(states: Records) -> dict[str, NDArray[Any]]:
    """What `info` says of games, by name: copies of the fields of their records."""
    return {name: states[field].copy() for name, field in FACTS.items()}


def lead(states: Records, seats: Integers) -> Actions:
    """By how many points the player in `seats[i]` leads in game i: int64 (n,)."""
    scores = states["scores"].astype(np.int64)
    rows = np.arange(len(states))
    return scores[rows, seats] - scores[rows, 1 - seats]
