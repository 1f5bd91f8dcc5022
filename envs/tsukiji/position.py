"""Whether a record is a position of Tsukiji that the rules can go on from."""

from __future__ import annotations

import numpy as np

from ..core.record import FORMS, ILLEGAL_ACTION, NOBODY, TRUNCATED, leader
from ..core.squares import popcount
from ..core.text import expect
from ..core.types import Record
from . import rules


def check_position(state: Record) -> None:
    """Raise ValueError if the fields contradict each other or the rules of the board."""
    over = state.player == NOBODY
    expect(state.turns < state.max_turns + over, f"turns {state.turns}; expected fewer than {state.max_turns}")
    expect(np.isin(state.pieces, range(rules.PIECES_OF_A_KIND + 1)).all(), f"land pieces {state.pieces.tolist()}")
    valid = range(rules.IN_HAND, rules.NUM_BRIDGES)
    expect(all(bridge in valid for bridge in state.bridges.tolist()), f"bridges {state.bridges}")
    check_vehicles(state)
    check_stage(state)
    check_buildings(state)
    check_bridges(state)
    check_result(state)


def check_stage(state: Record) -> None:
    """Raise ValueError if the decision does not fit the form of the turns or what is on the board."""
    trucks, ships = state.trucks.tolist(), state.ships.tolist()
    on_board = sum(square != rules.NOWHERE for square in trucks)
    if state.decision == rules.PLACE_LAND and on_board < 2:
        fits = on_board == state.player or state.player == NOBODY
        empty = state.land == rules.SQUARE[trucks[0]] and trucks[1] == rules.NOWHERE and set(ships) == {rules.NOWHERE}
        expect(fits and empty and trucks[0] in (rules.NOWHERE, *rules.MARKED[0]), "the setup is no setup of the rules")
        return
    expect(on_board == 2 and rules.NOWHERE not in ships, "a truck or a ship is missing")
    turn = (rules.TAKE_TURN,) if state.joint else (rules.CONSTRUCT, rules.MOVE_SHIP, rules.MOVE_TRUCK)
    expect(state.player == NOBODY or state.decision in turn, f"the decision is not one of turns={FORMS[state.joint]!r}")


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
    """Raise ValueError if the winner and the reason contradict the scores."""
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
