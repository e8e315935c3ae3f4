"""Control given, accepted and seized; Balkanization; petitions, suspension, interpretations."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.order import Intent, Portion, Quantity
from referee.core.page import Bullets
from referee.core.question import Answer, Question
from referee.games.empire.deeds.debts_and_petitions import bona_fide
from referee.games.empire.events.course import ConfidenceRolled, GameEnded
from referee.games.empire.events.dealing import (
    ControlPassed,
    CountryPassed,
    CountrySplit,
    GoodsTaken,
    PetitionSettled,
    TransferLapsed,
    TransferOffered,
    UnitSeized,
)
from referee.games.empire.events.economy import InterpretationPosted, LineDoubtful
from referee.games.empire.game import slots
from referee.games.empire.orders.base import Interpret, RollOut
from referee.games.empire.orders.giving import AcceptControl, Balkanize, GiveControl, GiveCountry, GiveGoods
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.petitions import PetitionFor, PostSuspension, Vote
from referee.games.empire.orders.seizing import Seize, SeizeGoods, takers
from referee.games.empire.orders.standing import SetRelation
from referee.games.empire.orders.zero_turn import TakePicks
from referee.games.empire.position import City, Lot, Worked
from referee.games.empire.position.state import Doubtful, Empire
from referee.games.empire.reckoning.conditions import confidence_of, points_by_line
from referee.games.empire.reckoning.movement_rates import check_stack
from referee.games.empire.reckoning.ownership import Goods, Some
from referee.games.empire.steady_player import order_form
from referee.games.empire.telling.report import audit, report
from referee.games.empire.telling.sheets.slots import petitions_sheet, trade_of
from referee.kit.refused import Refused
from tests.games.empire.driving import A, B, C, Told, act, aside, begun, do, put, run_phase, sheets


def of(told: Told, kind: type) -> list[Any]:
    return [event for event in told if isinstance(event, kind)]


def some(what: str, number: int) -> Goods:
    return Goods(what, Quantity(Portion.EXACTLY, number))


def home(empire: Empire, country: str) -> str:
    return empire.cities[f"{country} City"].at


def shore(empire: Empire) -> str:
    """A coastal square where nobody is."""
    return next(at for at in empire.board.squares if empire.board.coastal(at) and not empire.units_at(at))


# ---------------------------------------------------------------- transfer


def test_control_passes_when_both_have_spoken_and_takes_along_what_is_aboard() -> None:
    empire = begun()
    empire, ship = put(empire, "cargo ship", A, shore(empire), status="beach")
    empire, coolie = put(empire, "coolie", A, shore(begun()), aboard=ship)
    empire = empire.with_lot(Lot("St", 2, A, shore(begun()), aboard=ship))
    offered, told = do(empire, A, GiveControl((ship,), B))
    assert offered.units[ship].country == A and "(transfer 1)" in of(told, TransferOffered)[0].sentence()
    after, told = aside(offered, B, AcceptControl(1))
    assert audit(offered, told, after) == () and after.transfers == ()
    assert after.units[ship].country == after.units[coolie].country == B
    assert after.stock(B)["St"] == 7
    assert of(told, ControlPassed)[0].sentence() == (
        f"Control of 1 cargo ship, 1 coolie and 2 St in {shore(begun())} passed from Arcadia to Borealis."
    )


def test_who_was_not_named_cannot_accept() -> None:
    coolie = begun().units_of(A, "coolie")[0].number
    offered, _ = do(begun(), A, GiveControl((coolie,), B))
    for seat, number in ((C, 1), (A, 1), (B, 2)):
        after, told = aside(offered, seat, AcceptControl(number))
        assert after is offered and told == []


def test_a_transfer_of_what_is_gone_comes_to_nothing() -> None:
    coolie = begun().units_of(A, "coolie")[0].number
    offered, _ = do(begun(), A, GiveControl((coolie,), B))
    after, told = aside(offered.without_unit(coolie), B, AcceptControl(1))
    assert len(of(told, TransferLapsed)) == 1 and after.transfers == ()


@pytest.mark.parametrize(
    ("kind", "to", "says"),
    [("barge", B, "does not move by itself"), ("truck", A, "already"), ("truck", "Nowhere", "no country Nowhere")],
)
def test_what_cannot_be_given_is_refused(kind: str, to: str, says: str) -> None:
    empire, number = put(begun(), kind, A, home(begun(), A))
    with pytest.raises(Refused, match=says):
        do(empire, A, GiveControl((number,), to))
    with pytest.raises(Refused, match="is Arcadia's"):
        do(empire, B, GiveControl((number,), C))


def test_a_unit_handed_on_has_no_second_allowance_in_the_same_turn() -> None:
    empire, truck = put(begun(), "truck", A, home(begun(), A), spent=300)
    empire, _ = do(empire, A, GiveControl((truck,), B))
    empire, _ = aside(empire, B, AcceptControl(1))
    empire, _ = run_phase(empire)  # Arcadia's slot goes on
    empire, _ = run_phase(empire)  # Borealis, turn 1
    assert (empire.units[truck].country, empire.units[truck].spent) == (B, 300)
    for _ in (C, A, B):
        empire, _ = run_phase(empire)
    assert empire.units[truck].spent == 0


def test_goods_change_hands_only_where_both_are() -> None:
    empire, at = begun(), home(begun(), A)
    with pytest.raises(Refused, match="nobody in"):
        do(empire, A, GiveGoods((some("food", 3),), B, at))
    empire, _ = put(empire, "ambassador coolie", B, at)
    with pytest.raises(Refused, match="have 10 food there and cannot give 11"):
        do(empire, A, GiveGoods((some("food", 11),), B, at))
    with pytest.raises(Refused, match="You have no beer"):
        do(empire, A, GiveGoods((some("beer", 1),), B, at))
    offered, _ = do(empire, A, GiveGoods((some("food", 3), some("St", 1)), B, at))
    after, told = aside(offered, B, AcceptControl(1))
    assert audit(offered, told, after) == ()
    assert (after.stock(A, at)["food"], after.stock(B, at)) == (7, {"food": 3, "St": 1})


def test_a_stance_is_taken_toward_others_only() -> None:
    empire, _ = do(begun(), A, SetRelation(B, True))
    assert empire.countries[A].hostile_to(B, military=False)
    empire, _ = do(empire, A, SetRelation(B, False))
    assert not empire.countries[A].hostile_to(B, military=True)
    with pytest.raises(Refused, match="yours"):
        do(empire, A, SetRelation(A, True))


# ---------------------------------------------------------------- seizure


def beach(kind: str = "cargo ship", **more: Any) -> tuple[Empire, int, int]:
    """A thing of Borealis on a shore, and a coolie of Arcadia beside it."""
    empire = begun()
    empire, target = put(empire, kind, B, shore(begun()), **more)
    empire, coolie = put(empire, "coolie", A, shore(begun()))
    return empire, target, coolie


def test_a_coolie_seizes_a_beached_ship_with_its_cargo_and_the_victims_sheet_says_so() -> None:
    empire, ship, coolie = beach(status="beach")
    empire = empire.with_lot(Lot("food", 4, B, shore(begun()), aboard=ship))
    after, told = do(empire, A, Seize(ship, coolie))
    assert audit(empire, told, after) == ()
    assert after.units[ship].country == A and after.stock(B)["food"] == 10
    (event,) = of(told, UnitSeized)
    assert (event.cites(), event.giver, event.by) == ("emp.P16", B, coolie)
    assert "and 4 food aboard" in event.sentence()


@pytest.mark.parametrize(
    ("kind", "status", "says"),
    [
        ("cargo ship", "", "neither beached nor docked"),
        ("barge", "", "neither beached nor docked"),
        ("cargo plane", "air", "in the air"),
        ("coolie", "", "people are taken by attack only"),
    ],
)
def test_ships_at_sea_and_planes_in_the_air_are_not_seized(kind: str, status: str, says: str) -> None:
    empire, target, coolie = beach(kind, status=status)
    with pytest.raises(Refused, match=says):
        do(empire, A, Seize(target, coolie))


@pytest.mark.parametrize(
    ("guard", "stance", "may"),
    [("coolie", "", False), ("SAC", "", False), ("ambassador coolie", "", True), ("government coolie", "", True)],
)
def test_coolies_and_zones_of_the_victim_guard_a_square(guard: str, stance: str, may: bool) -> None:
    empire, ship, coolie = beach(status="dock")
    empire, _ = put(empire, guard, B, shore(begun()))
    assert takers(empire, A, empire.units[ship]) == ((empire.units[coolie],) if may else ())


def test_military_is_kept_off_by_hostile_zones_only() -> None:
    empire, ship, _ = beach(status="dock")
    empire, _ = put(empire, "coolie", B, shore(begun()))
    empire, sac = put(empire, "SAC", A, shore(begun()))
    assert takers(empire, A, empire.units[ship]) == (empire.units[sac],)
    empire, _ = put(empire, "SAC", B, shore(begun()))
    empire = empire.with_lot(Lot("food", 5, B, shore(begun())))  # who has nothing to eat has no zone
    assert takers(empire, A, empire.units[ship]) == ()


def test_aboard_a_ship_only_hostile_people_aboard_prevent_it() -> None:
    empire, ship, _ = beach()
    empire, rider = put(empire, "coolie", A, shore(begun()), aboard=ship)
    assert takers(empire, A, empire.units[ship]) == (empire.units[rider],)
    empire, _ = put(empire, "coolie", B, shore(begun()), aboard=ship)
    assert takers(empire, A, empire.units[ship]) == ()
    empire, sac = put(empire, "SAC", A, shore(begun()), aboard=ship)
    assert takers(empire, A, empire.units[ship]) == (empire.units[sac],)
    empire, _ = put(empire, "SAC", B, shore(begun()), aboard=ship)
    assert takers(empire, A, empire.units[ship]) == ()


def test_a_cargo_ship_takes_small_craft_that_are_empty_and_not_in_tow() -> None:
    empire, barge, _ = beach("barge")
    empire, ship = put(empire, "cargo ship", A, shore(begun()))
    assert takers(empire, A, empire.units[barge]) == (empire.units[ship],)
    towed = empire.with_unit(replace(empire.units[barge], aboard=ship))
    assert takers(towed, A, towed.units[barge]) == ()
    manned, _ = put(empire, "coolie", B, shore(begun()), aboard=barge)
    assert takers(manned, A, manned.units[barge]) == ()


def test_people_aboard_what_is_seized_stay_whose_they_are() -> None:
    empire, ship, _ = beach(status="beach")
    empire, guest = put(empire, "ambassador coolie", B, shore(begun()), aboard=ship)
    empire, sac = put(empire, "SAC", A, shore(begun()))
    empire, hand = put(empire, "coolie", B, shore(begun()), aboard=ship)
    empire = empire.with_lot(Lot("food", 2, B, shore(begun()), aboard=ship))
    empire = empire.with_lot(Lot("St", 1, B, shore(begun()), aboard=hand))
    after, told = do(empire, A, Seize(ship, sac))
    assert audit(empire, told, after) == ()
    assert [after.units[n].country for n in (ship, guest, hand)] == [A, B, B]
    assert (after.stock(B)["food"], after.stock(B)["St"]) == (10, 6)
    assert takers(after, B, after.units[ship]) == (after.units[hand],)  # and may take it back from within


def test_who_is_aboard_guards_the_square_too_and_what_is_not_a_cargo_ship_is_taken_only_in_reach() -> None:
    empire, yacht, coolie = beach("yacht", status="dock")
    assert takers(empire, A, empire.units[yacht]) == (empire.units[coolie],)
    manned, _ = put(empire, "coolie", B, shore(begun()), aboard=yacht)
    assert takers(manned, A, manned.units[yacht]) == ()
    inside = empire.with_unit(replace(empire.units[coolie], aboard=yacht))
    assert takers(inside, A, inside.units[yacht]) == (inside.units[coolie],)
    at_sea = inside.with_unit(replace(inside.units[yacht], status=""))
    assert takers(at_sea, A, at_sea.units[yacht]) == ()


def test_countries_of_one_owner_do_not_guard_against_each_other() -> None:
    empire, ship, coolie = beach(status="beach")
    other = replace(empire.countries[A], name="Utopia", origin="created", parent=A)
    empire, _ = put(empire.with_country(other), "SAC", "Utopia", shore(begun()))
    assert empire.units[coolie] in takers(empire, A, empire.units[ship])


@pytest.mark.parametrize("kind", ["rolling stock", "barge"])
def test_what_does_not_move_by_itself_is_taken_all_the_same(kind: str) -> None:
    empire, target, coolie = beach(kind, status="dock" if kind == "barge" else "")
    after, told = do(empire, A, Seize(target, coolie))
    assert after.units[target].country == A and of(told, UnitSeized)[0].cites() == "emp.P16"


# ---------------------------------------------------------------- goods by force


def stores() -> tuple[Empire, int]:
    """Three St and a unit of food of Borealis on a shore, and a coolie of Arcadia beside them."""
    empire, coolie = put(begun(), "coolie", A, shore(begun()))
    for what, number in (("St", 3), ("food", 1)):
        empire = empire.with_lot(Lot(what, number, B, shore(begun())))
    return empire, coolie


def test_goods_are_taken_by_force_and_stand_on_both_trade_sheets() -> None:
    empire, coolie = stores()
    after, told = do(empire, A, SeizeGoods((some("St", 2), some("food", 1)), coolie))
    assert audit(empire, told, after) == ()
    (event,) = of(told, GoodsTaken)
    at = shore(begun())
    assert event.sentence() == f"Arcadia took 2 St and 1 food from Borealis by force in {at} with unit {coolie}."
    assert (after.stock(A, at), after.stock(B, at)) == ({"St": 2, "food": 1}, {"St": 1})
    trade = trade_of(event)
    assert trade is not None and (trade.giver, trade.to, trade.how) == (B, A, f"taken by force by unit {coolie}")


@pytest.mark.parametrize(
    ("guard", "of", "may"),
    [("coolie", B, False), ("SAC", C, False), ("ambassador coolie", B, True), ("coolie", C, True)],
)
def test_goods_are_taken_within_the_limits_of_seizing(guard: str, of: str, may: bool) -> None:
    empire, coolie = stores()
    empire, _ = put(empire, guard, of, shore(begun()))
    intent = SeizeGoods((some("St", 1),), coolie)
    if may:
        assert do(empire, A, intent)[0].stock(A)["St"] == 6
    else:
        with pytest.raises(Refused, match=r"guards the square|zone of control"):
            do(empire, A, intent)


def test_goods_aboard_something_are_seized_with_it_or_by_somebody_aboard() -> None:
    empire, ship, coolie = beach()
    at = shore(begun())
    empire = empire.with_lot(Lot("St", 3, B, at, aboard=ship))
    intent = SeizeGoods((some("St", 2),), coolie, B)
    with pytest.raises(Refused, match=f"no St lying in {at}. Everything aboard cargo ship {ship} is seized with"):
        do(empire, A, intent)
    aboard = empire.with_unit(replace(empire.units[coolie], aboard=ship))
    after, _ = do(aboard, A, intent)
    assert [(lot.country, lot.number) for lot in after.lots if lot.aboard == ship] == [(B, 1), (A, 2)]
    guarded, _ = put(aboard, "coolie", B, at, aboard=ship)
    with pytest.raises(Refused, match="is aboard too"):
        do(guarded, A, intent)


def test_what_cannot_be_taken_is_refused() -> None:
    empire, coolie = stores()
    two = empire.with_lot(Lot("St", 1, C, shore(begun())))
    chief = next(unit for unit in empire.units_of(A, "government coolie"))
    for position, intent, says in (
        (empire, SeizeGoods((some("St", 4),), coolie), "Borealis has 3 St lying"),
        (empire, SeizeGoods((some("Cu", 1),), coolie), "nobody else has any"),
        (two, SeizeGoods((some("St", 1),), coolie), "Borealis and Cascadia have some; say OF whom"),
        (empire, SeizeGoods((some("St", 1),), coolie, A), "no country of another player"),
        (empire, SeizeGoods((some("St", 1),), chief.number), "nobody else has any"),
    ):
        with pytest.raises(Refused, match=says):
            do(position, A, intent)
    assert do(two, A, SeizeGoods((some("St", 1),), coolie, C))[0].stock(C)["St"] == 5


def test_nothing_is_seized_in_another_square_or_from_oneself() -> None:
    empire, ship, _ = beach(status="beach")
    far = empire.units_of(A, "coolie")[0].number
    for unit, by, says in ((ship, far, "not in"), (far, far, "is yours"), (9999, far, "no unit 9999")):
        with pytest.raises(Refused, match=says):
            do(empire, A, Seize(unit, by))


# ---------------------------------------------------------------- Balkanization


def with_colony(empire: Empire) -> tuple[Empire, int]:
    """A second city of Arcadia with six coolies of 36, a worked square and goods."""
    at = shore(empire)
    empire = empire.with_city(City("Tyre", at, A, 1))
    for _ in range(6):
        empire, number = put(empire, "coolie", A, at)
    empire = empire.with_lot(Lot("St", 3, A, at, inside="Tyre"))
    empire = replace(empire, worked=(Worked(at, "Fe", 1, A, number, 1),))
    country = replace(empire.countries[A], popular_fund=120, oil_due=60, confidence=9)
    return empire.with_country(country), number


def test_a_country_is_split_with_its_share_and_moves_right_after_its_parent() -> None:
    empire, number = with_colony(begun())
    after, told = do(empire, A, Balkanize("Utopia", ("Tyre",), (), number))
    assert audit(empire, told, after) == ()
    names = list(after.countries)
    assert names.index("Utopia") == names.index(A) + 1 and len(names) == 4
    new, old = after.countries["Utopia"], after.countries[A]
    assert (new.owner, new.origin, new.parent, new.confidence, new.owned_since) == (A, "created", A, 9, 1)
    assert (new.popular_fund, old.popular_fund, new.oil_due, old.oil_due) == (20, 100, 10, 50)
    assert after.units[number].kind == "government coolie" and len(after.units_of("Utopia", "coolie")) == 5
    assert after.stock("Utopia") == {"St": 3} and after.worked[0].country == "Utopia"
    assert after.cities["Tyre"].country == "Utopia" and after.lots[-1].inside == "Tyre"
    assert "moving after Arcadia" in of(told, CountrySplit)[0].sentence()
    assert [country.name for country in after.owned(A)] == [A, "Utopia"]
    _, told = run_phase(after)
    assert [event.country for event in of(told, ConfidenceRolled)] == [A, "Utopia"]


def test_splitting_frees_nobody_from_enemies_bans_or_the_limits_of_a_square() -> None:
    empire, number = with_colony(begun())
    empire, _ = do(empire, B, SetRelation(A, True))
    site = empire.cities["Tyre"].at
    banned = replace(empire.countries[A], band="crisis", suppressed=(site,))
    after, _ = do(empire.with_country(banned), A, Balkanize("Utopia", ("Tyre",), (), number))
    new = after.countries["Utopia"]
    assert (new.band, new.suppressed) == ("crisis", (site,))
    assert after.countries[B].hostile_to("Utopia", military=False)
    assert "Utopia" not in after.countries[C].stances
    for _ in range(8):
        after, _ = put(after, "SAC", A, site)
    after, sac = put(after, "SAC", "Utopia", site)
    with pytest.raises(Refused, match="8 formations stand in"):
        check_stack(after, after.units[sac], site)


def test_countries_of_one_owner_count_together_with_confidence_weighted_by_coolies() -> None:
    empire, number = with_colony(begun())
    after, _ = do(empire, A, Balkanize("Utopia", ("Tyre",), (), number))
    raised = after.with_country(replace(after.countries["Utopia"], confidence=16))
    assert confidence_of(raised, A) == (9 * 30 + 16 * 5, 35)
    assert dict((what, worth) for what, _, worth in points_by_line(raised, A))["confidence"] == 20
    assert dict((what, worth) for what, _, worth in points_by_line(raised, A))["cities"] == 10


@pytest.mark.parametrize(
    ("intent", "says"),
    [
        (Balkanize("Utopia", ("Arcadia City",)), "capital"),
        (Balkanize("borealis", ("Tyre",)), "no free name"),
        (Balkanize("Utopia", ("Borealis City",)), "no city of yours"),
        (Balkanize("Utopia", ()), "Name a city or units"),
    ],
)
def test_what_cannot_be_split_off_is_refused(intent: Intent, says: str) -> None:
    empire, _ = with_colony(begun())
    with pytest.raises(Refused, match=says):
        do(empire, A, intent)


def test_a_new_country_needs_a_coolie_for_its_government() -> None:
    empire, _ = with_colony(begun())
    sac, chief = empire.units_of(A, "SAC")[0].number, empire.units_of(A, "government coolie")[0].number
    for units, says in (((sac,), "needs a coolie"), ((chief,), "is the government")):
        with pytest.raises(Refused, match=says):
            do(empire, A, Balkanize("Utopia", (), units))


# ---------------------------------------------------------------- whole countries


def handed_on(empire: Empire, country: str, to: str, seat: Any) -> tuple[Empire, Told]:
    """A whole country given up by its player and accepted by another."""
    offered, told = do(empire, empire.countries[country].owner, GiveCountry(country, to))
    after, more = aside(offered, seat, AcceptControl(offered.transfers[0].number))
    return after, told + more


def test_a_whole_country_passes_and_moves_in_the_slot_of_who_took_it() -> None:
    empire, number = with_colony(begun())
    split, _ = do(empire, A, Balkanize("Utopia", ("Tyre",), (), number))
    after, told = handed_on(split, "Utopia", B, B)
    (event,) = of(told, CountryPassed)
    assert audit(split, told, after) == ()
    assert event.sentence() == "The whole country Utopia passed from Arcadia to Borealis; it moves after Borealis."
    country = after.countries["Utopia"]
    assert (country.owner, country.origin, country.owned_since) == (B, "traded", 1)
    assert [c.name for c in after.owned(B)] == [B, "Utopia"] and [c.name for c in after.owned(A)] == [A]
    assert after.units_of("Utopia") == split.units_of("Utopia") and after.transfers == ()


def test_a_country_that_has_moved_waits_for_its_new_owners_next_turn_and_rolls_once_a_turn() -> None:
    empire, number = with_colony(begun())
    rolls: list[tuple[int, str]] = []

    def reply(question: Question[Any]) -> Answer[Any]:
        return Answer((Balkanize("Utopia", ("Tyre",), (), number), GiveCountry("Utopia", B), RollOut()))

    empire, told = run_phase(empire, reply)
    rolls += [(1, event.country) for event in of(told, ConfidenceRolled)]
    empire, _ = aside(empire, B, AcceptControl(1))
    assert empire.countries["Utopia"].held == 1
    for turn in (1, 1, 2, 2):
        empire, told = run_phase(empire)
        rolls += [(turn, event.country) for event in of(told, ConfidenceRolled)]
    assert rolls == [(1, A), (1, "Utopia"), (1, B), (1, C), (2, A), (2, B), (2, "Utopia")]


def test_a_country_handed_on_in_its_own_slot_still_ends_its_turn_there() -> None:
    empire, number = with_colony(begun())
    split, _ = run_phase(empire, sheets([Balkanize("Utopia", ("Tyre",), (), number), RollOut()]))
    for _ in (B, C):
        split, _ = run_phase(split)

    def accepted(question: Question[Any]) -> Answer[Any]:
        return Answer((GiveCountry("Utopia", B), RollOut()))

    offered, told = run_phase(split, accepted)
    assert {event.country for event in of(told, ConfidenceRolled)} == {A, "Utopia"}
    passed, _ = aside(offered, B, AcceptControl(1))
    _, told = run_phase(passed)
    assert [event.country for event in of(told, ConfidenceRolled)] == [B]


def test_who_ran_no_country_has_a_slot_after_its_parent_once_he_has_held_it_for_a_full_turn() -> None:
    empire, number = with_colony(begun())
    empire, _ = do(empire, A, Balkanize("Utopia", ("Tyre",), (), number))
    empire, _ = handed_on(empire, C, B, B)
    assert bona_fide(empire) == (A, B)
    kept = replace(
        empire, countries={n: replace(c, owner=C) if n == "Tyros" else c for n, c in empire.countries.items()}
    )
    seat_of_c = replace(kept.countries["Utopia"], name="Remnant", owner=C, origin="traded", owned_since=1)
    kept, told = handed_on(kept.with_country(seat_of_c), "Utopia", "Remnant", C)
    assert of(told, CountryPassed) and kept.order == (A, B, C)
    lone = replace(kept, countries={n: c for n, c in kept.countries.items() if n != "Remnant"})
    assert (slots(lone, 2), slots(lone, 3)) == ((A, B), (A, B, C))


@pytest.mark.parametrize(
    ("country", "to", "says"),
    [(B, C, "Borealis is not yours"), (A, A, "both yours"), (A, "Nowhere", "no country Nowhere")],
)
def test_a_country_that_cannot_be_given_is_refused(country: str, to: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        do(begun(), A, GiveCountry(country, to))


# ---------------------------------------------------------------- petitions


def petition(kind: str, *votes: tuple[str, str]) -> tuple[Empire, Told]:
    """Arcadia's petition (its own yes is cast with it), and votes on it."""
    empire, told = aside(begun(), A, PetitionFor(kind, "Reefs may be mined."))
    for seat, vote in votes:
        empire, more = aside(empire, B if seat == "B" else C if seat == "C" else A, Vote(1, vote))
        told += more
    return empire, told


