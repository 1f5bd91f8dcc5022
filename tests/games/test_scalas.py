"""The rules of Scalas as short stories. Headings and marks ([S] from the source, [R] ruling) as in docs/scalas.md."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nakajima_zoo.envs.core import loops
from nakajima_zoo.envs.core.env import BoardGameEnv
from nakajima_zoo.envs.core.registry import make_game
from nakajima_zoo.envs.scalas import notation, rules

SIZES = rules.SIZES
GAMES = {size: make_game("scalas", size=size) for size in SIZES}
RED, BLUE, NOBODY = 0, 1, -1


def position(board: str, to_play: str = "red", hands: tuple[int, int] | None = None) -> np.ndarray:
    """The position with these ranks, the highest first. Without `hands`, cubes below tops are half red, half blue."""
    ranks = [line.split() for line in board.strip().splitlines()]
    size = len(ranks)
    towers = [tower for rank in ranks for tower in rank if tower != "."]
    below = sum(int(tower[1:]) - 1 for tower in towers)
    tops = [sum(tower[0] == letter for tower in towers) for letter in "rb"]
    red, blue = hands or (size * size - tops[RED] - below // 2, size * size - tops[BLUE] - (below + 1) // 2)
    lines = [f"{to_play} to place; turns 0; scores {tops[RED]} {tops[BLUE]}; hands {red} {blue}"]
    lines += [f"{size - row} {' '.join(rank)}" for row, rank in enumerate(ranks)]
    return parse("\n".join([*lines, " ".join("abcdefg"[:size])]), size)


def parse(text: str, size: int = 5) -> np.ndarray:
    """The position of a text, as (1,) array."""
    states = GAMES[size].blank_states(1)
    states[0] = GAMES[size].state_from_text(inspect.cleandoc(text))
    return states


def game_of(states: np.ndarray) -> Any:
    return GAMES[len(states[0].heights)]


def legal(states: np.ndarray) -> list[str]:
    """The names of the legal squares."""
    return [notation.action_to_text(states[0], action) for action in np.flatnonzero(game_of(states).mask(states))]


def play(states: np.ndarray, *names: str) -> np.ndarray:
    """The position after these legal actions."""
    states = states.copy()
    for name in names:
        assert name in legal(states), f"{name} is not legal in\n{notation.state_to_text(states[0])}"
        loops.play_at(states, 0, notation.text_to_action(states[0], name))
    return states


def tower(states: np.ndarray, name: str) -> str:
    """What is on a square, such as `r2`, `.` or `.*`."""
    row, column = divmod(notation.text_to_action(states[0], name), len(states[0].heights))
    return notation.tower_to_text(states[0], row, column)


def grown(before: np.ndarray, after: np.ndarray) -> dict[str, int]:
    """How many cubes each square has gained."""
    difference = (after[0].heights - before[0].heights).reshape(-1)
    return {
        notation.action_to_text(before[0], int(square)): int(difference[square]) for square in difference.nonzero()[0]
    }


def decision(states: np.ndarray) -> str:
    return rules.DECISIONS[states[0].decision]


def reason(states: np.ndarray) -> str:
    return rules.REASONS[states[0].reason]


# Equipment


@pytest.mark.parametrize("size", SIZES)
def test_the_board_starts_empty_with_one_cube_a_square_for_each_player_and_red_begins(size):
    """[S] 5x5 with 25 cubes each, 6x6 with 36, [R] 7x7 with 49; [R] red moves first."""
    states = GAMES[size].new_states(1)
    assert not states[0].heights.any()
    assert states[0].hands.tolist() == [size * size, size * size]
    assert states[0].player == RED
    assert len(legal(states)) == size * size


def test_other_sizes_do_not_exist():
    with pytest.raises(ValueError, match="size"):
        make_game("scalas", size=8)


# Turn


def test_a_cube_lands_on_the_square_and_the_opponent_is_next():
    """[S] One cube of the mover's own a turn."""
    states = play(GAMES[5].new_states(1), "c3")
    assert tower(states, "c3") == "r1"
    assert states[0].hands.tolist() == [24, 25]
    assert states[0].scores.tolist() == [1, 0]
    assert (states[0].player, states[0].turns) == (BLUE, 1)


