"""What an empire of Version 1.7 pays, line by line, and what blockade may take (17.production.1). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.names import Seat
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import Income, railroad_income, source
from referee.games.war.rulebook.board import BOARD

_REGION, _CITY, _FACTORY = 5, 5, 10
_FACTORIES_A_CITY = 2
_RULE = "17.production.1"


def income(war: War, seat: Seat) -> Income:
    """17.production.1: regions, cities, factories beside a city, ports, railroads, developed resources."""
    own = {land.name: land for land in war.regions_of(seat)}
    count = {kind: war.buildings_of(seat, kind) for kind in ("city", "factory", "port", "railroad")}
    ports = sum(land.has("port") for land in war.lands.values())
    paying = paying_factories(own)
    values = [land.resource for land in own.values() if land.resource]
    return Income(
        (
            *source(len(own), "region", _REGION * len(own), _RULE),
            *source(count["city"], "city", _CITY * count["city"], _RULE),
            *source(count["factory"], "factory", _FACTORY * paying, "17.pieces.3", paying=paying),
            *source(count["port"], "port", ports * count["port"], "R17-05"),
            *source(count["railroad"], "railroad", railroad_income(own), _RULE),
            *source(len(values), "developed resource", sum(values), _RULE),
        ),
        0,
    )


def paying_factories(own: Mapping[str, Land]) -> int:
    """17.pieces.3, R17-02: factories matched to cities beside them, two a city, so that most pay."""
    seats = [name for name, land in own.items() if land.has("city") for _ in range(_FACTORIES_A_CITY)]
    taken: dict[int, str] = {}
    return sum(_place(name, seats, taken, set()) for name, land in own.items() if land.has("factory"))


def _place(factory: str, seats: Sequence[str], taken: dict[int, str], tried: set[int]) -> bool:
    """An augmenting path: a factory takes a place, or moves one that holds it elsewhere."""
    for place, city in enumerate(seats):
        if place in tried or (city != factory and city not in BOARD.regions[factory].borders):
            continue
        tried.add(place)
        if place not in taken or _place(taken[place], seats, taken, tried):
            taken[place] = factory
            return True
    return False


# ---------------------------------------------------------------- blockade


def besiegers(war: War, seat: Seat) -> tuple[tuple[Seat, int], ...]:
    """R17-03: each enemy with the number of his fleets in areas beside this player's ports."""
    seas = {sea for land in war.regions_of(seat) if land.has("port") for sea in BOARD.regions[land.name].seas}
    counts = ((enemy, sum(fleet.sea in seas for fleet in war.fleets_of(enemy))) for enemy in war.enemies(seat))
    return tuple((enemy, number) for enemy, number in counts if number)


def cap_of(pp: int) -> int:
    """17.production.blockade.2, R17-04: a third of the full income of the turn, up."""
    return -(-pp // 3)
