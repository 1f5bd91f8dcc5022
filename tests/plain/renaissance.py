"""Renaissance once more, slow and plain: the legal actions by sets, written from docs/renaissance.md alone.

Reads the record's fields; shares no code with the kernels, except that `joint_actions` plays the first half of a turn.
"""

from nakajima_zoo.envs.core.dispatch import play

N = 7
CENTRE = (3, 3)
BOARD = {(r, c) for r in range(N) for c in range(N)} - {CENTRE}
CELLS = {  # kind: one polyomino of it
    0: [(0, 0), (0, 1)],
    1: [(0, 0), (0, 1), (0, 2)],
    2: [(0, 0), (0, 1), (1, 0)],
    3: [(0, 0), (0, 1), (0, 2), (0, 3)],
    4: [(0, 0), (0, 1), (1, 0), (1, 1)],
    5: [(0, 0), (0, 1), (0, 2), (1, 1)],
    6: [(0, 0), (1, 0), (2, 0), (2, 1)],
    7: [(0, 1), (0, 2), (1, 0), (1, 1)],
}
KING = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
ARRANGE, TAKE_OFF, PHASE_1, PREPARE, RELOCATE, MOVE, PICK = range(7)


def index(cell):
    return cell[0] * N + cell[1]


def cell_of(square):
    return divmod(int(square), N)


def all_placements():
    """Every (kind, set of cells), in the order of the action numbers."""
    found = []
    for kind, cells in CELLS.items():
        sets = set()
        for mirror in (1, -1):
            for quarter in range(4):
                turned = [(r, mirror * c) for r, c in cells]
                for _ in range(quarter):
                    turned = [(c, -r) for r, c in turned]
                for dr in range(-N, 2 * N):
                    for dc in range(-N, 2 * N):
                        moved = frozenset((r + dr, c + dc) for r, c in turned)
                        if moved <= BOARD:
                            sets.add(moved)
        found += [(kind, cells) for cells in sorted(sets, key=lambda cells: sorted(map(index, cells)))]
    return found


PLACEMENTS = all_placements()


def legal_actions(state):
    """What the player to act may do, ascending; nothing when the game is over."""
    if state.player < 0:
        return []
    rule = [arrange, take_off, use_marker, prepare, relocate, move, pick][int(state.decision)]
    return sorted(rule(state))


def joint_actions(state):
    """The same for the joint form, by playing every placement on a copy."""
    if state.player < 0 or state.decision != RELOCATE:
        return legal_actions(state)
    found = []
    for placement in relocate(state):
        copy = state.copy()
        play(copy, placement)
        if copy.player >= 0 and copy.decision == MOVE:
            found += [1347 + 392 * placement + action - 947 for action in legal_actions(copy)]
        else:
            found.append(placement)
    return sorted(found)


def cells_in(bits):
    return {cell_of(square) for square in range(N * N) if int(bits) >> square & 1}


def markers_of(state, player):
    return cells_in(state.markers[player])


def all_markers(state):
    return markers_of(state, 0) | markers_of(state, 1)


def polyominoes_on_board(state):
    """Placements that lie on the board."""
    return {int(placement) for placement in state.cover if placement >= 0}


def covered(state):
    return {cell for placement in polyominoes_on_board(state) for cell in PLACEMENTS[placement][1]}


def fitting(kinds, free):
    """Placements of one of `kinds` on cells of `free`."""
    return [index for index, (kind, cells) in enumerate(PLACEMENTS) if kind in kinds and cells <= free]


def kinds_of(hand):
    return {kind for kind in range(8) if hand[kind] > 0}


def arrange(state):
    kinds = kinds_of(state.pool)
    if state.taken_off >= 0:
        kinds -= {PLACEMENTS[state.taken_off][0]}
    return fitting(kinds, BOARD - covered(state))


def take_off(state):
    allowed = polyominoes_on_board(state) - {int(state.protected)}
    helpful = set()
    for placement in allowed:
        kind, cells = PLACEMENTS[placement]
        if fitting(kinds_of(state.pool) - {kind}, BOARD - covered(state) | cells):
            helpful.add(placement)
    return [898 + min(map(index, PLACEMENTS[placement][1])) for placement in helpful or allowed]


def use_marker(state):
    own, taken = markers_of(state, int(state.player)), all_markers(state)
    access = {(r, c) for r, c in BOARD if max(abs(r - 3), abs(c - 3)) == 1}
    access |= {(r + dr, c + dc) for r, c in own for dr in (-1, 1) for dc in (-1, 1)} & BOARD
    found = [772 + index(cell) for cell in access - taken]
    for edge in range(4):
        for k in range(N):
            line = push_line(edge, k)
            if line[0] in access and line[0] in taken and not set(line) <= taken:
                found.append(870 + 7 * edge + k)
    return found


def push_line(edge, k):
    """The cells from the edge inwards, up to the opposite edge or the centre."""
    line = [[(i, k), (k, N - 1 - i), (N - 1 - i, k), (k, i)][edge] for i in range(N)]
    return line[: line.index(CENTRE)] if CENTRE in line else line


def free_cells(state):
    return BOARD - covered(state) - all_markers(state) - cells_in(state.monominoes[0]) - cells_in(state.monominoes[1])


def prepare(state):
    player, free = int(state.player), free_cells(state)
    found = [772 + index(cell) for cell in free if len(markers_of(state, player)) < 3]
    return found + [821 + index(cell) for cell in free if not cells_in(state.monominoes[player])]


def relocate(state):
    own = markers_of(state, int(state.player))
    near = {(r + dr, c + dc) for r, c in own for dr, dc in KING[::2]}
    placements = fitting(kinds_of(state.hands[state.player]), free_cells(state))
    return [placement for placement in placements if PLACEMENTS[placement][1] & near]


def move(state):
    free, found = free_cells(state), []
    for r, c in all_markers(state):
        for direction, (dr, dc) in enumerate(KING):
            if (r + dr, c + dc) in free and 8 * index((r, c)) + direction != state.undo:
                found.append(947 + 8 * index((r, c)) + direction)
    return found


def pick(state):
    return [1339 + kind for kind in kinds_of(state.pool)]