def test_a_cube_takes_over_the_top():
    """The colour of the highest cube counts."""
    states = play(
        position("""
            . . . . .
            . . . . .
            . b1 b1 . .
            . . . . .
            . . . . ."""),
        "c3",
    )
    assert tower(states, "c3") == "r2"
    assert states[0].scores.tolist() == [1, 1]


CLIFF = """
    .  .  .  .  .
    .  .  .  .  .
    .  .  r2 .  .
    .  .  .  .  .
    r1 .  .  .  ."""


def test_a_square_must_descend_before_the_placement():
    """[S] Rule 1: from c3 every step goes down by two."""
    assert "c3" not in legal(position(CLIFF))


def test_a_square_must_descend_after_the_placement():
    """[S] Rule 2: a1 descends now, but with one more cube every step from it goes down by two."""
    assert "a1" not in legal(position(CLIFF))


def test_a_step_beside_it_lets_a_tower_grow():
    """[S] From a1 with one more cube the walk is a1 (2), b1 (1), c1 (0)."""
    board = CLIFF.replace("r1 .", "r1 b1")
    assert "a1" in legal(position(board))
    assert tower(play(position(board), "a1"), "a1") == "r2"


def test_a_walk_may_go_on_at_the_same_height_but_never_up():
    """[S] a1 goes level to b1 and down to c1; from a3 (1) the only way out leads up."""
    states = position("""
        r1 r2 .  .  .
        r2 .  .  .  .
        r1 r2 .  .  .
        r2 .  .  .  .
        b2 b2 b1 .  .""")
    assert "a1" in legal(states)
    assert "a3" not in legal(states)


FULL = """
    r3 b2 r1 b1 r1
    b2 r1 b1 r1 b1
    r1 b1 r1 b1 r1
    b1 r1 b1 r1 b1
    r1 b1 r1 b1 r1"""


def test_the_lowest_level_is_the_smallest_height_on_the_board():
    """[S] On a full board a walk need only reach the squares of height 1."""
    assert {"a4", "b4", "c3"} <= set(legal(position(FULL)))
    assert "a5" not in legal(position(FULL))  # with a fourth cube no neighbour would be one lower


def test_the_only_lowest_square_is_legal_since_it_lifts_the_lowest_level():
    """[R] Heights and the lowest level of rule 2 are those after the placement."""
    board = FULL.replace("r1 b1 r1 b1 r1", "r3 b3 .  b3 r3", 1).replace("b1 r1 b1 r1 b1", "b3 r3 b3 r3 b3", 1)
    states = position(board.replace("b2 r1 b1 r1 b1", "b2 r1 b3 r1 b1"))
    assert legal(states) == ["c3"]
    assert states[0].heights.min() == 0
    assert play(states, "c3")[0].heights.min() == 1


def test_a_lowest_square_among_others_needs_a_neighbour_as_low():
    """[S] Rule 2: c3 has the lowest height, but with a cube on it there is no way down to a1, the other such."""
    board = FULL.replace("r1 b1 r1 b1 r1", "r3 b3 .  b3 r3", 1).replace("b1 r1 b1 r1 b1", "b3 r3 b3 r3 b3", 1)
    board = board.replace("b2 r1 b1 r1 b1", "b2 r1 b3 r1 b1")
    assert "c3" not in legal(position(board[:-14] + ".  b1 r1 b1 r1"))


def test_colour_plays_no_part_in_what_is_legal():
    """[S] While both have cubes, a square is legal for both or for neither."""
    assert legal(position(CLIFF, "red")) == legal(position(CLIFF, "blue"))
    assert legal(position(CLIFF)) == legal(position(CLIFF.replace("r", "b")))


