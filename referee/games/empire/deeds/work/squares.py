"""Food and resource squares: who works them, invested in every turn, and what they give (IV A)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.events.supply import OutputAppeared, SquareGivenUp, SquareInvested
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.pieces import Lot, Position, Unit, Worked
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import room_left
from referee.games.empire.reckoning.supply import Tracing, lots_at, taken
from referee.games.empire.rulebook.kinds import room_of

FOOD = 5
"""What a farm or a fish square gives a turn (IV A)."""


def points_of(worked: Worked) -> int:
    """Investment points a turn: 1 for food, else one more than the grade (IV A)."""
    return 1 if worked.kind in FOODS else worked.grade + 1


def foul(empire: Empire, at: Position) -> bool:
    """Whether the food of a square is polluted now (emp.H-24)."""
    clean = empire.polluted.get(at)
    return clean is not None and (clean == 0 or empire.turn < clean)


def yields_of(empire: Empire, at: Position) -> dict[str, int]:
    """What a square yields, and the best grade of it."""
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
    store = Tracing(empire, country).nearest(stores, at)
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
    # EDU for the first country on the first turn: three times the points (IV A).
    return SquareInvested(country, at, kind, points_of(worked), 3 * points_of(worked) if first else 0, seed)


# ---------------------------------------------------------------- beginning of the next: output


def outputs_appear(table: Table[Empire], country: str) -> None:
    """What the squares invested in at the end of the last turn give (IV A)."""
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
    what, number = ("food", FOOD) if worked.kind in FOODS else (worked.kind, worked.grade)
    city = empire.city_at(worked.at)
    if empire.board.squares[worked.at].water:
        unit = empire.units.get(worked.unit)
        ship = empire.units.get(unit.aboard) if unit is not None and unit.kind == "coolie" else unit
        room = max(0, room_left(empire, ship)) // room_of(what) if ship else 0
        return Lot(what, min(number, room), worked.country, worked.at, aboard=ship.number if ship else 0)
    inside = city.name if city is not None and city.country == worked.country else ""
    return Lot(what, number, worked.country, worked.at, inside)
