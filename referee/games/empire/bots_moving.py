"""What bots move: loads, ships and planes, colonies, lines that are laid on the way out and back."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Pick
from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.board import edge
from referee.games.empire.carrying import fits, seat_of
from referee.games.empire.countries import Country
from referee.games.empire.distance import reach, steps
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.naming import Goods
from referee.games.empire.orders.build import DrawLine
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.move import MoveUnits, RollWind
from referee.games.empire.orders.pumping import PumpOil
from referee.games.empire.orders.standing import Beach, BringOut, Dock, Land, PutToSea, Stance, Store, TakeOff
from referee.games.empire.orders.towing import CastOff, Tow
from referee.games.empire.orders.working import Found
from referee.games.empire.ownership import flies
from referee.games.empire.pieces import Unit
from referee.games.empire.plans import PLANS
from referee.games.empire.portions import Some
from referee.games.empire.state import Empire
from referee.games.empire.steps.bands import forbids
from referee.games.empire.steps.berths import berths

_MOVERS = 6
"""Vehicles that a bot sends out in a turn."""


def journeys(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """What a country's units do besides work, in a turn."""
    units = [unit for unit in empire.units_of(country.name) if not unit.aboard]
    movers = [unit for unit in units if KINDS[unit.kind].self_mobile and not KINDS[unit.kind].person]
    movers = [unit for unit in movers if not KINDS[unit.kind].military]  # they have bots of their own
    if any(KINDS[unit.kind].wind for unit in movers) or not pick(20):
        yield RollWind()
    for unit in movers[:_MOVERS]:
        if pick(3):
            yield from _journey(empire, country, unit, pick)
    for unit in [unit for unit in units if KINDS[unit.kind].military][:2]:
        if not pick(3):
            yield MoveUnits((unit.number,), stroll(empire, unit, 1 + pick(3), pick)[-1])
    if free and not pick(2):
        yield from (_colony, _line, _porter)[pick(3)](empire, country, free.pop(pick(len(free))), pick)
    yield from _pumping(empire, country, pick)
    yield from _desertion(empire, country, pick)


def stroll(empire: Empire, unit: Unit, borders: int, pick: Pick) -> tuple[str, ...]:
    """Some squares in a row that the unit can step through."""
    step, path = steps(empire, KINDS[unit.kind]), [unit.at]
    for _ in range(borders):
        there = [name for name, _ in step(path[-1]) if name not in path]
        if not there:
            break
        path.append(there[pick(len(there))])
    return tuple(path[1:]) or (unit.at,)


def _exactly(what: str, number: int = 1) -> Goods:
    return Goods(what, Quantity(Portion.EXACTLY, number))


# ---------------------------------------------------------------- vehicles


