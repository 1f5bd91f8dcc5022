"""Kernels over arrays of records, the same for every game: the only code that Python calls.

Python hands over the array and an index, since Numba unpacks an array faster than a single record.
"""

from __future__ import annotations

import numpy as np

from .dispatch import is_legal, legal_actions, observe, play, reset
from .kernel import kernel
from .record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, TRUNCATED, end_game
from .types import Actions, Flags, Integers, Mask, Observation, Reals, Record, Records, Rewards, Status

# What `advance` tells about the game, int32 (STATUS_SIZE,).
PLAYER, DECISION, STATUS, WINNER, REASON, TURNS, SCORE_0, SCORE_1 = range(8)
STATUS_SIZE = 8

NO_ACTION = -1

CHUNK = 4096  # entries of a mask of which 16 bits can hold the sum
BLOCK = 128  # entries of a mask that are counted at once


@kernel
def reset_all(states: Records) -> None:
    """Reset every game, in place."""
    for i in range(states.size):
        reset(states[i])


@kernel
def mask_at(states: Records, i: int, mask: Mask) -> None:
    """Write the mask of the player to act in game `i`."""
    legal_actions(states[i], mask)


@kernel
def observe_at(states: Records, i: int, player: int, observation: Observation) -> None:
    """Write what `player` sees of game `i`."""
    observe(states[i], player, observation)


@kernel
def observe_and_mask_at(
    states: Records, i: int, player: int, observation: Observation, acting_mask: Mask, mask: Mask
) -> None:
    """Write what `player` sees of game `i`, and his mask: `acting_mask` if he is to act, else all 0."""
    state = states[i]
    observe(state, player, observation)
    acting = state.player == player
    for action in range(mask.size):
        mask[action] = acting_mask[action] if acting else 0


@kernel
def play_at(states: Records, i: int, action: int) -> None:
    """Play `action`, which must be legal, in game `i`."""
    play(states[i], action)


def describe(states: Records, i: int, mask: Mask, status: Status) -> None:
    """Write the mask of the player to act in game `i`, and its `status`."""
    advance(states, i, NO_ACTION, mask, status)


@kernel
def advance(states: Records, i: int, action: int, mask: Mask, status: Status) -> bool:
    """Play `action` in game `i` if `mask` allows it, then bring `mask` and `status` up to date; else return False.

    NO_ACTION plays nothing, and is always allowed: one kernel for both compiles faster than two.
    """
    state = states[i]
    if action != NO_ACTION:
        if action < 0 or action >= mask.size or mask[action] == 0:
            return False
        play(state, action)
    legal_actions(state, mask)
    status[PLAYER] = state.player
    status[DECISION] = state.decision
    status[STATUS] = state.status
    status[WINNER] = state.winner
    status[REASON] = state.reason
    status[TURNS] = state.turns
    status[SCORE_0] = state.scores[0]
    status[SCORE_1] = state.scores[1]
    return True


@kernel
def first_unfit(states: Records, joint: int, decisions: int, reasons: int) -> int:
    """The first game whose header says what cannot be in a game with so many decisions and reasons, or -1."""
    for i in range(states.size):
        state = states[i]
        over = state.status == TERMINATED or state.status == TRUNCATED
        running = state.status == RUNNING and state.winner == NOBODY and state.reason == 0
        fits = (over and state.player == NOBODY and state.decision == 0 and 0 <= state.reason < reasons) or (
            running and 0 <= state.player <= 1 and 0 <= state.decision < decisions
        )
        if not fits or state.joint != joint or state.turns < 0 or not NOBODY <= state.winner <= 1:
            return i
    return -1


@kernel
def observe_all(states: Records, players: Actions, observation: Observation) -> None:
    """Write what `players[i]`, int64, sees of game `i`, for every game."""
    for i in range(states.size):
        observe(states[i], players[i], observation[i])


