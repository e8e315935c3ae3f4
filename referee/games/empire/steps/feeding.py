"""Who eats before whom: the order of H-01, and what a country says of it for when food does not suffice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.countries import Country
from referee.games.empire.events.supply import FeedingSet
from referee.games.empire.feeding import Feeding, Mouths
from referee.games.empire.kinds import KINDS
from referee.games.empire.ownership import check_square, named, unit_of
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

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


def check_feed(empire: Empire, seat: Seat, who: Iterable[Mouths], places: Iterable[str]) -> None:
    """Raises Refused for a unit that is another's or does not eat, and for what is no square."""
    for mouths in who:
        kind = unit_of(empire, seat, mouths.unit).kind if mouths.unit else mouths.kind
        if not KINDS[kind].person:
            whoever = named(empire.units[mouths.unit]) if mouths.unit else f"A {kind}"
            raise Refused(f"{whoever} does not eat.", "emp.F1", kind)
    for at in places:
        check_square(empire, at)


def do_feed(table: Table[Empire], seat: Seat, said: Callable[[Empire, Country], Feeding], words: str) -> None:
    """What a seat says of feeding holds for all its countries it concerns, from now on."""
    for country in table.state.owned(seat):
        feeding = said(table.state, country)
        if feeding != country.feeding:
            table.emit(FeedingSet(country.name, feeding, words))


def of_country(empire: Empire, country: Country, who: Iterable[Mouths]) -> tuple[Mouths, ...]:
    """Those whom a word on feeding concerns in a country: units by number only where they are its own."""
    return tuple(part for part in who if not part.unit or empire.units[part.unit].country == country.name)
