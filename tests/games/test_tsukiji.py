"""The rules of Tsukiji as stories. Each names the rule it is about; docs/tsukiji.md has them in full."""

from pathlib import Path

import numpy as np
import pytest
from nakajima_zoo.envs.core.record import ILLEGAL_ACTION, NOBODY, RUNNING, TERMINATED, TRUNCATED, end_game
from nakajima_zoo.envs.tsukiji import game, notation, rules, symmetry
from plain import tsukiji as plain

FULL = "I 3, V 3, bridge in hand"
NO_PIECES = "I 0, V 0, bridge in hand"
NOTHING = "I 0, V 0, bridge "  # and where the bridge is
AWAY = {"a8": "~B", "h1": "~R"}  # the ships, where they do no harm


def position(who, squares, red=FULL, blue=FULL, turns=0, scores="0 0", **parameters):
    """The position with `squares`, all others empty sea, such as {"c3": "#r"}; blue's supply is full unless given."""
    tsukiji = game(**parameters)
    rows = []
    for rank in "87654321":
        rows.append("  ".join([rank, *(squares.get(file + rank, "~") for file in "abcdefgh")]))
    lines = [f"{who}; turns {turns}; scores {scores}", *rows, "a b c d e f g h", f"red: {red}", f"blue: {blue}"]
    return tsukiji.state_from_text("\n".join(lines))


def legal(state):
    """The texts of the legal actions."""
    joint = state.joint
    mask = np.empty(rules.NUM_JOINT_ACTIONS if joint else rules.NUM_ACTIONS, np.int8)
    rules.legal_actions(state, mask)
    return [notation.action_to_text(state, action) for action in np.flatnonzero(mask).tolist()]


def play(state, *texts):
    """Play actions, each of which must be legal."""
    for text in texts:
        assert text in legal(state), f"{text} is not legal"
        rules.play(state, notation.text_to_action(state, text))
    return state


def start(**parameters):
    return game(**parameters).new_states(1)[0]


# Setup


def test_each_player_chooses_one_of_three_squares_on_the_diagonal():
    state = start()
    assert legal(state) == ["land b7", "land c6", "land d5"]
    play(state, "land c6")
    assert legal(state) == ["land g2", "land f3", "land e4"]


def test_the_opponents_ship_is_set_on_the_outer_side_after_both_choices():
    state = play(start(), "land c6")
    assert state.ships.tolist() == [rules.NOWHERE, rules.NOWHERE]
    play(state, "land e4")
    assert notation.SQUARE_NAMES[state.ships[1]] == "b7"
    assert notation.SQUARE_NAMES[state.ships[0]] == "f3"
    assert (state.player, state.turns) == (0, 0)


# Ship: land


def around_a_ship(**more):
    """Red's ship on d4, far from everything."""
    return {"a8": "~B", "a1": "#B", "h8": "#R", "d4": "~R", **more}


def test_a_land_piece_must_touch_the_ship_by_an_edge():
    actions = legal(position("red to construct", around_a_ship()))
    assert "ship: V d5 d6 e6, build e6" in actions
    assert "ship: I e5 e6 e7, build e5" not in actions


def test_a_land_piece_must_lie_on_sea_without_a_ship():
    actions = legal(position("red to construct", around_a_ship(a8="~", e5="~B", c5="#")))
    assert not [action for action in actions if action.startswith("ship: V") and "e5" in action]
    assert not [action for action in actions if action.startswith("ship: I c") and "c5" in action.split(",")[0]]
    assert not [action for action in actions if action.startswith("ship") and "d4" in action.split(",")[0]]


def test_only_pieces_that_are_left_can_be_laid():
    actions = legal(position("red to construct", around_a_ship(), red="I 0, V 1, bridge in hand"))
    assert not [action for action in actions if action.startswith("ship: I")]
    state = position("red to construct", around_a_ship(), red="I 0, V 1, bridge in hand")
    play(state, "ship: V c3 c4 d3, build c3")
    assert state.pieces[0].tolist() == [0, 0]


