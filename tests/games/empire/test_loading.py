"""Loading: the vectors of section 8 on room, and who may load where and how much (L1, C4 to C6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.order import Portion, Quantity
from referee.core.table import Table
from referee.games.empire.boards.draft import read_board
from referee.games.empire.events import evolve
from referee.games.empire.events.moving import AircraftCrashed, GoodsSpoiled, renewed
from referee.games.empire.events.work import LoadPutDown
from referee.games.empire.orders.binding import mustered
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.moving import BringOut, Dock, MoveUnits, PutToSea, Store, Tow
from referee.games.empire.phases.turn_end import end_moves, excess
from referee.games.empire.position import City, Lot, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import Goods, Some
from referee.games.empire.telling.forecast import doubts
from referee.kit.refused import Refused
from referee.kit.stock import unbalanced
from tests.games.empire.afield import ARCADIA, BOHEMIA, carried_out, empire_on, goods, having, refused, strip, unit

COAST = read_board("""
size: columns 6, rows 3
~ ~ ~
 ~ ~ ~
. . .
 . . .
. . .
 . . .
""")
ONE = Quantity(Portion.EXACTLY, 1)
PORT = City("Ys", "c1r2", "Arcadia", 0, docks=1, airports=1, warehouses=1)


def at_sea(*ships: str, country: str = "Arcadia", status: str = "") -> Empire:
    """Ships on a coastal square, numbered from 1."""
    units = [unit(n, kind, "c1r2", country, status=status) for n, kind in enumerate(ships, 1)]
    return having(empire_on(COAST), *units)


def lying(what: str, number: int, at: str = "c1r2", **more: int | str) -> Lot:
    return replace(Lot(what, number, "Arcadia", at), **more)


# ---------------------------------------------------------------- room


def test_three_regiments_fill_a_cargo_ship() -> None:
    empire = having(at_sea("cargo ship"), *(unit(n, "infantry regiment", "c1r2") for n in range(2, 6)))
    full = carried_out(empire, Load(1, units=(2, 3, 4)))
    assert [full.units[n].aboard for n in (2, 3, 4)] == [1, 1, 1]
    no = refused(full, Load(1, units=(5,)))
    assert no.sentence == "cargo ship 1 has room for 0 objects more; infantry regiment 5 takes 1 2/3."


@pytest.mark.parametrize(
    ("plane", "soldiers", "words"),
    [("C-5A Galaxy", 2, ""), ("C-5A Galaxy", 3, "C-5A Galaxy 1 has room for 2/3 object more; airborne regiment 4 takes 1 2/3."),
     ("cargo plane", 1, "cargo plane 1 has room for 1 object more; airborne regiment 2 takes 1 2/3.")],
)  # fmt: skip
def test_airborne_in_planes(plane: str, soldiers: int, words: str) -> None:
    men = [unit(n, "airborne regiment", "c1r2") for n in range(2, 2 + soldiers)]
    empire = having(at_sea(plane), *men, cities=[PORT])
    order = Load(1, units=tuple(man.number for man in men))
    if words:
        assert refused(empire, order).sentence == words
    else:
        assert all(carried_out(empire, order).units[man.number].aboard == 1 for man in men)


@pytest.mark.parametrize(
    ("carrier", "what", "fit"),
    [("coolie", "Fe", 2), ("SAC", "Fe", 1), ("truck", "Fe", 5), ("rolling stock", "Fe", 4), ("coolie", "food", 10),
     ("truck", "bomb", 20), ("truck", "light bomb", 30), ("coolie", "torpedo", 8), ("coolie", "drop tank", 8),
     ("oil tanker", "O", 3), ("fishing ship", "food", 5), ("submarine", "torpedo", 3), ("TAC", "light bomb", 1),
     ("strategic bomber", "light bomb", 1), ("spruce goose", "beer", 1), ("carrier", "light bomb", 4),
     ("fighter", "drop tank", 1), ("cargo plane", "drop tank", 5)],
)  # fmt: skip
def test_how_much_of_what_a_carrier_holds(carrier: str, what: str, fit: int) -> None:
    empire = having(at_sea(carrier, status="dock"), lots=[lying(what, 99)], cities=[PORT])
    assert carried_out(empire, Load(1, (goods(what, fit),))).stock("Arcadia")[what] == 99
    assert refused(empire, Load(1, (goods(what, fit + 1),))).rule == "emp.move.capacity"


def test_how_much_more_fits_is_offered() -> None:
    empire = having(at_sea("truck"), lots=[lying("Fe", 9)])
    no = refused(empire, Load(1, (goods("Fe", 3),)), Load(1, (goods("Fe", 4),)))
    assert no.sentence == "truck 1 has room for 2 objects more; 4 Fe take 4."
    assert no.instead == ("LOAD 2 Fe ABOARD truck 1",)


@pytest.mark.parametrize(
    ("carrier", "rider"),
    [("truck", "SAC"), ("barge", "SAC"), ("C-5A Galaxy", "infantry regiment"), ("light transport", "coolie"),
     ("cruiser", "coolie"), ("coolie", "coolie"), ("cargo ship", "yacht"), ("truck", "rolling stock")],
)  # fmt: skip
def test_who_does_not_ride_on_what(carrier: str, rider: str) -> None:
    empire = having(at_sea(carrier, status="dock"), unit(2, rider, "c1r2"), cities=[PORT])
    assert refused(empire, Load(1, units=(2,))).sentence == f"{carrier} 1 does not carry {rider} 2."


@pytest.mark.parametrize(
    ("carrier", "riders"),
    [("battleship", ("SAC",)), ("light transport", ("government coolie", *["ambassador coolie"] * 3)),
     ("life raft", ("coolie", "coolie")), ("fishing ship", ("coolie",)), ("sailplane", ("ambassador coolie",))],
)  # fmt: skip
def test_seats(carrier: str, riders: tuple[str, ...]) -> None:
    people = [unit(n, kind, "c1r2") for n, kind in enumerate((*riders, riders[0]), 2)]
    empire = having(at_sea(carrier, status="dock"), *people, cities=[PORT])
    seated = tuple(range(2, 2 + len(riders)))
    assert all(carried_out(empire, Load(1, units=seated)).units[n].aboard for n in seated)
    no = refused(empire, Load(1, units=seated), Load(1, units=(2 + len(riders),))).sentence
    assert no.startswith(f"{carrier} 1 has no place left for a passenger;")


def test_a_carrier_takes_six_air_units() -> None:
    kinds = ["TAC", "TAC", "fighter", "fighter", "fighter", "fighter"]
    flyers = [unit(n, kind, "c1r1", status="air") for n, kind in enumerate(kinds, 2)]
    empire = having(empire_on(COAST), unit(1, "carrier", "c1r1"), *flyers)
    no = refused(empire, Load(1, units=(2, 3, 4, 5, 6)), Load(1, units=(7,))).sentence
    assert no == "carrier 1 has room for 0 air units more; fighter 7 takes 1."


def test_a_loaded_truck_takes_room_with_its_load() -> None:
    empire = having(at_sea("cargo ship", "truck"), lots=[lying("Fe", 5, aboard=2)])
    assert refused(empire, Load(1, units=(2,))).sentence == "cargo ship 1 has room for 5 objects more; truck 2 takes 6."


# ---------------------------------------------------------------- where and how much


def test_a_ship_loads_two_units_a_turn_outside_a_port_and_persons_besides() -> None:
    empire = having(at_sea("cargo ship"), unit(2, "coolie", "c1r2"), lots=[lying("Fe", 9), lying("C", 9)])
    two = carried_out(empire, Load(1, (goods("Fe", 1),), (2,)), Load(1, (goods("C", 1),)))
    assert two.units[2].aboard == 1
    no = refused(two, Load(1, (goods("C", 1),)))
    assert no.sentence == "cargo ship 1 has loaded 2 of 2 units outside a port this turn; 1 more are too many."
    off = carried_out(two, Unload(1, (goods("Fe"), goods("C")), (2,)))
    assert off.handled == {"shore loaded/1": 2, "shore unloaded/1": 2}
    assert carried_out(renewed(off, ["Arcadia"]), Load(1, (goods("C", 2),))).stock("Arcadia") == {"Fe": 9, "C": 9}


def test_a_ship_loads_a_full_load_each_way_in_port() -> None:
    empire = having(at_sea("cargo ship", status="dock"), lots=[lying("Fe", 9)], cities=[PORT])
    full = carried_out(empire, Load(1, (goods("Fe", 5),)), Unload(1, (goods("Fe", 5),)))
    no = refused(full, Load(1, (goods("Fe", 1),)))
    assert no.sentence == "cargo ship 1 has loaded 5 of 5 objects in port this turn; 1 more are too many."
    assert {lot.inside for lot in full.lots} == {"Ys", ""}


def test_a_dock_serves_twelve_ships_a_turn() -> None:
    empire = having(at_sea(*["cargo ship"] * 13), lots=[lying("Fe", 20)], cities=[PORT])
    for n in range(1, 13):
        empire = carried_out(empire, Dock((n,)), Load(n, (goods("Fe", 1),)), PutToSea((n,)))
    docked = carried_out(empire, Dock((13,)))
    no = refused(docked, Load(13, (goods("Fe", 1),))).sentence
    assert no == "The dock in c1r2 has handled 12 of 12 units this turn; cargo ship 13 takes 1."


def test_ships_at_sea_hand_over_any_number() -> None:
    ships = [unit(n, "cargo ship", "c1r1") for n in (1, 2)]
    empire = having(
        empire_on(COAST), *ships, unit(3, "coolie", "c1r1", aboard=1), lots=[lying("Fe", 4, "c1r1", aboard=1)]
    )
    after = carried_out(empire, Load(2, (goods("Fe"),), (3,)))
    assert after.lots == (lying("Fe", 4, "c1r1", aboard=2),) and after.units[3].aboard == 2 and not after.handled
    assert refused(after, Unload(2, (goods("Fe"),))).sentence == "There is no land in c1r1 to put Fe on."


@pytest.mark.parametrize("ship", ["yacht", "sailboat", "luxury liner"])
def test_pleasure_craft_load_in_docks_only(ship: str) -> None:
    empire = having(at_sea(ship), unit(2, "coolie", "c1r2"), cities=[PORT])
    assert refused(empire, Load(1, units=(2,))).sentence == f"A {ship} loads and unloads only in a dock."
    assert carried_out(empire, Dock((1,)), Load(1, units=(2,))).units[2].aboard == 1


def test_a_life_raft_takes_coolies_in_docks_and_from_cargo_ships() -> None:
    empire = having(at_sea("life raft"), unit(2, "coolie", "c1r2"))
    assert refused(empire, Load(1, units=(2,))).rule == "emp.L1"
    ships = (unit(1, "life raft", "c1r1"), unit(2, "cargo ship", "c1r1"), unit(3, "coolie", "c1r1", aboard=2))
    assert carried_out(having(empire_on(COAST), *ships), Load(1, units=(3,))).units[3].aboard == 1


def test_a_cargo_ship_lands_soldiers_among_enemies_but_picks_nothing_up() -> None:
    soldiers = unit(2, "SAC", "c1r2", aboard=1), unit(3, "SAC", "c1r2", "Bohemia")
    empire = having(at_sea("cargo ship"), *soldiers, lots=[lying("Fe", 1)])
    no = refused(empire, Load(1, (goods("Fe"),)))
    assert no.sentence == "cargo ship 1 cannot pick up in c1r2: Bohemia's SAC 3 is there."
    assert carried_out(empire, Unload(1, units=(2,))).units[2].aboard == 0


def test_cargo_planes_load_in_airports_only() -> None:
    empire = having(at_sea("cargo plane"), lots=[lying("Fe", 1)])
    assert refused(empire, Load(1, (goods("Fe"),))).sentence == "cargo plane 1 loads and unloads only in an airport."
    assert carried_out(having(empire, cities=[PORT]), Load(1, (goods("Fe"),))).lots[0].aboard == 1
    up = having(empire, unit(1, "cargo plane", "c1r2", status="air"), cities=[PORT])
    assert refused(up, Load(1, (goods("Fe"),))).sentence == "cargo plane 1 is in the air."


def test_a_cargo_ship_tows_four_barges_which_load_as_it_does() -> None:
    barges = [unit(n, "barge", "c1r2") for n in range(2, 7)]
    empire = having(at_sea("cargo ship", status="dock"), *barges, lots=[lying("Fe", 9)], cities=[PORT])
    towed = carried_out(empire, Tow(1, (2, 3, 4, 5)), Load(2, (goods("Fe", 4),)))
    assert refused(towed, Tow(1, (6,))).rule == "emp.move.capacity"
    away = carried_out(towed, MoveUnits((1,), "c1r1"))
    assert [away.units[n].at for n in range(1, 7)] == ["c1r1"] * 5 + ["c1r2"] and away.stock("Arcadia", "c1r1") == {
        "Fe": 4
    }
    shore = having(at_sea("cargo ship"), *barges[:1], lots=[lying("Fe", 9)])
    assert refused(shore, Tow(1, (2,)), Load(2, (goods("Fe", 3),))).rule == "emp.L1"


def test_only_goods_that_are_there_and_ones_own_are_loaded() -> None:
    empire = having(at_sea("coolie"), lots=[lying("Fe", 1), Lot("C", 5, "Bohemia", "c1r2")])
    assert refused(empire, Load(1, (goods("C", 1),))).sentence == "c1r2 has no C to load."
    no = refused(empire, Load(1, (goods("Fe", 2),)))
    assert (no.sentence, no.instead) == ("c1r2 has 1 Fe to load.", ("LOAD 1 Fe ABOARD coolie 1",))
    assert refused(empire, Load(1, (goods("gold", 2),))).sentence == "gold is no kind of goods."
    up_to = Goods("Fe", Quantity(Portion.UP_TO, 5))
    assert carried_out(empire, Load(1, (up_to,))).lots[-1].aboard == 1
    assert refused(empire, Load(1, (up_to,)), seat=BOHEMIA).rule == "emp.P12"


def test_units_elsewhere_do_not_board() -> None:
    empire = having(at_sea("cargo ship"), unit(2, "coolie", "c3r2"))
    no = refused(empire, Load(1, units=(2,)))
    assert (no.sentence, no.instead) == ("coolie 2 is in c3r2, cargo ship 1 in c1r2.", ("MOVE cargo ship 1 TO c3r2",))


def test_goods_with_most_of_their_allowance_go_first() -> None:
    empire = having(at_sea("SAC"), lots=[lying("Fe", 1, spent=300), lying("Fe", 1)])
    after = carried_out(empire, Load(1, (goods("Fe", 1),)))
    assert [lot.spent for lot in after.lots if lot.aboard] == [0]


def test_into_a_warehouse_only_where_there_is_one() -> None:
    empire = having(at_sea("coolie"), lots=[lying("Fe", 2, aboard=1)])
    assert (
        refused(empire, Unload(1, (goods("Fe"),), into="warehouse")).sentence
        == "There is no warehouse of yours in c1r2."
    )
    stored = carried_out(having(empire, cities=[PORT]), Unload(1, (goods("Fe"),), into="warehouse"))
    assert stored.lots[0].inside == "warehouse"


def test_planes_without_room_are_stored_and_brought_out() -> None:
    planes = [unit(n, "C-5A Galaxy", "c1r2") for n in range(1, 8)]
    empire = having(empire_on(COAST), *planes, cities=[PORT])
    stored = carried_out(empire, Store((7,)))
    assert stored.units[7].status == "warehouse"
    assert refused(stored, BringOut((7,))).rule == "emp.C4"
    room = carried_out(stored, Store((1,)), BringOut((7,)))
    assert room.units[7].status == ""


# ---------------------------------------------------------------- the end of a turn


def ended(empire: Empire) -> tuple[Empire, list[Event]]:
    """After the end of Arcadia's turn as far as it concerns moving."""
    table: Table[Empire] = Table("T2/Arcadia", empire, Scripted(()), evolve)
    told: list[Event] = []
    table.heard = told.append
    end_moves(table, "Arcadia")
    return table.state, told


