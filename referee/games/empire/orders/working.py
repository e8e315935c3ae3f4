"""WORK and ABANDON, FOUND, APPOINT: what a coolie does in his square from the end of the turn on (IV A, emp.H-21, emp.H-07)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Self

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds import Rehearsal, Stage
from referee.games.empire.deeds.building import (
    APPOINT,
    building,
    foul,
    no_city_yet,
    seed_lots,
    spare,
    workable,
    works,
    yields_of,
)
from referee.games.empire.deeds.moving import do_move
from referee.games.empire.events.supply import SquareGivenUp, SquareTaken
from referee.games.empire.events.work import CityFounded, WorkOrdered
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import Hand, Name, OneOf, Place
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.units import idle_coolies
from referee.games.empire.position import FOODS, Position, Unit, Work, Worked
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.distance import reach, steps
from referee.games.empire.reckoning.movement_rates import check_canal
from referee.games.empire.reckoning.ownership import Some, busy, unit_of
from referee.games.empire.reckoning.supply import eaters, lots_at, taken
from referee.games.empire.reckoning.work import idle, own_coolie
from referee.games.empire.rulebook.kinds import ALLOWANCE, GOODS_WORDS, GRADES, KINDS, word_for
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Got, Said
from referee.kit.refused import ForGood, Refused

# ---------------------------------------------------------------- read and written


def _there(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """The yields of the chosen hand's square, food first."""
    at = empire.units[got["unit"]].at
    for kind in sorted(yields_of(empire, at), key=lambda kind: kind not in FOODS):
        yield Choice(word_for(kind), kind, "", at)


class _Yield(Field[str]):
    """A food or resource of a square."""

    def read(self, said: Said) -> str:
        (thing,) = said.order.things
        return thing.name if thing.kind == "crop" else GOODS_WORDS[thing.name]

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("crop", value) if value in FOODS else Thing("goods", word_for(value)),)


_WORDS = {grade: word for word, grade in GRADES.items()}


class _Grade(Field[int]):
    """The grade at which a resource is worked; 0, the highest there, goes without saying."""

    needed = False

    def read(self, said: Said) -> int:
        return next((GRADES[thing.name] for thing in said.after(self.under)), 0)

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[int]]:
        """Every grade of the square, where there are several."""
        best = yields_of(state, state.units[got["unit"]].at)[got["kind"]]
        return (Choice(_WORDS[grade], grade if best > 1 else 0) for grade in range(best, 0, -1))

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("grade", _WORDS[value]),) if value else ()


def _as(grade: int) -> str:
    return f" as {_WORDS[grade]}" if grade else ""


# ---------------------------------------------------------------- WORK and ABANDON


