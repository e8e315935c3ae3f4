"""What borders cost and how far 12 BTA reach, by vectors and on every board: searches find the cheapest, ways lead back."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.boards.draft import drawn_board, read_board, write_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.position import Board, City, edge
from referee.games.empire.position.state import Empire, first_position
from referee.games.empire.reckoning.distance import (
    Steps,
    apart,
    rates,
    reach,
    route,
    spread,
    steps,
    supply_steps,
    ways_of,
)
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS
from referee.kit.hexes import opposite

# ---------------------------------------------------------------- by vectors over bare land, water and air


def plane(sign: str, *walls: str, columns: int = 24, rows: int = 5) -> Board:
    """A strip of one terrain, closed east to west."""
    line = " ".join([sign] * (columns // 2))
    return read_board(
        "\n".join(["board: strip", f"size: columns {columns}, rows {rows}, wraps", *[line] * (2 * rows), *walls])
    )


def position(board: Board) -> Empire:
    return first_position((Seat("Arcadia"),), {}, board)


def lined(board: Board, what: str, *ways: tuple[str, str]) -> Empire:
    return replace(position(board), lines={edge(board.grid, here, way): (what,) for here, way in ways})


def column(rows: range) -> list[tuple[str, str]]:
    return [(f"c1r{row}", "S") for row in rows]


@pytest.mark.parametrize(
    ("kind", "sign", "squares"),
    [("coolie", ".", 6), ("coolie", "f", 3), ("coolie", "s", 2), ("truck", ".", 9), ("truck", "d", 18), ("cruiser", "~", 15),
     ("destroyer", "~", 18), ("cargo ship", "~", 12), ("life raft", "~", 3), ("fighter", "f", 24), ("SAC", "i", 3)],
)  # fmt: skip
def test_twelve_bta_reach_as_far_as_the_vectors_say(kind: str, sign: str, squares: int) -> None:
    board = plane(sign, columns=6, rows=30)
    found = reach(steps(position(board), KINDS[kind]), ["c1r1"])
    straight = [row for row in range(1, 31) if f"c1r{row}" in found]
    assert straight[-1] - 1 == squares


def test_a_truck_on_a_road_goes_eighteen_squares() -> None:
    board = plane(".", columns=6, rows=30)
    found = reach(steps(lined(board, "road", *column(range(1, 30))), KINDS["truck"]), ["c1r1"])
    assert max(int(name[3:]) for name in found if name.startswith("c1r")) == 19


@pytest.mark.parametrize(("way", "squares"), [("N", 12), ("E", 6), ("P", 6), ("Q", 3), ("W", 3), ("S", 1)])
def test_a_sailboat_goes_by_the_wind(way: str, squares: int) -> None:
    board = plane("~", columns=6, rows=5)
    empire = replace(position(board), wind="N")
    cost = rates(board, empire, KINDS["sailboat"], "c1r3", way)
    assert cost is not None and ALLOWANCE // cost == squares


def test_without_wind_nothing_sails_and_a_balloon_goes_only_before_it() -> None:
    board = plane("~")
    assert rates(board, position(board), KINDS["sailboat"], "c1r3", "N") is None
    windy = replace(position(board), wind="E")
    assert [rates(board, windy, KINDS["balloon"], "c1r3", way) for way in "NEQSWP"] == [
        None,
        BTA,
        None,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("wall", "line", "cost"),
    [("mountain", "", None), ("mountain", "road", None), ("mountain", "mountain road", BTA), ("double river", "", None),
     ("double river", "bridge", 2 * BTA), ("river", "", 2 * BTA), ("river", "road", BTA)],
)  # fmt: skip
def test_what_stops_a_coolie_at_a_border(wall: str, line: str, cost: int | None) -> None:
    board = plane(".", f"{wall}: c1r3 N")
    empire = lined(board, line, ("c1r3", "N")) if line else position(board)
    assert rates(board, empire, KINDS["coolie"], "c1r3", "N") == cost
    assert rates(board, empire, KINDS["coolie"], "c1r2", "S") == cost
    assert rates(board, empire, KINDS["coolie"], "c1r3", "S") == 2 * BTA


def test_a_city_gives_road_and_rail_to_who_enters() -> None:
    board = plane("f")
    empire = replace(position(board), cities={"Ys": City("Ys", "c1r2", "Arcadia", 0)})
    assert rates(board, empire, KINDS["coolie"], "c1r3", "N") == BTA
    assert rates(board, empire, KINDS["locomotive"], "c1r3", "N") == 20
    assert rates(board, empire, KINDS["coolie"], "c1r2", "S") == 4 * BTA


def test_ice_wants_an_ice_road() -> None:
    board = plane("i")
    paved = lined(board, "road", ("c1r3", "N"))
    assert rates(board, position(board), KINDS["truck"], "c1r3", "N") is None
    assert rates(board, paved, KINDS["truck"], "c1r3", "N") == 2 * BTA
    assert rates(board, paved, KINDS["coolie"], "c1r3", "N") == BTA
    assert rates(board, paved, KINDS["automobile"], "c1r3", "N") is None


# c3r2 and c4r2 are an isthmus between a sea in the north and one in the south
ISTHMUS = """
board: isthmus
size: columns 6, rows 4
~ ~ ~
 ~ ~ ~
. . .
 . . .
. . .
 ~ ~ ~
~ ~ ~
 ~ ~ ~
