"""Income, maintenance and construction of Version 27; the worked examples by their numbers in the rulings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.choices import after
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.core.question import Question
from referee.games.war.events.combat import FleetLost, OrderFellShort, UnitsLost, UnitsMoved
from referee.games.war.events.course import ShareOpened
from referee.games.war.events.economy import (
    BuildingBuilt,
    DiplomacyBought,
    FleetsBought,
    IncomeCollected,
    LoadDisbanded,
    MaintenancePaid,
    ResourceDeveloped,
    UnitsBought,
)
from referee.games.war.game import War27
from referee.games.war.orders.building import NOTHING, BuildBuilding, BuildUnits, Works
from referee.games.war.orders.production import BuildCanal, BuyDiplomacy, DevelopResource
from referee.games.war.orders.standing_home import DisbandOrder, EvacuateTo
from referee.games.war.phases.construction import buy_diplomacy, construction_share
from referee.games.war.phases.production import income_phase, maintenance_phase
from referee.games.war.position import Army, Feud, Fleet, Load, Marker, Treasury
from referee.games.war.position.state import War
from referee.games.war.reckoning import open_ports
from referee.games.war.reckoning.battle import factory_income, most_adjacent, port_income
from referee.games.war.reckoning.income import income
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, KINDS
from referee.games.war.telling.sheets import audit
from referee.kit.refused import Refused
from referee.orders import understand
from tests.games.war27.driving import BLUE, GREEN, RED, holding, play, table, told
from tests.games.war27.driving import position as empty


def position(*seats: Seat, **options: str) -> War:
    """An empty map in a production phase."""
    return replace(empty(*seats, **options), stage="production")


def lands(war: War, owner: Seat, names: Iterable[str]) -> War:
    """Plain westernized regions, each held by one infantry."""
    for name in names:
        war = holding(war, owner, name, infantry=1)
    return war


def native_ties(war: War, *names: str) -> War:
    """Regions not westernized: a marker lies face up."""
    for name in names:
        war = war.with_land(name, marker=Marker(8, face_up=True))
    return war


def resource(war: War, *names: str, chit: str = "Tea") -> War:
    """A developed resource in each region."""
    for name in names:
        war = war.with_land(name, chit=chit, developed=True)
    return war


def built(war: War, building: str, *names: str) -> War:
    """One more building in each region."""
    for name in names:
        war = war.with_land(name, buildings=(*war.lands[name].buildings, building))
    return war


def fleets(war: War, owner: Seat, sea: str, number: int = 1) -> War:
    """So many more fleets of an owner in a sea area."""
    for _ in range(number):
        war = replace(war.with_fleet(Fleet(war.next_fleet, owner, sea)), next_fleet=war.next_fleet + 1)
    return war


def rich(war: War, seat: Seat, pp: int, dp: int = 0) -> War:
    """The position with so much in a treasury."""
    return replace(war, treasuries={**war.treasuries, seat: Treasury(pp, dp)})


def at_war(war: War, one: Seat, other: Seat) -> War:
    """The position with a war more."""
    return replace(war, feuds=(*war.feuds, Feud(one, other)))


def paid(war: War, rule: str, seat: Seat = RED) -> int:
    """What the lines under one paragraph of the income rules pay."""
    return sum(line.amount for line in income(war, seat).lines if line.rule == f"27.production.income.{rule}")


# ---------------------------------------------------------------- income


def test_example_1_regions_and_cities() -> None:
    war = lands(position(), RED, ("Spain", "France", "Egypt", "Sudan", "Natal"))
    war = built(war, "city", "Spain", "Egypt")
    found = income(war, RED)
    assert (found.pp, found.dp) == (35, 3)
    made, events = table(rich(war, RED, 35))
    play(buy_diplomacy(made, {RED: (BuyDiplomacy(3),)}))
    assert told(events, DiplomacyBought) == [DiplomacyBought(RED, 2, 20)]
    assert len(told(events, OrderFellShort)) == 1


def test_example_2_native_ties_and_spheres() -> None:
    names = ("Spain", "France", "Germany", "Italy", "Sudan", "Egypt", "Natal")
    war = native_ties(lands(position(), RED, names), "Sudan", "Egypt", "Natal")
    war = war.with_land("Kenya", spheres={RED: 2}).with_land("Sudan", spheres={RED: 1})
    assert income(war, RED).pp == 31


def test_example_3_a_whole_zone() -> None:
    zone = BOARD.zones["Central Asia"]
    war = native_ties(lands(position(), RED, zone), "Tibet", "Bengal")
    assert income(war, RED).pp == 50
    assert income(war.with_land("Tibet", owner=None, stacks=()), RED).pp == 50 - 3 - 9


def test_example_4_factories_beyond_the_cities_do_not_pay() -> None:
    war = lands(position(), RED, ("Spain", "Natal", "France", "Kenya", "India", "Germany", "Sudan", "China"))
    war = built(built(war, "city", "Spain", "Natal"), "factory", "France", "Kenya", "India")
    war = resource(war, "Germany", "Sudan", "China")
    assert paid(war, "8") == 25


def test_example_5_a_factory_at_its_cap() -> None:
    near, far = ("Germany", "Italy", "Spain", "France"), ("Natal", "Kenya", "China")
    war = resource(lands(position(), RED, (*near, *far, "Egypt")), *near, *far)
    war = built(built(war, "factory", "France"), "city", "Egypt")
    assert paid(war, "8") == 20


def test_example_6_a_resource_behind_a_railroad() -> None:
    war = lands(position(), RED, ("Spain", "France", "Germany", "Prussia", "Natal"))
    war = built(built(built(war, "factory", "Spain"), "railroad", "France"), "city", "Natal")
    near = resource(war, "Germany")
    assert (paid(near, "8"), paid(near, "10")) == (12, 6)
    far = resource(built(war, "railroad", "Germany"), "Prussia")
    assert paid(far, "8") == 11


def test_example_7_enemy_ports_do_not_count() -> None:
    war = position(RED, BLUE, GREEN)
    war = lands(war, RED, ("Spain", "France", "Egypt", "Natal", "Kenya"))
    war = lands(lands(war, GREEN, ("India", "China")), BLUE, ("Japan",))
    war = built(war, "port", "Spain", "France", "India", "China", "Japan")
    war = resource(built(war, "factory", "Egypt"), "Natal", "Kenya")
    assert paid(at_war(war, RED, BLUE), "9") == 22
    assert paid(war, "9") == 26


def test_example_8_ports_near_the_cap() -> None:
    war = lands(position(), RED, ("Spain", "France", "Natal", "Kenya", "Sudan", "Angola", "Egypt"))
    war = lands(war, BLUE, ("India", "China", "Japan", "Siam"))
    war = built(war, "port", "Spain", "France", "India", "China", "Japan", "Siam")
    war = resource(war, "Natal", "Kenya", "Sudan", "Angola", "Egypt")
    assert paid(war, "9") == 30


@pytest.mark.parametrize(("own", "ports"), [(0, ()), (2, ()), (3, ("Kamchatka", "Japan"))])
def test_example_9_blockade(own: int, ports: tuple[str, ...]) -> None:
    war = built(lands(position(), RED, ("Kamchatka", "Japan")), "port", "Kamchatka", "Japan")
    war = fleets(fleets(war, BLUE, "North Pacific", 2), RED, "North Pacific", own)
    assert open_ports(war, RED) == ("Kamchatka", "Japan")
    assert open_ports(at_war(war, BLUE, RED), RED) == ports


def test_example_10_the_only_port() -> None:
    war = built(lands(lands(position(), RED, ("Spain",)), BLUE, ("France",)), "port", "Spain")
    assert paid(war, "9") == 0
    second = built(war, "port", "France")
    assert paid(second, "9") == 4
    assert paid(at_war(second, RED, BLUE), "9") == 0


def test_example_11_railroad() -> None:
    war = lands(position(), RED, ("China", "Annam", "Bengal", "Kashmir", "Kazakhstan", "Manchuria", "Mongolia"))
    war = built(lands(war, BLUE, ("Siam",)), "port", "Siam")
    war = built(built(built(war, "railroad", "China"), "city", "Annam"), "factory", "Bengal")
    war = resource(war, "Kashmir", "Kazakhstan")
    assert paid(war, "10") == 12
    assert paid(resource(war, "Manchuria", "Mongolia"), "10") == 15
    assert paid(resource(war, "China"), "10") == 15, "a resource in the railroad's own region counts"


def test_a_blockaded_port_is_named_in_the_account() -> None:
    war = built(lands(position(), RED, ("Kamchatka", "Spain")), "port", "Kamchatka", "Spain")
    war = fleets(at_war(war, BLUE, RED), BLUE, "North Pacific")
    assert [(line.what, line.amount) for line in income(war, RED).lines] == [
        ("2 westernized regions", 10),
        ("0 of 2 ports", 0),
    ]


def test_a_closed_strait_cuts_a_sea_path() -> None:
    war = built(lands(position(), RED, ("Ukraine", "Egypt")), "port", "Ukraine", "Egypt")
    assert open_ports(war, RED) == (), "natives keep the strait shut"
    assert open_ports(lands(war, RED, ("Ottoman",)), RED) == ("Ukraine", "Egypt")
    blue = lands(war, BLUE, ("Ottoman",))
    assert open_ports(blue, RED) == ("Ukraine", "Egypt"), "leave is given to all who are not at war with the owner"
    assert open_ports(at_war(blue, RED, BLUE), RED) == ()


def test_the_canal_does_not_exist() -> None:
    war = built(lands(position(), RED, ("Sudan", "Tripoli", "Egypt")), "port", "Sudan", "Tripoli")
    war = fleets(at_war(war, RED, BLUE), BLUE, "Arabian Sea")
    assert open_ports(war, RED) == ()


def test_the_income_of_all_is_reported_in_movement_order() -> None:
    war = replace(lands(lands(position(), RED, ("Spain",)), BLUE, ("Egypt",)), order=(BLUE, RED))
    made, events = table(war)
    play(income_phase(made))
    assert [(e.seat, e.pp, e.dp) for e in told(events, IncomeCollected)] == [(BLUE, 5, 1), (RED, 5, 1)]
    assert made.state.treasuries == {RED: Treasury(105, 4), BLUE: Treasury(105, 4)}


# ---------------------------------------------------------------- the best assignment, against trying everything


@given(st.integers(0, 3), st.integers(0, 9), st.integers(0, 6))
def test_ports_are_served_as_well_as_can_be(ports: int, counted: int, objects: int) -> None:
    assert port_income(ports, counted, objects) == _best_ports(ports, counted, objects)


def _best_ports(ports: int, counted: int, objects: int) -> int:
    if not ports:
        return 0
    return max(min(15, 2 * counted + 2 * n) + _best_ports(ports - 1, counted, objects - n) for n in range(objects + 1))


@st.composite
def empires(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, ...]]]:
    resources = draw(st.integers(0, 7))
    near = st.sets(st.integers(0, resources - 1)) if resources else st.just(set[int]())
    links = [tuple(sorted(chosen)) for chosen in draw(st.lists(near, max_size=3))]
    return draw(st.integers(0, 3)), resources, links


@given(empires())
def test_factories_are_served_as_well_as_can_be(empire: tuple[int, int, list[tuple[int, ...]]]) -> None:
    paying, resources, links = empire
    number = min(paying, len(links))
    tried = [_best_factories(resources, chosen) for chosen in combinations(links, number)]
    assert factory_income(paying, resources, links) == max(tried)


def _best_factories(resources: int, chosen: Sequence[tuple[int, ...]]) -> int:
    """Every resource given to every factory, or to none: the sums that can be reached, each capped at the end."""
    reached = {(10,) * len(chosen)}
    for number in range(resources):
        reached |= {
            (*sums[:i], min(20, sums[i] + (2 if number in near else 1)), *sums[i + 1 :])
            for sums in reached
            for i, near in enumerate(chosen)
        }
    return max(sum(sums) for sums in reached)


@given(st.integers(0, 4), st.lists(st.sets(st.integers(0, 14)), max_size=6))
def test_the_choice_of_factories_is_the_best(paying: int, near: list[set[int]]) -> None:
    """By the theorem of Koenig and Hall: what a choice can take is the least cut over its subsets."""
    best = max(
        min(
            5 * (len(chosen) - len(part)) + len(set[int]().union(*part))
            for size in range(len(chosen) + 1)
            for part in combinations(chosen, size)
        )
        for chosen in combinations(near, min(paying, len(near)))
    )
    assert most_adjacent(paying, [tuple(sorted(links)) for links in near]) == best


def test_choosing_factories_is_quick_on_a_large_empire() -> None:
    links = [tuple({(i * 7 + j * j) % 24 for j in range(1 + i % 6)}) for i in range(24)]
    assert factory_income(12, 24, links) == 12 * 10 + 48


# ---------------------------------------------------------------- maintenance


def test_example_12_maintenance_before_diplomacy_points() -> None:
    war = built(lands(position(), RED, ("Spain", "Egypt")), "city", "Spain", "Egypt")
    war = rich(holding(war, RED, "Natal", infantry=15), RED, 53)
    made, events = table(war)
    play(maintenance_phase(made, {}))
    play(buy_diplomacy(made, {RED: (BuyDiplomacy(2),)}))
    assert told(events, MaintenancePaid)[0] == MaintenancePaid(RED, 17, 17)
    assert made.state.treasuries[RED] == Treasury(16, 2)


def _nine_units() -> War:
    war = holding(position(), RED, "Egypt", infantry=2, explorer=1, engineer=1)
    war = holding(lands(war, RED, ("Spain", "Natal", "Kenya")), RED, "India", cavalry=1)
    return rich(fleets(war, RED, "Red Sea"), RED, 6)


def _gone(events: Sequence[Event]) -> list[tuple[str, str, int]]:
    return [(e.lost.kind, e.region, e.lost.number) for e in told(events, UnitsLost)]


def test_example_13_default_removal() -> None:
    made, events = table(_nine_units())
    play(maintenance_phase(made, {}))
    assert _gone(events) == [("explorer", "Egypt", 1), ("infantry", "Egypt", 1), ("engineer", "Egypt", 1)]
    assert made.state.treasuries[RED].pp == 0
    assert made.state.units_of(RED) == 6


def test_the_owners_list_decides() -> None:
    war = _nine_units()
    war = war.with_fleet(replace(war.fleets[1], cargo=(Load(RED, "general", 1),)))
    made, events = table(rich(war, RED, 7))
    play(maintenance_phase(made, {}), orders={RED: (DisbandOrder((("fleet", "Red Sea", 0), ("cavalry", "", 0))),)})
    assert [e.number for e in told(events, FleetLost)] == [1]
    assert _gone(events) == [("explorer", "Egypt", 1)], "the last brigade of India is spared: it was not named by place"
    assert made.state.units_of(RED) == 7


def test_a_region_emptied_by_its_owner_reverts() -> None:
    made, events = table(holding(rich(_nine_units(), RED, 9), RED, "India", cavalry=1, general=1), 1, 1)
    made.state = lands(made.state, RED, ("Persia",))
    asked: list[Question[Any]] = []
    orders = {RED: (DisbandOrder((("cavalry", "India", 0), ("infantry", "Natal", 0))), EvacuateTo(("Persia",)))}
    play(maintenance_phase(made, orders), orders=orders, asked=asked)
    assert not asked
    assert made.state.lands["India"].owner is None
    assert made.state.lands["India"].marker is not None
    assert [(e.origin, e.target) for e in told(events, UnitsMoved)] == [("India", "Persia")]


def test_everything_can_be_lost() -> None:
    war = rich(fleets(holding(position(), RED, "Egypt", infantry=1, general=1), RED, "Red Sea"), RED, 0)
    made, _ = table(war, 1)
    play(maintenance_phase(made, {}))
    assert (made.state.units_of(RED), made.state.regions_of(RED)) == (0, ())


# ---------------------------------------------------------------- construction


def construct(war: War, *sheet: Intent) -> tuple[War, list[Event]]:
    """Red's construction by a sheet."""
    made, events = table(war)
    play(construction_share(made, RED, sheet))
    return made.state, events


