"""Cities, construction over turns, lines, scrapping and destruction (III, IV B, IV C, H-12, H-21, H-24)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.order import Portion, Quantity
from referee.games.empire.deeds.building import filled, pollute
from referee.games.empire.deeds.works import end_turn
from referee.games.empire.events.work import BuildingGone
from referee.games.empire.orders.binding import carry_out
from referee.games.empire.orders.building import Build, DrawLine
from referee.games.empire.orders.scrapping import Burn, Destroy, Scrap
from referee.games.empire.orders.seizing import Seize
from referee.games.empire.orders.working import Abandon, Develop, Found
from referee.games.empire.phases.supply import begin_turn
from referee.games.empire.phases.turn_end import end_moves
from referee.games.empire.position import Board, City, Factory, Lot, Resource, Square, edge
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook.kinds import BTA
from referee.games.empire.rulebook.plans import PLANS, salvage
from referee.kit.refused import Refused
from tests.games.empire.ground import BLUE, RED, Slot, field, goods, ground, much, people, town


def yard(coolies: int = 1, at: str = "c3r3", **stock: int) -> Empire:
    """Coolies 1 and on in an old city with some goods, and food for a year."""
    return goods(people(town(field(ground()), at), "coolie", at, coolies), at, food=99, **stock)


def capital() -> Empire:
    """A capital in turn 1 with the starting goods, thirty coolies and the sea at its door."""
    empire = town(field(ground(c3r4="sea"), turn=1), "c3r3", built=0, capital=True)
    empire = people(empire, "coolie", "c3r3", 30)
    return goods(empire, "c3r3", Bm=10, delta=10, St=5, cmx=6, hmx=4, t_d=3, food=10)


# ---------------------------------------------------------------- scrapping: the vector of section 8


def test_scrapping_a_naval_shipyard_gives_back_hmx_and_steel() -> None:
    empire = people(town(field(ground(c3r4="sea")), "c3r3", "naval shipyard"), "coolie", "c3r3")
    slot = Slot(goods(empire, "c3r3", cmx=1, food=9))
    slot.order(Scrap(1, "naval shipyard"))
    assert slot.does(end_turn) == ["A naval shipyard in c3r3 is scrapped by Arcadia (cost 1, EDU 1)."]
    assert (slot.now.cities["Tegea"].factories, slot.stock()) == ((), {"cmx": 1, "food": 9})
    slot.next_turn()
    assert slot.does(begin_turn)[0] == "From what was scrapped in c3r3, Arcadia has 1 hmx and 1 St back."
    assert slot.stock() == {"cmx": 1, "food": 7, "hmx": 1, "St": 1}
    assert slot.now.works == ()


def test_what_scrapping_gives_back_is_the_same_read_from_the_log() -> None:
    """emp.board.scrapping: the log writes names in another order, and a match goes on from what it reads there."""
    at = field(ground())
    gone, read = (
        BuildingGone("Arcadia", 1, "naval shipyard", "c3r3", "scrapped", back)
        for back in ({"hmx": 1, "St": 1}, {"St": 1, "hmx": 1})
    )
    assert read.change(at) == gone.change(at)


@pytest.mark.parametrize(
    ("what", "back"),
    [
        ("steel mill", {"hmx": 1}),
        ("small arms works", {"t&d": 1}),
        ("dock", {}),
        ("warehouse", {}),
        ("mine", {"t&d": 1}),
    ],
)
def test_scrapping_gives_back_half_rounded_down_and_never_building_materials(what: str, back: dict[str, int]) -> None:
    assert salvage(PLANS[what].materials) == back


def test_pilings_count_among_what_is_lost() -> None:
    assert salvage({"hmx": 1, "Bm": 2, "St": 1, "delta": 1}) == {"hmx": 1, "St": 1}
    assert salvage({"hmx": 3, "St": 3, "delta": 1}) == {"hmx": 3}


def test_scrapping_needs_a_machine_a_coolie_and_the_building() -> None:
    slot = Slot(people(town(field(ground()), "c3r3", "steel mill"), "coolie", "c3r3"))
    assert slot.refused(Scrap(1, "steel mill")).sentence == "There is no construction machine in c3r3."
    slot.table.state = people(goods(slot.now, "c3r3", cmx=2), "government coolie", "c3r3")
    assert slot.refused(Scrap(1, "air works")).instead == ("SCRAP steel mill WITH coolie 1",)
    assert slot.refused(Scrap(2, "steel mill")).instead == ("1",)
    slot.order(Scrap(1, "steel mill"))
    slot.table.state = people(slot.now, "coolie", "c3r3")
    assert slot.refused(Scrap(3, "steel mill")).sentence == "There is no steel mill to scrap in c3r3."


def test_a_factory_is_scrapped_and_another_built_in_its_place_in_one_turn() -> None:
    empire = people(town(field(ground()), "c3r3", *["steel mill"] * 9), "coolie", "c3r3", 2)
    slot = Slot(goods(empire, "c3r3", cmx=2, hmx=1, Bm=1))
    assert slot.refused(Build(1, "air works")).sentence == "Tegea has 0 minor squares left; an air works needs 1."
    slot.order(Scrap(1, "steel mill"))
    slot.order(Build(2, "air works"))
    slot.does(end_turn)
    kinds = [factory.kind for factory in slot.now.cities["Tegea"].factories]
    assert kinds == ["steel mill"] * 8 + ["air works"]


# ---------------------------------------------------------------- the sample city


def test_the_sample_city_takes_what_the_rulebook_prints() -> None:
    """Six factories, a warehouse and an airport: 4 hmx, 2 t&d, 7 Bm, 1 St; ten minor squares do not fit in nine."""
    slot = Slot(capital())
    kinds = ("power station", "construction machine factory", "small arms works", "steel mill", "air works",
             "naval shipyard")  # fmt: skip
    for number, kind in enumerate(kinds, start=1):
        slot.order(Build(number, kind))
    slot.order(Build(7, "airport"))
    slot.order(Build(7, "warehouse"))
    assert slot.refused(Build(8, "steel mill")).sentence == "All construction machines in c3r3 are in use, 6 of 6."
    slot.does(end_turn)
    assert slot.stock() == {"Bm": 3, "delta": 10, "St": 4, "cmx": 6, "t&d": 1, "food": 10}
    built = [factory.kind for factory in slot.now.cities["Tegea"].factories]
    assert built == ["power station", "construction machine factory", "steel mill", "air works"]
    slot.next_turn()
    assert "Arcadia has built a small arms works in c3r3 (cost 3, EDU 0)." in slot.does(end_turn)
    slot.next_turn()
    assert slot.does(end_turn) == ["The naval shipyard in c3r3 stands still: Tegea has no room."]
    assert filled(slot.now, slot.now.cities["Tegea"]) == 8
    slot.table.state = slot.now.with_city(replace(slot.now.cities["Tegea"], warehouses=0))
    assert slot.does(end_turn) == ["Arcadia has built a naval shipyard in c3r3 (cost 3, EDU 0)."]
    assert filled(slot.now, slot.now.cities["Tegea"]) == 9


def test_a_new_city_is_filled_freely_and_an_old_one_is_not() -> None:
    slot = Slot(capital())
    assert slot.order(Build(1, "dock")) == ["Arcadia fills 2 of Tegea's minor squares: a dock."]
    assert (slot.now.cities["Tegea"].docks, slot.stock()["Bm"]) == (1, 10)
    slot.next_turn()
    slot.next_turn()
    slot.order(Build(1, "dock"))
    assert slot.does(end_turn)[-1] == "Arcadia has built a dock in c3r3 (cost 2, EDU 4)."
    assert slot.stock()["Bm"] == 8


# ---------------------------------------------------------------- construction


def test_a_building_rises_over_the_end_of_the_turn_out_of_its_materials() -> None:
    slot = Slot(yard(cmx=1, hmx=1, Bm=1))
    slot.order(Build(1, "steel mill"))
    assert slot.stock()["Bm"] == 1
    assert slot.does(end_turn) == [
        "The steel mill in c3r3 takes 1 hmx and 1 Bm of Arcadia.",
        "Arcadia has built a steel mill in c3r3 (cost 2, EDU 4).",
    ]
    assert slot.stock() == {"food": 99, "cmx": 1}


def test_what_is_missing_is_named_and_goods_are_promised_once() -> None:
    slot = Slot(yard(2, cmx=2, hmx=1, Bm=2))
    slot.order(Build(1, "steel mill"))
    assert slot.refused(Build(2, "steel mill")).sentence == "The steel mill lacks 1 hmx in c3r3."
    assert slot.refused(Build(1, "warehouse")).sentence == (
        "coolie 1 is to build a steel mill in c3r3 already; a coolie does one such work a turn."
    )


def test_a_coolie_who_leaves_drops_the_work_and_keeps_the_materials() -> None:
    slot = Slot(yard(cmx=1, hmx=1, Bm=1))
    slot.order(Build(1, "steel mill"))
    slot.table.state = slot.now.with_unit(replace(slot.now.units[1], at="c3r4"))
    assert slot.does(end_turn) == ["Steel mill in c3r3 is dropped: coolie 1 did not stay."]
    assert (slot.stock()["hmx"], slot.now.works) == (1, ())


def test_a_work_of_several_turns_waits_and_another_coolie_goes_on_without_new_materials() -> None:
    slot = Slot(yard(2, cmx=1, hmx=1, Bm=1))
    slot.order(Build(1, "heavy arms works"))
    assert slot.does(end_turn)[-1] == "The heavy arms works in c3r3 needs 2 more turns."
    slot.table.state = slot.now.with_unit(replace(slot.now.units[1], at="c3r4"))
    slot.next_turn()
    assert slot.does(end_turn) == ["The heavy arms works in c3r3 stands still: coolie 1 did not stay."]
    slot.order(Build(2, "heavy arms works"))
    slot.next_turn()
    slot.does(end_turn)
    slot.next_turn()
    assert slot.does(end_turn) == ["Arcadia has built a heavy arms works in c3r3 (cost 3, EDU 0)."]


def test_each_work_needs_its_own_machine_at_the_end_of_the_turn_too() -> None:
    slot = Slot(yard(2, cmx=2, hmx=2, Bm=2))
    slot.order(Build(1, "steel mill"))
    slot.order(Build(2, "air works"))
    slot.table.state = goods(slot.now, "c3r3", cmx=-1)
    assert slot.does(end_turn)[-1] == "Air works in c3r3 is dropped: no construction machine is free."


def test_a_work_waits_when_its_city_has_filled_up_meanwhile() -> None:
    slot = Slot(
        goods(people(town(field(ground()), "c3r3", *["steel mill"] * 8), "coolie", "c3r3"), "c3r3", cmx=1, hmx=1, Bm=1)
    )
    slot.order(Build(1, "air works"))
    slot.table.state = slot.now.with_city(replace(slot.now.cities["Tegea"], warehouses=1))
    assert slot.does(end_turn) == ["Air works in c3r3 is dropped: Tegea has no room."]


def test_who_runs_a_machine_puts_down_all_else_at_the_end_of_the_turn() -> None:
    slot = Slot(goods(yard(hmx=1, Bm=1), "c3r3", "Arcadia", 1, cmx=1, Fe=1))
    slot.order(Build(1, "steel mill"))
    told = slot.does(end_moves)
    assert told == ["Coolie 1 of Arcadia runs a machine and puts down 1 cmx and 1 Fe inside Tegea in c3r3."]
    assert all(not lot.aboard for lot in slot.now.lots)


def test_outside_a_city_one_factory_stands_in_a_square_and_no_dock() -> None:
    slot = Slot(goods(people(field(ground(c3r4="sea")), "coolie", "c3r3", 2), "c3r3", cmx=2, hmx=2, Bm=4, t_d=2))
    slot.order(Build(1, "steel mill"))
    assert slot.refused(Build(2, "mine")).rule == "emp.C6"
    slot.does(end_turn)
    assert [factory.kind for factory in slot.now.factories["c3r3"]] == ["steel mill"]
    assert slot.refused(Build(2, "mine")).rule == "emp.C6"
    assert slot.refused(Build(2, "dock")).sentence == "A dock is built in a city; c3r3 has none."


def test_shipyards_and_docks_need_a_coast() -> None:
    slot = Slot(yard(cmx=1, hmx=1, Bm=2, St=1))
    for what in ("naval shipyard", "cargo shipyard", "dock"):
        assert slot.refused(Build(1, what)).rule == "emp.board.coast"


def test_each_item_in_a_swamp_takes_a_delta_more() -> None:
    swamp = field(ground(terrain="swamp"))
    slot = Slot(goods(people(town(swamp, "c3r3"), "coolie", "c3r3"), "c3r3", cmx=1, hmx=1, Bm=1))
    assert slot.refused(Build(1, "steel mill")).sentence == "The steel mill lacks 1 delta in c3r3."


def test_a_cargo_ship_is_scratch_built_on_a_coast_and_a_plane_at_an_airport() -> None:
    empire = people(town(field(ground(c3r4="sea")), "c3r3", airports=1), "coolie", "c3r3", 2)
    slot = Slot(goods(empire, "c3r3", cmx=2, Fe=2, C=2, X=2, Al=2, Cu=2, O=2, Rr=2))
    slot.order(Build(1, "scratch-built cargo ship"))
    slot.order(Build(2, "scratch-built cargo plane"))
    assert slot.does(end_turn)[1::2] == [
        "Arcadia has scratch-built cargo ship 3 in c3r3.",
        "Arcadia has scratch-built cargo plane 4 in c3r3.",
    ]
    assert (slot.now.units[3].status, slot.stock()) == ("beach", {"cmx": 2})
    inland = Slot(goods(people(field(ground()), "coolie", "c3r3"), "c3r3", cmx=1))
    assert inland.refused(Build(1, "scratch-built cargo ship")).rule == "emp.board.coast"
    assert inland.refused(Build(1, "scratch-built cargo plane")).rule == "emp.H-21"


# ---------------------------------------------------------------- cities


def test_a_colony_is_a_city_at_once_and_a_scratch_built_city_next_turn() -> None:
    slot = Slot(goods(people(field(ground()), "coolie", "c3r3"), "c3r3", colony_piece=1))
    assert slot.order(Found(1, "Pylos")) == ["Arcadia founds Pylos in c3r3."]
    assert (slot.now.cities["Pylos"].built, slot.stock()) == (2, {})
    assert slot.refused(Found(1, "Argos")).sentence == "Pylos stands on this square."
    slot = Slot(goods(people(field(ground()), "coolie", "c5r5"), "c5r5", cmx=1, Bm=4, t_d=1))
    slot.order(Build(1, "city", "Argos"))
    slot.does(end_turn)
    assert slot.now.cities["Argos"].at == "c5r5"
    assert slot.stock() == {"cmx": 1}


def joined(empire: Empire, city: City) -> list[str]:
    """The cities on sub-squares made one with a city's."""
    return [other.name for at in ways_of(empire).one_square(city.at) if (other := empire.city_at(at)) is not None]


