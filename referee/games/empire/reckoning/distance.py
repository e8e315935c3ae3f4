"""How far it is: what a border lets through (falls and reefs stop ships) and costs a kind of unit, what is within its allowance,
and the 12 BTA of supply.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from referee.games.empire.position import Board, edge
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS, Kind
from referee.kit.hexes import DIRECTIONS, opposite, turned

# ---------------------------------------------------------------- what a border lets through
# The media by which land units cross a border, and the water that ships follow.
#
# Rivers run along borders, so a ship on a river, at a coast or in a dock stands in a land square, on the harbour of that
# square. Lines are kept by border name, canals by square; see `Ways`.


BY_SQUARE = ("canal",)
"""Networks kept by the name of their square; others by the border they cross (`board.edge`), a widening by its river's."""

_TURNS = tuple((way, turned(way, 1), turned(way, -1)) for way in ("N", "E", "Q", "S", "W", "P"))
_BLOCKS_SHIPS = frozenset({"reef", "mountain", "falls"})


def _blocks(features: tuple[str, ...]) -> bool:
    """Whether something on a border stops ships; most borders are bare."""
    return bool(features) and not _BLOCKS_SHIPS.isdisjoint(features)


class Ways:
    """A board with its lines and cities: what every border lets through. Pure; build it once per state of the networks."""

    def __init__(self, board: Board, lines: Mapping[str, tuple[str, ...]], cities: frozenset[str]) -> None:
        self.board, self.lines, self.cities = board, lines, cities
        self.grid = board.grid
        self._land: dict[tuple[str, str], tuple[str, ...]] = {}
        self._harbours: dict[str, tuple[str, ...]] = {}
        self._joined_to: dict[str, tuple[str, ...]] = {}

    def on(self, here: str, direction: str) -> tuple[str, ...]:
        """The lines that cross a border."""
        return self.lines.get(edge(self.grid, here, direction), ()) if self.lines else ()

    def canal(self, here: str) -> bool:
        """Whether a canal runs through a square."""
        return "canal" in self.lines.get(here, ())

    def water(self, here: str) -> bool:
        """Whether a square is sea or lake."""
        return here in self.board.waters

    # land

    def land(self, here: str, direction: str) -> tuple[str, ...]:
        """By what a land unit crosses a border: the terrain entered, road, rail; nothing when it cannot (emp.H-09).

        Mountains need a mountain road, a double river a bridge; a city gives road and rail to who enters it, and to who
        leaves it for a square that has them. Between sub-squares made one again it is "joined", and free (II.D).
        """
        key = (here, direction)
        found = self._land.get(key)
        if found is None:
            found = self._land[key] = self._crossed(here, direction)
        return found

    def _crossed(self, here: str, direction: str) -> tuple[str, ...]:
        there = self.grid.step(here, direction)
        if there is None or there in self.board.waters:
            return ()
        features, lines = self.board.border(here, direction), self.on(here, direction)
        if not (features or lines or there in self.cities or here in self.cities):  # as most borders are
            return (self.board.squares[there].terrain,)
        over = "mountain road" in lines or "tunnel" in lines
        if ("mountain" in features and not over) or ("double river" in features and "bridge" not in lines):
            return ()
        road = over or self._joined("road", here, there, lines)
        rail = self._joined("rail", here, there, lines)
        if self.merged(here, direction):
            return ("joined", "rail") if rail else ("joined",)
        terrain = self.board.squares[there].terrain
        paved = "ice-road" if terrain == "ice" and there not in self.cities else "road"
        return (terrain, *((paved,) if road else ()), *(("rail",) if rail else ()))

    def _joined(self, what: str, here: str, there: str, lines: tuple[str, ...]) -> bool:
        return what in lines or there in self.cities or (here in self.cities and self._has(what, there))

    def _has(self, what: str, here: str) -> bool:
        return any(what in self.on(here, way) for way, _ in self.grid.around(here))

    def merged(self, here: str, direction: str) -> bool:
        """Whether a border inside a divided square has been bridged or tunnelled: both sides are one square again (II.D)."""
        if "divided" not in self.board.border(here, direction):
            return False
        lines = self.on(here, direction)
        joined = any(line in lines for line in ("mountain road", "tunnel", "bridge", "road", "rail"))
        return joined and not self.barrier(here, direction)

    def one_square(self, here: str) -> tuple[str, ...]:
        """The sub-squares that are one square with this one, itself first."""
        found = [here]
        for name in found:
            ways = (there for way, there in self.grid.around(name) if self.merged(name, way))
            found += [there for there in ways if there not in found]
        return tuple(found)

    def barrier(self, here: str, direction: str) -> str:
        """The obstacle to land units at a border, in words; empty when nothing does."""
        there = self.grid.step(here, direction)
        if there is None:
            return "the edge of the board"
        if self.water(there):
            return f"the {self.board.squares[there].terrain}"
        features, lines = self.board.border(here, direction), self.on(here, direction)
        if "mountain" in features and not ("mountain road" in lines or "tunnel" in lines):
            return "mountains without a mountain road"
        return "a double river without a bridge" if "double river" in features and "bridge" not in lines else ""

    def ridge(self, here: str, direction: str) -> bool:
        """Whether mountains without a road or tunnel through them lie on a border."""
        lines = self.on(here, direction)
        open_ = "mountain road" in lines or "tunnel" in lines
        return "mountain" in self.board.border(here, direction) and not open_

    # water

    def wet(self, here: str, direction: str) -> str:
        """The water at a border of a land square: the water square beyond it or the name of the river; empty: none."""
        there = self.grid.step(here, direction)
        features = self.board.border(here, direction)
        if there is None or _blocks(features):
            return ""
        if self.water(there):
            return there
        return edge(self.grid, here, direction) if "river" in features or "double river" in features else ""

    def river(self, here: str, direction: str) -> str:
        """The kind of river on a border as ships see it: river, double-river (also a widened one), or none."""
        features = self.board.border(here, direction)
        if "double river" in features or ("river" in features and "widening" in self.on(here, direction)):
            return "double-river"
        return "river" if "river" in features else ""

    def harbour(self, here: str) -> tuple[str, ...]:
        """The borders of a land square at which a ship in it lies (emp.board.harbour, a house rule).

        The longest unbroken stretch of its water, the first clockwise from north among equals; with a canal all of it.
        """
        found = self._harbours.get(here)
        if found is None:
            found = self._harbours[here] = self._stretch(here)
        return found

    def _stretch(self, here: str) -> tuple[str, ...]:
        wet = [way for way, _, _ in _TURNS if self.wet(here, way)]
        heads = [way for way in wet if not self._joins(here, turned(way, -1))]
        if self.canal(here) or not heads:
            return tuple(wet)
        return max((self._run(here, head) for head in heads), key=len)

    def _run(self, here: str, way: str) -> tuple[str, ...]:
        run = [way]
        while self._joins(here, run[-1]):
            run.append(turned(run[-1], 1))
        return tuple(run)

    def _joins(self, here: str, way: str) -> bool:
        """Whether the water on a border of a land square goes on at the next border clockwise, with no reef between."""
        after = turned(way, 1)
        first, second = self.wet(here, way), self.wet(here, after)
        if not first or not second:
            return False
        both_squares = first == self.grid.step(here, way) and second == self.grid.step(here, after)
        return not both_squares or not _blocks(self.board.border(first, turned(way, 2)))

    def sea(self, here: str, direction: str) -> str:
        """By what water a ship crosses a border: sea, lake, river, double-river, canal; empty when it cannot."""
        there = self.grid.step(here, direction)
        if there is None or _blocks(self.board.border(here, direction)):
            return ""
        back = opposite(direction)
        if self.water(here) and self.water(there):
            return self.board.squares[there].terrain
        if self.water(there):
            return self.board.squares[there].terrain if direction in self.harbour(here) else ""
        if self.water(here):
            open_ = self.canal(there) or back in self.harbour(there)
            return ("canal" if self.canal(there) else self.board.squares[here].terrain) if open_ else ""
        way = self._along(here, direction, there, back)
        return "canal" if self.canal(there) and (way or self.canal(here)) else way

    def _along(self, here: str, direction: str, there: str, back: str) -> str:
        """From one bank or shore to the next, by water that both harbours touch."""
        mine, theirs = self.harbour(here), self.harbour(there)
        if direction in mine and back in theirs:
            return self.river(here, direction)
        for side in (1, -1):
            near, far = turned(direction, side), turned(back, -side)
            if near not in mine or far not in theirs:
                continue
            corner = self.grid.step(here, near)
            if corner is not None and self.water(corner):
                return self.board.squares[corner].terrain
            both = (self.river(here, near), self.river(there, far))
            return "double-river" if both == ("double-river", "double-river") else "river"
        return ""

    # bodies of water

    def berth(self, here: str) -> tuple[str, ...]:
        """The waters a ship in a square is on: the water square itself, or those of its harbour."""
        if self.water(here):
            return (here,)
        return ((here,) if self.canal(here) else ()) + tuple(self.wet(here, way) for way in self.harbour(here))

    def next_waters(self, water: str) -> tuple[str, ...]:
        """The waters joined to one: a water square or canal square by its name, a river by that of its border."""
        found = self._joined_to.get(water)
        if found is None:
            found = self._joined_to[water] = tuple(self._flowing(water))
        return found

    def _flowing(self, water: str) -> Iterator[str]:
        if not water[-1].isdigit():
            return self._from_river(water[:-1], water[-1])
        return self._from_canal(water) if self.canal(water) else self._from_water(water)

    def _from_water(self, here: str) -> Iterator[str]:
        for way, after, _ in _TURNS:
            there = self.grid.step(here, way)
            if there is None:
                continue
            free = not _blocks(self.board.border(here, way))
            if free and (self.water(there) or self.canal(there)):
                yield there
            corner = self.grid.step(here, after)
            mouth = turned(way, 2)
            if corner is not None and not self.water(there) and not self.water(corner) and self.wet(there, mouth):
                yield self.wet(there, mouth)

    def _from_river(self, here: str, direction: str) -> Iterator[str]:
        there = self.grid.step(here, direction)
        if there is None:
            return
        yield from (bank for bank in (here, there) if self.canal(bank))
        for side in (1, -1):
            joined = (self.wet(here, turned(direction, side)), self.wet(there, turned(opposite(direction), -side)))
            yield from (water for water in joined if water)

    def _from_canal(self, here: str) -> Iterator[str]:
        for way, there in self.grid.around(here):
            if self.wet(here, way):
                yield self.wet(here, way)
            elif self.canal(there) and "mountain" not in self.board.border(here, way):
                yield there

    def waters(self, ships: Iterable[str], closed: frozenset[str] = frozenset()) -> frozenset[str]:
        """All water that ships in these squares can reach, never through closed squares; see `next_waters` for names."""
        todo = [water for here in ships for water in self.berth(here) if water not in closed]
        found = dict.fromkeys(todo)
        while todo:
            for water in self.next_waters(todo.pop()):
                if water not in found and water not in closed:
                    found[water] = None
                    todo.append(water)
        return frozenset(found)


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
    """The ways across every border of the position."""
    return _RECENT.ways(empire.board, empire.lines, frozenset([city.at for city in empire.cities.values()]))