ALONE = """
    b4 b4 b4 b4 b4
    .  .  .  .  .
    r2 .  r1 b1 b1
    .  .  .  .  .
    b4 b4 b4 b4 b4"""


def test_a_player_whose_opponent_has_no_cubes_places_on_towers_only():
    """[S] Rule 3: the square is not empty."""
    assert "c4" in legal(position(ALONE, hands=(4, 1)))
    assert legal(position(ALONE, hands=(5, 0))) == ["c3", "d3", "e3"]


# Forced placement


def test_the_square_between_two_alike_gets_a_cube():
    """[S] a1 and c1 are alike: the engine fills b1, [R] the only gap, within the same action."""
    before = position("""
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        r1 . . . .""")
    after = play(before, "c1")
    assert grown(before, after) == {"b1": 1, "c1": 1}
    assert tower(after, "b1") == "r1"
    assert before[0].hands[RED] - after[0].hands[RED] == 2
    assert (after[0].player, after[0].turns, after[0].scores.tolist()) == (BLUE, 1, [3, 0])


def test_it_works_in_columns_too():
    before = position(". . . . .\n. . . . .\nb1 . . . .\n. . . . .\n. . . . .", "blue")
    assert grown(before, play(before, "a1")) == {"a1": 1, "a2": 1}


@pytest.mark.parametrize(
    ("rank", "why"),
    [
        (". b1 . . .", "tops of different colours"),
        (". r2 . . .", "different heights"),
        ("r1 . . . .", "three squares away"),
        (". . r1 . .", "next to each other"),
        (". r1 r1 . .", "[R] the square between is as high"),
        (". r1 b2 . .", "[R] the square between is higher"),
    ],
)
def test_nothing_is_forced(rank, why):
    before = position(f". . . . .\n. . . . .\n. . . . .\n. . . . .\n{rank}")
    assert grown(before, play(before, "d1")) == {"d1": 1}, why


def test_a_lower_tower_of_any_colour_is_a_gap():
    """[R] The square between is lower, and here not empty. Height and top count with the new cube included."""
    before = position("""
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        r3 b1 r2 b2 b1""")
    after = play(before, "c1")
    assert (tower(after, "c1"), tower(after, "b1")) == ("r3", "r2")


def test_a_forced_cube_need_not_obey_the_stair_rule():
    """[S] b1 is no legal choice: there is no way down from it."""
    before = position("""
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        r2 r3 .  .  .
        r3 b1 r2 b2 b1""")
    assert "b1" not in legal(before)
    assert grown(before, play(before, "c1")) == {"b1": 1, "c1": 1}


def test_a_forced_cube_may_land_on_an_empty_square_though_the_opponent_has_no_cubes():
    """[R] Rules 1 to 3 concern the chosen placement only."""
    before = position(ALONE, hands=(5, 0))
    assert "b3" not in legal(before)
    assert grown(before, play(before, "c3")) == {"b3": 1, "c3": 1}


def test_a_forced_cube_can_force_another():
    """[S] c1 forces b1, and b1 forces b2 below b3."""
    before = position("""
        .  .  .  .  .
        .  .  .  .  .
        .  r1 .  .  .
        .  .  .  .  .
        r1 .  .  .  .""")
    assert grown(before, play(before, "c1")) == {"b1": 1, "b2": 1, "c1": 1}


CROSS = """
    .  .  r1 .  .
    .  .  .  .  .
    r1 .  .  .  r1
    .  .  .  .  .
    .  .  r1 .  ."""


def test_one_landing_can_open_four_gaps():
    """[R] The mover chooses among them, [R] as long as two or more wait."""
    states = play(position(CROSS), "c3")
    assert (states[0].player, decision(states), states[0].turns) == (RED, "fill_gap", 0)
    assert legal(states) == ["c4", "b3", "d3", "c2"]
    assert [tower(states, name) for name in legal(states)] == [".*"] * 4
    states = play(states, "d3")
    assert legal(states) == ["c4", "b3", "c2"]


