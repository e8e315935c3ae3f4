"""Moving: the vectors of section 8, what is left and what it costs, rivers and canals, wind, planes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.order import Portion, Quantity
from referee.core.table import Table
from referee.games.empire.boards.draft import read_board
from referee.games.empire.deeds.moving import plan_move
from referee.games.empire.events import evolve
from referee.games.empire.events.moving import UnitMoved, renewed
from referee.games.empire.orders.loading import Disembark, Load, PumpOil, Unload
from referee.games.empire.orders.moving import (
    CastOff,
    Dive,
    Dock,
    Land,
    MoveUnits,
    PutToSea,
    RollWind,
    Surface,
    TakeOff,
    Tow,
)
from referee.games.empire.position import City, Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, DEBT, KINDS
from referee.kit.refused import Refused
from tests.games.empire.afield import (
    ARCADIA,
    BOHEMIA,
    carried_out,
    carry,
    empire_on,
    goods,
    having,
    lined,
    refused,
    strip,
    unit,
    watched,
)

PORT = City("Ys", "c1r20", "Arcadia", 0, docks=1, airports=1, warehouses=1)


def farthest(empire: Empire, number: int, way: str = "S") -> int:
    """How many squares straight on a unit can be ordered to."""
    here, steps = empire.units[number].at, 0
    while (there := empire.board.grid.step(here, way)) is not None:
        try:
            plan_move(empire, ARCADIA, number, there, _between(empire, number, way, steps))
        except Refused:
            break
        here, steps = there, steps + 1
    return steps


def _between(empire: Empire, number: int, way: str, steps: int) -> tuple[str, ...]:
    squares = [empire.units[number].at]
    for _ in range(steps):
        squares.append(empire.board.grid.step(squares[-1], way) or "")
    return tuple(squares[1:])


# ---------------------------------------------------------------- vectors


@pytest.mark.parametrize(
    ("kind", "sign", "squares"),
    [("coolie", ".", 6), ("truck", ".", 9), ("cruiser", "~", 15), ("destroyer", "~", 18), ("life raft", "~", 3)],
)
def test_how_far_a_full_allowance_goes(kind: str, sign: str, squares: int) -> None:
    empire = having(empire_on(strip(sign)), unit(1, kind))
    assert farthest(empire, 1) == squares


def test_a_truck_goes_eighteen_squares_by_road() -> None:
    empire = having(empire_on(strip(".")), unit(1, "truck"))
    assert farthest(lined(empire, "road", *((f"c1r{row}", "S") for row in range(20, 40))), 1) == 18


@pytest.mark.parametrize(("way", "squares"), [("N", 12), ("E", 6), ("P", 6), ("Q", 3), ("W", 3), ("S", 1)])
def test_a_sailboat_with_the_wind_in_the_north(way: str, squares: int) -> None:
    empire = having(empire_on(strip("~")), unit(1, "sailboat"))
    blown = carried_out(empire, RollWind(), dice=[1])
    assert blown.wind == "N" and farthest(blown, 1, way) == squares


@pytest.mark.parametrize(("tanks", "squares"), [(0, 24), (1, 36)])
def test_a_plane_goes_twenty_four_squares_and_thirty_six_with_a_drop_tank(tanks: int, squares: int) -> None:
    lots = [Lot("drop tank", tanks, "Arcadia", "c1r2", aboard=1)] if tanks else []
    empire = having(empire_on(strip(".")), unit(1, "fighter", "c1r2", status="air"), lots=lots)
    assert farthest(empire, 1) == squares
    there = carried_out(empire, MoveUnits((1,), f"c1r{2 + squares}"))
    assert there.units[1].spent == ALLOWANCE and there.stock("Arcadia") == {"O": 2}


def test_a_tank_is_kept_while_the_way_is_short_and_serves_for_the_turn_once_used() -> None:
    tank = Lot("drop tank", 1, "Arcadia", "c1r2", aboard=1)
    empire = having(empire_on(strip(".")), unit(1, "fighter", "c1r2", status="air"), lots=[tank])
    near = carried_out(empire, MoveUnits((1,), "c1r12"))
    assert near.stock("Arcadia") == {"drop tank": 1, "O": 2} and near.units[1].spent == 5 * BTA
    far = carried_out(near, MoveUnits((1,), "c1r30"), MoveUnits((1,), "c1r33"))
    assert far.units[1].spent == 12 * BTA and far.stock("Arcadia") == {"O": 2}
    assert renewed(far, ["Arcadia"]).units[1].parts == ()


# ---------------------------------------------------------------- refusals


def test_what_is_left_and_what_the_border_costs() -> None:
    empire = having(empire_on(strip("f")), unit(14, "coolie", spent=9 * BTA))
    no = refused(empire, MoveUnits((14,), "c1r21"))
    assert (no.sentence, no.rule) == ("coolie 14 has 3 BTA left; the forest costs 4.", "emp.move.bta")


def test_the_nearest_square_on_the_way_is_offered() -> None:
    empire = having(empire_on(strip(".")), unit(14, "coolie"))
    no = refused(empire, MoveUnits((14,), "c1r30"))
    assert no.sentence == "coolie 14 has 12 BTA left; the way to c1r30 costs 20."
    assert no.instead == ("MOVE coolie 14 TO c1r26",)


def test_a_plane_on_a_tank_is_told_the_price_with_the_tank() -> None:
    tank = Lot("drop tank", 1, "Arcadia", "c1r2", aboard=1)
    empire = having(empire_on(strip(".")), unit(1, "fighter", "c1r2", status="air", spent=11 * BTA), lots=[tank])
    no = refused(empire, MoveUnits((1,), "c1r12"))
    assert no.sentence == "fighter 1 has 1 BTA left; the way to c1r12 costs 3 1/3."
    assert no.instead == ("MOVE fighter 1 TO c1r5",)


def test_via_leads_the_way_and_costs_it() -> None:
    empire = having(empire_on(strip(".")), unit(1, "coolie"))
    after, told = watched(empire, MoveUnits((1,), "c1r20", ("c1r22",)))
    assert [event.way for event in told if isinstance(event, UnitMoved)] == [("c1r21", "c1r22", "c1r21", "c1r20")]
    assert after.units[1].spent == 8 * BTA and after.trails[1] == ("c1r20", "c1r21", "c1r22", "c1r21", "c1r20")


def test_who_goes_nowhere_does_not_go_there_by_a_way() -> None:
    empire = having(empire_on(strip(".")), unit(1, "coolie"))
    assert refused(empire, MoveUnits((1,), "c1r20", ("c1r20",))).sentence == "coolie 1 is in c1r20 already."


@pytest.mark.parametrize(
    ("what", "target", "words"),
    [("coolie", "c1r99", "c1r99 is no square of this board."), ("coolie", "c1r20", "coolie 1 is in c1r20 already."),
     ("rolling stock", "c1r21", "rolling stock 1 is moved only by a locomotive."),
     ("locomotive", "c1r21", "locomotive 1 cannot go from c1r20 to c1r21: open land without a railroad."),
     ("cruiser", "c1r21", "cruiser 1 cannot go from c1r20 to c1r21: the land."),
     ("sailplane", "c1r21", "The wind must be rolled before sailplane 1 moves."),
     ("spruce goose", "c1r21", "spruce goose 1 flies only with a beer aboard."),
     ("fighter", "c1r21", "fighter 1 takes off only from an airport; c1r20 has none.")],
)  # fmt: skip
def test_who_cannot_go(what: str, target: str, words: str) -> None:
    assert refused(having(empire_on(strip(".")), unit(1, what)), MoveUnits((1,), target)).sentence == words


def test_only_ones_own_units_go() -> None:
    empire = having(empire_on(strip(".")), unit(1, "coolie", country="Bohemia"))
    assert refused(empire, MoveUnits((1,), "c1r21")).sentence == "coolie 1 is Bohemia's, not yours."
    assert refused(empire, MoveUnits((2,), "c1r21")).sentence == "There is no unit 2."
    assert carried_out(empire, MoveUnits((1,), "c1r21"), seat=BOHEMIA).units[1].at == "c1r21"


@pytest.mark.parametrize(
    ("wall", "words"),
    [("mountain", "mountains without a mountain road"), ("double river", "a double river without a bridge")],
)
def test_what_stops_a_coolie_is_named(wall: str, words: str) -> None:
    walls = ", ".join(f"c{column}r20 {'S' if column % 2 else 'S Q W'}" for column in range(1, 7))
    board = strip(".", f"{wall}: {walls}")
    no = refused(having(empire_on(board), unit(1, "coolie")), MoveUnits((1,), "c1r21"))
    assert no.sentence == f"coolie 1 cannot go from c1r20 to c1r21: {words}."


def test_a_fifth_formation_finds_no_room_outside_a_city() -> None:
    soldiers = [unit(n, "SAC", "c1r21" if n < 5 else "c1r20") for n in range(1, 6)]
    empire = having(empire_on(strip(".")), *soldiers)
    assert refused(empire, MoveUnits((5,), "c1r21")).rule == "emp.H-25"
    city = having(empire, cities=[City("Ys", "c1r21", "Arcadia", 0)])
    assert carried_out(city, MoveUnits((5,), "c1r21")).units[5].status == "city"


def test_consumer_goods_move_after_their_edu_is_consumed() -> None:
    empire = having(empire_on(strip(".")), unit(1, "bicycle", status="unconsumed"))
    assert refused(empire, MoveUnits((1,), "c1r21")).rule == "emp.move.consumer"


# ---------------------------------------------------------------- carried things


def test_what_is_carried_spends_as_its_carrier_and_stops_it_when_its_own_allowance_ends() -> None:
    iron = Lot("Fe", 4, "Arcadia", "c1r20", spent=10 * BTA)
    empire = having(empire_on(strip(".")), unit(1, "truck"), lots=[iron])
    loaded = carried_out(empire, Load(1, (goods("Fe"),)))
    there = carried_out(loaded, MoveUnits((1,), "c1r21"))
    assert there.lots == (Lot("Fe", 4, "Arcadia", "c1r21", aboard=1, spent=10 * BTA + 40),)
    no = refused(there, MoveUnits((1,), "c1r22"))
    assert no.sentence == "the Fe aboard truck 1 has 2/3 BTA left; the open land costs 1 1/3."
    alone = carried_out(there, Unload(1, (goods("Fe"),)), MoveUnits((1,), "c1r27"))
    assert alone.units[1].spent == 7 * 40 and alone.lots[0].at == "c1r21"


def test_a_relay_of_coolies_moves_an_object_twelve_bta_and_no_farther() -> None:
    empire = having(empire_on(strip(".")), *(unit(n, "coolie", f"c1r{14 + 6 * n}") for n in (1, 2)))
    empire = having(empire, lots=[Lot("Fe", 1, "Arcadia", "c1r20")])
    relayed = carried_out(empire, Load(1, (goods("Fe"),)), MoveUnits((1,), "c1r26"), Unload(1, (goods("Fe"),)))
    second = carried_out(relayed, Load(2, (goods("Fe"),)))
    assert refused(second, MoveUnits((2,), "c1r27")).sentence.startswith("the Fe aboard coolie 2 has 0 BTA left")


def test_a_load_aboard_a_load_goes_along() -> None:
    truck, ship = unit(1, "truck", aboard=2), unit(2, "cargo ship")
    empire = having(empire_on(strip("~")), truck, ship, lots=[Lot("Fe", 3, "Arcadia", "c1r20", aboard=1)])
    there = carried_out(empire, MoveUnits((2,), "c1r30"))
    assert (there.units[1].at, there.units[1].spent, there.lots[0].at) == ("c1r30", 10 * BTA, "c1r30")
    assert refused(there, MoveUnits((1,), "c1r31")).sentence == "truck 1 is aboard cargo ship 2."


# ---------------------------------------------------------------- rivers, canals, coasts

VALLEY = read_board("""
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
""")


@pytest.mark.parametrize(
    ("ship", "guard", "passes"),
    [("cargo ship", "coolie", True), ("cargo ship", "SAC", False), ("cruiser", "SAC", True),
     ("cruiser", "support regiment", False), ("destroyer", "artillery", False), ("oil tanker", "SAC", False)],
)  # fmt: skip
def test_who_stops_whom_on_a_single_river(ship: str, guard: str, passes: bool) -> None:
    empire = having(empire_on(VALLEY), unit(1, ship, "c3r3"), unit(2, guard, "c3r2", "Bohemia"))
    if passes:
        assert carried_out(empire, MoveUnits((1,), "c3r2")).units[1].at == "c3r2"
    else:
        no = refused(empire, MoveUnits((1,), "c3r2")).sentence
        assert no == f"{ship} 1 cannot go from c3r3 to c3r2: the hostile {guard} 2 on the bank."
        wide = lined(empire, "widening", ("c3r2", "S"))
        assert carried_out(wide, MoveUnits((1,), "c3r2")).units[1].at == "c3r2"


def test_friends_do_not_stop_ships() -> None:
    empire = having(empire_on(VALLEY), unit(1, "cargo ship", "c3r3"), unit(2, "SAC", "c3r2", "Bohemia"))
    friend = replace(empire.countries["Bohemia"], stances={"Arcadia": "friendly"})
    assert carried_out(empire.with_country(friend), MoveUnits((1,), "c3r2")).units[1].at == "c3r2"


ISTHMUS = read_board("""
size: columns 6, rows 4
~ ~ ~
 ~ ~ ~