# ---------------------------------------------------------------- one border


def rates(
    board: Board, empire: Empire | None, kind: Kind, here: str, direction: str, submerged: bool = False
) -> int | None:
    """The cost of crossing a border for a kind of unit, in thirtieths of a BTA; None when it cannot (emp.move.rates).

    Without a position the bare board counts. Sailboats, sailplanes and balloons need the wind of the position.
    """
    ways = ways_of(empire) if empire is not None else _RECENT.ways(board, {}, frozenset())
    return cost_of(ways, kind, here, direction, empire.wind if empire is not None else "", submerged)


def cost_of(ways: Ways, kind: Kind, here: str, direction: str, wind: str = "", submerged: bool = False) -> int | None:
    """The cost as in `movement_rates`, for ways already at hand."""
    if kind.category == "naval":
        base = (kind.submerged if submerged else kind.rates).get(ways.sea(here, direction))
    elif kind.category == "air":
        base = _flight(ways, kind, here, direction)
    else:
        base = _least(kind.rates, ways.land(here, direction))
    return base if base is None or not kind.wind else _with_wind(kind, direction, wind)


class _Cheapest(dict[tuple[str, ...], "int | None"]):
    """The cheapest of some media by a table of rates; there are few kinds of borders, so each is asked for once."""

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
    """The steps by which food is traced (emp.H-10): coolie rates into land, 1 BTA into water.

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


def apart(board: Board, one: str, other: str) -> int | None:
    """The emp.H-10 measure between two squares on the bare board, the shorter of both ways; None: more than 12 BTA."""
    if board.grid.apart(one, other) * BTA > ALLOWANCE:  # no border costs less than 1 BTA
        return None
    return _round_about(_RECENT.ways(board, {}, frozenset()), one).get(other)


@lru_cache(maxsize=256)
def _round_about(ways: Ways, here: str) -> dict[str, int]:
    """All squares not further than that; who chooses a site for his capital asks of every square again and again."""
    there = supply_steps(ways, None)

    def back(at: str) -> list[tuple[str, int]]:
        return [(near, cost) for _, near in ways.grid.around(at) for to, cost in there(near) if to == at]

    out, home = reach(there, (here,)), reach(back, (here,))
    return {at: min(costs[at] for costs in (out, home) if at in costs) for at in out | home}
