"""Natives: westernizing, revolts and their chains, explorers, prospecting, regions won and lost, and what stays secret."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Audience, Drawn, Event
from referee.core.names import Reader, Role, Seat
from referee.core.question import Question
from referee.core.table import Script, Table
from referee.games.war.events.combat import OrderFellShort, UnitsLost, UnitsRaised
from referee.games.war.events.economy import ChitDrawn, ChitReplaced, MarkerSeen
from referee.games.war.events.natives import (
    DiplomacyPaid,
    DiplomacyRolled,
    RegionTaken,
    RegionWesternized,
    RevoltBegan,
    RevoltRolled,
    SpherePlaced,
    SpheresRemoved,
)
from referee.games.war.game import GAME as WAR27
from referee.games.war.orders.combat import CombatOrder, ExploreRegion, ProspectRegion
from referee.games.war.orders.natives import InciteRevolt, NativeOrder, RemoveSphere, WesternizeRegion
from referee.games.war.orders.standing_home import EvacuateTo, FavourRule, PickRule, PointsRule, SphereRule, StrikeOrder
from referee.games.war.phases import (
    draw_chit,
    draw_marker,
    pacify,
    reveal_marker,
    revert,
    strike_order,
    take_region,
    trim_spheres,
)
from referee.games.war.phases.construction import native_diplomacy_share
from referee.games.war.phases.land_battle import act, combat_phase, explore, land_battle
from referee.games.war.phases.production import incite, revolt_chain
from referee.games.war.position import Army, Feud, Fleet, Land, Marker, Stack, Treasury
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import (
    automatic_reduction,
    known_marker,
    marker_named,
    native_army,
    outcome,
    third,
)
from referee.games.war.rulebook import BOARD, BRIGADES
from referee.games.war.telling.forecast import unresolved
from referee.games.war.telling.sheets import audit
from referee.games.war17.phases.battles import combat_phase as combat_phase17
from referee.kit.declared import Words
from referee.kit.game import evolve
from referee.kit.refused import Refused
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, play, position, table, told


def restless(war: War, owner: Seat, region: str, marker: str, *buildings: str, **units: int) -> War:
    """The position with a region of `owner` whose marker lies face up."""
    face_up = replace(marker_named(marker), face_up=True)
    return holding(war, owner, region, buildings, **units).with_land(region, marker=face_up)


def spheres(war: War, region: str, **owners: int) -> War:
    """The position with spheres in a region: `spheres(war, "Egypt", Red=2)`."""
    return war.with_land(region, spheres={Seat(name): number for name, number in owners.items()})


def production(war: War) -> War:
    """The position in its production phase."""
    return replace(war, stage="production")


def seen(start: War, events: Sequence[Event], reader: Reader) -> War:
    """The position as far as a reader was told of it."""
    return reduce(evolve, [event for one in events if (event := one.told_to(reader))], start)


def warring(war: War, one: Seat, other: Seat) -> War:
    """The position with these two at war, ready to attack."""
    return replace(war, feuds=(*war.feuds, Feud(one, other, (one, other))))


# ---------------------------------------------------------------- armies and garrisons


@pytest.mark.parametrize(
    ("marker", "army"),
    [("4++", Army(2, 1, 1)), ("7+", Army(5, 2)), ("9++", Army(5, 3, 1)), ("12", Army(12)), ("5+", Army(4, 1))],
)
def test_a_native_army_by_its_marker(marker: str, army: Army) -> None:
    """Worked example 17; 27.combat.natives.2."""
    assert native_army(marker_named(marker)) == army
    assert army.brigades == marker_named(marker).strength


def test_a_die_halved_and_rounded_up() -> None:
    assert [third(die) for die in range(1, 7)] == [1, 1, 2, 2, 3, 3]


# ---------------------------------------------------------------- westernizing


def nine_plus(dp: int) -> War:
    """Worked example 14: NL 9+, city, school, explorer, one own sphere."""
    war = restless(position(), RED, "Egypt", "9+", "city", "school", "fort", infantry=1, explorer=1)
    war = production(spheres(war, "Egypt", Red=1, Blue=2))
    return replace(war, treasuries={**war.treasuries, RED: Treasury(0, dp)})


def test_westernizing_with_a_diplomacy_point() -> None:
    """Worked example 14: 9 - 3 - 1 - 3 = 2, westernized."""
    scene, events = table(nine_plus(dp=1))
    cup = scene.state.markers["9+"]
    play(native_diplomacy_share(scene, RED, [WesternizeRegion("Egypt", spheres=1)]))
    egypt = scene.state.lands["Egypt"]
    assert egypt.westernized and not egypt.spheres
    assert scene.state.treasuries[RED].dp == 0
    assert scene.state.markers["9+"] == cup + 1, "the marker goes back as it was drawn"
    assert [event.sentence() for event in told(events, RegionWesternized)] == [
        "Egypt (Red) is westernized: its native marker and all spheres of influence are gone."
    ]


def test_westernizing_without_a_diplomacy_point() -> None:
    """Worked example 14: 5+, stays."""
    scene, events = table(nine_plus(dp=0))
    play(native_diplomacy_share(scene, RED, [WesternizeRegion("Egypt", spheres=1)]))
    egypt = scene.state.lands["Egypt"]
    assert str(egypt.marker) == "5+" and egypt.spheres == {BLUE: 2}
    assert [event.why for event in told(events, OrderFellShort)] == ["It costs 1 DP; you have 0."]


def test_a_point_that_is_not_needed_is_not_spent() -> None:
    """Worked example 15: NL 5, factory, explorer: 3."""
    war = restless(position(), RED, "Egypt", "5", "factory", infantry=1, explorer=1)
    scene, events = table(production(war))
    play(native_diplomacy_share(scene, RED, [WesternizeRegion("Egypt")]))
    assert scene.state.lands["Egypt"].westernized
    assert scene.state.treasuries[RED].dp == 3 and not told(events, DiplomacyPaid)
    assert [event.why for event in told(events, OrderFellShort)] == ["Egypt is westernized already."]


def test_one_diplomacy_point_a_region() -> None:
    war = restless(position(), RED, "Egypt", "12", infantry=1)
    scene, events = table(production(war))
    play(native_diplomacy_share(scene, RED, [WesternizeRegion("Egypt"), WesternizeRegion("Egypt")]))
    assert str(scene.state.lands["Egypt"].marker) == "9"
    assert [event.dp for event in told(events, DiplomacyPaid)] == [1]


def test_what_reduces_natives_by_itself() -> None:
    war = restless(position(), RED, "Egypt", "12++", "city", "school", "fort", infantry=1, explorer=2, engineer=1)
    assert automatic_reduction(war.lands["Egypt"]) == 4


def test_nothing_is_westernized_in_a_revolt() -> None:
    """R27-20."""
    war = restless(position(), RED, "Egypt", "9", "city", infantry=1).with_land("Egypt", revolt=Army(9))
    scene, events = table(production(spheres(war, "Egypt", Red=1, Blue=1)))
    sheet = [WesternizeRegion("Egypt"), RemoveSphere("Egypt", BLUE), RemoveSphere("Egypt", RED)]
    play(native_diplomacy_share(scene, RED, sheet))
    egypt = scene.state.lands["Egypt"]
    assert str(egypt.marker) == "9" and egypt.spheres == {BLUE: 1}
    assert [event.by_rule for event in told(events, OrderFellShort)] == ["R27-20", "R27-20"]


# ---------------------------------------------------------------- removing spheres


def test_one_foreign_sphere_is_bought_off_and_any_number_of_an_enemy_is_free() -> None:
    """27.production.natives.spheres.1, .2."""
    war = restless(position(RED, BLUE, GREEN), RED, "Egypt", "12", infantry=1)
    scene, events = table(production(warring(spheres(war, "Egypt", Blue=3, Green=3), RED, GREEN)))
    sheet = [RemoveSphere("Egypt", BLUE), RemoveSphere("Egypt", BLUE), RemoveSphere("Egypt", GREEN, 3)]
    play(native_diplomacy_share(scene, RED, sheet))
    assert scene.state.lands["Egypt"].spheres == {BLUE: 2}
    assert scene.state.treasuries[RED].dp == 2
    assert len(told(events, OrderFellShort)) == 1


def test_an_own_sphere_in_anothers_region_leaves_its_natives_as_they_are() -> None:
    """R27-18."""
    war = spheres(restless(position(), BLUE, "Egypt", "7", infantry=1), "Egypt", Red=2)
    scene, _ = table(production(war))
    play(native_diplomacy_share(scene, RED, [RemoveSphere("Egypt", RED)]))
    assert scene.state.lands["Egypt"].spheres == {RED: 1}
    assert str(scene.state.lands["Egypt"].marker) == "7"


class Feast(NativeOrder, frozen=True):
    """An order that no phase knows: the natives of a region are feasted for 1 DP."""

    words = Words("FEAST", "", "R27-18", "")

    def meaning(self) -> str:
        return "Feast the natives."

    def permit(self, war: War, seat: Seat) -> None:
        """At any time."""

    def brings(self, war: War, seat: Seat) -> tuple[DiplomacyPaid, ...]:
        return (DiplomacyPaid(seat, self.dp(war, seat), "on a feast", self.words.rule),)


def test_an_order_to_natives_is_done_and_paid_though_no_phase_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.games.war.phases.construction._CERTAIN", (Feast,))
    scene, events = table(production(position().paying(RED, dp=1 - position().treasuries[RED].dp)))
    play(native_diplomacy_share(scene, RED, [Feast(), Feast()]))
    assert [event.dp for event in told(events, DiplomacyPaid)] == [1] and len(told(events, OrderFellShort)) == 1


def test_the_owner_strikes_the_surplus_enemies_first() -> None:
    """27.combat.explorer.5, R27-66, Q9."""
    war = restless(position(RED, BLUE, GREEN), RED, "Egypt", "6", "city", infantry=1)
    war = production(warring(spheres(war, "Egypt", Red=1, Blue=3, Green=2), RED, GREEN))
    scene, events = table(war)
    asked: list[Question[Any]] = []
    play(native_diplomacy_share(scene, RED, []), asked=asked)
    assert scene.state.lands["Egypt"].spheres == {RED: 1, BLUE: 3, GREEN: 1}
    assert [question.key for question in asked] == ["test/Egypt/spheres to strike"]
    assert strike_order(war, RED, (RED, BLUE, GREEN)) == (GREEN, BLUE, RED)
    scene, events = table(war)
    play(native_diplomacy_share(scene, RED, []), orders={RED: [StrikeOrder((BLUE,))]})
    assert [(event.owner, event.number) for event in told(events, SpheresRemoved)] == [(BLUE, 1)]


def test_too_short_a_list_of_spheres_to_strike_is_filled_up() -> None:
    war = spheres(restless(position(), RED, "Egypt", "4", infantry=1), "Egypt", Red=3, Blue=3)
    scene, _ = table(war)
    play(trim_spheres(scene, "Egypt"), answers={"spheres to strike": (3,)})
    assert scene.state.lands["Egypt"].spheres == {RED: 2, BLUE: 2}


# ---------------------------------------------------------------- inciting revolts


def eight_in_egypt(*seats: Seat) -> War:
    """NL 8 in Blue's Egypt: two spheres that support (Red's, who incites), one of Green's that suppresses."""
    war = restless(position(*(seats or (RED, BLUE, GREEN))), BLUE, "Egypt", "8", infantry=1)
    war = holding(war, RED, "Palestine", infantry=1)
    return production(spheres(war, "Egypt", Red=2, Green=1))