@pytest.mark.parametrize(
    ("kind", "votes", "result"),
    [
        ("clarification", (("B", "no"),), ""),
        ("clarification", (("B", "no"), ("C", "quorum")), "failed"),
        ("clarification", (("B", "quorum"), ("C", "quorum")), "passed"),
        ("clarification", (("B", "yes"),), "passed"),
        ("change", (("B", "quorum"), ("C", "quorum")), "failed"),
        ("change", (("B", "quorum"),), ""),
        ("change", (("C", "yes"),), "passed"),
        ("change", (("B", "no"), ("C", "no")), "failed"),
    ],
)
def test_clarifications_need_a_simple_majority_and_changes_an_absolute_one(
    kind: str, votes: tuple[tuple[str, str], ...], result: str
) -> None:
    empire, told = petition(kind, *votes)
    assert empire.petitions[0].result == result
    assert len(of(told, PetitionSettled)) == bool(result)


def test_rolling_out_is_a_vote_of_quorum() -> None:
    empire, _ = petition("clarification")
    for seat in (A, B, C):
        assert empire.petitions[0].result == ""
        empire, _ = run_phase(empire)
        assert empire.petitions[0].votes[seat] == ("yes" if seat == A else "quorum")
    assert empire.petitions[0].result == "passed"


def test_a_suspension_names_its_hours_and_needs_a_simple_majority() -> None:
    empire, _ = aside(begun(), B, PostSuspension(48))
    assert empire.petitions[0].kind == "suspension"
    _, told = aside(empire, C, Vote(1, "yes"))
    (settled,) = of(told, PetitionSettled)
    assert (settled.cites(), settled.hours, settled.passed) == ("emp.P11", 48, True)
    assert "suspended for 48 hours from now" in settled.sentence()
    with pytest.raises(Refused, match="from 1 to 336"):
        PostSuspension(0).check(empire, A)


