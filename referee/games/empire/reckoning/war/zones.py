"""Zones of control: squares where hostile military cuts supply (emp.F2, emp.H-26).

Stacking: how many land formations stand in one square (emp.H-25).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.movement.distance import reach, supply_steps, ways_of
from referee.games.empire.reckoning.movement.passage import Ways
from referee.games.empire.rulebook.kinds import FORMATIONS, KINDS
from referee.kit.refused import Refused

_STACK, _CITY_STACK = 4, 8


def most_in(empire: Empire, at: str) -> int:
    """How many formations of one owner may stand in a square: four, in a city eight (emp.H-25)."""
    return _CITY_STACK if empire.city_at(at) else _STACK


def stands(unit: Unit) -> bool:
    """Whether a unit is a formation that takes room in its square: not carried, not in a warehouse."""
    return KINDS[unit.kind].land_military and not unit.aboard and unit.status != "warehouse"


def check_stack(empire: Empire, unit: Unit, target: str) -> None:
    """Refuse a fifth formation in a square, a ninth in a city (emp.H-25)."""
    if not KINDS[unit.kind].land_military:
        return
    others = [other for other in empire.units_at(target) if other.number != unit.number]
    there, most = sum(stands(u) and empire.same_owner(u.country, unit.country) for u in others), most_in(empire, target)
    if there >= most:
        raise Refused(f"{there} formations stand in {target} already; {most} may.", "emp.H-25", target)


REACH = {name: formation.zone for name, formation in FORMATIONS.items()} | {
    "battleship": 1, "carrier": 1, "cruiser": 1, "destroyer": 0, "submarine": 0,
}  # fmt: skip
"""How many squares beyond its own a unit's zone of control reaches (emp.H-26); others have none."""


def land_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Land squares in a zone of control of military hostile to a country."""
    return _zone(empire, country, "land")


def naval_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Water squares in a zone of control of ships hostile to a country."""
    return _zone(empire, country, "naval")


def controllers(empire: Empire, country: str, at: Position) -> tuple[Unit, ...]:
    """The hostile land military whose zone of control covers a square, for a country."""
    return tuple(unit for unit, squares in land_zones(empire, country) if at in squares)


def land_zones(empire: Empire, country: str) -> Iterator[tuple[Unit, list[Position]]]:
    """Every hostile land unit with a zone of control, for a country, and the squares that it covers."""
    return _zones(empire, country, "land")


def _zone(empire: Empire, country: str, category: str) -> frozenset[Position]:
    return frozenset(square for _, squares in _zones(empire, country, category) for square in squares)


def _zones(empire: Empire, country: str, category: str) -> Iterator[tuple[Unit, list[Position]]]:
    """Every unit with a zone of control hostile to a country, and the squares it covers."""
    fed: dict[str, frozenset[Position]] = {}
    most = in_force.figure(empire, "zones", "most")
    for unit in empire.units.values():
        if unit.country == country or not _controls(unit, category) or not _hostile(empire, unit, country, True):
            continue
        if category == "land":
            if unit.country not in fed:
                fed[unit.country] = provisioned(empire, unit.country)
            if unit.at not in fed[unit.country]:
                continue
        yield unit, _reached(empire, unit, category == "naval", min(most, REACH[unit.kind]))


def _controls(unit: Unit, category: str) -> bool:
    """Whether a unit has a zone at all: military, out of doors, not carried, not under water."""
    if unit.kind not in REACH or unit.aboard or unit.status in ("warehouse", "submerged", "dock", "beach"):
        return False
    return KINDS[unit.kind].category == category


def _reached(empire: Empire, unit: Unit, water: bool, far: int) -> list[Position]:
    """Its own square, and those next to it over borders that land units, or ships, can cross at all."""
    ways, found = ways_of(empire), [unit.at]
    for way, there in ways.grid.around(unit.at) if far else ():
        crossed = ways.sea(unit.at, way) if water else ways.land(unit.at, way)
        if crossed and (not water or ways.water(there)):
            found.append(there)
    return found


# ---------------------------------------------------------------- out of food


def provisioned(empire: Empire, country: str) -> frozenset[Position]:
    """Squares within 12 BTA of a country's food, whoever stands between: who is outside has no zone of control (emp.H-26).

    Zones cut lines of supply, so whether a unit has a zone cannot hang on other zones.
    """
    ships = [u.at for u in empire.units.values() if u.kind == "cargo ship" and empire.friendly(u.country, country)]
    stores = dict.fromkeys(lot.at for lot in empire.lots if lot.what == "food" and lot.country == country)
    return _within(ways_of(empire), tuple(dict.fromkeys(ships)), tuple(stores))


@lru_cache(maxsize=64)
def _within(ways: Ways, ships: tuple[Position, ...], stores: tuple[Position, ...]) -> frozenset[Position]:
    return frozenset(reach(supply_steps(ways, ways.waters(ships)), stores))


def _hostile(empire: Empire, unit: Unit, country: str, military: bool) -> bool:
    owner = empire.countries.get(unit.country)
    return owner is not None and owner.hostile_to(country, military) and not empire.same_owner(owner.name, country)


def blocked_by_coolies(empire: Empire, country: str) -> frozenset[Position]:
    """Squares through which hostile regular coolies let no line of supply pass (emp.F2)."""
    return frozenset(
        unit.at
        for unit in empire.units.values()
        if unit.kind == "coolie" and not unit.aboard and _hostile(empire, unit, country, False)
    )
