"""The rules of The Ring World as stories, one per rule and ruling. Names of rings: docs/ring_world.md."""

import json
from pathlib import Path

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.record import NOBODY, TERMINATED, TRUNCATED, end_game
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.envs.ring_world import rules
from nakajima_zoo.envs.ring_world.board import BOARDS, NOWHERE
from nakajima_zoo.envs.ring_world.notation import NAMES, PLAYERS, find_ring
from nakajima_zoo.envs.ring_world.symmetry import turned_actions, turned_rows

L3, L4 = 3, 4


class Table:
    """A game on the table: set up and asked about by the names of rings."""

    def __init__(self, levels=L3, turns="staged", red="", blue="", to_move="red", **parameters):
        """`red` and `blue` name the rings that they own; `top` is the top ring."""
        self.game = make_game("ring_world", levels=levels, turns=turns, **parameters)
        self.states = self.game.new_states(1)
        state = self.state
        for mark, names in ((1, red), (2, blue)):
            for name in names.split():
                level, ring = find_ring(levels, name)
                rules.level_owners(state, level)[ring] = mark
                state.scores[mark - 1] += 8 ** (level - 1)
        state.player = PLAYERS.index(to_move)
        empty = [ring for ring in BOARDS[levels].child[2] if not rules.level_owners(state, 1)[ring].any()]
        if not empty:
            state.decision = rules.ROTATE
        self.game.check_state(state)

    @property
    def state(self):
        return self.states[0]

    def legal(self):
        """The legal actions as text."""
        actions = np.flatnonzero(self.game.mask(self.states)).tolist()
        return [self.game.notation.action_to_text(self.state, action) for action in actions]

    def play(self, *texts):
        for text in texts:
            action = self.game.notation.text_to_action(self.state, text)
            assert self.game.mask(self.states)[action], f"{text} is not legal"
            loops.play_at(self.states, 0, action)
        return self

    def owned(self, player, level=1):
        """Names of the level's rings that a player owns."""
        names = NAMES[self.game.parameters["levels"]][level]
        owners = rules.level_owners(self.state, level)
        return {names[ring] for ring in np.flatnonzero(owners == 1 + PLAYERS.index(player))}

    def to_move(self):
        return PLAYERS[self.state.player]


def generation(red="", blue="", levels=L3):
    """The position after a turn of red that changes nothing by itself: 7.6 moves to 7.7, then the automaton runs."""
    table = Table(levels, red=f"7.6 {red}", blue=blue, turns="staged")
    table.state.decision = rules.ROTATE
    return table.play("r7")


# Board


@pytest.mark.parametrize("levels", [L3, L4])
def test_board_is_the_one_of_the_cases(levels):
    cases = json.loads((Path(__file__).parent.parent / "cases" / "ring_world.json").read_text())
    board = BOARDS[levels]
    for level, table in cases["boards"][str(levels)]["child"].items():
        assert board.child[int(level)].tolist() == table
    for level, table in cases["boards"][str(levels)]["adjacent"].items():
        found = board.adjacent[int(level)].tolist()
        assert [[ring for ring in row if ring != NOWHERE] for row in found] == table


@pytest.mark.parametrize(("levels", "counts"), [(L3, {1: 48, 2: 8, 3: 1}), (L4, {1: 272, 2: 48, 3: 8, 4: 1})])
def test_counts_of_rings(levels, counts):
    assert dict(BOARDS[levels].counts) == counts


@pytest.mark.parametrize("levels", [L3, L4])
def test_every_ring_below_the_top_touches_two_or_three(levels):
    for adjacent in BOARDS[levels].adjacent.values():
        assert set((adjacent != NOWHERE).sum(axis=1)) <= {2, 3}


def test_level_1_rings_that_touch_without_a_common_parent():
    """[R] Sixteen pairs on L4, for example 10 and 53."""
    board = BOARDS[L4]
    parents = [set(np.flatnonzero((board.child[2] == ring).any(axis=1))) for ring in range(272)]
    pairs = {(a, b) for a in range(272) for b in board.adjacent[1][a].tolist() if a < b}
    strangers = {(a, b) for a, b in pairs if not parents[a] & parents[b]}
    assert len(strangers) == 16
    assert (10, 53) in strangers
    assert (27, 81) in strangers


