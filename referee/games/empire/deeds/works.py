"""Works: goods produced, units built and scrapped, and who works on what."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.table import Table
from referee.games.empire.deeds.building import clear, filled, invest, name_ambassadors, pollute, standing
from referee.games.empire.deeds.debts_and_petitions import forbids
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.events.work import (
    BuildingGone,
    CityGone,
    GoodsMade,
    LineLaid,
    MaterialsUsed,
    RunFellShort,
    SalvageAppeared,
    StationRan,
    VehicleBuilt,
    WaterDistilled,
    WorkDropped,
    WorkFinished,
    WorkHalted,
    WorkWent,
)
from referee.games.empire.position import Lot, Position, Run, Unit, Work
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.carrying import open_berth
from referee.games.empire.reckoning.ownership import UNCONSUMED
from referee.games.empire.reckoning.supply import held, short, taken_all
from referee.games.empire.reckoning.work import (
    Hands,
    Mains,
    Shelves,
    begins,
    machine_aboard,
    needs_of,
    on_ship,
    own_factories,
    places_of,
    sources,
    squares_of,
    stands_by,
)
from referee.games.empire.rulebook.kinds import GOODS, KINDS
from referee.games.empire.rulebook.plans import (
    FACTORIES,
    NINE,
    PLANS,
    STATION_POWER,
    Recipe,
    basic_units,
    recipe_for,
    salvage,
)
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- factories
# The products of factories over the end of a turn, with hands, power and goods; the EDU of a consumer good.


STILL = "water distillery"
"""Runs by itself when it has a coolie and power (II.F)."""


# ---------------------------------------------------------------- the order


def may_run(empire: Empire, country: str) -> int:
    """How many factories a country may run this turn: all, or half of them, rounded up, in a crisis."""
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
    return int(ownership.figure(empire, "goods", "edu") * basic_units(what))


# ---------------------------------------------------------------- scrapping
# Buildings and cities that go over the end of a turn, scrapped or destroyed, and what was saved of them (IV C).


def demolish(table: Table[Empire], country: str) -> None:
    """At the end of a turn: what was to be scrapped or destroyed is gone, in the order in which it was ordered."""
    due = [w for w in table.state.works if w.country == country and w.left and _verb(w) in ("scrap", "destroy")]
    for work in due:
        empire = table.state
        verb, _, what = work.what.partition(" ")
        city = empire.city_at(work.at)
        why = _hitch(empire, work)
        if why:
            table.emit(WorkDropped(work.number, work.what, work.at, why))
        elif what == "city" and city is not None:
            table.emit(CityGone(work.country, city.name, work.at, work.number))
        elif verb == "scrap":
            # Pilings in a swamp count among what is lost.
            swamp = {"delta": 1} if empire.board.squares[work.at].terrain == "swamp" else {}
            saved = salvage({**PLANS[what].materials, **swamp})
            table.emit(BuildingGone(work.country, work.number, what, work.at, "scrapped", saved, 1, 1))
        else:
            table.emit(BuildingGone(work.country, work.number, what, work.at, "destroyed"))


def _verb(work: Work) -> str:
    return work.what.partition(" ")[0]


def _hitch(empire: Empire, work: Work) -> str:
    """Why a building stays; empty when it goes."""
    verb, _, what = work.what.partition(" ")
    if not stands_by(empire, work.country, work.unit, work.at):
        return f"coolie {work.unit} did not stay"
    if verb == "scrap" and not held(empire, work.country, work.at, "cmx"):
        return "there is no construction machine"
    if what == "city":
        return "its buildings still stand" if standing(empire, work.at) else ""
    return "" if what in standing(empire, work.at) else "it is gone already"


def salvage_appears(table: Table[Empire], country: str) -> None:
    """At the beginning of a turn: what was saved of scrapped buildings lies on the site."""
    for work in table.state.works:
        if work.country == country and work.what == "salvage":
            parts = [part.split(" ", 1) for part in work.detail.split(", ")]
            city = table.state.city_at(work.at)
            inside = city.name if city is not None and city.country == country else ""
            lots = tuple(Lot(what, int(number), country, work.at, inside) for number, what in parts)
            table.emit(SalvageAppeared(country, work.number, work.at, lots))


# ---------------------------------------------------------------- works
# Construction machines at work, over the end of one turn or several (IV B, emp.H-12).


def end_turn(table: Table[Empire], country: str) -> None:
    """Step 5 of a turn: investment; what is scrapped or destroyed goes; works go on and are finished."""
    invest(table, country)
    produce(table, country)
    demolish(table, country)
    name_ambassadors(table, country)
    machines: dict[Position, int] = {}
    for work in table.state.works:
        if work.country == country and work.left:
            _go_on(table, work, machines)
    clear(table)


def _go_on(table: Table[Empire], work: Work, machines: dict[Position, int]) -> None:
    """One turn of a work; `machines` counts those in use this turn by square."""
    why = _obstacle(table.state, work, machines.get(work.at, 0))
    if why:
        stop = WorkHalted if work.begun >= 0 else WorkDropped
        table.emit(stop(work.number, work.what, work.at, why))
        return
    machines[work.at] = machines.get(work.at, 0) + 1
    if work.begun < 0:
        later = [other for other in begins(table.state, work.country) if other.number != work.number]
        lots = taken_all(table.state, work.country, sources(work, later), needs_of(table.state, work))
        table.emit(MaterialsUsed(work.country, work.number, work.what, work.at, lots))
    table.emit(_next(table.state, work))


def _next(empire: Empire, work: Work) -> OpenEvent:
    plan = PLANS[work.what]
    if work.left > 1:
        return WorkWent(work.number, work.what, work.at, work.left - 1)
    if plan.unit:
        status = "beach" if plan.coast else ""
        return VehicleBuilt(work.country, work.number, plan.unit, empire.next_unit, work.at, status)
    if plan.sort == "line":
        places = places_of(empire.board, work.what, squares_of(work))
        return LineLaid(work.country, work.number, work.what, places, plan.cost, plan.edu)
    return WorkFinished(work.country, work.number, work.what, work.at, plan.cost, plan.edu, work.detail)


def _obstacle(empire: Empire, work: Work, machines: int) -> str:
    """Why a work cannot go on this turn; empty when it can."""
    if forbids(empire, work.country, "build"):
        return f"{work.country} is in collapse"
    if not stands_by(empire, work.country, work.unit, work.at):
        return f"coolie {work.unit} did not stay"
    if held(empire, work.country, work.at, "cmx") <= machines:
        return "no construction machine is free"
    if PLANS[work.what].afloat and not _aboard_with_machine(empire, work):
        return "coolie and machine are not aboard a ship there"
    if work.begun < 0:
        lacking = short(empire, work.country, squares_of(work), needs_of(empire, work))
        if lacking:
            return "there is too little " + " and ".join(lacking)
    return _crowded(empire, work) if work.left == 1 else ""


def _aboard_with_machine(empire: Empire, work: Work) -> bool:
    ship = on_ship(empire, empire.units[work.unit])
    return ship is not None and machine_aboard(empire, ship)


def _crowded(empire: Empire, work: Work) -> str:
    plan, city = PLANS[work.what], empire.city_at(work.at)
    if plan.sort in ("line", "vehicle"):
        return ""
    if plan.sort == "city":
        return "a city stands there" if city is not None else ""
    if city is None:
        return "something stands there" if standing(empire, work.at) else ""
    return f"{city.name} has no room" if NINE - filled(empire, city) < plan.squares else ""


# ---------------------------------------------------------------- shopfloor
# Factories that nobody has told to run, what each could make of what lies there and what it lacks; goods to consume.


class Idle(msgspec.Struct, frozen=True):
    """A kind of factory that stands idle in a square: runs that it could be told, the best first, or what it lacks."""

    at: Position
    factory: str
    runs: tuple[Run, ...] = ()
    lacks: str = ""


def idle_factories(empire: Empire, country: Country) -> Iterator[Idle]:
    """Every kind of factory in every square that has no order; what is proposed for one is not proposed for another."""
    if forbids(empire, country.name, "factory"):
        return
    planned = empire
    told = {(run.at, run.factory) for run in empire.runs if run.country == country.name}
    standing = own_factories(empire, country.name)
    for at, factory in dict.fromkeys(standing):
        if factory not in FACTORIES or (at, factory) in told:
            continue
        most = FACTORIES[factory].runs * standing.count((at, factory))
        runs = [
            run for recipe in FACTORIES[factory].recipes if (run := _run(planned, country, at, factory, recipe, most))
        ]
        if not runs:
            yield Idle(at, factory, lacks=_missing(planned, country, at, FACTORIES[factory].recipes[0]))
            continue
        why = _why_not(planned, runs[0])
        yield Idle(at, factory, lacks=why) if why else Idle(at, factory, tuple(runs))
        planned = planned if why else replace(planned, runs=(*planned.runs, runs[0]))


def ready_to_consume(empire: Empire, country: Country) -> Iterator[tuple[Position, str, int]]:
    """All that lies ready in a country's cities with a coolie: where, what and how much; "" and the number of a unit."""
    for city in empire.cities.values():
        if city.country != country.name or not any(u.at == city.at for u in empire.units_of(country.name, "coolie")):
            continue
        stock = empire.stock(country.name, city.at)
        for what in CONSUMABLE:
            if stock.get(what):
                yield city.at, what, stock[what]
        for unit in empire.units_of(country.name):
            if (unit.at, unit.status) == (city.at, UNCONSUMED):
                yield city.at, "", unit.number


