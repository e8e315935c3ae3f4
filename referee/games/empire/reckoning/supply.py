"""Food and goods within reach: who eats before whom, lines of supply, which lots are used first.

Read stores, mouths, tracing, sieges and rations in this order.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from referee.games.empire.position import Lot, Position, Unit
from referee.games.empire.position.state import Empire, Feeding, Mouths
from referee.games.empire.reckoning.distance import Ways, reach, spread, supply_steps, ways_of
from referee.games.empire.reckoning.movement_rates import blocked_by_coolies, land_zone, land_zones, naval_zone
from referee.games.empire.reckoning.ownership import in_runs
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.hexes import DIRECTIONS
from referee.kit.wording import counted, in_a_row, in_number


def lots_at(empire: Empire, country: str, at: Position, what: str) -> tuple[Lot, ...]:
    """A country's lots of one kind in a square: those that lie there first, then the city's, then those aboard."""
    found = [lot for lot in empire.lots if lot.at == at and lot.what == what and lot.country == country]
    return tuple(sorted(found, key=lambda lot: (lot.aboard, lot.inside, lot.spent)))


def held(empire: Empire, country: str, at: Position, what: str) -> int:
    """How many of a kind of goods a country has in a square, carried ones included."""
    return sum(lot.number for lot in lots_at(empire, country, at, what))


def taken(lots: Iterable[Lot], number: int) -> tuple[Lot, ...]:
    """The first so many goods of some lots, as lots."""
    parts = []
    for lot in lots:
        part = min(number, lot.number)
        number -= part
        parts += [replace(lot, number=part)] if part else []
    return tuple(parts)


def short(empire: Empire, country: str, places: Iterable[Position], needs: Mapping[str, int]) -> dict[str, int]:
    """The goods missing in some squares together, of those needed."""
    squares = tuple(dict.fromkeys(places))
    lacking = {w: number - sum(held(empire, country, at, w) for at in squares) for w, number in needs.items()}
    return {what: number for what, number in lacking.items() if number > 0}


def taken_all(empire: Empire, country: str, places: Iterable[Position], needs: Mapping[str, int]) -> tuple[Lot, ...]:
    """The lots that meet a need out of some squares, in their order."""
    squares = tuple(dict.fromkeys(places))
    return tuple(
        part
        for what, number in needs.items()
        for part in taken((lot for at in squares for lot in lots_at(empire, country, at, what)), number)
    )


_FIRST = {"government coolie": 1, "ambassador coolie": 2, "coolie": 3}
"""In what order mouths are fed where nothing is said; military comes first."""


def eaters(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Everybody who eats, in the order in which they are fed: as the country says, else military, government,
    ambassadors, regular coolies."""
    persons = [unit for unit in empire.units_of(country) if KINDS[unit.kind].person]
    usual = tuple(sorted(persons, key=lambda unit: (_FIRST.get(unit.kind, 0), unit.number)))
    ranks = _ranks(empire.countries[country].feeding, usual) if country in empire.countries else {}
    return tuple(sorted(usual, key=lambda unit: ranks.get(unit.number, (1, 0)))) if ranks else usual


def _ranks(feeding: Feeding, persons: tuple[Unit, ...]) -> dict[int, tuple[int, int]]:
    """Where persons stand who are spoken of: before the others (0) or after (2), and at what place of that list.

    Words about one person go before words about a square, and those before words about a whole kind.
    """
    said = [(0, n, mouths) for n, mouths in enumerate(feeding.first)]
    said += [(2, n, mouths) for n, mouths in enumerate(feeding.last)]
    ranks: dict[int, tuple[int, int]] = {}
    for group, place, mouths in sorted(said, key=lambda part: (not part[2].unit, not part[2].at)):
        meant = [unit.number for unit in persons if unit.number not in ranks and _means(mouths, unit)]
        ranks |= dict.fromkeys(meant[: mouths.number or None], (group, place))
    return ranks


def _means(mouths: Mouths, unit: Unit) -> bool:
    if mouths.unit:
        return unit.number == mouths.unit
    return unit.kind == mouths.kind and mouths.at in ("", unit.at)


def supply_of(empire: Empire, country: str) -> Tracing:
    """The supply lines of a country, traced once where the same ground, zones, hostile coolies and ships are met again."""
    units, cut, ways = empire.units.values(), land_zone(empire, country), ways_of(empire)
    ships = [unit.at for unit in units if unit.kind == "cargo ship" and empire.friendly(unit.country, country)]
    afloat = _sailed(ways, tuple(dict.fromkeys(ships)), naval_zone(empire, country))
    return _traced(ways, cut, cut | blocked_by_coolies(empire, country), afloat)


