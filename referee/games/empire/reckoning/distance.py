"""How far it is: what a border costs a kind of unit, what is within its allowance, and the 12 BTA of supply and capitals.

All costs are whole thirtieths of a BTA. A search fills buckets by cost (Dijkstra), walks neighbours clockwise from north
and so always finds the same way among equals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from referee.games.empire.position.board import Board
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.passage import Ways
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS, Kind
from referee.kit.hexes import DIRECTIONS

Steps = Callable[[str], Sequence[tuple[str, int]]]
"""From a square to the squares next to it that can be entered, each with its cost in thirtieths of a BTA."""

_COOLIE = tuple(KINDS["coolie"].rates.items())


# ---------------------------------------------------------------- ways, remembered while the networks stay the same


class _Recent:
    """The ways of the networks seen last: building them anew for every order would cost more than the order."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: list[Ways] = []

    def ways(self, board: Board, lines: Mapping[str, tuple[str, ...]], cities: frozenset[str]) -> Ways:
        """Those of this board, these lines and these cities."""
        for at, ways in enumerate(self.kept):
            if ways.board is board and ways.cities == cities and (ways.lines is lines or ways.lines == lines):
                self.kept.insert(0, self.kept.pop(at))
                return ways
        self.kept.insert(0, Ways(board, lines, cities))
        del self.kept[self.size :]
        return self.kept[0]


_RECENT = _Recent(16)


def ways_of(empire: Empire) -> Ways:
    """What every border of the position lets through."""
    return _RECENT.ways(empire.board, empire.lines, frozenset([city.at for city in empire.cities.values()]))


# ---------------------------------------------------------------- one border


def rates(
    board: Board, empire: Empire | None, kind: Kind, here: str, direction: str, submerged: bool = False
) -> int | None:
    """What crossing a border costs a kind of unit in thirtieths of a BTA; None when it cannot (emp.move.rates).

    Without a position the bare board counts. Sailboats, sailplanes and balloons need the wind of the position.
    """
    ways = ways_of(empire) if empire is not None else _RECENT.ways(board, {}, frozenset())
    return cost_of(ways, kind, here, direction, empire.wind if empire is not None else "", submerged)


def cost_of(ways: Ways, kind: Kind, here: str, direction: str, wind: str = "", submerged: bool = False) -> int | None:
    """What `rates` says, for ways already at hand."""
    if kind.category == "naval":
        base = (kind.submerged if submerged else kind.rates).get(ways.sea(here, direction))
    elif kind.category == "air":
        base = _flight(ways, kind, here, direction)
    else:
        base = _least(kind.rates, ways.land(here, direction))
    return base if base is None or not kind.wind else _with_wind(kind, direction, wind)


class _Cheapest(dict[tuple[str, ...], "int | None"]):
    """What the cheapest of some media costs by a table of rates; there are few kinds of borders, so each is asked for once."""

    def __init__(self, rates: Mapping[str, int]) -> None:
        self._rates = rates

    def __missing__(self, media: tuple[str, ...]) -> int | None:
        found = self[media] = _least(self._rates, media)
        return found


def _least(table: Mapping[str, int], media: tuple[str, ...]) -> int | None:
    """The cheapest of the media; a road over ice serves those on foot as a road and others only by the ice road's rate."""
    if "joined" in media and "road" in table:
        return 0
    if "ice-road" in media and "ice" in table and "ice-road" not in table:
        media = (*media, "road")
    costs = [table[way] for way in media if way in table]
    return min(costs) if costs else None


def _flight(ways: Ways, kind: Kind, here: str, direction: str) -> int | None:
    """Everywhere alike, but balloons and sailplanes cross no mountains (II.D)."""
    if ways.grid.step(here, direction) is None or (kind.wind and "mountain" in ways.board.border(here, direction)):
        return None
    return kind.rates["air"]


def _with_wind(kind: Kind, direction: str, wind: str) -> int | None:
    """Before the wind the base rate, twice at 60 degrees, four times at 120, eight against; a balloon only before it."""
    if not wind:
        return None
    turn = (DIRECTIONS.index(direction) - DIRECTIONS.index(wind)) % 6
    aslant = min(turn, 6 - turn)
    return None if kind.name == "balloon" and aslant else kind.wind << aslant


# ---------------------------------------------------------------- many borders


def steps(empire: Empire, kind: Kind, submerged: bool = False) -> Steps:
    """The steps of a kind of unit in a position, for `reach` and `route`."""
    table = (kind.submerged if submerged else kind.rates).items()
    return _steps(ways_of(empire), kind.name, tuple(table), empire.wind if kind.wind else "", submerged)


@lru_cache(maxsize=96)
def _steps(ways: Ways, name: str, table: tuple[tuple[str, int], ...], wind: str, submerged: bool) -> Steps:
    kind, land, around = KINDS[name], ways.land, ways.grid.around
    if kind.category in ("naval", "air") or kind.wind:
        return _remembered(around, lambda here, way, _: cost_of(ways, kind, here, way, wind, submerged))
    cheapest = _Cheapest(kind.rates)
    return _remembered(around, lambda here, way, _: cheapest[land(here, way)])