def test_the_last_gap_is_filled_without_asking():
    """[R] Whenever exactly one gap waits the engine fills it, after a choice too."""
    before = position(CROSS)
    after = play(before, "c3", "d3", "c4", "b3")
    assert grown(before, after) == {"b3": 1, "c2": 1, "c3": 1, "c4": 1, "d3": 1}
    assert (after[0].player, decision(after), after[0].turns) == (BLUE, "place", 1)


def test_gaps_opened_by_a_forced_cube_join_those_that_wait():
    """[R] c3, filled first, is two squares from a3: b3 joins b2."""
    states = play(position(TWICE), "c2")
    assert legal(states) == ["c3", "b2"]
    assert legal(play(states, "c3")) == ["b3", "b2"]


TWICE = """
    .  .  .  .  .
    .  .  r1 .  .
    r1 .  .  .  .
    r1 .  .  .  .
    .  r1 .  .  ."""


def test_a_waiting_gap_is_not_counted_twice():
    """[R] b2 waits between a2 and c2 when b3 lands and, with b1, opens it once more: it gets one cube all the same."""
    before = position(TWICE)
    after = play(before, "c2", "c3", "b3")
    assert grown(before, after) == {"b2": 1, "b3": 1, "c2": 1, "c3": 1}
    assert after[0].player == BLUE


def test_a_filled_gap_may_be_opened_again():
    """[R] b3 is filled, then opened again by the cube on b2, which makes b2 and b4 alike, and gets another cube."""
    before = position("""
        .  .  .  .  .
        r2 r2 .  .  .
        .  .  r1 .  .
        r1 r1 r2 .  .
        .  r2 .  r1 .""")
    after = play(before, "a2", "a3", "b3")
    assert grown(before, after) == {"a2": 1, "a3": 1, "b2": 1, "b3": 2}


LAST_CUBES = """
    r2 r2 r2 r2 r2
    .  .  .  .  .
    r1 .  .  .  r1
    .  .  .  .  .
    r2 r2 r2 r2 r3"""


def test_the_mover_is_asked_even_with_one_cube_left():
    """[R] Two gaps wait, and one cube is left for them."""
    states = play(position(LAST_CUBES, hands=(2, 25)), "c3")
    assert (states[0].player, states[0].hands[RED]) == (RED, 1)
    assert legal(states) == ["b3", "d3"]


def test_gaps_still_waiting_are_dropped_when_the_hand_is_empty():
    """[S] The cubes come from the mover's hand; without one the turn ends."""
    states = play(position(LAST_CUBES, hands=(2, 25)), "c3", "d3")
    assert (tower(states, "b3"), tower(states, "d3")) == (".", "r1")
    assert (states[0].player, decision(states), states[0].gaps) == (BLUE, "place", 0)


def test_the_last_cube_forces_nothing():
    """[S] The gap between a3 and c3 stays empty."""
    before = position(LAST_CUBES.replace("r3", "r4"), hands=(1, 25))
    assert grown(before, play(before, "c3")) == {"c3": 1}


@pytest.mark.parametrize("size", SIZES)
def test_no_forced_cube_rises_above_the_squares_that_forced_it(size):
    """The fact behind the bound on heights: within a turn no landing is higher than the chosen one."""
    rng, states = np.random.default_rng(size), GAMES[size].new_states(1)
    while states[0].player != NOBODY:
        before = states.copy()
        action = int(rng.choice(np.flatnonzero(GAMES[size].mask(states))))
        loops.play_at(states, 0, action)
        landed = states[0].heights[states[0].heights != before[0].heights]
        assert landed.max() <= max(states[0].heights.reshape(-1)[action], before[0].heights.max())


# Who is next


def test_a_player_whose_opponent_has_no_cubes_goes_on_alone():
    """[S] He goes on as long as he has cubes."""
    states = position(ALONE, hands=(5, 0))
    for _ in range(2):
        assert states[0].player == RED
        states = play(states, "c3" if "c3" in legal(states) else legal(states)[0])
    assert states[0].turns == 2