def _run(empire: Empire, country: Country, at: Position, factory: str, recipe: Recipe, most: int) -> Run | None:
    """As many batches of a recipe as the goods there and the runs of a turn allow."""
    stock = empire.stock(country.name, at)
    for run in empire.runs:
        if (run.at, run.country) == (at, country.name):
            stock = _left(stock, run)
    batches = min(most // recipe.runs, *(stock.get(what, 0) // number for what, number in recipe.takes.items()))
    product = next(iter(recipe.makes))
    return Run(country.name, at, factory, product, batches * recipe.makes[product]) if batches > 0 else None


def _left(stock: dict[str, int], run: Run) -> dict[str, int]:
    """The rest of the goods of a square after a run that is planned."""
    recipe = next(recipe for recipe in FACTORIES[run.factory].recipes if run.product in recipe.makes)
    batches = run.number // recipe.makes[run.product]
    return {what: number - batches * recipe.takes.get(what, 0) for what, number in stock.items()}


def _missing(empire: Empire, country: Country, at: Position, recipe: Recipe) -> str:
    stock = empire.stock(country.name, at)
    short = [f"{n - stock.get(what, 0)} {what}" for what, n in recipe.takes.items() if stock.get(what, 0) < n]
    return f"lacks {in_a_row(short) or 'inputs that other factories take'} for {next(iter(recipe.makes))}"


def _why_not(empire: Empire, run: Run) -> str:
    """Why a run would fall short at the end of the turn as things stand: no hand, no power; empty when it would not."""
    table: Table[Empire] = Table("rehearsal", replace(empire, runs=(*empire.runs, run)), Keyed(b"rehearsal", 0), evolve)
    heard: list[Event] = []
    table.heard = heard.append
    produce(table, run.country)
    ours = (run.at, run.factory, run.product)
    short = [e.why for e in heard if isinstance(e, RunFellShort) and (e.at, e.factory, e.product) == ours]
    return f"cannot run: {short[0]}" if short else ""
