"""Goods brought home: by who works in a square within reach of the capital, and by trucks from farther away."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.empire.bots.estate import Estate, exactly
from referee.games.empire.orders.movement.loading import Load, Unload
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.position.pieces import Position
from referee.games.empire.rulebook.kinds import ALLOWANCE

_COOLIE, _TRUCK = 2, 5
"""Objects that each carries."""

_PORTION = 5
"""Food to an object."""

_KEPT = ("cmx", "colony piece", "hmx", "t&d", "SAU")
"""What is left where it lies."""


def haul(estate: Estate) -> None:
    """Who works within six BTA brings two objects home when they lie there, and is back at work by the end of the turn."""
    home = estate.around(estate.home)
    for at, number in list(estate.workers.items()):
        load = _load(estate.stores.get(at, {}), _COOLIE, False) if at != estate.home else {}
        if sum(load.values()) == _COOLIE and _there_and_back(estate, home, at, "coolie", ALLOWANCE):
            _trip(estate, number, at, load)
            estate.sheet.append(MoveUnits((number,), at))


def cart(estate: Estate) -> None:
    """Trucks go out from the capital and back, time and again, to where most lies."""
    trucks = [unit for unit in estate.empire.units_of(estate.country, "truck") if unit.at == estate.home]
    home = estate.around(estate.home, "truck") if trucks else {}
    for truck in trucks:
        left = ALLOWANCE - truck.spent
        while left > 0:
            fullest = _fullest(estate, home, left)
            if not fullest:
                break
            load, at, way = fullest
            estate.sheet.append(MoveUnits((truck.number,), at))
            _trip(estate, truck.number, at, load)
            left -= way


def _fullest(estate: Estate, home: Mapping[Position, int], left: int) -> tuple[dict[str, int], Position, int] | None:
    """The square with most to fetch that a truck can still reach and come back from, the load, and the way in BTA."""
    best: tuple[int, Position, dict[str, int]] | None = None
    for at in home:
        load = _load(estate.stores.get(at, {}), _TRUCK, True) if at != estate.home else {}
        size = sum(-(-number // _PORTION) if what == "food" else number for what, number in load.items())
        if size >= _COOLIE and (best is None or size > best[0]) and _there_and_back(estate, home, at, "truck", left):
            best = (size, at, load)
    return (best[2], best[1], _there_and_back(estate, home, best[1], "truck", left)) if best else None


def _there_and_back(estate: Estate, home: Mapping[Position, int], at: Position, kind: str, most: int) -> int:
    """What the way out and back costs where it is no more than so much, else 0."""
    out = home.get(at, most + 1)
    back = estate.around(at, kind, most - out).get(estate.home) if out <= most else None
    return out + back if back is not None else 0


def _trip(estate: Estate, carrier: int, at: Position, load: dict[str, int]) -> None:
    """From a square home with a load."""
    goods = tuple(exactly(what, number) for what, number in load.items())
    estate.sheet += [Load(carrier, goods), MoveUnits((carrier,), estate.home), Unload(carrier, goods, (), "city")]
    estate.bring(at, load)


def _load(there: Mapping[str, int], room: int, food: bool) -> dict[str, int]:
    """As many objects of what lies in a square as there is room for, resources before food."""
    load: dict[str, int] = {}
    for what, number in there.items():
        if what not in ("food", *_KEPT) and min(room, number) > 0:
            load[what] = min(room, number)
            room -= load[what]
    if food and room and there.get("food", 0) > 0:
        load["food"] = min(there["food"], room * _PORTION)
    return load