@pytest.mark.parametrize("levels", [L3, L4])
def test_rings_lie_where_their_numbers_say(levels):
    """Position 0 is at 3 o'clock, then clockwise; neighbours touch; child circles meet on the parent's circle."""
    board = BOARDS[levels]
    for level in range(2, levels + 1):
        for ring, children in enumerate(board.child[level]):
            offsets = board.centres[level - 1][children] - board.centres[level][ring]
            angles = np.degrees(np.arctan2(offsets[:, 1], offsets[:, 0])).round(6) % 360
            assert np.allclose(angles, np.arange(8) * 45)
            touch = (offsets + np.roll(offsets, -1, axis=0)) / 2
            assert np.allclose(np.linalg.norm(touch, axis=1), board.radii[level])
    for level, adjacent in board.adjacent.items():
        for ring, others in enumerate(adjacent.tolist()):
            for other in set(others) - {NOWHERE}:
                distance = np.linalg.norm(board.centres[level][ring] - board.centres[level][other])
                assert np.isclose(distance, 2 * board.radii[level])


def test_boards_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        BOARDS[L3].child[2][0, 0] = 1
    with pytest.raises(TypeError):
        BOARDS[L3].counts[1] = 1


def test_levels_3_is_levels_4_without_the_smallest_rings():
    for level in (1, 2):
        assert np.array_equal(BOARDS[L3].adjacent[level], BOARDS[L4].adjacent[level + 1])
    for level in (2, 3):
        assert np.array_equal(BOARDS[L3].child[level], BOARDS[L4].child[level + 1])


# Placement


def test_red_begins_on_an_empty_board_and_may_place_anywhere():
    table = Table()
    assert table.to_move() == "red"
    assert table.legal() == NAMES[L3][1]


def test_placement_only_where_a_level_2_ring_is_empty_of_both_colours():
    closed = set(NAMES[L3][1]) - set(Table(red="0.0", blue="4.4").legal())
    assert closed == {"0.0", "0.1", "0.4", "0.7", "4.0", "4.3", "4.4", "4.5"}  # the others lie in an empty ring too


def test_shared_ring_qualifies_if_one_of_its_two_rings_is_empty():
    """[R]"""
    table = Table(red="0.0")
    assert "0.2" in table.legal()
    assert "0.1" not in table.legal()
    assert find_ring(L3, "0.2") == find_ring(L3, "1.7")
    assert "0.2" not in Table(red="0.0 1.1").legal()


def test_he_must_place_if_he_can():
    assert not any(text.startswith("r") for text in Table(red="0.0").legal())
    assert all(" " in text for text in Table(turns="joint", red="0.0").legal())


EVERYWHERE = "0.2 2.4 4.6 6.0"  # one ring in each level-2 ring of L3, all of them shared


def test_without_an_empty_ring_the_placement_is_left_out():
    assert Table(red=EVERYWHERE).legal() == [f"r{ring}" for ring in range(8)]
    assert Table(red=EVERYWHERE, turns="joint").legal() == [f"r{ring}" for ring in range(8)]


def test_a_level_2_ring_counts_as_empty_whoever_owns_it():
    assert "0.0" in Table(blue="0").legal()


# Rotation


def test_only_rings_that_hold_an_own_ring_can_be_turned_and_the_one_just_placed_counts():
    assert Table(red="6.6", blue="4.4").play("2.2").legal() == ["r2", "r6"]


def test_placement_and_rotation_need_not_concern_the_same_ring():
    """[R]"""
    table = Table(red="6.6").play("2.2", "r6")
    assert table.owned("red") == {"2.2", "6.7"}


def test_ring_just_placed_lets_both_rings_around_it_turn():
    assert Table().play("0.2").legal() == ["r0", "r1"]
    assert [text for text in Table(turns="joint").legal() if text.startswith("0.2 ")] == ["0.2 r0", "0.2 r1"]