def test_the_game_ends_by_petition_when_the_slot_is_over() -> None:
    empire, _ = petition("end", ("B", "yes"))
    empire, told = run_phase(empire)
    assert "petitioned" in of(told, GameEnded)[0].why and empire.ended


def test_only_bona_fide_players_post_and_vote_and_only_while_it_is_open() -> None:
    empire, _ = petition("clarification", ("B", "yes"))
    with pytest.raises(Refused, match="has passed"):
        Vote(1, "no").check(empire, C)
    created = replace(empire.countries[B], origin="created", owned_since=1)
    fresh = empire.with_country(created)
    assert bona_fide(fresh) == (A, C)
    assert bona_fide(replace(fresh, turn=3)) == (A, B, C)
    with pytest.raises(Refused, match="no bona fide player"):
        PetitionFor("change", "x").check(fresh, B)
    with pytest.raises(Refused, match="one of clarification"):
        PetitionFor("wish", "x").check(empire, B)


# ---------------------------------------------------------------- interpretations


def test_a_doubtful_line_is_settled_for_good_by_the_next_who_interprets_it_in_his_slot() -> None:
    doubt = Doubtful(2, 4, A, ("through c1r1", "through c1r2"))
    empire, _ = act(replace(begun(), active=B, slot=3), lambda table: table.emit(LineDoubtful(doubt)))
    for seat, intent, says in (
        (A, Interpret(2, 4, 2), "his own"),
        (B, Interpret(2, 5, 1), "open to interpretation"),
        (B, Interpret(2, 4, 3), "2 readings"),
    ):
        with pytest.raises(Refused, match=says):
            do(empire, seat, intent)
    settled, told = do(empire, B, Interpret(2, 4, 2))
    assert told[0].sentence() == (
        "Borealis (slot 3) interprets line 4 of Arcadia (slot 2), which settles it for good: through c1r2."
    )
    assert len(of(told, InterpretationPosted)) == 1 and settled.doubtful[0].taken == 2
    with pytest.raises(Refused, match="settled for good"):
        do(settled, C, Interpret(2, 4, 1))
    later, _ = run_phase(empire)
    with pytest.raises(Refused, match="rolled out since"):
        do(later, B, Interpret(2, 4, 1))
    for _ in (C, A):
        assert later.doubtful
        later, _ = run_phase(later)
    assert later.doubtful == ()  # Arcadia has rolled out again: nobody may question it any more
    kept = settled
    for _ in (B, C, A):
        kept, _ = run_phase(kept)
    assert [d.by for d in kept.doubtful] == [B]  # what was settled stays on record