def test_no_second_city_on_sub_squares_that_were_joined_but_two_that_stood_before_are_joined() -> None:
    board = ground(2, 1)
    name = edge(board.grid, "c1r1", board.grid.direction("c1r1", "c2r1") or "")
    board = replace(board, borders={name: ("mountain", "divided")})
    empire = people(town(field(board), "c1r1"), "coolie", "c2r1")
    empire = goods(empire, "c2r1", colony_piece=1)
    road = replace(empire, lines={name: ("mountain road",)})
    assert Slot(road).refused(Found(1, "Argos")).sentence == "Tegea stands on this square."
    slot = Slot(empire)
    slot.order(Found(1, "Argos"))
    assert len(joined(slot.now, slot.now.cities["Argos"])) == 1
    later = replace(slot.now, lines=road.lines)
    assert joined(later, later.cities["Argos"]) == ["Argos", "Tegea"]


def test_resources_worked_on_the_site_take_a_minor_square_each_and_food_none() -> None:
    site = Square("plain", "farm", (Resource("Fe"), Resource("C")))
    empire = people(town(field(ground(c3r3=site)), "c3r3", *["steel mill"] * 8), "coolie", "c3r3", 2)
    slot = Slot(goods(empire, "c3r3", food=9))
    slot.order(Develop(1, "Fe"))
    slot.order(Develop(1, "farm"))
    assert slot.refused(Develop(1, "C")).sentence == "Tegea has no minor square left for C."


