"""What a player's empire pays in the income sub-phase, line by line (27.production.income). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from referee.core.names import Seat
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.assignment import factory_income, port_income
from referee.games.war.reckoning.sealanes import friendly_ports, open_ports
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import plural
from referee.kit.wording import in_a_row

_REGION = 5
_NATIVE_TIES = 2
_CITY = 5
_RAILROAD_EACH = 3
_RAILROAD_CAP = 15
_PAYS_RAILROADS = ("city", "factory", "port")


class IncomeLine(msgspec.Struct, frozen=True):
    """One source of income: `3 cities`, how much, and the rule."""

    what: str
    amount: int
    rule: str


Source = IncomeLine | None
"""A line for what stands there, even if it pays nothing; None where nothing stands."""


class Income(msgspec.Struct, frozen=True):
    """A player's income of one production phase."""

    lines: tuple[IncomeLine, ...]
    dp: int

    @property
    def pp(self) -> int:
        """All lines together."""
        return sum(line.amount for line in self.lines)


def income(war: War, seat: Seat) -> Income:
    """27.production.income.1, 27.production.income.2: what a player collects; regions in revolt pay too (R27-10)."""
    own = {land.name: land for land in war.regions_of(seat)}
    sources = (
        *_regions(tuple(own.values())),
        _zones(war, seat),
        _cities(war, seat),
        _factories(war, seat, own),
        _ports(war, seat, own),
        _railroads(own),
        _resources(own),
        _spheres(war, seat),
    )
    return Income(tuple(line for line in sources if line is not None), war.buildings_of(seat, "city") + 1)


def adjacent_resources(own: Mapping[str, Land], factory: str) -> tuple[str, ...]:
    """Regions whose developed resource is an ADR of a factory: here, next door, or behind one own railroad (R27-14)."""
    borders = BOARD.regions[factory].borders
    behind = [name for near in borders if near in own and own[near].has("railroad") for name in _borders(near)]
    near = dict.fromkeys((factory, *borders, *behind))
    return tuple(name for name in near if name in own and own[name].resource)


def _borders(region: str) -> tuple[str, ...]:
    return BOARD.regions[region].borders


def _several(number: int, kind: str) -> str:
    return f"{number} {kind if number == 1 else plural(kind)}"


def _some(paying: int, number: int, kind: str) -> str:
    """`3 ports`, or `2 of 3 ports` if not all pay."""
    return _several(number, kind) if paying == number else f"{paying} of {_several(number, kind)}"


def _regions(own: Sequence[Land]) -> tuple[Source, Source]:
    """27.production.income.5"""
    western = sum(land.westernized for land in own)
    others, rule = len(own) - western, "27.production.income.5"
    tied = f"{_several(others, 'region')} not westernized"
    return (
        IncomeLine(_several(western, "westernized region"), western * _REGION, rule) if western else None,
        IncomeLine(tied, others * (_REGION - _NATIVE_TIES), rule) if others else None,
    )


def _zones(war: War, seat: Seat) -> Source:
    """27.production.income.6"""
    zones = tuple(
        zone for zone, regions in BOARD.zones.items() if all(war.lands[name].owner == seat for name in regions)
    )
    regions = sum(len(BOARD.zones[zone]) for zone in zones)
    return IncomeLine(f"the whole of {in_a_row(zones)}", regions, "27.production.income.6") if zones else None


def _cities(war: War, seat: Seat) -> Source:
    """27.production.income.7"""
    cities = war.buildings_of(seat, "city")
    return IncomeLine(_several(cities, "city"), cities * _CITY, "27.production.income.7") if cities else None


def _factories(war: War, seat: Seat, own: Mapping[str, Land]) -> Source:
    """27.production.income.8"""
    factories = [land.name for land in own.values() if land.has("factory")]
    if not factories:
        return None
    resources = {name: number for number, name in enumerate(name for name, land in own.items() if land.resource)}
    links = [tuple(resources[name] for name in adjacent_resources(own, factory)) for factory in factories]
    paying = min(len(factories), war.buildings_of(seat, "city"))
    amount = factory_income(paying, len(resources), links)
    return IncomeLine(_some(paying, len(factories), "factory"), amount, "27.production.income.8")


def _ports(war: War, seat: Seat, own: Mapping[str, Land]) -> Source:
    """27.production.income.9, 27.production.blockade.2, 27.production.blockade.4; R27-11, R27-13"""
    ports = sum(land.has("port") for land in own.values())
    if not ports:
        return None
    reaching = len(open_ports(war, seat))
    objects = sum(land.has("factory") + bool(land.resource) for land in own.values())
    amount = port_income(reaching, len(friendly_ports(war, seat)), objects)
    return IncomeLine(_some(reaching, ports, "port"), amount, "27.production.income.9")


def _railroads(own: Mapping[str, Land]) -> Source:
    """27.production.income.10; what stands in the railroad's own region counts too (R27-14)."""
    railroads = [land.name for land in own.values() if land.has("railroad")]
    what = _several(len(railroads), "railroad")
    return IncomeLine(what, railroad_income(own), "27.production.income.10") if railroads else None


def railroad_income(own: Mapping[str, Land]) -> int:
    """What the railroads of these regions pay together; both editions agree on it."""
    railroads = [land.name for land in own.values() if land.has("railroad")]
    return sum(min(_RAILROAD_CAP, _RAILROAD_EACH * _served(own, name)) for name in railroads)


def _served(own: Mapping[str, Land], railroad: str) -> int:
    lands = [own[name] for name in (railroad, *_borders(railroad)) if name in own]
    return sum(sum(land.has(kind) for kind in _PAYS_RAILROADS) + bool(land.resource) for land in lands)


def _resources(own: Mapping[str, Land]) -> Source:
    """27.production.income.11"""
    values = [land.resource for land in own.values() if land.resource]
    what = _several(len(values), "developed resource")
    return IncomeLine(what, sum(values), "27.production.income.11") if values else None


def _spheres(war: War, seat: Seat) -> Source:
    """27.production.income.12"""
    spheres = sum(land.spheres.get(seat, 0) for land in war.regions_of(None))
    what = f"{_several(spheres, 'sphere')} in native regions"
    return IncomeLine(what, spheres, "27.production.income.12") if spheres else None
