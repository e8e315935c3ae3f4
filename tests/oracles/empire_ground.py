"""Oracles of movement in Empire: the tables of II.A over an auditor's own hexagons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from referee.games.empire.events.moving import OilPumped, UnitMoved, WindRolled
from tests.oracles.audit import Fact, Line, Stretch, at_most

PERSON = {"plain": "2", "forest": "4", "desert": "4", "swamp": "6", "ice": "4", "road": "1", "rail": "1"}
WHEELS = {"plain": "4/3", "forest": "8/3", "desert": "2/3", "road": "2/3", "rail": "2/3"}
_LAND: dict[str, dict[str, str]] = {
    **dict.fromkeys(("coolie", "government coolie", "ambassador coolie", "SAC"), PERSON),
    **dict.fromkeys(("automobile", "bicycle", "motorcycle", "light transport"), WHEELS),
    "truck": {**WHEELS, "ice-road": "2"},
    "locomotive": {"rail": "2/3"},
}
"""II.A, Land Units: BTA a border by what is crossed."""

BTA = 30
"""The record counts BTA in thirtieths."""

LAND_RATES: Mapping[str, Mapping[str, int]] = {
    kind: {over: int(Fraction(rate) * BTA) for over, rate in rates.items()} for kind, rates in _LAND.items()
}
"""The same in thirtieths."""

SEA_RATES = {
    "cruiser": "4/5", "destroyer": "2/3", "life raft": "4", "battleship": "1", "cargo ship": "1", "carrier": "1",
    "fishing ship": "1", "oil tanker": "1", "pirate ship": "1", "yacht": "1", "luxury liner": "1", "submarine": "1",
}  # fmt: skip
"""II.A, Naval Units."""

PLANES = ("cargo plane", "C-5A Galaxy", "fighter", "passenger liner", "spruce goose", "strategic bomber", "TAC")
"""II.A, Air Units that pay half a BTA a border; a third with a drop tank."""

WAYS = ("N", "E", "Q", "S", "W", "P")


def number_of(cell: str) -> tuple[int, int]:
    """Column and row."""
    column, row = re.findall(r"\d+", cell)
    return int(column), int(row)


class Ground:
    """The board with its lines and cities, and what lies beside what."""

    def __init__(self, empire: Any) -> None:
        self.board, self.lines = empire.board, empire.lines
        self.cities = {city.at for city in empire.cities.values()}
        self._around: dict[str, list[tuple[str, str]]] = {}
        self._media: dict[tuple[str, str], frozenset[str]] = {}
        self._reached: dict[tuple[str, int, bool], dict[str, int]] = {}

    def beyond(self, cell: str, way: str) -> str | None:
        """The square in a direction; even columns lie half a square lower, and the board wraps east to west."""
        column, row = number_of(cell)
        low = column % 2 == 0
        steps = {"N": (0, -1), "S": (0, 1), "E": (1, low - 1), "Q": (1, low), "W": (-1, low), "P": (-1, low - 1)}
        across, down = steps[way]
        column, row = column + across, row + down
        if self.board.wraps:
            column = (column - 1) % self.board.columns + 1
        inside = 1 <= column <= self.board.columns and 1 <= row <= self.board.rows
        return f"c{column}r{row}" if inside else None

    def around(self, cell: str) -> list[tuple[str, str]]:
        """The six squares around, each with its direction."""
        if cell not in self._around:
            near = ((way, self.beyond(cell, way)) for way in WAYS)
            self._around[cell] = [(way, there) for way, there in near if there is not None]
        return self._around[cell]

    def edge(self, here: str, way: str) -> str:
        """The name under which the record keeps a border."""
        there = self.beyond(here, way)
        return f"{here}{way}" if way in WAYS[:3] or there is None else f"{there}{WAYS[(WAYS.index(way) + 3) % 6]}"

    def over(self, here: str, way: str) -> tuple[set[str], set[str]]:
        """What lies on a border, and which lines cross it."""
        edge = self.edge(here, way)
        return set(self.board.borders.get(edge, ())), set(self.lines.get(edge, ()))

    def wet(self, cell: str) -> bool:
        """Whether a square is sea or lake."""
        return self.board.squares[cell].terrain in ("sea", "lake")

    def media(self, here: str, way: str) -> frozenset[str]:
        """By what a land unit enters the next square; looked up where it was asked for before."""
        if (here, way) not in self._media:
            self._media[here, way] = frozenset(self._entered(here, way))
        return self._media[here, way]

    def _entered(self, here: str, way: str) -> set[str]:
        """II.D, III.A: by what a land unit enters the next square: its terrain, road, rail; nothing where it cannot."""
        there = self.beyond(here, way)
        features, lines = self.over(here, way)
        pass_ = bool(lines & {"mountain road", "tunnel"})
        if there is None or self.wet(there) or ("mountain" in features and not pass_):
            return set()
        if "double river" in features and "bridge" not in lines:
            return set()
        road, rail = (self._runs(what, here, there, lines) for what in ("road", "rail"))
        if "divided" in features and lines & {"mountain road", "tunnel", "bridge", "road", "rail"}:
            return {"joined", *(["rail"] if rail else [])}
        terrain = self.board.squares[there].terrain
        paved = "ice-road" if terrain == "ice" and there not in self.cities else "road"
        return {terrain, *([paved] if road or pass_ else []), *(["rail"] if rail else [])}

    def _runs(self, what: str, here: str, there: str, lines: set[str]) -> bool:
        leaves = here in self.cities and any(what in self.over(there, way)[1] for way in WAYS)
        return what in lines or there in self.cities or leaves

    def fare(self, rates: Mapping[str, int], here: str, way: str) -> int | None:
        """What a border costs on land, in thirtieths of a BTA."""
        media = self.media(here, way)
        if "joined" in media and set(rates) != {"rail"}:
            return 0
        return min((rates[medium] for medium in media if medium in rates), default=None)

    def reach(self, start: str, rates: Mapping[str, int], sail: bool = False) -> dict[str, int]:
        """The cheapest way to every square within 12 BTA; `sail`: water borders cost 1 (H-10)."""
        key = (start, id(rates), sail)
        if key not in self._reached:
            self._reached[key] = self._searched(start, rates, sail)
        return self._reached[key]

    def _searched(self, start: str, rates: Mapping[str, int], sail: bool) -> dict[str, int]:
        found, ahead = {start: 0}, [(0, start)]
        while ahead:
            cost, here = heappop(ahead)
            for way, there in self.around(here) if cost == found[here] else ():
                fares = [self.fare(rates, here, way), BTA if sail else None]
                total = cost + min((one for one in fares if one is not None), default=99 * BTA)
                if total <= 12 * BTA and total < found.get(there, 99 * BTA):
                    found[there] = total
                    heappush(ahead, (total, there))
        return found


@cache
def _grounds() -> dict[str, Any]:
    return {}


def ground_of(empire: Any) -> Ground:
    """The ground of a position, made anew only where lines or cities have changed."""
    kept = _grounds()
    key = (empire.board, empire.lines, empire.cities)
    if not kept or any(one is not other for one, other in zip(kept["key"], key, strict=True)):
        kept.update(key=key, ground=Ground(empire))
    found: Ground = kept["ground"]
    return found


def _steps(ground: Ground, start: str, way: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """Each square that was left, with the direction taken; None where the next is no neighbour."""
    pairs = pairwise((start, *way))
    return [(here, next((w for w, near in ground.around(here) if near == there), None)) for here, there in pairs]


def _allowed(fact: Fact[UnitMoved]) -> Iterator[Line]:
    """II: 12 BTA a turn."""
    unit = fact.before.units[fact.event.unit]
    yield Line(
        "where it stood", (unit.at, unit.country, unit.kind), (fact.event.start, fact.event.country, fact.event.kind)
    )
    yield at_most(f"thirtieths of a BTA of {unit.kind}", unit.spent + fact.event.cost, 12 * BTA)


def land_moves(stretch: Stretch) -> Iterator[Line]:
    """II.A, Land Units: every border by the table, by terrain, road or rail; no way is cheaper than the cheapest."""
    for fact in stretch.of(UnitMoved):
        rates = LAND_RATES.get(fact.event.kind)
        if rates is not None:
            ground, event = ground_of(fact.before), fact.event
            fares = [
                ground.fare(rates, here, way) if way else None for here, way in _steps(ground, event.start, event.way)
            ]
            yield Line(f"{event.kind} can pass", None in fares, False)
            yield Line(f"{event.kind} by {event.way}", event.cost, sum(fare or 0 for fare in fares))
            cheapest = ground.reach(event.start, rates).get(event.way[-1], 99 * BTA)
            yield at_most("the cheapest way", cheapest, event.cost)
            yield from _allowed(fact)


def sea_moves(stretch: Stretch) -> Iterator[Line]:
    """II.A, Naval Units: each border by the ship's rate, over water or along a river, coast or canal."""
    for fact in stretch.of(UnitMoved):
        rate = SEA_RATES.get(fact.event.kind)
        if rate is not None:
            ground, under = ground_of(fact.before), fact.before.units[fact.event.unit].status == "submerged"
            steps = _steps(ground, fact.event.start, fact.event.way)
            due = Fraction(2 if under else rate) * len(steps)
            yield Line(f"{fact.event.kind} sails", Fraction(fact.event.cost, BTA), due)
            yield Line("from square to square", None in [way for _, way in steps], False)
            yield Line("along water", [at for at in fact.event.way if not _water(ground, at)], [])
            yield from _allowed(fact)