@pytest.mark.parametrize(
    ("bribe", "dice", "rises"), [(True, (6, 6), True), (False, (4, 5), True), (False, (5, 5), False)]
)
def test_a_revolt_with_spheres_and_bribe(bribe: bool, dice: tuple[int, int], rises: bool) -> None:
    """Worked example 16: -4 with the bribe: 12 counts 8; -1 without: 9 counts 8, 10 counts 9."""
    scene, events = table(eight_in_egypt(), *dice)
    play(incite(scene, RED, InciteRevolt("Egypt", bribe=bribe)))
    (rolled,) = told(events, RevoltRolled)
    assert rolled.modifier == (-4 if bribe else -1) and rolled.rises == rises
    egypt = scene.state.lands["Egypt"]
    assert egypt.revolt == (Army(8) if rises else None)
    assert egypt.sides == ({RED: "support", GREEN: "suppress"} if rises else {})
    assert scene.state.treasuries[RED].dp == (1 if bribe else 2)


def test_a_revolt_paid_with_a_sphere_needs_no_neighbour() -> None:
    """27.production.revolt.2, .5; the sphere is gone before the roll (R27-21)."""
    war = eight_in_egypt().with_land("Palestine", owner=None, stacks=())
    with pytest.raises(Refused) as refused:
        InciteRevolt("Egypt").permit(war, RED)
    assert refused.value.illegal.rule == "27.production.revolt.5"
    scene, events = table(war, 4, 4)
    play(incite(scene, RED, InciteRevolt("Egypt", with_sphere=True)))
    assert scene.state.lands["Egypt"].spheres == {RED: 1, GREEN: 1}
    assert told(events, RevoltRolled)[0].modifier == 0 and told(events, RevoltBegan)


