"""Random but purposeful order sheets, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.core.question import Pick
from referee.games.empire.board import Board
from referee.games.empire.distance import reach, steps
from referee.games.empire.intents import (
    Abandon,
    Balkanize,
    Build,
    Burn,
    Destroy,
    Develop,
    DrawLine,
    Exchange,
    Execute,
    Found,
    GiveControl,
    GiveGoods,
    Goods,
    Load,
    MoveUnits,
    PlaceCapital,
    Produce,
    RollOut,
    RollWind,
    Scrap,
    Seize,
    SetBirths,
    SetRelation,
    StandDown,
    TakePicks,
    Unload,
)
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.plans import PLANS
from referee.games.empire.state import Country, Empire, Unit
from referee.games.empire.steps.picks import LINES, PICKS, how_many

__all__ = ["suggest"]

_PICKS = (*PICKS, *LINES)

_SPARE = 8
"""Workers sent out by a bot each turn besides those for food: enough to grow, few enough to stay quick."""


def suggest(empire: Empire, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet for a seat's slot, ended by rolling out; before the play squares for the capital. Most of it is lawful."""
    if empire.stage != "play":
        return (PlaceCapital(_sites(empire.board, pick)),)
    lines: list[Intent] = []
    for country in empire.owned(seat):
        lines += _country(empire, country, pick)
    return (*lines, *((Execute(),) if not pick(8) else ()), RollOut())


# ---------------------------------------------------------------- the zero turn


def _sites(board: Board, pick: Pick) -> tuple[str, ...]:
    """The natural starts in a random order, then squares of plain."""
    plain = [name for name, square in board.squares.items() if square.terrain == "plain"] or list(board.squares)
    starts = _mixed(board.starts, pick)
    return tuple(dict.fromkeys((*starts, *(plain[pick(len(plain))] for _ in range(8)))))


def _mixed(things: Sequence[str], pick: Pick) -> list[str]:
    left = list(things)
    return [left.pop(pick(len(left))) for _ in things]


# ---------------------------------------------------------------- a country's turn


def _country(empire: Empire, country: Country, pick: Pick) -> list[Intent]:
    free = [unit for unit in empire.units_of(country.name, "coolie") if not _busy(empire, unit)]
    return [
        *_opening(empire, country, pick),
        *_squares(empire, country, free, pick),
        *_buildings(empire, country, free, pick),
        *_journeys(empire, country, pick),
        *_affairs(empire, country, pick),
    ]


def _busy(empire: Empire, unit: Unit) -> bool:
    jobs = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    return bool(unit.aboard) or unit.number in jobs