def _water(ground: Ground, cell: str) -> bool:
    if ground.wet(cell) or "canal" in ground.lines.get(cell, ()):
        return True
    rivers = any(ground.over(cell, way)[0] & {"river", "double river"} for way in WAYS)
    return rivers or any(ground.wet(there) for _, there in ground.around(cell))


def flights(stretch: Stretch) -> Iterator[Line]:
    """II.A, Air Units: half a BTA a border, a third with a drop tank, a balloon 1 with the wind."""
    for fact in stretch.of(UnitMoved):
        kind, ground = fact.event.kind, ground_of(fact.before)
        steps = _steps(ground, fact.event.start, fact.event.way)
        if kind in PLANES:
            rate = Fraction(1, 3) if "drop tank" in fact.before.units[fact.event.unit].parts else Fraction(1, 2)
            yield Line(f"{kind} flies", Fraction(fact.event.cost, BTA), rate * len(steps))
        elif kind == "balloon":
            yield Line("balloon flies", Fraction(fact.event.cost, BTA), Fraction(len(steps)))
            yield Line("with the wind", {way for _, way in steps}, {fact.before.wind})
        elif kind in ("sailboat", "sailplane"):
            turns = [(WAYS.index(way or "N") - WAYS.index(fact.before.wind)) % 6 for _, way in steps]
            due = sum((Fraction((1, 2, 4, 8, 4, 2)[turn]) for turn in turns), Fraction(0))
            yield Line(f"{kind} sails", Fraction(fact.event.cost, BTA), due / (2 if kind == "sailplane" else 1))
        if kind in (*PLANES, "balloon", "sailboat", "sailplane"):
            yield Line("from square to square", None in [way for _, way in steps], False)
            yield from _allowed(fact)


def pipelines(stretch: Stretch) -> Iterator[Line]:
    """II.B: oil in a pipeline consumes 1 BTA a border, 12 in all."""
    for fact in stretch.of(OilPumped):
        ground = ground_of(fact.before)
        spent, ahead = {fact.event.lot.at: 0}, [fact.event.lot.at]
        for here in ahead:
            for way, there in ground.around(here):
                if "pipeline" in ground.over(here, way)[1] and there not in spent:
                    spent[there] = spent[here] + BTA
                    ahead.append(there)
        yield Line("thirtieths by pipeline", fact.event.to.spent - fact.event.lot.spent, spent.get(fact.event.to.at))
        yield at_most("thirtieths of oil", fact.event.to.spent, 12 * BTA)


def wind(stretch: Stretch) -> Iterator[Line]:
    """II.A: 1 to 6 are N, E, Q, S, W, P."""
    for fact in stretch.of(WindRolled):
        face = sum(stretch.thrown(fact.place)[:1])
        yield Line("wind", fact.event.wind, WAYS[face - 1])
