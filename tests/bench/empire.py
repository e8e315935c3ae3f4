"""Empire on its largest board: food for 300 mouths, a turn of 400 orders, making a board, the map, the letters of a slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from referee.adapters.pages.picture import halves, part_drawn, png
from referee.adapters.pages.render import TemplateRenderer
from referee.core.chance import Keyed
from referee.core.order import Intent, Portion, Quantity
from referee.core.position import Position, start
from referee.core.table import Table
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.boards.survey import faults
from referee.games.empire.events import evolve
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.supply import FoodEaten
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.working import Develop
from referee.games.empire.phases.supply import feed
from referee.games.empire.position import Lot, Unit, edge
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import reach, steps
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS
from referee.games.empire.telling.drawing import chart
from tests.bench.botplay import BotTable, created, letters_of
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.turns import SECRET

MOUTHS = 300
"""Persons of one country who are fed, each from stores within 12 BTA."""

ORDERS = 400
"""Orders of one sheet."""

_STORES = 40
_PLAYERS = 8
_TRUCKS = 30
_WIDE = 60
"""So many land squares are within 12 BTA of the capital at least; on most boards there are fifty to seventy."""

_GAME = EmpireGame()


# ---------------------------------------------------------------- positions


@cache
def _opened() -> BotTable[Empire]:
    """Eight bots on a board of 72 by 42 squares, from the third turn on in the slot of a country with much land in reach."""
    table = BotTable(_GAME, start(_GAME, created(_GAME, _PLAYERS)))
    while table.outcome.state.turn < 3 or len(_near(table.outcome.state, _mover(table.outcome.state))) < _WIDE:
        table.play(1)
    return table


def _mover(empire: Empire) -> str:
    """The country of the seat whose slot it is."""
    assert empire.active is not None  # the slots have begun
    return empire.owned(empire.active)[0].name


def _near(empire: Empire, country: str, limit: int = ALLOWANCE) -> list[str]:
    """Land within so many thirtieths of a BTA of a country's capital, on foot, the nearest first."""
    capitals = [city.at for city in empire.cities.values() if city.country == country and city.capital]
    costs = reach(steps(empire, KINDS["coolie"]), capitals, limit)
    return [at for at in sorted(costs, key=lambda at: costs[at]) if not empire.board.squares[at].water]