def test_turning_moves_what_is_inside_clockwise():
    table = Table(red="3.2 3.7", blue="3.4").play("6.6", "r3")
    assert table.owned("red") == {"3.3", "2.5", "6.6"}  # 3.0 is called 2.5
    assert table.owned("blue") == {"3.5"}


def test_turning_a_ring_keeps_its_own_owner():
    table = Table(red="3.2", blue="3").play("6.6", "r3")
    assert table.owned("blue", 2) == {"3"}


def test_shared_rings_change_hands_between_their_two_rings():
    table = Table(red="0.1").play("5.5", "r0")  # to 0.2, which is 1.7
    assert table.owned("red") == {"0.2", "5.5"}
    table.play("4.4", "r4").play("6.6", "r1")
    assert "1.0" in table.owned("red")


def test_the_top_ring_cannot_be_turned():
    assert Table().game.num_actions == 48 + 8
    assert Table(L4).game.num_actions == 272 + 56
    with pytest.raises(ValueError, match="no ring"):
        Table().play("r")


def test_level_3_ring_needs_a_level_2_ring_of_the_mover():
    table = Table(L4, red="3.4 1.1.1", blue="5.5").play("6.6.6")
    assert table.legal() == ["r1.1", "r6.6", "r3"]


def test_level_3_ring_turns_with_two_levels_inside():
    table = Table(L4, red="3.4 3.4.4 3.2.2", blue="3.7.7 3").play("6.6.6", "r3")
    assert table.owned("red", 2) == {"3.5"}
    assert table.owned("red") == {"3.5.5", "3.3.3", "6.6.6"}
    assert table.owned("blue") == {"2.5.0"}  # 3.0 is called 2.5
    assert table.owned("blue", 3) == {"3"}


def test_level_2_rings_outside_the_one_turned_stay():
    table = Table(L4, red="3.4 1.1 1.1.1").play("6.6.6", "r3")
    assert table.owned("red", 2) == {"1.1", "3.5"}
    assert "1.1.1" in table.owned("red")


# Automaton


def test_creation_between_two_of_one_colour():
    assert generation(red="3.2 3.4").owned("red") == {"7.7", "3.2", "3.3", "3.4"}


def test_no_creation_between_two_colours():
    table = generation(red="3.2", blue="3.4")
    assert "3.3" not in table.owned("red") | table.owned("blue")


def test_creation_works_for_both_players_in_one_turn():
    assert "3.3" in generation(blue="3.2 3.4").owned("blue")


def test_creation_is_all_at_once():
    """[R] 3.6 comes to be between 3.7 and 4.0; 3.5 touches it and 3.4, but sees the position before."""
    table = generation(red="3.4 3.7 4.0")
    assert "3.6" in table.owned("red")
    assert "3.5" not in table.owned("red")
    table.play("1.1", "r1")
    assert "3.5" in table.owned("red")


def test_creation_leaves_owned_rings_alone():
    assert "3.3" not in generation(red="3.2 3.4", blue="3.3 2.2").owned("red")


def test_annihilation_of_a_ring_without_liberty():
    table = generation(red="3.2 3.4", blue="3.3")
    assert "3.3" not in table.owned("blue") | table.owned("red")
    assert {"3.2", "3.4"} <= table.owned("red")


def test_annihilation_of_a_group():
    table = generation(red="3.1 3.4", blue="3.2 3.3")
    assert not {"3.2", "3.3"} & table.owned("blue")


def test_a_group_with_one_liberty_lives():
    table = generation(red="3.4", blue="3.2 3.3")
    assert {"3.2", "3.3"} <= table.owned("blue")


def test_annihilation_of_both_colours_at_once():
    """[R] Eight level-2 rings without an unowned one: every group goes."""
    table = generation(red="0 1 2 3", blue="4 5 6 7")
    assert table.owned("red", 2) == table.owned("blue", 2) == set()


def test_full_cycle_is_annihilated_and_does_not_win():
    table = generation(red="0 1 2 3 4 5 6 7")
    assert table.owned("red", 2) == set()
    assert table.state.player != -1