def test_example_19_engineers() -> None:
    war = holding(position(), RED, "Egypt", infantry=1, engineer=1).with_land("Egypt", chit="Oil")
    assert BuildBuilding("fort", "Egypt").price(war, engineer=True) == 20
    oil = DevelopResource("Egypt")
    assert (oil.price(war), oil.price(war, engineer=True)) == (45, 30)
    after, events = construct(war, BuildBuilding("city", "Egypt"), BuildBuilding("fort", "Egypt"))
    assert [(e.building, e.pp, e.engineer) for e in told(events, BuildingBuilt)] == [
        ("city", 20, True),
        ("fort", 30, False),
    ]
    assert after.treasuries[RED].pp == 50


def test_example_20_a_new_city_and_a_second_action() -> None:
    war = holding(position(), RED, "Egypt", infantry=1)
    after, events = construct(
        war, BuildBuilding("city", "Egypt"), BuildUnits("cavalry", 1, "Egypt"), BuildBuilding("fort", "Egypt")
    )
    assert after.lands["Egypt"].count(RED, "cavalry") == 1
    assert [e.cites() for e in told(events, OrderFellShort)] == ["27.production.build.4"]
    with pytest.raises(Refused) as school:
        BuildBuilding("school", "Egypt").permit(after, RED)
    assert school.value.illegal.rule == "27.production.build.8"
    BuildBuilding("school", "Egypt").permit(replace(after, stage="movement"), RED)