class Develop(Deed, frozen=True):
    """A food or resource square worked by a unit, at a grade (0: the highest)."""

    unit: int
    kind: str
    grade: int = 0
    some: tuple[Some, ...] = ()

    words = Words(
        "WORK",
        "work a farm, fish or a resource of a square from the end of this turn on; AS says a lower grade",
        "emp.board.develop",
        "WORK farm WITH {who}",
        ("DEVELOP", "MINE FOR", "FARM FOR"),
    )
    plain = Plain(rank=1, named=True)
    fields = (
        _Yield("kind", ("crop", "goods"), among=_there),
        _Grade("grade", ("grade",), "AS", _as),
        Hand("hand"),
    )
    says, asks_first = "Work {kind}{grade} with {hand}.", ("hand",)

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether the unit does not do so already, or may at another grade."""
        at = empire.units[self.unit].at
        does = any((w.unit, w.at, w.kind) == (self.unit, at, self.kind) for w in empire.worked)
        return not does or yields_of(empire, at)[self.kind] > 1

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, kind = stage.state, self.kind
        worker = self._worker(empire, unit_of(empire, seat, self.unit))
        grade = self._grade(empire, worker.at)
        for old in empire.worked:
            if (old.at, old.kind) == (worker.at, kind) and old.country != worker.country and works(empire, old):
                raise Refused(f"{old.country} works {kind} in {old.at}.", "emp.board.develop", kind)
        if kind in FOODS:
            self._check_ground(empire, worker)
        else:
            self._check_site(empire, worker)
        stage.emit(SquareTaken(worker.country, worker.at, kind, grade, worker.number))

    def _worker(self, empire: Empire, unit: Unit) -> Unit:
        """The coolie himself or the one aboard a cargo ship; an oil tanker and a fishing ship need none."""
        at_sea = empire.board.squares[unit.at].water
        if at_sea and (unit.kind, self.kind) in (("oil tanker", "O"), ("fishing ship", "fish")):
            return unit
        if unit.kind == "cargo ship" and at_sea:
            crew = [u for u in empire.units_of(unit.country, "coolie") if u.aboard == unit.number]
            unit = next((u for u in crew if not building(empire, u)), unit)
        number, rule = str(unit.number), "emp.board.develop"
        if unit.kind != "coolie":
            raise Refused(f"{unit.kind} {number} cannot work {self.kind}.", rule, number)
        carrier = empire.units.get(unit.aboard)
        if at_sea and (carrier is None or carrier.kind != "cargo ship"):
            raise Refused("At sea a coolie works only aboard a cargo ship.", rule, number)
        check_canal(empire, unit)
        if building(empire, unit):
            raise Refused(f"Coolie {number} is to {busy(empire, unit)}.", rule, number)
        return unit

    def _grade(self, empire: Empire, at: Position) -> int:
        grades = yields_of(empire, at)
        if self.kind not in grades:
            there = f"{at} has no {self.kind}, but {', '.join(grades)}." if grades else f"{at} has nothing to work."
            raise Refused(there, "emp.board.develop", self.kind, tuple(grades))
        best = grades[self.kind]
        if self.grade > best:
            word = _WORDS[best]
            raise ForGood(f"{self.kind} in {at} is {word} at best.", "emp.board.grade", str(self.grade), (word,))
        return self.grade or best

    def _check_ground(self, empire: Empire, worker: Unit) -> None:
        """Food grows on clean ground, and a new farm needs seed."""
        if foul(empire, worker.at):
            raise Refused(f"The food in {worker.at} is polluted.", "emp.H-24", worker.at)
        mine = [worked for worked in empire.worked if worked.country == worker.country]
        if self.kind == "farm" and all(worked.at != worker.at for worked in mine):
            sown = sum(worked.kind == "farm" and worked.invested < 0 for worked in mine)
            food = empire.stock(worker.country).get("food", 0)
            if food <= sown or not seed_lots(empire, worker.country, worker.at):
                raise Refused(f"No food is left for the seed of a farm in {worker.at}.", "emp.board.seed", worker.at)

    def _check_site(self, empire: Empire, worker: Unit) -> None:
        """A resource worked on the site of a city takes one of its minor squares (emp.C1)."""
        city, kind = empire.city_at(worker.at), self.kind
        known = any((w.at, w.kind) == (worker.at, kind) for w in empire.worked)
        if city is not None and not empire.friendly(city.country, worker.country):
            raise Refused(f"{city.name} belongs to {city.country}; {kind} would take room in it.", "emp.C1", kind)
        if city is not None and not known and spare(empire, city) < 1:
            raise Refused(f"{city.name} has no minor square left for {kind}.", "emp.C1", kind)


def _worked(empire: Empire, seat: Seat) -> Iterator[Worked]:
    names = [country.name for country in empire.owned(seat)]
    return (worked for worked in empire.worked if worked.country in names)


def _farms(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[Position]]:
    """The squares that a seat works."""
    return map(placed, dict.fromkeys(worked.at for worked in _worked(empire, seat)))


def _worked_there(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    here = (worked.kind for worked in _worked(empire, seat) if worked.at == got["at"])
    return (Choice(word_for(kind), kind, "", got["at"]) for kind in here)


class Abandon(Deed, frozen=True):
    """A worked square given up."""

    at: Position
    kind: str

    words = Words("ABANDON", "give up a farm, fish or resource", "emp.board.develop", "ABANDON farm IN c12r7")
    plain = Plain("Leave the work")
    fields = (_Yield("kind", ("crop", "goods"), among=_worked_there), Place("at", "IN", "AT", among=_farms))
    says, asks_first = "Give up working {kind} in {at}.", ("at",)

    def act(self, stage: Stage, seat: Seat) -> None:
        mine = ((worked.at, worked.kind, worked.country) for worked in _worked(stage.state, seat))
        country = next((country for at, kind, country in mine if (at, kind) == (self.at, self.kind)), None)
        if country is None:
            raise Refused(f"You do not work {self.kind} in {self.at}.", "emp.board.develop", self.kind)
        stage.emit(SquareGivenUp(country, self.at, self.kind, "its player gives it up"))


# ---------------------------------------------------------------- FOUND and APPOINT


class Found(Deed, frozen=True):
    """A city founded where a coolie stands, by a colony piece (emp.H-21)."""

    unit: int
    name: str
    some: tuple[Some, ...] = ()

    words = Words(
        "FOUND", "plant a colony piece where a coolie stands: a city at once", "emp.H-21", 'FOUND "New Rome" WITH {who}'
    )
    plain = Plain("Found a city", rank=2)
    fields = (Name("name"), Hand("hand", "BY"))
    says, asks_first = "Found the city {name} with {hand}.", ("hand",)

    def act(self, stage: Stage, seat: Seat) -> None:
        unit = own_coolie(stage.state, seat, self.unit)
        no_city_yet(stage.state, unit, self.name)
        piece = taken(lots_at(stage.state, unit.country, unit.at, "colony piece"), 1)
        if not piece:
            raise Refused(f"There is no colony piece in {unit.at}.", "emp.H-21", unit.at)
        stage.emit(CityFounded(unit.country, unit.at, self.name, piece))


class Appoint(Deed, frozen=True):
    """A regular coolie in a city becomes an ambassador over the end of the turn (emp.H-07)."""

    unit: int
    some: tuple[Some, ...] = ()

    words = Words(
        "APPOINT", "make a regular coolie in a city an ambassador over the end of the turn", "emp.H-07", "APPOINT {who}"
    )
    plain = Plain("Make an ambassador")
    fields = (OneOf("who"),)
    says = "Make {who} an ambassador."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if order.some and (len(order.some) > 1 or order.some[0].quantity.number != 1):
            raise Refused("One coolie is made an ambassador at a time.", "emp.H-07", said.order.things[0].name)
        return order

    def act(self, stage: Stage, seat: Seat) -> None:
        empire = stage.state
        unit = own_coolie(empire, seat, self.unit, "emp.H-07")
        idle(empire, unit)
        city = empire.city_at(unit.at)
        if city is None or not empire.same_owner(city.country, unit.country) or unit.aboard:
            raise Refused(f"Coolie {unit.number} is in no city of yours.", "emp.H-07", str(unit.number))
        stage.emit(WorkOrdered(Work(empire.next_work, APPOINT, unit.at, unit.country, unit.number, 1)))


# ---------------------------------------------------------------- what the form shows


_NEAREST, _TRIES = 6, 12
"""So many workplaces are looked for around a square, and for so many coolies at most."""


def workplaces(empire: Empire, country: Country, most: int) -> Iterator[tuple[MoveUnits | None, Develop]]:
    """Idle coolies that could be sent to work, each with his way: food first where more is eaten than grows."""
    stage = Rehearsal(empire)
    for _ in range(min(most, _TRIES)):
        unit = next(iter(idle_coolies(stage.state, country.name)), None)
        sent = next(_sent(stage, country, unit), None) if unit is not None else None
        if sent is None:
            return
        yield sent


def _sent(stage: Rehearsal, country: Country, unit: Unit) -> Iterator[tuple[MoveUnits | None, Develop]]:
    """The first place that a unit can really work; it is at work on the stage then."""
    state = stage.state
    grows = 5 * sum(w.country == country.name and w.kind in FOODS for w in state.worked)
    hungry = grows < len(eaters(state, country.name))
    for at, kind in sorted(_near(state, unit), key=lambda place: hungry and place[1] not in FOODS):
        way = MoveUnits((unit.number,), at) if at != unit.at else None
        work = Develop(unit.number, kind)
        if _done(stage, country.owner, way, work):
            yield way, work
            return


def _near(empire: Empire, unit: Unit) -> tuple[tuple[Position, str], ...]:
    """Where a unit could work what nobody works yet, and what: the nearest first."""
    taken = {(worked.at, worked.kind) for worked in empire.worked}
    near = reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent)
    return tuple(islice(workable(empire, near, taken), _NEAREST))


def _done(stage: Rehearsal, seat: Seat, way: MoveUnits | None, work: Develop) -> bool:
    """Whether a coolie can go there and work; the stage stays as it was where he cannot."""
    before = stage.state
    try:
        if way is not None:
            do_move(stage, seat, way)
        work.act(stage, seat)
    except Refused:
        stage.back_to(before)
        return False
    return True
