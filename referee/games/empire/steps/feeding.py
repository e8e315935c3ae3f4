"""Who eats before whom: the order of H-01, and what a country says of it for when food does not suffice."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.countries import Country
from referee.games.empire.events.supply import FeedingSet
from referee.games.empire.feeding import Feeding, Mouths
from referee.games.empire.intents import Feed
from referee.games.empire.kinds import KINDS
from referee.games.empire.ownership import check_square, named, unit_of
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

__all__ = ["check_feed", "do_feed", "eaters"]

_FIRST = {"government coolie": 1, "ambassador coolie": 2, "coolie": 3}
"""In what order mouths are fed where nothing is said; military comes first (H-01)."""


def eaters(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Everybody who eats, in the order in which they are fed: as the country says, else military, government,
    ambassadors, regular coolies."""
    persons = [unit for unit in empire.units_of(country) if KINDS[unit.kind].person]
    usual = tuple(sorted(persons, key=lambda unit: (_FIRST.get(unit.kind, 0), unit.number)))
    ranks = _ranks(empire.countries[country].feeding, usual) if country in empire.countries else {}
    return tuple(sorted(usual, key=lambda unit: ranks.get(unit.number, (1, 0)))) if ranks else usual


def _ranks(feeding: Feeding, persons: tuple[Unit, ...]) -> dict[int, tuple[int, int]]:
    """Where persons stand who are spoken of: before the others (0) or after (2), and at what place of that list.

    What is said of one person goes before what is said of a square, and that before what is said of a whole kind.
    """
    said = [(0, n, mouths) for n, mouths in enumerate(feeding.first)]
    said += [(2, n, mouths) for n, mouths in enumerate(feeding.last)]
    ranks: dict[int, tuple[int, int]] = {}
    for group, place, mouths in sorted(said, key=lambda part: (not part[2].unit, not part[2].at)):
        meant = [unit.number for unit in persons if unit.number not in ranks and _means(mouths, unit)]
        ranks |= dict.fromkeys(meant[: mouths.number or None], (group, place))
    return ranks


def _means(mouths: Mouths, unit: Unit) -> bool:
    if mouths.unit:
        return unit.number == mouths.unit
    return unit.kind == mouths.kind and mouths.at in ("", unit.at)


# ---------------------------------------------------------------- what a country says of it


def check_feed(empire: Empire, seat: Seat, intent: Feed) -> None:
    """Raises Refused for a unit that is another's or does not eat, and for what is no square."""
    for mouths in intent.mouths:
        kind = unit_of(empire, seat, mouths.unit).kind if mouths.unit else mouths.kind
        if not KINDS[kind].person:
            who = named(empire.units[mouths.unit]) if mouths.unit else f"A {kind}"
            raise Refused(f"{who} does not eat.", "emp.F1", kind)
    for at in intent.places:
        check_square(empire, at)
    if intent.how == "spare" and not intent.places:
        raise Refused("Say where: SPARE FOOD IN c12r7.", "emp.H-01", "SPARE FOOD")


def do_feed(table: Table[Empire], seat: Seat, intent: Feed) -> None:
    """What a seat says of feeding holds for all its countries it concerns, from now on. Raises Refused."""
    check_feed(table.state, seat, intent)
    for country in table.state.owned(seat):
        feeding = _said(table.state, country, intent)
        if feeding != country.feeding:
            table.emit(FeedingSet(country.name, feeding, intent.meaning()))


def _said(empire: Empire, country: Country, intent: Feed) -> Feeding:
    """The country's order with what is said now; the last word on a person or place holds."""
    feeding = country.feeding
    mine = tuple(part for part in intent.mouths if not part.unit or empire.units[part.unit].country == country.name)
    match intent.how:
        case "first":
            return replace(feeding, first=_added(feeding.first, mine), last=_without(feeding.last, mine))
        case "last":
            return replace(feeding, last=_added(feeding.last, mine), first=_without(feeding.first, mine))
        case "from":
            spared = tuple(at for at in feeding.spared if at not in intent.places)
            return replace(feeding, stores=intent.places, spared=spared)
        case "spare":
            stores = tuple(at for at in feeding.stores if at not in intent.places)
            return replace(feeding, spared=tuple(dict.fromkeys((*feeding.spared, *intent.places))), stores=stores)
    return Feeding()


def _added(old: tuple[Mouths, ...], new: tuple[Mouths, ...]) -> tuple[Mouths, ...]:
    return (*_without(old, new), *dict.fromkeys(new))


def _without(old: tuple[Mouths, ...], new: Iterable[Mouths]) -> tuple[Mouths, ...]:
    gone = [(part.unit, part.kind, part.at) for part in new]
    return tuple(part for part in old if (part.unit, part.kind, part.at) not in gone)
