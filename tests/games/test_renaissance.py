"""The rules of Renaissance as short stories. S: stated by the source, R: ruled; see docs/renaissance.md."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.record import ILLEGAL_ACTION, TERMINATED, end_game
from nakajima_zoo.envs.core.squares import set_of
from nakajima_zoo.envs.renaissance import board, game, notation, symmetry
from nakajima_zoo.envs.renaissance.arrangement import random_placement
from nakajima_zoo.envs.renaissance.phase1 import points_of

ALL = "D D D D I3 I3 V3 V3 I4 O4 T4 L4 S4"
ARRANGEMENT = [12, 32, 63, 74, 82, 128, 165, 177, 277, 355, 414, 569, 767]
# The opening of a game in which Silver has to adjust: none of what is left, an S4, fits.
STUCK = [
    "T4 d3 c2 d2 e2", "L4 c6 c5 d5 e5", "O4 a6 b6 a5 b5", "D f4 g4", "V3 f3 f2 g2", "I3 a4 a3 a2", "D f7 f6",
    "I3 a1 b1 c1", "D b4 c4", "V3 d7 e7 d6", "D b3 c3", "I4 d1 e1 f1 g1",
]  # fmt: skip


class Story:
    """A game that is told in text."""

    def __init__(self, options=None, text=None, **parameters):
        self.game = game(**parameters)
        self.states = self.game.blank_states(1)
        self.game.seed(self.states, [7])
        if text is not None:
            self.states[0] = self.game.state_from_text(text)
        else:
            self.game.set_options(self.states[0], options or {})
            loops.reset_all(self.states)

    @property
    def state(self):
        return self.states[0]

    @property
    def legal(self):
        actions = np.flatnonzero(self.game.mask(self.states)).tolist()
        return {notation.action_to_text(self.state, action) for action in actions}

    @property
    def decision(self):
        return self.game.decisions[self.state.decision]

    @property
    def mover(self):
        return notation.PLAYERS[self.state.player]

    def play(self, *texts):
        for text in texts:
            assert text in self.legal, text
            loops.play_at(self.states, 0, notation.text_to_action(self.state, text))
        return self

    def channel(self, name, player=0):
        squares = self.game.observation(self.states, player)[..., self.game.channels.index(name)].reshape(-1)
        return {notation.SQUARE_NAMES[square] for square in np.flatnonzero(squares)}

    def on(self, square):
        """What the text of the position shows on a square."""
        return notation.cells_to_text(self.state)[notation.SQUARE_NAMES.index(square)]


def hand_of(text):
    return np.array([text.split().count(kind) for kind in board.KINDS], np.int8)


def phase_1(rows, silver="", gold="", mover="gold", **parameters):
    """A position of Phase 1: the rows of the board and the hands. The rest follows from them."""
    supply = [24 - rows.count(letter) for letter in ("s", "g")]
    points = [points_of(hand_of(hand)) for hand in (silver, gold)]
    first = f"{mover} to place_marker; turns 9; scores {points[0]} {points[1]}; points {points[0]} {points[1]}"
    lines = [f"{first}; supply {supply[0]} {supply[1]}; adjustments 0", f"silver holds {silver or 'nothing'}"]
    lines += [f"gold holds {gold or 'nothing'}", "pool holds nothing", *rows.strip().splitlines(), "a b c d e f g"]
    return Story(text="\n".join(line.strip() for line in lines), **parameters)


def phase_2(rows, silver="", gold="", mover="gold", undo=None, decision="relocate", **parameters):
    """A position of the relocation, after a Phase 1 in which each player made 20 points."""
    scores = [20 - int(hand_of(hand) @ board.AREA) for hand in (silver, gold)]
    first = f"{mover} to {decision}; turns 99; scores {scores[0]} {scores[1]}; points 20 20; supply 0 0; adjustments 0"
    lines = [first, f"silver holds {silver or 'nothing'}", f"gold holds {gold or 'nothing'}", "pool holds nothing"]
    lines += [f"undo move {undo}"] if undo else []
    lines += [*rows.strip().splitlines(), "a b c d e f g"]
    return Story(text="\n".join(line.strip() for line in lines), **parameters)


# Arrangement


def test_silver_begins_with_any_placement_and_players_take_turns():
    story = Story()
    assert (story.mover, story.decision, len(story.legal)) == ("silver", "arrange", 772)
    story.play("L4 a7 b7 c7 a6")
    assert story.mover == "gold"
    assert not any(text.startswith("L4") for text in story.legal)  # S: there is one of it
    assert "D a7 b7" not in story.legal
    assert "D b6 c6" in story.legal


def test_nothing_covers_the_centre():
    assert not any("d4" in text for text in Story().legal)


def test_gold_begins_phase_1_once_all_lie():
    story = Story().play(*(notation.placement_to_text(placement) for placement in ARRANGEMENT))
    assert (story.mover, story.decision) == ("gold", "place_marker")
    assert (story.state.supply.tolist(), story.state.pool.sum()) == ([24, 24], 0)
    assert story.state.turns == 13


def test_when_nothing_fits_a_take_off_that_lets_another_kind_in():
    story = Story().play(*STUCK)
    assert (story.mover, story.decision) == ("silver", "take_off")
    assert story.legal == {f"take off {square}" for square in ("d7", "f7", "a6", "f4", "d3", "f3")}
    story.play("take off f4")
    assert (story.mover, story.decision) == ("silver", "arrange")
    assert len(story.legal) == 4
    assert all(text.startswith("S4") for text in story.legal)
    assert story.channel("taken off in this turn") == {"f4", "g4"}


NOTHING_HELPS = [
    "O4 c2 d2 c1 d1", "V3 e6 f6 f5", "L4 b3 c3 b2 b1", "D b7 c7", "V3 f2 g2 f1", "S4 b6 c6 a5 b5", "T4 e4 f4 g4 f3",
    "I3 d7 d6 d5", "D a3 a2", "D g7 g6", "D a4 b4", "I3 e3 e2 e1",
]  # fmt: skip


def test_where_no_take_off_helps_any_goes_and_nothing_may_be_placed():
    """R: the turn then ends without a placement, and the next is ordinary if something fits."""
    story = Story().play(*NOTHING_HELPS)
    before = story.state.pool.copy()
    story.play("take off c2")
    assert (story.mover, story.decision, story.state.adjustments) == ("gold", "arrange", 1)
    assert story.state.pool.sum() == before.sum() + 1
    assert all(text.startswith("O4") for text in story.legal)
    assert story.channel("taken off in this turn") == set()


def test_what_the_last_adjustment_placed_is_protected():
    story = Story().play(*NOTHING_HELPS, "take off c2", "O4 c2 d2 c1 d1", "take off e4", "T4 g5 f4 g4 g3")
    story.play("take off e3", "I4 e4 e3 e2 e1")
    assert (story.decision, story.mover) == ("take_off", "gold")
    assert "take off e4" not in story.legal
    assert story.channel("protected") == {"e4", "e3", "e2", "e1"}


def test_protection_ends_with_an_ordinary_turn():
    """R: an O4 placed in an ordinary turn may be taken off at once."""
    story = Story().play(*NOTHING_HELPS, "take off c2", "O4 c2 d2 c1 d1")
    assert story.decision == "take_off"
    assert "take off c2" in story.legal
    assert story.channel("protected") == set()


PROTECTED_ALONE_HELPS = [
    "I3 d3 d2 d1", "L4 a7 b7 b6 b5", "T4 e3 f3 g3 f2", "V3 b2 c2 c1", "I3 e6 f6 g6", "S4 b4 c4 a3 b3", "D f4 g4",
    "V3 g2 f1 g1", "D e5 e4", "D a5 a4", "I4 d7 e7 f7 g7", "D c5 d5", "take off d7", "O4 c7 d7 c6 d6",
]  # fmt: skip


def test_if_only_the_protected_one_would_help_any_other_goes():
    """R: the choice is among those that are not protected."""
    story = Story().play(*PROTECTED_ALONE_HELPS)
    assert story.channel("protected") == {"c7", "d7", "c6", "d6"}
    assert len(story.legal) == 11
    assert "take off c7" not in story.legal


def test_at_the_limit_the_fallback_is_laid():
    story = Story({"fallback": ARRANGEMENT}, max_adjustments=2).play(*PROTECTED_ALONE_HELPS, "take off a7")
    assert (story.decision, story.mover, story.state.adjustments) == ("place_marker", "gold", 2)
    assert sorted(set(story.state.cover.tolist()) - {-1}) == ARRANGEMENT


def test_at_the_limit_the_engine_arranges_at_random_but_seeded():
    first, second = (Story(max_adjustments=1).play(*STUCK, "take off f4", "S4 g6 f5 g5 f4") for _ in range(2))
    assert (first.decision, first.mover) == ("place_marker", "gold")
    assert len(set(first.state.cover.tolist()) - {-1}) == 13
    assert first.states.tobytes() == second.states.tobytes()


def test_random_setup_lays_all_13():
    seen = set()
    for seed in range(20):
        states = game(setup="random").new_states(1, [seed])
        placements = sorted(set(states[0].cover.tolist()) - {-1})
        assert np.bincount(board.KIND[placements]).tolist() == board.COPIES.tolist()
        assert (states[0].player, states[0].decision) == (board.GOLD, board.PLACE_MARKER)
        seen.add(tuple(placements))
    assert len(seen) == 20


def test_random_placements_are_equally_likely():
    """R: on a board with room for an I4 on 3 placements only, each comes up about a third of the time."""
    story, counts = Story(), {}
    story.state.covered = board.BOARD & ~set_of(range(6))
    for _ in range(600):
        placement = int(random_placement(story.state, board.I4))
        counts[placement] = counts.get(placement, 0) + 1
    assert len(counts) == 3
    assert min(counts.values()) > 150


def test_no_points_before_phase_1():
    assert Story().play(*STUCK).state.scores.tolist() == [0, 0]


# Phase 1

OPENING = """
    7  A.  A.  ..  ..  ..  ..  ..
    6  ..  ..  ..  ..  ..  ..  ..
    5  ..  ..  ..  ..  ..  ..  ..
    4  ..  ..  ..  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  ..  ..
