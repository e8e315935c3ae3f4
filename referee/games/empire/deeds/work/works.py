"""Construction machines at work, over the end of one turn or several (IV B, emp.H-12, emp.H-21)."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_band, forbids
from referee.games.empire.deeds.work.cities import (
    clear,
    fill,
    filled,
    name_ambassadors,
    new,
    no_city_yet,
    spare,
    standing,
)
from referee.games.empire.deeds.work.producing import produce
from referee.games.empire.deeds.work.scrapping import demolish
from referee.games.empire.deeds.work.squares import invest
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.work.building import (
    CityFilled,
    LineLaid,
    MaterialsUsed,
    VehicleBuilt,
    WorkDropped,
    WorkFinished,
    WorkHalted,
    WorkOrdered,
    WorkWent,
)
from referee.games.empire.position.pieces import Position, Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import berths
from referee.games.empire.reckoning.supply import held, short, taken_all
from referee.games.empire.reckoning.work import (
    begins,
    idle,
    land_square,
    machine_aboard,
    machine_free,
    needs_of,
    on_ship,
    own_coolie,
    own_unit,
    places_of,
    sources,
    squares_of,
    stands_by,
    supplied,
)
from referee.games.empire.rulebook.plans import NINE, PLANS, Plan, a
from referee.kit.refused import Refused
from referee.kit.wording import counted

# ---------------------------------------------------------------- the order


class Building(Protocol):
    """What is to stand in a square, as it is ordered: by whom, what, and the name of a city."""

    @property
    def unit(self) -> int: ...

    @property
    def what(self) -> str: ...

    @property
    def detail(self) -> str: ...


def can_build(empire: Empire, seat: Seat, intent: Building) -> WorkOrdered | CityFilled:
    """What a lawful order to build does. Raises Refused."""
    plan = PLANS.get(intent.what)
    if plan is None or plan.sort == "line":
        raise Refused(f"{a(intent.what).capitalize()} is not built in a square.", "emp.board.construction", intent.what)
    if plan.sort == "city work":
        city = empire.city_at(own_unit(empire, seat, intent.unit).at)
        if city is not None and new(empire, city):
            _on_coast(empire, city.at, plan)
            return fill(empire, own_unit(empire, seat, intent.unit), city, plan.name)
    unit = own_coolie(empire, seat, intent.unit)
    check_band(empire, unit.country, "build")
    idle(empire, unit)
    land_square(empire, unit)
    old = _unfinished(empire, unit, plan)
    if old is not None:
        machine_free(empire, unit, old.number)
        return WorkOrdered(replace(old, unit=unit.number))
    if plan.sort == "factory":
        check_band(empire, unit.country, "start factory")
    machine_free(empire, unit)
    _room(empire, unit, plan, intent.detail)
    work = Work(empire.next_work, plan.name, unit.at, unit.country, unit.number, plan.turns, intent.detail)
    supplied(empire, work)
    return WorkOrdered(work)


def _unfinished(empire: Empire, unit: Unit, plan: Plan) -> Work | None:
    """A work of this kind begun here that nobody goes on with."""
    for work in empire.works:
        here = (work.what, work.at, work.country) == (plan.name, unit.at, unit.country)
        if here and work.begun >= 0 and not stands_by(empire, work.country, work.unit, work.at):
            return work
    return None


def _on_coast(empire: Empire, at: Position, plan: Plan) -> None:
    if plan.coast and not empire.board.coastal(at):
        raise Refused(f"{at} has no coast; {a(plan.name)} needs one.", "emp.board.coast", at)


def _room(empire: Empire, unit: Unit, plan: Plan, name: str) -> None:
    """Raises Refused when a square has no room for what is to be built (emp.C1, emp.C6)."""
    city = empire.city_at(unit.at)
    _on_coast(empire, unit.at, plan)
    if plan.sort == "vehicle":
        if plan.airport and not berths(empire, "airport", unit.at, unit.country):
            raise Refused(f"There is no airport in {unit.at}.", "emp.H-21", unit.at)
    elif plan.sort == "city":
        no_city_yet(empire, unit, name)
    elif city is not None and not empire.friendly(city.country, unit.country):
        raise Refused(f"{city.name} belongs to {city.country}.", "emp.C1", city.name)
    elif city is not None:
        room = spare(empire, city)
        if room < plan.squares and plan.turns == 1:
            left = f"{counted(room, 'minor squares')} left"
            raise Refused(f"{city.name} has {left}; {a(plan.name)} needs {plan.squares}.", "emp.C1", plan.name)
    elif plan.sort == "city work":
        raise Refused(f"{a(plan.name).capitalize()} is built in a city; {unit.at} has none.", "emp.C1", unit.at)
    elif _taken(empire, unit.at):
        raise Refused(
            f"Outside a city one factory or installation stands in a square, in {unit.at} too.", "emp.C6", unit.at
        )


def _taken(empire: Empire, at: Position) -> bool:
    """Whether a factory stands outside a city, or is to stand there, that nobody scraps this turn."""
    razed = [w.what.partition(" ")[2] for w in empire.works if w.at == at and w.left and not _is_factory(w)]
    stays = any(what not in razed for what in standing(empire, at))
    return stays or any(w.at == at and w.left and _is_factory(w) for w in empire.works)


def _is_factory(work: Work) -> bool:
    return work.what in PLANS and PLANS[work.what].sort in ("factory", "installation")


def build(table: Table[Empire], seat: Seat, intent: Building) -> None:
    """Order a building or city. Raises Refused."""
    table.emit(can_build(table.state, seat, intent))


# ---------------------------------------------------------------- the end of the turn


def end_turn(table: Table[Empire], country: str) -> None:
    """Step 5 of a turn (emp.H-01): investment; what is scrapped or destroyed goes; works go on and are finished."""
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
