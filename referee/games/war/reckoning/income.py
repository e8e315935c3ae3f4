"""What a player's empire pays in the income sub-phase, line by line (27.production.income). Pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.core.names import Seat
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.assignment import factory_income, port_income
from referee.games.war.reckoning.sealanes import friendly_ports, open_ports
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import units_in_words
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


def source(number: int, kind: str, amount: int, rule: str, where: str = "", paying: int = -1) -> tuple[IncomeLine, ...]:
    """The line of so many of a kind, even if they pay nothing, `2 of 3 ports` if not all pay; none where none stands."""
    some = f"{paying} of " if paying not in (-1, number) else ""
    return (IncomeLine(f"{some}{units_in_words(kind, number)}{where}", amount, rule),) if number else ()


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
    count = {kind: war.buildings_of(seat, kind) for kind in ("city", "factory", "port", "railroad")}
    western, values = (
        sum(land.westernized for land in own.values()),
        [n for land in own.values() if (n := land.resource)],
    )
    native, spheres = len(own) - western, sum(land.spheres.get(seat, 0) for land in war.regions_of(None))
    paying, reaching = min(count["factory"], count["city"]), len(open_ports(war, seat)) if count["port"] else 0
    rule = "27.production.income"
    lines = (
        *source(western, "westernized region", western * _REGION, f"{rule}.5"),
        *source(native, "region", native * (_REGION - _NATIVE_TIES), f"{rule}.5", " not westernized"),
        *_zones(war, seat),
        *source(count["city"], "city", count["city"] * _CITY, f"{rule}.7"),
        *source(count["factory"], "factory", _from_factories(own, paying), f"{rule}.8", paying=paying),
        *source(count["port"], "port", _from_ports(war, seat, own, reaching), f"{rule}.9", paying=reaching),
        *source(count["railroad"], "railroad", railroad_income(own), f"{rule}.10"),
        *source(len(values), "developed resource", sum(values), f"{rule}.11"),
        *source(spheres, "sphere", spheres, f"{rule}.12", " in native regions"),
    )
    return Income(lines, count["city"] + 1)


def adjacent_resources(own: Mapping[str, Land], factory: str) -> tuple[str, ...]:
    """Regions whose developed resource is an ADR of a factory: here, next door, or behind one own railroad (R27-14)."""
    borders = BOARD.regions[factory].borders
    behind = [
        name for near in borders if near in own and own[near].has("railroad") for name in BOARD.regions[near].borders
    ]
    near = dict.fromkeys((factory, *borders, *behind))
    return tuple(name for name in near if name in own and own[name].resource)


def _zones(war: War, seat: Seat) -> tuple[IncomeLine, ...]:
    """27.production.income.6"""
    zones = tuple(
        zone for zone, regions in BOARD.zones.items() if all(war.lands[name].owner == seat for name in regions)
    )
    regions = sum(len(BOARD.zones[zone]) for zone in zones)
    return (IncomeLine(f"the whole of {in_a_row(zones)}", regions, "27.production.income.6"),) if zones else ()


def _from_factories(own: Mapping[str, Land], paying: int) -> int:
    """27.production.income.8"""
    factories = [land.name for land in own.values() if land.has("factory")]
    resources = {name: number for number, name in enumerate(name for name, land in own.items() if land.resource)}
    links = [tuple(resources[name] for name in adjacent_resources(own, factory)) for factory in factories]
    return factory_income(paying, len(resources), links)


def _from_ports(war: War, seat: Seat, own: Mapping[str, Land], reaching: int) -> int:
    """27.production.income.9, 27.production.blockade.2, 27.production.blockade.4; R27-11, R27-13"""
    objects = sum(land.has("factory") + bool(land.resource) for land in own.values())
    return port_income(reaching, len(friendly_ports(war, seat)), objects) if reaching else 0


def railroad_income(own: Mapping[str, Land]) -> int:
    """27.production.income.10: what railroads pay together in both editions, for what stands in their own regions too (R27-14)."""
    near = {name: (name, *BOARD.regions[name].borders) for name, land in own.items() if land.has("railroad")}
    served = ([own[name] for name in names if name in own] for names in near.values())
    paid = (sum(sum(map(land.has, _PAYS_RAILROADS)) + bool(land.resource) for land in lands) for lands in served)
    return sum(min(_RAILROAD_CAP, _RAILROAD_EACH * number) for number in paid)
