"""Power: stations, power squares, lines, and hands for factories, as far as a turn's end has them (emp.H-19)."""

from __future__ import annotations

import msgspec

from referee.games.empire.position.pieces import Lot, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import spread, ways_of
from referee.games.empire.reckoning.ownership import busy
from referee.games.empire.reckoning.work.shelves import Shelves
from referee.games.empire.reckoning.work.structures import own_factories
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA
from referee.games.empire.rulebook.recipes import STATION_POWER

STATION = "power station"

FUELS = ("C", "O")
"""What a station burns, in this order, where no power square feeds it."""


def net_of(empire: Empire, at: Position) -> tuple[Position, ...]:
    """The squares that power reaches from a square: itself, cities merged with it, and what lines join (emp.H-19, emp.C1)."""
    ways = ways_of(empire)

    def step(here: str) -> list[tuple[str, int]]:
        joined = [(there, 0) for there in ways.one_square(here) if there != here]
        return joined + [(there, 1) for way, there in ways.grid.around(here) if "power line" in ways.on(here, way)]

    return tuple(spread(step, {at: 0}, ALLOWANCE * BTA)[0])


class Station(msgspec.Struct, frozen=True):
    """A station that runs this turn: what it burns, or the power square that feeds it."""

    at: Position
    fuel: tuple[Lot, ...] = ()
    square: Position = ""


class Hands:
    """Regular coolies with nothing else to do over the end of the turn, each taken once."""

    def __init__(self, empire: Empire, country: str) -> None:
        self._left: dict[Position, list[int]] = {}
        for unit in empire.units_of(country, "coolie"):
            if not busy(empire, unit) and _stands(empire, unit):
                self._left.setdefault(unit.at, []).append(unit.number)

    def take(self, at: Position) -> int:
        """A hand in a square, 0 when there is none."""
        found = self._left.get(at)
        return found.pop(0) if found else 0

    def give_back(self, at: Position, number: int) -> None:
        """A hand that is not needed after all."""
        if number:
            self._left.setdefault(at, []).insert(0, number)


def _stands(empire: Empire, unit: Unit) -> bool:
    return not unit.aboard and f"canal {unit.at}/{unit.number}" not in empire.handled


class Mains:
    """The power of a country at a turn's end: stations are started as factories draw on them."""

    def __init__(self, empire: Empire, country: str, hands: Hands, shelves: Shelves) -> None:
        self._empire, self._hands, self._shelves = empire, hands, shelves
        self._left: dict[Position, int] = {}
        self._idle = [at for at, kind in own_factories(empire, country) if kind == STATION]
        self._squares = [w.at for w in empire.worked if w.country == country and w.kind == "power"]
        self.running: list[Station] = []

    def draw(self, at: Position) -> bool:
        """Take one power for a factory in a square; False when none can be had there."""
        net = net_of(self._empire, at)
        source = next((place for place in net if self._left.get(place)), "") or self._start(net)
        if not source:
            return False
        self._left[source] -= 1
        return True

    def _start(self, net: tuple[Position, ...]) -> Position:
        """Set a station of the net to work; where it is, empty when none can be."""
        for at in [place for place in self._idle if place in net]:
            hand = self._hands.take(at)
            station = self._fed(at, net) if hand else None
            if station is None:
                self._hands.give_back(at, hand)
                continue
            self._idle.remove(at)
            self.running.append(station)
            self._left[at] = self._left.get(at, 0) + STATION_POWER
            return at
        return ""

    def _fed(self, at: Position, net: tuple[Position, ...]) -> Station | None:
        """A station at work: fed by a power square of its net, else by what it burns; None when there is neither."""
        square = next((place for place in self._squares if place in net), "")
        if square:
            self._squares.remove(square)
            return Station(at, square=square)
        for fuel in FUELS:
            lots = self._shelves.take(at, {fuel: 1})
            if lots:
                return Station(at, lots)
        return None
