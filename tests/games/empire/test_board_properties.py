"""What holds on every board: ways lead back, searches find the cheapest, ships stay on their water."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.boards.draft import drawn_board, read_board, write_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.position import Board
from referee.games.empire.position.state import Empire, first_position
from referee.games.empire.reckoning.distance import Steps, reach, route, spread, steps, supply_steps, ways_of
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS
from referee.kit.hexes import opposite


@cache
def board_of(seed: int) -> Board:
    return drawn_board("two-isthmuses") if seed == 0 else generate("small", 2 + seed % 3, picker(seed))


def built(seed: int) -> Empire:
    """A board with lines and canals strewn about by chance."""
    board, pick = board_of(seed), picker(seed + 1000)
    names = list(board.squares)
    kinds = ("road", "rail", "mountain road", "bridge", "widening")
    lines = {f"{names[pick(len(names))]}{'NEQ'[pick(3)]}": (kinds[pick(len(kinds))],) for _ in range(150)}
    for _ in range(12):
        at = names[pick(len(names))]
        if not board.squares[at].water:
            lines[at] = ("canal",)
    return replace(first_position((Seat("A"),), {}, board), lines=lines)


BOARDS = pytest.mark.parametrize("seed", range(6))


@BOARDS
def test_what_a_ship_can_sail_it_can_sail_back(seed: int) -> None:
    ways = ways_of(built(seed))
    for here in ways.board.squares:
        for way, there in ways.grid.around(here):
            assert bool(ways.sea(here, way)) == bool(ways.sea(there, opposite(way))), f"{here} {way}"


@BOARDS
def test_what_a_coolie_can_walk_over_land_he_can_walk_back(seed: int) -> None:
    ways = ways_of(built(seed))
    for here, square in ways.board.squares.items():
        for way, there in ways.grid.around(here):
            if not square.water:
                back = ways.board.squares[there].water or bool(ways.land(there, opposite(way)))
                assert back == (ways.board.squares[there].water or bool(ways.land(here, way)))
                assert bool(ways.land(here, way)) == (not ways.barrier(here, way))


@BOARDS
def test_a_ship_never_leaves_its_body_of_water(seed: int) -> None:
    empire = built(seed)
    ways, step = ways_of(empire), steps(empire, KINDS["cargo ship"])
    for here in list(ways.board.squares)[:: 23 + seed]:
        if ways.berth(here):
            body = ways.waters([here])
            for there in reach(step, [here], 3 * ALLOWANCE):
                assert set(ways.berth(there)) <= body, f"{here} to {there}"


@BOARDS
def test_bodies_of_water_do_not_overlap(seed: int) -> None:
    ways = ways_of(built(seed))
    found: dict[str, frozenset[str]] = {}
    for here in ways.board.squares:
        if ways.water(here):
            body = found.get(here) or ways.waters([here])
            assert all(found.setdefault(water, body) == body for water in body)


def slowly(step: Steps, sources: list[str], limit: int) -> dict[str, int]:
    """The same as `reach`, by trying every border until nothing gets cheaper."""
    costs = dict.fromkeys(sources, 0)
    changed = True
    while changed:
        changed = False
        for here in list(costs):
            for there, more in step(here):
                cost = costs[here] + more
                if cost <= limit and cost < costs.get(there, limit + 1):
                    costs[there], changed = cost, True
    return costs


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.sampled_from(["coolie", "truck", "cargo ship", "destroyer", "fighter"]), st.data())
def test_a_search_finds_what_trying_everything_finds(seed: int, kind: str, data: st.DataObject) -> None:
    empire = built(seed)
    sources = data.draw(st.lists(st.sampled_from(list(empire.board.squares)), min_size=1, max_size=3, unique=True))
    limit = data.draw(st.integers(0, ALLOWANCE // 2))
    step = steps(empire, KINDS[kind])
    assert reach(step, sources, limit) == slowly(step, sources, limit)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.data())
def test_a_route_costs_what_the_search_says(seed: int, data: st.DataObject) -> None:
    empire = built(seed)
    here = data.draw(st.sampled_from([name for name, square in empire.board.squares.items() if not square.water]))
    step = supply_steps(ways_of(empire), None)
    costs, came = spread(step, {here: 0})
    there = data.draw(st.sampled_from(list(costs)))
    way = route(step, here, there)
    assert way is not None and (there == here) == (way == ())
    total, at = 0, here
    for name in way:
        total, at = total + dict(step(at))[name], name
    assert (at, total) == (there, costs[there]) and came[here] == ""


@BOARDS
def test_every_board_is_drawn_and_read_again(seed: int) -> None:
    assert read_board(write_board(board_of(seed))) == board_of(seed)