def test_an_engineer_is_kept_for_the_dearest_line() -> None:
    war = holding(position(), RED, "Egypt", infantry=1, engineer=1).with_land("Egypt", chit="Oil")
    _, events = construct(war, BuildBuilding("fort", "Egypt"), DevelopResource("Egypt"))
    assert told(events, BuildingBuilt)[0].pp == 30
    assert told(events, ResourceDeveloped)[0].pp == 30


def test_an_engineer_works_at_once_where_only_that_can_be_paid() -> None:
    war = holding(position(), RED, "Egypt", infantry=1, engineer=1).with_land("Egypt", chit="Oil")
    _, events = construct(rich(war, RED, 25), BuildBuilding("fort", "Egypt"), DevelopResource("Egypt"))
    assert told(events, BuildingBuilt)[0].pp == 20
    assert not told(events, ResourceDeveloped)


def test_a_new_engineer_works_in_the_same_phase() -> None:
    war = holding(position(), RED, "Egypt", ("city", "school"), infantry=1, engineer=1).with_land("Egypt", chit="Oil")
    sheet = (BuildBuilding("fort", "Egypt"), BuildUnits("engineer", 1, "Egypt"), DevelopResource("Egypt"))
    _, events = construct(war, *sheet)
    assert (told(events, BuildingBuilt)[0].pp, told(events, ResourceDeveloped)[0].pp) == (20, 30)