def _journey(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Take something aboard, go somewhere, put it off there; or change how it stands."""
    kind = KINDS[unit.kind]
    stances = list(_stances(empire, unit))
    if stances and not pick(3):
        yield stances[pick(len(stances))]((unit.number,))
    tail = [other.number for other in empire.units_at(unit.at) if other.kind in (kind.hauls or kind.tows)]
    if tail and pick(2):
        yield Tow(unit.number, tuple(tail[:2])) if pick(3) else CastOff(unit.number)
    goods, riders = _cargo(empire, country, unit, pick)
    if goods or riders:
        yield Load(unit.number, goods, riders)
    there = list(reach(steps(empire, kind), (unit.at,), ALLOWANCE - unit.spent))[1:]
    if there:
        yield MoveUnits((unit.number,), there[pick(len(there))])
    if riders and pick(2):
        yield Disembark(riders, stroll(empire, unit, 1, pick)[-1])
    elif (goods or riders) and pick(3):
        yield Unload(unit.number, goods, riders)
    elif not pick(3):
        yield from _emptied(empire, unit)


def _stances(empire: Empire, unit: Unit) -> Iterator[type[Stance]]:
    """How a unit may stand where it is."""
    city = empire.city_at(unit.at)
    if KINDS[unit.kind].category == "naval":
        if unit.status in ("dock", "beach"):
            yield PutToSea
        if unit.status != "dock" and berths(empire, "dock", unit.at, unit.country):
            yield Dock
        if unit.status != "beach" and not empire.board.squares[unit.at].water:
            yield Beach
    elif flies(unit):
        yield Land
    elif unit.status == "warehouse":
        yield BringOut
    else:
        if city is not None and city.warehouses and empire.friendly(city.country, unit.country):
            yield Store
        if KINDS[unit.kind].category == "air" and berths(empire, "airport", unit.at, unit.country):
            yield TakeOff


def _cargo(empire: Empire, country: Country, unit: Unit, pick: Pick) -> tuple[tuple[Goods, ...], tuple[int, ...]]:
    """Some goods, or a coolie, that the unit may take where it is."""
    stock = [what for what in empire.stock(country.name, unit.at) if fits(KINDS[unit.kind], what)]
    people = [other for other in empire.units_at(unit.at) if (other.kind, other.country) == ("coolie", country.name)]
    if people and seat_of(KINDS[unit.kind], KINDS["coolie"]) and pick(2):
        return (), (people[-1].number,)
    return ((_exactly(stock[pick(len(stock))], 1 + pick(2)),) if stock else ()), ()


def _emptied(empire: Empire, unit: Unit) -> Iterator[Intent]:
    riders = tuple(other.number for other in empire.units.values() if other.aboard == unit.number)
    if riders:
        yield Unload(unit.number, (), riders)


# ---------------------------------------------------------------- on foot


def _colony(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Carry a colony piece some squares away and plant it there."""
    if not empire.stock(country.name, unit.at).get("colony piece"):
        return
    yield Load(unit.number, (_exactly("colony piece"),))
    yield MoveUnits((unit.number,), stroll(empire, unit, 1 + pick(3), pick)[-1])
    yield Found(unit.number, f"New {country.name} {empire.turn}")


def _line(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Walk out and back with a machine and draw a line along the way."""
    stock = empire.stock(country.name, unit.at)
    able = [plan.name for plan in PLANS.values() if plan.sort == "line" and all(map(stock.get, plan.materials))]
    if not able or not stock.get("cmx") or forbids(empire, country.name, "build"):
        return
    pipes = [lot for lot in empire.lots if (lot.country, lot.what, lot.at) == (country.name, "O", unit.at)] and pick(2)
    what, out = "pipeline" if pipes else able[pick(len(able))], stroll(empire, unit, 1 + pick(3), pick)
    yield Load(unit.number, (_exactly("cmx"),))
    yield MoveUnits((unit.number,), out[-1], out)
    yield MoveUnits((unit.number,), unit.at, (*out[-2::-1], unit.at))
    path = (unit.at,) if what == "canal" else (unit.at, *out)
    yield DrawLine(unit.number, what, path)
    if not pick(6):
        yield MoveUnits((unit.number,), out[0])


def _porter(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """A coolie takes goods; then one of all that are there goes, and whether the loaded one is meant is not said."""
    stock = list(empire.stock(country.name, unit.at))
    if stock:
        yield Load(unit.number, (_exactly(stock[pick(len(stock))]),))
    one = Some("coolie", Quantity(Portion.EXACTLY, 1), unit.at)
    yield MoveUnits((), stroll(empire, unit, 1, pick)[-1], (), (one,))


def _desertion(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Now and then somebody walks away from what he builds."""
    for work in empire.works:
        worker = empire.units.get(work.unit)
        if worker is not None and (work.country, worker.country) == (country.name,) * 2 and work.left and not pick(6):
            yield MoveUnits((work.unit,), stroll(empire, worker, 1, pick)[-1])


def _pumping(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Oil where it lies at an end of a pipeline."""
    grid = empire.board.grid
    for lot in [lot for lot in empire.lots if (lot.country, lot.what, lot.aboard) == (country.name, "O", 0)][:2]:
        for way, there in grid.around(lot.at):
            if "pipeline" in empire.lines.get(edge(grid, lot.at, way), ()) and pick(2):
                yield PumpOil(lot.at, there, Quantity(Portion.EXACTLY, 1))