"""
REST = "D D D I3 I3 V3 V3 I4 O4 T4 L4 S4"  # all but the domino A


def test_the_8_squares_around_the_centre_are_open():
    names = ("c5", "d5", "e5", "c4", "e4", "c3", "d3", "e3")
    assert phase_1(OPENING, REST).legal == {f"marker {name}" for name in names}


def test_other_squares_are_opened_by_own_markers_diagonally():
    """R: only by one's own."""
    story = phase_1(OPENING, REST).play("marker c5")
    assert not {"marker b6", "marker d6"} & story.legal
    story.play("marker e3")
    assert {"marker b6", "marker d6", "marker b4"} <= story.legal
    assert "marker c6" not in story.legal
    assert "marker f2" not in story.legal


PUSHES = """
    7  Ag  A.  .s  .g  ..  ..  .g
    6  .g  .g  ..  .s  ..  .s  ..
    5  .s  ..  ..  .g  .s  .g  ..
    4  ..  .s  ..  ##  ..  ..  .s
    3  .g  ..  ..  ..  ..  ..  .s
    2  ..  .s  ..  .g  .g  ..  .s
    1  ..  ..  .s  ..  ..  ..  .g
"""


def test_push_in_from_every_edge_on_accessible_squares():
    """R: accessible; d7, g7, a3, g3, g2 and g1 have no marker of Gold diagonally beside."""
    story = phase_1(PUSHES, REST)
    pushes = {text for text in story.legal if text.startswith("push")}
    assert pushes == {f"push {line}" for line in ("top a", "top c", "left 7", "left 5", "bottom c", "right 4")}