def test_a_fleet_off_the_coast_is_near_enough_and_a_region_in_revolt_is_not() -> None:
    war = eight_in_egypt().with_land("Palestine", revolt=Army(4))
    with pytest.raises(Refused):
        InciteRevolt("Egypt").permit(war, RED)
    InciteRevolt("Egypt").permit(war.with_fleet(Fleet(1, RED, "Red Sea")), RED)


def test_one_attempt_a_region_and_turn_whoever_makes_it() -> None:
    """27.production.revolt.1, R27-21."""
    war = holding(eight_in_egypt(), GREEN, "Sudan", infantry=1)
    scene, events = table(war, 6, 6)
    play(native_diplomacy_share(scene, RED, [InciteRevolt("Egypt")]))
    play(native_diplomacy_share(scene, GREEN, [InciteRevolt("Egypt")]))
    assert len(told(events, RevoltRolled)) == 1
    assert scene.state.treasuries[GREEN].dp == 3
    assert "one a turn is allowed" in told(events, OrderFellShort)[0].why
    scene.state = replace(scene.state, turn=2)
    InciteRevolt("Egypt").permit(scene.state, GREEN)


def test_owners_of_spheres_take_sides_as_they_say() -> None:
    """Q8, R27-21."""
    scene, events = table(eight_in_egypt(), 6, 4)
    play(incite(scene, RED, InciteRevolt("Egypt")), answers={"revolt/Green": "support"})
    assert told(events, RevoltRolled)[0].modifier == -3
    scene, events = table(eight_in_egypt(), 6, 4)
    rules = [SphereRule("suppress"), SphereRule("support", of=BLUE), SphereRule("suppress", "Sudan")]
    play(incite(scene, RED, InciteRevolt("Egypt")), orders={GREEN: rules})
    assert told(events, RevoltRolled)[0].modifier == -3
    scene, events = table(warring(eight_in_egypt(), GREEN, BLUE), 6, 4)
    play(incite(scene, RED, InciteRevolt("Egypt")))
    assert told(events, RevoltRolled)[0].modifier == -3


@pytest.mark.parametrize("region", ["Palestine", "Sudan", "Tripoli"])
def test_where_no_revolt_can_be_incited(region: str) -> None:
    """Own, native and westernized regions."""
    war = holding(eight_in_egypt(), BLUE, "Tripoli", infantry=1).with_fleet(Fleet(1, RED, "Eastern Mediterranean"))
    with pytest.raises(Refused):
        InciteRevolt(region).permit(war, RED)


# ---------------------------------------------------------------- chain revolts


