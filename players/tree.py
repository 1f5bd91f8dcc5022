"""Search trees over records, in arrays: the kernels that MCTS with rollouts and search with a network share.

A tree is a row of nodes, a row of edges and a row of records. Node 0 is the root; a node is one decision, and its
edges are the legal actions of its player, so that a mask of 300 000 entries costs no more than it has ones. The edges
that were tried come first.

Values are those of player 0, at every node: whoever chooses takes his own sign, wherever in the tree he acts, since
players may act several times in a row. A node is never entered from another than its parent.

Chance in the game (Renaissance) is drawn by the tree's own `rng`, never by the record's: a search does not know what
the game will draw. An action that drew chance has a node that stays a leaf and is drawn anew at every visit.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..envs.core.dispatch import legal_actions, play
from ..envs.core.game import Game
from ..envs.core.kernel import kernel
from ..envs.core.loops import count_ones, nth_one
from ..envs.core.record import NOBODY, RUNNING, random_below
from ..envs.core.types import Integers, Mask, Reals, Record, Records

NONE = -1
MAX_EDGES = 1 << 22  # of all trees together, 50 MB: a node that finds no room for its actions stays a leaf, but no root

TREE = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),  # random state of the search
            ("nodes", np.int32),  # in use
            ("edges", np.int32),  # in use
        ],
    )
)
NODE = np.dtype(
    (
        np.record,
        [
            ("parent", np.int32),  # NONE: the root
            ("action", np.int32),  # that leads here from the parent
            ("chance", np.int8),  # 1 if that action drew chance
            ("sign", np.int8),  # of the player who chooses here: 1 for player 0, -1 for player 1
            ("first", np.int32),  # of its edges; NONE: not listed
            ("legal", np.int32),  # how many edges it has
            ("tried", np.int32),  # how many of them have a child; they come first
            ("visits", np.int32),
            ("value", np.float64),  # sum over the visits, of player 0: 1 a win, -1 a loss
        ],
    )
)
EDGE = np.dtype((np.record, [("action", np.int32), ("child", np.int32), ("prior", np.float32)]))

Head: TypeAlias = np.record
"""A record of TREE."""
Edge: TypeAlias = np.record
"""A record of EDGE."""
Heads: TypeAlias = NDArray[Any]
"""Records of TREE, one a tree."""
Nodes: TypeAlias = NDArray[Any]
"""Records of NODE: those of one tree, or a row for each of several."""
Edges: TypeAlias = NDArray[Any]
"""Records of EDGE: those of one tree, or a row for each of several."""


class Trees:
    """`n` trees, each with room for `nodes` nodes: `heads` (n,), `nodes` (n, nodes), `edges` and `states` alike.

    They take `n * nodes` times the size of a record, and 50 MB for the edges or, if that is more, what all roots have.
    """

    def __init__(self, game: Game, n: int, nodes: int, most_legal: int | None = None) -> None:
        """`most_legal`: actions that a root has at most, for which there is room in any case; None: not known."""
        edges = min(nodes * game.num_actions, max(MAX_EDGES // n, most_legal or game.num_actions))
        self.heads = np.zeros(n, TREE)
        self.nodes = np.empty((n, nodes), NODE)
        self.edges = np.empty((n, edges), EDGE)
        self.states = np.ndarray((n, nodes), game.template.dtype, bytearray(n * nodes * game.template.dtype.itemsize))

    def make_room(self, most_legal: int) -> None:
        """Have room for roots with so many actions; what the trees held is lost if there was none."""
        if most_legal > self.edges.shape[1]:
            self.edges = np.empty((len(self.heads), most_legal), EDGE)


# What all searches do


@kernel
def plant(head: Head, nodes: Nodes, states: Records, root: Record, seed: np.uint64) -> None:
    """Begin a tree with the position `root`, in place; all chance comes from `seed`, an uint64 that is not 0."""
    head.rng = seed
    head.nodes = 0
    head.edges = 0
    add_node(head, nodes, NONE, NONE)
    states[0] = root
    hide_chance(head, states[0])
    nodes[0].sign = sign_of(root)


@kernel
def add_node(head: Head, nodes: Nodes, parent: int, action: int) -> int:
    """A new node below `parent`, without a record: its index."""
    index = head.nodes
    head.nodes += 1
    node = nodes[index]
    node.parent = parent
    node.action = action
    node.chance = 0
    node.first = NONE
    node.legal = node.tried = node.visits = 0
    node.value = 0
    return index


@kernel
def sign_of(state: Record) -> int:
    """The sign of the player who chooses in `state`: what he wants is `sign * value`."""
    return 1 if state.player == 0 else -1


@kernel
def hide_chance(head: Head, state: Record) -> None:
    """Give `state` a random state that the game's own tells nothing about, in place; nothing in a game without."""
    if state.rng != 0:
        random_below(head, 2)
        state.rng = head.rng