# End

STUCK = """
    .  b2 r2 b2 r1
    r1 r2 .  b3 r4
    r4 b3 b2 r1 b1
    r2 b1 r3 b1 b1
    r1 r1 b3 b1 b2"""
TOWERS = """
    b1 b2 r1 r1 r2
    .  r4 b3 b4 .
    r1 r4 b2 b3 r3
    b3 r2 r2 r2 b3
    b2 .  r1 r1 b2"""
EQUAL = """
    b1 b3 b2 r1 .
    .  r2 b2 b3 b3
    r1 .  r2 b3 b2
    r2 b2 r3 b1 r2
    r3 r3 b2 b3 r3"""


def test_the_game_ends_when_the_player_to_move_has_no_legal_square():
    """[S] Red has five cubes, but blue has none left, and from no tower there is a way down. There is never a pass."""
    states = play(position(STUCK, "blue", hands=(5, 1)), "b5")
    assert states[0].hands.tolist() == [5, 0]
    assert states[0].player == NOBODY
    assert legal(states) == []


def test_the_game_ends_when_no_player_has_cubes_and_more_tops_win():
    """[S] The player whose colour is on top of more squares wins."""
    states = play(position(STUCK.replace("r4 b3 b2", "r9 b3 b2"), "blue", hands=(0, 1)), "b5")
    assert states[0].hands.tolist() == [0, 0]
    assert states[0].scores.tolist() == [11, 12]
    assert (states[0].winner, reason(states)) == (BLUE, "tops")


def test_equal_tops_are_decided_by_the_highest_towers():
    """[S] Eleven tops each. [R] The only tower of height exactly 5 is blue's; red's towers of height 4 do not count."""
    states = play(position(TOWERS, "blue", hands=(0, 1)), "b3")
    assert states[0].scores.tolist() == [11, 11]
    assert (states[0].winner, reason(states)) == (BLUE, "towers")


def test_equal_highest_towers_are_decided_one_lower():
    """[S] And so on: eleven tops each, one tower of 5 each, one of 4 each, but no red and three blue towers of 3."""
    board = TOWERS.replace("b2 b3 r3", "b2 b3 r5").replace("b3 r2 r2 r2 b3", "b1 r2 r2 r2 b3")
    states = play(position(board, "blue", hands=(0, 1)), "b3")
    assert states[0].scores.tolist() == [11, 11]
    assert (states[0].winner, reason(states)) == (BLUE, "towers")


def test_all_equal_is_a_draw():
    """[S] Eleven tops each, and as many of each height: 6 of height 3, 3 of 2 and 2 of 1 for either."""
    states = play(position(EQUAL, hands=(1, 0)), "c4")
    assert states[0].scores.tolist() == [11, 11]
    assert (states[0].player, states[0].winner, reason(states)) == (NOBODY, NOBODY, "equal")


@pytest.mark.parametrize(("size", "highest"), [(5, 9), (6, 11), (7, 13)])
def test_the_highest_tower_possible(size, highest):
    """A tower of height H leaves a walk H, H-1, ..., which takes H (H + 1) / 2 of the 2 N N cubes."""
    assert rules.MAX_HEIGHT[size] == highest
    cubes = 2 * size * size
    assert highest * (highest + 1) // 2 <= cubes < (highest + 1) * (highest + 2) // 2


def test_a_tower_of_the_highest_kind_is_seen():
    """The walk down from a1 has 9 + 8 + ... + 1 = 45 of the 50 cubes; the last channel of heights shows a1 alone."""
    states = position("""
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  r1 b2 r3 b4
        r8 b8 r7 b6 r5""")
    states = play(states, "a1")
    seen = GAMES[5].observation(states, RED)
    assert tower(states, "a1") == "r9"
    assert np.argwhere(seen[:, :, 1 + 9]).tolist() == [[4, 0]]


# Observation