def test_natives_next_door_hear_of_a_won_revolt() -> None:
    """Worked example 39."""
    war = restless(position(RED, BLUE, GREEN), BLUE, "Sudan", "9", "city", infantry=0)
    war = spheres(restless(war, BLUE, "Egypt", "6", infantry=1), "Egypt", Red=1)
    war = restless(holding(war, BLUE, "Kenya", infantry=1), BLUE, "Tripoli", "7", infantry=1)
    war = warring(war.with_land("Tripoli", revolt=Army(7)), RED, BLUE)
    scene, events = table(war, 3, 4)
    play(revert(scene, "Sudan", after_revolt=True))
    play(revolt_chain(scene, "Sudan"))
    assert [(event.region, event.total) for event in told(events, RevoltRolled)] == [("Egypt", 6)]
    assert scene.state.lands["Egypt"].revolt == Army(6)
    assert scene.state.lands["Sudan"].owner is None and not scene.state.lands["Sudan"].buildings
    assert scene.state.treasuries[RED].dp == 3


def test_a_failed_chain_roll_changes_nothing_and_does_not_use_up_the_attempt() -> None:
    war = restless(position(), BLUE, "Egypt", "6", infantry=1)
    scene, events = table(war, 6, 6)
    play(revolt_chain(scene, "Sudan"))
    assert scene.state.lands["Egypt"] == war.lands["Egypt"] and len(told(events, RevoltRolled)) == 1


# ---------------------------------------------------------------- won and lost


@pytest.mark.parametrize(("marker", "left"), [("6", None), ("4", None), ("6+", None), ("7+", "4+"), ("12++", "9++")])
def test_a_conquered_region_is_pacified(marker: str, left: str | None) -> None:
    """Worked example 29: NL 6, die 5: NL 3, westernized at once, a chit, +1 DP; NL 7 never so."""
    war = native(position(), "Sudan", marker).with_units("Sudan", Stack(RED, "infantry", 2))
    scene, events = table(war, 7, 5)
    play(take_region(scene, RED, "Sudan", "conquest"))
    play(pacify(scene, RED, "Sudan", revolt=False))
    sudan = scene.state.lands["Sudan"]
    assert sudan.owner == RED and sudan.chit is not None
    assert (str(sudan.marker) if sudan.marker else None) == left
    assert scene.state.treasuries[RED].dp == 4
    assert told(events, RegionTaken)[0].sentence() == (
        f"Red conquers Sudan from its natives; its native marker shows {marker}."
    )


@pytest.mark.parametrize(("strength", "die", "westernized"), [(4, 1, True), (4, 6, True), (7, 6, False)])
def test_the_weakest_are_always_westernized_by_a_win(strength: int, die: int, westernized: bool) -> None:
    """Worked example 29, second half."""
    scene, _ = table(restless(position(), RED, "Sudan", str(strength), infantry=1), die)
    play(pacify(scene, RED, "Sudan", revolt=False))
    assert scene.state.lands["Sudan"].westernized == westernized


def test_a_native_region_keeps_its_strength_for_the_next_attack() -> None:
    """Worked example 30: both sides out in one round; the natives win, all have seen the marker, it stays as strong."""
    war = native(position(), "Sudan", "4").with_units("Sudan", Stack(RED, "infantry", 4, 1, "Egypt"))
    scene, _ = table(war, *[6] * 8)
    play(land_battle(scene, RED, "Sudan", "Sudan"))
    sudan = scene.state.lands["Sudan"]
    assert sudan.owner is None and not sudan.stacks and sudan.marker is not None
    assert native_army(sudan.marker) == Army(4)
    assert not sudan.marker.face_up and sudan.marker.seen_by == scene.state.seats
    play(revert(scene, "Sudan"))
    assert scene.state.lands["Sudan"] == sudan, "what is native cannot revert"


def revolting() -> War:
    """Red's Egypt in revolt: Blue's two spheres supported it, Green's one did not."""
    war = restless(position(RED, BLUE, GREEN), RED, "Egypt", "9+", infantry=3)
    return spheres(war, "Egypt", Blue=2, Green=1).with_land(
        "Egypt", revolt=Army(6, 3), sides={BLUE: "support", GREEN: "suppress"}
    )


def test_a_suppressed_revolt_costs_strength_or_the_spheres_that_supported_it() -> None:
    """27.combat.natives.7, Q21."""
    scene, _ = table(revolting(), 6)
    play(pacify(scene, RED, "Egypt", revolt=True))
    egypt = scene.state.lands["Egypt"]
    assert str(egypt.marker) == "6+" and egypt.spheres == {BLUE: 2, GREEN: 1}
    assert egypt.revolt is None and not egypt.sides and egypt.won_in == scene.state.share
    scene, _ = table(revolting(), 6)
    play(pacify(scene, RED, "Egypt", revolt=True), orders={RED: [PointsRule("spheres")]})
    egypt = scene.state.lands["Egypt"]
    assert str(egypt.marker) == "8+" and egypt.spheres == {GREEN: 1}


def test_natives_who_win_a_revolt_keep_their_friends_only() -> None:
    """27.combat.natives.9, R27-67: the marker keeps its present strength."""
    war = revolting().with_land("Egypt", buildings=("city", "school"), chit="Gold", developed=True)
    scene, _ = table(war.with_land("Egypt", stacks=()))
    play(revert(scene, "Egypt", after_revolt=True))
    egypt = scene.state.lands["Egypt"]
    assert egypt.owner is None and egypt.spheres == {BLUE: 2} and egypt.revolt is None
    assert (egypt.buildings, egypt.developed, egypt.chit) == ((), False, "Gold")
    assert str(egypt.marker) == "9+" and not (egypt.marker and egypt.marker.face_up)