def held(empire: Empire) -> dict[str, int]:
    """Every account of Arcadia."""
    counted = {f"Arcadia {what}": number for what, number in empire.stock("Arcadia").items()}
    for one in empire.units_of("Arcadia"):
        counted[f"Arcadia {one.kind}"] = counted.get(f"Arcadia {one.kind}", 0) + 1
    return counted


def test_five_units_lie_in_a_square_without_warehouse() -> None:
    here = {"hmx": 1, "Bm": 1, "food": 5, "C": 4, "cmx": 1}
    lots = [*(lying(what, n) for what, n in here.items()), lying("O", 9, inside="Ys", at="c3r2")]
    empire = having(empire_on(COAST), unit(1, "coolie", "c1r2"), lots=lots, cities=[City("Ys", "c3r2", "Arcadia", 0)])
    assert excess(empire, "Arcadia") == (lying("cmx", 1), lying("C", 2))
    after, told = ended(empire)
    flows = [flow for event in told if isinstance(event, GoodsSpoiled) for flow in event.flows()]
    assert unbalanced(held(empire), flows, held(after)) == () and len(flows) == 2


def test_machines_and_materials_of_works_do_not_count_and_builders_put_down_what_they_carry() -> None:
    lots = [lying("hmx", 1), lying("Bm", 1), lying("C", 4), lying("cmx", 1), lying("Fe", 2, aboard=1)]
    empire = having(empire_on(COAST), unit(1, "coolie", "c1r2"), lots=lots)
    busy = replace(empire, works=(Work(1, "steel mill", "c1r2", "Arcadia", 1, 1),))
    assert excess(busy, "Arcadia") == ()
    after, told = ended(busy)
    assert [type(event) for event in told] == [LoadPutDown, GoodsSpoiled]
    assert after.stock("Arcadia") == {"hmx": 1, "Bm": 1, "C": 4, "cmx": 1, "Fe": 1}


