"""Agents are PettingZoo's names, players are numbers: `player_0` is player 0, who moves first."""

from __future__ import annotations

from .record import NOBODY

AGENTS = ("player_0", "player_1")


def player_of(agent: str) -> int:
    """The player, 0 or 1, of an agent. Raises ValueError for anything else."""
    try:
        return AGENTS.index(agent)
    except ValueError:
        raise ValueError(f"agent {agent!r} unknown; expected {AGENTS[0]} or {AGENTS[1]}") from None


def agent_name(player: int | None) -> str | None:
    """The agent of a player; None for nobody."""
    return None if player is None or player == NOBODY else AGENTS[player]


def reward(player: int, winner: int) -> float:
    """What `player` gets when a game ends with `winner` (NOBODY for a draw)."""
    if winner == NOBODY:
        return 0.0
    return 1.0 if winner == player else -1.0
