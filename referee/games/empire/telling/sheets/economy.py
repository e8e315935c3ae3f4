"""Sheet d, Economic and Military Record: a row for every turn of the country."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.course import ConfidenceRolled
from referee.games.empire.events.economy import ConfidenceMoved
from referee.games.empire.events.moving import StatusChanged, UnitMoved
from referee.games.empire.events.supply import OutputAppeared
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import band_of
from referee.games.empire.rulebook.formations import FORMATIONS
from referee.games.empire.rulebook.kinds import BTA, DEBT, KINDS
from referee.games.empire.telling.sheets.bookings import bookings
from referee.games.empire.telling.sheets.cities import FOOD
from referee.games.empire.telling.sheets.naming import counts_in_words, exact, in_debt, in_quarters, is_military
from referee.games.empire.telling.sheets.slots import Slot, slots_by_turn
from referee.kit.stock import gathered

_FLIGHT = Fraction(1, 50)
_AT_SEA = {
    "battleship": Fraction(1, 10),
    "carrier": Fraction(1, 10),
    "cruiser": Fraction(1, 20),
    "destroyer": Fraction(1, 40),
    "submarine": Fraction(1, 40),
}
_SUPPLIED = Fraction(1, 10)
"""Oil for each BTA that an armed transport and supply moves (rulebook I.I d)."""

_IN_PORT = ("dock", "beach", "warehouse")


def economic_sheet(slots: Sequence[Slot], country: Country) -> Sheet:
    """Rulebook I.I d."""
    name, mine = country.name, slots_by_turn(slots, country)
    grids = (
        Grid(_BUDGET, tuple(_budget(mine, name)), "Economy"),
        Grid(("Turn", "Food squares", "Coolies", "Population"), tuple(_people(mine, name)), "Food and people"),
        Grid(("Turn", "Land units", "Naval units", "Air units", "Navy at sea"), tuple(_forces(mine, name)),
             "Military units at the end of the turn"),
        Grid(_DEBTS, tuple(_debts(mine, name)), "Oil, chemicals and pay due"),
    )  # fmt: skip
    return Sheet("d", f"{name}: d. Economic and Military Record", grids)


_BUDGET = ("Turn", "Investment of the turn", "Investment so far", "Expenditure", "EDU", "Popular fund", "Tax",
           "Foreign exchange", "Roll", "Confidence", "Balance", "Band")  # fmt: skip


def _budget(mine: Sequence[Slot], name: str) -> Iterator[tuple[Cell, ...]]:
    so_far = 0
    for slot in mine:
        booked, country = bookings(slot, name), slot.after.countries[name]
        so_far += booked.investment
        fund, tax = in_quarters(country.popular_fund), in_quarters(booked.edu)
        yield (slot.turn, booked.investment, so_far, booked.cost, booked.edu, fund, tax, booked.exchange,
               _roll(slot.events, name), country.confidence, _balance(slot.events, name),
               band_of(country.confidence))  # fmt: skip


def _balance(events: Iterable[OpenEvent], name: str) -> str:
    """In the black above 0, in the red below, as a decimal number as funds are (emp.H-14)."""
    found = [event.balance for event in events if isinstance(event, ConfidenceMoved) and event.country == name]
    return f"{'-' if found[-1] < 0 else ''}{exact(abs(Fraction(found[-1], DEBT)))}" if found else ""


def _roll(events: Iterable[OpenEvent], name: str) -> str:
    """`7`, or `7-->6` for a late turn (emp.P8)."""
    rolls = [event.entry() for event in events if isinstance(event, ConfidenceRolled) and event.country == name]
    return rolls[-1] if rolls else ""


def _people(mine: Sequence[Slot], name: str) -> Iterator[tuple[Cell, ...]]:
    """Population is everybody who is no regular coolie: military, government and ambassador coolies."""
    for slot in mine:
        food = sum(isinstance(e, OutputAppeared) and e.country == name and e.kind in FOOD for e in slot.events)
        people = [unit for unit in slot.after.units_of(name) if KINDS[unit.kind].person]
        coolies = sum(unit.kind == "coolie" for unit in people)
        yield slot.turn, food, coolies, len(people) - coolies


def _forces(mine: Sequence[Slot], name: str) -> Iterator[tuple[Cell, ...]]:
    for slot in mine:
        units = [unit for unit in slot.after.units_of(name) if is_military(unit)]
        branches = gathered(KINDS[unit.kind].category for unit in units)
        sea = gathered(unit.kind for unit in units if _at_sea(slot.after, unit))
        numbers = (branches.get(branch, 0) for branch in ("land", "naval", "air"))
        yield slot.turn, *numbers, counts_in_words(sea.items()) or "none"


def _at_sea(empire: Empire, unit: Unit) -> bool:
    return KINDS[unit.kind].category == "naval" and unit.status not in _IN_PORT and not unit.aboard


_DEBTS = ("Turn", "Oil due for flights", "for navy at sea", "for transport and supply", "Total oil due",
          "Chemicals due", "Military pay due")  # fmt: skip


def _debts(mine: Sequence[Slot], name: str) -> Iterator[tuple[Cell, ...]]:
    for slot in mine:
        country = slot.after.countries[name]
        totals = (country.oil_due, country.chemicals_due, country.pay_due)
        yield slot.turn, _flights(slot, name), _navy(slot, name), _supplies(slot, name), *map(in_debt, totals)


def _flights(slot: Slot, name: str) -> str:
    """However often a plane stops in a turn, its movement is one flight; scrambling between two turns is one too."""
    known = slot.before.units | slot.after.units
    fuelled = (known.get(number) for number in bookings(slot, name).fuelled)
    return exact(sum(unit is None or KINDS[unit.kind].category == "air" for unit in fuelled) * _FLIGHT)


def _navy(slot: Slot, name: str) -> str:
    """Ships at sea at the end of the turn or at any time in it."""
    sailed = {
        event.unit: event.kind
        for event in slot.events
        if isinstance(event, UnitMoved | StatusChanged) and event.country == name and event.kind in _AT_SEA
        if isinstance(event, UnitMoved) or event.status not in _IN_PORT
    }
    lay = {unit.number: unit.kind for unit in slot.after.units_of(name, *_AT_SEA) if _at_sea(slot.after, unit)}
    return exact(sum((_AT_SEA[kind] for kind in (sailed | lay).values()), Fraction(0)))


def _supplies(slot: Slot, name: str) -> str:
    """Only BTA of armed units that move by themselves, for each transport and supply of theirs."""
    thirtieths = sum(
        event.cost * FORMATIONS[event.kind].parts.get("T&S", 0)
        for event in slot.events
        if isinstance(event, UnitMoved) and event.country == name and event.kind in FORMATIONS
    )
    return exact(Fraction(thirtieths, BTA) * _SUPPLIED)