def test_planes_that_did_not_land_are_lost_with_their_load() -> None:
    kinds = {1: "TAC", 2: "cargo plane", 3: "fighter", 4: "balloon"}
    up = [unit(n, kind, status="patrol" if kind == "fighter" else "air") for n, kind in kinds.items()]
    empire = having(empire_on(strip(".")), *up, lots=[lying("light bomb", 1, "c1r20", aboard=1)])
    after, told = ended(empire)
    assert sorted(after.units) == [2, 3, 4]
    flows = [flow for event in told if isinstance(event, AircraftCrashed) for flow in event.flows()]
    assert unbalanced(held(empire), flows, held(after)) == () and len(flows) == 2


def test_a_sheet_that_would_lose_planes_or_goods_says_so() -> None:
    lots = [lying("Fe", 6), Lot("food", 9, "Arcadia", "c3r2", inside="Ys")]
    city = City("Ys", "c3r2", "Arcadia", 0)
    empire = having(
        empire_on(COAST), unit(1, "fighter", "c1r1", status="air"), unit(2, "coolie", "c3r2"), lots=lots, cities=[city]
    )
    said = [doubt.sentence for doubt in doubts(empire, ARCADIA, (MoveUnits((1,), "c1r3"),))]
    assert said == [
        "As things stand: Arcadia's fighter 1 was still in the air over c1r3 and crashed.",
        "As things stand: Arcadia lost 1 Fe in c1r2: only 5 units may lie there without a warehouse.",
    ]


