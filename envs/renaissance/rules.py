"""Renaissance. Rules: docs/renaissance.md, after the designer's page (Masahiro Nakajima, nakajim.net).

Left out: ending Phase 1 early by agreement, and matches of several games.

The stages are rules of their own: `arrangement.py`, `phase1.py`, `phase2.py`; what they share is in `board.py`.
"""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.record import HEADER, NOBODY, begin
from ..core.types import Mask, Record
from . import board
from .arrangement import begin_arrangement, legal_placements, legal_take_offs, play_arrangement
from .board import (
    ARRANGE,
    FIRST_JOINT,
    FIRST_MOVE,
    FIRST_PICK,
    MOVE_MARKER,
    NONE,
    NUM_KINDS,
    NUM_MOVES,
    NUM_POLYOMINOES,
    NUM_SQUARES,
    PHASE_2,
    PLACE_MARKER,
    PREPARE,
    RELOCATE,
    ROUNDS,
    TAKE_OFF,
    clear_board,
)
from .phase1 import is_legal_marker, legal_markers, play_marker, play_passes
from .phase2 import (
    begin_draft,
    is_legal_relocation,
    is_legal_turn,
    legal_moves,
    legal_picks,
    legal_preparations,
    legal_relocations,
    legal_turns,
    play_move,
    play_pick,
    play_preparation,
    play_relocation,
    play_skips,
)

VERSION = 0  # the number in `renaissance_v0`: raised when old results cannot be compared with new ones
SIZE, DECISIONS, REASONS = board.SIZE, board.DECISIONS, board.REASONS  # there, since the stages need them

PARAMETERS = [
    ("variant", np.int8),  # FULL, PHASE_1 or PHASE_2
    ("setup", np.int8),  # who arranges: PLAYERS or RANDOM
    ("distribution", np.int8),  # who shares out in PHASE_2: PLAYERS or RANDOM
    ("max_adjustments", np.int32),  # adjustment turns after which the engine arranges
    ("arrangement", np.int64, (NUM_POLYOMINOES,)),  # placements to start from; NONE: not given
    ("fallback", np.int64, (NUM_POLYOMINOES,)),  # placements that the engine lays at the limit; NONE: random
    ("coins", np.int8, (ROUNDS,)),  # winner of each round of the draft; NONE: random
    ("given_hands", np.int8, (2, NUM_KINDS)),  # polyominoes to start PHASE_2 with; NONE: not given
]
POSITION = [
    ("cover", np.int16, (NUM_SQUARES,)),  # placement of the polyomino on each square, or NONE
    ("covered", np.int64),  # set of the squares of all polyominoes on the board
    ("markers", np.int64, (2,)),  # set of the squares with a marker of each player
    ("monominoes", np.int64, (2,)),  # set of the squares with the monomino of each player (Phase 2)
    ("supply", np.int8, (2,)),  # markers that each player has left to place
    ("pool", np.int8, (NUM_KINDS,)),  # polyominoes of each kind left to arrange, or to pick
    ("hands", np.int8, (2, NUM_KINDS)),  # polyominoes taken in Phase 1, in hand in Phase 2
    ("points", np.int32, (2,)),  # of Phase 1
    ("adjustments", np.int32),  # adjustment turns ended so far
    ("protected", np.int16),  # placement that may not be taken off now, or NONE
    ("taken_off", np.int16),  # placement of the polyomino taken off in this turn, or NONE
    ("undo", np.int16),  # 8 * square + direction of the move that would undo the last one of the game, or NONE
]
STATE = np.dtype((np.record, HEADER + PARAMETERS + POSITION))


@kernel
def reset(state: Record) -> None:
    """Set up the start of the variant, in place."""
    begin(state, 0)
    clear_board(state)
    state.supply[:] = 0
    state.pool[:] = 0
    state.hands[:] = 0
    state.points[:] = 0
    state.adjustments = 0
    state.protected = state.taken_off = state.undo = NONE
    if state.variant == PHASE_2:
        begin_draft(state)
    else:
        begin_arrangement(state)


@kernel
def legal_actions(state: Record, mask: Mask) -> None:
    """Write what `state.player` may play into `mask`, int8 (1347,) or, joint, (303971,); all 0 when over."""
    mask[:] = 0
    if state.player == NOBODY:
        return
    if state.decision == ARRANGE:
        legal_placements(state, mask)
    elif state.decision == TAKE_OFF:
        legal_take_offs(state, mask)
    elif state.decision == PLACE_MARKER:
        legal_markers(state, mask)
    elif state.decision == PREPARE:
        legal_preparations(state, mask)
    elif state.decision == RELOCATE and state.joint:
        legal_turns(state, mask)
    elif state.decision == RELOCATE:
        legal_relocations(state, mask)
    elif state.decision == MOVE_MARKER:
        legal_moves(state, mask)
    else:
        legal_picks(state, mask)


@kernel
def is_legal(state: Record, action: int, room: Mask) -> bool:
    """Whether `state.player` may play `action`, one of 0 .. num_actions - 1; `room` is written into."""
    if state.player == NOBODY:
        return False
    if state.joint and state.decision == RELOCATE:
        return is_legal_turn(state, action, room)
    if state.decision == PLACE_MARKER:
        return is_legal_marker(state, action)
    if state.decision == RELOCATE:
        return is_legal_relocation(state, action)
    staged = room[:FIRST_JOINT]  # of the few decisions that are left
    legal_actions(state, staged)
    return action < FIRST_JOINT and staged[action] == 1


@kernel
def play(state: Record, action: int) -> None:
    """Play a legal action, and every pass that follows, in place; a joint one is a placement and a marker move."""
    if action >= FIRST_JOINT:
        play_relocation(state, (action - FIRST_JOINT) // NUM_MOVES)
        play_move(state, (action - FIRST_JOINT) % NUM_MOVES)
    elif state.decision == ARRANGE or state.decision == TAKE_OFF:
        play_arrangement(state, action)
    elif state.decision == PLACE_MARKER:
        play_marker(state, action)
    elif state.decision == PREPARE:
        play_preparation(state, action)
    elif state.decision == RELOCATE:
        play_relocation(state, action)
    elif state.decision == MOVE_MARKER:
        play_move(state, action - FIRST_MOVE)
    else:
        play_pick(state, action - FIRST_PICK)
    if state.decision == PLACE_MARKER:
        play_passes(state)
    if state.decision == RELOCATE:
        play_skips(state)
