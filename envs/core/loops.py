"""Kernels over arrays of records, the same for every game: the only code that Python calls.

Python hands over the array and an index, since Numba unpacks an array faster than a single record.
"""


from .dispatch import legal_actions, observe, play, reset
from .kernel import kernel

# What `advance` tells about the game, int32 (STATUS_SIZE,).
PLAYER, DECISION, STATUS, WINNER, REASON, TURNS, SCORE_0, SCORE_1 = range(8)
STATUS_SIZE = 8


@kernel
def reset_all(states):
    """Reset every game, in place."""
    for i in range(states.size):
        reset(states[i])


@kernel
def mask_at(states, i, mask):
    """Write the mask of the player to act in game `i`."""
    legal_actions(states[i], mask)


@kernel
def observe_at(states, i, player, observation):
    """Write what `player` sees of game `i`."""
    observe(states[i], player, observation)


@kernel
def observe_and_mask_at(states, i, player, observation, acting_mask, mask):
    """Write what `player` sees of game `i`, and his mask: `acting_mask` if he is to act, else all 0."""
    state = states[i]
    observe(state, player, observation)
    if state.player == player:
        mask[:] = acting_mask
    else:
        mask[:] = 0


@kernel
def play_at(states, i, action):
    """Play `action`, which must be legal, in game `i`."""
    play(states[i], action)


@kernel
def describe(states, i, mask, status):
    """Write the mask of the player to act in game `i`, and its `status`."""
    state = states[i]
    legal_actions(state, mask)
    status[PLAYER] = state.player
    status[DECISION] = state.decision
    status[STATUS] = state.status
    status[WINNER] = state.winner
    status[REASON] = state.reason
    status[TURNS] = state.turns
    status[SCORE_0] = state.scores[0]
    status[SCORE_1] = state.scores[1]


@kernel
def advance(states, i, action, mask, status):
    """Play `action` in game `i` if `mask` allows it, then bring `mask` and `status` up to date; else return False."""
    if action < 0 or action >= mask.size or mask[action] == 0:
        return False
    play(states[i], action)
    describe(states, i, mask, status)
    return True
