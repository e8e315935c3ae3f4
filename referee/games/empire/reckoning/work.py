"""The needs of work: hands, materials, power; and what stands in a square, in a city or alone (IV B)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.position import Board, City, Factory, Lot, Position, Unit, Work, edge
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import BY_SQUARE, spread, ways_of
from referee.games.empire.reckoning.movement_rates import check_canal
from referee.games.empire.reckoning.ownership import busy, unit_of, withdrawn
from referee.games.empire.reckoning.supply import held, short, taken_all
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS
from referee.games.empire.rulebook.plans import PLANS, STATION_POWER
from referee.kit.refused import Refused


class Shelves:
    """The goods of a country that are left, square by square."""

    def __init__(self, empire: Empire, country: str) -> None:
        self._left, self._country = empire, country

    def lacking(self, at: Position, needs: Mapping[str, int]) -> dict[str, int]:
        """The goods missing in a square, of those needed."""
        return short(self._left, self._country, (at,), needs)

    def take(self, at: Position, needs: Mapping[str, int]) -> tuple[Lot, ...]:
        """Take all that is needed in a square, or nothing where something lacks."""
        if self.lacking(at, needs):
            return ()
        lots = taken_all(self._left, self._country, (at,), needs)
        self._left = withdrawn(self._left, lots)
        return lots


RAZING = "emp.board.destruction"
"""The rule of destroying buildings."""


def own_coolie(empire: Empire, seat: Seat, number: int, rule: str = "emp.board.construction") -> Unit:
    """A regular coolie of this seat: nobody else works (IV A, IV B). Raises Refused."""
    unit = unit_of(empire, seat, number)
    if unit.kind != "coolie":
        others = (u for u in empire.units_of(unit.country, "coolie") if u.at == unit.at and not busy(empire, u))
        instead = tuple(str(other.number) for other in islice(others, 3))
        raise Refused(f"{unit.kind} {number} {_OTHERS.get(rule, _OTHERS[''])}.", rule, str(number), instead)
    return unit


_OTHERS = {"": "does no work; only a regular coolie does", RAZING: "destroys no building; only a regular coolie does"}
"""The words about a person who is no regular coolie, by the rule of the work."""


def idle(empire: Empire, unit: Unit) -> None:
    """Raises Refused when a unit has other work to do over the end of the turn."""
    check_canal(empire, unit, " and does no other work")
    doing = busy(empire, unit)
    if doing:
        rule = RAZING if doing.startswith("destroy ") else "emp.board.construction"
        words = f"{unit.kind} {unit.number} is to {doing} in {unit.at} already; a coolie does one such work a turn."
        raise Refused(words, rule, str(unit.number))


def by_hand(work: Work) -> bool:
    """Whether a work needs no construction machine: destroying a building, becoming an ambassador."""
    return work.what.startswith(("destroy ", "appoint "))


def stands_by(empire: Empire, country: str, number: int, at: Position) -> bool:
    """Whether the unit that does a work is still there and still the country's."""
    unit = empire.units.get(number)
    return unit is not None and unit.country == country and unit.at == at


def machine_free(empire: Empire, unit: Unit, number: int = 0) -> None:
    """Raises Refused unless a construction machine in the unit's square has nothing to do; `number` is the work itself."""
    using = [w for w in empire.works if (w.country, w.at) == (unit.country, unit.at) and w.left and w.number != number]
    machines = sum(1 for w in using if not by_hand(w) and stands_by(empire, w.country, w.unit, w.at))
    have = held(empire, unit.country, unit.at, "cmx")
    if machines >= have:
        none, all_used = f"There is no construction machine in {unit.at}.", "All construction machines in"
        why = f"{all_used} {unit.at} are in use, {have} of {have}." if have else none
        raise Refused(why, "emp.board.construction", str(unit.number))


def on_ship(empire: Empire, unit: Unit) -> Unit | None:
    """The ship that carries a unit; None where none does."""
    carrier = empire.units.get(unit.aboard)
    return carrier if carrier is not None and KINDS[carrier.kind].category == "naval" else None


def machine_aboard(empire: Empire, ship: Unit) -> bool:
    """Whether a construction machine is aboard a ship, in its hold or in the hands of somebody aboard."""
    aboard = {unit.number for unit in empire.units.values() if unit.aboard == ship.number} | {ship.number}
    return any(lot.what == "cmx" and lot.aboard in aboard for lot in empire.lots)


def land_square(empire: Empire, unit: Unit) -> None:
    """Raises Refused when a unit does not stand on land."""
    carrier = empire.units.get(unit.aboard)
    if empire.board.squares[unit.at].water or (carrier is not None and KINDS[carrier.kind].category != "land"):
        raise Refused(f"{unit.kind} {unit.number} does not stand on land.", "emp.board.construction", str(unit.number))


_COUNTED = {"dock": "docks", "airport": "airports", "warehouse": "warehouses"}


def owner_of(empire: Empire, at: Position) -> str:
    """The country that controls what stands in a square: its city's, or who built or seized it; empty when nobody."""
    city = empire.city_at(at)
    if city is not None:
        return city.country
    return next((factory.country for factory in empire.factories.get(at, ())), "")


def own_factories(empire: Empire, country: str) -> tuple[tuple[Position, str], ...]:
    """Every factory a country owns, in its cities and outside, as square and kind."""
    inside = [(city.at, f.kind) for city in empire.cities.values() if city.country == country for f in city.factories]
    outside = [(at, f.kind) for at, found in empire.factories.items() for f in found if owner_of(empire, at) == country]
    return (*inside, *outside)


