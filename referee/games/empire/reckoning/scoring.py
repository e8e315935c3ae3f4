"""Who stands where (emp.H-36): the game has no winner of its own; this ranking is a house rule."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.page import Standing, Tally
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.places import placed
from referee.kit.wording import counted

FUND = 4 * 10
"""Quarters of the popular fund to a point: funds are counted in quarters, and ten make a point (emp.H-36)."""


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
        ("confidence", above // below, 2 * above // below),
        ("cities", cities, 5 * cities),
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
    """Who stands where now, or finally; equals share a place. Where nobody is ranked, what everybody has."""
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