def test_a_city_falls_only_after_its_buildings_and_its_site_stays() -> None:
    slot = Slot(goods(people(town(field(ground()), "c3r3", "steel mill"), "coolie", "c3r3", 3), "c3r3", food=9))
    assert slot.refused(Destroy("city", 1)).sentence == "Tegea still has buildings: steel mill."
    slot.order(Destroy("steel mill", 1))
    assert slot.refused(Destroy("steel mill", 2)).rule == "emp.board.destruction"
    assert slot.refused(Destroy("city", 1)).sentence == (
        "coolie 1 is to destroy steel mill in c3r3 already; a coolie does one such work a turn."
    )
    slot.order(Destroy("city", 2))
    assert slot.does(end_turn)[-1] == "Arcadia destroys the city Tegea in c3r3."
    assert (slot.now.cities, slot.now.sites) == ({}, ("c3r3",))
    slot.next_turn()
    assert slot.does(begin_turn)[0] == "Coolie 4 of Arcadia is born in c3r3."


# ---------------------------------------------------------------- pollution


def test_a_factory_that_runs_pollutes_the_food_until_two_turns_after_it_is_gone() -> None:
    site = Square("plain", "farm")
    empire = people(town(field(ground(c3r3=site)), "c3r3", "steel mill"), "coolie", "c3r3", 2)
    slot = Slot(goods(empire, "c3r3", food=50))
    slot.order(Develop(1, "farm"))
    slot.does(lambda table, _: pollute(table, "c3r3"))
    assert slot.does(end_turn) == ["Arcadia no longer works farm in c3r3: it is polluted."]
    assert slot.refused(Develop(1, "farm")).rule == "emp.H-24"
    slot.order(Destroy("steel mill", 1))
    assert slot.does(end_turn)[-1] == "No factory is left in c3r3; its food returns in turn 4."
    for turn in (3, 4):
        slot.next_turn()
        assert slot.now.turn == turn
        if turn < 4:
            assert slot.refused(Develop(1, "farm")).rule == "emp.H-24"
    assert slot.order(Develop(1, "farm")) == ["Unit 1 of Arcadia works farm in c3r3."]