def two_coolies(empire: Empire) -> tuple[Empire, str, int, int]:
    """Two coolies of Arcadia in one square, one of whom works a farm there."""
    at = next(at for at in empire.board.squares if empire.board.squares[at].food == "farm" and not empire.units_at(at))
    empire, idle = put(empire, "coolie", A, at)
    empire, hand = put(empire, "coolie", A, at)
    return replace(empire, worked=(Worked(at, "farm", 1, A, hand, 0, 0),)), at, idle, hand


def one_goes(empire: Empire, at: str) -> tuple[Empire, Told, str]:
    """Arcadia says that one coolie goes next door, and rolls out."""
    there = next(
        there
        for _, there in empire.board.grid.around(at)
        if not empire.board.squares[there].water and empire.city_at(there) is None
    )
    order = MoveUnits((), there, (), (Some("coolie", Quantity(Portion.EXACTLY, 1), at),))
    empire, told = run_phase(empire, sheets([order, RollOut()]))
    return empire, told, there


def test_which_of_several_unlike_units_went_is_put_before_the_others() -> None:
    empire, at, idle, hand = two_coolies(begun())
    empire, told, there = one_goes(empire, at)
    (event,) = of(told, LineDoubtful)
    assert event.doubtful.readings == (f"coolie {idle}", f"coolie {hand} (works farm in {at})")
    assert "It was read as 1; another player may say otherwise in his next slot: INTERPRET LINE 1 OF 2 AS 2." in (
        event.sentence()
    )
    assert (empire.units[idle].at, empire.units[hand].at) == (there, at)


