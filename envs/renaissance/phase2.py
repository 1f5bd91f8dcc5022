"""Phase 2: the draft (variant phase2 only), the preparation, and the relocation of the polyominoes in hand."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.record import random_below
from ..core.types import Integers, Mask, Record, Squares
from .board import (
    AREA,
    FIRST_JOINT,
    FIRST_MARKER,
    FIRST_MONOMINO,
    FIRST_MOVE,
    FIRST_PICK,
    GOLD,
    KIND,
    KING_STEP,
    MARKERS_PHASE_2,
    MAX_MOVES,
    MOVE_MARKER,
    MOVE_TARGET,
    NONE,
    NUM_KINDS,
    NUM_MOVES,
    NUM_PLACEMENTS,
    NUM_POLYOMINOES,
    NUM_SQUARES,
    PICK,
    PREPARE,
    RANDOM,
    RELOCATE,
    SQUARES,
    all_markers,
    beside,
    clear_board,
    end_by_score,
    fill_pool,
    fits,
    free_squares,
    kinds_in,
    lay,
    mark_fitting,
    num_in,
    some_fit,
)

# Draft


@kernel
def take_given_hands(state: Record) -> None:
    """Give each player the hand of the reset option, in place."""
    for player in range(2):
        for kind in range(NUM_KINDS):
            state.hands[player, kind] = state.given_hands[player, kind]


@kernel
def begin_draft(state: Record) -> None:
    """Begin with the first pick, or go on to the preparation where the hands are given or dealt, in place."""
    if state.given_hands[0, 0] != NONE:
        take_given_hands(state)
        begin_preparation(state)
    else:
        fill_pool(state)
        state.decision = PICK
        toss_coin(state)
        if state.distribution == RANDOM:
            deal(state)


@kernel
def toss_coin(state: Record) -> None:
    """The winner of this round's coin is the player to pick, in place."""
    coin = state.coins[(NUM_POLYOMINOES - num_in(state.pool[:])) // 2]
    state.player = random_below(state, 2) if coin == NONE else coin


@kernel
def deal(state: Record) -> None:
    """Make all the picks at random, each polyomino of the pool equally likely, in place."""
    while state.decision == PICK:
        skip = random_below(state, num_in(state.pool[:]))
        kind = 0
        while skip >= state.pool[kind]:
            skip -= state.pool[kind]
            kind += 1
        pick(state, kind)


@kernel
def legal_picks(state: Record, mask: Mask) -> None:
    """Set the kinds of which the pool has one."""
    for kind in range(NUM_KINDS):
        mask[FIRST_PICK + kind] = state.pool[kind] > 0


@kernel
def pick(state: Record, kind: int) -> None:
    """The player takes one of `kind` and the next is asked; the last goes to the winner of a last coin, in place."""
    take_from_pool(state, kind)
    left = num_in(state.pool[:])
    if left % 2 == 0:
        state.player = 1 - state.player
    else:
        toss_coin(state)
    if left == 1:
        for last in range(NUM_KINDS):
            if state.pool[last] > 0:
                take_from_pool(state, last)
        begin_preparation(state)


@kernel
def take_from_pool(state: Record, kind: int) -> None:
    """The player takes one of `kind`, in place."""
    state.pool[kind] -= 1
    state.hands[state.player, kind] += 1
    state.scores[state.player] -= AREA[kind]


@kernel
def play_pick(state: Record, kind: int) -> None:
    """Pick a polyomino of `kind` and count the turn, in place."""
    state.turns += 1
    pick(state, kind)


# Preparation


@kernel
def begin_preparation(state: Record) -> None:
    """Clear the board and give out 3 markers and a monomino each; Gold begins, in place."""
    clear_board(state)
    state.supply[:] = MARKERS_PHASE_2
    state.player = GOLD
    state.decision = PREPARE
    for player in range(2):
        state.scores[player] = state.points[player] - penalty(state.hands[player])


@kernel
def penalty(hand: Integers) -> int:
    """The squares of the polyominoes in a hand, int8 (8,)."""
    squares = 0
    for kind in range(NUM_KINDS):
        squares += AREA[kind] * hand[kind]
    return squares


@kernel
def legal_preparations(state: Record, mask: Mask) -> None:
    """Set the free squares, for a marker and for the monomino, as far as the player has them left."""
    free = free_squares(state)
    for square in range(NUM_SQUARES):
        mask[FIRST_MARKER + square] = free >> square & 1 and state.supply[state.player] > 0
        mask[FIRST_MONOMINO + square] = free >> square & 1 and state.monominoes[state.player] == 0


@kernel
def play_preparation(state: Record, action: int) -> None:
    """Place a marker or the monomino; the relocation begins once all are placed, in place."""
    if action < FIRST_MONOMINO:
        state.supply[state.player] -= 1
        state.markers[state.player] |= 1 << (action - FIRST_MARKER)
    else:
        state.monominoes[state.player] = 1 << (action - FIRST_MONOMINO)
    state.turns += 1
    state.player = 1 - state.player
    if state.supply[0] == 0 and state.supply[1] == 0 and state.monominoes[0] != 0 and state.monominoes[1] != 0:
        state.player = GOLD
        state.decision = RELOCATE


# Relocation


@kernel
def play_skips(state: Record) -> None:
    """Skip the turn of a player who cannot place; the game is over if both would, in place."""
    for _ in range(2):
        if can_relocate(state):
            return
        state.player = 1 - state.player
    end_by_score(state)


@kernel
def can_relocate(state: Record) -> bool:
    """Whether the player can place one of his polyominoes."""
    kinds, near = kinds_in(state.hands[state.player]), beside(state.markers[state.player])
    return some_fit(kinds, free_squares(state), near)


@kernel
def legal_relocations(state: Record, mask: Mask) -> None:
    """Set the placements of the polyominoes in hand on free squares, beside a marker of the player."""
    kinds, near = kinds_in(state.hands[state.player]), beside(state.markers[state.player])
    mark_fitting(kinds, free_squares(state), near, mask)


@kernel
def play_relocation(state: Record, placement: int) -> None:
    """Place a polyomino and ask for the marker move, or end the turn where there is none, in place."""
    state.hands[state.player, KIND[placement]] -= 1
    state.scores[state.player] += AREA[KIND[placement]]
    lay(state, placement)
    if can_move(state):
        state.decision = MOVE_MARKER
    else:
        end_relocation_turn(state)


@kernel
def list_moves(state: Record, moves: Integers) -> int:
    """Write the marker moves, 8 * square + direction, into `moves`, int64 (48,), the undo left out; return how many."""
    free, markers, count = free_squares(state), all_markers(state), 0
    for square in range(NUM_SQUARES):
        if markers >> square & 1:
            for move in range(8 * square, 8 * square + 8):
                if move != state.undo and free & MOVE_TARGET[move]:
                    moves[count] = move
                    count += 1
    return count


@kernel
def can_move(state: Record) -> bool:
    """Whether a marker can be moved now: not if both players have nothing left to place."""
    if num_in(state.hands[0]) + num_in(state.hands[1]) == 0:
        return False
    return list_moves(state, np.empty(MAX_MOVES, np.int64)) > 0


@kernel
def legal_moves(state: Record, mask: Mask) -> None:
    """Set the moves of the markers of both colours."""
    moves = np.empty(MAX_MOVES, np.int64)
    for index in range(list_moves(state, moves)):
        mask[FIRST_MOVE + moves[index]] = 1


@kernel
def legal_turns(state: Record, mask: Mask) -> None:
    """Set, for the joint form, the relocations with each of the moves after them, alone where the move is left out."""
    legal_relocations(state, mask)
    if num_in(state.hands[0]) + num_in(state.hands[1]) == 1:
        return
    moves = np.empty(MAX_MOVES, np.int64)
    count = list_moves(state, moves)
    for placement in range(NUM_PLACEMENTS):
        if mask[placement]:
            turns = mask[FIRST_JOINT + NUM_MOVES * placement : FIRST_JOINT + NUM_MOVES * (placement + 1)]
            mask[placement] = not mark_moves(moves[:count], SQUARES[placement], turns)


@kernel
def is_legal_relocation(state: Record, placement: int) -> bool:
    """Whether `legal_relocations` sets `placement`."""
    if placement >= NUM_PLACEMENTS or state.hands[state.player, KIND[placement]] == 0:
        return False
    return fits(placement, free_squares(state), beside(state.markers[state.player]))


@kernel
def is_legal_turn(state: Record, action: int, room: Mask) -> bool:
    """Whether `legal_turns` sets `action`; `room`, int8 (303971,), is written into."""
    placement = action if action < FIRST_JOINT else (action - FIRST_JOINT) // NUM_MOVES
    if not is_legal_relocation(state, placement):
        return False
    moves, turns = np.empty(MAX_MOVES, np.int64), room[FIRST_JOINT : FIRST_JOINT + NUM_MOVES]
    last = num_in(state.hands[0]) + num_in(state.hands[1]) == 1
    turns[:] = 0
    some = not last and mark_moves(moves[: list_moves(state, moves)], SQUARES[placement], turns)
    return turns[(action - FIRST_JOINT) % NUM_MOVES] == 1 if action >= FIRST_JOINT else not some


@kernel
def mark_moves(moves: Integers, occupied: Squares, turns: Mask) -> bool:
    """Set, in `turns`, int8 (392,), the moves that do not lead to `occupied`; whether there are any."""
    found = False
    for move in moves:
        if MOVE_TARGET[move] & occupied == 0:
            turns[move] = 1
            found = True
    return found


@kernel
def play_move(state: Record, move: int) -> None:
    """Move a marker, 8 * square + direction, and end the turn, in place."""
    square = move // 8
    target = KING_STEP[square, move % 8]
    for player in range(2):
        if state.markers[player] >> square & 1:
            state.markers[player] ^= 1 << square | 1 << target
    state.undo = 8 * target + (move + 4) % 8
    end_relocation_turn(state)


@kernel
def end_relocation_turn(state: Record) -> None:
    """Hand over to the opponent, in place."""
    state.turns += 1
    state.player = 1 - state.player
    state.decision = RELOCATE
