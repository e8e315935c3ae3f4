"""The record sheets a to j of every country (rulebook I.I), the sheets of the table, and the logs: views of what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events import OpenEvent
from referee.games.empire.events.air_and_sea import FlakFired, PlanesIntercepted, ShipPlundered, ShipsSunk, SquareBombed
from referee.games.empire.events.course import ConfidenceRolled, PicksAppeared, PicksChosen, PicksLapsed, RolledOut
from referee.games.empire.events.dealing import CountrySplit
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved, Losses
from referee.games.empire.events.moving import AircraftCrashed, GoodsSpoiled, StatusChanged, UnitMoved
from referee.games.empire.events.supply import (
    OutputAppeared,
    PersonDied,
    SquareCleared,
    SquareGivenUp,
    SquareInvested,
    SquarePolluted,
    SquareTaken,
)
from referee.games.empire.events.work import (
    BuildingGone,
    CityFilled,
    CityFounded,
    CityGone,
    GoodsDestroyed,
    LineLaid,
    MaterialsUsed,
    SalvageAppeared,
    UnitDestroyed,
    VehicleBuilt,
    WorkFinished,
)
from referee.games.empire.position import Lot
from referee.games.empire.position.state import NOTHING, Booking, Country, Empire
from referee.games.empire.reckoning.budget import IN_PORT, at_sea, band_of
from referee.games.empire.rulebook import AT_SEA, FLIGHT, PER_BTA
from referee.games.empire.rulebook.kinds import BTA, DEBT, FORMATIONS, KINDS
from referee.games.empire.telling.sheets.holdings import (
    FOOD,
    GRADES,
    city_sheet,
    items_sheet,
    lines_sheet,
    military_sheet,
    permanent_sheet,
)
from referee.games.empire.telling.sheets.slots import (
    Slot,
    balkanization_sheet,
    counts_in_words,
    exact,
    in_debt,
    in_quarters,
    is_military,
    latest_of,
    order_sheet,
    petitions_sheet,
    produced_sheet,
    rolls_sheet,
    slots_by_turn,
    slots_of,
    standings_sheet,
    trade_sheet,
)
from referee.kit.stock import gathered
from referee.kit.wording import counted

# ---------------------------------------------------------------- sheet c, Turn
# Sheet c, Turn: squares developed and abandoned, what was built and destroyed, the totals of the turn, who rolled it out.
#
# Sheet d, Economic and Military Record: a row for every turn of the country.


def turn_sheet(slots: Sequence[Slot], country: Country) -> Sheet:
    """Rulebook I.I c, for the country's latest turn and what befell it since."""
    mine = latest_of(slots, country)
    events = [event for slot in mine for event in slot.events]
    name = country.name
    grids = (
        Grid(("Square", "Food or resource", "What", "By", "Points", "EDU"), tuple(_squares(mine, name)),
             "Squares developed and abandoned"),
        _grid("Food and resources that appeared", ("Square", "From", "Goods"), events, lambda e: _output(e, name)),
        _grid("Built", ("Square", "What", "Cost", "EDU"), events, lambda e: _built(e, name)),
        _grid("Destroyed, scrapped and lost", ("Square", "What", "How"), events, lambda e: _lost(e, name)),
        _grid("Balkanization and picks", ("What",), events, lambda e: _declared(e, country)),
        _totals(mine[0], name),
    )  # fmt: skip
    turn = mine[0].turn
    return Sheet("c", f"{name}: c. Turn {turn}", grids, None, tuple(_notes(events, country)))


def _grid(
    caption: str, columns: tuple[str, ...], events: Iterable[OpenEvent],
    rows: Callable[[OpenEvent], Iterable[tuple[Cell, ...]]],
) -> Grid:  # fmt: skip
    return Grid(columns, tuple(row for event in events for row in rows(event)), caption)