def test_a_move_that_takes_the_own_last_liberty_is_legal():
    """[S] No ban: red's ring comes to 3.3, between two of blue, and is freed at once."""
    table = Table(red="3.2", blue="3.1 3.3").play("7.7", "r3")
    assert table.owned("red") == {"7.7"}
    assert table.owned("blue") == {"3.2", "3.4"}


FIVE = "3.0 3.1 3.2 3.3 3.4"


def test_conquest_with_five_children():
    assert generation(red=FIVE).owned("red", 2) == {"3"}


def test_four_children_do_not_conquer():
    assert generation(red="3.1 3.2 3.3 3.4").owned("red", 2) == set()


def test_conquest_takes_the_ring_from_the_other():
    assert generation(red=FIVE, blue="3").owned("red", 2) == {"3"}


def test_losing_children_does_not_free_a_ring():
    """[R]"""
    assert generation(blue="3").owned("blue", 2) == {"3"}


def test_conquest_comes_after_creation_and_annihilation():
    assert generation(red="3.0 3.1 3.2 3.4").owned("red", 2) == {"3"}  # 3.3 is created, the fifth
    table = generation(red="3.1 3.3", blue="3.2 3.4 3.5 3.6 3.7")  # 3.2 is annihilated, four remain
    assert table.owned("blue", 2) == set()


def test_level_2_follows_in_the_same_turn():
    """Ring 3 is conquered, then 2 comes to be between 1 and 3 and holds no ring at all."""
    assert generation(red=f"{FIVE} 1").owned("red", 2) == {"1", "2", "3"}


def test_annihilated_ring_that_still_has_five_children_is_conquered_again():
    table = generation(red=FIVE, blue="2 4")
    assert table.owned("red", 2) == set()  # conquered, then annihilated between 2 and 4
    table.play("5.5", "r5")
    assert table.owned("red", 2) == set()  # and so again


def test_one_generation_per_turn_and_none_in_the_middle_of_it():
    """[R]"""
    table = Table(red="3.2 3.4").play("6.6")
    assert "3.3" not in table.owned("red")
    assert "3.3" in table.play("r6").owned("red")


def test_automaton_runs_up_to_the_level_below_the_top_on_levels_4():
    """Ring 4 is conquered by its five level-2 rings, and with it the top."""
    table = Table(L4, red="7 0 1 2 4.1 4.2 4.3 4.4 4.5").play("6.6.6", "r6.6")
    assert "4" in table.owned("red", 3)
    assert table.state.winner == 0


# End


def test_owner_of_the_top_ring_wins():
    table = generation(red=f"{FIVE} 0 1 2 4")
    assert table.game.result(table.state) == {
        "winner": 0,
        "reason": "top_ring",
        "scores": (6 + 5 * 8 + 64, 0),
        "truncated": False,
    }
    assert table.legal() == []


def test_the_player_who_did_not_move_can_win():
    table = generation(blue=f"{FIVE} 0 1 2 4")
    assert table.state.winner == 1


def test_positions_may_repeat():
    """[R] Both turn a ring of theirs once around: the same position again, and the game goes on."""
    table = Table(red="0.0 2.2 3.3 5.5", blue="4.4 1.1 6.6 7.7")
    owners = table.state.owners.copy()
    table.play(*["r0", "r4"] * 8)
    assert np.array_equal(table.state.owners, owners)
    assert table.state.turns == 16
    assert table.to_move() == "red"


def test_turn_limit_ends_without_a_winner():
    table = Table(max_turns=2).play("0.0", "r0", "4.4")
    assert table.state.status == 0
    table.play("r4")
    assert table.game.result(table.state) == {
        "winner": None,
        "reason": "turn_limit",
        "scores": (1, 1),
        "truncated": True,
    }


def test_a_win_in_the_last_turn_is_no_truncation():
    table = Table(red=f"7.6 {FIVE} 0 1 2 4", max_turns=1)
    table.state.decision = rules.ROTATE
    result = table.play("r7").game.result(table.state)
    assert result["winner"] == 0
    assert not result["truncated"]