def test_a_piece_comes_with_a_building_that_fits_the_group_limit():
    squares = around_a_ship(a5="#r", b5="#r", c5="#r", d5="#r")
    actions = legal(position("red to construct", squares, scores="4 0"))
    assert not [action for action in actions if action.startswith("ship: I a4 b4 c4")]
    assert not [action for action in actions if action.startswith("ship: V c3 c4 b4")]
    squares = around_a_ship(a5="#r", b5="#r", c5="#r", d5="#r", a1="#", c1="#B")
    actions = legal(position("red to construct", squares, scores="4 0"))
    assert [action for action in actions if action.startswith("ship: V c3 c4 d3")] == [
        "ship: V c3 c4 d3, build c3",
        "ship: V c3 c4 d3, build d3",
    ]


def test_land_may_be_made_under_a_bridge_but_the_building_may_not_stand_there():
    squares = around_a_ship(c3="#=", d3="~=", e3="#=")
    actions = legal(position("red to construct", squares, blue="I 3, V 3, bridge c3 e3", scores="0 1"))
    assert [action for action in actions if action.startswith("ship: I d1 d2 d3")] == [
        "ship: I d1 d2 d3, build d2",
        "ship: I d1 d2 d3, build d1",
    ]


def test_a_ship_may_not_lock_itself_in():
    squares = {"a8": "~B", "a1": "#B", "h8": "#R", "h1": "~R", "g1": "#", "h2": "#", "f2": "#"}
    actions = legal(position("red to construct", squares))
    assert not [action for action in actions if action.startswith("ship: ") and "g2" in action]
    assert "ship: build g1" in actions


# Ship: buildings and bridges


def test_a_ship_builds_next_to_it_on_free_land_only():
    squares = {"a8": "~B", "d4": "~R", "c4": "#", "d5": "#B", "e4": "#b", "d3": "#R", "e5": "#"}
    actions = legal(position("red to construct", squares))
    assert [action for action in actions if action.startswith("ship: build")] == ["ship: build c4"]


def test_a_building_may_not_join_groups_to_more_than_four():
    squares = around_a_ship(d5="#", c5="#r", b5="#r", e5="#r", f5="#r", c4="#")
    actions = legal(position("red to construct", squares, scores="2 0"))
    assert "ship: build d5" not in actions
    assert "ship: build c4" in actions
    state = play(position("red to construct", squares, scores="2 0"), "ship: build c4")
    assert state.scores.tolist() == [3, 0]


def test_a_group_that_touches_the_square_twice_counts_once():
    squares = around_a_ship(d5="#", c5="#r", c6="#r", d6="#r")
    state = play(position("red to construct", squares, scores="2 0"), "ship: build d5")
    assert state.scores.tolist() == [4, 0]


def test_nothing_is_built_under_or_on_a_bridge():
    squares = around_a_ship(c4="#=", c3="#=", c2="#=", d5="#", d6="#")
    actions = legal(position("red to construct", squares, blue="I 3, V 3, bridge c2 c4", scores="0 1"))
    assert [action for action in actions if action.startswith("ship: build")] == ["ship: build d5"]


def test_a_bridge_joins_free_land_squares_two_apart_and_touches_the_ship():
    squares = around_a_ship(d5="#", d7="#", b5="#", f5="#r", c4="#", c2="#", a4="#", f7="#")
    actions = legal(position("red to construct", squares))
    bridges = [action.removeprefix("ship: bridge ") for action in actions if action.startswith("ship: bridge")]
    assert bridges == ["b5 d5", "a4 c4", "d5 d7", "c2 c4"]  # not d5 f5, with a building, nor d7 f7, too far off


def test_the_middle_of_a_bridge_may_be_anything_even_the_ship_itself():
    squares = {"a8": "~B", "h8": "#R", "d4": "~R", "c4": "#", "e4": "#", "c3": "#b", "c2": "#", "e3": "#B", "e2": "#"}
    actions = legal(position("red to construct", squares))
    bridges = [action for action in actions if action.startswith("ship: bridge")]
    assert bridges == ["ship: bridge c4 e4", "ship: bridge c2 c4", "ship: bridge e2 e4"]


def test_no_bridge_has_a_truck_on_an_end_or_a_square_of_another_bridge():
    squares = around_a_ship(d5="#", d7="#", c5="#=", b5="#=", a5="#=", e5="#", f5="#R", h8="#")
    actions = legal(position("red to construct", squares, blue="I 3, V 3, bridge a5 c5", scores="0 1"))
    assert [action for action in actions if action.startswith("ship: bridge")] == ["ship: bridge d5 d7"]


