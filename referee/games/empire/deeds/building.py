"""The buildings of a square, and cities founded, grown and taken over."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.supply import (
    OutputAppeared,
    SquareCleared,
    SquareGivenUp,
    SquareInvested,
    SquarePolluted,
)
from referee.games.empire.events.work import AmbassadorNamed, WorkDropped
from referee.games.empire.position import FOODS, City, Factory, Lot, Position, Unit, Work, Worked
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.carrying import room_left
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.supply import lots_at, supply_of, taken
from referee.games.empire.reckoning.work import land_square, owner_of, stands_by
from referee.games.empire.rulebook import FIRST, FOOD_YIELD
from referee.games.empire.rulebook.kinds import room_of
from referee.games.empire.rulebook.plans import NINE, PLANS
from referee.kit.refused import Refused

# ---------------------------------------------------------------- food and resource squares
# The workers, the points invested in every turn, and the yields (IV A).


def points_of(worked: Worked) -> int:
    """Investment points a turn: 1 for food, else one more than the grade (IV A)."""
    return 1 if worked.kind in FOODS else worked.grade + 1


def foul(empire: Empire, at: Position) -> bool:
    """Whether the food of a square is polluted now (emp.H-24)."""
    clean = empire.polluted.get(at)
    return clean is not None and (clean == 0 or empire.turn < clean)


def yields_of(empire: Empire, at: Position) -> dict[str, int]:
    """The yields of a square, and the best grade of each."""
    square = empire.board.squares[at]
    return {r.kind: r.grade for r in square.resources} | ({square.food: 1} if square.food else {})


def building(empire: Empire, unit: Unit) -> bool:
    """Whether a unit has other work in its square over the end of the turn."""
    return any(work.unit == unit.number and work.at == unit.at and work.left for work in empire.works)


def works(empire: Empire, worked: Worked) -> bool:
    """Whether the worker is still there, the country's, with nothing else to do, and afloat where it must be."""
    unit = empire.units.get(worked.unit)
    if unit is None or (unit.country, unit.at) != (worked.country, worked.at) or building(empire, unit):
        return False
    carrier = empire.units.get(unit.aboard)
    at_sea = empire.board.squares[worked.at].water and unit.kind == "coolie"
    return not at_sea or (carrier is not None and carrier.kind == "cargo ship")


def seed_lots(empire: Empire, country: str, at: str) -> tuple[Lot, ...]:
    """The food of the nearest store from which it reaches a square."""
    stores = dict.fromkeys(lot.at for lot in empire.lots if lot.country == country and lot.what == "food")
    store = supply_of(empire, country).nearest(stores, at)
    return lots_at(empire, country, store, "food") if store else ()


# ---------------------------------------------------------------- end of a turn: investment


def invest(table: Table[Empire], country: str) -> None:
    """Investment in every square whose worker stayed; the others are given up (IV A)."""
    for worked in table.state.worked:
        if worked.country == country:
            table.emit(_invested(table.state, worked))


def _invested(empire: Empire, worked: Worked) -> SquareInvested | SquareGivenUp:
    country, at, kind = worked.country, worked.at, worked.kind
    if not works(empire, worked):
        return SquareGivenUp(country, at, kind, "nobody stayed to work it")
    if kind in FOODS and foul(empire, at):
        return SquareGivenUp(country, at, kind, "it is polluted")
    sown = kind != "farm" or worked.invested >= 0
    seed = () if sown else taken(seed_lots(empire, country, at), 1)
    if not (sown or seed):
        return SquareGivenUp(country, at, kind, "there is no food for seed")
    first = f"{at} {kind}" not in empire.developed
    # EDU for the first country on the first turn (IV A).
    return SquareInvested(country, at, kind, points_of(worked), FIRST * points_of(worked) if first else 0, seed)


# ---------------------------------------------------------------- beginning of the next: output


def outputs_appear(table: Table[Empire], country: str) -> None:
    """The yields of the squares invested in at the end of the last turn (IV A)."""
    for worked in table.state.worked:
        if worked.country == country and 0 <= worked.invested == table.state.turn - 1:
            _appear(table, worked)


def _appear(table: Table[Empire], worked: Worked) -> None:
    empire = table.state
    if worked.kind == "power":
        return  # power is used where it arises and never stored
    if worked.kind in FOODS and foul(empire, worked.at):
        table.emit(SquareGivenUp(worked.country, worked.at, worked.kind, "it is polluted"))
        return
    lot = _output(empire, worked)
    table.emit(OutputAppeared(worked.country, worked.at, worked.kind, (lot,) if lot.number else ()))


def _output(empire: Empire, worked: Worked) -> Lot:
    what, number = ("food", FOOD_YIELD) if worked.kind in FOODS else (worked.kind, worked.grade)
    city = empire.city_at(worked.at)
    if empire.board.squares[worked.at].water:
        unit = empire.units.get(worked.unit)
        ship = empire.units.get(unit.aboard) if unit is not None and unit.kind == "coolie" else unit
        room = max(0, room_left(empire, ship)) // room_of(what) if ship else 0
        return Lot(what, min(number, room), worked.country, worked.at, aboard=ship.number if ship else 0)
    inside = city.name if city is not None and city.country == worked.country else ""
    return Lot(what, number, worked.country, worked.at, inside)


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
    turns = ownership.figure(table.state, "pollution", "turns")
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


def workable(
    empire: Empire, near: Iterable[Position], taken: Container[tuple[Position, str]]
) -> Iterator[tuple[Position, str]]:
    """Squares in this order and what of each nobody works yet, food first: no water, and no desert, where who stays thirsts."""
    for at in near:
        square = empire.board.squares[at]
        if not square.water and square.terrain != "desert":
            kinds = sorted(yields_of(empire, at), key=lambda kind: kind not in FOODS)
            yield from ((at, kind) for kind in kinds if (at, kind) not in taken)