def test_default_turn_limits():
    limits = [make_game("ring_world", levels=levels).parameters["max_turns"] for levels in (L3, L4)]
    assert limits == [200, 1000]


# Passing


def test_player_without_anything_to_do_passes():
    """[R] Blue owns nothing and nothing is empty: the engine passes for him, red is asked again."""
    table = Table(red=EVERYWHERE).play("r0")
    assert table.to_move() == "red"
    assert table.state.turns == 1  # the pass is not counted


def test_automaton_runs_in_a_passed_turn():
    """3.6 is created in red's turn, then 3.5 in the turn that blue passes."""
    red = f"{EVERYWHERE} 3.4 3.7 4.0"
    assert {"3.5", "3.6"} <= Table(red=red).play("r0").owned("red")
    table = Table(red=red, blue="6.3").play("r0")
    assert table.to_move() == "blue"
    assert "3.5" not in table.owned("red")


def test_a_passed_turn_can_end_the_game():
    """In red's turn ring 3 has four red rings; the fifth is created in the turn that blue passes."""
    red = "0.2 2.2 4.6 6.0 3.0 3.4 3.7 4.0 7 0 1 2"
    assert Table(red=red, blue="6.3").play("r0").to_move() == "blue"
    table = Table(red=red).play("r0")
    assert table.state.winner == 0
    assert table.state.turns == 1


# Forms of the turn, scores, facts


@pytest.mark.parametrize("levels", [L3, L4])
def test_joint_and_staged_turns_play_the_same_game(levels):
    rng = np.random.default_rng(levels)
    joint, staged = Table(levels, "joint"), Table(levels, "staged")
    for _ in range(60):
        legal = joint.legal()
        if not legal:
            break
        text = legal[rng.integers(len(legal))]
        joint.play(text)
        staged.play(*text.split())
        assert np.array_equal(joint.state.owners, staged.state.owners)
        assert joint.state.player == staged.state.player
        assert joint.state.turns == staged.state.turns


def test_scores_weigh_rings_by_level():
    table = generation(red=FIVE, blue="1.1 6")
    assert table.state.scores.tolist() == [6 + 8, 1 + 8]


def test_scores_count_a_placement_at_once():
    assert Table(red="0.0").play("4.4").state.scores.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("levels", "turns", "actions"), [(L3, "joint", 392), (L3, "staged", 56), (L4, "joint", 15288), (L4, "staged", 328)]
)
def test_sizes(levels, turns, actions):
    game = make_game("ring_world", levels=levels, turns=turns)
    assert game.num_actions == actions
    assert game.observation_shape == ({3: 57, 4: 329}[levels], 3)


def test_observation():
    table = Table(red="0.1 3", blue="0.4").play("6.6")
    own, other, rotation_only = table.game.observation(table.states, 0).T
    board = BOARDS[L3]
    assert own[board.rows[1] + 1] == 1
    assert own[board.rows[2] + 3] == 1
    assert own.sum() == 3
    assert other[board.rows[1] + 4] == 1
    assert other.sum() == 1
    assert rotation_only.all()
    assert np.array_equal(table.game.observation(table.states, 1)[:, 0], other)
    table.play("r6")
    assert not table.game.observation(table.states, 0)[:, 2].any()


# Symmetries


@pytest.mark.parametrize("levels", [L3, L4])
@pytest.mark.parametrize("turns", ["joint", "staged"])
def test_the_whole_board_may_be_turned(levels, turns):
    rng = np.random.default_rng(7)
    table, other = Table(levels, turns), Table(levels, turns)
    actions, rows = turned_actions(levels, turns, 3), turned_rows(levels, 3)
    for _ in range(60):
        mask, observation = table.game.mask(table.states), table.game.observation(table.states, 0)
        assert np.array_equal(other.game.mask(other.states)[actions], mask)
        assert np.array_equal(other.game.observation(other.states, 0)[rows], observation)
        if not mask.any():
            break
        action = rng.choice(np.flatnonzero(mask))
        loops.play_at(table.states, 0, action)
        loops.play_at(other.states, 0, actions[action])