def test_a_bridge_that_would_shut_the_ship_in_is_not_allowed():
    squares = {"a8": "~B", "a1": "#B", "h8": "#R", "h1": "~R", "g1": "#b", "h2": "#", "g2": "~", "f2": "#", "e2": "#"}
    actions = legal(position("red to construct", squares))
    assert "ship: bridge f2 h2" not in actions
    squares["g1"] = "~"
    assert "ship: bridge f2 h2" in legal(position("red to construct", squares))


# Ship: moves


def test_a_ship_that_can_construct_nothing_cannot_move():
    state = position("red to construct", around_a_ship(h7="#"), red=NO_PIECES)
    assert legal(state) == ["truck: nothing"]


def test_a_position_in_which_the_rules_would_pass_is_refused():
    """Red can neither construct nor move: the rules would ask blue; with nothing left to blue either, it is the end."""
    for who, blue in (("red", FULL), ("red", NO_PIECES), ("blue", NO_PIECES)):
        with pytest.raises(ValueError, match="no legal action"):
            position(f"{who} to construct", around_a_ship(), red=NO_PIECES, blue=blue)
    assert legal(position("blue to construct", around_a_ship(), red=NO_PIECES))


@pytest.mark.parametrize(("old", "new"), [("red: I 3, V 3", "red: I 0, V 0"), ("turns 0", "turns 1")])
def test_a_setup_that_is_none_of_the_rules_is_refused(old, new):
    """With no pieces, a player had to construct, and had no action."""
    text = notation.state_to_text(start())
    assert old in text
    with pytest.raises(ValueError, match="no setup of the rules"):
        game().state_from_text(text.replace(old, new))


def test_the_files_under_the_board_are_read():
    text = notation.state_to_text(start())
    files = text.splitlines()[9]
    for wrong in ("", files[:-1], files.replace("a", "x"), "rubbish"):
        with pytest.raises(ValueError, match="expected the files"):
            game().state_from_text(text.replace(files, wrong))


def test_a_ship_moves_like_a_queen_and_enters_neither_land_nor_the_other_ship():
    squares = around_a_ship(a8="~", d6="#", b4="~B", f6="#", e3="#", d3="#", c3="#", c5="#", f4="#")
    assert legal(position("red to move_ship", squares)) == ["to d5", "to e5", "to c4", "to e4"]


def test_corners_never_block_a_diagonal_step():
    squares = around_a_ship(d5="#", e4="#", c5="#", c4="#", c3="#", d3="#", e3="#", f6="#")
    assert legal(position("red to move_ship", squares)) == ["to e5"]


def test_a_ship_neither_passes_nor_stops_under_a_bridge_but_may_leave_from_under_one():
    squares = around_a_ship(c4="#=", d4="~R=", e4="#=", c6="#=", d6="~=", e6="#=")
    state = position("red to move_ship", squares, red=NOTHING + "c4 e4", blue="I 3, V 3, bridge c6 e6", scores="1 1")
    actions = legal(state)
    assert "to d5" in actions
    assert "to d3" in actions
    assert "to d6" not in actions
    assert "to d7" not in actions


# Truck


def test_a_truck_that_can_construct_must():
    squares = {**AWAY, "d4": "#R", "d5": "#", "g4": "#", "a1": "#B"}
    actions = legal(position("red to construct", squares))
    assert [action for action in actions if action.startswith("truck")] == ["truck: build d5"]


def test_a_truck_that_cannot_construct_just_moves():
    squares = {**AWAY, "d4": "#R", "g4": "#", "a1": "#B"}
    state = position("red to construct", squares)
    assert [action for action in legal(state) if action.startswith("truck")] == ["truck: nothing"]
    play(state, "truck: nothing")
    assert legal(state) == ["to g4"]


def test_a_truck_may_not_build_on_its_only_way_out():
    squares = {**AWAY, "d4": "#R", "d5": "#", "f1": "#B"}
    state = position("red to construct", squares)
    assert [action for action in legal(state) if action.startswith("truck")] == ["truck: nothing"]
    assert legal(play(state, "truck: nothing")) == ["to d5"]