# ---------------------------------------------------------------- squares


def ore(kind: str = "Fe", grade: int = 3) -> Board:
    return ground(c3r3=Square("plain", "", (Resource(kind, grade),)))


@pytest.mark.parametrize(("grade", "points", "edu"), [(1, 2, 6), (2, 3, 9), (3, 4, 12), (0, 4, 12)])
def test_investment_and_edu_by_grade_and_only_the_first_time(grade: int, points: int, edu: int) -> None:
    slot = Slot(people(field(ore()), "coolie", "c3r3"))
    slot.order(Develop(1, "Fe", grade))
    assert slot.does(end_turn) == [f"Arcadia invests in Fe in c3r3: {points} points and {edu} EDU."]
    assert slot.does(end_turn) == [f"Arcadia invests in Fe in c3r3: {points} points."]
    slot.next_turn()
    slot.does(begin_turn)
    assert slot.stock() == {"Fe": grade or 3}


def test_a_square_is_run_no_higher_than_it_is_and_by_nobody_else() -> None:
    slot = Slot(people(people(field(ore(grade=2)), "coolie", "c3r3"), "coolie", "c3r3", country="Boeotia"))
    assert slot.refused(Develop(1, "Fe", 3)).instead == ("double",)
    assert slot.refused(Develop(1, "Cu")).instead == ("Fe",)
    slot.order(Develop(1, "Fe"))
    assert slot.refused(Develop(2, "Fe"), BLUE).sentence == "Arcadia works Fe in c3r3."
    slot.order(Abandon("c3r3", "Fe"))
    slot.order(Develop(2, "Fe"), BLUE)