def test_what_a_player_sees():
    """Own and opponent's tops, heights as a row of channels, waiting gaps, hands; the board is not turned."""
    states = play(position(CROSS), "c3")
    channels = {name: index for index, name in enumerate(GAMES[5].channels)}
    for player in (RED, BLUE):
        seen = GAMES[5].observation(states, player)
        own = channels["top is own" if player == RED else "top is opponent's"]
        assert np.argwhere(seen[:, :, own]).tolist() == [[0, 2], [2, 0], [2, 2], [2, 4], [4, 2]]
        assert not seen[:, :, 1 - own].any()
        assert (seen[:, :, channels["height >= 1"]] == seen[:, :, own]).all()
        assert not seen[:, :, channels["height >= 2"]].any()
        assert np.argwhere(seen[:, :, channels["gap waiting here"]]).tolist() == [[1, 2], [2, 1], [2, 3], [3, 2]]
        assert np.allclose(seen[:, :, channels["own cubes in hand / squares"]], states[0].hands[player] / 25)
        assert np.allclose(seen[:, :, channels["opponent's cubes in hand / squares"]], states[0].hands[1 - player] / 25)


# Notation

GAPS = """
    red to fill_gap; turns 8; scores 4 2; hands 20 21
    5  .    .    r2   .*   r2
    4  .    .    .*   .    .
    3  .    .    r2   .    .
    2  .    b1   .    .    r1
    1  .    .    .    .    b1
       a    b    c    d    e
"""


@pytest.mark.parametrize("size", SIZES)
def test_squares_are_named_as_in_chess(size):
    state = GAMES[size].new_states(1)[0]
    names = [notation.action_to_text(state, action) for action in range(size * size)]
    assert names[0] == f"a{size}"
    assert names[-size] == "a1"
    assert len(set(names)) == size * size
    assert [notation.text_to_action(state, name) for name in names] == list(range(size * size))


def test_a_position_reads_as_it_was_written():
    states = parse(GAPS)
    assert notation.state_to_text(states[0]) == inspect.cleandoc(GAPS)
    assert inspect.cleandoc(GAPS) in inspect.cleandoc(notation.__doc__ or "").replace("\n    ", "\n")
    assert legal(states) == ["d5", "c4"]


@pytest.mark.parametrize("size", SIZES)
def test_every_position_of_a_game_survives_its_text(size):
    """Gaps and results included; the text of each is parsed into a fresh record, byte for byte the same."""
    rng, states = np.random.default_rng(size), GAMES[size].new_states(1)
    while True:
        again = parse(notation.state_to_text(states[0]), size)
        assert again.tobytes() == states.tobytes()
        if states[0].player == NOBODY:
            break
        loops.play_at(states, 0, int(rng.choice(np.flatnonzero(GAMES[size].mask(states)))))


@pytest.mark.parametrize("name", ["", "a0", "a6", "f1", "aa1", "1a", "c3 c4"])
def test_a_name_of_no_square(name):
    with pytest.raises(ValueError, match="no square; expected a1 to e5"):
        notation.text_to_action(GAMES[5].new_states(1)[0], name)


@pytest.mark.parametrize(
    ("found", "replacement", "message"),
    [
        ("red to fill_gap", "green to fill_gap", "player 'green' unknown; expected one of red, blue"),
        ("fill_gap", "dance", "decision 'dance' unknown"),
        ("turns 8; ", "", "first line"),
        ("hands 20 21", "hands 20", "hands: '20'; expected 2 integers"),
        ("hands 20 21", "hands 20 x", "expected 2 integers"),
        ("hands 20 21", "hands 20 99999", "numbers too large"),
        ("scores 4 2", "points 4 2", "expected scores"),
        ("r1\n", "g1\n", "tower 'g1'"),
        ("r1\n", "r0\n", "tower 'r0'"),
        ("r1\n", "r300\n", "tower 'r300'"),
        ("r1\n", "r1 .\n", "expected 2 and 5 towers"),
        ("3  .", "4  .", "expected 3 and 5 towers"),
        ("1  .    .    .    .    b1\n", "", "6 lines; expected 7"),
    ],
)
def test_a_malformed_text_says_what_is_wrong_and_changes_nothing(found, replacement, message):
    text = inspect.cleandoc(GAPS)
    assert found in text
    states = play(GAMES[5].new_states(1), "c3")
    before = states.copy()
    with pytest.raises(ValueError, match=message):
        notation.text_to_state(text.replace(found, replacement), states[0])
    assert states.tobytes() == before.tobytes()