def with_building(empire: Empire, at: Position, what: str, turn: int, country: str = "") -> Empire:
    """The position with a factory, dock, airport, warehouse or installation more in a square."""
    city = empire.city_at(at)
    if city is None:
        alone = (*empire.factories.get(at, ()), Factory(what, turn, country))
        return replace(empire, factories={**empire.factories, at: alone})
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, 1))
    return empire.with_city(replace(city, factories=(*city.factories, Factory(what, turn))))


def without_building(empire: Empire, at: Position, what: str) -> Empire:
    """The position with the newest such building of a square gone."""
    city = empire.city_at(at)
    if city is None:
        left = _fewer(empire.factories.get(at, ()), what)
        others = {square: factories for square, factories in empire.factories.items() if square != at}
        return replace(empire, factories={**others, at: left} if left else others)
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, -1))
    return empire.with_city(replace(city, factories=_fewer(city.factories, what)))


def _fewer(factories: tuple[Factory, ...], what: str) -> tuple[Factory, ...]:
    found = [n for n, factory in enumerate(factories) if factory.kind == what]
    return tuple(f for n, f in enumerate(factories) if not found or n != found[-1])


def _counting(city: City, what: str, change: int) -> City:
    match what:
        case "dock":
            return replace(city, docks=max(0, city.docks + change))
        case "airport":
            return replace(city, airports=max(0, city.airports + change))
        case _:
            return replace(city, warehouses=max(0, city.warehouses + change))


def with_new_city(empire: Empire, country: str, at: Position, name: str) -> Empire:
    """A city more; what stood alone on its square is now part of it."""
    standing = tuple(replace(factory, country="") for factory in empire.factories.get(at, ()))
    others = {square: factories for square, factories in empire.factories.items() if square != at}
    city = City(name, at, country, empire.turn, factories=standing)
    sites = tuple(site for site in empire.sites if site != at)
    return replace(empire.with_city(city), factories=others, sites=sites)


def without_work(empire: Empire, number: int) -> Empire:
    """The position with a work off the list."""
    return replace(empire, works=tuple(work for work in empire.works if work.number != number))


def squares_of(work: Work) -> tuple[Position, ...]:
    """The squares a work is in: its path if it is a line, which the `detail` lists, else its one square."""
    line = work.what in PLANS and PLANS[work.what].sort == "line"
    return tuple(work.detail.split()) if line else (work.at,)


def places_of(board: Board, what: str, path: tuple[Position, ...]) -> tuple[str, ...]:
    """Where a line is kept: the names of the borders that its path crosses, or of its squares (canals)."""
    if what in BY_SQUARE:
        return path
    ways = [(here, board.grid.direction(here, there)) for here, there in pairwise(path)]
    return tuple(edge(board.grid, here, way) for here, way in ways if way is not None)


def needs_of(empire: Empire, work: Work) -> dict[str, int]:
    """The materials of a work, with one delta more for the pilings of each item in a swamp (II, Swamp)."""
    plan, squares = PLANS[work.what], squares_of(work)
    line = plan.sort == "line"
    needs = plan.needs(len(places_of(empire.board, work.what, squares))) if line else dict(plan.materials)
    built_on = squares[1:] or squares
    swamps = sum(1 for at in built_on if empire.board.squares[at].terrain == "swamp")
    return needs | ({"delta": needs.get("delta", 0) + swamps} if swamps else {})


def sources(work: Work, later: Iterable[Work]) -> tuple[Position, ...]:
    """Where a work takes its materials from: first the squares that no work after it could take from."""
    wanted = {at for other in later for at in squares_of(other)}
    return tuple(sorted(squares_of(work), key=lambda at: at in wanted))


def begins(empire: Empire, country: str) -> tuple[Work, ...]:
    """The works of a country that have yet to take their materials, in the sequence in which they will."""
    return tuple(w for w in empire.works if w.country == country and w.begun < 0 and w.what in PLANS)


def supplied(empire: Empire, work: Work) -> None:
    """Raises Refused when its squares lack materials for a work besides what the works ordered before it take."""
    lacking = _left_short(empire, (*begins(empire, work.country), work))
    squares = squares_of(work)
    if lacking:
        words = " and ".join(f"{number} {what}" for what, number in lacking.items())
        where = work.at if len(squares) == 1 else "the squares of its path"
        raise Refused(f"The {work.what} lacks {words} in {where}.", "emp.board.construction", work.what)


def _left_short(empire: Empire, works: Sequence[Work]) -> dict[str, int]:
    """The goods that the last of some works lacks when each has taken its materials in turn."""
    used: dict[tuple[Position, str], int] = {}
    lacking: dict[str, int] = {}
    for place, work in enumerate(works):
        lacking = needs_of(empire, work)
        for what, at in ((what, at) for what in lacking for at in dict.fromkeys(sources(work, works[place + 1 :]))):
            part = min(lacking[what], held(empire, work.country, at, what) - used.get((at, what), 0))
            used[at, what] = used.get((at, what), 0) + part
            lacking[what] -= part
    return {what: number for what, number in lacking.items() if number > 0}


STATION = "power station"

FUELS = ("C", "O")
"""The fuels that a station burns, in this order, where no power square feeds it."""


def net_of(empire: Empire, at: Position) -> tuple[Position, ...]:
    """The squares that power reaches from a square: itself, cities merged with it, and what lines join (emp.H-19)."""
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
            if not busy(empire, unit) and not unit.aboard and f"canal {unit.at}/{unit.number}" not in empire.handled:
                self._left.setdefault(unit.at, []).append(unit.number)

    def take(self, at: Position) -> int:
        """A hand in a square, 0 when there is none."""
        found = self._left.get(at)
        return found.pop(0) if found else 0

    def give_back(self, at: Position, number: int) -> None:
        """A hand that is not needed after all."""
        if number:
            self._left.setdefault(at, []).insert(0, number)


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
