"""Ambassadors: a regular coolie in a city becomes one over the end of a turn (emp.H-07)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.work.building import AmbassadorNamed, WorkDropped, WorkOrdered
from referee.games.empire.position.labour import Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.work.workers import idle, own_coolie, stands_by
from referee.kit.refused import Refused

_APPOINT = "appoint ambassador"


def can_appoint(empire: Empire, seat: Seat, number: int) -> WorkOrdered:
    """What it does that a coolie is to be made an ambassador. Raises Refused."""
    unit = own_coolie(empire, seat, number, "emp.H-07")
    idle(empire, unit)
    city = empire.city_at(unit.at)
    if city is None or not empire.same_owner(city.country, unit.country) or unit.aboard:
        raise Refused(f"Coolie {unit.number} is in no city of yours.", "emp.H-07", str(unit.number))
    return WorkOrdered(Work(empire.next_work, _APPOINT, unit.at, unit.country, unit.number, 1))


def name_ambassadors(table: Table[Empire], country: str) -> None:
    """At the end of a turn: who stayed in his city is an ambassador from now on."""
    for work in table.state.works:
        if work.country != country or work.what != _APPOINT:
            continue
        city = table.state.city_at(work.at)
        why = "the city is gone" if city is None else _unfit(table.state, country, work)
        if why or city is None:
            table.emit(WorkDropped(work.number, work.what, work.at, why))
        else:
            table.emit(AmbassadorNamed(country, work.number, work.unit, work.at, city.name))


def _unfit(empire: Empire, country: str, work: Work) -> str:
    """Why a coolie becomes no ambassador: he went away, or governs the country that was split off meanwhile; "" if he does."""
    if not stands_by(empire, country, work.unit, work.at):
        return f"coolie {work.unit} did not stay"
    kind = empire.units[work.unit].kind
    return "" if kind == "coolie" else f"{kind} {work.unit} is no regular coolie any more"