def test_a_bridge_never_shuts_the_truck_in_for_it_can_go_to_the_end_next_to_it():
    squares = {**AWAY, "a4": "#R", "a5": "#", "c5": "#", "h8": "#B"}
    state = position("red to construct", squares)
    assert [action for action in legal(state) if action.startswith("truck")] == ["truck: bridge a5 c5"]
    assert legal(play(state, "truck: bridge a5 c5")) == ["to a5"]


def test_a_truck_passes_over_everything_but_the_other_truck():
    squares = {"a8": "~B", "a4": "#R", "b4": "#b", "c4": "~R", "d4": "#", "e4": "#B", "f4": "#"}
    actions = legal(position("red to move_truck", squares))
    assert actions == ["to d4"]


def test_a_truck_does_not_cross_sea_under_a_bridge_even_along_the_bridge():
    squares = {**AWAY, "a4": "#R", "b4": "#=", "c4": "~=", "d4": "#=", "e4": "#", "c2": "#", "c6": "#", "h8": "#B"}
    state = position("red to move_truck", squares, red=NOTHING + "b4 d4", scores="1 0")
    assert legal(state) == ["to c6", "to b4", "to c2"]


def test_a_truck_passes_and_stops_under_a_bridge_on_land_and_on_its_ends():
    squares = {**AWAY, "a4": "#R", "b4": "#=", "c4": "#=", "d4": "#=", "e4": "#", "h8": "#B"}
    state = position("red to move_truck", squares, red=NOTHING + "b4 d4", scores="1 0")
    assert legal(state) == ["to b4", "to c4", "to d4", "to e4"]


# Turns and the end


def test_staged_and_joint_turns_play_the_same_game():
    staged, joint = start(), start(turns="joint")
    play(staged, "land b7", "land g2", "ship: V f1 f2 g1, build f1", "to h3")
    play(joint, "land b7", "land g2", "ship: V f1 f2 g1, build f1, to h3")
    joint.joint, joint.decision = staged.joint, staged.decision
    assert staged.tobytes() == joint.tobytes()


def test_one_who_can_move_neither_vehicle_passes():
    locked_in = {"a1": "~B", "b1": "#r", "a2": "#r", "b2": "#r", "e5": "#B", "h1": "~R", "c8": "#R"}
    state = position("red to move_ship", {**locked_in, "g7": "#"}, scores="2 0")
    assert play(state, "to g1").player == 1  # blue's truck can go to g7
    state = position("red to move_ship", locked_in, scores="2 0")
    play(state, "to g1")
    assert (state.player, state.turns) == (0, 1)  # the pass is no turn


def test_the_game_goes_on_while_a_truck_could_get_to_where_it_can_construct():
    squares = {**AWAY, "a4": "#R", "d4": "#", "d8": "#", "e8": "#", "h6": "#B"}
    state = position("red to move_truck", squares, red=NO_PIECES, blue=NO_PIECES)
    play(state, "to d4")
    assert (state.status, state.player) == (RUNNING, 0)  # red can build on e8 from d8; blue passes
    squares["e8"] = "~"
    state = position("red to move_truck", squares, red=NO_PIECES, blue=NO_PIECES)
    assert play(state, "to d4").status == TERMINATED


def test_the_game_ends_when_nobody_can_construct_any_more():
    squares = {**AWAY, "a4": "#R", "d4": "#", "h8": "#B", "h5": "#", "c1": "#r", "c2": "#r"}
    state = play(position("red to move_truck", squares, red=NO_PIECES, blue=NO_PIECES, scores="1 0"), "to d4")
    assert (state.player, state.status, state.winner) == (NOBODY, TERMINATED, 0)
    assert rules.REASONS[state.reason] == "points"
    assert legal(state) == []


def test_equal_points_are_a_draw():
    squares = {**AWAY, "a4": "#R", "d4": "#", "h8": "#B", "h5": "#"}
    state = play(position("red to move_truck", squares, red=NO_PIECES, blue=NO_PIECES), "to d4")
    assert (state.status, state.winner, rules.REASONS[state.reason]) == (TERMINATED, NOBODY, "equal")


def test_the_game_is_cut_off_at_the_turn_limit_with_rewards_by_points():
    squares = around_a_ship(d5="#", d6="#r")
    state = position("red to construct", squares, turns=6, max_turns=7)
    play(state, "ship: build d5", "to d3")
    assert (state.status, state.winner, rules.REASONS[state.reason]) == (TRUNCATED, 0, "turn_limit")