def test_a_westernized_region_that_is_lost_draws_anew_and_keeps_all_spheres() -> None:
    """27.combat.results.4."""
    scene, events = table(holding(position(), RED, "Egypt"), 1)
    play(revert(scene, "Egypt"))
    assert str(scene.state.lands["Egypt"].marker) == "10", "the first of the cup in order of name"
    assert sum(scene.state.markers.values()) == 63
    assert str(seen(scene.state, events, BLUE).lands["Egypt"].marker) == "?"


def test_parties_leave_a_lost_region_as_their_owner_lists_else_to_the_strongest_neighbour() -> None:
    """R27-02."""
    war = holding(position(), RED, "Egypt", explorer=1, engineer=1)
    war = holding(holding(war, RED, "Palestine", infantry=1), RED, "Sudan", infantry=2)
    scene, _ = table(war, 1)
    play(revert(scene, "Egypt"))
    assert scene.state.lands["Sudan"].count(RED, "explorer", "engineer") == 2
    scene, _ = table(war, 1)
    play(revert(scene, "Egypt"), orders={RED: [EvacuateTo(("Tripoli", "Palestine"))]})
    assert scene.state.lands["Palestine"].count(RED, "explorer", "engineer") == 2
    assert not scene.state.lands["Egypt"].stacks


def test_parties_without_a_friendly_neighbour_board_fleets_as_room_allows() -> None:
    war = holding(position(), RED, "Egypt", explorer=9, engineer=1).with_fleet(Fleet(1, RED, "Red Sea"))
    scene, events = table(war, 1)
    play(revert(scene, "Egypt"))
    assert scene.state.fleets[1].points == 8
    assert sum(event.lost.number for event in told(events, UnitsLost)) == 2


def test_a_conqueror_drives_out_other_explorers_and_sees_the_chit() -> None:
    """R27-73, R27-65."""
    war = native(holding(position(), BLUE, "Egypt", infantry=1), "Sudan", "9").with_land("Sudan", chit="Gold")
    war = war.with_units("Sudan", Stack(RED, "infantry", 1)).with_units("Sudan", Stack(BLUE, "explorer", 1))
    scene, events = table(war)
    play(take_region(scene, RED, "Sudan", "conquest"))
    assert scene.state.lands["Egypt"].count(BLUE, "explorer") == 1
    assert not told(events, Drawn)
    hidden = war.with_land("Sudan", chit="?")
    assert seen(hidden, events, RED).lands["Sudan"].chit == "Gold"
    assert seen(hidden, events, BLUE).lands["Sudan"].chit == "?"
    assert "Gold" not in "".join(repr(event.told_to(BLUE)) for event in events)


# ---------------------------------------------------------------- explorers


def at_the_natives(marker: str = "7+", helped: bool = True) -> War:
    """Worked example 31: two own neighbours, a fleet off the coast, one hostile sphere."""
    war = native(position(), "Sudan", marker).with_units("Sudan", Stack(RED, "explorer", 1, 1, "Egypt"))
    if not helped:
        return war
    war = holding(holding(war, RED, "Egypt", infantry=1), RED, "Kenya", infantry=2)
    return spheres(war.with_fleet(Fleet(1, RED, "Red Sea")), "Sudan", Blue=1)


@pytest.mark.parametrize(
    ("dice", "result"),
    [
        ((3, 4), "control"), ((1, 3), "sphere"), ((2, 3), "sphere"), ((3, 3), "sphere"), ((1, 2), "retreat"),
        ((1, 1), "lost"),
    ],
)  # fmt: skip
def test_an_explorers_roll(dice: tuple[int, int], result: str) -> None:
    """Worked example 31: +2 +1 -1 -2 = 0."""
    scene, events = table(at_the_natives(), *dice, 1)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    (rolled,) = told(events, DiplomacyRolled)
    assert sum(value for _, value in rolled.modifiers) + rolled.signs == 0
    assert rolled.result == result
    sudan = scene.state.lands["Sudan"]
    match result:
        case "control":
            assert sudan.owner == RED and [(s.kind, s.number) for s in sudan.stacks] == [("infantry", 1)]
            assert str(sudan.marker) == "7+" and sudan.marker and sudan.marker.face_up and sudan.chit
            assert scene.state.treasuries[RED].dp == 3, "no DP for a roll (R27-64)"
        case "sphere":
            assert sudan.spheres == {BLUE: 1, RED: 1} and sudan.count(RED, "explorer") == 1
        case "retreat":
            assert not sudan.stacks and scene.state.lands["Kenya"].count(RED, "explorer") == 1
        case _:
            assert not sudan.stacks and told(events, UnitsLost)


def test_a_gift_adds_a_die() -> None:
    """Worked example 31: 3d6 = 7 is control."""
    scene, events = table(at_the_natives(), 2, 2, 3, 1)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan", gift=True)))
    assert scene.state.lands["Sudan"].owner == RED and scene.state.treasuries[RED].dp == 2
    assert [event.sentence() for event in told(events, DiplomacyPaid)] == [
        "Red spends 1 DP on a gift to the natives of Sudan."
    ]