@pytest.mark.parametrize(
    ("buildings", "order", "rule", "instead"),
    [
        ((), BuildUnits("cavalry", 3, "Sudan"), "27.production.build.2", ("BUILD 1 cavalry IN Egypt",)),
        (("factory",), BuildUnits("artillery", 2, "Sudan"), "27.production.build.2", ("BUILD 1 artillery IN Sudan",)),
        (("port",), BuildUnits("fleet", 3, "Sudan"), "27.production.build.2", ("BUILD 2 fleets IN Sudan",)),
        (("port",), BuildUnits("fleet", 1, "Sudan", "Black Sea"), "27.production.build.10",
         ("BUILD 1 fleet IN Sudan AT Red Sea",)),
        (("city",), BuildBuilding("port", "Sudan"), "27.pieces.4",
         ("BUILD 1 school IN Sudan", "BUILD 1 fort IN Sudan")),
        (("fort",), BuildBuilding("fort", "Sudan"), "27.pieces.5", ("BUILD 1 city IN Sudan",)),
        ((), BuildBuilding("school", "Sudan"), "27.production.build.8", ()),
        ((), BuildBuilding("fort", "China"), "27.board.8", ()),
        ((), DevelopResource("Sudan"), "27.production.build.6", ()),
        ((), BuildBuilding("port", "Tibet"), "27.production.build.7", ("BUILD 1 fort IN Tibet", "BUILD 1 city IN Tibet")),
    ],
)  # fmt: skip
def test_refusals(buildings: tuple[str, ...], order: BuildUnits, rule: str, instead: tuple[str, ...]) -> None:
    war = holding(lands(position(), RED, ("Tibet",)), RED, "Sudan", buildings, infantry=1)
    war = holding(war, RED, "Egypt", ("city", "school"), infantry=1)
    with pytest.raises(Refused) as refused:
        order.permit(war, RED)
    assert (refused.value.illegal.rule, refused.value.illegal.instead) == (rule, instead)
    _, events = construct(war, order)
    assert [e.cites() for e in told(events, OrderFellShort)] == [rule]