@pytest.mark.parametrize(
    ("line", "squares", "markers"),
    [
        ("top a", "a7 a6 a5 a4 a3", "Ag .g .g .s .g"),
        ("top c", "c7 c6 c5", ".g .s .."),
        ("left 5", "a5 b5 c5", ".g .s .."),
        ("bottom c", "c1 c2 c3", ".g .s .."),
        ("right 4", "g4 f4 e4", ".g .s .."),
    ],
)
def test_a_push_moves_the_line_inwards_up_to_the_first_gap(line, squares, markers):
    story = phase_1(PUSHES, REST).play(f"push {line}")
    assert [story.on(square) for square in squares.split()] == markers.split()


CORNER = """
    7  .g  .s  ..  ..  ..  ..  ..
    6  .s  .g  ..  ..  ..  ..  ..
    5  ..  ..  .g  ..  ..  ..  ..
    4  ..  ..  ..  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  A.  A.
"""


def test_on_a_corner_square_the_mover_chooses_the_edge():
    """R."""
    down, right = phase_1(CORNER, REST).play("push top a"), phase_1(CORNER, REST).play("push left 7")
    assert [down.on(square) for square in ("a7", "a6", "a5", "b7")] == [".g", ".g", ".s", ".s"]
    assert [right.on(square) for square in ("a7", "b7", "c7", "a6")] == [".g", ".g", ".s", ".s"]


FULL_LINES = """
    7  .s  .g  .s  .s  .s  .g  .g
    6  ..  .g  .g  .s  .g  .g  .g
    5  ..  .s  ..  .g  ..  .s  .g
    4  .s  .s  .g  ##  ..  .s  .s
    3  ..  .g  ..  .s  ..  ..  .s
    2  ..  .s  ..  ..  ..  A.  A.
    1  ..  .s  ..  ..  .s  ..  ..
"""


def test_a_full_line_cannot_be_pushed():
    """S: row 7 and file b are full; R: so are file d and row 4 up to the centre."""
    pushes = {text for text in phase_1(FULL_LINES, REST).legal if text.startswith("push")}
    assert pushes == {f"push {line}" for line in ("top a", "top c", "top e", "top f", "top g", "right 6", "right 5")}