def _squares(mine: Sequence[Slot], name: str) -> Iterator[tuple[Cell, ...]]:
    """The worker of a square matters: fishing ships and oil tankers need no coolie. Old squares are summed up."""
    kept = {
        (e.at, e.kind): e for slot in mine for e in slot.events if isinstance(e, SquareInvested) and e.country == name
    }
    for slot in mine:
        kinds = {number: unit.kind for place in (slot.before, slot.after) for number, unit in place.units.items()}
        for event in slot.events:
            if isinstance(event, SquareTaken) and event.country == name:
                by = f"{kinds.get(event.unit, 'unit')} {event.unit}"
                paid = kept.pop((event.at, event.kind), None)
                points, edu = (paid.points, paid.edu) if paid else ("", "")
                yield event.at, event.kind, f"developed, {GRADES[min(event.grade, 3)]}", by, points, edu
            else:
                match event:
                    case SquareGivenUp() if event.country == name:
                        yield event.at, event.kind, f"abandoned: {event.why}", "", "", ""
                    case SquarePolluted() if _works(slot, name, event.at):
                        yield event.at, "food", "polluted", "", "", ""
                    case SquareCleared() if _works(slot, name, event.at):
                        yield event.at, "food", f"clean again in turn {event.clean}", "", "", ""
    if kept:
        points, edu = sum(e.points for e in kept.values()), sum(e.edu for e in kept.values())
        yield "", "", f"investment kept up: {counted(len(kept), 'squares')}", "", points, edu


def _works(slot: Slot, name: str, at: str) -> bool:
    return any((worked.at, worked.country) == (at, name) for worked in slot.before.worked)


def _output(event: OpenEvent, name: str) -> Iterator[tuple[Cell, ...]]:
    if isinstance(event, OutputAppeared) and event.country == name:
        yield event.at, event.kind, _goods(event.lots)


def _goods(lots: Iterable[Lot]) -> str:
    return counts_in_words((lot.what, lot.number) for lot in lots)


def _built(event: OpenEvent, name: str) -> Iterator[tuple[Cell, ...]]:
    match event:
        case WorkFinished() if event.country == name:
            yield event.at, f"{event.what} {event.name}".strip(), event.cost, event.edu
        case LineLaid() if event.country == name:
            yield ", ".join(event.places), event.what, event.cost, event.edu
        case VehicleBuilt() if event.country == name:
            yield event.at, f"{event.kind} {event.unit}, scratch-built", "", ""
        case CityFounded() if event.country == name:
            yield event.at, f"city {event.name}, from a colony piece", 0, 0
        case CityFilled() if event.country == name:
            yield event.at, f"{event.what} in {event.city}, free in a new city", 0, 0
        case MaterialsUsed() if event.country == name:
            yield event.at, f"{event.what} takes {_goods(event.lots)}", "", ""


def _lost(event: OpenEvent, name: str) -> Iterator[tuple[Cell, ...]]:
    match event:
        case BuildingGone() if event.country == name:
            yield event.at, event.what, event.how
        case SalvageAppeared() if event.country == name:
            yield event.at, _goods(event.lots), "saved by scrapping"
        case CityGone() if event.country == name:
            yield event.at, f"city {event.name}", "destroyed"
        case UnitDestroyed() if event.country == name:
            with_it = f" with {_goods(event.lost)}" if event.lost else ""
            yield event.at, f"{event.kind} {event.number}{with_it}", event.how
        case AircraftCrashed() if event.country == name:
            yield event.at, f"{event.kind} {event.unit} with all aboard", "crashed"
        case GoodsDestroyed() if event.country == name:
            yield event.at, _goods(event.lots), event.how
        case GoodsSpoiled() if event.lot.country == name:
            yield event.lot.at, _goods((event.lot,)), "no room in the square"
        case PersonDied() if event.country == name:
            yield event.at, f"{event.kind} {event.number}", f"died {event.why}"
        case PlanesIntercepted() | FlakFired():
            yield from _downed(event.at, event.losses, name, "shot down")
        case ShipsSunk():
            yield from _downed(event.at, event.losses, name, "sunk")
        case ShipPlundered():
            yield from _downed(event.at, event.losses, name, "lost to the crew of a ship")
        case SquareBombed():
            if event.victim == name and event.gone:
                yield event.at, event.what, f"bombed by {event.country}"
            yield from _downed(event.at, Losses(event.losses.units, event.burnt), name, "burnt in the warehouse")


def _downed(at: str, losses: Losses, name: str, how: str) -> Iterator[tuple[Cell, ...]]:
    """A country's own losses."""
    units = [f"{kind} {number}" for number, kind, country in losses.units if country == name]
    goods = _goods(lot for lot in losses.lots if lot.country == name)
    if units or goods:
        yield at, ", ".join([*units, *([goods] if goods else [])]), how


def _declared(event: OpenEvent, country: Country) -> Iterator[tuple[Cell, ...]]:
    match event:
        case CountrySplit() if country.name in (event.parent, event.country.name):
            yield (event.sentence(),)
        case PicksChosen() | PicksAppeared() | PicksLapsed() if event.country == country.name:
            yield (event.sentence(),)