def test_the_end_by_the_rules_comes_before_the_turn_limit():
    squares = {**AWAY, "a4": "#R", "d4": "#", "h8": "#B", "h5": "#"}
    state = position("red to move_truck", squares, red=NO_PIECES, blue=NO_PIECES, turns=6, max_turns=7)
    assert play(state, "to d4").status == TERMINATED


@pytest.mark.parametrize(("size", "points"), [(1, 0), (2, 1), (3, 2), (4, 4)])
def test_groups_of_1_2_3_4_are_worth_0_1_2_4(size, points):
    squares = around_a_ship(d5="#", **{f"d{5 + i}": "#r" for i in range(1, size)})
    before = [0, 0, 1, 2][size - 1]
    state = position("red to construct", squares, scores=f"{before} 0")
    assert play(state, "ship: build d5").scores.tolist() == [points, 0]


def test_a_bridge_is_worth_a_point_to_its_builder():
    state = position("red to construct", around_a_ship(d5="#", d7="#"))
    play(state, "ship: bridge d5 d7")
    assert state.scores.tolist() == [1, 0]
    assert not [action for action in legal(play(state, "to d3")) if "bridge" in action and action.startswith("ship")]


# Against the plain routine


def random_positions(seed, games, **parameters):
    """The states of random games, and a generator to choose with."""
    choose = np.random.default_rng(seed)
    tsukiji = game(**parameters)
    for _ in range(games):
        states = tsukiji.new_states(1)
        yield tsukiji, states
        while states[0].player != NOBODY:
            rules.play(states[0], int(choose.choice(np.flatnonzero(tsukiji.mask(states)))))
            yield tsukiji, states


def test_the_mask_agrees_with_the_plain_routine():
    for tsukiji, states in random_positions(1, games=3):
        assert np.flatnonzero(tsukiji.mask(states)).tolist() == plain.legal_actions(states[0])
        if states[0].decision == rules.CONSTRUCT:
            assert plain.anything_constructible(states[0])
        if states[0].status == TERMINATED:
            assert not plain.anything_constructible(states[0])


def test_the_joint_mask_agrees_with_the_plain_routine():
    for tsukiji, states in random_positions(2, games=1, turns="joint"):
        assert np.flatnonzero(tsukiji.mask(states)).tolist() == plain.joint_actions(states[0])


# Notation


def test_every_action_has_a_text_of_its_own_that_leads_back_to_it():
    for state, n in ((start(), rules.NUM_ACTIONS), (start(turns="joint"), rules.NUM_JOINT_ACTIONS)):
        texts = [notation.action_to_text(state, action) for action in range(n)]
        assert len(set(texts)) == n
        step = max(1, n // 5000)
        assert all(notation.text_to_action(state, texts[action]) == action for action in range(0, n, step))


def test_squares_may_be_named_in_any_order():
    state = start()
    assert notation.text_to_action(state, "Ship: V d4 c3 c4,  build c4") == notation.text_to_action(
        state, "ship: V c3 c4 d4, build c4"
    )
    assert notation.text_to_action(state, "truck: bridge c5 c3") == notation.text_to_action(
        state, "truck: bridge c3 c5"
    )


@pytest.mark.parametrize(
    "text", ["", "land a1", "to z9", "ship: V c3 c4 c5, build c4", "ship: I c3 c4 c5", "truck: bridge c3 c6", "fly"]
)
@pytest.mark.parametrize("turns", ["staged", "joint"])
def test_a_text_that_names_no_action_is_refused(text, turns):
    with pytest.raises(ValueError, match="expected"):
        notation.text_to_action(start(turns=turns), text)


def test_positions_round_trip_in_random_games():
    for turns in ("staged", "joint"):
        for tsukiji, states in random_positions(3, games=2, turns=turns):
            copy = tsukiji.state_from_text(notation.state_to_text(states[0]))
            assert copy.tobytes() == states[0].tobytes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8  ", "9  "),
        ("~B", "?B"),
        ("~R", "~r"),
        ("~R", "~B"),
        ("bridge in hand", "bridge c3 c6"),
        ("bridge in hand", "bridge c3 c5"),
        ("I 3", "I 4"),
        ("red to construct", "green to construct"),
    ],
)
def test_a_malformed_position_is_refused_and_changes_nothing(old, new):
    state = play(start(), "land b7", "land g2")
    text = notation.state_to_text(state)
    assert old in text
    before = state.tobytes()
    with pytest.raises(ValueError, match=r"expected|already|sea|otherwise"):
        notation.text_to_state(text.replace(old, new, 1), state)
    assert state.tobytes() == before


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        ({"d4": "#r"}, None),
        ({"d4": "#r", "d5": "#r"}, "score"),
        ({"h1": "~", "h8": "#", "c4": "~R"}, None),
        ({"h1": "~"}, "missing"),
        ({f"d{rank}": "#r" for rank in range(1, 6)}, "too large"),
    ],
)
def test_positions_that_contradict_the_rules_are_refused(squares, message):
    squares = {**AWAY, "b7": "#R", "g2": "#B", **squares}
    if message is None:
        position("red to construct", squares)
    else:
        with pytest.raises(ValueError, match=message):
            position("red to construct", squares)