def test_a_square_whose_worker_left_gives_nothing_more() -> None:
    slot = Slot(people(field(ore()), "coolie", "c3r3"))
    slot.order(Develop(1, "Fe"))
    slot.table.state = slot.now.with_unit(replace(slot.now.units[1], at="c3r4"))
    assert slot.does(end_turn) == ["Arcadia no longer works Fe in c3r3: nobody stayed to work it."]


def test_a_new_farm_needs_seed_that_can_reach_it_and_only_once() -> None:
    slot = Slot(people(field(ground(c3r3=Square("plain", "farm"), c4r3=Square("plain", "farm"))), "coolie", "c3r3"))
    assert slot.refused(Develop(1, "farm")).rule == "emp.board.seed"
    slot.table.state = goods(people(slot.now, "coolie", "c4r3"), "c5r3", food=1)
    slot.order(Develop(1, "farm"))
    assert slot.refused(Develop(2, "farm")).rule == "emp.board.seed"
    assert slot.does(end_turn) == ["Arcadia invests in farm in c3r3, with 1 food for seed: 1 point and 3 EDU."]
    assert slot.does(end_turn) == ["Arcadia invests in farm in c3r3: 1 point."]
    assert slot.stock() == {}


def test_seed_comes_from_the_nearest_food_that_reaches_the_farm() -> None:
    empire = people(field(ground(c3r3=Square("plain", "farm"))), "coolie", "c3r3")
    slot = Slot(goods(goods(empire, "c6r3", food=2), "c12r9", food=9))
    slot.order(Develop(1, "farm"))
    slot.does(end_turn)
    assert (slot.stock("c6r3"), slot.stock("c12r9")) == ({"food": 1}, {"food": 9})
    far = Slot(goods(empire, "c12r9", food=9))
    assert far.refused(Develop(1, "farm")).rule == "emp.board.seed"


def test_at_sea_a_coolie_works_from_a_cargo_ship_a_tanker_works_oil_and_a_fishing_ship_fish() -> None:
    sea = Square("sea", "fish", (Resource("O", 3), Resource("Fe")))
    empire = field(ground(c3r3=sea))
    for kind in ("cargo ship", "oil tanker", "fishing ship"):
        empire = people(empire, kind, "c3r3")
    empire = people(empire, "coolie", "c3r3", aboard=1)
    slot = Slot(people(empire, "coolie", "c3r3", aboard=3))
    assert slot.refused(Develop(5, "Fe")).sentence == "At sea a coolie works only aboard a cargo ship."
    assert slot.refused(Develop(3, "O")).sentence == "fishing ship 3 cannot work O."
    slot.order(Develop(2, "O"))
    slot.order(Develop(3, "fish"))
    slot.order(Develop(1, "Fe"))
    slot.does(end_turn)
    slot.next_turn()
    slot.does(lambda table, country: begin_turn(table, country))
    assert {(lot.what, lot.number, lot.aboard) for lot in slot.now.lots} == {("O", 3, 2), ("food", 3, 3), ("Fe", 1, 1)}