def _peopled(empire: Empire) -> Empire:
    """300 persons of one country, and nobody else, within 24 BTA; 40 stores of food, a road and a railroad between them."""
    country = _mover(empire)
    land, number = _near(empire, country, 2 * ALLOWANCE), empire.next_unit
    others = {n: unit for n, unit in empire.units.items() if not KINDS[unit.kind].person}
    people = {number + n: Unit(number + n, "coolie", country, land[n % len(land)]) for n in range(MOUTHS)}
    food = tuple(Lot("food", MOUTHS // _STORES + 2, country, land[n * len(land) // _STORES]) for n in range(_STORES))
    lots = tuple(lot for lot in empire.lots if lot.country != country or lot.what != "food")
    lines = {edge(empire.board.grid, at, "NEQ"[n % 3]): ("road", "rail")[: 1 + n % 2] for n, at in enumerate(land[::3])}
    return replace(empire, units={**others, **people}, lots=(*lots, *food), lines={**empire.lines, **lines})


def _as_new(empire: Empire) -> Empire:
    """The same position on a board of its own: nothing that was worked out about it before is at hand."""
    return replace(empire, board=replace(empire.board), lines=dict(empire.lines))


# ---------------------------------------------------------------- food


@contextmanager
def food_traced(folder: Path, size: Size) -> Iterator[Pair]:
    """300 mouths fed out of 40 stores, on a board and lines never seen before; milliseconds."""
    empire = _peopled(_opened().outcome.state)
    country = _mover(empire)

    def fed(position: Empire) -> tuple[float, float, int]:
        """Milliseconds, microseconds of processor time, and how many ate."""
        table = Table("bench", position, Keyed(SECRET, 0), evolve)
        eaten: list[int] = []
        table.heard = lambda event: eaten.append(event.mouths) if isinstance(event, FoodEaten) else None
        with timed() as watch:
            feed(table, country)
        return watch.seconds * 1e3, watch.cpu * 1e6, sum(eaten)

    def own() -> Sample:
        position = _as_new(empire)
        cold, cpu, ate = fed(position)
        warm, _, again = fed(position)
        note = f"{ate} fed of {MOUTHS}, {len(empire.lines)} borders with lines; {warm:.0f} ms once more"
        return Sample(cold, cpu, abs(ate - again) + abs(ate - MOUTHS), note)

    yield Pair(own)


# ---------------------------------------------------------------- a turn


def sheet_of(empire: Empire) -> tuple[Intent, ...]:
    """400 orders for the country whose slot it is: squares worked, goods carried by truck, journeys; then ROLL OUT."""
    country = _mover(empire)
    people = [unit.number for unit in empire.units_of(country, "coolie")]
    trucks = [unit.number for unit in empire.units_of(country, "truck")][:_TRUCKS]
    land = _near(empire, country, 8 * BTA)
    orders = [*_work(empire, people, _near(empire, country)), *_freight(trucks, land)]
    journeys = [MoveUnits((people.pop(),), land[-1 - n % (len(land) // 2)]) for n in range(ORDERS - len(orders))]
    return (*orders, *journeys, RollOut())


def _work(empire: Empire, people: list[int], land: list[str]) -> Iterator[Intent]:
    """Coolies who go to ore and dig it."""
    taken = {worked.at for worked in empire.worked} | {city.at for city in empire.cities.values()}
    for at in land:
        kinds = [resource.kind for resource in empire.board.squares[at].resources if resource.kind != "power"]
        if at not in taken and kinds:
            worker = people.pop()
            yield MoveUnits((worker,), at)
            yield Develop(worker, kinds[0])


def _freight(trucks: list[int], land: list[str]) -> Iterator[Intent]:
    """Two iron each, taken some way and put down."""
    iron = (Goods("Fe", Quantity(Portion.EXACTLY, 2)),)
    for n, truck in enumerate(trucks):
        yield Load(truck, iron)
        yield MoveUnits((truck,), land[1 + n % 12])
        yield Unload(truck, iron)


def _crowded(position: Position[Empire]) -> Position[Empire]:
    """400 coolies and 30 trucks with iron for all of them in the capital of the country whose slot it is."""
    empire = position.state
    country = _mover(empire)
    at, number = _near(empire, country)[0], empire.next_unit
    kinds = ["coolie"] * ORDERS + ["truck"] * _TRUCKS
    more = {number + n: Unit(number + n, kind, country, at) for n, kind in enumerate(kinds)}
    lots = (*empire.lots, Lot("Fe", 2 * _TRUCKS, country, at), Lot("food", 2 * ORDERS, country, at))
    state = replace(empire, units={**empire.units, **more}, lots=lots, next_unit=number + len(kinds))
    return replace(position, state=state)


def a_turn(new: bool) -> Callable[[Path, Size], AbstractContextManager[Pair]]:
    """A slot of 400 orders through the stage, from the sheet to the next slot; on a board never seen before if `new`."""

    @contextmanager
    def prepared(folder: Path, size: Size) -> Iterator[Pair]:
        position = _crowded(_opened().outcome.position)
        sheet = sheet_of(position.state)

        def own() -> Sample:
            table = BotTable(_GAME, replace(position, state=_as_new(position.state)) if new else position)
            (question,) = table.outcome.open
            with timed() as watch:
                table.answer(question, sheet)
            events = table.ended[-1].events
            refused = sum(isinstance(event, OrderRefused) for event in events)
            note = f"{len(sheet) - 1} orders, {refused} refused, {len(events)} events"
            return Sample(watch.seconds * 1e3, watch.cpu * 1e6, refused, note)

        yield Pair(own)

    return prepared


# ---------------------------------------------------------------- boards and maps


@contextmanager
def boards_made(folder: Path, size: Size) -> Iterator[Pair]:
    """Boards of 72 by 42 squares for eight players, each out of other chance; seconds for the one that takes longest."""
    number = size.turns // 2 + 1

    def own() -> Sample:
        wall, cpu, wrong = 0.0, 0.0, 0
        for seed in range(number):
            with timed() as watch:
                board = generate("large", _PLAYERS, picker(seed))
            wall, cpu, wrong = max(wall, watch.seconds), max(cpu, watch.cpu), wrong + len(faults(board))
        return Sample(wall, cpu * 1e6, wrong, f"the longest of {number}, {len(board.squares)} squares")

    yield Pair(own)


@contextmanager
def maps_drawn(folder: Path, size: Size) -> Iterator[Pair]:
    """The map as SVG for each of eight players, one of whose slots is just over; milliseconds for all eight."""
    table = _opened()
    seats = table.outcome.state.seats

    def own() -> Sample:
        position = _as_new(table.outcome.state)
        with timed() as watch:
            drawn = [chart(position, seat).svg for seat in seats]
        with timed() as again:
            chart(position, seats[0])
        weight = sum(map(len, drawn)) / len(drawn) / 1e3
        note = f"board never seen before; {weight:.0f} KB each, one more {again.seconds * 1e3:.0f} ms"
        return Sample(watch.seconds * 1e3, watch.cpu * 1e6, 0, note)

    yield Pair(own)


@contextmanager
def pictures_drawn(folder: Path, size: Size) -> Iterator[Pair]:
    """The map as PNG, slot after slot, in a service that drew those of the turn before; milliseconds for one."""
    slots = _slots(size)

    def own() -> Sample:
        png.cache_clear()
        part_drawn.cache_clear()
        drawings = [chart(after).svg for after in slots]
        with timed() as first:
            png(drawings[0])
        for svg in drawings[1:_PLAYERS]:
            png(svg)
        with timed() as watch:
            weight = sum(len(png(svg)) for svg in drawings[_PLAYERS:])
        count = len(drawings) - _PLAYERS
        note = f"{weight / count / 1e3:.0f} KB each; the first of a process {first.seconds * 1e3:.0f} ms"
        return Sample(watch.seconds / count * 1e3, watch.cpu / count * 1e6, 0, note)

    yield Pair(own)


def _slots(size: Size) -> list[Empire]:
    """The position after each of the last slots, a turn of them before those that are counted."""
    return [ended.after for ended in _opened().ended][-_PLAYERS - max(1, size.turns // 2) :]


# ---------------------------------------------------------------- the letters


@contextmanager
def letters_of_a_slot(folder: Path, size: Size) -> Iterator[Pair]:
    """The letters of a slot to eight players, slot after slot; milliseconds for all eight.

    Pages, record sheets, the map of each as SVG and one picture for all, text and HTML, MIME. What the letters of the
    turn before left in memory may be used, as it can in a running service; nothing of an earlier run.
    """
    table = _opened()
    numbers = range(len(table.ended))[-_PLAYERS - max(1, size.turns // 2) :]
    seats = table.outcome.state.seats

    def own() -> Sample:
        renderer, weight = TemplateRenderer(), 0
        for kept in (png, halves, part_drawn):
            kept.cache_clear()
        for slot in numbers[:_PLAYERS]:
            letters_of(_GAME, renderer, table.ended, slot, seats)
        with timed() as watch:
            for slot in numbers[_PLAYERS:]:
                weight += sum(map(len, letters_of(_GAME, renderer, table.ended, slot, seats)))
        count = len(numbers) - _PLAYERS
        note = f"{count} slots, {weight / count / len(seats) / 1e3:.0f} KB a letter"
        return Sample(watch.seconds / count * 1e3, watch.cpu / count * 1e6, 0, note)

    yield Pair(own)
