"""Marching, boarding, landing, cession, abandoning, reinforcement, war: sections 1.4 and 1.6 of the inventory."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity
from referee.core.question import Question
from referee.games.war.deeds import Lot, NotYet, Outright
from referee.games.war.events.combat import OrderFellShort, UnitsLost, UnitsMoved
from referee.games.war.events.course import ShareOpened
from referee.games.war.events.moving import CessionTaken, WarDeclared
from referee.games.war.events.natives import RegionReverted
from referee.games.war.orders.attack import DeclareWar
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.movement_base import MoveOrder
from referee.games.war.orders.standing_battles import ReinforceRule
from referee.games.war.orders.standing_home import EvacuateTo
from referee.games.war.phases.movement import foresee, movement_orders
from referee.games.war.phases.reinforce_and_retreat import reinforcements
from referee.games.war.position import DONE, Army, Feud, Marker, Offer, Stack, Treasury
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD
from referee.games.war.telling.sheets import audit
from referee.kit.refused import Refused
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, play, position, table, told
from tests.games.war27.stage_movement import ALL, at_war, check, embark, exactly, fleet, land, march, moved, sail

MED, EAST = "Western Mediterranean", "Eastern Mediterranean"


def refused(war: War, order: Intent, seat: Seat = RED) -> Illegal:
    """Why an order is refused in this position."""
    with pytest.raises(Refused) as caught:
        check(war, seat, order)
    return caught.value.illegal


def shortfalls(events: Sequence[Event]) -> list[str]:
    """The rules under which lines fell short."""
    return [event.cites() for event in told(events, OrderFellShort)]


# ---------------------------------------------------------------- marching


def railway() -> War:
    """Red from Egypt to Mesopotamia, with railroads in Egypt and Palestine."""
    war = holding(position(), RED, "Egypt", ("railroad",), infantry=2)
    war = holding(war, RED, "Palestine", ("railroad",), infantry=1)
    return holding(holding(war, RED, "Arabia", infantry=1), RED, "Mesopotamia", infantry=1)


def test_example_21_railroads_are_free_and_the_next_step_is_the_last() -> None:
    war, events = moved(railway(), march("Egypt", "Mesopotamia", "Palestine", "Arabia", infantry=1))
    (stack,) = [s for s in war.lands["Mesopotamia"].stacks if s.spent]
    assert (stack.number, stack.spent, stack.origin) == (1, 1, "Arabia")
    assert not shortfalls(events)
    onward = refused(holding(war, RED, "Persia", infantry=1), march("Mesopotamia", "Persia", infantry=2))
    assert (onward.rule, onward.instead) == ("27.move.land.2", ("MOVE 1 infantry FROM Mesopotamia TO Persia",))


def test_the_cheapest_way_uses_the_railroad_and_only_its_owner() -> None:
    war, _ = moved(railway(), march("Egypt", "Mesopotamia", infantry=1))
    assert [s.spent for s in war.lands["Mesopotamia"].stacks if s.origin] == [0]
    hostile = holding(at_war(position()), RED, "Sudan", infantry=2, explorer=1)
    hostile = native(hostile, "Egypt", "5").with_land("Egypt", buildings=("railroad",))
    after, _ = moved(hostile, march("Sudan", "Egypt", explorer=1), march("Egypt", "Tripoli", explorer=1))
    assert after.lands["Tripoli"].stacks[0].spent == 2  # natives' rails carry nobody


def test_too_far_offers_the_part_of_the_way_that_can_be_gone() -> None:
    war = holding(holding(position(), RED, "Sudan", infantry=2), RED, "Egypt", infantry=1)
    war = holding(war, RED, "Palestine", infantry=1)
    why = refused(war, march("Sudan", "Palestine", infantry=1))
    assert (why.rule, why.instead) == ("27.move.land.2", ("MOVE 1 infantry FROM Sudan TO Egypt",))


def test_a_mixed_group_offers_those_fast_enough() -> None:
    war = holding(holding(position(), RED, "Sudan", infantry=2, cavalry=1), RED, "Egypt", infantry=1)
    war = holding(war, RED, "Palestine", infantry=1)
    why = refused(war, march("Sudan", "Palestine", infantry=1, cavalry=1))
    assert why.instead[0] == "MOVE 1 cavalry FROM Sudan TO Palestine"


@pytest.mark.parametrize(
    ("order", "rule", "instead"),
    [
        (march("Spain", "Morocco", infantry=1), "27.board.6", ()),
        (march("Spain", "Japan", infantry=1), "27.board.3", ()),
        (march("Spain", MED, infantry=1), "27.board.3", ()),
        (march("Spain", "Spain", infantry=1), "27.move.land.2", ()),
        (march("Spain", "Spain", "Spain", infantry=1), "27.move.land.2", ()),
        (march("Spain", "Germany", infantry=1), "27.move.land.4", ("MOVE 1 infantry FROM Spain TO France",)),
        (march("Spain", "France", engineer=1), "27.move.land.5", ("MOVE 1 infantry, 1 engineer FROM Spain TO France",)),
        (march("Spain", "France", artillery=1), "27.move.land.1", ()),
        (march("Spain", "France", infantry=4), "27.move.land.1", ("MOVE 3 infantry FROM Spain TO France",)),
        (march("Spain", "France", infantry=0), "27.move.land.1", ()),
        (march("Spain", "France", fleet=1), "27.board.3", ()),
        (
            march("Spain", "Germany", explorer=1),
            "27.move.land.6",
            ("MOVE 1 explorer FROM Spain TO Germany VIA France",),
        ),
        (march("Spain", "Germany", "France", engineer=1), "27.move.land.6", ()),
        (march("Spain", "Germany", "France", cavalry=1), "27.move.land.4", ("MOVE 1 cavalry FROM Spain TO France",)),
    ],
)
def test_refusals_of_a_march(order: MoveUnits, rule: str, instead: tuple[str, ...]) -> None:
    war = holding(position(), RED, "Spain", infantry=3, cavalry=1, engineer=1, explorer=1)
    why = refused(war, order)
    assert (why.rule, why.instead) == (rule, instead)
    assert why.sentence.endswith(".")


def test_another_players_region_needs_a_war_declared_in_time() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=3, general=1), BLUE, "Palestine", infantry=1)
    attack = march("Egypt", "Palestine", infantry=2)
    peace = refused(war, attack)
    assert (peace.rule, peace.instead) == ("27.move.land.3", ())
    assert peace.sentence.endswith("War is declared by DECLARE WAR ON Blue and costs 1 DP.")
    declared = replace(war, feuds=(Feud(RED, BLUE),))
    assert refused(declared, attack).rule == "27.war.4"
    check(replace(declared, active=BLUE), RED, attack)  # written for the next share: lawful then
    hostile = at_war(war)
    assert refused(hostile, march("Egypt", "Palestine", general=1)).rule == "27.move.land.5"
    rising = hostile.with_land("Palestine", revolt=Army(4), marker=Marker(4, 0, True))
    assert refused(rising, attack).rule == "27.production.revolt.10"
    after, _ = moved(hostile, march("Egypt", "Palestine", infantry=2, general=1))
    assert {(s.spent, s.origin) for s in after.lands["Palestine"].stacks if s.owner == RED} == {(DONE, "Egypt")}
    assert after.lands["Palestine"].owner == BLUE


def test_brigades_stop_in_native_land_and_a_party_may_follow_them() -> None:
    war = holding(position(), RED, "Egypt", infantry=3, cavalry=1, engineer=1)
    after, events = moved(
        war, march("Egypt", "Sudan", cavalry=1), march("Egypt", "Sudan", engineer=1), march("Sudan", "Kenya", cavalry=1),
        dice=(1,),
    )  # fmt: skip
    assert after.lands["Sudan"].count(RED) == 2
    assert {s.spent for s in after.lands["Sudan"].stacks} == {DONE}
    assert shortfalls(events) == ["27.move.land.4"]
    assert after.lands["Sudan"].marker is not None


def test_explorers_cross_native_land_alone_and_each_first_entry_draws_a_marker() -> None:
    war = holding(position(), RED, "Egypt", infantry=1, explorer=1)
    after, _ = moved(war, march("Egypt", "Kenya", "Sudan", explorer=1), dice=(1, 1))
    assert after.lands["Kenya"].count(RED, "explorer") == 1
    assert after.lands["Sudan"].marker is not None
    assert after.lands["Kenya"].marker is not None
    assert after.lands["Kenya"].stacks[0].spent == 2


def test_a_way_through_a_place_named_too_late_is_refused_and_put_right() -> None:
    war = holding(position(), RED, "Egypt", infantry=1, explorer=1)
    assert refused(war, march("Egypt", "Sudan", "Kenya", explorer=1)).rule == "27.move.land.2"  # and back: 3 MP
    war = holding(position(), RED, "Egypt", ("railroad",), infantry=1, explorer=1)
    why = refused(war, march("Egypt", "Sudan", "Kenya", explorer=1))
    assert why.rule == "27.move.land.6"
    assert why.instead == ("MOVE 1 explorer FROM Egypt TO Sudan VIA Sudan, Kenya",)
    hostile = holding(at_war(war), BLUE, "Sudan", infantry=1)
    far = refused(hostile, march("Egypt", "Kenya", infantry=1))
    assert (far.rule, far.instead) == ("27.move.land.4", ("MOVE 1 infantry FROM Egypt TO Sudan",))
    neutral = refused(replace(hostile, feuds=()), march("Egypt", "Kenya", infantry=1))
    assert (neutral.rule, neutral.instead) == ("27.move.land.3", ())


def test_all_and_half_take_those_that_can_go() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=5), RED, "Palestine", infantry=1)
    half = MoveUnits((Lot("infantry", Quantity(Portion.HALF)),), "Egypt", "Palestine")
    after, _ = moved(war, half)
    assert after.lands["Palestine"].brigades(RED) == 3
    every = MoveUnits((Lot("infantry", ALL),), "Palestine", "Arabia")
    final, _ = moved(after, every, dice=(1,))
    assert final.lands["Arabia"].brigades(RED) == 1  # the two that came have no MP left


def test_at_run_time_as_many_go_as_can() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=3), RED, "Palestine", infantry=1)
    with pytest.raises(NotYet):
        check(war, RED, march("Egypt", "Palestine", infantry=5))
    after, events = moved(war, march("Egypt", "Palestine", infantry=5), march("Palestine", "Egypt", infantry=1))
    assert (after.lands["Egypt"].brigades(RED), after.lands["Palestine"].brigades(RED)) == (1, 3)
    assert shortfalls(events) == ["27.move.land.1"]


# ---------------------------------------------------------------- revolt, abandoning


@pytest.mark.parametrize(("garrison", "spare"), [(10, 2), (6, 0)])
def test_example_18_garrison_of_a_region_in_revolt(garrison: int, spare: int) -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=garrison), RED, "Sudan", infantry=1)
    war = war.with_land("Egypt", revolt=Army(8), marker=Marker(8, 0, True))
    why = refused(war, march("Egypt", "Sudan", infantry=spare + 1))
    offered = (f"MOVE {spare} infantry FROM Egypt TO Sudan",) if spare else ()
    assert (why.rule, why.instead) == ("27.production.revolt.8", offered)
    if spare:
        check(war, RED, march("Egypt", "Sudan", infantry=spare))
    after, events = moved(war, march("Egypt", "Sudan", infantry=spare + 1))
    assert after.lands["Sudan"].brigades(RED) == 1 + spare  # as many as may go
    assert [event.partly for event in told(events, OrderFellShort)] == [spare > 0]


def test_example_18_arrivals_count_and_parties_are_free() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=6, general=1), RED, "Sudan", infantry=4)
    war = war.with_land("Egypt", revolt=Army(8), marker=Marker(8, 0, True))
    after, events = moved(
        war,
        march("Sudan", "Egypt", infantry=3),
        march("Egypt", "Sudan", infantry=1),
        march("Egypt", "Sudan", general=1),
    )
    assert after.lands["Egypt"].brigades(RED) == 8
    assert after.lands["Sudan"].count(RED, "general") == 1
    assert not shortfalls(events)


def test_the_last_brigade_stays_unless_a_later_line_relieves_it() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=2), RED, "Sudan", infantry=1)
    stayed, events = moved(war, march("Egypt", "Sudan", infantry=2))
    assert (stayed.lands["Egypt"].brigades(RED), shortfalls(events)) == (1, ["R27-01"])
    swapped, events = moved(war, march("Egypt", "Sudan", infantry=2), march("Sudan", "Egypt", infantry=1))
    assert (swapped.lands["Egypt"].brigades(RED), shortfalls(events)) == (1, [])


def test_a_sheet_is_judged_as_a_whole_in_foresight() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=1), RED, "Sudan", infantry=1)
    swap = (march("Egypt", "Sudan", infantry=1), march("Sudan", "Egypt", infantry=1))
    assert foresee(war, RED, swap).shortfalls == ()
    (short,) = foresee(war, RED, swap[:1]).shortfalls
    assert (short.line, short.why.rule) == (0, "R27-01")


def test_relief_that_is_sunk_calls_the_departed_back() -> None:
    war = at_war(holding(holding(position(), RED, "Egypt", infantry=1), RED, "Sudan", infantry=1))
    war = fleet(fleet(fleet(war, RED, EAST, infantry=1), BLUE, EAST), BLUE, EAST)
    war = holding(war, RED, "Palestine", infantry=1)
    sheet = (march("Egypt", "Sudan", infantry=1), land(EAST, "Egypt", infantry=1))
    after, events = moved(war, *sheet, dice=(1, 6, 6), answers={"Blue/intercept": True})
    assert after.lands["Egypt"].brigades(RED) == 1
    assert told(events, UnitsMoved)[-1].cites() == "R27-01"
    assert audit(war, events, after) == audit(war, (), war)


def test_relief_that_is_sunk_and_nobody_to_call_back_leaves_the_region_to_its_natives() -> None:
    war = at_war(holding(position(), RED, "Egypt", infantry=1))
    war = fleet(fleet(fleet(war, RED, EAST, infantry=1), BLUE, EAST), RED, "Red Sea")
    sheet = (embark("Egypt", "Red Sea", infantry=1), land(EAST, "Egypt", infantry=1))
    after, events = moved(war, *sheet, dice=(1, 6, 1), answers={"Blue/intercept": True})
    assert after.lands["Egypt"].owner is None
    assert told(events, RegionReverted)


# ---------------------------------------------------------------- boarding and landing


def coast() -> War:
    """Example 22: Red in Algeria and Ottoman, one fleet in the Western Mediterranean, Egypt and Palestine his."""
    war = holding(holding(position(), RED, "Algeria", infantry=4), RED, "Ottoman", infantry=5)
    war = holding(holding(war, RED, "Egypt", infantry=1), RED, "Palestine", infantry=1)
    return fleet(war, RED, MED)


def test_example_22_a_fleets_round_trip() -> None:
    sheet = (
        embark("Algeria", MED, infantry=3), sail(MED, EAST), land(EAST, "Egypt", infantry=2),
        embark("Ottoman", EAST, infantry=3),
    )  # fmt: skip
    half, events = moved(coast(), *sheet)
    (ship,) = half.fleets.values()
    assert (ship.spent, ship.points, ship.sea) == (2, 8, EAST)
    why = refused(half, embark("Ottoman", EAST, infantry=1))
    assert (why.rule, why.instead) == ("27.move.carry.1", ())
    final, later = moved(
        half, land(EAST, "Palestine", infantry=1), sail(EAST, MED), march("Palestine", "Arabia", infantry=2)
    )
    (ship,) = final.fleets.values()
    assert (ship.spent, ship.points, ship.sea) == (4, 6, MED)
    assert shortfalls([*events, *later]) == ["27.move.carry.5"]
    assert [s.spent for s in final.lands["Palestine"].stacks if s.landed] == [DONE]
    assert audit(coast(), [*events, *later], final) == audit(coast(), (), coast())


def test_too_many_for_the_fleets_offers_what_fits() -> None:
    why = refused(coast(), embark("Ottoman", EAST, infantry=2))
    assert (why.rule, why.at) == ("27.move.carry.1", EAST)
    full = fleet(coast(), RED, EAST, infantry=2)
    why = refused(full, embark("Ottoman", EAST, infantry=3))
    assert why.instead == (f"EMBARK 2 infantry FROM Ottoman IN {EAST}",)
    after, events = moved(full, embark("Ottoman", EAST, infantry=3))
    assert [f.points for f in after.fleets_of(RED, EAST)] == [8]
    assert shortfalls(events) == ["27.move.carry.1"]


def test_boarding_costs_1_mp_but_nothing_from_a_railroad() -> None:
    war = holding(fleet(position(), RED, EAST), RED, "Palestine", infantry=3)
    war = holding(war, RED, "Egypt", infantry=1)
    tired, events = moved(war, march("Palestine", "Egypt", infantry=2), embark("Egypt", EAST, infantry=2))
    assert shortfalls(events) == ["27.move.carry.3"]
    war = holding(war, RED, "Egypt", ("railroad",), infantry=1)
    fresh, events = moved(war, march("Palestine", "Egypt", infantry=2), embark("Egypt", EAST, infantry=2))
    assert (sum(f.points for f in tired.fleets.values()), sum(f.points for f in fresh.fleets.values())) == (2, 4)
    assert shortfalls(events) == []


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (embark("Egypt", MED, infantry=1), "27.move.carry.3"),
        (embark("Egypt", "Red Sea", infantry=1), "27.move.carry.1"),
        (embark("Egypt", EAST, cavalry=1), "27.move.land.1"),
        (land(EAST, "Algeria", infantry=1), "27.move.carry.4"),
        (land(EAST, "Egypt", cavalry=1), "27.move.carry.4"),
        (land(EAST, "Egypt", infantry=3), "27.move.carry.4"),
        (land(EAST, "Tripoli", general=1), "27.move.land.5"),
        (land(EAST, "Palestine", infantry=1), "27.move.land.3"),
        (land("Red Sea", "Egypt", infantry=1), "27.move.carry.4"),
        (land(EAST, "Tibet", infantry=1), "27.move.carry.4"),
        (sail(EAST, "Red Sea"), "27.board.7"),
        (sail(EAST, "Black Sea"), "27.board.5"),
        (sail(EAST, "Gulf of Guinea", 2), "27.move.naval.1"),
        (sail(EAST, "Baltic Sea"), "27.move.naval.1"),
        (sail(EAST, "Egypt"), "27.board.3"),
        (sail(EAST, EAST), "27.move.naval.1"),
        (sail(EAST, EAST, 1, EAST), "27.move.naval.1"),
        (sail("Red Sea", "Arabian Sea"), "27.move.naval.1"),
    ],
)
def test_refusals_by_sea(order: Intent, rule: str) -> None:
    war = fleet(holding(position(), RED, "Egypt", infantry=2), RED, EAST, infantry=2, general=1)
    war = holding(war, BLUE, "Palestine", infantry=1)
    why = refused(war, order)
    assert why.rule == rule
    assert why.sentence.endswith(".")


def test_explorers_land_alone_in_native_land_and_stop_there() -> None:
    war = fleet(position(), RED, EAST, explorer=1)
    after, events = moved(war, land(EAST, "Tripoli", explorer=1), march("Tripoli", "Sudan", explorer=1), dice=(1,))
    assert after.lands["Tripoli"].stacks == (Stack(RED, "explorer", 1, DONE, EAST, landed=True),)
    assert shortfalls(events) == ["27.move.carry.5"]


def test_each_fleet_pays_1_mp_for_each_land_area() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=1), RED, "Palestine", infantry=1)
    war = fleet(fleet(war, RED, EAST, infantry=4), RED, EAST, infantry=1, general=1)
    after, _ = moved(war, land(EAST, "Egypt", infantry=2, general=1), land(EAST, "Palestine", infantry=2))
    assert [f.spent for f in after.fleets.values()] == [2, 1]
    assert [f.points for f in after.fleets.values()] == [0, 2]


# ---------------------------------------------------------------- cession


def ceding(*offers: Offer) -> War:
    """Blue offers Palestine, with two infantry and a general in it, to Red in Egypt."""
    war = holding(holding(position(), RED, "Egypt", infantry=3), BLUE, "Palestine", ("city",), infantry=2, general=1)
    return replace(war, offers=offers or (Offer(1, "cede", BLUE, RED, "Palestine"),))


def test_a_brigade_takes_a_ceded_region_and_the_guests_leave() -> None:
    war = holding(holding(ceding(), BLUE, "Arabia", infantry=1), BLUE, "Ottoman", infantry=4)
    after, events = moved(war, march("Egypt", "Palestine", infantry=1))
    land_ = after.lands["Palestine"]
    assert (land_.owner, land_.count(BLUE), land_.buildings, land_.stacks[0].spent) == (RED, 0, ("city",), DONE)
    assert after.lands["Ottoman"].count(BLUE) == 7
    assert after.offers == ()
    assert after.treasuries == war.treasuries  # no conquest
    assert told(events, CessionTaken)[0].sentence() == "Blue cedes Palestine to Red."
    assert audit(war, events, after) == audit(war, (), war)


def test_guests_go_where_their_owner_says_else_aboard_else_they_are_lost() -> None:
    war = fleet(holding(ceding(), BLUE, "Arabia", infantry=1), BLUE, EAST)
    chosen, _ = moved(war, march("Egypt", "Palestine", infantry=1), orders={BLUE: (EvacuateTo((EAST,)),)})
    assert [f.points for f in chosen.fleets_of(BLUE)] == [5]
    full = fleet(ceding(), BLUE, EAST, infantry=3)
    after, events = moved(full, march("Egypt", "Palestine", infantry=1))
    assert [f.points for f in after.fleets_of(BLUE)] == [7]  # the general; an infantry does not fit beside him
    (lost,) = told(events, UnitsLost)
    assert (lost.lost.kind, lost.lost.number, lost.cites()) == ("infantry", 2, "27.move.cede.3")
    nowhere, events = moved(ceding(), march("Egypt", "Palestine", infantry=1))
    assert nowhere.units_of(BLUE) == 0


def test_only_a_brigade_takes_a_ceded_region_and_never_in_revolt() -> None:
    war = holding(ceding(), RED, "Egypt", infantry=3, general=1)
    assert refused(war, march("Egypt", "Palestine", general=1)).rule == "27.move.cede.2"
    rising = war.with_land("Palestine", revolt=Army(4), marker=Marker(4, 0, True))
    assert refused(rising, march("Egypt", "Palestine", infantry=1)).rule == "27.move.cede.1"
    other = ceding(Offer(1, "cede", BLUE, GREEN, "Palestine"))
    assert refused(other, march("Egypt", "Palestine", infantry=1)).rule == "27.move.land.3"


def test_a_ceded_region_is_taken_from_the_sea_too() -> None:
    war = fleet(ceding(), RED, EAST, infantry=1)
    after, _ = moved(war, land(EAST, "Palestine", infantry=1))
    assert after.lands["Palestine"].owner == RED


# ---------------------------------------------------------------- reinforcement


def attacked(schools: int = 3, **units: int) -> War:
    """Red stands in Blue's Egypt; Blue's general is in Sudan."""
    war = at_war(holding(position(RED, BLUE), BLUE, "Egypt", infantry=1))
    war = war.with_units("Egypt", Stack(RED, "infantry", 3, DONE, "Palestine"))
    war = holding(war, BLUE, "Sudan", (), general=1, **units)
    for name in ("Kenya", "Kongo", "Angola")[:schools]:
        war = holding(war, BLUE, name, ("city", "school"), infantry=1)
    return war


RULE = ReinforceRule("Egypt", "Sudan", (("cavalry", 0), ("infantry", 0), ("artillery", 0)))


def reinforced(war: War, rule: ReinforceRule | None, *dice: int) -> tuple[War, list[Event]]:
    made, events = table(war, *dice)
    play(reinforcements(made, RED), orders={BLUE: (rule,) if rule else ()})
    return made.state, events


@pytest.mark.parametrize(("infantry", "coming"), [(4, 2), (2, 1)])
def test_example_23_reinforcement_points_and_the_brigade_that_stays(infantry: int, coming: int) -> None:
    war = (
        attacked(cavalry=1, infantry=infantry) if infantry == 2 else attacked(cavalry=1, infantry=infantry, artillery=1)
    )
    after, events = reinforced(war, RULE, 2)
    land_ = after.lands["Egypt"]
    assert (land_.count(BLUE, "cavalry"), land_.count(BLUE, "infantry")) == (1, 1 + coming)
    assert (land_.count(BLUE, "general"), land_.count(BLUE, "artillery")) == (1, 0)
    assert after.lands["Sudan"].brigades(BLUE) >= 1
    assert told(events, UnitsMoved)[0].how == "reinforce"


def test_nobody_reinforces_by_default_or_beyond_the_limit_or_from_a_region_under_attack() -> None:
    war = attacked(infantry=3)
    assert reinforced(war, None)[1] == []
    (told_why,) = reinforced(war, replace(RULE, at_most=2))[1]
    assert "more than you named" in told_why.sentence()
    besieged = war.with_units("Sudan", Stack(RED, "infantry", 1, DONE, "Abyssinia"))
    (told_why,) = reinforced(besieged, RULE)[1]
    assert "itself under attack" in told_why.sentence()


def test_an_announced_general_goes_alone_if_nobody_can_be_spared() -> None:
    after, _ = reinforced(attacked(0, infantry=1), RULE, 1)
    assert after.lands["Egypt"].count(BLUE, "general") == 1
    assert after.lands["Sudan"].brigades(BLUE) == 1


def test_one_general_reinforces_a_region() -> None:
    war = holding(attacked(infantry=3), BLUE, "Tripoli", general=1, infantry=3)
    asked: list[Question[object]] = []
    made, _ = table(war, 1)
    answers = {"Egypt/reinforce by Blue": "Tripoli", "Egypt/brought by Blue": (("infantry", 2),)}
    play(reinforcements(made, RED), answers, asked=asked)
    assert made.state.lands["Egypt"].count(BLUE, "general") == 1
    assert made.state.lands["Egypt"].count(BLUE, "infantry") == 3  # 3 schools + 1 = 4 points
    assert made.state.lands["Sudan"].count(BLUE, "general") == 1


# ---------------------------------------------------------------- war


def test_war_costs_1_dp_and_is_refused_without_it_or_twice() -> None:
    war = position(RED, BLUE, GREEN)
    after, events = moved(war, DeclareWar(BLUE), DeclareWar(BLUE), DeclareWar(RED))
    assert after.treasuries[RED] == Treasury(100, 2)
    assert after.feuds == (Feud(RED, BLUE),)
    assert shortfalls(events) == ["R27-71", "27.war.3"]
    assert audit(war, events, after) == audit(war, (), war)
    poor = replace(war, treasuries={**war.treasuries, RED: Treasury(100, 0)})
    assert refused(poor, DeclareWar(BLUE)).rule == "27.war.3"
    assert refused(replace(war, out=(GREEN,)), DeclareWar(GREEN)).rule == "27.war.3"
    assert len(told(events, WarDeclared)) == 1


def test_an_attack_in_the_sheet_of_the_declaration_is_refused() -> None:
    war = holding(holding(position(), RED, "Egypt", infantry=3), BLUE, "Palestine", infantry=1)
    after, events = moved(war, DeclareWar(BLUE), march("Egypt", "Palestine", infantry=1))
    assert shortfalls(events) == ["27.war.4"]
    assert after.lands["Palestine"].count(RED) == 0


@pytest.mark.parametrize(("order", "first"), [((RED, BLUE), BLUE), ((BLUE, RED), BLUE)])
def test_example_36_who_attacks_first(order: tuple[Seat, Seat], first: Seat) -> None:
    war = replace(position(), order=order, active=RED)
    war, _ = moved(war, DeclareWar(BLUE))
    shares = [(1, seat) for seat in order[order.index(RED) + 1 :]] + [(2, seat) for seat in order]
    able = []
    for turn, seat in shares:
        war = ShareOpened(seat).change(replace(war, active=seat))
        other = BLUE if seat == RED else RED
        able += [(turn, seat)] if war.may_attack(seat, other) else []
    expected = [(1, BLUE), (2, RED), (2, BLUE)] if order == (RED, BLUE) else [(2, BLUE), (2, RED)]
    assert able == expected
    assert able[0][1] == first


# ---------------------------------------------------------------- speed


def test_a_big_sheet_is_quick() -> None:
    war = position()
    for name in BOARD.regions:
        war = holding(war, RED, name, infantry=4, cavalry=2)
    sheet = [
        MoveUnits((Lot("infantry", exactly(1)),), name, region.borders[0])
        for name, region in BOARD.regions.items()
        if region.borders
    ]
    made, events = table(war, chance=Keyed(b"s" * 32, 0))
    began = perf_counter()
    play(movement_orders(made, RED, sheet))
    assert perf_counter() - began < 0.5
    assert len(told(events, UnitsMoved)) == len(sheet)


# ---------------------------------------------------------------- one more order


class Disband(MoveOrder, frozen=True):
    """An order that no phase knows: infantry disbanded where they stand."""

    region: str

    phase = MOVEMENT

    def meaning(self) -> str:
        return f"Disband the infantry of {self.region}."

    def plan(self, war: War, seat: Seat, strict: bool) -> Outright:
        gone = [stack for stack in war.lands[self.region].stacks if (stack.owner, stack.kind) == (seat, "infantry")]
        if not gone:
            raise NotYet(f"No infantry of yours is in {self.region}.", "27.move.land.1")
        return Outright(tuple(UnitsLost(self.region, stack, "disbanded", "27.move.land.1") for stack in gone))


def test_what_an_order_brings_is_done_foreseen_and_refused_though_no_phase_knows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("referee.games.war.phases.movement.MOVES", (Disband,))
    war = holding(position(), RED, "Egypt", cavalry=1, infantry=2)
    after, events = moved(war, Disband("Egypt"), Disband("Egypt"))
    assert after.lands["Egypt"].count(RED, "infantry") == 0 and shortfalls(events) == ["27.move.land.1"]
    assert foresee(war, RED, [Disband("Egypt"), Disband("Egypt")]).war.lands["Egypt"] == after.lands["Egypt"]
    assert Disband("Egypt").lawful(war, RED) and not Disband("Egypt").lawful(after, RED)