# ---------------------------------------------------------------- lines


PATH = tuple(f"c{n}r3" for n in range(1, 8))


def walker(board: Board, path: tuple[str, ...] = PATH, **stock: int) -> Empire:
    """Coolie 1 at the end of a path he came along, with a machine and goods there."""
    empire = goods(people(field(board), "coolie", path[-1]), path[-1], **stock)
    machine = Lot("cmx", 1, "Arcadia", path[-1], spent=12 * BTA)
    return replace(empire.with_lot(machine), trails={1: path})


def test_six_borders_of_road_a_turn_over_plain_three_through_forest() -> None:
    slot = Slot(walker(ground(), delta=6))
    slot.order(DrawLine(1, "road", PATH))
    assert slot.does(end_turn)[-1].endswith("(cost 1, EDU 1).")
    assert len(slot.now.lines) == 6
    assert slot.stock() == {"cmx": 1}
    slot = Slot(walker(ground(terrain="forest"), delta=6))
    assert slot.refused(DrawLine(1, "road", PATH[2:])).instead == (
        "BUILD road ALONG c3r3, c4r3, c5r3, c6r3 WITH coolie 1",
    )
    slot.order(DrawLine(1, "road", PATH[3:]))


def test_a_line_takes_its_materials_rounded_up() -> None:
    slot = Slot(walker(ground(), delta=5, St=2))
    assert slot.refused(DrawLine(1, "rail", PATH[1:])).sentence == "The rail lacks 1 St in the squares of its path."
    slot = Slot(walker(ground(), Cu=1))
    slot.order(DrawLine(1, "power line", PATH[3:]))
    slot.does(end_turn)
    assert slot.stock() == {"cmx": 1}


def test_the_coolie_must_have_come_over_the_squares() -> None:
    slot = Slot(replace(walker(ground(), delta=6), trails={1: PATH[2:]}))
    assert slot.refused(DrawLine(1, "road", PATH)).sentence == "Coolie 1 has not come through c1r3 this turn."


def test_the_machine_must_have_come_over_the_squares_too() -> None:
    slot = Slot(walker(ground(), delta=6))
    waiting = replace(slot.now, lots=tuple(replace(lot, spent=0) for lot in slot.now.lots))
    refusal = Slot(waiting).refused(DrawLine(1, "road", PATH))
    assert refusal.sentence == "No construction machine in c7r3 has come along the path this turn; carry one with you."
    assert refusal.instead == ("LOAD 1 cmx ABOARD coolie 1",)


def test_mountain_roads_one_border_a_turn_from_either_side_where_there_is_something_to_cross() -> None:
    board = ground()
    path = ("c6r3", "c7r3")
    name = edge(board.grid, "c6r3", board.grid.direction(*path) or "")
    slot = Slot(walker(board, path, delta=2, Bm=1, St=1))
    for what, why in (("mountain road", "there are no mountains"), ("bridge", "there is no river")):
        assert slot.refused(DrawLine(1, what, path)).sentence == f"No {what} from c6r3 to c7r3: {why}."
    slot = Slot(walker(replace(board, borders={name: ("mountain",)}), path, delta=2))
    slot.table.state = replace(slot.now, trails={})  # he stands on this side: nobody has come over yet
    assert slot.refused(DrawLine(1, "road", path)).rule == "emp.board.lines"
    slot.order(DrawLine(1, "mountain road", path))
    slot.does(end_turn)
    assert slot.now.lines == {name: ("mountain road",)}


def bridging() -> Slot:
    """A double river between c6r3 and c7r3, and cargo ship 2 on it, with coolie 1 and a machine aboard."""
    board = ground()
    name = edge(board.grid, "c6r3", board.grid.direction("c6r3", "c7r3") or "")
    empire = field(replace(board, borders={name: ("double river",)}))
    empire = people(people(empire, "coolie", "c6r3", aboard=2), "cargo ship", "c6r3", status="beach")
    return Slot(goods(goods(empire, "c6r3", "Arcadia", 2, cmx=1), "c7r3", Bm=1, St=1))


