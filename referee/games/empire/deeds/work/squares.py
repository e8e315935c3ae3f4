"""Food and resource squares: taken, invested in every turn, and what they give (IV A)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.work.cities import spare
from referee.games.empire.events.supply import OutputAppeared, SquareGivenUp, SquareInvested, SquareTaken
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.pieces import Lot, Position, Unit, Worked
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import room_left
from referee.games.empire.reckoning.movement.rates import keeps
from referee.games.empire.reckoning.ownership import busy
from referee.games.empire.reckoning.supply import Tracing, lots_at, taken
from referee.games.empire.reckoning.work import own_unit
from referee.games.empire.rulebook.kinds import room_of
from referee.kit.refused import Refused

FOOD = 5
"""What a farm or a fish square gives a turn (IV A)."""


def points_of(worked: Worked) -> int:
    """Investment points a turn: 1 for food, else one more than the grade (IV A)."""
    return 1 if worked.kind in FOODS else worked.grade + 1


def foul(empire: Empire, at: Position) -> bool:
    """Whether the food of a square is polluted now (emp.H-24)."""
    clean = empire.polluted.get(at)
    return clean is not None and (clean == 0 or empire.turn < clean)


# ---------------------------------------------------------------- orders


def yields_of(empire: Empire, at: Position) -> dict[str, int]:
    """What a square yields, and the best grade of it."""
    square = empire.board.squares[at]
    return {r.kind: r.grade for r in square.resources} | ({square.food: 1} if square.food else {})


def can_develop(empire: Empire, seat: Seat, number: int, kind: str, grade: int = 0) -> SquareTaken:
    """What it does that a unit works a food or resource of its square, at a grade (0: the highest). Raises Refused."""
    worker = _worker(empire, own_unit(empire, seat, number), kind)
    grade = _grade(empire, worker.at, kind, grade)
    for old in empire.worked:
        if (old.at, old.kind) == (worker.at, kind) and old.country != worker.country and _works(empire, old):
            raise Refused(f"{old.country} works {kind} in {old.at}.", "emp.board.develop", kind)
    if kind in FOODS:
        # Food grows on clean ground, and a new farm needs seed.
        if foul(empire, worker.at):
            raise Refused(f"The food in {worker.at} is polluted.", "emp.H-24", worker.at)
        sown = [w for w in empire.worked if w.country == worker.country and w.kind == "farm" and w.invested < 0]
        if kind == "farm" and not any(w.at == worker.at for w in empire.worked if w.country == worker.country):
            food = empire.stock(worker.country).get("food", 0)
            if food <= len(sown) or not _seed_lots(empire, worker.country, worker.at):
                raise Refused(f"No food is left for the seed of a farm in {worker.at}.", "emp.board.seed", worker.at)
    else:
        _fits(empire, worker, kind)
    return SquareTaken(worker.country, worker.at, kind, grade, worker.number)


def _worker(empire: Empire, unit: Unit, kind: str) -> Unit:
    """Who works: the coolie himself or the one aboard a cargo ship; an oil tanker and a fishing ship need none."""
    at_sea = empire.board.squares[unit.at].water
    if at_sea and (unit.kind, kind) in (("oil tanker", "O"), ("fishing ship", "fish")):
        return unit
    if unit.kind == "cargo ship" and at_sea:
        crew = [u for u in empire.units_of(unit.country, "coolie") if u.aboard == unit.number]
        unit = next((u for u in crew if not _building(empire, u)), unit)
    if unit.kind != "coolie":
        raise Refused(f"{unit.kind} {unit.number} cannot work {kind}.", "emp.board.develop", str(unit.number))
    carrier = empire.units.get(unit.aboard)
    if at_sea and (carrier is None or carrier.kind != "cargo ship"):
        raise Refused("At sea a coolie works only aboard a cargo ship.", "emp.board.develop", str(unit.number))
    if keeps(empire, unit):
        raise Refused(
            f"Coolie {unit.number} mans the canal in {unit.at} this turn.", "emp.terrain.canal", str(unit.number)
        )
    if _building(empire, unit):
        raise Refused(f"Coolie {unit.number} is to {busy(empire, unit)}.", "emp.board.develop", str(unit.number))
    return unit


def _building(empire: Empire, unit: Unit) -> bool:
    return any(work.unit == unit.number and work.at == unit.at and work.left for work in empire.works)


def _grade(empire: Empire, at: Position, kind: str, grade: int) -> int:
    grades = yields_of(empire, at)
    if kind not in grades:
        there = f"{at} has no {kind}, but {', '.join(grades)}." if grades else f"{at} has nothing to work."
        raise Refused(there, "emp.board.develop", kind, tuple(grades))
    best = grades[kind]
    if grade > best:
        words = ("", "single", "double", "triple")[best]
        raise Refused(f"{kind} in {at} is {words} at best.", "emp.board.grade", str(grade), (words,))
    return grade or best


def _fits(empire: Empire, worker: Unit, kind: str) -> None:
    """A resource worked on the site of a city takes one of its minor squares (emp.C1)."""
    city = empire.city_at(worker.at)
    known = any((w.at, w.kind) == (worker.at, kind) for w in empire.worked)
    if city is not None and not empire.friendly(city.country, worker.country):
        raise Refused(f"{city.name} belongs to {city.country}; {kind} would take room in it.", "emp.C1", kind)
    if city is not None and not known and spare(empire, city) < 1:
        raise Refused(f"{city.name} has no minor square left for {kind}.", "emp.C1", kind)


def can_abandon(empire: Empire, seat: Seat, at: Position, kind: str) -> SquareGivenUp:
    """What it does that a food or resource is worked no more. Raises Refused."""
    names = [country.name for country in empire.owned(seat)]
    for worked in empire.worked:
        if (worked.at, worked.kind) == (at, kind) and worked.country in names:
            return SquareGivenUp(worked.country, at, kind, "its player gives it up")
    raise Refused(f"You do not work {kind} in {at}.", "emp.board.develop", kind)


# ---------------------------------------------------------------- end of a turn: investment


def _works(empire: Empire, worked: Worked) -> bool:
    """Whether the worker is still there, the country's, with nothing else to do, and afloat where it must be."""
    unit = empire.units.get(worked.unit)
    if unit is None or (unit.country, unit.at) != (worked.country, worked.at) or _building(empire, unit):
        return False
    carrier = empire.units.get(unit.aboard)
    at_sea = empire.board.squares[worked.at].water and unit.kind == "coolie"
    return not at_sea or (carrier is not None and carrier.kind == "cargo ship")


