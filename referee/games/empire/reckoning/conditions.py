"""The tests of an IF, who wins, and how ties are settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.names import Seat
from referee.core.order import Condition, Intent, Predicate, Thing, due
from referee.core.page import Standing, Tally
from referee.core.table import Table
from referee.games.empire.position import FOODS
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.distance import apart
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.rulebook import CITY_POINTS, CONFIDENCE_POINTS, TEN
from referee.games.empire.rulebook.kinds import ALLOWANCE, GOODS_WORDS, KIND_WORDS, KINDS, in_bta
from referee.kit.conditions import compares, satisfied
from referee.kit.refused import Refused
from referee.kit.seats_and_ranks import placed
from referee.kit.wording import counted


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


# ---------------------------------------------------------------- who stands where (emp.H-36)
# The game has no winner of its own; this ranking is a house rule.


FUND = QUARTERS * TEN
"""Quarters of the popular fund to a point: funds are counted in quarters, and so many make a point (emp.H-36)."""


def confidence_of(empire: Empire, seat: Seat) -> tuple[int, int]:
    """The mean confidence of a seat's countries, weighted by regular coolies, as a fraction (emp.H-06)."""
    own = empire.owned(seat)
    coolies = {country.name: len(empire.units_of(country.name, "coolie")) for country in own}
    if not sum(coolies.values()):
        return sum(country.confidence for country in own), max(1, len(own))
    return sum(country.confidence * coolies[country.name] for country in own), sum(coolies.values())


def points_by_line(empire: Empire, seat: Seat) -> tuple[tuple[str, int, int], ...]:
    """emp.H-36: what counts, how much of it there is, and the points for it."""
    own = [country.name for country in empire.owned(seat)]
    fund = sum(empire.countries[name].popular_fund for name in own)
    above, below = confidence_of(empire, seat)
    cities = sum(city.country in own for city in empire.cities.values())
    military = sum(unit.country in own and KINDS[unit.kind].military for unit in empire.units.values())
    return (
        ("popular fund, in tens", fund // FUND, fund // FUND),
        ("confidence", above // below, CONFIDENCE_POINTS * above // below),
        ("cities", cities, CITY_POINTS * cities),
        ("military units", military, military),
    )


def points(empire: Empire, seat: Seat) -> int:
    """emp.H-36: the sum, halved where confidence has collapsed."""
    total = sum(worth for _, _, worth in points_by_line(empire, seat))
    above, below = confidence_of(empire, seat)
    return total // 2 if above // below == 0 else total


def ranks(empire: Empire) -> bool:
    """Whether this match ranks its players at all (emp.H-36)."""
    return empire.options.get("ranking", "yes") == "yes"


def tally(empire: Empire) -> Tally:
    """The standings now, or finally; equals share a place. Where nobody is ranked, what everybody has."""
    if not ranks(empire):
        unranked = tuple(Standing(1, seat, 0, _how(empire, seat)) for seat in empire.order)
        return Tally(unranked, "points", bool(empire.ended), ranked=False)
    ranked = placed(empire.order, lambda seat: (points(empire, seat),))
    standings = tuple(Standing(place, seat, points(empire, seat), _how(empire, seat)) for place, seat in ranked)
    return Tally(standings, "points", bool(empire.ended))


def _how(empire: Empire, seat: Seat) -> str:
    own = [country.name for country in empire.owned(seat)]
    if not own:
        return "no country left" if empire.stage == "play" else "no capital yet"
    _, confidence, cities, military = points_by_line(empire, seat)
    parts = [f"confidence {confidence[1]}", counted(cities[1], "cities"), counted(military[1], "military units")]
    return ", ".join(parts)


# ---------------------------------------------------------------- where a capital may stand
# On land, and not within 12 BTA of another (emp.P3).


def check_capital(empire: Empire, at: str) -> None:
    """emp.P3: on land, and not within 12 BTA of another capital. Raises Refused."""
    instead = empire.board.starts[:3]
    if at not in empire.board.squares:
        raise Refused(f"{at} is not on the board.", "emp.P3", at, instead)
    if empire.board.squares[at].water:
        raise Refused(f"{at} is water; a capital stands on land.", "emp.C1", at, instead)
    for city in empire.cities.values():
        if city.at == at or apart(empire.board, city.at, at) is not None:
            raise Refused(
                f"{at} is within {in_bta(ALLOWANCE)} BTA of {city.name}, the capital of {city.country}.", "emp.P3", at
            )


def default_capital(empire: Empire) -> str:
    """The best natural start area that is free, else the first lawful square of the board."""
    for at in (*empire.board.starts, *empire.board.grid.cells()):
        if may_settle(empire, at):
            return at
    raise ValueError(f"the board {empire.board.name} has no room for another capital")


def may_settle(empire: Empire, at: str) -> bool:
    """Whether a capital may be placed in a square now (emp.P3)."""
    try:
        check_capital(empire, at)
    except Refused:
        return False
    return True
