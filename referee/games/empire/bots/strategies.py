"""A bot's aims, and the works of its cities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.afield import arm, quarter
from referee.games.empire.bots.estate import Estate, exactly
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.industry import Produce
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.empire.position import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.work import FUELS, STATION
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS
from referee.games.empire.rulebook.plans import FACTORIES, STATION_POWER, Recipe, basic_units, recipe_for

# ---------------------------------------------------------------- goods brought home
# By who works in a square within reach of the capital, and by trucks from farther away.
#
# Factories at home as a ruler runs them: so many batches as hands, power and goods allow, the dearest goods first.


_COOLIE, _TRUCK = 2, 5
"""Objects that each carries."""

_PORTION = 5
"""Food to an object."""

_KEPT = ("cmx", "colony piece", "hmx", "t&d", "SAU")
"""The goods left where they lie."""


def haul(estate: Estate) -> None:
    """A worker within six BTA brings two objects home when they lie there, and is back at work by the end of the turn."""
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
    """The cost of the way out and back where it is no more than so much, else 0."""
    out = home.get(at, most + 1)
    back = estate.around(at, kind, most - out).get(estate.home) if out <= most else None
    return out + back if back is not None else 0


def _trip(estate: Estate, carrier: int, at: Position, load: dict[str, int]) -> None:
    """From a square home with a load."""
    goods = tuple(exactly(what, number) for what, number in load.items())
    estate.sheet += [Load(carrier, goods), MoveUnits((carrier,), estate.home), Unload(carrier, goods)]
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


_SPARED = 2
"""Food that is not made into beer though nobody seems to need it: not all food reaches all mouths."""

BREWERY = "beer distillery"

GOODS_WORKS = ("motor works", "cargo shipyard", "air works", BREWERY)
"""Factories that make consumer goods."""


class Workshop:
    """The factories of the capital this turn: runs left of each kind, power left of the stations already started."""

    def __init__(self, estate: Estate) -> None:
        self._estate = estate
        self._runs: dict[str, int] = {}
        self._started: dict[str, int] = {}
        self._power = self._stations = 0
        band = estate.empire.countries[estate.country].band
        kinds = [factory.kind for factory in estate.city.factories]
        total = sum(kind in FACTORIES for kind in kinds)
        self._may = 0 if band == "collapse" else (total + 1) // 2 if band == "crisis" else total

    def run(self, factory: str, product: str, most: int) -> int:
        """Run a kind of factory for up to so many batches of a product; how many were ordered."""
        recipe = recipe_for(factory, product)
        assert recipe is not None  # plans name what the factory makes
        done = 0
        while done < most and self._batch(factory, recipe):
            done += 1
        if done:
            number = done * recipe.makes[product]
            self._estate.sheet.append(Produce(self._estate.city.name, factory, product, number))
        return done

    def _batch(self, factory: str, recipe: Recipe) -> bool:
        """Whether one batch more can be made; what it takes is taken."""
        if not self._estate.has(recipe.takes):
            return False
        while self._runs.get(factory, 0) < recipe.runs:
            if not self._start(factory):
                return False
        if not self._estate.has(recipe.takes):
            return False  # the station burns what the batch would have taken
        self._runs[factory] -= recipe.runs
        self._estate.take(recipe.takes)
        return True

    def _start(self, factory: str) -> bool:
        """Set one more factory of a kind to work: a hand, a power, and leave of the band."""
        estate = self._estate
        if self._started.get(factory, 0) >= estate.factories(factory) or not self._may:
            return False
        if estate.hands < (1 if self._power else 2) or not (self._power or self._light()):
            return False
        estate.hand()
        self._power, self._may = self._power - 1, self._may - 1
        self._started[factory] = self._started.get(factory, 0) + 1
        self._runs[factory] = self._runs.get(factory, 0) + FACTORIES[factory].runs
        return True

    def _light(self) -> bool:
        """Start a station."""
        fuel = next((fuel for fuel in FUELS if self._estate.has({fuel: 1})), "")
        if not fuel or self._stations >= self._estate.factories(STATION):
            return False
        self._estate.hand()
        self._estate.take({fuel: 1})
        self._stations, self._power = self._stations + 1, self._power + STATION_POWER
        return True

    # ------------------------------------------------------------ what is worth making

    def goods(self, most: int = 99, spared: int = _SPARED) -> None:
        """Consumer goods, at most so many batches in a works, the dearest first; no beer of needed food."""
        for factory in GOODS_WORKS:
            recipes = [recipe for recipe in FACTORIES[factory].recipes if _consumed(recipe)]
            left = min(most, (self._estate.surplus - spared) // 2) if factory == BREWERY else most
            for recipe in sorted(recipes, key=_worth, reverse=True):
                left -= self.run(factory, next(iter(recipe.makes)), left)

    def steel(self, keep: int = 0) -> None:
        """Steel of all the iron and coal at home but `keep` coal."""
        self.run("steel mill", "St", max(0, self._estate.store.get("C", 0) - keep))

    def machines(self) -> None:
        """Building materials, then a machine of each kind that has run out."""
        estate = self._estate
        self.run("building materials factory", "Bm", 6)
        makers = {"tool and die works": "t&d", "heavy machine works": "hmx", "construction machine factory": "cmx"}
        for factory, what in sorted(makers.items(), key=lambda pair: estate.store.get(pair[1], 0)):
            if not estate.has({what: 1}):
                self.run(factory, what, 1)

    def arms(self) -> None:
        """Small arms of all the steel and chemicals at home."""
        self.run("small arms works", "SAU", 99)


def _consumed(recipe: Recipe) -> bool:
    return all(what == "beer" or (what in KINDS and KINDS[what].consumer) for what in recipe.makes)


def _worth(recipe: Recipe) -> Fraction:
    whole = sum((number * basic_units(what) for what, number in recipe.makes.items()), Fraction(0))
    return whole * Fraction(1, recipe.runs)


class Strategy(msgspec.Struct, frozen=True):
    """A plan with its name and what it does, in a sentence."""

    name: str
    about: str
    plan: Callable[[Estate], None]


def orders(empire: Empire, seat: Seat, strategy: Strategy) -> tuple[Intent, ...]:
    """The whole sheet of a slot: the plan for the seat's country, and the roll. Before the play the best free start."""
    if empire.stage != "play":
        return (PlaceCapital(empire.board.starts),)
    sheet: list[Intent] = []
    for country in empire.owned(seat):
        if any(city.country == country.name for city in empire.cities.values()):
            estate = Estate(empire, country.name)
            strategy.plan(estate)
            sheet += estate.sheet
    return (*sheet, RollOut())


