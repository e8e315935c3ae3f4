"""Examples for HELP and refusals from a player's own position: his coolies, his squares, his ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from referee.core.names import Seat
from referee.games.empire import choices
from referee.games.empire.countries import Country
from referee.games.empire.examples_air import air_examples
from referee.games.empire.kinds import KINDS
from referee.games.empire.nouns import word_for
from referee.games.empire.orders.forces import idle_coolies
from referee.games.empire.ownership import named
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire

__all__ = ["Lines", "examples"]

Lines = Iterator[tuple[str, str]]


class _Sight(msgspec.Struct, frozen=True):
    """What the examples of one player are made of."""

    empire: Empire
    seat: Seat
    country: Country
    coolie: Unit
    home: str
    goods: str
    other: str


def examples(empire: Empire, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if empire.ended:
        return {}
    said = dict(choices.examples(empire, seat))
    if empire.stage != "play":
        return said
    for sight in filter(None, (_sight(empire, seat, country) for country in empire.owned(seat))):
        for part in (_goods, _dealing, _tests):
            said = dict(part(sight)) | said
    for country in empire.owned(seat):
        said = dict(air_examples(empire, seat, country)) | said
    return said


def _sight(empire: Empire, seat: Seat, country: Country) -> _Sight | None:
    """None for a country without coolies."""
    coolies = [*idle_coolies(empire, country.name), *empire.units_of(country.name, "coolie")]
    if not coolies:
        return None
    unit = coolies[0]
    cities = [city.at for city in empire.cities.values() if city.country == country.name]
    others = [c.name for c in empire.countries.values() if not c.dead and c.owner != seat]
    lots = [lot.what for lot in empire.lots if (lot.country, lot.at, lot.aboard) == (country.name, unit.at, 0)]
    return _Sight(
        empire=empire,
        seat=seat,
        country=country,
        coolie=unit,
        home=cities[0] if cities else "",
        goods=word_for(lots[0]) if lots else "",
        other=others[0] if others else "",
    )


# ---------------------------------------------------------------- squares, works, goods


def _goods(sight: _Sight) -> Lines:
    own = sight.empire.owned(sight.seat)
    if sight.other and len(own) > 1:
        yield "GIVE", f"GIVE {own[-1].name} TO {sight.other}"
    elif sight.other and sight.goods:
        yield "GIVE", f"GIVE 1 {sight.goods} TO {sight.other} IN {sight.coolie.at}"


# ---------------------------------------------------------------- with others


def _dealing(sight: _Sight) -> Lines:
    who = named(sight.coolie)
    yield "BALKANIZE", f'BALKANIZE "New {sight.seat}" WITH {who} UNDER {who}'
    yield from _seizing(sight)


def _seizing(sight: _Sight) -> Lines:
    """A unit that stands where the coolie is; where there is none, goods of another country."""
    empire, who = sight.empire, named(sight.coolie)
    here = (unit for unit in empire.units_at(sight.coolie.at) if not KINDS[unit.kind].person and not unit.aboard)
    unit = next((unit for unit in here if empire.countries[unit.country].owner != sight.seat), None)
    lot = next((lot for lot in empire.lots if lot.country == sight.other), None)
    if unit is not None:
        yield "SEIZE", f"SEIZE {named(unit)} WITH {who}"
    elif lot is not None:
        yield "SEIZE", f"SEIZE 1 {word_for(lot.what)} OF {sight.other} WITH {who}"


def _tests(sight: _Sight) -> Lines:
    if sight.other:
        yield "TREATS", f"{sight.other} TREATS {sight.country.name} AS hostile"
        if sight.home:
            yield "OWNS", f"{sight.other} OWNS {sight.home}"
    if sight.home:
        yield "food", f"food IN {sight.home} >= 10"
        yield "coolies", f"coolies IN {sight.home} >= 10"
