"""Factories: what they make over the end of a turn, with hands, power and goods; what EDU a consumer good gives (emp.H-22)."""

from __future__ import annotations

import msgspec

from referee.core.table import Table
from referee.games.empire.deeds.work.cities import pollute
from referee.games.empire.events.work.producing import (
    GoodsMade,
    RunFellShort,
    StationRan,
    WaterDistilled,
)
from referee.games.empire.position.pieces import Lot, Position, Run, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.movement.carrying import open_berth
from referee.games.empire.reckoning.ownership import UNCONSUMED
from referee.games.empire.reckoning.work import Hands, Mains, Shelves, own_factories
from referee.games.empire.rulebook.kinds import GOODS, KINDS
from referee.games.empire.rulebook.plans import FACTORIES, PLANS, STATION_POWER, Recipe, basic_units, recipe_for

STILL = "water distillery"
"""Runs by itself when it has a coolie and power (II.F)."""


# ---------------------------------------------------------------- the order


def may_run(empire: Empire, country: str) -> int:
    """How many factories a country may run this turn: all, or half of them, rounded up, in a crisis (emp.H-16)."""
    total = sum(kind in FACTORIES for _, kind in own_factories(empire, country))
    return (total + 1) // 2 if empire.countries[country].band == "crisis" else total


def recipe_of(run: Run) -> Recipe:
    """By what a factory makes a product that it was told to make."""
    recipe = recipe_for(run.factory, run.product)
    assert recipe is not None  # it was looked up when the run was ordered
    return recipe


def runs_of(run: Run) -> int:
    """How many runs of factories it takes."""
    recipe = recipe_of(run)
    return run.number // recipe.makes[run.product] * recipe.runs


def standing_of(empire: Empire, run: Run) -> int:
    """How many such factories a country has there."""
    return own_factories(empire, run.country).count((run.at, run.factory))


# ---------------------------------------------------------------- the end of the turn


class _Shift(msgspec.Struct):
    """A kind of factory in a square at work: how many are running, and runs left of them."""

    running: int = 0
    left: int = 0


class _Day:
    """The factories of a country over the end of one turn: everything is planned before anything comes out."""

    def __init__(self, empire: Empire, country: str) -> None:
        self.empire, self.country = empire, country
        self.shelves, self.hands = Shelves(empire, country), Hands(empire, country)
        self.mains = Mains(empire, country, self.hands, self.shelves)
        self._may, self._next = may_run(empire, country), empire.next_unit
        self._shifts: dict[tuple[Position, str], _Shift] = {}
        self.made: list[GoodsMade] = []
        self.short: list[RunFellShort] = []

    def work(self, run: Run) -> None:
        """Batch after batch, until the order is done or something lacks."""
        recipe, done, why = recipe_of(run), 0, ""
        spent: list[Lot] = []
        batches = run.number // recipe.makes[run.product]
        while done < batches and not why:
            why = self._batch(run, recipe, spent)
            done += not why
        if done:
            self.made.append(self._made(run, recipe, done, spent))
        if why:
            missing = (batches - done) * recipe.makes[run.product]
            self.short.append(RunFellShort(run.country, run.at, run.factory, run.product, missing, why))

    def _batch(self, run: Run, recipe: Recipe, spent: list[Lot]) -> str:
        """Why the next batch cannot be made; empty when it is made."""
        lacking = self.shelves.lacking(run.at, recipe.takes)
        if lacking:
            return "there is too little " + " and ".join(lacking)
        shift = self._shifts.setdefault((run.at, run.factory), _Shift())
        while shift.left < recipe.runs:
            why = self._start(run, shift)
            if why:
                return why
        burnt = self.shelves.lacking(run.at, recipe.takes)
        if burnt:
            return "the power station has burnt the last " + " and ".join(burnt)
        shift.left -= recipe.runs
        spent += self.shelves.take(run.at, recipe.takes)
        return ""

    def _start(self, run: Run, shift: _Shift) -> str:
        """Set one more factory of the kind to work; why that cannot be, or empty."""
        if shift.running >= standing_of(self.empire, run):
            return f"there is no {run.factory} for it"
        if not self._may:
            return f"in a crisis {run.country} runs half of its factories"
        hand = self.hands.take(run.at)
        if not hand:
            return "no coolie there is free to run it"
        if not self.mains.draw(run.at):
            self.hands.give_back(run.at, hand)
            return "there is no power"
        self._may -= 1
        shift.running, shift.left = shift.running + 1, shift.left + FACTORIES[run.factory].runs
        return ""

    def _made(self, run: Run, recipe: Recipe, batches: int, spent: list[Lot]) -> GoodsMade:
        city = self.empire.city_at(run.at)
        inside = city.name if city else ""
        amounts = {what: number * batches for what, number in recipe.makes.items()}
        goods = {what: number for what, number in amounts.items() if what in GOODS}
        lots = tuple(Lot(what, number, run.country, run.at, inside) for what, number in goods.items())
        kinds = [kind for kind, number in amounts.items() if kind in KINDS for _ in range(number)]
        units = tuple((self._next + i, kind, _status(self.empire, run, kind)) for i, kind in enumerate(kinds))
        self._next += len(units)
        return GoodsMade(run.country, run.at, run.factory, tuple(spent), lots, units, recipe.cost * batches)


def _status(empire: Empire, run: Run, kind: str) -> str:
    """How a new unit stands: a good not consumed, a ship in dock or on the beach, the rest ready."""
    if KINDS[kind].consumer:
        return UNCONSUMED
    if KINDS[kind].category != "naval" and kind != "barge":
        return ""
    there = Unit(0, kind, run.country, run.at)
    return "dock" if open_berth(empire, there, "dock") else "beach"


def produce(table: Table[Empire], country: str) -> None:
    """Every factory that was told to run does, in the order told, as far as hands, power and goods go."""
    day = _Day(table.state, country)
    for run in table.state.runs:
        if run.country == country:
            day.work(run)
    stills = [at for at, kind in own_factories(table.state, country) if kind == STILL]
    wet = [at for at in dict.fromkeys(stills) if _distils(day, at)]
    for station in day.mains.running:
        table.emit(StationRan(country, station.at, STATION_POWER, station.fuel, station.square))
    for made in day.made:
        table.emit(made)
    for missed in day.short:
        table.emit(missed)
    for at in wet:
        table.emit(WaterDistilled(country, at))
    dirty = [made.at for made in day.made if not PLANS[made.factory].clean]
    for at in dict.fromkeys((*(station.at for station in day.mains.running), *dirty)):
        pollute(table, at)


def _distils(day: _Day, at: Position) -> bool:
    """Whether a distillery gives water: it stands on salt water, with a hand and power (II.F)."""
    squares, board = day.empire.board.squares, day.empire.board
    if not any(squares[there].terrain == "sea" for _, there in board.grid.around(at)):
        return False
    hand = day.hands.take(at)
    if hand and day.mains.draw(at):
        return True
    day.hands.give_back(at, hand)
    return False


CONSUMABLE = ("beer", *(name for name, kind in KINDS.items() if kind.consumer))
"""Goods and kinds of unit that can be consumed."""


def edu_of_good(empire: Empire, what: str) -> int:
    """EDU of one consumer good: so many for each basic unit of resources in it, rounded down."""
    return int(in_force.figure(empire, "goods", "edu") * basic_units(what))