MAJORITY = """
    7  B.  B.  ..  ..  ..  ..  ..
    6  ..  ..  ..  ..  ..  ..  ..
    5  ..  ..  As  As  A.  ..  ..
    4  ..  ..  .g  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  ..  ..
"""


def test_a_polyomino_full_of_markers_goes_to_the_majority():
    """S: whoever placed the last marker; all markers on it go back."""
    story = phase_1(MAJORITY, "D D D I3 V3 V3 I4 O4 T4 L4 S4").play("marker e5")
    assert story.state.hands[0].tolist() == hand_of(REST).tolist()
    assert not story.state.hands[1].any()
    assert story.state.supply.tolist() == [24, 23]
    assert story.mover == "silver"


TIE = """
    7  A.  A.  ..  ..  ..  ..  ..
    6  ..  ..  ..  ..  ..  ..  ..
    5  ..  ..  Bs  B.  ..  ..  ..
    4  ..  ..  ..  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  ..  ..
"""


def test_with_equal_numbers_the_mover_takes_it():
    """R; S: its markers go back, its squares become monominoes, which are never taken."""
    story = phase_1(TIE, REST.replace("D D D", "D D")).play("marker d5")
    assert story.state.hands[1].tolist() == hand_of("D").tolist()
    assert (story.on("c5"), story.on("d5"), story.state.supply.tolist()) == ("..", "..", [24, 24])
    assert story.state.scores[1] == 1
    story.play("marker c5", "marker d5")
    assert (story.on("c5"), story.on("d5")) == (".s", ".g")


FILLED_BY_PUSH = """
    7  ..  As  ..  ..  ..  ..  ..
    6  ..  A.  .g  ..  ..  ..  ..
    5  ..  ..  ..  ..  ..  ..  ..
    4  ..  ..  ..  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  B.  B.
"""


def test_a_push_can_fill_a_polyomino():
    story = phase_1(FILLED_BY_PUSH, REST.replace("D D D", "D D")).play("push top b")
    assert story.state.hands[1].tolist() == hand_of("D").tolist()
    assert (story.on("b7"), story.on("b6"), story.on("b5")) == ("..", "..", "..")


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("D", 1),
        ("D D D", 3),
        ("D D D D", 4 + 4),
        ("I3 I3", 2 + 2),
        ("V3 V3", 2 + 2),
        ("I3 V3", 2),
        ("I3 I3 V3 V3", 4 + 2 + 2 + 4),
        ("I4 O4 T4 L4", 4),
        ("I4 O4 T4 L4 S4", 5 + 15),
        ("D I3 I4", 3 + 1),
        ("D V3 I4", 3),
        (ALL, 41),
    ],
)
def test_points_for_hands(hand, points):
    assert points_of(hand_of(hand)) == points


NO_SUPPLY = """
    7  .s  .s  .s  .s  .s  .s  .s
    6  .s  .s  .s  .s  .s  .s  .s
    5  .s  .s  .s  .s  .s  .s  .s
    4  .s  .s  .s  ##  .g  ..  ..
    3  A.  A.  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  ..  ..
"""


def test_a_player_without_markers_is_passed_over():
    """R: the engine passes for Silver, whose 24 markers all lie, and Gold is asked again."""
    story = phase_1(NO_SUPPLY, REST).play("marker e3")
    assert story.mover == "gold"
    assert story.state.turns == 10


NO_ACCESS = """
    7  .s  .s  .s  .s  .s  .s  .s
    6  .s  .s  .s  .s  .s  .s  .s
    5  .s  .s  .s  .s  .s  ..  ..
    4  ..  ..  .s  ##  .s  ..  ..
    3  ..  ..  .s  .s  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  A.  A.  ..  ..  ..  ..  ..
"""


@pytest.mark.parametrize("variant", ["phase1", "full"])
def test_phase_1_ends_when_both_pass_and_what_is_left_is_nobodys(variant):
    """R: Silver's last marker shuts Gold, who has none on the board, out; Silver himself has none left."""
    story = phase_1(NO_ACCESS, REST, mover="silver", variant=variant).play("marker e3")
    assert story.state.hands.sum() == 12
    if variant == "phase1":
        assert story.state.winner == 0
    else:
        assert (story.decision, story.mover) == ("prepare", "gold")


LAST = TIE.replace("7  A.  A.", "7  ..  ..")


def test_variant_phase1_is_decided_by_its_points():
    story = phase_1(LAST, REST, variant="phase1").play("marker d5")
    assert story.state.scores.tolist() == [12 + 2 + 2 + 4 + 15 + 1, 1]
    assert (story.state.player, story.state.winner, board.REASONS[story.state.reason]) == (-1, 0, "score")