def test_a_bridge_takes_a_ship_on_the_river_and_machine_and_coolie_aboard() -> None:
    path = ("c6r3", "c7r3")
    slot = bridging()
    slot.order(DrawLine(1, "bridge", path))
    assert slot.does(end_turn)[-1].endswith("built bridge at c6r3E (cost 1, EDU 1).")
    assert slot.stock() == {"cmx": 1}
    slot = bridging()
    slot.table.state = slot.now.with_unit(replace(slot.now.units[1], aboard=0))
    assert slot.refused(DrawLine(1, "bridge", path)).sentence.endswith("coolie 1 is on land.")
    slot = bridging()
    slot.table.state = replace(slot.now, lots=tuple(replace(lot, aboard=0) for lot in slot.now.lots))
    assert slot.refused(DrawLine(1, "bridge", path)).sentence == "There is no construction machine aboard cargo ship 2."
    slot = bridging()
    slot.table.state = replace(slot.now, lots=slot.now.lots[:1])
    assert slot.refused(DrawLine(1, "bridge", path)).sentence.startswith("The bridge lacks 1 Bm and 1 St")


def test_a_bridge_is_dropped_when_its_coolie_has_gone_ashore() -> None:
    slot = bridging()
    slot.order(DrawLine(1, "bridge", ("c6r3", "c7r3")))
    slot.table.state = slot.now.with_unit(replace(slot.now.units[1], aboard=0))
    assert slot.does(end_turn) == ["Bridge in c6r3 is dropped: coolie and machine are not aboard a ship there."]


def test_a_canal_runs_through_a_square_near_natural_water() -> None:
    slot = Slot(walker(ground(), ("c3r3",), Bm=1))
    assert slot.refused(DrawLine(1, "canal", ("c3r3",))).sentence == "No natural water is near c3r3 for a canal."
    slot = Slot(walker(ground(c3r5="sea"), ("c3r3",), Bm=1))
    slot.order(DrawLine(1, "canal", ("c3r3",)))
    slot.does(end_turn)
    assert slot.now.lines == {"c3r3": ("canal",)}


def test_under_water_only_power_lines_and_pipelines_are_laid_and_from_a_ship() -> None:
    board = ground(c6r3="sea")
    path = ("c7r3", "c6r3")
    slot = Slot(walker(board, path, Cu=1, delta=1))
    assert slot.refused(DrawLine(1, "power line", path)).sentence.endswith("there is water.")
    slot.table.state = people(slot.now, "cargo ship", "c6r3").with_unit(replace(slot.now.units[1], aboard=2))
    assert slot.refused(DrawLine(1, "road", path)).sentence.endswith("there is water.")
    slot.order(DrawLine(1, "power line", path))


# ---------------------------------------------------------------- destruction on command


def test_oil_burns_anywhere_and_iron_needs_water() -> None:
    slot = Slot(goods(people(field(ground(c5r5="sea")), "coolie", "c3r3"), "c3r3", O=2, Fe=2))
    assert slot.order(Burn((much("O", 1),), "c3r3")) == ["1 O of Arcadia in c3r3 is burnt."]
    slot.refused(Burn((much("O", 1), much("O", 1)), "c3r3"))  # all or nothing
    assert slot.refused(Burn((much("O", 2),), "c3r3")).sentence == "Arcadia has 1 O in c3r3."
    assert slot.refused(Burn((much("Fe", 1),), "c3r3")).sentence == "Fe does not burn, and c3r3 has no water."
    assert slot.refused(Burn((much("Fe", 1),), "c5r4")).sentence == "You have no coolie in c5r4."
    every = Burn((Goods("X", Quantity(Portion.ALL)),), "c3r3")
    assert slot.refused(every).sentence == "Arcadia has no X in c3r3."


def test_ships_scuttle_at_sea_with_all_aboard_and_not_in_dock() -> None:
    empire = people(people(field(ground(c3r3="sea")), "cargo ship", "c3r3"), "coolie", "c3r3", aboard=1)
    slot = Slot(goods(goods(empire, "c3r3", "Arcadia", 1, Fe=2), "c3r3", "Arcadia", 2, C=1))
    docked = slot.now.with_unit(replace(slot.now.units[1], status="dock"))
    assert Slot(docked).refused(Destroy("itself", 1)).sentence == "cargo ship 1 is in dock."
    assert slot.order(Destroy("itself", 1)) == [
        "Coolie 2 of Arcadia is lost in c3r3 with 1 C.",
        "Cargo ship 1 of Arcadia is scuttled in c3r3 with 2 Fe.",
    ]
    assert (slot.now.units, slot.now.lots) == ({}, ())