@kernel
def list_edges(head: Head, nodes: Nodes, edges: Edges, index: int, mask: Mask) -> bool:
    """List the ones of `mask` as the edges of a node; whether there was room."""
    node = nodes[index]
    count = count_ones(mask)
    if head.edges + count > edges.size:
        return False
    node.first = head.edges
    node.legal = count
    head.edges += count
    action = 0
    for k in range(node.first, node.first + count):
        while mask[action] == 0:
            action += 1
        edges[k].action = action
        edges[k].child = NONE
        action += 1
    return True


@kernel
def grow(head: Head, nodes: Nodes, edges: Edges, states: Records, index: int, k: int) -> int:
    """The new node at the end of edge `k` of node `index`; the edge moves up to those that were tried."""
    node = nodes[index]
    swap_edges(edges[k], edges[node.first + node.tried])
    edge = edges[node.first + node.tried]
    node.tried += 1
    edge.child = add_node(head, nodes, index, edge.action)
    state = states[edge.child]
    states[edge.child] = states[index]
    hide_chance(head, state)
    before = state.rng
    play(state, edge.action)
    nodes[edge.child].chance = state.rng != before
    nodes[edge.child].sign = sign_of(state)
    return edge.child


@kernel
def swap_edges(one: Edge, other: Edge) -> None:
    """Exchange two edges, in place."""
    action, child, prior = one.action, one.child, one.prior
    one.action, one.child, one.prior = other.action, other.child, other.prior
    other.action, other.child, other.prior = action, child, prior


@kernel
def redraw(head: Head, nodes: Nodes, states: Records, index: int) -> None:
    """Draw the chance that leads to a node anew, if chance does, in place."""
    node = nodes[index]
    if node.chance:
        states[index] = states[node.parent]
        hide_chance(head, states[index])
        play(states[index], node.action)


@kernel
def is_end(nodes: Nodes, states: Records, index: int) -> bool:
    """Whether no search goes further than this node: its game is over, or chance leads to it."""
    return nodes[index].chance == 1 or states[index].status != RUNNING


@kernel
def back_up(nodes: Nodes, index: int, value: float) -> None:
    """Add `value`, of player 0, to a node and all above it, in place."""
    while index != NONE:
        nodes[index].visits += 1
        nodes[index].value += value
        index = nodes[index].parent


@kernel
def outcome(state: Record) -> float:
    """What a game that is over, by the rules or the turn limit, brought player 0: 1, 0 or -1."""
    if state.winner == NOBODY:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


@kernel
def most_visited(nodes: Nodes, edges: Edges) -> int:
    """The action of the root that was visited most often, of those the one with the best value for its player."""
    root, best = nodes[0], edges[nodes[0].first]
    for k in range(root.first, root.first + root.tried):
        child, other = nodes[edges[k].child], nodes[best.child]
        if child.visits > other.visits or (
            child.visits == other.visits and root.sign * child.value > root.sign * other.value
        ):
            best = edges[k]
    return best.action


# MCTS: upper confidence bounds and random rollouts


@kernel
def search(
    roots: Records,
    i: int,
    seed: np.uint64,
    heads: Heads,
    nodes: Nodes,
    edges: Edges,
    states: Records,
    scratch: Records,
    mask: Mask,
    begin: bool,
    simulations: int,
    exploration: float,
    cut: int,
) -> int:
    """Search `roots[i]` in the tree 0, after what was searched there unless `begin`; the action that is best so far.

    `scratch` (1,) and `mask` are written into.
    """
    if begin:
        plant(heads[0], nodes[0], states[0], roots[i], seed)
    for _ in range(simulations):
        simulate(heads[0], nodes[0], edges[0], states[0], scratch, mask, exploration, cut)
    return most_visited(nodes[0], edges[0])


@kernel
def simulate(
    head: Head, nodes: Nodes, edges: Edges, states: Records, scratch: Records, mask: Mask, exploration: float, cut: int
) -> None:
    """One simulation, in place: down the tree, one new node, a random game from there, and its value back up."""
    index = descend(head, nodes, edges, states, mask, exploration)
    redraw(head, nodes, states, index)
    scratch[0] = states[index]
    back_up(nodes, index, roll_out(head, scratch[0], mask, cut))


@kernel
def descend(head: Head, nodes: Nodes, edges: Edges, states: Records, mask: Mask, exploration: float) -> int:
    """The node of a random game: a new one, or one that the search cannot go on from."""
    index = 0
    while not is_end(nodes, states, index):
        if nodes[index].first == NONE:
            legal_actions(states[index], mask)
            if not list_edges(head, nodes, edges, index, mask):
                break
        k = pick_by_bound(head, nodes, edges, index, exploration)
        if edges[k].child == NONE:
            return grow(head, nodes, edges, states, index, k)
        index = edges[k].child
    return index


@kernel
def pick_by_bound(head: Head, nodes: Nodes, edges: Edges, index: int, exploration: float) -> int:
    """The edge with the best upper confidence bound for the player of the node (UCB1).

    The untried ones together count as one, drawn at random, visited once with the mean of the node: so that a search
    of few visits in a position of thousands of actions follows up what went well.
    """
    node = nodes[index]
    best, best_bound = NONE, -math.inf
    scale = exploration * math.sqrt(math.log(node.visits + 1))
    if node.tried < node.legal:
        best = node.first + node.tried + random_below(head, node.legal - node.tried)
        best_bound = node.sign * node.value / max(node.visits, 1) + scale
    for k in range(node.first, node.first + node.tried):
        child = nodes[edges[k].child]
        bound = node.sign * child.value / child.visits + scale / math.sqrt(child.visits)
        if bound > best_bound:
            best, best_bound = k, bound
    return best


