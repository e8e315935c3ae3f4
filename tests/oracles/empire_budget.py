"""Oracles of the economic record in Empire: bookings, fund, balance, confidence, oil, pay."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from referee.core.event import Event
from referee.games.empire.events.air_and_sea import PlanesIntercepted, SeaBattleFought
from referee.games.empire.events.course import ConfidenceRolled
from referee.games.empire.events.economy import (
    BudgetClosed,
    ConfidenceMoved,
    DebtPaid,
    DuesCounted,
    ExchangeSent,
    FuelDue,
    TroopsPaid,
)
from referee.games.empire.events.fighting import BattleFought
from referee.games.empire.events.moving import StatusChanged, UnitMoved
from referee.games.empire.events.supply import PersonDied, SquareInvested
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.empire_food import FORMATIONS

DEBT = 600
"""The record counts oil, chemicals, pay and the balance in six-hundredths."""

MILITARY = (
    *FORMATIONS,
    "battleship",
    "carrier",
    "cruiser",
    "destroyer",
    "submarine",
    "pirate ship",
    "fighter",
    "TAC",
    "strategic bomber",
)
HOUSES: dict[str, tuple[tuple[int, ...], str, int, int, int, int]] = {
    "standard": ((-2, -1, 0, 1, 2), "1/2", 6, 25, 2, 3),
    "gentle": ((-1, -1, 0, 1, 1), "1/3", 8, 25, 2, 2),
    "stern": ((-2, -1, 0, 1, 2), "2/3", 5, 30, 1, 4),
}
"""House rules of confidence: luck, share of the investment, step, part of the fund, most up, most down."""


def _booked(event: Event, country: str) -> Counter[str]:
    """What an event puts into the budget of a country, by what it tells."""
    found = Counter[str]()
    if isinstance(event, ExchangeSent):
        found["sent"] = event.points * (event.country == country)
        found["received"] = event.points * (event.to == country)
    elif getattr(event, "country", None) == country and not isinstance(event, BudgetClosed):
        found["cost"] = (
            event.points if isinstance(event, TroopsPaid) else getattr(event, "cost", 0) * hasattr(event, "books")
        )
        found["edu"] = getattr(event, "edu", 0)
        found["investment"] = event.points if isinstance(event, SquareInvested) else 0
    return found


NO_MONEY = ("UnitMoved", "FormationArmed", "OilPumped", "FormationsAdvanced")
"""Events whose cost is in BTA."""


def bookings(stretch: Stretch) -> Iterator[Line]:
    """I.I d: cost, EDU and investment of the turn are those of what was built, worked, made, paid and consumed in it."""
    for fact in stretch.of(BudgetClosed):
        country = fact.event.country
        start = stretch.before.countries.get(country)
        due = Counter[str]()
        if start is None:
            continue
        for name in ("cost", "edu", "investment", "sent", "received"):
            due[name] = getattr(start.booked, name)
        for past in stretch.facts[: fact.place]:
            if type(past.event).__name__ not in NO_MONEY:
                due.update(_booked(past.event, country))
        told = {name: getattr(fact.event.booked, name) for name in ("cost", "edu", "investment", "sent", "received")}
        yield Line(f"{country}'s bookings", told, {name: due[name] for name in told})


def fund(stretch: Stretch) -> Iterator[Line]:
    """I.I d: the popular fund is the fund before, the current fund and the cost, less the tax, a fourth of the current fund."""
    for fact in stretch.of(BudgetClosed):
        before = Fraction(fact.before.countries[fact.event.country].popular_fund, 4)
        current = Fraction(fact.event.booked.edu)
        yield Line("tax", Fraction(fact.event.tax, 4), current / 4)
        yield Line(
            "popular fund", Fraction(fact.event.fund, 4), before + current + fact.event.booked.cost - current / 4
        )
        yield Line("it is kept", fact.after.countries[fact.event.country].popular_fund, fact.event.fund)


def rolls(stretch: Stretch) -> Iterator[Line]:
    """I.D: two dice, less one for every full 24 hours, never below 2."""
    for fact in stretch.of(ConfidenceRolled):
        thrown = stretch.thrown(fact.place)
        yield Line("roll of confidence", (fact.event.roll, len(thrown)), (sum(thrown), 2))
        yield Line(
            "modified roll",
            fact.event.modified,
            max(2, fact.event.roll - fact.event.late) if fact.event.late else fact.event.roll,
        )


def confidence(stretch: Stretch) -> Iterator[Line]:
    """H-14, H-15, H-16: luck, the balance in started steps of 6 and a 25th of the fund, arms, hunger and lost cities; 0 to 20."""
    for fact in stretch.of(ConfidenceMoved):
        event, empire = fact.event, fact.before
        closed = next(
            past
            for past in stretch.back(fact.place)
            if isinstance(past.event, BudgetClosed) and past.event.country == event.country
        )
        roll = next(past.event for past in stretch.back(fact.place) if isinstance(past.event, ConfidenceRolled))
        luck, share, scale, part, most, least = HOUSES[empire.houses.get("confidence", empire.options["confidence"])]
        booked, before = closed.event.booked, Fraction(closed.before.countries[event.country].popular_fund, 4)
        balance = (
            booked.edu * Fraction(5, 4)
            + booked.received
            - booked.sent
            - booked.cost
            - Fraction(share) * booked.investment
        )
        yield Line("balance", Fraction(event.balance, DEBT), balance)
        steps = balance / (scale + before / part)
        economy = min(most, math.ceil(steps)) if balance >= 0 else max(-least, math.floor(steps))
        yield Line("luck", event.luck, luck[sum(roll.modified > bound for bound in (3, 5, 8, 10))])
        yield Line("economy", event.economy, economy)
        yield Line("losses", event.losses, -_losses(closed, booked))
        own = empire.countries[event.country]
        due = (
            4 if own.band == "collapse" else max(0, min(20, own.confidence + event.luck + event.economy + event.losses))
        )
        yield Line("confidence", (event.before, event.confidence), (own.confidence, due))
        yield Line("it is kept", fact.after.countries[event.country].confidence, event.confidence)


def _losses(closed: Fact[BudgetClosed], booked: Any) -> int:
    units = [unit.kind for unit in closed.before.units.values() if unit.country == closed.event.country]
    military, coolies = sum(kind in MILITARY for kind in units), units.count("coolie")
    arms = 2 if 2 * military > coolies else 1 if 4 * military > coolies else 0
    return int(arms + math.ceil(booked.starved / 3) + booked.cities_lost + 3 * booked.capital_lost)


def pay(stretch: Stretch) -> Iterator[Line]:
    """I.I d, Military Pay: a tenth for every land military unit of the turn, those destroyed in it as well."""
    for fact in stretch.of(DuesCounted):
        units = [u for u in fact.before.units.values() if u.country == fact.event.country and u.kind in FORMATIONS]
        gone = fact.before.countries[fact.event.country].booked.paid
        yield Line("pay due", fact.event.pay, DEBT // 10 * (len(units) + gone))
    for paid in stretch.of(TroopsPaid):
        due = paid.before.countries[paid.event.country].pay_due
        yield at_most("whole units of pay", paid.event.points, due // DEBT)
        later = list(stretch.since(paid.place, BudgetClosed))
        starved = sum(isinstance(f.event, PersonDied) and f.event.country == paid.event.country for f in later)
        food = sum(lot.number for lot in paid.event.lots)
        troops = sum(u.country == paid.event.country and u.kind in FORMATIONS for u in paid.before.units.values())
        due = min(paid.event.points, food + troops)
        yield Line("a food for each, or a unit starves while there is one", min(food + starved, paid.event.points), due)


def debts(stretch: Stretch) -> Iterator[Line]:
    """I.I d: a unit of oil or chemicals is taken as soon as a whole one is owed; debts add up over turns."""
    for fact in stretch.of(DuesCounted):
        before, after = (state.countries[fact.event.country] for state in (fact.before, fact.after))
        for what in ("oil", "chemicals", "pay"):
            owed = getattr(before, f"{what}_due") + getattr(fact.event, what)
            yield Line(f"{what} due", getattr(after, f"{what}_due"), owed)
    for paid in stretch.of(DebtPaid):
        country = paid.before.countries[paid.event.country]
        owed = country.oil_due if paid.event.what == "O" else country.chemicals_due
        stock = sum(
            lot.number for lot in paid.before.lots if (lot.what, lot.country) == (paid.event.what, paid.event.country)
        )
        told = sum(lot.number for lot in paid.event.lots)
        yield Line(f"{paid.event.what} taken", told, min(owed // DEBT, stock))
        yield Line("only that", {lot.what for lot in paid.event.lots}, {paid.event.what})


OIL = {"battleship": 60, "carrier": 60, "cruiser": 30, "destroyer": 15, "submarine": 15}
PLANES = ("fighter", "TAC", "strategic bomber")
SUPPLIED = ("recon", "motor regiment", "artillery", "armour")


def dues(stretch: Stretch) -> Iterator[Line]:
    """I.I d, Oil Due: 0.02 a flight, 0.10, 0.05 and 0.025 for ships at sea, 0.10 a BTA for armed transport and supply."""
    for fact in stretch.of(DuesCounted):
        country = fact.event.country
        start = stretch.before.countries.get(country)
        if start is None:
            continue
        owed, counted = start.booked.oil, set(start.booked.fuelled)
        for past in stretch.facts[: fact.place]:
            owed += _fuel(past, country, counted)
        yield Line(f"{country}'s oil", fact.event.oil, owed)


def _fuel(fact: Fact[Any], country: str, counted: set[int]) -> int:
    """The oil that falls due by an event; a ship or plane owes once a turn."""
    owed = 0
    event = fact.event
    if isinstance(event, UnitMoved) and event.country == country and event.kind in SUPPLIED:
        owed += 2 * event.cost
    for number in _out(event, country):
        unit = fact.before.units.get(number)
        if unit is not None and unit.country == country and number not in counted:
            after = fact.after.units.get(number, unit)
            afloat = unit.kind in OIL and {unit.status, after.status} & {"", "submerged"}
            flown = after.status in ("air", "patrol") or isinstance(event, UnitMoved | PlanesIntercepted)
            if afloat or (unit.kind in PLANES and flown):
                counted.add(number)
                owed += OIL.get(unit.kind, DEBT // 50)
    return owed


def _out(event: Event, country: str) -> tuple[int, ...]:
    """The units that an event shows moving, fighting, or out at the end of the turn."""
    match event:
        case UnitMoved() | StatusChanged():
            return (event.unit,)
        case FuelDue(country=whose):
            return event.units if whose == country else ()
        case PlanesIntercepted(country=whose):
            return tuple(number for number, _ in event.flight) if whose == country else ()
        case SeaBattleFought() | BattleFought():
            return tuple(number for number, whose in event.units if whose == country)
    return ()