class Tracing:
    """Supply lines: out of squares in `cut` nothing goes, those of `ends` are reached and not passed, ships are in `afloat`.

    `looked` counts the squares whose borders were examined.
    """

    def __init__(self, ways: Ways, cut: frozenset[Position], ends: frozenset[Position], afloat: frozenset[str]) -> None:
        self.cut, self.looked, self._ends, self._ways = cut, 0, ends, ways
        self._reached: dict[Position, dict[Position, int]] = {}
        self._step = supply_steps(ways, afloat)

    def reached(self, start: Position) -> dict[Position, int]:
        """Every square that food from `start` can reach within 12 BTA, with its cost in thirtieths, the nearest first.

        A square in hostile hands is reached and not passed; out of a hostile zone of control nothing goes.
        """
        if start not in self._reached:
            besieged_there = dict.fromkeys(self.square(start), 0) if start in self.cut else None
            self._reached[start] = besieged_there or reach(self._looking, (start,), ends=self._ends)
        return self._reached[start]

    def square(self, at: Position) -> tuple[Position, ...]:
        """The square itself, with the sub-squares joined to it: food in one's own square needs no line."""
        return self._ways.one_square(at)

    def nearest(self, starts: Iterable[Position], at: Position, armed: bool = False) -> Position | None:
        """The start from which food reaches a square at the least cost, for who has no arms or has; None if from none."""
        own = self.square(at)
        open_to = (start for start in starts if start not in self.cut and (armed or at not in self.cut))
        sources = dict.fromkeys((*(start for start in starts if start in own), *open_to), 0)
        came = spread(self._looking, sources, ends=self._ends, goal=at)[1]
        if at not in came:
            return None
        while came[at]:
            at = came[at]
        return at

    def _looking(self, here: Position) -> Sequence[tuple[Position, int]]:
        self.looked += 1
        return self._step(here)

    def watered(self, at: Position, springs: Collection[Position], squares: int = 4) -> bool:
        """Whether fresh water comes to a square: from a lake, a river or one of `springs` within four squares."""
        far, walk = {at: 0}, [at]
        for here in walk:
            if here in springs or self._fresh(here):
                return True
            for there in self._open_to(here) if far[here] < squares and here not in self.cut else ():
                if there not in far and there not in self.cut:
                    far[there] = far[here] + 1
                    walk.append(there)
        return False

    def _open_to(self, here: Position) -> list[Position]:
        return [there for way, there in self._ways.grid.around(here) if not self._ways.ridge(here, way)]

    def _fresh(self, here: Position) -> bool:
        rivers = any("river" in feature for way in DIRECTIONS for feature in self._ways.board.border(here, way))
        return self._ways.board.squares[here].terrain == "lake" or rivers


_traced = lru_cache(maxsize=32)(Tracing)
"""Remembered: sheets that are weighed in one position seldom change what supply hangs on."""


@lru_cache(maxsize=32)
def _sailed(ways: Ways, ships: tuple[Position, ...], closed: frozenset[Position]) -> frozenset[str]:
    """The waters on which these ships are, remembered: bodies of water are large and change seldom."""
    return ways.waters(ships, closed)


class Siege(msgspec.Struct, frozen=True):
    """People of a country in zones of control hostile to it: by whom, and of each square how many eat there and what lies there."""

    country: str
    by: tuple[Unit, ...]
    places: tuple[tuple[Position, int, int], ...]

    def besiegers(self) -> str:
        """`infantry regiment 30 of Borealis`."""
        alike: dict[tuple[str, str], list[int]] = {}
        for unit in self.by:
            alike.setdefault((unit.kind, unit.country), []).append(unit.number)
        return in_a_row([f"{in_runs(kind, numbers)} of {country}" for (kind, country), numbers in alike.items()])

    def larders(self) -> str:
        """`in c4r4 33 mouths have 40 food`."""
        told = (
            f"in {at} {counted(mouths, 'mouths')} {in_number(mouths, 'have')} {food or 'no'} food"
            for at, mouths, food in self.places
        )
        return in_a_row(list(told))


def besieged(cut: Container[Position], unit: Unit) -> bool:
    """Whether somebody is where hostile military cuts lines of supply, and is cut off by it: who bears arms is not."""
    return unit.at in cut and KINDS[unit.kind].person and not KINDS[unit.kind].military


def sieges(empire: Empire) -> Iterator[Siege]:
    """Every country that has people besieged."""
    for name, country in empire.countries.items():
        found = () if country.dead else _besieged(empire, name)
        if found:
            yield Siege(name, *found)


