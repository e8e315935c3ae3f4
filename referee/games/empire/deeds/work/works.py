"""Construction machines at work, over the end of one turn or several (IV B, emp.H-12)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.deeds.debts import forbids
from referee.games.empire.deeds.work.cities import (
    clear,
    filled,
    name_ambassadors,
    standing,
)
from referee.games.empire.deeds.work.producing import produce
from referee.games.empire.deeds.work.scrapping import demolish
from referee.games.empire.deeds.work.squares import invest
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.work.building import (
    LineLaid,
    MaterialsUsed,
    VehicleBuilt,
    WorkDropped,
    WorkFinished,
    WorkHalted,
    WorkWent,
)
from referee.games.empire.position.pieces import Position, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.supply import held, short, taken_all
from referee.games.empire.reckoning.work import (
    begins,
    machine_aboard,
    needs_of,
    on_ship,
    places_of,
    sources,
    squares_of,
    stands_by,
)
from referee.games.empire.rulebook.plans import NINE, PLANS


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
