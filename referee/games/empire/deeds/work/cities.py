"""Cities: nine minor squares, where one can stand, pollution (III A, emp.H-24); who becomes an ambassador in one."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.supply import SquareCleared, SquarePolluted
from referee.games.empire.events.work.building import AmbassadorNamed, WorkDropped
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.pieces import City, Factory, Position, Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.movement.distance import ways_of
from referee.games.empire.reckoning.work import land_square, owner_of, stands_by
from referee.games.empire.rulebook.plans import NINE, PLANS
from referee.kit.refused import Refused

# ---------------------------------------------------------------- minor squares


def filled(empire: Empire, city: City) -> int:
    """How many minor squares are taken: factories, docks, airports, warehouses, resources worked on the site (emp.C1)."""
    factories = sum(PLANS[factory.kind].squares for factory in city.factories)
    counted = city.docks * PLANS["dock"].squares + city.airports * PLANS["airport"].squares + city.warehouses
    return factories + counted + sum(1 for w in empire.worked if w.at == city.at and w.kind not in FOODS)


def coming(empire: Empire, at: Position) -> int:
    """How many more minor squares the works of a square will take at the end of this turn; scrapped ones count below 0.

    A work takes none before its last turn (III A).
    """
    return sum(_taking(work.what) for work in empire.works if work.at == at and work.left == 1)


def _taking(what: str) -> int:
    verb, _, rest = what.partition(" ")
    gone = verb in ("scrap", "destroy")
    plan = PLANS.get(rest if gone else what)
    if plan is None or plan.sort in ("line", "city", "vehicle"):
        return 0
    return -plan.squares if gone else plan.squares


def spare(empire: Empire, city: City) -> int:
    """Minor squares that are neither taken nor promised."""
    return NINE - filled(empire, city) - coming(empire, city.at)


def standing(empire: Empire, at: Position) -> tuple[str, ...]:
    """Every building of a square by kind, in a city or alone."""
    city = empire.city_at(at)
    if city is None:
        return tuple(factory.kind for factory in empire.factories.get(at, ()))
    counted = (("dock", city.docks), ("airport", city.airports), ("warehouse", city.warehouses))
    return (*(f.kind for f in city.factories), *(what for what, number in counted for _ in range(number)))


# ---------------------------------------------------------------- founding


def new_name(empire: Empire, seat: Seat) -> str:
    """A name that no city has yet."""
    names = (f"New {seat} {number}" if number else f"New {seat}" for number in range(len(empire.cities) + 1))
    return next(name for name in names if name not in empire.cities)


def no_city_yet(empire: Empire, unit: Unit, name: str) -> None:
    """Raises Refused unless a city of this name can stand where a unit is: on land, the first on its square (emp.C1)."""
    land_square(empire, unit)
    if name in empire.cities or not name:
        raise Refused(f"There is a city {name} already." if name else "The city needs a name.", "emp.C1", name)
    others = [c.name for at in ways_of(empire).one_square(unit.at) for c in (empire.city_at(at),) if c is not None]
    if others:
        raise Refused(f"{others[0]} stands on this square.", "emp.C1", unit.at)
    owner = owner_of(empire, unit.at)
    if owner and not empire.same_owner(owner, unit.country):
        raise Refused(f"{owner} has a factory in {unit.at}; seize it first.", "emp.H-35", unit.at)


def new(empire: Empire, city: City) -> bool:
    """Whether a city may still be filled freely: in the turn it is founded and the next (emp.C1)."""
    return empire.turn <= city.built + 1


# ---------------------------------------------------------------- pollution


def pollute(table: Table[Empire], at: Position) -> None:
    """A factory that is not clean was run in a square: its food, if it has any, is polluted (emp.H-24)."""
    if table.state.board.squares[at].food and table.state.polluted.get(at) != 0:
        table.emit(SquarePolluted(at))


def dirty(empire: Empire, at: Position) -> bool:
    """Whether a factory that pollutes stands in a square."""
    city = empire.city_at(at)
    factories: tuple[Factory, ...] = empire.factories.get(at, ()) if city is None else city.factories
    return any(not PLANS[factory.kind].clean for factory in factories)


def clear(table: Table[Empire]) -> None:
    """Polluted squares whose last factory is gone give food again some turns later (emp.H-24)."""
    turns = in_force.figure(table.state, "pollution", "turns")
    for at, clean in table.state.polluted.items():
        if clean == 0 and not dirty(table.state, at):
            table.emit(SquareCleared(at, table.state.turn + turns))


APPOINT = "appoint ambassador"
"""The work of a coolie who is made an ambassador."""


def name_ambassadors(table: Table[Empire], country: str) -> None:
    """At the end of a turn: who stayed in his city is an ambassador from now on."""
    for work in table.state.works:
        if work.country != country or work.what != APPOINT:
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
