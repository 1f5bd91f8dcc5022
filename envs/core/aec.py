"""The interface of PettingZoo's AEC environments with types. PettingZoo has none, so checkers would take it for Any."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .types import Integers, Seen

Action: TypeAlias = int | np.integer[Any] | Integers | None
"""An integer of any kind, or an array of one integer; None for an agent that is terminated or truncated."""
Info: TypeAlias = dict[str, Any]


class Environment:
    """What every AEC environment of ours has. For checkers alone: at run time it is all PettingZoo's."""

    if TYPE_CHECKING:
        metadata: dict[str, Any]
        render_mode: str | None
        possible_agents: list[str]

        @property
        def agents(self) -> list[str]:
            """The agents that are still in the game."""

        @property
        def agent_selection(self) -> str:
            """The agent that acts next."""

        @property
        def rewards(self) -> dict[str, float]:
            """Of the last step."""

        @property
        def terminations(self) -> dict[str, bool]:
            """Whether the rules ended the game."""

        @property
        def truncations(self) -> dict[str, bool]:
            """Whether the turn limit ended the game."""

        @property
        def infos(self) -> dict[str, Info]:
            """What else there is to say to each agent."""

        @property
        def num_agents(self) -> int:
            """How many agents are still in the game."""

        @property
        def max_num_agents(self) -> int:
            """How many agents there are: two."""

        def last(self, observe: bool = True) -> tuple[Seen | Any, float, bool, bool, Info]:
            """Of `agent_selection`; the observation is None without `observe`."""

        def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
            """The agents in the order in which they act."""