# Impossible positions


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tops": [(4, 4, 2)]}, "a top that is no player's"),
        ({"tops": [(4, 4, NOBODY)]}, "a tower and its top contradict each other"),
        ({"heights": [(4, 4, 0)]}, "a tower and its top contradict each other"),
        ({"heights": [(4, 4, -1)]}, "a height below 0"),
        ({"heights": [(4, 4, 10)]}, "a tower higher than 9"),
        ({"hands": (26, 15)}, r"hands \[26, 15\]; expected 0 to 25"),
        ({"hands": (-1, 25)}, r"hands \[-1, 25\]; expected 0 to 25"),
        ({"hands": (21, 21)}, "cubes on the board and in hand are not 50"),
        ({"hands": (0, 25), "heights": [(4, 4, 9), (3, 4, 9)]}, "the player to act has no cube"),
        ({"scores": (3, 2)}, r"scores \[3, 2\]; the board has \[4, 2\] tops"),
        ({"hands": (22, 19)}, "4 tops and 22 cubes in hand; a player has 25 cubes"),
        ({"levels": 0}, "levels that contradict the heights"),
        ({"gaps": -1}, "a gap outside the board"),
        ({"gaps": 1 << 25}, "a gap outside the board"),
        ({"gaps": 1 << 3}, "1 gaps wait; expected two or more with fill_gap, else none"),
        ({"decision": 0}, "2 gaps wait; expected two or more with fill_gap, else none"),
        ({"decision": 2}, "header"),
        ({"winner": 0}, "header"),
        ({"turns": -1}, "header"),
        ({"joint": 1}, "joint is 1"),
        ({"over": (1, 0, 1)}, "2 gaps wait"),
        ({"gaps": 0, "over": (2, 0, 1)}, "a game cut off; Scalas has no turn limit"),
        ({"gaps": 0, "over": (1, 1, 1)}, r"winner 1 by tops with scores \[4, 2\]"),
        ({"gaps": 0, "over": (1, 0, 2)}, r"winner 0 by towers with scores \[4, 2\]"),
        ({"gaps": 0, "over": (1, -1, 3)}, r"winner -1 by equal with scores \[4, 2\]"),
        ({"gaps": 0, "over": (1, -1, 0)}, "winner -1 by illegal_action"),
    ],
)
def test_an_impossible_position_is_refused(changes, message):
    """Kernels check nothing, so a record from outside is checked before they see it."""
    state = parse(GAPS)[0]
    for name, value in changes.items():
        if name in ("heights", "tops"):
            for row, column, number in value:
                state[name][row, column] = number
        elif name == "over":
            state.player, state.decision, (state.status, state.winner, state.reason) = NOBODY, 0, value
        elif name in ("hands", "scores"):
            state[name][:] = value
        else:
            state[name] = value
    with pytest.raises(ValueError, match=message):
        GAMES[5].check_state(state)


def test_a_text_with_a_tower_too_high_is_refused():
    """Before a kernel sees it, since kernels check nothing: even before what else is wrong with the text."""
    env = BoardGameEnv(GAMES[5])
    env.reset(seed=0)
    for height in (10, 99):
        text = env.to_text().replace(" .", f" r{height}", 1)[::-1].replace(".", "x", 1)[::-1]
        with pytest.raises(ValueError, match="a tower higher than 9"):
            env.from_text(text)