def test_nothing_but_units_is_built_in_a_revolt() -> None:
    war = holding(position(), RED, "Sudan", infantry=1).with_land("Sudan", revolt=Army(5))
    after, events = construct(war, BuildUnits("infantry", 2, "Sudan"), BuildBuilding("fort", "Sudan"))
    assert after.lands["Sudan"].brigades(RED) == 3
    assert [e.cites() for e in told(events, OrderFellShort)] == ["27.production.build.9"]


def test_limits_count_what_was_built_before() -> None:
    war = holding(position(), RED, "Sudan", ("port",), infantry=1)
    after, events = construct(war, BuildUnits("fleet", 1, "Sudan"), BuildUnits("fleet", 2, "Sudan"))
    assert len(after.fleets) == 2
    assert [e.sea for e in told(events, FleetsBought)] == ["Red Sea", "Red Sea"]
    assert len(told(events, OrderFellShort)) == 1
    full = Works(units={("Sudan", "fleet"): 2})
    with pytest.raises(Refused):
        BuildUnits("fleet", 1, "Sudan").permit(war, RED, full)
    BuildUnits("fleet", 1, "Sudan").permit(war, RED, NOTHING)


def test_new_fleets_join_those_beside_the_port() -> None:
    war = fleets(holding(position(), RED, "Egypt", ("port",), infantry=1), RED, "Red Sea")
    _, events = construct(
        war, BuildUnits("fleet", 1, "Egypt"), BuildUnits("fleet", 1, "Egypt", "Eastern Mediterranean")
    )
    assert [e.sea for e in told(events, FleetsBought)] == ["Red Sea", "Eastern Mediterranean"]
    fresh, events = construct(holding(position(), RED, "Egypt", ("port",), infantry=1), BuildUnits("fleet", 1, "Egypt"))
    assert fresh.fleets[1].sea == "Eastern Mediterranean"