def invest(table: Table[Empire], country: str) -> None:
    """Investment in every square whose worker stayed; the others are given up (IV A)."""
    for worked in table.state.worked:
        if worked.country == country:
            table.emit(_invested(table.state, worked))


def _invested(empire: Empire, worked: Worked) -> SquareInvested | SquareGivenUp:
    country, at, kind = worked.country, worked.at, worked.kind
    if not _works(empire, worked):
        return SquareGivenUp(country, at, kind, "nobody stayed to work it")
    if kind in FOODS and foul(empire, at):
        return SquareGivenUp(country, at, kind, "it is polluted")
    sown = kind != "farm" or worked.invested >= 0
    seed = () if sown else taken(_seed_lots(empire, country, at), 1)
    if not (sown or seed):
        return SquareGivenUp(country, at, kind, "there is no food for seed")
    first = f"{at} {kind}" not in empire.developed
    # EDU for the first country on the first turn: three times the points (IV A).
    return SquareInvested(country, at, kind, points_of(worked), 3 * points_of(worked) if first else 0, seed)


def _seed_lots(empire: Empire, country: str, at: Position) -> tuple[Lot, ...]:
    """The food of the nearest store from which it reaches a square."""
    stores = dict.fromkeys(lot.at for lot in empire.lots if lot.country == country and lot.what == "food")
    store = Tracing(empire, country).nearest(stores, at)
    return lots_at(empire, country, store, "food") if store else ()


# ---------------------------------------------------------------- beginning of the next: output


def outputs_appear(table: Table[Empire], country: str) -> None:
    """What the squares invested in at the end of the last turn give (IV A)."""
    for worked in table.state.worked:
        if worked.country == country and 0 <= worked.invested == table.state.turn - 1:
            _appear(table, worked)


def _appear(table: Table[Empire], worked: Worked) -> None:
    empire = table.state
    if worked.kind == "power":
        return  # emp.H-19: power is used where it arises and never stored
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