def test_after_the_last_acquisition_the_board_is_cleared_for_phase_2():
    story = phase_1(LAST, REST).play("marker d5")
    assert (story.decision, story.mover) == ("prepare", "gold")
    assert not story.state.markers.any()
    assert story.state.supply.tolist() == [3, 3]
    assert story.state.scores.tolist() == [36 - 38, 1 - 2]


# Phase 2

HANDS = {"hands": [[3, 2, 0, 1, 1, 0, 1, 0], [1, 0, 2, 0, 0, 1, 0, 1]]}


def test_preparation():
    """S: in turn, Gold first, one of the own 4 things on a free square, in any order; no passing."""
    story = Story(HANDS, variant="phase2")
    assert (story.mover, story.decision, len(story.legal)) == ("gold", "prepare", 96)
    story.play("monomino g6", "marker a1")
    assert not any(text.startswith("monomino") for text in story.legal)
    assert "marker g6" not in story.legal
    assert "marker d4" not in story.legal
    story.play("marker g7", "marker a2", "marker f7", "marker b1", "marker e7")
    assert all(text.startswith("monomino") for text in story.legal)
    story.play("monomino b2")
    assert (story.mover, story.decision) == ("gold", "relocate")


RELOCATION = """
    7  .g  ..  ..  ..  ..  ..  .s
    6  ..  ..  ..  ..  ..  ..  .s
    5  ..  ..  ..  ..  ..  ..  ..
    4  ..  ..  .g  ##  ..  ..  ..
    3  ..  ..  ..  og  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  .g  os  ..  ..  ..  ..  .s
"""


def test_a_polyomino_is_placed_beside_a_marker_of_the_mover():
    """R: edge-adjacent, not only diagonally."""
    story = phase_2(RELOCATION, "D", "D")
    assert "D b4 b3" in story.legal
    assert "D c3 b3" not in story.legal
    assert "D b3 c3" in story.legal
    assert "D b3 b2" not in story.legal  # touches c4 only diagonally
    assert "D f7 f6" not in story.legal  # beside Silver's markers
    assert not any("d4" in text or "d3" in text or "b1" in text for text in story.legal)


def test_then_a_marker_of_either_colour_moves_a_king_step_to_a_free_square():
    story = phase_2(RELOCATION, "D", "D").play("D b7 c7")
    assert (story.mover, story.decision) == ("gold", "move_marker")
    assert {"move g7 W", "move c4 SW", "move a7 SE"} <= story.legal
    assert not {"move a7 E", "move c4 E", "move c4 SE", "move g7 S", "move g7 N", "move a1 E"} & story.legal
    story.play("move g7 W")
    assert (story.on("g7"), story.on("f7"), story.mover) == ("..", ".s", "silver")


def test_no_undo():
    story = phase_2(RELOCATION, "D D", "D").play("D b7 c7", "move g7 W", "D g5 g4")
    assert "move f7 E" not in story.legal
    assert "move f7 W" in story.legal
    assert story.channel("undo from here") == {"f7"}
    assert story.channel("undo to here") == {"g7"}


def test_the_undo_stays_forbidden_while_turns_are_skipped():
    """S: it is the last marker move of the game that counts."""
    story = phase_2(RELOCATION, "", "D D D").play("D b7 c7", "move g7 W", "D b4 b3")
    assert story.mover == "gold"
    assert "move f7 E" not in story.legal


def test_another_marker_move_lifts_the_ban():
    story = phase_2(RELOCATION, "D", "D D D").play("D b7 c7", "move g7 W", "D g5 g4", "move a1 N", "D b4 b3")
    assert "move f7 E" in story.legal
    assert "move a2 S" not in story.legal


WALLED_IN = """
    7  .s  .s  .s  A.  ..  ..  ..
    6  .g  .g  .g  A.  ..  ..  ..
    5  ..  ..  ..  ..  ..  ..  ..
    4  ..  ..  ..  ##  ..  ..  ..
    3  ..  ..  ..  ..  ..  ..  ..
    2  ..  ..  ..  ..  ..  ..  ..
    1  ..  ..  ..  ..  ..  os  og
"""


def test_if_no_marker_can_move_the_move_is_left_out():
    """S; here both must skip then, since no marker has a free square beside it, and the game is over (R)."""
    story = phase_2(WALLED_IN, "D", "I4 D").play("I4 a5 b5 c5 d5")
    assert story.state.player == -1
    assert story.state.turns == 100
    assert story.state.scores.tolist() == [18, 18]