def test_the_board_may_not_be_mirrored():
    """4.3 and 4.5 are mirror images; turned clockwise they come to 4.4 and 4.6, which are not."""
    assert Table(red="4.3").play("0.0", "r4").owned("red") == {"4.4", "0.0"}
    assert Table(red="4.5").play("0.0", "r4").owned("red") == {"4.6", "0.0"}


# Notation


@pytest.mark.parametrize("levels", [L3, L4])
def test_every_name_of_a_ring_is_understood(levels):
    for ring, name in enumerate(NAMES[levels][1]):
        assert find_ring(levels, name) == (1, ring)
    assert find_ring(levels, "3.5") == find_ring(levels, "4.2")


def test_a_shared_ring_prints_with_its_lowest_name():
    table = Table(L4, "joint")
    action = table.game.notation.text_to_action(table.state, " 4.2.1  R4.2")
    assert table.game.notation.action_to_text(table.state, action) == "3.5.1 r3.5"


@pytest.mark.parametrize(
    ("turns", "text", "why"),
    [
        ("staged", "", "expected one placement"),
        ("staged", "0.0 r0", "expected one placement"),
        ("staged", "0.8", "is no ring"),
        ("staged", "3", "no level-1 ring"),
        ("staged", "r0.0", "cannot be turned"),
        ("staged", "x", "is no ring"),
        ("joint", "0.0", "no rotation"),
        ("joint", "r0 0.0", "is no ring"),
        ("joint", "0.0 r0 r1", "expected a placement and a rotation"),
    ],
)
def test_malformed_actions(turns, text, why):
    table = Table(turns=turns)
    with pytest.raises(ValueError, match=why):
        table.game.notation.text_to_action(table.state, text)


@pytest.mark.parametrize("levels", [L3, L4])
@pytest.mark.parametrize("turns", ["joint", "staged"])
def test_the_originals_digits_of_every_action(levels, turns):
    """The positions of the rings of levels 3, 2 and 1 and of the ring turned; each action has its own, which reads."""
    table = Table(levels, turns)
    notation, actions = table.game.notation, range(table.game.num_actions)
    digits = [notation.action_to_digits(table.state, action) for action in actions]
    assert len(set(digits)) == len(digits) and set("".join(digits)) == set("01234567" + " " * (turns == "joint"))
    assert [notation.digits_to_action(table.state, text) for text in digits] == list(actions)


def test_digits_are_counted_from_3_oclock():
    """A ring has its digits by where it lies, clockwise from 3 o'clock, y down; a shared one has two names."""
    table, board = Table(L4, "joint"), BOARDS[L4]
    action = table.game.notation.digits_to_action(table.state, "260 46")
    ring, centres = action // 56, board.centres
    inside = board.child[3][2, 6]
    away = [centres[3][2] - centres[4][0], centres[2][inside] - centres[3][2], centres[1][ring] - centres[2][inside]]
    assert [round(np.degrees(np.arctan2(y, x)) % 360) for x, y in away] == [90, 270, 0]
    assert table.game.notation.action_to_text(table.state, action).endswith("r4.6")
    assert table.game.notation.action_to_digits(
        table.state, table.game.notation.digits_to_action(table.state, "421 42")
    ) == ("351 35")


@pytest.mark.parametrize(
    ("turns", "digits"),
    [
        ("joint", "35"),
        ("joint", "3 3 3"),
        ("joint", ""),
        ("joint", "38 3"),
        ("joint", "3 35"),
        ("staged", "35 3"),
        ("staged", "x"),
    ],
)
def test_malformed_digits(turns, digits):
    table = Table(turns=turns)
    with pytest.raises(ValueError, match="expected"):
        table.game.notation.digits_to_action(table.state, digits)