@kernel
def roll_out(head: Head, state: Record, mask: Mask, cut: int) -> float:
    """Play at random, in place: the outcome, or after `cut` decisions the share of points that player 0 leads by."""
    for _ in range(cut):
        if state.status != RUNNING:
            return outcome(state)
        legal_actions(state, mask)
        play(state, nth_one(mask, random_below(head, count_ones(mask))))
    if state.status != RUNNING:
        return outcome(state)
    return (state.scores[0] - state.scores[1]) / (1 + abs(state.scores[0]) + abs(state.scores[1]))


# Search with a network: predictor upper confidence bounds, many trees in step


@kernel
def plant_all(heads: Heads, nodes: Nodes, states: Records, roots: Records, seeds: NDArray[np.uint64]) -> None:
    """Begin tree `i` with the position `roots[i]`, in place; see `plant`."""
    for i in range(roots.size):
        plant(heads[i], nodes[i], states[i], roots[i], seeds[i])


@kernel
def select_leaves(
    heads: Heads, nodes: Nodes, edges: Edges, states: Records, exploration: float, leaves: Integers, out: Records
) -> None:
    """Go down every tree by prior and value; write the leaf's index into `leaves` and its record into `out`.

    Where the game of a leaf is over, its outcome is backed up at once.
    """
    for i in range(heads.size):
        index = descend_by_prior(heads[i], nodes[i], edges[i], states[i], exploration)
        redraw(heads[i], nodes[i], states[i], index)
        leaves[i] = index
        out[i] = states[i, index]
        if out[i].status != RUNNING:
            back_up(nodes[i], index, outcome(out[i]))


@kernel
def descend_by_prior(head: Head, nodes: Nodes, edges: Edges, states: Records, exploration: float) -> int:
    """The node that the network is to see next: a new one, or one that the search cannot go on from."""
    index = 0
    while nodes[index].first != NONE and not is_end(nodes, states, index):
        k = pick_by_prior(nodes, edges, index, exploration)
        if edges[k].child == NONE:
            return grow(head, nodes, edges, states, index, k)
        index = edges[k].child
    return index


@kernel
def pick_by_prior(nodes: Nodes, edges: Edges, index: int, exploration: float) -> int:
    """The edge with the best value plus prior for the player of the node (PUCT); untried: the mean of the node."""
    node = nodes[index]
    best, best_bound = NONE, -math.inf
    scale = exploration * math.sqrt(node.visits)
    mean = node.sign * node.value / node.visits
    for k in range(node.first, node.first + node.legal):
        value, visits = mean, 0
        if edges[k].child != NONE:
            child = nodes[edges[k].child]
            value, visits = node.sign * child.value / child.visits, child.visits
        bound = value + scale * edges[k].prior / (1 + visits)
        if bound > best_bound:
            best, best_bound = k, bound
    return best


@kernel
def expand_leaves(
    heads: Heads,
    nodes: Nodes,
    edges: Edges,
    states: Records,
    leaves: Integers,
    trees: Integers,
    mask: Mask,
    priors: Reals,
    values: Reals,
) -> None:
    """Give the leaves of `trees`, int64 (k,), their edges, and back up `values`, (k,), of the players who act there.

    `mask` (k, num_actions): what is legal at the leaves; `priors` (k, num_actions): probabilities of the actions.
    """
    for row in range(trees.size):
        i = trees[row]
        index = leaves[i]
        if nodes[i, index].first == NONE and nodes[i, index].chance == 0:
            list_edges(heads[i], nodes[i], edges[i], index, mask[row])
            for k in range(nodes[i, index].first, nodes[i, index].first + nodes[i, index].legal):
                edges[i, k].prior = priors[row, edges[i, k].action]
        back_up(nodes[i], index, values[row] if states[i, index].player == 0 else -values[row])


@kernel
def root_visits(nodes: Nodes, edges: Edges, actions: Integers, visits: Integers) -> None:
    """Write the actions that were visited at each root, and how often, (n, k); the rest of a row is 0."""
    actions[:] = 0
    visits[:] = 0
    for i in range(nodes.shape[0]):
        root = nodes[i, 0]
        for k in range(root.tried):
            edge = edges[i, root.first + k]
            actions[i, k] = edge.action
            visits[i, k] = nodes[i, edge.child].visits


@kernel
def mix_priors(nodes: Nodes, edges: Edges, noise: Reals, share: float) -> None:
    """Mix `noise`, (n, k) of positive weights for at least as many edges, into the priors of each root, in place."""
    for i in range(nodes.shape[0]):
        root = nodes[i, 0]
        total = noise[i, : root.legal].sum()
        for k in range(root.legal):
            edge = edges[i, root.first + k]
            edge.prior = (1 - share) * edge.prior + share * noise[i, k] / total