def test_the_undo_is_no_reason_to_ask_for_a_move():
    """S: with d5 left free only c6 can move, and not if it came from there."""
    story = phase_2(WALLED_IN, "D", "I3 D").play("I3 a5 b5 c5")
    assert story.legal == {"move c6 SE"}
    story = phase_2(WALLED_IN, "D", "I3 D", undo="c6 SE").play("I3 a5 b5 c5")
    assert story.state.player == -1


def test_who_cannot_place_skips_the_turn():
    """R: and is asked again in his next turn; no marker is moved in a skipped turn."""
    story = phase_2(RELOCATION, "", "D D D").play("D b7 c7", "move a7 S")
    assert (story.mover, story.decision, story.state.turns) == ("gold", "relocate", 100)


def test_it_is_over_at_once_when_nothing_is_left_to_place():
    """R: without the marker move of that turn; equal scores are a draw."""
    story = phase_2(RELOCATION, "", "D").play("D b7 c7")
    assert story.state.scores.tolist() == [20, 20]
    assert (story.state.player, story.state.winner, board.REASONS[story.state.reason]) == (-1, -1, "equal")


def test_squares_left_in_hand_are_the_penalty():
    story = phase_2(RELOCATION, "I4 D", "V3")
    assert story.state.scores.tolist() == [14, 17]
    story.play("V3 b7 c7 b6")
    assert story.state.scores.tolist() == [14, 20]


def test_joint_turns():
    story = phase_2(RELOCATION, "D", "D", turns="joint")
    assert "D b7 c7, move g7 W" in story.legal
    assert "D b7 c7" not in story.legal
    assert "D b7 c7, move a7 E" not in story.legal
    story.play("D b7 c7, move g7 W")
    assert (story.mover, story.decision) == ("silver", "relocate")
    assert "D g5 g4" in story.legal  # the last one: the move is left out
    assert not any("," in text for text in story.legal)
    story.play("D g5 g4")
    assert story.state.player == -1


# Variant phase2: the draft


def test_a_coin_decides_who_picks_first_in_each_round():
    story = Story({"coins": [1, 0, 0, 1, 1, 0, 1]}, variant="phase2")
    movers = []
    while story.decision == "pick":
        movers.append(story.state.player)
        story.play(min(story.legal))
    assert movers == [1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1]
    assert story.state.hands.sum(axis=1).tolist() == [6, 7]  # R: the 13th to the winner of the last coin
    assert (story.decision, story.mover) == ("prepare", "gold")
    assert story.state.scores.tolist() == (-story.state.hands @ board.AREA).tolist()


def test_random_distribution():
    story = Story({"coins": [0] * 7}, variant="phase2", distribution="random")
    assert story.decision == "prepare"
    assert story.state.hands.sum(axis=1).tolist() == [7, 6]
    assert story.state.hands.sum(axis=0).tolist() == board.COPIES.tolist()


# Options and arguments


@pytest.mark.parametrize(
    ("parameters", "options", "message"),
    [
        ({}, {"arrangement": ARRANGEMENT[:12]}, "13 integers"),
        ({}, {"arrangement": [*ARRANGEMENT[:12], 772]}, "0 to 771"),
        ({}, {"arrangement": [*ARRANGEMENT[:12], -1]}, "0 to 771"),
        ({}, {"arrangement": [*ARRANGEMENT[:12], 0.5]}, "integers"),
        ({}, {"arrangement": "abc"}, "integers"),
        ({}, {"arrangement": [[1, 2], [3]]}, "integers"),
        ({}, {"arrangement": [*ARRANGEMENT[:12], 0]}, "expected 4 D"),
        ({}, {"fallback": [13, *ARRANGEMENT[1:]]}, "twice"),
        ({}, {"coins": [0] * 7}, "no part"),
        ({}, {"hands": HANDS["hands"]}, "no part"),
        ({"setup": "random"}, {"fallback": ARRANGEMENT}, "no part"),
        ({}, {"arrangement": ARRANGEMENT, "fallback": ARRANGEMENT}, "exclude"),
        ({"variant": "phase2"}, {"arrangement": ARRANGEMENT}, "no part"),
        ({"variant": "phase2"}, {"coins": [0, 1, 2, 0, 1, 0, 1]}, "0 to 1"),
        ({"variant": "phase2"}, {"coins": [True] * 7}, "integers"),
        ({"variant": "phase2"}, {"hands": [[4] + [0] * 7, [0] * 8]}, "together"),
        ({"variant": "phase2"}, {"hands": [[5] + [0] * 7, [0] * 8]}, "0 to 4"),
        ({"variant": "phase2"}, {"coins": [0] * 7, **HANDS}, "exclude"),
    ],
)
def test_bad_options(parameters, options, message):
    this = game(**parameters)
    states = this.blank_states(1)
    with pytest.raises(ValueError, match=message):
        this.set_options(states[0], options)
    assert states.tobytes() == this.blank_states(1).tobytes()


