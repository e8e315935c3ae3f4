"""Sheet c, Turn: squares developed and abandoned, what was built and destroyed, the totals of the turn, who rolled it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.cargo import GoodsSpoiled
from referee.games.empire.events.course import RolledOut
from referee.games.empire.events.dealing import CountrySplit
from referee.games.empire.events.losses import Losses
from referee.games.empire.events.moving import AircraftCrashed
from referee.games.empire.events.opening import PicksAppeared, PicksChosen, PicksLapsed
from referee.games.empire.events.supply import (
    OutputAppeared,
    PersonDied,
    SquareCleared,
    SquareGivenUp,
    SquareInvested,
    SquarePolluted,
    SquareTaken,
)
from referee.games.empire.events.war.air import FlakFired, PlanesIntercepted, SquareBombed
from referee.games.empire.events.war.sea import ShipPlundered, ShipsSunk
from referee.games.empire.events.work.building import (
    CityFilled,
    CityFounded,
    LineLaid,
    MaterialsUsed,
    VehicleBuilt,
    WorkFinished,
)
from referee.games.empire.events.work.razing import (
    BuildingGone,
    CityGone,
    GoodsDestroyed,
    SalvageAppeared,
    UnitDestroyed,
)
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Lot
from referee.games.empire.telling.sheets.bookings import bookings
from referee.games.empire.telling.sheets.cities import GRADES
from referee.games.empire.telling.sheets.naming import counts_in_words
from referee.games.empire.telling.sheets.slots import Slot, latest_of
from referee.kit.wording import counted


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
    """Who works a square matters: fishing ships and oil tankers need no coolie. Old squares are summed up."""
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
    """What a country lost of its own."""
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