def test_strong_natives_kill_a_friendless_explorer() -> None:
    """Worked example 32: NL 12++: 6 - 4 = 2 < 6."""
    scene, events = table(at_the_natives("12++", helped=False), 3, 3)
    play(explore(scene, RED, "Sudan", None))
    assert told(events, DiplomacyRolled)[0].sentence() == (
        "Red's explorer in Sudan rolls 6 and -4 plus signs = 2 against 12: the explorer is killed."
    )
    assert not scene.state.lands["Sudan"].stacks


def test_the_lowest_dice_kill_whatever_the_total() -> None:
    """Worked example 32: NL 5, 2d6 = 2 with +6."""
    assert outcome(2 + 6, 5, natural=True) == "lost"
    war = at_the_natives("5")
    for region in ("Abyssinia", "Kongo", "Equatorial Africa"):
        war = holding(war, RED, region, infantry=1)
    scene, events = table(war.with_land("Sudan", spheres={}), 1, 1)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    (rolled,) = told(events, DiplomacyRolled)
    assert sum(value for _, value in rolled.modifiers) == 6 and rolled.result == "lost"


def test_a_gift_needs_an_old_neighbour_or_a_fleet() -> None:
    """27.combat.explorer.2: a region won in this share does not count; the explorer rolls without."""
    war = replace(holding(at_the_natives("7", helped=False), RED, "Egypt", infantry=1), turn=1)
    fresh = war.with_land("Egypt", won_in=war.share)
    scene, events = table(fresh, 1, 2)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan", gift=True)))
    assert not told(events, DiplomacyPaid) and "He rolls without." in told(events, OrderFellShort)[0].why
    for allowed in (war, fresh.with_fleet(Fleet(1, RED, "Red Sea")), fresh.with_land("Egypt", won_in="T0/M2/Red")):
        scene, events = table(allowed, 1, 2, 2, 1)
        play(explore(scene, RED, "Sudan", ExploreRegion("Sudan", gift=True)))
        assert told(events, DiplomacyPaid)


def test_an_explorer_without_orders_asks_and_rolls_by_default() -> None:
    """Q22."""
    asked: list[Question[Any]] = []
    scene, events = table(at_the_natives(), 1, 3)
    play(explore(scene, RED, "Sudan", None), asked=asked)
    assert [question.key.removeprefix("test/Sudan/explorer 1/") for question in asked] == [
        "roll", "favour of Blue", "influence",
    ]  # fmt: skip
    assert [word.partition(":")[0] for word in asked[0].menu.words()] == ["roll", "gift", "wait"]
    assert told(events, SpherePlaced)
    scene, events = table(at_the_natives())
    play(explore(scene, RED, "Sudan", None), answers={"roll": "wait"})
    assert events == []


def test_spheres_of_others_help_those_they_favour() -> None:
    """Q23."""
    scene, events = table(at_the_natives(), 1, 4, 1)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")), orders={BLUE: [FavourRule((RED,))]})
    assert told(events, DiplomacyRolled)[0].result == "control"


def test_at_the_limit_a_rivals_sphere_is_removed_instead() -> None:
    """27.combat.explorer.4, R27-72; where all are his own nothing happens."""
    war = at_the_natives("5", helped=False)
    scene, events = table(spheres(war, "Sudan", Red=2, Blue=3), 1, 3)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    assert scene.state.lands["Sudan"].spheres == {RED: 2, BLUE: 2} and told(events, SpheresRemoved)
    full = spheres(at_the_natives("12++", helped=False), "Sudan", Red=12)
    scene, events = table(full, 1, 2)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    assert told(events, DiplomacyRolled)[0].result == "sphere"
    assert scene.state.lands["Sudan"].spheres == {RED: 12} and scene.state.lands["Sudan"].count(RED, "explorer") == 1


def test_an_order_names_whose_sphere_goes() -> None:
    war = replace(at_the_natives("9", helped=False), order=(RED, BLUE, GREEN))
    scene, _ = table(spheres(war, "Sudan", Blue=2, Green=1), 5, 4)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan", remove=GREEN)))
    assert scene.state.lands["Sudan"].spheres == {BLUE: 2}


def test_several_explorers_roll_until_one_succeeds() -> None:
    """R27-72, R27-73: the second wins; the third, still there, is Red's own and stays."""
    war = at_the_natives().with_units("Sudan", Stack(RED, "explorer", 2, 1, "Egypt"))
    scene, events = table(war, 2, 3, 6, 6, 1)
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    assert [event.result for event in told(events, DiplomacyRolled)] == ["sphere", "control"]
    assert scene.state.lands["Sudan"].count(RED, "explorer") == 2


def test_only_natives_are_talked_to() -> None:
    with pytest.raises(Refused) as refused:
        ExploreRegion("Egypt").permit(holding(position(), BLUE, "Egypt", infantry=1), RED)
    assert str(refused.value) == "Egypt is Blue's; explorers roll in native regions only."


# ---------------------------------------------------------------- prospecting


def prospectors(schools: int, engineers: int = 1) -> War:
    """Red's Egypt with engineers, a dot there, and schools elsewhere."""
    war = holding(position(), RED, "Egypt", infantry=1, engineer=engineers)
    for region in ("Palestine", "Arabia", "Tripoli", "Sudan", "Kenya")[:schools]:
        war = holding(war, RED, region, ("city", "school"), infantry=1)
    return war


