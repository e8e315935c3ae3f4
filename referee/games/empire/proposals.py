"""What could be ordered as things stand: lines for the order form, each tried on a copy of the position first."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.board import FOODS
from referee.games.empire.countries import Country
from referee.games.empire.distance import reach, steps
from referee.games.empire.events import evolve
from referee.games.empire.intents import Develop
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.dispatch import carry_out
from referee.games.empire.steps.feeding import eaters
from referee.kit.refused import Refused

__all__ = ["idle", "near", "workplaces"]

_NEAREST, _TRIES = 6, 12
"""So many workplaces are looked for around a square, and so many tried."""

def idle(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Coolies ashore that neither work nor build."""
    busy = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    return tuple(u for u in empire.units_of(country, "coolie") if u.number not in busy and not u.aboard)


def near(empire: Empire, unit: Unit) -> tuple[tuple[str, str], ...]:
    """Where a unit could work what nobody works yet, and what: the nearest first."""
    taken = [(worked.at, worked.kind) for worked in empire.worked]
    found: list[tuple[str, str]] = []
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent):
        square = empire.board.squares[at]
        kinds = [square.food, *(resource.kind for resource in square.resources)]
        found += [(at, kind) for kind in kinds if kind and (at, kind) not in taken]
        if len(found) >= _NEAREST:
            break
    return tuple(found[:_NEAREST])


def workplaces(empire: Empire, country: Country, most: int) -> tuple[tuple[Unit, str, str], ...]:
    """Idle coolies that could be sent to work: who, where, at what. Food first where more is eaten than grows."""
    table: Table[Empire] = Table("form", empire, Keyed(b"form", 0), evolve)
    found: list[tuple[Unit, str, str]] = []
    tried = 0
    while len(found) < most and tried < _TRIES:
        tried += 1
        unit = next(iter(idle(table.state, country.name)), None)
        place = next(_places(table, country, unit), None) if unit is not None else None
        if unit is None or place is None:
            break
        found.append((unit, *place))
    return tuple(found)


def _places(table: Table[Empire], country: Country, unit: Unit) -> Iterator[tuple[str, str]]:
    """The first place that the unit can really work; it is at work on the table then."""
    state = table.state
    grows = 5 * sum(w.country == country.name and w.kind in FOODS for w in state.worked)
    hungry = grows < len(eaters(state, country.name))
    for at, kind in sorted(near(state, unit), key=lambda place: hungry and place[1] not in FOODS):
        go: tuple[Intent, ...] = (MoveUnits((unit.number,), at),) if at != unit.at else ()
        if _done(table, country.owner, (*go, Develop(unit.number, kind))):
            yield at, kind
            return


def _done(table: Table[Empire], seat: Seat, orders: tuple[Intent, ...]) -> bool:
    """Whether orders can be carried out one after the other; the table stays as it was where they cannot."""
    before = table.state
    try:
        for order in orders:
            carry_out(table, seat, order)
    except Refused:
        table.state = before
        return False
    return True