def _totals(slot: Slot, name: str) -> Grid:
    total = bookings(slot, name)
    rows = (("Cost", total.cost), ("Investment", total.investment), ("EDU", total.edu))
    return Grid(("What", "Points"), rows, "Totals of the turn")


def _notes(events: Iterable[OpenEvent], country: Country) -> Iterator[str]:
    """emp.P10: the note of the roll and its witness."""
    for event in events:
        if isinstance(event, RolledOut) and event.seat == country.owner:
            yield event.sentence()


def bookings(slot: Slot, country: str) -> Booking:
    """A country's bookings for its turn: as its budget was closed, or so far."""
    for event in slot.events:
        if isinstance(event, BudgetClosed) and event.country == country:
            return event.booked
    own = slot.after.countries.get(country)
    return own.booked if own else NOTHING


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
    """In the black above 0, in the red below, as a decimal number as funds are."""
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
        sea = gathered(unit.kind for unit in units if at_sea(unit))
        numbers = (branches.get(branch, 0) for branch in ("land", "naval", "air"))
        yield slot.turn, *numbers, counts_in_words(sea.items()) or "none"


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
    return exact(sum(unit is None or KINDS[unit.kind].category == "air" for unit in fuelled) * Fraction(FLIGHT, DEBT))


def _navy(slot: Slot, name: str) -> str:
    """Ships at sea at the end of the turn or at any time in it."""
    sailed = {
        event.unit: event.kind
        for event in slot.events
        if isinstance(event, UnitMoved | StatusChanged) and event.country == name and event.kind in AT_SEA
        if isinstance(event, UnitMoved) or event.status not in IN_PORT
    }
    lay = {unit.number: unit.kind for unit in slot.after.units_of(name, *AT_SEA) if at_sea(unit)}
    return exact(Fraction(sum(AT_SEA[kind] for kind in (sailed | lay).values()), DEBT))


def _supplies(slot: Slot, name: str) -> str:
    """Only BTA of armed units that move by themselves, for each transport and supply of theirs."""
    thirtieths = sum(
        event.cost * FORMATIONS[event.kind].parts.get("T&S", 0)
        for event in slot.events
        if isinstance(event, UnitMoved) and event.country == name and event.kind in FORMATIONS
    )
    return exact(Fraction(thirtieths * PER_BTA, BTA * DEBT))


def sheets(history: Sequence[Event], empire: Empire, reader: Reader) -> tuple[Sheet, ...]:
    """Each player's ten sheets, country by country, then those of the table. Empire is open: all readers see the same.

    Turn letters bring them to who has just moved and to who moves next; everybody else's have hardly changed.
    """
    slots = slots_of(history, empire)
    fresh = (slots[-1].seat, empire.active)
    own = [
        sheet if seat in fresh else replace(sheet, on_request=True)
        for seat in empire.order
        for sheet in _of_seat(slots, empire, seat)
    ]
    return (*own, order_sheet(slots, empire), rolls_sheet(slots), petitions_sheet(empire), standings_sheet(empire))


_PLAIN = re.compile(r"[^A-Za-z0-9]+")
"""Sheet names become names of files: those of a player's further countries bear the country's."""


_TOLD = ("c", "d")
"""Sheets of what the report of the turn has told already: what was done, and the economy."""


def _of_seat(slots: Sequence[Slot], empire: Empire, seat: Seat) -> Iterator[Sheet]:
    """a to j of each of his countries, those that are no more included; i, which has all of them, once."""
    own = [country for country in empire.countries.values() if country.owner == seat]
    for country in own:
        for sheet in _of_country(slots, empire, country):
            if sheet.name == "j" and country is own[0]:
                yield balkanization_sheet(empire, seat)
            name = sheet.name if country.name == seat else f"{sheet.name}-{_PLAIN.sub('-', country.name)}"
            told = sheet.name in _TOLD or not any(grid.rows for grid in sheet.grids)
            yield replace(sheet, name=name, of=seat, on_request=told)


def _of_country(slots: Sequence[Slot], empire: Empire, country: Country) -> Iterator[Sheet]:
    name = country.name
    yield military_sheet(empire, name)
    yield city_sheet(empire, name)
    yield turn_sheet(slots, country)
    yield economic_sheet(slots, country)
    yield trade_sheet(slots, empire, name)
    yield produced_sheet(slots, empire, country)
    yield items_sheet(empire, name)
    yield permanent_sheet(slots, empire, name)
    yield lines_sheet(slots, empire, name)