def prospecting(scene: Table[War], seat: Seat = RED, region: str = "Egypt") -> Script[None]:
    return act(scene, seat, region, [ProspectRegion(region)], set())


@pytest.mark.parametrize(("schools", "chits"), [(0, 1), (1, 1), (3, 1), (4, 2), (5, 2)])
def test_one_chit_for_two_schools(schools: int, chits: int) -> None:
    """27.combat.prospect.2."""
    scene, events = table(prospectors(schools), *range(1, chits + 1))
    before = sum(scene.state.chits.values())
    play(prospecting(scene))
    (found,) = told(events, ChitReplaced)
    assert len(found.drawn) == chits and scene.state.lands["Egypt"].chit == found.kept
    assert scene.state.treasuries[RED].pp == 95 and sum(scene.state.chits.values()) == before


def test_the_best_chit_is_kept_unless_another_is_listed() -> None:
    """Q24. The cup in order of name: Coal 1-2, Cotton 3-4."""
    scene, events = table(prospectors(4), 3, 1)
    play(prospecting(scene))
    assert told(events, ChitReplaced)[0].drawn == ("Cotton", "Coal") and scene.state.lands["Egypt"].chit == "Coal"
    scene, events = table(prospectors(4), 3, 1)
    play(prospecting(scene), orders={RED: [PickRule(("Tea", "Cotton"))]})
    assert scene.state.lands["Egypt"].chit == "Cotton"


def test_each_engineer_prospects_once_a_share() -> None:
    """R27-74."""
    scene, events = table(prospectors(0, engineers=2), 1, 3)
    for _ in range(3):
        play(prospecting(scene))
    assert len(told(events, ChitReplaced)) == 2 and len(told(events, OrderFellShort)) == 1
    scene.state = replace(scene.state, round=2)
    scene, events = table(scene.state, 1)
    play(prospecting(scene))
    assert len(told(events, ChitReplaced)) == 1


@pytest.mark.parametrize("change", [{"developed": True}, {"chit": None}, {"owner": BLUE}, {"stacks": ()}])
def test_where_nobody_can_prospect(change: dict[str, Any]) -> None:
    scene, events = table(prospectors(0).with_land("Egypt", **change))
    play(prospecting(scene))
    assert [type(event) for event in events] == [OrderFellShort] and scene.state.treasuries[RED].pp == 100


class Dismiss(CombatOrder, frozen=True):
    """An order that no phase knows: the engineers of a region go home."""

    def meaning(self) -> str:
        return f"Dismiss the engineers of {self.region}."

    def permit(self, war: War, seat: Seat) -> None:
        if not war.lands[self.region].count(seat, "engineer"):
            raise Refused(f"No engineer of yours is in {self.region}.", "R27-74")

    def brings(self, war: War, seat: Seat) -> tuple[UnitsLost, ...]:
        gone = (stack for stack in war.lands[self.region].stacks if (stack.owner, stack.kind) == (seat, "engineer"))
        return tuple(UnitsLost(self.region, stack, "dismissed", "R27-74") for stack in gone)


@pytest.mark.parametrize("combat", [combat_phase, combat_phase17])
def test_an_order_of_combat_is_done_though_no_phase_knows_it(combat: Callable[..., Script[None]]) -> None:
    scene, events = table(prospectors(0, engineers=2))
    play(combat(scene, RED, [Dismiss("Egypt"), Dismiss("Egypt")]))
    assert scene.state.lands["Egypt"].count(RED, "engineer") == 0
    assert len(told(events, UnitsLost)) == 1 and len(told(events, OrderFellShort)) == 1
    (doubt,) = unresolved(scene.state, RED, [Dismiss("Egypt")])
    assert doubt.sentence == "As things stand: No engineer of yours is in Egypt."


# ---------------------------------------------------------------- secrets


def failed_roll(marker: str) -> tuple[War, War, list[Event]]:
    """A first entry that draws this marker, and an explorer's roll of 5 there that ends in retreat."""
    war = holding(position(), RED, "Egypt", infantry=1).with_units("Sudan", Stack(RED, "explorer", 1))
    war = replace(war, markers={marker: 1})
    scene, events = table(war, 1, 2, 3)
    play(draw_marker(scene, "Sudan"))
    play(draw_marker(scene, "Sudan"))
    play(explore(scene, RED, "Sudan", ExploreRegion("Sudan")))
    return war, scene.state, events


def test_a_marker_is_known_to_him_alone_who_rolled() -> None:
    """R27-05."""
    start, end, events = failed_roll("10")
    assert str(seen(start, events, Role.REFEREE).lands["Sudan"].marker) == "10"
    assert seen(start, events, Role.REFEREE) == end
    assert str(seen(start, events, RED).lands["Sudan"].marker) == "10"
    assert str(seen(start, events, BLUE).lands["Sudan"].marker) == "?"
    assert str(seen(start, events, Role.OBSERVER).lands["Sudan"].marker) == "?"
    assert str(known_marker(end.lands["Sudan"], RED)) == "10" and str(known_marker(end.lands["Sudan"], BLUE)) == "?"


def test_two_markers_read_the_same_to_him_who_saw_none() -> None:
    """10 and 8+ (5 + 1 - 2 = 4) both send the explorer home."""
    readings = []
    for marker in ("10", "8+"):
        _, _, events = failed_roll(marker)
        assert told(events, DiplomacyRolled)[0].result == "retreat"
        readings.append([event for one in events if (event := one.told_to(BLUE))])
    assert readings[0] == readings[1]


