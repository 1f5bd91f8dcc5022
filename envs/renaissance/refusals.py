"""Why an action of Renaissance is not legal, in the game's words. Plain and slow: loaded when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..core.record import NOBODY, RUNNING
from ..core.types import Record, Squares
from . import board
from .arrangement import legal_take_offs
from .notation import SQUARE_NAMES
from .phase1 import accessible
from .phase2 import play_relocation

ASKED = {
    board.ARRANGE: "a polyomino is to be laid",
    board.TAKE_OFF: "nothing that is left fits: a polyomino is to be taken off",
    board.PLACE_MARKER: "a marker is to be placed or pushed in",
    board.PREPARE: "a marker or the monomino is to be placed",
    board.RELOCATE: "a polyomino of the hand is to be placed",
    board.MOVE_MARKER: "a marker is to be moved, the polyomino is placed",
    board.PICK: "a polyomino is to be picked",
}
CLOSED = f"{SQUARE_NAMES[board.CENTRE]} is closed"


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action within the action space breaks; empty if it breaks none."""
    if state.player == NOBODY:
        return "the game is over"
    decision = int(state.decision)
    if decision not in decisions_for(action):
        return f"now {ASKED[decision]}"
    if action >= board.FIRST_JOINT:
        return why_not_turn(state, *divmod(action - board.FIRST_JOINT, board.NUM_MOVES))
    if action >= board.FIRST_PICK:
        return why_not_picked(state, action - board.FIRST_PICK)
    if action >= board.FIRST_MOVE:
        return why_not_moved(state, action - board.FIRST_MOVE)
    if action >= board.FIRST_TAKE_OFF:
        return why_not_taken_off(state, action - board.FIRST_TAKE_OFF)
    if action >= board.FIRST_PUSH:
        return why_not_pushed(state, action - board.FIRST_PUSH)
    if action >= board.FIRST_MONOMINO:
        return why_no_monomino(state, action - board.FIRST_MONOMINO)
    if action >= board.FIRST_MARKER:
        return why_no_marker(state, action - board.FIRST_MARKER)
    return why_not_laid(state, action) if decision == board.ARRANGE else why_not_alone(state, action)


def decisions_for(action: int) -> tuple[int, ...]:
    """The decisions at which actions of this kind are played."""
    for first, decisions in KINDS_OF_ACTIONS:
        if action >= first:
            return decisions
    return board.ARRANGE, board.RELOCATE


KINDS_OF_ACTIONS = (
    (board.FIRST_JOINT, (board.RELOCATE,)),
    (board.FIRST_PICK, (board.PICK,)),
    (board.FIRST_MOVE, (board.MOVE_MARKER,)),
    (board.FIRST_TAKE_OFF, (board.TAKE_OFF,)),
    (board.FIRST_PUSH, (board.PLACE_MARKER,)),
    (board.FIRST_MONOMINO, (board.PREPARE,)),
    (board.FIRST_MARKER, (board.PLACE_MARKER, board.PREPARE)),
)


# Arrangement, draft


def why_not_laid(state: Record, placement: int) -> str:
    """Why a polyomino that is left cannot be laid as `placement`."""
    kind = int(board.KIND[placement])
    if state.taken_off != board.NONE and board.KIND[state.taken_off] == kind:
        return f"{board.KINDS[kind]} was taken off in this turn: another kind is to be laid"
    return why_none(state.pool, kind, "is left") or why_not_free(state, board.PLACEMENTS[placement])


def why_not_taken_off(state: Record, square: int) -> str:
    """Why the polyomino whose first square is `square` cannot be taken off."""
    placement, name = int(state.cover[square]), SQUARE_NAMES[square]
    if placement == board.NONE:
        return f"no polyomino lies on {name}"
    first = int(board.LOWEST[placement])
    if first != square:
        return f"the polyomino on {name} is named by its first square, {SQUARE_NAMES[first]}"
    if placement == state.protected:
        return f"the polyomino on {name} was laid in the adjustment just before"
    mask = np.zeros(board.NUM_STAGED, np.int8)
    legal_take_offs(state, mask)
    if mask[board.FIRST_TAKE_OFF + square]:
        return ""
    return f"without the polyomino on {name} nothing else that is left fits, and without another one something does"


def why_not_picked(state: Record, kind: int) -> str:
    """Why a polyomino of `kind` cannot be picked."""
    return why_none(state.pool, kind, "is left")


