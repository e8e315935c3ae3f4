"""What a country's confidence forbids in a turn (emp.H-16).

Oil, chemicals and pay that fall due: what must be at hand before an act, and what is taken at the end (I.I d, emp.H-18).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.table import Table
from referee.games.empire.deeds.dying import death
from referee.games.empire.events.economy import BandJudged, DebtPaid, DuesCounted, FuelDue, TroopsPaid
from referee.games.empire.position.countries import Booking, Country, together
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import band_of
from referee.games.empire.reckoning.fuel import unfuelled
from referee.games.empire.reckoning.supply import taken
from referee.games.empire.rulebook.kinds import DEBT, KINDS, in_parts
from referee.kit.refused import Refused

_FORBIDDEN: Mapping[str, Mapping[str, str]] = {
    "shaky": {"start factory": "start a factory"},
    "crisis": {"start factory": "start a factory"},
    "collapse": {
        "start factory": "start a factory",
        "factory": "run a factory",
        "build": "build anything",
        "births": "have births",
        "attack": "attack",
    },
}


def judge_band(table: Table[Empire], country: str) -> None:
    """At the start of its turn a country's confidence decides what it may do."""
    own = table.state.countries[country]
    band = band_of(own.confidence)
    if band != own.band:
        table.emit(BandJudged(country, band, own.confidence))


def forbids(empire: Empire, country: str, act: str) -> bool:
    """Whether the band of a country forbids an act: factory, start factory, build, births or attack."""
    return act in _FORBIDDEN.get(empire.countries[country].band, {})


def check_band(empire: Empire, country: str, act: str) -> None:
    """Raises Refused where the band of a country forbids an act."""
    band = empire.countries[country].band
    doing = _FORBIDDEN.get(band, {}).get(act)
    if doing:
        called = {"shaky": "shaky", "crisis": "in crisis", "collapse": "in collapse"}[band]
        raise Refused(f"{country} is {called} this turn and cannot {doing}.", "emp.H-16", country)


PAY = DEBT // 10
"""Pay of a land military unit for a turn."""

_NAMES = {"O": "oil", "X": "chemicals"}


def check_debt(empire: Empire, country: str, books: Iterable[tuple[str, Booking]]) -> None:
    """Raises Refused when a country has not the whole units that what an act books, and what is due already, would take."""
    added = together(tuple(books), country)
    own, stock = empire.countries[country], empire.stock(country)
    due = {
        "O": (added.oil, own.oil_due + own.booked.oil + added.oil),
        "X": (added.chemicals, own.chemicals_due + own.booked.chemicals + added.chemicals),
    }
    for what, (new, total) in due.items():
        if new and -(-total // DEBT) > stock.get(what, 0):
            owes = f"{country} owes {in_parts(total)} {_NAMES[what]} with this and has {stock.get(what, 0)} {what}."
            raise Refused(f"{owes} {_whole(-(-total // DEBT))}", "emp.H-18", what)


def _whole(units: int) -> str:
    """How much must lie in the country, in words."""
    if units == 1:
        return "A whole unit must be in the country before any of it is used."
    return f"{units} whole units must be in the country before any of the last is used."


def settle_dues(table: Table[Empire], country: str) -> None:
    """Step 6 of a turn (emp.H-01): oil, chemicals and pay are counted, and whole units are taken."""
    out = unfuelled(table.state, country)
    if out:
        table.emit(FuelDue(country, tuple(number for number, _ in out), sum(oil for _, oil in out)))
    booked = table.state.countries[country].booked
    pay = PAY * (len(_troops(table.state, country)) + booked.paid)
    if booked.oil or booked.chemicals or pay:
        table.emit(DuesCounted(country, booked.oil, booked.chemicals, pay))
    for what in _NAMES:
        owed = _due(table.state.countries[country], what) // DEBT
        lots = taken(_stores(table.state, country, what), owed)
        if lots:
            table.emit(DebtPaid(country, what, lots))
    _pay_troops(table, country)


def _troops(empire: Empire, country: str) -> list[Unit]:
    return [unit for unit in empire.units_of(country) if KINDS[unit.kind].land_military]


def _due(country: Country, what: str) -> int:
    return country.oil_due if what == "O" else country.chemicals_due


def _stores(empire: Empire, country: str, what: str) -> list[Lot]:
    """Goods of a kind wherever they are, those in cities first."""
    found = [lot for lot in empire.lots if (lot.country, lot.what) == (country, what)]
    return sorted(found, key=lambda lot: (not lot.inside, lot.aboard, lot.at))


def _pay_troops(table: Table[Empire], country: str) -> None:
    """Each whole unit of pay is a cost and a food; where food lacks a land unit starves for it (emp.H-18)."""
    owed = table.state.countries[country].pay_due // DEBT
    if not owed:
        return
    lots = taken(_stores(table.state, country, "food"), owed)
    table.emit(TroopsPaid(country, owed, lots))
    for _ in range(owed - sum(lot.number for lot in lots)):
        troops = _troops(table.state, country)
        if troops:
            last = min(troops, key=lambda unit: (len(unit.parts), -unit.since, -unit.number))
            table.emit(death(table.state, last, "of hunger, since there is no food for its pay", "emp.H-18"))
