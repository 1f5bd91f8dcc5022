"""Whether a record is a position of Tsukiji that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import FORMS, ILLEGAL_ACTION, NOBODY, RUNNING, TRUNCATED, leader
from ..core.squares import popcount
from ..core.text import expect
from ..core.types import Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if board, setup, scores, decision and result do not fit together, or nobody could go on.

    What is not checked: whether turns of the rules lead here, and so as much land and as many buildings as there are.
    """
    over = state.player == NOBODY
    expect(state.turns < state.max_turns + over, f"turns {state.turns}; expected fewer than {state.max_turns}")
    expect(state.turns <= state.max_turns, f"turns {state.turns}; the game ends at {state.max_turns}")
    expect(np.isin(state.pieces, range(rules.PIECES_OF_A_KIND + 1)).all(), f"land pieces {state.pieces.tolist()}")
    valid = range(rules.IN_HAND, rules.NUM_BRIDGES)
    expect(all(bridge in valid for bridge in state.bridges.tolist()), f"bridges {state.bridges}")
    check_vehicles(state)
    check_setup(state)
    check_buildings(state)
    check_bridges(state)
    check_result(state)
    check_stage(state)


def check_setup(state: Record) -> None:
    """Raise ValueError unless trucks and ships are all on the board, or it is as the rules set it up."""
    trucks, ships = state.trucks.tolist(), state.ships.tolist()
    on_board = sum(square != rules.NOWHERE for square in trucks)
    if on_board == 2:
        expect(rules.NOWHERE not in ships, "a truck or a ship is missing")
        return
    mover = 1 - state.winner if state.player == NOBODY else state.player
    expect(state.decision == rules.PLACE_LAND, "a truck or a ship is missing")
    empty = state.land == rules.SQUARE[trucks[0]] and trucks[1] == rules.NOWHERE and set(ships) == {rules.NOWHERE}
    fits = on_board == mover and empty and trucks[0] in (rules.NOWHERE, *rules.MARKED[0])
    untouched = (state.pieces == rules.PIECES_OF_A_KIND).all() and (state.bridges == rules.IN_HAND).all()
    expect(fits and untouched and state.turns == 0, "the setup is no setup of the rules")


def check_stage(state: Record) -> None:
    """Raise ValueError unless the player to act can do what he is asked for; of a forfeited game, whatever it was."""
    if state.status != RUNNING and state.reason != ILLEGAL_ACTION:
        return
    decisions = (rules.TAKE_TURN,) if state.joint else (rules.CONSTRUCT, rules.MOVE_SHIP, rules.MOVE_TRUCK)
    if rules.NOWHERE in state.trucks:
        decisions = (rules.PLACE_LAND,)
    asked = state.copy()
    if state.status == RUNNING:
        fits = state.decision in decisions
        expect(fits, f"the decision is not one of turns={FORMS[state.joint]!r} with the trucks where they are")
        decisions = (state.decision,)
    else:
        asked.player = 1 - state.winner
    expect(any(can_be_asked(asked, decision) for decision in decisions), "the player to act has no legal action")


def can_be_asked(state: Record, decision: int) -> bool:
    """Whether the player to act would be asked for `decision`, and has an action then."""
    state.decision = decision
    if decision == rules.PLACE_LAND:
        return True
    if decision in (rules.MOVE_SHIP, rules.MOVE_TRUCK):
        return bool(rules.destinations(state))
    player = int(state.player)
    if rules.can_construct(state, player):
        return True
    return bool(
        rules.can_construct(state, 1 - player) and rules.truck_destinations(state, player, state.trucks[player])
    )


def check_vehicles(state: Record) -> None:
    """Raise ValueError if a ship or a truck is where it cannot be."""
    for name, on_land in (("ship", False), ("truck", True)):
        squares = [square for square in state[f"{name}s"].tolist() if square != rules.NOWHERE]
        expect(all(0 <= square < rules.NUM_SQUARES for square in squares), f"{name}s on {squares}; expected 0 to 63")
        expect(len(set(squares)) == len(squares), f"both {name}s are on the same square")
        fits = all(bool(state.land & rules.SQUARE[square]) == on_land for square in squares)
        expect(fits, f"a {name} is not on {'land' if on_land else 'the sea'}")


def check_buildings(state: Record) -> None:
    """Raise ValueError if buildings are where they cannot be, or the fields that follow from them are wrong."""
    first, second = state.buildings
    trucks = rules.SQUARE[state.trucks[0]] | rules.SQUARE[state.trucks[1]]
    expect(first & second == 0, "two buildings are on the same square")
    expect((first | second) & (~state.land | trucks) == 0, "a building is on the sea or under a truck")
    for player, buildings in enumerate(state.buildings):
        groups = [rules.group(square, buildings) for square in rules.SQUARE if square & buildings]
        expect(all(popcount(group) <= rules.GROUP_LIMIT for group in groups), "a group is too large")
        score = int(rules.points(buildings)) + rules.BRIDGE_POINTS * int(state.bridges[player] != rules.IN_HAND)
        expect(state.scores[player] == score, f"score {state.scores[player]} of player {player}; the board has {score}")
    copy = state.copy()
    rules.mark_crowded(copy)
    expect((copy.crowded == state.crowded).all(), "the field 'crowded' does not fit the buildings")


def check_bridges(state: Record) -> None:
    """Raise ValueError if a bridge is where it cannot be."""
    first, second = rules.BRIDGE[state.bridges]
    ends = (first | second) & ~rules.bridge_middles(state)
    expect(first & second == 0, "the bridges share a square")
    expect(ends & (~state.land | state.buildings[0] | state.buildings[1]) == 0, "a bridge ends on sea or a building")


def check_result(state: Record) -> None:
    """Raise ValueError if the winner and the reason contradict the scores, or the game is not over."""
    if state.player != NOBODY:
        return
    won, ahead, cut = state.winner != NOBODY, leader(state.scores), state.status == TRUNCATED
    fits = {
        ILLEGAL_ACTION: won and not cut,
        rules.POINTS: won and state.winner == ahead and not cut,
        rules.EQUAL: not won and ahead == NOBODY and not cut,
        rules.TURN_LIMIT: state.winner == ahead and cut,
    }
    reason = rules.REASONS[state.reason]
    expect(fits[int(state.reason)], f"winner {state.winner} by {reason} with scores {state.scores.tolist()}")
    if state.reason == ILLEGAL_ACTION:
        expect(state.turns < state.max_turns, f"turns {state.turns}; the game ends at {state.max_turns}")
        return
    expect(rules.NOWHERE not in state.trucks, "the end of a game that has not begun")
    some = rules.can_construct(state, 0) or rules.can_construct(state, 1)
    expect(some == cut, "the end of a game in which somebody can construct, or the turn limit where nobody can")
    expect(not cut or state.turns == state.max_turns, f"cut off after {state.turns} turns; expected {state.max_turns}")