@pytest.mark.parametrize(
    "parameters",
    [{"variant": "both"}, {"turns": "whole"}, {"setup": "me"}, {"distribution": 0}, {"max_adjustments": 0}],
)
def test_bad_arguments(parameters):
    with pytest.raises(ValueError, match="expected"):
        game(**parameters)


def test_options_last_for_one_game():
    env = BoardGameEnv(game(variant="phase1"))
    env.reset(seed=1, options={"arrangement": ARRANGEMENT})
    assert (env.agent_selection, env.infos["player_0"]["decision"]) == ("player_1", board.PLACE_MARKER)
    env.reset(seed=1)
    assert (env.agent_selection, env.infos["player_0"]["decision"]) == ("player_0", board.ARRANGE)


def test_a_given_arrangement_may_be_in_any_order():
    first, second = Story({"arrangement": ARRANGEMENT}), Story({"arrangement": ARRANGEMENT[::-1]})
    assert first.states.tobytes() == second.states.tobytes()


# Notation


def test_every_action_has_a_name_of_its_own():
    state = Story(turns="joint").state
    actions = [*range(board.NUM_STAGED), *range(board.NUM_STAGED, board.NUM_JOINT, 1009), board.NUM_JOINT - 1]
    names = [notation.action_to_text(state, action) for action in actions]
    assert len(set(names)) == len(actions)
    assert [notation.text_to_action(state, name) for name in names] == actions


@pytest.mark.parametrize(
    "text",
    [
        "",
        "D",
        "D a1",
        "D a1 a3",
        "L4 a1 b1",
        "D c4 d4",
        "X a1 b1",
        "marker h1",
        "push middle a",
        "push top 4",
        "move a1 up",
        "pick D4",
        "take off",
        "D a1 b1, D a2 b2",
        "move a1 N, D a1 b1",
        "D a1 b1, move c4 N, move c3 N",
    ],
)
def test_malformed_actions(text):
    with pytest.raises(ValueError, match="expected"):
        notation.text_to_action(Story().state, text)


def broken(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("silver to", "bronze to"),
        ("supply 0 0", "supply 0"),
        ("silver holds", "silver has"),
        ("S4", "S5"),
        ("S4", "S4 S4"),
        ("7  ..", "8  .."),
        ("##", ".."),
        ("A.", "B."),
        ("A.", "Ax"),
        ("pool", "protected D a1 c1\npool"),
        ("4  ..", "4"),
    ],
)
def test_malformed_positions(old, new):
    story = Story().play("L4 a6 b6 c6 a5", "D f1 g1")
    before = story.states.tobytes()
    with pytest.raises(ValueError, match=r".+"):
        notation.text_to_state(broken(notation.state_to_text(story.state), old, new), story.state)
    assert story.states.tobytes() == before


def test_the_position_in_the_documentation():
    text = textwrap.dedent(notation.__doc__[notation.__doc__.index("    gold to") :]).rstrip()
    assert notation.state_to_text(Story(text=text).state) == text
    page = Path(__file__).parents[2].joinpath("docs", "renaissance.md").read_text()
    assert textwrap.indent(text, "    ") in page


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("covered", 5, "contradict"),
        ("points", [1, 0], "points"),
        ("supply", [23, 24], "markers"),
        ("hands", [[4, 2, 2, 1, 1, 1, 1, 1], [0] * 8], "kind"),
        ("scores", [3, 0], "score"),
        ("monominoes", [1, 0], "monomino"),
        ("markers", [1 << 24, 0], "outside"),
        ("undo", 9, "undo"),
        ("protected", 12, "protected"),
        ("taken_off", 12, "pool"),
        ("adjustments", 40, "adjustments"),
        ("fallback", [1] * 13, "fallback"),
        ("decision", board.PICK, "variant"),
    ],
)
def test_impossible_positions(field, value, message):
    story = Story({"arrangement": ARRANGEMENT})
    story.game.check_state(story.state)
    story.state[field] = value
    with pytest.raises(ValueError, match=message):
        story.game.check_state(story.state)


@pytest.mark.parametrize(
    ("moves", "name"),
    [([*STUCK, "take off f4"], "taken off in this turn"), (PROTECTED_ALONE_HELPS, "protected")],
)
def test_what_bars_actions_is_not_seen_after_the_end(moves, name):
    """A game that was forfeited during an adjustment showed `protected` and `taken off` on: R says 0 after the end."""
    story = Story().play(*moves)
    assert story.channel(name)
    end_game(story.state, TERMINATED, 0, ILLEGAL_ACTION)
    assert not story.channel(name)


