"""The tests an IF may make of the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.names import Seat
from referee.core.order import Condition, Intent, Predicate, Thing, due
from referee.core.table import Table
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.countries import Country
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.rulebook.kinds import GOODS_WORDS, KIND_WORDS
from referee.kit.conditions import compares, satisfied


def holds(empire: Empire, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about all countries of `seat`."""
    return satisfied(condition, lambda test: _true(empire, seat, test))


def coming(table: Table[Empire], seat: Seat, sheet: Iterable[Intent]) -> Iterator[tuple[int, Intent]]:
    """The orders of a sheet as they come to be carried out, each with its line.

    An IF is judged when the first order under it comes, so that it sees what those before it have done.
    """
    judged: dict[int, bool] = {}
    for line, intent in enumerate(sheet, 1):
        for order in due((intent,), lambda condition: holds(table.state, seat, condition), judged):
            yield line, order


def _true(empire: Empire, seat: Seat, test: Predicate) -> bool:
    countries = _countries(empire, seat, test.subject)
    if test.verb == "OWNS":
        return any(_owns(empire, country, thing) for country in countries for thing in test.things)
    if test.verb == "TREATS":
        stances = [thing.name for thing in _after(test, "AS")] or ["hostile"]
        return any(country.stances.get(other.name) in stances for country in countries for other in test.things)
    return compares(test, _measured(empire, countries, test))


def _countries(empire: Empire, seat: Seat, subject: Iterable[Thing]) -> tuple[Country, ...]:
    named = [thing.name for thing in subject if thing.kind == "country"]
    return tuple(empire.countries[name] for name in named if name in empire.countries) or empire.owned(seat)


def _after(test: Predicate, preposition: str) -> list[Thing]:
    return [thing for clause in test.clauses if clause.preposition == preposition for thing in clause.things]


def _owns(empire: Empire, country: Country, thing: Thing) -> bool:
    city = empire.cities.get(thing.name) if thing.kind == "city" else empire.city_at(thing.name)
    return city is not None and city.country == country.name


def _measured(empire: Empire, countries: tuple[Country, ...], test: Predicate) -> int:
    if test.verb == "turn":
        return empire.turn
    return sum(_amount(empire, country, test) for country in countries)


def _amount(empire: Empire, country: Country, test: Predicate) -> int:
    cities = [city for city in empire.cities.values() if city.country == country.name]
    match test.verb:
        case "mouths":
            return len(eaters(empire, country.name))
        case "confidence":
            return country.confidence
        case "popular fund":
            return country.popular_fund // 4
        case "cities":
            return len(cities)
        case "farms":
            return sum(worked.country == country.name and worked.kind in FOODS for worked in empire.worked)
    return sum(_count(empire, country.name, test.verb, at) for at in _squares(empire, test))


def _squares(empire: Empire, test: Predicate) -> list[str]:
    """The squares asked about; "" for everywhere."""
    where = _after(test, "IN")
    known = [thing for thing in where if thing.kind != "city" or thing.name in empire.cities]
    return [empire.cities[t.name].at if t.kind == "city" else t.name for t in known] if where else [""]


def _count(empire: Empire, country: str, word: str, at: str) -> int:
    if word in GOODS_WORDS:
        return empire.stock(country, at).get(GOODS_WORDS[word], 0)
    return sum(at in ("", unit.at) for unit in empire.units_of(country, KIND_WORDS[word]))
