"""What a country says of who eats before whom, for when food does not suffice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.core.names import Seat
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.supply import FeedingSet
from referee.games.empire.position.countries import Country, Feeding, Mouths
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import check_square, named, unit_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused


def check_feed(empire: Empire, seat: Seat, who: Iterable[Mouths], places: Iterable[str]) -> None:
    """Raises Refused for a unit that is another's or does not eat, and for what is no square."""
    for mouths in who:
        kind = unit_of(empire, seat, mouths.unit).kind if mouths.unit else mouths.kind
        if not KINDS[kind].person:
            whoever = named(empire.units[mouths.unit]) if mouths.unit else f"A {kind}"
            raise Refused(f"{whoever} does not eat.", "emp.F1", kind)
    for at in places:
        check_square(empire, at)


def do_feed(table: Stage, seat: Seat, said: Callable[[Empire, Country], Feeding], words: str) -> None:
    """What a seat says of feeding holds for all its countries it concerns, from now on."""
    for country in table.state.owned(seat):
        feeding = said(table.state, country)
        if feeding != country.feeding:
            table.emit(FeedingSet(country.name, feeding, words))


def of_country(empire: Empire, country: Country, who: Iterable[Mouths]) -> tuple[Mouths, ...]:
    """Those whom a word on feeding concerns in a country: units by number only where they are its own."""
    return tuple(part for part in who if not part.unit or empire.units[part.unit].country == country.name)
