"""What an action of Renaissance points at, for a table where people click.

A polyomino is taken from a hand or the pool, `piece:silver:L4` or `piece:pool:L4`, and lies on squares,
`square:a7+square:b7+square:c7+square:a6`. Other things are squares, and the ends of files and ranks, `edge:top:c`.
"""

from __future__ import annotations

from ..core.things import square_things, together
from ..core.types import Record
from . import board
from .notation import LINE_NAMES, PLAYERS

POOL = "pool"
MARKER, MONOMINO = "marker", "monomino"
SQUARES = square_things(board.SIZE)
EDGES = tuple(f"edge:{name.replace(' ', ':')}" for name in LINE_NAMES)


PLACEMENTS = tuple(together(SQUARES[square] for square in squares) for squares in board.PLACEMENTS)


def things(state: Record, action: int) -> tuple[str, ...]:
    """The things of an action; of a joint turn those of both halves."""
    if action >= board.FIRST_JOINT:
        placement, move = divmod(action - board.FIRST_JOINT, board.NUM_MOVES)
        return *things(state, placement), *move_things(move)
    if action < board.FIRST_MARKER:
        return piece(state, board.KINDS[board.KIND[action]]), PLACEMENTS[action]
    if action < board.FIRST_PUSH:
        return marker_things(state, action)
    if action < board.FIRST_TAKE_OFF:
        return (EDGES[action - board.FIRST_PUSH],)
    if action < board.FIRST_MOVE:
        square = action - board.FIRST_TAKE_OFF
        placement = int(state.cover[square])
        return (SQUARES[square] if placement == board.NONE else PLACEMENTS[placement],)
    if action < board.FIRST_PICK:
        return move_things(action - board.FIRST_MOVE)
    return (piece(state, board.KINDS[action - board.FIRST_PICK]),)


def piece(state: Record, kind: str) -> str:
    """What stands beside the board: a polyomino, a marker or a monomino of the player, or a polyomino of the pool."""
    shared = state.decision in (board.ARRANGE, board.TAKE_OFF, board.PICK)
    return f"piece:{POOL if shared else PLAYERS[1 if state.player == 1 else 0]}:{kind}"


def marker_things(state: Record, action: int) -> tuple[str, ...]:
    """Where a marker or the monomino is placed, and which of both, where it could be either."""
    kind, square = (MARKER, action - board.FIRST_MARKER)
    if action >= board.FIRST_MONOMINO:
        kind, square = MONOMINO, action - board.FIRST_MONOMINO
    return (piece(state, kind), SQUARES[square]) if state.decision == board.PREPARE else (SQUARES[square],)


def move_things(move: int) -> tuple[str, str]:
    """The square that a marker leaves, and the one that it goes to; that is itself where there is none."""
    square, target = move // 8, int(board.KING_STEP[move // 8, move % 8])
    return SQUARES[square], SQUARES[square if target == board.NONE else target]