def _opening(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    if empire.turn == 1 or (empire.turn == 2 and country.name not in empire.picks):
        yield TakePicks(tuple(_PICKS[pick(len(_PICKS))] for _ in range(how_many(empire))))


def _squares(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Coolies walk to food first, then to whatever the ground yields; a farm needs food for seed, so fish comes first."""
    mouths = sum(KINDS[unit.kind].person for unit in empire.units_of(country.name))
    taken = {(worked.at, worked.kind) for worked in empire.worked}
    fed = sum(5 for worked in empire.worked if worked.country == country.name and worked.kind in ("farm", "fish"))
    for _ in range(min(len(free), max(0, mouths + 2 - fed) // 5 + 1 + pick(_SPARE))):
        hungry = fed < mouths + 2
        unit = free[pick(len(free))]
        found = _work_for(empire, unit, hungry, taken, pick)
        if found is None:
            continue
        free.remove(unit)
        at, kind = found
        taken.add(found)
        fed += 5 if kind in ("farm", "fish") else 0
        if at != unit.at:
            yield MoveUnits((unit.number,), at)
        yield Develop(unit.number, kind, pick(2))


def _work_for(
    empire: Empire, unit: Unit, hungry: bool, taken: set[tuple[str, str]], pick: Pick
) -> tuple[str, str] | None:
    """Something to work within reach, among the nearest few."""
    near: list[tuple[str, str]] = []
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent):
        square = empire.board.squares[at]
        kinds = [square.food] if hungry else [resource.kind for resource in square.resources]
        near += [(at, kind) for kind in kinds if kind and (at, kind) not in taken]
        if len(near) > 3:
            break
    return near[pick(len(near))] if near else None


def _buildings(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """A machine or two at work in the cities, on what the stock there allows."""
    for city in (city for city in empire.cities.values() if city.country == country.name):
        here = [unit for unit in free if unit.at == city.at and KINDS[unit.kind].person]
        stock = empire.stock(country.name, city.at)
        for unit in here[: pick(3)]:
            yield from _work_in(empire, unit, stock, pick)
        yield from _runs(city.name, [factory.kind for factory in city.factories], pick)
    for unit in free[:1]:
        if not pick(4):
            yield Found(unit.number, f"New {country.name} {empire.turn}")


def _work_in(empire: Empire, unit: Unit, stock: dict[str, int], pick: Pick) -> Iterator[Intent]:
    names = tuple(PLANS)
    plan = PLANS[names[pick(len(names))]]
    if plan.sort == "line":
        path = _stroll(empire, unit, 1 + pick(6), pick)
        yield MoveUnits((unit.number,), path[-1])
        yield DrawLine(unit.number, plan.name, (unit.at, *path))
    elif stock.get("cmx") and all(stock.get(what, 0) >= number for what, number in plan.materials.items()):
        for what, number in plan.materials.items():
            stock[what] -= number
        stock["cmx"] -= 1
        yield Build(unit.number, plan.name)
    elif not pick(6):
        yield Scrap(unit.number, plan.name)


def _runs(city: str, factories: list[str], pick: Pick) -> Iterator[Intent]:
    if factories and pick(2):
        yield Produce(city, factories[pick(len(factories))], "St", 1 + pick(3))


def _stroll(empire: Empire, unit: Unit, borders: int, pick: Pick) -> tuple[str, ...]:
    """Some squares in a row that the unit can step through."""
    step, path = steps(empire, KINDS[unit.kind]), [unit.at]
    for _ in range(borders):
        there = [name for name, _ in step(path[-1]) if name not in path]
        if not there:
            break
        path.append(there[pick(len(there))])
    return tuple(path[1:]) or (unit.at,)


# ---------------------------------------------------------------- moving and carrying


def _journeys(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    movers = [unit for unit in empire.units_of(country.name) if not KINDS[unit.kind].person and not unit.aboard]
    if any(KINDS[unit.kind].wind for unit in movers) and pick(2):
        yield RollWind()
    for unit in movers[:6]:
        if pick(3):
            yield from _journey(empire, country, unit, pick)
    soldiers = [unit for unit in empire.units_of(country.name) if KINDS[unit.kind].military and not unit.aboard]
    for unit in soldiers[:2]:
        if not pick(3):
            yield MoveUnits((unit.number,), _stroll(empire, unit, 1 + pick(3), pick)[-1])


def _journey(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Load something, go somewhere, put it off there."""
    kind = KINDS[unit.kind]
    stock = [what for what, number in empire.stock(country.name, unit.at).items() if number]
    lots = (Goods(stock[pick(len(stock))], Quantity(Portion.EXACTLY, 1 + pick(2))),) if stock and kind.carries else ()
    if lots:
        yield Load(unit.number, lots)
    if kind.category == "air" and pick(2):
        yield StandDown((unit.number,), "start")
    there = list(reach(steps(empire, kind), (unit.at,), ALLOWANCE - unit.spent))
    yield MoveUnits((unit.number,), there[pick(len(there))])
    if lots and pick(2):
        yield Unload(unit.number, lots)


# ---------------------------------------------------------------- affairs with others


def _affairs(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """One thing out of many that seldom happen."""
    others = [other.name for other in empire.countries.values() if not other.dead and other.owner != country.owner]
    mine = [unit for unit in empire.units_of(country.name) if not unit.aboard]
    if not others or not mine or pick(2):
        return
    other, unit = others[pick(len(others))], mine[pick(len(mine))]
    cities = [city.name for city in empire.cities.values() if city.country == country.name]
    match pick(10):
        case 0:
            yield SetRelation(other, bool(pick(2)))
        case 1:
            yield GiveControl((unit.number,), other)
        case 2:
            yield GiveGoods((_one("food"),), other, unit.at)
        case 3:
            yield from (Seize(u.number, unit.number) for u in empire.units_at(unit.at) if u.country == other)
        case 4:
            yield from (SetBirths(city, bool(pick(2))) for city in cities[:1])
        case 5 if len(cities) > 1 and not pick(3):
            yield Balkanize(f"{country.name} Minor {empire.turn}", tuple(cities[-1:]))
        case 6:
            yield Exchange(1 + pick(2), other)
        case 7:
            yield Burn((_one("X"),), unit.at)
        case 8:
            yield from (Abandon(w.at, w.kind) for w in empire.worked[-1:] if w.country == country.name)
        case _ if unit.kind == "coolie" and len(mine) > 20:
            yield Destroy("itself", unit.number)


def _one(what: str) -> Goods:
    return Goods(what, Quantity(Portion.EXACTLY, 1))