def test_another_reading_changes_who_went_and_what_his_absence_means_but_nothing_that_was_rolled() -> None:
    empire, at, idle, hand = two_coolies(begun())
    empire, _, there = one_goes(empire, at)
    after, told = do(empire, B, Interpret(2, 1, 2))
    assert (after.units[idle].at, after.units[hand].at) == (at, there)
    assert audit(empire, told, after) == ()
    assert after.countries == empire.countries and after.lots == empire.lots
    (worked,) = after.worked
    assert worked.invested == empire.worked[0].invested - 1  # nobody was there at the end of the turn: no output
    same, _ = do(empire, B, Interpret(2, 1, 1))
    assert same.units == empire.units and same.doubtful[0].by == B


def test_a_reading_takes_along_what_the_unit_carries() -> None:
    empire, at, idle, hand = two_coolies(begun())
    empire = replace(empire.with_lot(Lot("St", 1, A, at, aboard=hand)), worked=())
    empire, told, there = one_goes(empire, at)
    assert of(told, LineDoubtful)[0].doubtful.readings[1] == f"coolie {hand} (carries 1 St)"
    after, _ = do(empire, B, Interpret(2, 1, 2))
    assert [lot.at for lot in after.lots if lot.aboard == hand] == [there] and after.units[idle].at == at