@kernel
def mask_all(states: Records, mask: Mask) -> None:
    """Write the mask of the player to act, for every game."""
    for i in range(states.size):
        legal_actions(states[i], mask[i])


@kernel
def first_illegal(states: Records, rows: Integers, actions: Actions, mask: Mask) -> int:
    """The first k for which `actions[k]` is not legal in game `rows[k]`, or -1.

    The rules are asked, not a mask that callers have had in their hands: `mask` is room for one, whatever it holds.
    """
    for k in range(rows.size):
        if not 0 <= actions[k] < mask.size or not is_legal(states[rows[k]], actions[k], mask):
            return k
    return -1


@kernel
def step_games(
    states: Records,
    rows: Integers,
    start: int,
    stop: int,
    begin: bool,
    checked: bool,
    actions: Actions,
    to_play: Integers,
    mask: Mask,
    observation: Observation,
    rewards: Rewards,
    terminated: Flags,
    truncated: Flags,
    final_states: Records,
) -> None:
    """Play `actions[k]` in game `rows[k]` for k in [start, stop), in place; a game that ends begins anew.

    With `begin`, nothing is played and all of them begin anew. An illegal action loses, unless they are `checked`.
    `final_states` gets the records of the games that ended.
    """
    for k in range(start, stop):
        i = rows[k]
        state = states[i]
        if not begin:
            if checked:
                play(state, actions[k])
            else:
                play_or_lose(state, actions[k], mask[i])
            if state.status != RUNNING:
                settle(state, rewards[i])
                terminated[i] = state.status == TERMINATED
                truncated[i] = state.status != TERMINATED
                final_states[i] = state
        if begin or state.status != RUNNING:
            reset(state)
        to_play[i] = state.player
        legal_actions(state, mask[i])
        observe(state, np.int64(state.player), observation[i])


@kernel
def play_or_lose(state: Record, action: int, mask: Mask) -> None:
    """Play `action` if the rules allow it, else end the game: the player to act loses; `mask` is room for one."""
    if 0 <= action < mask.size and is_legal(state, action, mask):
        play(state, action)
    else:
        end_game(state, TERMINATED, 1 - state.player, ILLEGAL_ACTION)


@kernel
def settle(state: Record, rewards: Rewards) -> None:
    """Write the rewards of a game that is over into `rewards`, float32 (2,) of zeros."""
    if state.winner != NOBODY:
        rewards[state.winner] = 1
        rewards[1 - state.winner] = -1


@kernel
def uniform_actions(mask: Mask, uniform: Reals, actions: Actions) -> None:
    """Write for each row of `mask` what `uniform_action` picks with `uniform[i]`."""
    for i in range(mask.shape[0]):
        actions[i] = uniform_action(mask[i], uniform[i])


@kernel
def uniform_action(mask: Mask, uniform: float) -> int:
    """The legal action that `uniform`, in [0, 1), picks, each as likely as any other; -1 if there is none."""
    count = count_ones(mask)
    return nth_one(mask, int(uniform * count)) if count else -1


@kernel
def count_ones(mask: Mask) -> int:
    """How many entries of `mask` are 1.

    Plain loops over whole slices, with a sum of 16 bits: what the compiler turns into the widest instructions.
    """
    count = 0
    for start in range(0, mask.size, CHUNK):
        part = mask[start : start + CHUNK]
        ones = np.int16(0)
        for i in range(part.size):
            ones = np.int16(ones + part[i])
        count += ones
    return count


@kernel
def nth_one(mask: Mask, n: int) -> int:
    """The index of the 1 that has `n` others before it. Whole chunks, then whole blocks are skipped first."""
    start = 0
    for size in (CHUNK, BLOCK):
        while start + size < mask.size:
            ones = count_ones(mask[start : start + size])
            if n < ones:
                break
            n -= ones
            start += size
    while n > 0 or mask[start] == 0:
        n -= mask[start]
        start += 1
    return start