@pytest.mark.parametrize(("mover", "monominoes"), [("silver", [0, 0]), ("gold", [1, 0]), ("gold", [0, 2])])
def test_the_preparation_is_played_in_turn(mover, monominoes):
    """Who has placed more than the other could be asked for what he has not got: the game then stood still."""
    hands = [[4, 2, 2, 1, 1, 1, 1, 1], [0] * 8]
    story = Story({"hands": hands}, variant="phase2")
    story.game.check_state(story.state)
    story.state.player = notation.PLAYERS.index(mover)
    story.state.monominoes[:] = monominoes
    with pytest.raises(ValueError, match="in turn"):
        story.game.check_state(story.state)


@pytest.mark.parametrize(
    ("winner", "reason", "status"), [(1, 1, 1), (-1, 1, 1), (0, 2, 1), (-1, 2, 1), (-1, 0, 1), (0, 1, 2)]
)
def test_impossible_results(winner, reason, status):
    """Silver is ahead: nobody else can have won by the score, and nothing cuts a game off."""
    story = phase_1(LAST, REST, variant="phase1").play("marker d5")
    story.game.check_state(story.state)
    end_game(story.state, status, winner, reason)
    with pytest.raises(ValueError, match=r"winner|cut off"):
        story.game.check_state(story.state)


def test_chance_needs_a_random_state():
    """With rng 0 every draw is 0; a text holds none, so a game from a text had the same chance for ever."""
    env = BoardGameEnv(game(setup="random"))
    env.reset(seed=3)
    state = env.get_state()
    text = env.to_text()
    env.from_text(text)
    assert env.get_state().rng == state.rng
    fresh = BoardGameEnv(game(setup="random"))
    fresh.from_text(text)
    assert fresh.get_state().rng != 0
    assert len({fresh.reset() or fresh.to_text() for _ in range(3)}) == 3
    assert len({each.tobytes() for each in game(setup="random").new_states(3)}) == 3
    state.rng = 0
    with pytest.raises(ValueError, match="rng"):
        env.set_state(state)


# Facts


def test_longest_games():
    """The bounds of the rules page: 86 decisions in Phase 1, 25 in the relocation."""
    assert game(variant="phase1", setup="random").max_decisions == 86
    assert game(variant="phase2", distribution="random").max_decisions == 8 + 25
    assert game(variant="phase2").max_decisions == 12 + 8 + 25
    assert game(setup="random").max_decisions == 86 + 8 + 25
    assert game(max_adjustments=1).max_decisions == 12 + 2 + 86 + 8 + 25
    assert game(turns="joint").max_decisions == 12 + 64 + 86 + 8 + 13


def test_spaces():
    assert (game().num_actions, game(turns="joint").num_actions) == (1347, 303971)
    assert np.diff(board.FIRST_OF_KIND).tolist() == [80, 64, 132, 48, 32, 104, 208, 104]
    assert game().observation_shape == (7, 7, 56)
    assert len(game().channels) == 56


# Symmetries


@pytest.mark.parametrize("switches", symmetry.ALL)
@pytest.mark.parametrize("variant", ["full", "phase2"])
def test_symmetries(variant, switches):
    """A game played in the mirror has the same masks and observations, mirrored."""
    this, rng = game(variant=variant), np.random.default_rng(3)
    here, there = this.new_states(1, [5]), this.new_states(1, [5])
    while here[0].player != -1:
        mask, to = this.mask(here), symmetry.action_map(switches, cover=here[0].cover)
        mirrored = np.zeros_like(mask)
        mirrored[to] = mask
        assert np.array_equal(mirrored, this.mask(there))
        for player in range(2):
            seen = symmetry.transform_observation(this.observation(here, player), switches)
            assert np.array_equal(seen, this.observation(there, player))
        action = int(rng.choice(np.flatnonzero(mask)))
        loops.play_at(here, 0, action)
        loops.play_at(there, 0, int(to[action]))


@pytest.mark.parametrize("switches", symmetry.ALL)
def test_symmetries_of_joint_turns(switches):
    to = symmetry.action_map(switches, joint=True)
    assert np.array_equal(np.sort(to), np.arange(board.NUM_JOINT))
    first = phase_2(RELOCATION, "D", "D", turns="joint")
    second = phase_2(RELOCATION, "D", "D", turns="joint")
    squares = symmetry.square_map(switches)
    for field in ("markers", "monominoes"):
        for player in range(2):
            bits = [squares[square] for square in range(49) if int(first.state[field][player]) >> square & 1]
            second.state[field][player] = set_of(bits)
    mirrored = np.zeros_like(first.game.mask(first.states))
    mirrored[to] = first.game.mask(first.states)
    assert np.array_equal(mirrored, second.game.mask(second.states))