def test_a_line_that_comes_to_the_same_however_it_is_read_is_not_doubtful() -> None:
    empire, at, *_ = two_coolies(begun())
    _, told, _ = one_goes(replace(empire, worked=()), at)
    assert of(told, LineDoubtful) == []


def test_what_cannot_be_done_is_no_reading() -> None:
    empire, at, _, hand = two_coolies(begun())
    empire = replace(empire, worked=()).with_lot(Lot("St", 1, A, at, aboard=hand))
    spent = empire.with_unit(replace(empire.units[hand], held=1, spent=360))
    _, told, _ = one_goes(spent, at)
    assert of(told, LineDoubtful) == []


def test_a_unit_that_was_ordered_on_since_shows_what_was_meant() -> None:
    empire, at, idle, hand = two_coolies(begun())
    empire, _, _ = one_goes(empire, at)
    gone = empire.with_unit(replace(empire.units[idle], at=at))
    with pytest.raises(Refused, match=f"coolie {idle} is not where that line left it"):
        do(gone, B, Interpret(2, 1, 2))
    with pytest.raises(Refused, match=f"Unit {hand} is no more"):
        do(replace(empire, worked=()).without_unit(hand), B, Interpret(2, 1, 2))


@cache
def two_ways() -> MoveUnits:
    """A move of a coolie of Arcadia to a square that two ways reach equally cheaply, as a match begins."""
    empire = begun()
    number = empire.units_of(A, "coolie")[0].number
    home = empire.units[number].at
    for target in (at for at in empire.board.squares if at != home and not empire.board.squares[at].water):
        move = MoveUnits((number,), target)
        try:
            _, told = run_phase(empire, sheets([move, RollOut()]))
        except AssertionError:
            continue
        if of(told, LineDoubtful):
            return move
    raise AssertionError("the board has no such square")