def test_planes_crash_in_the_air_only_and_persons_die_anywhere() -> None:
    empire = people(people(field(ground()), "fighter", "c3r3"), "fighter", "c3r3", status="air")
    slot = Slot(people(empire, "SAC", "c3r3"))
    assert slot.refused(Destroy("itself", 1)).sentence == "fighter 1 is not in the air."
    assert slot.order(Destroy("itself", 2)) == ["Fighter 2 of Arcadia crashes in c3r3."]
    assert slot.order(Destroy("itself", 3)) == ["SAC 3 of Arcadia in c3r3 dies on command, leaving 1 SAU."]
    assert slot.refused(Destroy("itself", 1), BLUE).sentence == "fighter 1 is Arcadia's, not yours."


def test_aircraft_in_hand_are_thrown_into_water_where_there_is_some() -> None:
    slot = Slot(people(people(field(ground(c3r4="sea")), "coolie", "c3r3"), "fighter", "c3r3", aboard=1))
    assert slot.order(Destroy("itself", 2)) == ["Fighter 2 of Arcadia is thrown into water in c3r3."]
    inland = Slot(people(people(field(ground()), "coolie", "c3r3"), "fighter", "c3r3", aboard=1))
    assert inland.refused(Destroy("itself", 2)).sentence == "There is no water near c3r3."


# ---------------------------------------------------------------- whose it is


def alone() -> Empire:
    """A steel mill of Boeotia in c3r3, and coolie 1 of Arcadia there with a machine."""
    empire = goods(people(field(ground()), "coolie", "c3r3"), "c3r3", cmx=1, colony_piece=1)
    return replace(empire, factories={"c3r3": (Factory("steel mill", 1, "Boeotia"),)})


def test_what_stands_outside_a_city_is_its_builders_until_it_is_seized() -> None:
    slot = Slot(alone())
    refusal = slot.refused(Scrap(1, "steel mill"))
    assert (refusal.sentence, refusal.instead) == (
        "The steel mill in c3r3 belongs to Boeotia.",
        ("SEIZE steel mill WITH coolie 1",),
    )
    assert slot.refused(Destroy("steel mill", 1)).rule == "emp.board.destruction"
    assert slot.refused(Found(1, "Pylos")).rule == "emp.H-35"
    carry_out(slot.table, RED, Seize(0, 1, "steel mill"))
    assert slot.events[-1].sentence() == "Arcadia takes Boeotia's steel mill in c3r3 by unit 1."
    slot.order(Scrap(1, "steel mill"))
    slot.does(end_turn)
    assert slot.now.factories == {}


@pytest.mark.parametrize("guard", ["coolie", "SAC"])
def test_nobody_seizes_a_factory_under_the_eyes_of_its_owner(guard: str) -> None:
    slot = Slot(people(alone(), guard, "c3r3", country="Boeotia"))
    with pytest.raises(Refused) as caught:
        carry_out(slot.table, RED, Seize(0, 1, "steel mill"))
    assert caught.value.illegal.rule == "emp.P14"


def test_who_builds_outside_a_city_owns_it_and_a_city_takes_it_in() -> None:
    slot = Slot(goods(people(field(ground()), "coolie", "c3r3", 2), "c3r3", cmx=1, hmx=1, Bm=1, colony_piece=1))
    slot.order(Build(1, "steel mill"))
    slot.does(end_turn)
    assert slot.now.factories["c3r3"] == (Factory("steel mill", 2, "Arcadia"),)
    with pytest.raises(Refused, match="is yours"):
        carry_out(slot.table, RED, Seize(0, 2, "steel mill"))
    slot.order(Found(2, "Pylos"))
    assert (slot.now.factories, slot.now.cities["Pylos"].factories) == ({}, (Factory("steel mill", 2),))


def test_nobody_builds_or_works_resources_in_anothers_city() -> None:
    site = Square("plain", "farm", (Resource("Fe"),))
    empire = people(town(field(ground(c3r3=site)), "c3r3", country="Boeotia"), "coolie", "c3r3")
    slot = Slot(goods(empire, "c3r3", cmx=1, hmx=1, Bm=1, food=2))
    assert slot.refused(Build(1, "steel mill")).sentence == "Tegea belongs to Boeotia."
    assert slot.refused(Develop(1, "Fe")).rule == "emp.C1"
    slot.order(Develop(1, "farm"))
    new = slot.now.with_city(replace(slot.now.cities["Tegea"], built=2))
    assert Slot(new).refused(Build(1, "warehouse")).sentence == "Tegea belongs to Boeotia."