def _remembered(
    around: Callable[[str], tuple[tuple[str, str], ...]], cost: Callable[[str, str, str], int | None]
) -> Steps:
    """Steps by what it costs to leave a square a way to the one there, None where one cannot; each is found once."""
    known: dict[str, tuple[tuple[str, int], ...]] = {}

    def step(here: str) -> tuple[tuple[str, int], ...]:
        found = known.get(here)
        if found is None:
            costs = [(there, cost(here, way, there)) for way, there in around(here)]
            found = known[here] = tuple([(there, price) for there, price in costs if price is not None])
        return found

    return step


def reach(
    step: Steps,
    sources: Iterable[str],
    limit: int = ALLOWANCE,
    closed: Collection[str] = frozenset(),
    ends: Collection[str] = frozenset(),
) -> dict[str, int]:
    """Every square within the limit of any source, with its cost, the nearest first.

    Closed squares are never entered; those of `ends` are entered and not left again (a source always is left).
    """
    return spread(step, dict.fromkeys(sources, 0), limit, closed, ends)[0]


def route(
    step: Steps,
    here: str,
    there: str,
    limit: int = ALLOWANCE,
    closed: Collection[str] = frozenset(),
    ends: Collection[str] = frozenset(),
) -> tuple[str, ...] | None:
    """The cheapest way to a square, without the square left and with the one reached; None beyond the limit."""
    costs, came = spread(step, {here: 0}, limit, closed, ends, there)
    if there not in costs:
        return None
    way = [there]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(way[-2::-1])


def spread(
    step: Steps,
    sources: Mapping[str, int],
    limit: int = ALLOWANCE,
    closed: Collection[str] = frozenset(),
    ends: Collection[str] = frozenset(),
    goal: str = "",
) -> tuple[dict[str, int], dict[str, str]]:
    """Costs and, for every square, the one it was entered from ("" for a source). Sources start with costs of their own."""
    buckets: dict[int, list[tuple[str, str]]] = {}
    best = {here: cost for here, cost in sources.items() if cost <= limit}
    beyond = limit + 1
    for here, cost in best.items():
        buckets.setdefault(cost, []).append((here, ""))
    due = sorted(buckets)
    costs: dict[str, int] = {}
    came: dict[str, str] = {}
    while due:
        cost = heappop(due)
        for here, before in buckets[cost]:
            if here in costs:
                continue
            costs[here], came[here] = cost, before
            if here == goal:
                return costs, came
            if before and here in ends:
                continue
            for there, more in step(here):
                total = cost + more
                if total < best.get(there, beyond) and there not in closed:
                    best[there] = total
                    if total not in buckets:
                        buckets[total] = []
                        heappush(due, total)
                    buckets[total].append((there, here))
    return costs, came


# ---------------------------------------------------------------- the 12 BTA of supply and of capitals


def supply_steps(ways: Ways, afloat: frozenset[str] | None) -> Steps:
    """The steps by which food is traced (emp.F2, emp.H-10): coolie rates into land, 1 BTA into water.

    `afloat` names the waters with a friendly cargo ship, see `Ways.waters`; None opens all of them (capital spacing).
    """
    return _supply_steps(ways, afloat)


@lru_cache(maxsize=32)
def _supply_steps(ways: Ways, afloat: frozenset[str] | None) -> Steps:
    table = dict(_COOLIE)
    cheapest = _Cheapest(table)

    def sails(water: str) -> bool:
        return bool(water) and (afloat is None or water in afloat)

    def cost(here: str, direction: str, there: str) -> int | None:
        if ways.water(there):
            free = not ways.water(here) or ways.sea(here, direction)
            return BTA if free and sails(there) and "mountain" not in ways.board.border(here, direction) else None
        media = ways.land(here, direction)
        ferried = not media and ways.river(here, direction) == "double-river" and sails(ways.wet(here, direction))
        return table[ways.board.squares[there].terrain] if ferried else cheapest[media]

    return _remembered(ways.grid.around, cost)


def walk(board: Board, start: str) -> dict[str, int]:
    """Every square that coolies reach from a square in one turn on the bare board, with its cost, the nearest first."""
    ways, coolie = _RECENT.ways(board, {}, frozenset()), KINDS["coolie"]
    return reach(_steps(ways, coolie.name, _COOLIE, "", False), (start,))


def apart(board: Board, one: str, other: str, limit: int = ALLOWANCE) -> int | None:
    """The emp.H-10 measure between two squares on the bare board, the shorter of both ways; None: more than the limit."""
    if board.grid.apart(one, other) * BTA > limit:  # no border costs less than 1 BTA
        return None
    return _apart(_RECENT.ways(board, {}, frozenset()), one, other, limit)


@lru_cache(maxsize=8192)
def _apart(ways: Ways, one: str, other: str, limit: int) -> int | None:
    """The same; who chooses a site for his capital asks it of every square again and again."""
    step = supply_steps(ways, None)
    found = [spread(step, {a: 0}, limit, goal=b)[0].get(b) for a, b in ((one, other), (other, one))]
    near = [cost for cost in found if cost is not None]
    return min(near) if near else None