# ---------------------------------------------------------------- steady growth

_STEADY = {
    1: ("power station", "beer distillery"),
    2: ("motor works",),
    3: ("steel mill",),
    4: ("building materials factory",),
    5: ("cargo shipyard",),
    6: ("beer distillery",),
}
"""The works of the capital, by the turn from which each is wanted."""


def _steady(estate: Estate) -> None:
    """A few new squares, a work or two and some goods every turn, so that no turn is without new EDU."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed(more=6 if estate.turn > 1 else 0)
    if estate.turn % 3 == 2:
        estate.colony()
    wanted = [name for turn, works in _STEADY.items() if turn <= estate.turn for name in works]
    estate.build(*estate.lacking(*wanted))
    shop.goods(most=2)
    shop.steel(keep=2)
    shop.machines()
    estate.open_up(3 if estate.turn == 1 else 2, estate.scarce("C", "Fe", "O", "Rr", "Cu"))


def _gather(estate: Estate) -> None:
    """A bot gives up works that only cost, and brings home goods that lie about."""
    estate.prune()
    haul(estate)
    cart(estate)


# ---------------------------------------------------------------- all at once

_AT_ONCE = (
    "power station",
    "steel mill",
    "motor works",
    "building materials factory",
    "tool and die works",
    "beer distillery",
)
"""Six works for the six machines of the start."""


def _at_once(estate: Estate) -> None:
    """Everybody and every machine to work on the first turn; what grows after that grows by what this brings."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed()
    if estate.turn in (2, 3):
        estate.colony()
        estate.colony()
    estate.build(*estate.lacking(*_AT_ONCE))
    shop.steel(keep=2)
    shop.machines()
    shop.goods()
    estate.open_up(99)


# ---------------------------------------------------------------- arms first

_ARMS = ("small arms works", "power station", "steel mill", "small arms works")
"""In the order of their beginning."""


def _arms_first(estate: Estate) -> None:
    """Squares for steel and chemicals, small arms works, and everybody under arms for whom there are any; no goods."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    quarter(estate)
    arm(estate)
    _gather(estate)
    estate.feed()
    estate.build(*estate.lacking(*_ARMS))
    if estate.turn % 3 == 2:
        estate.colony()
    shop.arms()
    shop.steel(keep=2)
    estate.only(4 if estate.turn == 1 else 1, estate.scarce("X", "Fe", "C"))


# ---------------------------------------------------------------- goods first

_GOODS = ("power station", "motor works", "beer distillery", "cargo shipyard", "steel mill", "beer distillery")


def _goods_first(estate: Estate) -> None:
    """The works that make consumer goods on turn 1, and goods consumed in every turn from the third on."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed(more=6)
    estate.build(*estate.lacking(*_GOODS))
    shop.goods()
    shop.steel(keep=1)
    if estate.turn % 4 == 3:
        estate.colony()
    estate.open_up(3 if estate.turn == 1 else 1, estate.scarce("Rr", "O", "Fe", "C", "Cu"))


# ---------------------------------------------------------------- all four


STRATEGIES: tuple[Strategy, ...] = (
    Strategy(
        "steady growth",
        "Feeds everybody, opens two resource squares and begins a work each turn, founds a colony every third, makes goods.",
        _steady,
    ),
    Strategy(
        "all at once",
        "Opens every square within reach and uses every machine on turn 1, founds all colonies on turns 2 and 3, then makes goods.",
        _at_once,
    ),
    Strategy(
        "arms first",
        "Opens what steel and chemicals need, builds small arms works from turn 1, arms all it can; makes no goods.",
        _arms_first,
    ),
    Strategy(
        "goods first",
        "Builds motor works, shipyard and distilleries on turn 1, opens what they need, and makes and consumes goods every turn.",
        _goods_first,
    ),
)
"""One for each seat of a game of four."""