def test_a_battle_shows_the_marker_to_all_once() -> None:
    war = native(position(), "Sudan", "9+")
    scene, events = table(war)
    reveal_marker(scene, "Sudan", RED)
    reveal_marker(scene, "Sudan")
    reveal_marker(scene, "Sudan")
    assert [event.sentence() for event in events] == ["The native marker of Sudan shows 9+."] * 2
    hidden = war.with_land("Sudan", marker=Marker(0))
    assert str(seen(hidden, events, BLUE).lands["Sudan"].marker) == "9+"


def test_a_chit_is_seen_by_its_owner() -> None:
    scene, events = table(holding(position(), RED, "Egypt", infantry=1).with_land("Egypt", chit=None), 1)
    start = scene.state
    play(draw_chit(scene, "Egypt", RED))
    assert seen(start, events, RED).lands["Egypt"].chit == "Coal"
    assert seen(start, events, BLUE).lands["Egypt"].chit == "?"
    assert [event.sentence() for event in events if event.told_to(BLUE) is not None] != []
    assert "Coal" not in "".join(event.sentence() for one in events if (event := one.told_to(BLUE)))


def test_what_an_engineer_found_is_his_secret() -> None:
    scene, events = table(prospectors(4), 3, 1)
    start = scene.state
    play(prospecting(scene))
    blue = [event for one in events if (event := one.told_to(BLUE))]
    assert [event.sentence() for event in blue] == ["Red prospects in Egypt for 5 PP and draws 2 chits."]
    assert seen(start, events, BLUE).lands["Egypt"].chit == "?"


def test_every_event_cites_a_rule_and_has_an_audience() -> None:
    for event in WAR27.events:
        assert event.rule.startswith(("27.", "R27-")) and event.audience in (Audience.EVERYONE, Audience.OWNER)


# ---------------------------------------------------------------- everything together


def empires() -> War:
    """Red and Blue share the first forty regions in turn, some of them with buildings; nothing else is drawn."""
    war = position(RED, BLUE)
    for number, region in enumerate(list(BOARD.regions)[:40]):
        owner = (RED, BLUE)[number % 2]
        units = {"infantry": 1, "engineer": 1} if number % 3 else {"infantry": 2}
        war = holding(war, owner, region, ("city",) if number % 5 == 0 else (), **units)
    dots = {**war.chits, "dot": 0}
    return replace(warring(war, RED, BLUE), chits=dots)


def lose_brigades(scene: Table[War], region: str) -> Script[None]:
    """All brigades of a region's owner fall, and the region goes back to its natives."""
    for stack in scene.state.lands[region].stacks:
        if stack.kind in BRIGADES:
            scene.emit(UnitsLost(region, stack, "a fever"))
    yield from revert(scene, region, after_revolt=scene.state.lands[region].revolt is not None)
    yield from revolt_chain(scene, region)


def visit(scene: Table[War], seat: Seat, region: str) -> Script[None]:
    """Whatever natives allow a seat to do in a region, by what it is now."""
    land = scene.state.lands[region]
    if land.owner is None:
        scene.emit(UnitsRaised(region, seat, "explorer", 2))
        yield from explore(scene, seat, region, ExploreRegion(region, gift=True), ExploreRegion(region))
    elif land.revolt is not None:
        yield from pacify(scene, land.owner, region, revolt=True)
    elif land.marker is not None and land.owner != seat:
        yield from incite(scene, seat, InciteRevolt(region, with_sphere=seat in land.spheres))
    elif land.marker is not None:
        yield from native_diplomacy_share(scene, seat, [WesternizeRegion(region)])
    elif land.owner == seat:
        yield from prospecting(scene, seat, region)
    else:
        yield from lose_brigades(scene, region)


@pytest.mark.parametrize("seed", range(4))
def test_the_books_balance_whatever_the_dice_say(seed: int) -> None:
    """Six visits to every region by keyed dice: the audit, the replay and what readers were told agree."""
    start = empires()
    scene, events = table(start, chance=Keyed(b"natives", seed))
    for turn in range(1, 7):
        scene.state = start = replace(scene.state, turn=turn)
        events.clear()
        for number, region in enumerate(BOARD.regions):
            play(visit(scene, (RED, BLUE)[(number + turn * seed) % 2], region))
        assert not audit(start, events, scene.state)
        assert seen(start, events, Role.REFEREE) == scene.state
        for reader in (RED, BLUE, Role.OBSERVER):
            assert seen(start, events, reader).treasuries == scene.state.treasuries
            assert [*map(owner_and_units, seen(start, events, reader).lands.values())] == [
                *map(owner_and_units, scene.state.lands.values())
            ]
    assert all(event.sentence().endswith(".") for event in events)


def owner_and_units(land: Land) -> tuple[Seat | None, dict[Seat, int], tuple[Stack, ...], Army | None]:
    """What everybody sees of a region."""
    return land.owner, land.spheres, land.stacks, land.revolt


def test_a_marker_shown_in_battle_and_a_chit_drawn_cite_the_rules_that_say_so() -> None:
    assert MarkerSeen("Sudan", Marker(8, 1), (RED, BLUE), public=True).cites() == "R27-05"
    assert ChitDrawn(RED, "Sudan", "Oil").cites() == "R27-65"
