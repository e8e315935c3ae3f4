"""Births, food within 12 BTA, starvation and water (C3, F1, F2, deserts)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from referee.games.empire.deeds.works import end_turn
from referee.games.empire.orders.standing import AllowBirths, SuppressBirths
from referee.games.empire.orders.working import Develop
from referee.games.empire.phases.supply import begin_turn, births, feed, hungry, water
from referee.games.empire.position import Board, Factory, Resource, Square, Unit, edge
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.supply import Rations, eaters, supply_of
from tests.games.empire.ground import BLUE, Slot, field, goods, ground, people, town


def bordered(board: Board, lies: str, *sides: tuple[str, str]) -> Board:
    """The board with a feature on some borders."""
    return replace(board, borders={**board.borders, **{edge(board.grid, at, way): (lies,) for at, way in sides}})


def fed(empire: Empire, country: str = "Arcadia") -> bool:
    """Whether nobody of a country would starve."""
    return hungry(empire, country) == ()


# ---------------------------------------------------------------- who eats, and in what order


def test_every_mouth_eats_one_food() -> None:
    slot = Slot(goods(people(field(ground()), "coolie", "c3r3", 4), "c3r3", food=6))
    assert slot.does(feed) == ["4 mouths of Arcadia eat 4 food."]
    assert slot.stock() == {"food": 2}


def test_military_eats_first_then_government_ambassadors_and_coolies() -> None:
    empire = field(ground())
    for kind in ("coolie", "ambassador coolie", "government coolie", "SAC"):
        empire = people(empire, kind, "c3r3")
    assert [unit.kind for unit in eaters(empire, "Arcadia")] == [
        "SAC",
        "government coolie",
        "ambassador coolie",
        "coolie",
    ]
    slot = Slot(goods(empire, "c3r3", food=3))
    assert slot.does(feed)[1:] == ["Coolie 1 of Arcadia in c3r3 dies of hunger."]


def test_military_that_starves_leaves_its_weapons_and_a_coolie_what_he_carried() -> None:
    empire = people(people(field(ground()), "SAC", "c3r3"), "coolie", "c3r3")
    slot = Slot(goods(empire, "c3r3", "Arcadia", 2, Fe=2))
    assert slot.does(feed) == [
        "SAC 1 of Arcadia in c3r3 dies of hunger, leaving 1 SAU.",
        "Coolie 2 of Arcadia in c3r3 dies of hunger.",
    ]
    assert slot.now.units == {}
    assert {(lot.what, lot.number, lot.aboard) for lot in slot.now.lots} == {("SAU", 1, 0), ("Fe", 2, 0)}


def test_on_the_first_turn_all_count_as_fed_and_nobody_is_born() -> None:
    slot = Slot(people(town(field(ground(), turn=1), "c3r3"), "coolie", "c3r3", 30))
    assert slot.does(begin_turn) == []


def test_food_of_others_feeds_nobody() -> None:
    assert not fed(goods(people(field(ground()), "coolie", "c3r3"), "c3r3", "Boeotia", food=5))


# ---------------------------------------------------------------- first turn: the vectors of section 8


@pytest.mark.parametrize(
    ("kind", "squares", "food", "starved"),
    [("farm", 5, 30, 3), ("farm", 6, 34, 0), ("fish", 5, 35, 0)],
)
def test_five_farms_do_not_feed_the_second_turn_six_or_five_fish_do(
    kind: str, squares: int, food: int, starved: int
) -> None:
    """30 coolies, a government coolie and a SAC with 10 food; each square is worked by one, and one coolie is born."""
    # the vector counts fish as work on land squares: each needs one coolie and no seed
    worked = {f"c{n}r4": Square("plain", kind, ()) for n in range(2, 2 + squares)}
    board = ground()
    empire = town(field(replace(board, squares=board.squares | worked), turn=1), "c4r3")
    empire = people(people(people(empire, "coolie", "c4r3", 30), "government coolie", "c4r3"), "SAC", "c4r3")
    slot = Slot(goods(empire, "c4r3", food=10))
    for number, at in enumerate(worked, start=1):
        slot.table.state = slot.now.with_unit(replace(slot.now.units[number], at=at))
        slot.order(Develop(number, kind))
    slot.does(end_turn)
    slot.next_turn()
    before = slot.stock().get("food", 0)
    happened = slot.does(begin_turn)
    given = 5 * sum("gives Arcadia 5 food" in sentence for sentence in happened)
    assert before + given == food
    assert sum("dies of hunger" in sentence for sentence in happened) == starved
    assert len(slot.now.units) == 33 - starved


# ---------------------------------------------------------------- within 12 BTA


@pytest.mark.parametrize(
    ("terrain", "column", "reaches"),
    [("plain", 7, True), ("plain", 8, False), ("forest", 4, True), ("forest", 5, False), ("swamp", 3, True),
     ("swamp", 4, False), ("desert", 4, True), ("ice", 5, False)],
)  # fmt: skip
def test_food_reaches_12_bta_at_coolie_rates(terrain: str, column: int, reaches: bool) -> None:
    board = ground(terrain=terrain)
    assert fed(goods(people(field(board), "coolie", f"c{column}r5"), "c1r5", food=1)) is reaches


def test_roads_carry_food_twice_as_far_and_cities_count_as_road() -> None:
    board = ground(20, 5)
    grid = board.grid
    path = [f"c{n}r3" for n in range(1, 14)]
    borders = [edge(grid, a, grid.direction(a, b) or "") for a, b in pairwise(path)]
    empire = goods(people(field(board), "coolie", "c13r3"), "c1r3", food=1)
    assert not fed(empire)
    assert fed(replace(empire, lines=dict.fromkeys(borders, ("road",))))
    assert not fed(replace(empire, lines=dict.fromkeys(borders[1:], ("road",))))  # 2 + 11 = 13
    near = goods(people(field(ground()), "coolie", "c8r5"), "c1r5", food=1)
    assert not fed(near)
    assert not fed(town(near, "c4r5"))  # 7 borders, 13
    assert fed(town(town(near, "c4r5"), "c6r5", name="Mantinea"))  # 12


def test_mountains_and_double_rivers_cut_and_a_mountain_road_or_bridge_mends() -> None:
    for lies, mended in (("mountain", "mountain road"), ("double river", "bridge")):
        wall = [(f"c3r{r}", way) for r in range(1, 10) for way in ("E", "Q")]
        board = bordered(ground(6, 9), lies, *wall)
        empire = goods(people(field(board), "coolie", "c4r5"), "c3r5", food=1)
        assert not fed(empire)
        assert fed(replace(empire, lines={"c3r5E": (mended,)}))


def test_a_single_river_cuts_nothing() -> None:
    board = bordered(ground(), "river", *[(f"c3r{r}", way) for r in range(1, 10) for way in ("E", "Q")])
    assert fed(goods(people(field(board), "coolie", "c4r5"), "c3r5", food=1))


def straits() -> Board:
    """Land, six columns of sea, land."""
    wet = {f"c{c}r{r}": "sea" for c in range(4, 10) for r in range(1, 10)}
    return ground(12, 9, **wet)


def test_over_water_a_friendly_cargo_ship_must_be_on_that_body() -> None:
    empire = goods(people(field(straits()), "coolie", "c10r5"), "c3r5", food=1)
    assert not fed(empire)
    assert fed(people(empire, "cargo ship", "c7r1"))
    assert not fed(people(empire, "fishing ship", "c7r1"))
    foreign = people(empire, "cargo ship", "c7r1", country="Boeotia")
    assert not fed(foreign)
    friend = replace(foreign.countries["Boeotia"], stances={"Arcadia": "friendly"})
    assert fed(foreign.with_country(friend))


def test_a_hostile_naval_zone_divides_a_body_of_water() -> None:
    empire = goods(people(field(straits()), "coolie", "c10r5"), "c3r5", food=1)
    empire = people(empire, "cargo ship", "c4r1")
    assert fed(empire)
    for row in (2, 5, 8):
        assert fed(empire)
        empire = people(empire, "battleship", f"c7r{row}", country="Boeotia")
    assert not fed(empire)  # three zones of three rows each close the whole strait
    submerged = [replace(u, status="submerged") for u in empire.units.values() if u.kind == "battleship"]
    assert fed(empire.with_unit(submerged[1]))


def test_a_reef_parts_the_water() -> None:
    board = ground(5, 1, c2r1="sea", c3r1="sea", c4r1="sea")
    empire = goods(people(people(field(board), "cargo ship", "c2r1"), "coolie", "c5r1"), "c1r1", food=1)
    assert fed(empire)
    assert not fed(replace(empire, board=bordered(board, "reef", ("c3r1", "E"), ("c3r1", "Q"))))


# ---------------------------------------------------------------- who cuts a line


def corridor() -> Empire:
    """One row of land: food in c1r1 for Arcadia with a coolie in c5r1; food in c6r1 for Boeotia."""
    empire = goods(people(field(ground(6, 1)), "coolie", "c5r1"), "c1r1", food=9)
    return goods(empire, "c6r1", "Boeotia", food=9)


def test_who_is_cut_off_from_food_dies_by_the_rule_of_supply_lines() -> None:
    slot = Slot(people(corridor(), "SAC", "c3r1", country="Boeotia"))
    assert slot.does(feed) == ["Coolie 1 of Arcadia in c5r1 dies of hunger, cut off from food."]
    assert [event.cites() for event in slot.events] == ["emp.F2"]


def test_hostile_military_cuts_in_its_square_and_starves_coolies_who_have_no_food_there() -> None:
    assert not fed(people(corridor(), "SAC", "c3r1", country="Boeotia"))
    assert not fed(goods(people(corridor(), "SAC", "c5r1", country="Boeotia"), "c4r1", food=1))
    assert fed(goods(people(corridor(), "SAC", "c5r1", country="Boeotia"), "c5r1", food=1))
    assert fed(people(corridor(), "SAC", "c6r1", country="Boeotia"))


def test_no_food_leaves_a_square_under_a_hostile_zone() -> None:
    assert not fed(people(corridor(), "SAC", "c1r1", country="Boeotia"))


def test_a_zone_of_control_reaches_the_next_squares_but_not_over_mountains() -> None:
    empire = people(corridor(), "infantry regiment", "c6r1", country="Boeotia")
    assert not fed(empire)
    board = bordered(empire.board, "mountain", ("c5r1", "E"), ("c5r1", "Q"))
    assert fed(replace(empire, board=board))


def test_military_in_a_warehouse_or_carried_or_friendly_cuts_nothing() -> None:
    assert fed(people(corridor(), "SAC", "c3r1", country="Boeotia", status="warehouse"))
    carried = people(people(corridor(), "truck", "c3r1", country="Boeotia"), "SAC", "c3r1", country="Boeotia", aboard=2)
    assert fed(carried)
    empire = people(corridor(), "SAC", "c3r1", country="Boeotia")
    friend = replace(empire.countries["Boeotia"], stances={"Arcadia": "friendly"})
    assert fed(empire.with_country(friend))


def test_military_out_of_food_cuts_nothing() -> None:
    empire = people(corridor(), "SAC", "c3r1", country="Boeotia")
    assert not fed(empire)
    assert fed(replace(empire, lots=tuple(lot for lot in empire.lots if lot.country == "Arcadia")))


@pytest.mark.parametrize(
    ("kind", "passes"), [("coolie", False), ("government coolie", True), ("ambassador coolie", True)]
)
def test_hostile_coolies_block_a_line_through_their_square_government_and_ambassadors_do_not(
    kind: str, passes: bool
) -> None:
    empire = people(corridor(), kind, "c3r1", country="Boeotia")
    assert fed(empire)  # neutral until declared hostile
    foe = replace(empire.countries["Boeotia"], stances={"Arcadia": "hostile"})
    assert fed(empire.with_country(foe)) is passes


def test_hostile_coolies_in_one_square_do_not_cut_each_other() -> None:
    empire = people(corridor(), "coolie", "c5r1", country="Boeotia")
    foe = replace(empire.countries["Boeotia"], stances={"Arcadia": "hostile"})
    assert fed(empire.with_country(foe))


# ---------------------------------------------------------------- sharing


def test_those_with_a_choice_leave_the_only_food_of_others() -> None:
    """c7 reaches both stores and likes c8 best; c9 to c12 reach only c8."""
    empire = people(people(field(ground(14, 1)), "coolie", "c7r1"), "coolie", "c12r1")
    empire = goods(goods(empire, "c8r1", food=1), "c2r1", food=1)
    assert fed(empire)


def test_rations_feed_as_many_as_can_be_fed_and_never_take_back() -> None:
    near = {"a": ("x", "y"), "b": ("x",), "c": ("y", "z"), "d": ("z",)}
    rations = Rations({"x": 1, "y": 1, "z": 1}, near)
    assert [rations.feed(at) for at in ("a", "b", "c", "d", "a")] == [True, True, True, False, False]
    assert rations.used() == {"x": 1, "y": 1, "z": 1}


# ---------------------------------------------------------------- births


def test_one_coolie_a_site_is_born_where_anybody_stands() -> None:
    empire = town(town(town(field(ground()), "c2r2"), "c5r5", name="Pylos"), "c8r8", name="Argos")
    empire = people(people(people(empire, "coolie", "c2r2", 3), "ambassador coolie", "c5r5"), "SAC", "c8r8")
    slot = Slot(replace(empire, sites=("c9r9",)))
    assert slot.does(births) == ["Coolie 6 of Arcadia is born in c2r2.", "Coolie 7 of Arcadia is born in c5r5."]
    assert slot.does(births) == []  # one a turn
    slot.table.state = people(slot.now, "government coolie", "c9r9")
    assert slot.does(births) == ["Coolie 9 of Arcadia is born in c9r9."]


def test_births_are_suppressed_and_allowed_by_order() -> None:
    slot = Slot(people(town(field(ground()), "c2r2"), "coolie", "c2r2"))
    assert slot.order(SuppressBirths("Tegea")) == [
        "Arcadia suppresses births in c2r2 from the start of its next turn on."
    ]
    assert slot.does(births) == []
    slot.order(AllowBirths("Tegea"))
    assert len(slot.does(births)) == 1
    assert slot.refused(SuppressBirths("Atlantis")).sentence.startswith("Atlantis is no reproductive site.")


def test_of_two_countries_on_a_site_only_the_first_breeds() -> None:
    empire = people(town(field(ground()), "c2r2"), "coolie", "c2r2")
    slot = Slot(people(empire, "government coolie", "c2r2", country="Boeotia"))
    assert slot.does(births, "Boeotia") == ["Coolie 3 of Boeotia is born in c2r2."]
    assert slot.does(births) == []


def test_a_newborn_that_finds_no_food_dies_at_once() -> None:
    slot = Slot(goods(people(town(field(ground()), "c2r2"), "coolie", "c2r2", 2), "c2r2", food=2))
    assert slot.does(begin_turn)[-1] == "Coolie 3 of Arcadia in c2r2 dies of hunger."


def test_joined_sub_squares_share_their_people_for_births() -> None:
    board = bordered(ground(6, 1), "mountain", ("c2r1", "E"), ("c2r1", "Q"))
    divided = {name: (*lies, "divided") for name, lies in board.borders.items()}
    board = replace(board, borders=divided)
    empire = people(town(town(field(board), "c2r1"), "c3r1", name="Pylos"), "coolie", "c2r1")
    assert len(Slot(empire).does(births)) == 1
    road = dict.fromkeys(divided, ("mountain road",))
    assert len(Slot(replace(empire, lines=road)).does(births)) == 2


# ---------------------------------------------------------------- water


def dry_land(**squares: str) -> Empire:
    return people(field(ground(terrain="desert", **squares)), "coolie", "c6r5")


def test_two_turns_in_the_desert_without_water_kill() -> None:
    slot = Slot(dry_land())
    assert slot.does(water) == ["Without water in the desert: 1 of Arcadia."]
    assert slot.does(water)[-1] == "Coolie 1 of Arcadia in c6r5 dies of thirst."


def test_water_within_four_squares_keeps_alive_and_ends_the_thirst() -> None:
    assert Slot(dry_land(c2r5="lake")).does(water) == []
    assert Slot(dry_land(c1r5="lake")).does(water) != []
    river = dry_land()
    assert Slot(replace(river, board=bordered(river.board, "river", ("c7r5", "S")))).does(water) == []
    assert Slot(dry_land(c7r5="sea")).does(water) != []  # salt
    slot = Slot(dry_land())
    slot.does(water)
    slot.table.state = people(slot.now.without_unit(1), "coolie", "c6r5").with_unit(
        Unit(1, "coolie", "Arcadia", "c6r5")
    )
    slot.table.state = replace(slot.now, board=dry_land(c5r5="lake").board)
    slot.does(water)
    assert slot.now.dry == {}


def test_water_comes_neither_over_mountains_nor_through_hostile_zones() -> None:
    empire = dry_land(c5r5="lake")
    walled = bordered(empire.board, "mountain", *[("c6r5", way) for way in "NEQSWP"])
    assert Slot(replace(empire, board=walled)).does(water) != []
    guarded = people(goods(empire, "c6r5", "Boeotia", food=1), "SAC", "c6r5", country="Boeotia")
    assert Slot(guarded).does(water) != []


def test_a_water_distillery_that_ran_a_turn_ago_serves_four_squares() -> None:
    empire = replace(dry_land(c9r5="sea"), factories={"c8r5": (Factory("water distillery", 1),)})
    assert Slot(empire).does(water) != []
    assert Slot(replace(empire, watering={"c8r5": empire.turn - 1})).does(water) == []
    assert Slot(replace(empire, watering={"c8r5": empire.turn - 2})).does(water) != []


# ---------------------------------------------------------------- work counted, not time


def test_300_mouths_on_the_large_board_look_at_few_squares() -> None:
    """The search is bounded by the food squares: no more than what 12 BTA enclose around each, 127 on plain."""
    board = ground(72, 42)
    empire = field(replace(board, wraps=True))
    for n in range(300):
        empire = people(empire, "coolie", f"c{n * 7 % 72 + 1}r{n * 11 % 42 + 1}")
    stores = [f"c{n * 13 % 72 + 1}r{n * 17 % 42 + 1}" for n in range(60)]
    for at in stores:
        empire = goods(empire, at, food=5)
    tracing = supply_of(empire, "Arcadia")
    for at in stores:
        tracing.reached(at)
    assert tracing.looked <= 60 * 127
    assert len(hungry(empire, "Arcadia")) < 300


def test_resources_give_what_they_give_the_turn_after_investment() -> None:
    board = ground(c3r3=Square("plain", "", (Resource("Fe", 2), Resource("C", 1))))
    slot = Slot(goods(people(field(board), "coolie", "c3r3"), "c3r3", food=1))
    slot.order(Develop(1, "Fe"))
    slot.order(Develop(1, "C"))
    slot.does(end_turn)
    slot.next_turn()
    slot.does(begin_turn)
    assert slot.stock() == {"Fe": 2, "C": 1}
    slot.next_turn()  # nothing was invested at the end of the last one
    slot.table.state = goods(slot.now, "c3r3", food=1)
    slot.does(begin_turn)
    assert slot.stock() == {"Fe": 2, "C": 1}
    assert slot.refused(Develop(1, "Fe"), BLUE).rule in ("emp.P12", "emp.P21")