@pytest.mark.parametrize("levels", [L3, L4])
@pytest.mark.parametrize("turns", ["joint", "staged"])
def test_positions_round_trip(levels, turns):
    table, rng = Table(levels, turns), np.random.default_rng(0)
    while True:
        text = table.game.notation.state_to_text(table.state)
        again = table.game.blank_states(1)
        table.game.notation.text_to_state(text, again[0])
        assert again.tobytes() == table.states.tobytes()
        actions = np.flatnonzero(table.game.mask(table.states))
        if not actions.size:
            break
        loops.play_at(table.states, 0, rng.choice(actions))


def test_position_in_which_a_shared_ring_has_two_owners_is_refused():
    table = Table(red="0.2")
    text = table.game.notation.state_to_text(table.state)
    assert text.splitlines()[3] == "1   .:.......r"
    with pytest.raises(ValueError, match="shared ring"):
        table.game.notation.text_to_state(text.replace(".......r", "........"), table.state)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("scores", (5, 0), "worth"),
        ("decision", rules.ROTATE, "must place"),
        ("decision", rules.PLACE, "other form"),
        ("turns", 200, "ends at 200"),
    ],
)
def test_positions_that_cannot_be_are_refused(field, value, why):
    state = Table(turns="joint", red="0.2").state
    state[field] = value
    with pytest.raises(ValueError, match=why):
        Table(turns="joint").game.check_state(state)


@pytest.mark.parametrize(("winner", "reason", "status"), [(-1, 1, 1), (0, 1, 1), (-1, 0, 1), (0, 2, 2), (-1, 2, 1)])
def test_results_that_cannot_be_are_refused(winner, reason, status):
    """Nobody owns the top ring."""
    game, state = Table(turns="joint").game, Table(turns="joint", red="0.2").state
    state.turns = 200
    end_game(state, TRUNCATED, NOBODY, rules.TURN_LIMIT)
    game.check_state(state)
    end_game(state, status, winner, reason)
    with pytest.raises(ValueError, match="do not fit"):
        game.check_state(state)


@pytest.mark.parametrize(
    ("turns", "reason", "winner"), [(199, 2, NOBODY), (201, 2, NOBODY), (2**31 - 1, 0, 1), (200, 0, 1)]
)
def test_an_end_at_another_turn_than_the_rules_make_it_is_refused(turns, reason, winner):
    """Cut off at another turn than the last, or forfeited after it."""
    state = Table(turns="joint", red="0.2").state
    state.turns = turns
    end_game(state, TRUNCATED if reason == rules.TURN_LIMIT else TERMINATED, winner, reason)
    with pytest.raises(ValueError, match="200"):
        Table(turns="joint").game.check_state(state)


# Drawing


@pytest.mark.parametrize("levels", [L3, L4])
@pytest.mark.parametrize("turns", ["joint", "staged"])
def test_drawing_knows_what_happened(levels, turns):
    """What the picture marks is what the kernels did: moved by the turn, then given or freed by the automaton."""
    drawing = pytest.importorskip("nakajima_zoo.envs.ring_world.drawing")
    table, rng = Table(levels, turns), np.random.default_rng(1)
    before, actions = table.state.copy(), []
    for _ in range(80):
        legal = np.flatnonzero(table.game.mask(table.states))
        if not legal.size:
            break
        if table.state.turns != before.turns:
            before, actions = table.state.copy(), []
        actions.append(int(rng.choice(legal)))
        loops.play_at(table.states, 0, actions[-1])
        last = drawing.last_turn(table.state, before, actions)
        owners = table.state.owners
        assert all(owners[ring] for ring in last.created)
        assert not any(owners[ring] for ring in last.freed)
        if last.placed is not None and last.placed not in last.created and last.placed not in last.freed:
            assert owners[last.placed] == 1 << before.player
        if last.turned is None:
            assert not last.created
            assert not last.freed
    assert drawing.draw(table.state, before, actions).as_svg().startswith("<?xml")


def test_position_in_the_notation_docstring():
    """It is the one after 3.3 r3."""
    table = Table(turns="joint").play("3.3 r3")
    text = table.game.notation.state_to_text(table.state)
    assert "\n".join("    " + line for line in text.splitlines()) in table.game.notation.__doc__