@pytest.mark.parametrize("square", [64, 1000, -2, -(1 << 62)])
def test_a_truck_outside_the_board_is_refused(square):
    """During the setup this was an IndexError."""
    state = play(start(), "land b7")
    state.trucks[0] = square
    with pytest.raises(ValueError, match="trucks"):
        game().check_state(state)


@pytest.mark.parametrize(
    ("winner", "reason", "status"), [(1, 1, 1), (-1, 1, 1), (-1, 2, 1), (-1, 0, 1), (0, 0, 2), (1, 3, 2), (0, 3, 1)]
)
def test_a_result_that_contradicts_the_scores_is_refused(winner, reason, status):
    """Red is ahead by a building."""
    state = position("red to construct", {**AWAY, "b7": "#R", "g2": "#B", "d4": "#r", "d5": "#r"}, scores="1 0")
    end_game(state, TERMINATED, 0, ILLEGAL_ACTION)
    game().check_state(state)
    end_game(state, status, winner, reason)
    with pytest.raises(ValueError, match="winner"):
        game().check_state(state)


def test_the_position_in_the_documentation_is_one():
    page = (Path(__file__).parents[2] / "docs" / "tsukiji.md").read_text(encoding="utf-8")
    text = next(block for block in page.split("\n\n") if block.startswith("    blue to move_ship"))
    text = "\n".join(line[4:] for line in text.splitlines())
    assert notation.state_to_text(game().state_from_text(text)) == text


# Symmetries


@pytest.mark.parametrize(("transpose", "rotate"), [(True, False), (False, True), (True, True)])
def test_the_symmetries_keep_what_is_legal_and_what_is_seen(transpose, rotate):
    to = symmetry.square_map(transpose, rotate)
    actions = symmetry.action_map(transpose, rotate)
    for tsukiji, states in random_positions(4, games=1):
        if states[0].decision == rules.PLACE_LAND:
            continue
        turned = states.copy()
        turn(turned[0], to, rotate)
        mask = tsukiji.mask(turned)
        assert (mask[actions] == tsukiji.mask(states)).all()
        seen = tsukiji.observation(turned, 1 if rotate else 0)
        assert (seen == symmetry.transform_observation(tsukiji.observation(states, 0), transpose, rotate)).all()


def turn(state, to, swap):
    """Apply a symmetry to a record, in place."""
    original = state.copy()
    state.land = moved(original.land, to)
    bridges = {tuple(squares): number for number, squares in enumerate(rules.BRIDGE_SQUARES.tolist())}
    for player in (0, 1):
        source = 1 - player if swap else player
        state.buildings[player] = moved(original.buildings[source], to)
        state.ships[player], state.trucks[player] = to[original.ships[source]], to[original.trucks[source]]
        state.pieces[player], state.scores[player] = original.pieces[source], original.scores[source]
        bridge = original.bridges[source]
        if bridge != rules.IN_HAND:
            state.bridges[player] = bridges[tuple(sorted(to[rules.BRIDGE_SQUARES[bridge]].tolist()))]
        else:
            state.bridges[player] = rules.IN_HAND
    if swap and state.player != NOBODY:
        state.player = 1 - state.player
    rules.mark_crowded(state)


def moved(squares, to):
    """A set of squares after a symmetry."""
    result = np.int64(0)
    for square in range(rules.NUM_SQUARES):
        if squares >> square & 1:
            result |= rules.SQUARE[to[square]]
    return result