def _besieged(empire: Empire, country: str) -> tuple[tuple[Unit, ...], tuple[tuple[Position, int, int], ...]] | None:
    zones, people = land_zones(empire, country), empire.units_of(country)
    cut = {at for _, squares in zones for at in squares}
    places = dict.fromkeys(unit.at for unit in people if besieged(cut, unit))
    if not places:
        return None
    ways = ways_of(empire)
    mouths = {at: sum(KINDS[unit.kind].person for unit in people if unit.at == at) for at in places}
    food = {at: sum(empire.stock(country, part).get("food", 0) for part in ways.one_square(at)) for at in places}
    by = tuple(unit for unit, squares in zones if any(at in places for at in squares))
    return by, tuple((at, mouths[at], food[at]) for at in places)


Eater = TypeVar("Eater", bound=Hashable)
"""An eater as far as his stores hang on it: his square, and whatever else tells him from others there."""


def shared_out(
    mouths: Sequence[Eater],
    stock: Mapping[Position, int],
    near: Mapping[Eater, Sequence[Position]],
    first: Sequence[Position] = (),
) -> tuple[tuple[bool, ...], dict[Position, int]]:
    """Whether each mouth, in the order given, is fed; and how much food of each square is eaten.

    Nobody is fed less for it, but the stores of `first` are emptied before the others, in their order.
    """
    rations = Rations(stock, near)
    fed = tuple(rations.feed(at) for at in mouths)
    tiers = [store for store in dict.fromkeys(first) if store in stock]
    if not tiers:
        return fed, rations.used()
    rations = Rations(stock, near, open_to=())
    waiting = [at for at, eats in zip(mouths, fed, strict=True) if eats]
    for tier in (*((store,) for store in tiers), tuple(stock)):
        rations.open(tier)
        waiting = [at for at in waiting if not rations.feed(at)]
    return fed, rations.used()


class Rations(Generic[Eater]):
    """Food handed out one by one. A mouth that finds its nearest food gone makes others eat elsewhere, if they can.

    `stock` is the food by square, `near` the squares with food that each eater can be fed from, best first.
    """

    def __init__(
        self,
        stock: Mapping[Position, int],
        near: Mapping[Eater, Sequence[Position]],
        open_to: Sequence[Position] | None = None,
    ) -> None:
        self._left = dict(stock)
        self._open = dict.fromkeys(stock if open_to is None else open_to, True)
        self._near = near
        self._served: dict[Position, dict[Eater, int]] = {}
        self._dry: dict[Eater, bool] = {}

    def open(self, stores: Sequence[Position]) -> None:
        """Let food be taken from these squares too; so far it was from those of `open_to` only."""
        self._open |= dict.fromkeys(stores, True)
        self._dry = {}

    def feed(self, at: Eater) -> bool:
        """Whether one more mouth gets food; those fed before keep theirs."""
        if at in self._dry:
            return False
        came = self._search(at)
        if came is None:
            return False
        self._shift(*came)
        return True

    def used(self) -> dict[Position, int]:
        """How much food of each square was handed out."""
        return {store: sum(eaters.values()) for store, eaters in self._served.items() if any(eaters.values())}

    def _search(self, at: Eater) -> tuple[Position, dict[Position, Eater], dict[Eater, Position]] | None:
        """A store with food left, reached from `at` by moving others on: by which eater each store was asked, and from
        which store each eater would be moved."""
        asked: dict[Position, Eater] = {}
        moved: dict[Eater, Position] = {}
        seen, waiting = {at: True}, [at]
        for eater in waiting:
            for store in self._near.get(eater, ()):
                if store in asked or store not in self._open:
                    continue
                asked[store] = eater
                if self._left[store]:
                    return store, asked, moved
                for other, number in self._served.get(store, {}).items():
                    if number and other not in seen:
                        seen[other] = True
                        moved[other] = store
                        waiting.append(other)
        self._dry |= seen
        return None

    def _shift(self, store: Position, asked: dict[Position, Eater], moved: dict[Eater, Position]) -> None:
        """Hand out one of `store`, and let everybody on the way to it move on to the next."""
        self._left[store] -= 1
        while True:
            eater = asked[store]
            self._count(store, eater, 1)
            if eater not in moved:
                return
            store = moved[eater]
            self._count(store, eater, -1)

    def _count(self, store: Position, eater: Eater, change: int) -> None:
        served = self._served.setdefault(store, {})
        served[eater] = served.get(eater, 0) + change