def why_none(holder: Iterable[int], kind: int, where: str) -> str:
    """Why a kind cannot be had from the pool or a hand: there is none."""
    return "" if list(holder)[kind] > 0 else f"{board.KINDS[kind]}: none {where}"


def why_not_free(state: Record, squares: Iterable[int]) -> str:
    """Why squares cannot be covered: the first one that holds something."""
    for square in squares:
        why = what_is_on(state, square)
        if why:
            return why
    return ""


def what_is_on(state: Record, square: int) -> str:
    """What keeps a square from being free."""
    name = SQUARE_NAMES[square]
    if square == board.CENTRE:
        return CLOSED
    if has(board.all_markers(state), square):
        return f"{name} has a marker"
    if has(state.monominoes[0] | state.monominoes[1], square):
        return f"{name} has a monomino"
    return f"a polyomino lies on {name}" if has(state.covered, square) else ""


# Phase 1


def why_no_marker(state: Record, square: int) -> str:
    """Why a marker cannot be placed on a square."""
    if state.decision == board.PREPARE:
        return "no marker is left" if state.supply[state.player] == 0 else what_is_on(state, square)
    if square == board.CENTRE:
        return CLOSED
    if has(board.all_markers(state), square):
        return f"{SQUARE_NAMES[square]} has a marker"
    return why_no_access(state, square)


def why_no_access(state: Record, square: int) -> str:
    """Why the player has no access to a square."""
    if has(accessible(state), square):
        return ""
    return f"{SQUARE_NAMES[square]} is not diagonally adjacent to a marker of yours, and not beside the centre"


def why_not_pushed(state: Record, line: int) -> str:
    """Why a marker cannot be pushed in along a line."""
    squares = [int(square) for square in board.PUSH_LINE[line] if square != board.NONE]
    outermost, markers = squares[0], board.all_markers(state)
    if not has(markers, outermost):
        return f"{SQUARE_NAMES[outermost]} has no marker to push"
    if all(has(markers, square) for square in squares):
        return f"the line from {SQUARE_NAMES[outermost]} to {SQUARE_NAMES[squares[-1]]} is full"
    return why_no_access(state, outermost)


# Phase 2


def why_no_monomino(state: Record, square: int) -> str:
    """Why the monomino cannot be placed on a square."""
    return "your monomino is placed already" if state.monominoes[state.player] else what_is_on(state, square)


def why_not_relocated(state: Record, placement: int) -> str:
    """Why a polyomino of the hand cannot be placed as `placement`."""
    squares = board.PLACEMENTS[placement]
    why = why_none(state.hands[state.player], int(board.KIND[placement]), "in your hand")
    why = why or why_not_free(state, squares)
    if why or board.beside(state.markers[state.player]) & board.SQUARES[placement]:
        return why
    return f"none of {' '.join(SQUARE_NAMES[square] for square in squares)} is next to a marker of yours"


def why_not_alone(state: Record, placement: int) -> str:
    """Why a polyomino cannot be placed, in the joint form without a marker move."""
    why = why_not_relocated(state, placement)
    if why or not state.joint or not is_moving(after(state, placement)):
        return why
    return "a marker has to be moved in the same turn"


def why_not_turn(state: Record, placement: int, move: int) -> str:
    """Why a polyomino cannot be placed and a marker moved."""
    why = why_not_relocated(state, placement)
    if why:
        return why
    moving = after(state, placement)
    return why_not_moved(moving, move) if is_moving(moving) else "no marker is moved after this placement"


def after(state: Record, placement: int) -> Record:
    """The position after a relocation, before the marker move."""
    state = state.copy()
    play_relocation(state, placement)
    return state


def is_moving(state: Record) -> bool:
    """Whether a marker move is asked for."""
    return bool(state.status == RUNNING and state.decision == board.MOVE_MARKER)


def why_not_moved(state: Record, move: int) -> str:
    """Why a marker cannot be moved, 8 * square + direction."""
    square, target = move // 8, int(board.KING_STEP[move // 8, move % 8])
    direction, name = board.DIRECTIONS[move % 8], SQUARE_NAMES[square]
    if not has(board.all_markers(state), square):
        return f"no marker is on {name}"
    if target == board.NONE:
        return f"there is no open square {direction} of {name}"
    if move == state.undo:
        return f"the move {name} {direction} would undo the last one"
    return what_is_on(state, target)


def has(squares: Squares, square: int) -> bool:
    """Whether a set has a square."""
    return bool(int(squares) >> square & 1)
