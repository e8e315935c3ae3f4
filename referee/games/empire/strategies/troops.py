"""Coolies under arms: how a ruler who has small arms raises regiments and where he quarters them."""

from __future__ import annotations

from referee.games.empire.distance import reach, steps
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.orders.arming import Arm
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.pieces import Position, Unit
from referee.games.empire.steps.stacking import most_in, stands
from referee.games.empire.strategies.estate import Estate

REGIMENT = "infantry regiment"
_SAU = 2


def arm(estate: Estate) -> None:
    """A regiment of every two small arms at home, as far as hands and room at home go (H-25)."""
    here = [unit for unit in estate.empire.units_at(estate.home) if stands(unit) and unit.country == estate.country]
    room = most_in(estate.empire, estate.home) - len(here) + len(_leaving(estate))
    while room > 0 and estate.has({"SAU": _SAU}) and estate.hands:
        unit = estate.hand()
        assert unit is not None
        estate.take({"SAU": _SAU})
        estate.sheet.append(Arm((unit.number,), REGIMENT))
        room -= 1


def quarter(estate: Estate) -> None:
    """The regiments of earlier turns go where there is room for them, the nearest squares first, and leave the capital free."""
    taken: dict[Position, int] = {}
    for unit in _leaving(estate):
        at = _room_for(estate, unit, taken)
        if at:
            taken[at] = taken.get(at, 0) + 1
            estate.sheet.append(MoveUnits((unit.number,), at))


def _leaving(estate: Estate) -> tuple[Unit, ...]:
    """Regiments at home that may march: not those armed this turn."""
    troops = estate.empire.units_of(estate.country, REGIMENT)
    return tuple(unit for unit in troops if unit.at == estate.home and unit.since < estate.turn)


def _room_for(estate: Estate, unit: Unit, taken: dict[Position, int]) -> Position:
    empire = estate.empire
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE // 2):
        there = sum(stands(u) for u in empire.units_at(at)) + taken.get(at, 0)
        if at != estate.home and there < most_in(empire, at):
            return at
    return ""