def test_as_many_units_as_can_be_paid() -> None:
    war = rich(holding(position(), RED, "Egypt", infantry=1), RED, 35)
    after, events = construct(war, BuildUnits("infantry", 5, "Egypt"))
    assert told(events, UnitsBought) == [UnitsBought(RED, "Egypt", "infantry", 3, 30)]
    assert after.treasuries[RED].pp == 5
    assert (
        told(events, OrderFellShort)[0].why == "One costs 10 PP and you have 5 left: 3 of 5 infantry could be bought."
    )


def test_the_box_limits_units_only_by_option() -> None:
    def war(option: str) -> War:
        return rich(holding(position(force_pool=option), RED, "Egypt", infantry=39), RED, 100)

    assert construct(war("no"), BuildUnits("infantry", 3, "Egypt"))[0].lands["Egypt"].brigades(RED) == 42
    assert construct(war("yes"), BuildUnits("infantry", 3, "Egypt"))[0].lands["Egypt"].brigades(RED) == 40


# ---------------------------------------------------------------- everything together

SITES = ("Egypt", "Sudan", "Tibet", "Spain")
LINES = st.one_of(
    st.builds(BuildUnits, st.sampled_from(tuple(KINDS)), st.integers(1, 4), st.sampled_from(SITES)),
    st.builds(BuildBuilding, st.sampled_from(tuple(BUILDINGS)), st.sampled_from(SITES)),
    st.builds(DevelopResource, st.sampled_from(SITES)),
    st.builds(BuyDiplomacy, st.integers(1, 3)),
)
DISBAND = st.tuples(st.sampled_from(tuple(KINDS)), st.sampled_from(("", *SITES, "Red Sea")), st.integers(0, 2))