# ---------------------------------------------------------------- so many of a kind


def test_of_a_kind_those_aboard_are_put_off_wherever_the_carrier_has_come_to() -> None:
    men = [unit(2, "coolie", "c1r3", aboard=1), unit(3, "coolie", "c1r2")]
    empire = having(empire_on(COAST), unit(1, "truck", "c1r3"), *men)
    order = mustered(empire, ARCADIA, Unload(1, some=(Some("coolie", ONE, "c1r2"),)))
    assert order == Unload(1, units=(2,))
    with pytest.raises(Refused, match="You have no SAC aboard truck 1"):
        mustered(empire, ARCADIA, Unload(1, some=(Some("SAC", ONE, "c1r2"),)))


def test_of_a_kind_those_aboard_something_go_ashore() -> None:
    empire = having(at_sea("cargo ship"), unit(2, "coolie", "c1r2"), unit(3, "coolie", "c1r2", aboard=1))
    assert mustered(empire, ARCADIA, Disembark((), "c1r3", (Some("coolie", ONE, "c1r2"),))) == Disembark((3,), "c1r3")
    with pytest.raises(Refused, match="You have no SAC aboard anything in c1r2"):
        mustered(empire, ARCADIA, Disembark((), "c1r3", (Some("SAC", ONE, "c1r2"),)))