def test_a_position_forfeited_among_gaps_can_be_taken_up_again():
    """An illegal action ends the game with the gaps still waiting; its record and text are accepted, no gap is seen."""
    env = BoardGameEnv(GAMES[5])
    env.reset(options={"state": parse(GAPS)[0]})
    env.forfeit()
    state = env.get_state()
    assert GAMES[5].check_state(state).tobytes() == parse(notation.state_to_text(state)).tobytes() == state.tobytes()
    assert not env.observe("player_0")["observation"][:, :, -3].any()
    env.set_state(state)


# Drawing


def test_the_picture_shows_gaps_and_marks_where_the_last_turn_landed():
    draw = pytest.importorskip("nakajima_zoo.envs.core.drawing")
    drawing = GAMES[5].drawing
    before = position(CROSS)
    after = play(before, "c3", "d3")
    svg = drawing.draw(after[0], before[0], [12, 13]).as_svg()
    assert svg.count(draw.NEW) == 2
    assert svg.count("0 + 1") == 3
    assert "to choose a gap" in svg
    assert draw.NEW not in drawing.draw(after[0]).as_svg()
    end = play(position(EQUAL, hands=(1, 0)), "c4")
    assert "tops and towers equal" in drawing.draw(end[0]).as_svg()


# The page

PAGE = Path(__file__).parents[2] / "docs" / "scalas.md"


def table(first_cell: str, number: int = 0) -> dict[str, list[str]]:
    """The rows of a table of the page, by their first cell: the `number`-th table that begins with this cell."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n| {first_cell} |")[number + 1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip(" |").split("|")] for row in text.split("\n")[2:]]
    return {row[0]: row[1:] for row in rows}


def test_the_page_states_the_facts_of_the_code():
    assert table("size") == {
        "actions": [str(GAMES[size].num_actions) for size in SIZES],
        "observation": [str(GAMES[size].observation_shape) for size in SIZES],
        "MAX_HEIGHT": [str(rules.MAX_HEIGHT[size]) for size in SIZES],
        "cubes of each player": [str(GAMES[size].new_states(1)[0].hands[RED]) for size in SIZES],
        "decisions at most": [str(GAMES[size].max_decisions) for size in SIZES],
    }


@pytest.mark.parametrize("size", SIZES)
def test_the_page_states_the_channels_of_the_code(size):
    highest = rules.MAX_HEIGHT[size]
    channels = GAMES[size].channels
    assert list(table("channel")) == ["0", "1", "2 .. 1 + M", "2 + M", "3 + M", "4 + M"]
    assert channels[:3] == ("top is own", "top is opponent's", "height >= 1")
    assert channels[1 + highest :] == (
        f"height >= {highest}",
        "gap waiting here",
        "own cubes in hand / squares",
        "opponent's cubes in hand / squares",
    )
    assert list(table("decision")) == [f"`{name}`" for name in rules.DECISIONS]
    assert list(table("reason")) == [f"`{name}`" for name in rules.REASONS]


def test_the_page_shows_the_notation():
    assert GAPS in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES)
def test_the_page_tells_how_random_games_go(size):
    """The means of 300 games lie near those that the page gives for many more."""
    rng, games, decisions, choices, branching = np.random.default_rng(size), 300, 0, 0, 0
    for _ in range(games):
        states = GAMES[size].new_states(1)
        while states[0].player != NOBODY:
            actions = np.flatnonzero(GAMES[size].mask(states))
            decisions, branching = decisions + 1, branching + len(actions)
            choices += int(states[0].decision == rules.FILL_GAP)
            loops.play_at(states, 0, int(rng.choice(actions)))
    said = {name: float(row[SIZES.index(size)]) for name, row in table("size", 1).items()}
    assert decisions / games == pytest.approx(said["decisions, mean"], abs=1)
    assert branching / decisions == pytest.approx(said["legal actions, mean"], abs=0.5)
    assert choices / games == pytest.approx(said["choices among gaps in a game, mean"], abs=0.3)