@given(st.integers(0, 16), st.lists(LINES, max_size=12), st.lists(DISBAND, max_size=4))
def test_whatever_is_ordered_the_accounts_balance(
    pp: int, sheet: list[Intent], lost: list[tuple[str, str, int]]
) -> None:
    war = holding(position(), RED, "Egypt", ("city", "school"), infantry=2, engineer=1, explorer=1)
    war = holding(holding(war, RED, "Sudan", ("port", "fort"), infantry=1, cavalry=1), RED, "Tibet", artillery=1)
    war = fleets(
        holding(war, RED, "Spain", ("factory",), infantry=3, general=1).with_land("Spain", chit="Oil"),
        RED,
        "Red Sea",
        2,
    )
    war = war.with_fleet(replace(war.fleets[2], cargo=(Load(RED, "infantry", 2), Load(RED, "general", 1))))
    start = replace(rich(war, RED, pp), chits=drawn(CHITS, "Oil", *["dot"] * 3))
    made, events = table(start, chance=Keyed(b"production", 0))
    orders = {RED: (*sheet, DisbandOrder(tuple(lost)))} if lost else {RED: tuple(sheet)}
    play(maintenance_phase(made, orders))
    play(income_phase(made))
    play(income_phase(made))
    play(buy_diplomacy(made, orders))
    play(construction_share(made, RED, orders[RED]))
    assert audit(start, events, made.state) == ()
    assert all(event.sentence() and event.cites() for event in events)
    assert all(made.state.lands[name].brigades(RED) for name in SITES if made.state.lands[name].owner == RED)


def drawn(cup: Mapping[str, int], *names: str) -> dict[str, int]:
    """A cup without these."""
    return {name: number - names.count(name) for name, number in cup.items()}


def test_of_two_equal_loads_of_one_fleet_only_so_many_go_as_cannot_be_paid() -> None:
    one = Load(RED, "infantry", 1)
    war = position(RED, BLUE).with_fleet(Fleet(1, RED, "Red Sea", cargo=(one, one)))
    after = LoadDisbanded(1, "Red Sea", one).change(war)
    assert after.fleets[1].cargo == (one,)
    assert audit(war, (LoadDisbanded(1, "Red Sea", one),), after) == ()


def test_equal_loads_of_a_fleet_are_one_when_a_share_begins() -> None:
    loads = (Load(RED, "infantry", 1, 1, "Egypt"), Load(RED, "infantry", 2, 0, "Sudan"))
    war = position(RED, BLUE).with_fleet(Fleet(1, RED, "Red Sea", cargo=loads))
    after = ShareOpened(RED).change(war)
    assert after.fleets[1].cargo == (Load(RED, "infantry", 3),)


def test_the_canal_is_offered_where_it_can_be_dug() -> None:
    """27.opt.suez.1: its owner's choice reads back and is carried out; nobody else has it."""
    game, war = War27(), replace(holding(empty(RED, BLUE), RED, "Egypt", infantry=2), stage="production")
    war = replace(war, options={**war.options, "suez": "yes"}).paying(RED, pp=100)
    order = after(game.asking(war, RED, "DIG"), ())
    assert isinstance(order, BuildCanal) and game.line(war, order) == "DIG canal"
    bound = understand("DIG canal", game.vocabulary(war))
    assert isinstance(bound, Order) and game.bind(war, RED, bound) == order
    assert {doubt.rule for doubt in game.doubts(war, RED, (order,))} == {"27.money.1"}  # that PP lie idle beside it
    assert after(game.asking(war, BLUE, "DIG"), ()) is None