"""


def test_ships_lie_in_the_harbour_of_a_square_and_do_not_cross_land() -> None:
    board = read_board(ISTHMUS)
    ship = KINDS["cargo ship"]
    here = position(board)
    assert rates(board, here, ship, "c3r1", "S") == BTA
    north = reach(steps(here, ship), ["c3r1"], 20 * BTA)
    assert "c3r2" in north and "c3r4" not in north


def test_a_canal_joins_two_seas() -> None:
    board = read_board(ISTHMUS)
    here = replace(position(board), lines={"c3r2": ("canal",), "c3r3": ("canal",)})
    found = reach(steps(here, KINDS["cargo ship"]), ["c3r1"])
    assert (found["c3r2"], found["c3r3"], found["c3r4"]) == (BTA, 2 * BTA, 3 * BTA)
    assert "c3r4" in ways_of(here).waters(["c3r1"])
    assert "c3r4" not in ways_of(position(board)).waters(["c3r1"])


VALLEY = """
size: columns 6, rows 4
. . .
 . . .
. . .
 . . .
. . .
 ~ ~ ~
~ ~ ~
 ~ ~ ~
river: c3r2 S, c3r3 E
"""


def test_ships_follow_rivers_from_bank_to_bank() -> None:
    here = position(read_board(VALLEY))
    ways = ways_of(here)
    assert (ways.sea("c3r2", "S"), ways.sea("c3r3", "N"), ways.sea("c3r3", "E")) == ("river", "river", "river")
    assert "c3r4" in ways.waters(["c3r2"])
    assert "c3r2" in reach(steps(here, KINDS["cargo ship"]), ["c3r4"])
    assert "c3r1" not in reach(steps(here, KINDS["cargo ship"]), ["c3r4"])


def test_battleships_and_carriers_need_a_double_or_widened_river() -> None:
    board = read_board(VALLEY)
    assert rates(board, position(board), KINDS["battleship"], "c3r2", "S") is None
    assert rates(board, lined(board, "widening", ("c3r2", "S")), KINDS["battleship"], "c3r2", "S") == BTA
    double = read_board(VALLEY.replace("river:", "double river:"))
    assert rates(double, position(double), KINDS["battleship"], "c3r2", "S") == BTA


def test_falls_and_reefs_stop_ships() -> None:
    falls = ways_of(position(read_board(VALLEY + "falls: c3r3 E")))
    assert falls.sea("c3r3", "E") == ""
    assert "c3r4" not in falls.waters(["c3r2"])
    reef = read_board(VALLEY + "reef: c3r4 Q")
    assert rates(reef, position(reef), KINDS["cargo ship"], "c3r4", "Q") is None
    assert rates(reef, position(reef), KINDS["fighter"], "c3r4", "Q") == BTA // 2


def test_food_crosses_water_only_with_a_ship_and_never_mountains() -> None:
    board = read_board(
        ISTHMUS.replace("\n. . .\n ~ ~ ~\n~ ~ ~\n ~ ~ ~", "\n~ ~ ~\n ~ ~ ~\n. . .\n . . .") + "mountain: c3r2 E\n"
    )
    ways = ways_of(position(board))
    dry = reach(supply_steps(ways, frozenset()), ["c3r2"])
    wet = reach(supply_steps(ways, ways.waters(["c3r3"])), ["c3r2"])
    assert "c3r4" not in dry and wet["c3r4"] == 3 * BTA
    assert dry["c4r1" if "c4r1" in dry else "c4r2"] > 0
    blocked = reach(supply_steps(ways, ways.waters(["c3r3"], frozenset({"c3r3"}))), ["c3r2"])
    assert "c3r4" not in blocked


def test_routes_are_cheapest_and_the_same_every_time() -> None:
    board = plane(".", columns=12, rows=8)
    step = steps(lined(board, "road", *column(range(1, 8))), KINDS["coolie"])
    way = route(step, "c2r1", "c1r8")
    assert way == route(step, "c2r1", "c1r8") and way is not None
    assert way[-1] == "c1r8" and sum(name.startswith("c1r") for name in way) == len(way)
    assert route(step, "c2r1", "c7r8") is None


def test_closed_squares_are_shut_and_ends_are_entered_only() -> None:
    board = read_board("size: columns 3, rows 1\n. .\n .\n")
    step = steps(position(board), KINDS["coolie"])
    assert sorted(reach(step, ["c1r1"], closed={"c2r1"})) == ["c1r1"]
    assert sorted(reach(step, ["c1r1"], ends={"c2r1"})) == ["c1r1", "c2r1"]


def test_capitals_are_measured_at_coolie_rates_and_over_water() -> None:
    board = plane(".", columns=24, rows=30)
    assert apart(board, "c1r1", "c1r7") == ALLOWANCE
    assert apart(board, "c1r1", "c1r8") is None
    sea = plane("~", columns=24, rows=30)
    assert apart(sea, "c1r1", "c1r13") == ALLOWANCE


def test_parts_of_a_divided_square_cost_nothing_once_joined() -> None:
    board = plane(".", "mountain: c1r3 N", "divided: c1r3 N")
    apart_still, joined = position(board), lined(board, "mountain road", ("c1r3", "N"))
    assert rates(board, apart_still, KINDS["coolie"], "c1r3", "N") is None
    assert rates(board, joined, KINDS["coolie"], "c1r3", "N") == 0
    assert rates(board, joined, KINDS["locomotive"], "c1r3", "N") is None
    assert ways_of(apart_still).one_square("c1r3") == ("c1r3",)
    assert ways_of(joined).one_square("c1r3") == ("c1r3", "c1r2")
    assert reach(steps(joined, KINDS["coolie"]), ["c1r3"])["c1r2"] == 0


# ---------------------------------------------------------------- on every board


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
