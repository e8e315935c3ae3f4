"""Zones of control: squares where hostile military cuts supply (F2, H-26)."""

from __future__ import annotations

from referee.games.empire.distance import ways_of
from referee.games.empire.kinds import KINDS
from referee.games.empire.state import Empire, Position, Unit

__all__ = ["REACH", "blocked_by_coolies", "land_zone", "naval_zone"]

REACH = {
    "SAC": 0, "airborne regiment": 0, "recon": 1, "infantry regiment": 1, "support regiment": 1, "motor regiment": 1,
    "artillery": 1, "armour": 1, "battleship": 1, "carrier": 1, "cruiser": 1, "destroyer": 0, "submarine": 0,
}  # fmt: skip
"""How many squares beyond its own a unit's zone of control reaches (H-26); others have none."""


def land_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Land squares in a zone of control of military hostile to a country."""
    return _zone(empire, country, "land")


def naval_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Water squares in a zone of control of ships hostile to a country."""
    return _zone(empire, country, "naval")


def _zone(empire: Empire, country: str, category: str) -> frozenset[Position]:
    return frozenset(
        square
        for unit in empire.units.values()
        if unit.country != country and _controls(unit, category) and _hostile(empire, unit, country, True)
        for square in _reached(empire, unit, category == "naval")
    )


def _controls(unit: Unit, category: str) -> bool:
    """Whether a unit has a zone at all: military, out of doors, not carried, not under water."""
    kind = KINDS.get(unit.kind)
    away = unit.aboard or unit.status in ("warehouse", "submerged", "dock", "beach")
    return kind is not None and kind.category == category and unit.kind in REACH and not away


def _reached(empire: Empire, unit: Unit, water: bool) -> list[Position]:
    """Its own square, and those next to it over borders that land units, or ships, can cross at all."""
    ways, found = ways_of(empire), [unit.at]
    for way, there in ways.grid.around(unit.at) if REACH[unit.kind] else ():
        crossed = ways.sea(unit.at, way) if water else ways.land(unit.at, way)
        if crossed and (not water or ways.water(there)):
            found.append(there)
    return found


def _hostile(empire: Empire, unit: Unit, country: str, military: bool) -> bool:
    owner = empire.countries.get(unit.country)
    return owner is not None and owner.hostile_to(country, military) and not empire.same_owner(owner.name, country)


def blocked_by_coolies(empire: Empire, country: str) -> frozenset[Position]:
    """Squares through which hostile regular coolies let no line of supply pass (F2)."""
    return frozenset(
        unit.at
        for unit in empire.units.values()
        if unit.kind == "coolie" and not unit.aboard and _hostile(empire, unit, country, False)
    )