def test_ways_of_equal_cost_are_doubtful_on_turn_one_where_picks_may_follow_them() -> None:
    empire = begun()
    move = two_ways()
    (number,) = move.units
    home = empire.units[number].at
    after, told = run_phase(empire, sheets([move, TakePicks(("road", "truck")), RollOut()]))
    doubt = of(told, LineDoubtful)[0].doubtful
    assert doubt.readings[0].startswith(f"coolie {number} by way of")
    assert after.walked[A] == (home, *doubt.ways[0])
    read, _ = do(after, B, Interpret(2, 1, 2))
    assert read.walked[A] == (home, *doubt.ways[1]) and read.units == after.units
    only_units = sheets([TakePicks(("truck", "truck")), move, RollOut()])
    assert of(run_phase(empire, only_units)[1], LineDoubtful) == []


def tells_of(words: str, before: Empire, told: Told, after: Empire) -> tuple[bool, bool, bool]:
    """Whether words stand in the report of a slot, in the form of who may interpret it, and in the sheet of doubts."""
    bullets = [
        line for block in report(before, told, after, A).blocks if isinstance(block, Bullets) for line in block.items
    ]
    rows = [str(cell) for grid in petitions_sheet(after).grids for row in grid.rows for cell in row]
    form = "".join(line.removeprefix("#") for line in order_form(after, B))
    return any(words in line for line in bullets), words in form, any(words in cell for cell in rows)


@pytest.mark.parametrize(("picks", "asked"), [((), False), (("truck", "truck"), False), (("truck", "road"), True)])
def test_ways_of_equal_cost_are_told_only_where_a_line_follows_them(picks: tuple[str, ...], asked: bool) -> None:
    empire = begun()
    move = two_ways()
    taken = [TakePicks(picks)] if picks else []
    after, told = run_phase(empire, sheets([move, *taken, RollOut()]))
    assert tells_of("by way of", empire, told, after) == (asked, asked, asked)
