"""What a random player has done by those whom no plan needs: works for war, lines laid, loads carried, vehicles sent out."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Pick
from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.bots.estate import Estate, exactly
from referee.games.empire.deeds.debts import forbids
from referee.games.empire.deeds.work.shopfloor import idle_factories
from referee.games.empire.orders.movement.loading import Load
from referee.games.empire.orders.movement.move import MoveUnits, RollWind
from referee.games.empire.orders.work.industry import run
from referee.games.empire.orders.work.lines import DrawLine
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import reach, steps
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.ownership import flies
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS
from referee.games.empire.rulebook.plans import PLANS

_GUNS = ("ack-ack site", "gun site")
"""What is installed before anything else, where there are guns."""

_MOVERS = 4
"""Vehicles that are sent out in a turn."""


_BY_LAND = (*_GUNS, "power station", "small arms works", "heavy arms works", "airport", "air works", "motor works")
_BY_SEA = (*_GUNS, "power station", "naval shipyard", "heavy arms works", "water distillery", "cargo shipyard")
"""What he builds for war, in this order; for the sea one time in two where his capital has a coast."""


def arming(estate: Estate, pick: Pick) -> None:
    """Two more works for war, and every factory that can run makes something."""
    seaward = estate.empire.board.coastal(estate.home) and pick(2)
    wanted = estate.lacking(*(_BY_SEA if seaward else _BY_LAND))
    estate.build(*[name for name in wanted if estate.has(PLANS[name].materials)][:2])
    for idle in idle_factories(estate.empire, estate.empire.countries[estate.country]):
        if idle.runs and estate.hand() is not None:
            estate.sheet.append(run(estate.empire, idle.runs[pick(len(idle.runs))]))


def errands(estate: Estate, pick: Pick) -> None:
    """Now and then one of the hands left over at home lays a line, or a load is carried about."""
    unit = None if pick(2) else estate.hand()
    if unit is not None:
        estate.sheet += (_line if pick(2) else _porter)(estate, unit, pick)


def _line(estate: Estate, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Out and back with a machine, and a line along the way."""
    able = [plan.name for plan in PLANS.values() if plan.sort == "line" and estate.has({"cmx": 1, **plan.materials})]
    if not able or forbids(estate.empire, estate.country, "build"):
        return
    what = "pipeline" if estate.has({"O": 1}) and "pipeline" in able and pick(2) else able[pick(len(able))]
    out = _stroll(estate.empire, unit, 1 + pick(3), pick)
    yield Load(unit.number, (exactly("cmx", 1),))
    yield MoveUnits((unit.number,), out[-1], out)
    yield MoveUnits((unit.number,), unit.at, (*out[-2::-1], unit.at))
    yield DrawLine(unit.number, what, (unit.at,) if what == "canal" else (unit.at, *out))


def _porter(estate: Estate, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """A coolie takes goods; then one of all that are there goes, and whether the loaded one is meant is not said."""
    stock = [what for what, number in estate.store.items() if number > 0]
    if stock:
        yield Load(unit.number, (exactly(stock[pick(len(stock))], 1),))
    one = Some("coolie", Quantity(Portion.EXACTLY, 1), unit.at)
    yield MoveUnits((), _stroll(estate.empire, unit, 1, pick)[-1], (), (one,))


def _stroll(empire: Empire, unit: Unit, borders: int, pick: Pick) -> tuple[str, ...]:
    """Some squares in a row that the unit can step through."""
    step, path = steps(empire, KINDS[unit.kind]), [unit.at]
    for _ in range(borders):
        there = [name for name, _ in step(path[-1]) if name not in path]
        if not there:
            break
        path.append(there[pick(len(there))])
    return tuple(path[1:]) or (unit.at,)


def outings(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Vehicles go somewhere, whatever they have aboard; those with arms have plans of their own."""
    movers = [unit for unit in empire.units_of(country.name) if _moves(empire, unit)]
    if any(KINDS[unit.kind].wind for unit in movers):
        yield RollWind()
    for unit in movers[:_MOVERS]:
        there = list(reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent))[1:] if pick(2) else []
        if there:
            yield MoveUnits((unit.number,), there[pick(len(there))])


def _moves(empire: Empire, unit: Unit) -> bool:
    kind, city = KINDS[unit.kind], empire.city_at(unit.at)
    grounded = kind.category == "air" and not flies(unit) and not (city and city.airports)
    return kind.self_mobile and not (kind.person or kind.military or unit.aboard or grounded)