. . .
 . . .
. . .
 ~ ~ ~
~ ~ ~
 ~ ~ ~
""")


def test_a_canal_needs_an_idle_friendly_coolie_in_every_square() -> None:
    empire = having(empire_on(ISTHMUS), unit(1, "cargo ship", "c3r1"), unit(2, "coolie", "c3r2"))
    empire = replace(empire, lines={"c3r2": ("canal",), "c3r3": ("canal",)})
    assert (
        refused(empire, MoveUnits((1,), "c3r4")).sentence
        == "cargo ship 1 finds no way from c3r1 to c3r4: from c3r2 to c3r3 bars it the canal, which no friendly coolie mans."
    )
    no = refused(empire, MoveUnits((1,), "c3r2"), MoveUnits((1,), "c3r3")).sentence
    assert no == "cargo ship 1 cannot go from c3r2 to c3r3: the canal, which no friendly coolie mans."
    manned = having(empire, unit(3, "coolie", "c3r3"))
    through = carried_out(manned, MoveUnits((1,), "c3r4"))
    assert through.units[1].spent == 3 * BTA


def test_a_ship_that_comes_to_a_city_with_a_free_dock_lies_in_it() -> None:
    city = City("Ys", "c3r2", "Arcadia", 0, docks=1)
    ships = [unit(n, "battleship", "c3r1") for n in range(1, 8)]
    empire = having(empire_on(ISTHMUS), *ships, cities=[city])
    full = carried_out(empire, MoveUnits(tuple(range(1, 8)), "c3r2"))
    assert [full.units[n].status for n in range(1, 8)] == ["dock"] * 6 + [""]
    no = refused(full, Dock((7,)))
    assert no.sentence == "The dock in c3r2 has 0 sea units free; battleship 7 takes 2."
    assert carried_out(full, PutToSea((1,)), Dock((7,))).units[7].status == "dock"
    assert refused(having(full, unit(9, "cruiser", "c3r2", "Bohemia")), Dock((9,)), seat=BOHEMIA).rule == "emp.C4"


def test_submarines_dive_at_sea_only_and_pay_double() -> None:
    empire = having(empire_on(ISTHMUS), unit(1, "submarine", "c1r1"))
    under = carried_out(empire, Dive((1,)), MoveUnits((1,), "c2r1"))
    assert (under.units[1].spent, under.units[1].status) == (2 * BTA, "submerged")
    up = carried_out(under, Surface((1,)), MoveUnits((1,), "c1r1"))
    assert (up.units[1].spent, up.units[1].status) == (3 * BTA, "")
    harbour = carried_out(up, MoveUnits((1,), "c1r2"))
    assert refused(harbour, Dive((1,))).rule == "emp.move.submarine"


def test_submarines_follow_rivers_on_the_surface_only() -> None:
    empire = having(empire_on(VALLEY), unit(1, "submarine", "c3r3", status="submerged"))
    no = refused(empire, MoveUnits((1,), "c3r2")).sentence
    assert no == "submarine 1 cannot go from c3r3 to c3r2: the river, which is sailed on the surface only."
    assert carried_out(empire, Surface((1,)), MoveUnits((1,), "c3r2")).units[1].at == "c3r2"


def test_the_carried_go_ashore_at_their_own_rate() -> None:
    empire = having(empire_on(ISTHMUS), unit(1, "cargo ship", "c3r1"), unit(2, "coolie", "c3r1", aboard=1))
    ashore = carried_out(empire, Disembark((2,), "c3r2"))
    assert (ashore.units[2].at, ashore.units[2].aboard, ashore.units[2].spent) == ("c3r2", 0, 2 * BTA)
    assert refused(empire, Disembark((2,), "c3r3")).sentence == "c3r3 is not next to c3r1."
    tired = having(empire, unit(2, "coolie", "c3r1", aboard=1, spent=11 * BTA))
    assert refused(tired, Disembark((2,), "c3r2")).sentence == "coolie 2 has 1 BTA left; the open land costs 2."


# ---------------------------------------------------------------- wind and air


def test_the_wind_is_rolled_once_a_slot() -> None:
    empire = empire_on(strip("~"))
    assert carried_out(empire, RollWind(), dice=[6]).wind == "P"
    with pytest.raises(Refused, match="rolled already"):
        carried_out(empire, RollWind(), RollWind(), dice=[6, 1])


def test_a_plane_takes_off_from_an_airport_and_lands_where_there_is_one() -> None:
    empire = having(empire_on(strip(".")), unit(1, "cargo plane"), cities=[PORT])
    away = carried_out(empire, MoveUnits((1,), "c1r30"))
    assert (away.units[1].status, away.units[1].spent) == ("air", 5 * BTA)
    assert refused(away, Land((1,))).sentence == "There is no airport in c1r30 that cargo plane 1 may use."
    back = carried_out(away, MoveUnits((1,), "c1r20"))
    assert (back.units[1].status, back.units[1].spent) == ("", 10 * BTA)


def test_an_airport_handles_twelve_air_units_a_turn() -> None:
    planes = [unit(n, "strategic bomber") for n in range(1, 8)]
    empire = having(empire_on(strip(".")), *planes, cities=[PORT])
    gone = carried_out(empire, MoveUnits(tuple(range(1, 7)), "c1r30"))
    no = refused(gone, MoveUnits((7,), "c1r30")).sentence
    assert no == "The airport in c1r20 has handled 12 of 12 units this turn; strategic bomber 7 takes 2."
    assert carried_out(gone, MoveUnits((1,), "c1r20")).units[1].status == ""
    assert carried_out(renewed(gone, ["Arcadia"]), MoveUnits((7,), "c1r30")).units[7].status == "air"


def test_a_sailplane_is_towed_up_and_let_go_over_the_airport() -> None:
    empire = having(empire_on(strip(".")), unit(1, "cargo plane"), unit(2, "sailplane"), cities=[PORT])
    blown = carried_out(empire, RollWind(), dice=[4])
    assert refused(blown, MoveUnits((2,), "c1r21")).rule == "emp.move.sailplane"
    towed = carried_out(blown, Tow(1, (2,)), TakeOff((1,)))
    assert refused(towed, MoveUnits((1,), "c1r21")).rule == "emp.move.sailplane"
    free = carried_out(towed, CastOff(1), MoveUnits((2,), "c1r40"))
    assert (free.units[2].at, free.units[2].spent, free.units[2].status) == ("c1r40", 10 * BTA, "air")
    assert carried_out(free, Land((2,))).units[2].status == ""


def test_balloons_and_sailplanes_cross_no_mountains() -> None:
    empire = having(empire_on(strip(".", "mountain: c1r20 S")), unit(1, "balloon", status="air"))
    blown = carried_out(empire, RollWind(), dice=[4])
    assert refused(blown, MoveUnits((1,), "c1r21")).sentence.endswith("the mountains.")


def test_a_fighter_starts_from_a_carrier_and_lands_on_it() -> None:
    empire = having(empire_on(strip("~")), unit(1, "carrier"), unit(2, "fighter", aboard=1))
    away = carried_out(empire, MoveUnits((2,), "c1r24"))
    assert (away.units[2].status, away.units[2].aboard) == ("air", 0)
    back = carried_out(away, MoveUnits((2,), "c1r20"), Load(1, units=(2,)))
    assert (back.units[2].status, back.units[2].aboard) == ("", 1)


def test_events_cite_what_they_apply() -> None:
    empire = having(empire_on(strip("~")), unit(1, "submarine"), unit(2, "cargo ship"), unit(3, "barge"))
    _, told = watched(empire, Dive((1,)), MoveUnits((1,), "c1r21"), Tow(2, (3,)))
    assert [event.cites() for event in told] == ["emp.move.submarine", "emp.move.bta", "emp.move.tow"]
    assert [event.sentence() for event in told] == [
        "Arcadia's submarine 1 dived in c1r20.",
        "Arcadia's submarine 1 went from c1r20 to c1r21: 2 BTA.",
        "Arcadia's barge 3 was taken in tow by cargo ship 2.",
    ]


# ---------------------------------------------------------------- rails and pipes


def test_a_locomotive_draws_four_rolling_stock_by_rail() -> None:
    stock = [unit(n, "rolling stock") for n in range(2, 7)]
    empire = lined(having(empire_on(strip(".")), unit(1, "locomotive"), *stock), "rail", ("c1r20", "S"))
    coupled = carried_out(empire, Tow(1, (2, 3, 4, 5)))
    assert (
        refused(coupled, Tow(1, (6,))).sentence
        == "locomotive 1 has no place left in its tow; rolling stock 6 would need one."
    )
    there = carried_out(coupled, MoveUnits((1,), "c1r21"), CastOff(1))
    assert [there.units[n].at for n in range(1, 7)] == ["c1r21"] * 5 + ["c1r20"]
    assert there.units[2].spent == 20


def test_oil_goes_by_pipeline_at_one_bta_a_border() -> None:
    empire = having(empire_on(strip("f")), lots=[Lot("O", 3, "Arcadia", "c1r20")])
    piped = lined(empire, "pipeline", *((f"c1r{row}", "S") for row in range(20, 35)))
    two = Quantity(Portion.EXACTLY, 2)
    there = carried_out(piped, PumpOil("c1r20", "c1r30", two))
    assert there.stock("Arcadia", "c1r30") == {"O": 2} and there.stock("Arcadia", "c1r20") == {"O": 1}
    assert refused(there, PumpOil("c1r30", "c1r33", two)).sentence == "2 O has 2 BTA left; the pipeline costs 3."
    assert refused(there, PumpOil("c1r30", "c1r40", two)).rule == "emp.move.pipeline"


def test_an_order_is_carried_out_whole_or_not_at_all() -> None:
    empire = having(empire_on(strip(".")), unit(1, "coolie"), unit(2, "coolie", spent=ALLOWANCE))
    table: Table[Empire] = Table("T2/Arcadia", empire, Scripted(()), evolve)
    with pytest.raises(Refused, match="coolie 2 has 0 BTA left"):
        carry(table, ARCADIA, MoveUnits((1, 2), "c1r21"))
    assert table.state == empire


@pytest.mark.parametrize("owed", ["1/50", "1/10", "1/20", "1/40"])
def test_every_debt_of_the_rules_is_a_whole_number_of_parts(owed: str) -> None:
    assert (Fraction(owed) * DEBT).denominator == 1


def test_transport_and_supply_owes_whole_parts_on_every_ground() -> None:
    costs = [cost for kind in KINDS.values() for cost in kind.rates.values()]
    assert all((Fraction(cost, 10 * BTA) * DEBT).denominator == 1 for cost in (1, *costs))
    assert all(
        any((Fraction(part) * less).denominator > 1 for part in ("1/40", "1/50", "1/300")) for less in range(1, DEBT)
    )


def test_allowances_come_back_but_not_to_what_moved_under_another_owner() -> None:
    tired: tuple[Unit, ...] = (unit(1, "coolie", spent=90), unit(2, "coolie", spent=90, held=2))
    empire = having(empire_on(strip(".")), *tired, lots=[Lot("Fe", 1, "Arcadia", "c1r20", spent=30)])
    fresh = renewed(empire, ["Arcadia"])
    assert (fresh.units[1].spent, fresh.units[2].spent, fresh.lots[0].spent) == (0, 90, 0)
