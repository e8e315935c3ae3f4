"""WORK and ABANDON, FOUND, APPOINT: what a coolie does in his square from the end of the turn on (IV A, emp.H-21, emp.H-07)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds.movement.moving import do_move
from referee.games.empire.deeds.rehearsal import Rehearsal, Stage
from referee.games.empire.deeds.work.cities import can_appoint, can_found, new_name
from referee.games.empire.deeds.work.squares import can_abandon, can_develop, yields_of
from referee.games.empire.deeds.worth import workable
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Hand, Name, OneOf, Place
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.orders.units import able_hands, idle_coolies
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import reach, steps
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.rulebook.kinds import ALLOWANCE, GOODS_WORDS, GRADES, KINDS, word_for
from referee.kit.declared import Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused

# ---------------------------------------------------------------- read and written


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
    fields = (_Yield("kind", ("crop", "goods")), _Grade("grade", ("grade",), "AS", _as), Hand("hand"))
    says = "Work {kind}{grade} with {hand}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who works, what his square yields, and the grade where there are several."""
        workers = able_hands(empire, seat, lambda unit: any(True for _ in _yields(empire, seat, unit)), _WORKERS)
        unit = empire.units[(yield from one("who", workers))]
        kind = yield from one("what", _yields(empire, seat, unit))
        best = yields_of(empire, unit.at)[kind]
        if best == 1:
            return cls(unit.number, kind)
        grades = (Choice(_WORDS[grade], grade) for grade in range(best, 0, -1))
        return cls(unit.number, kind, (yield from one("grade", grades)))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_develop(stage.state, seat, self.unit, self.kind, self.grade))


_WORKERS = ("coolie", "oil tanker", "fishing ship")
"""Who works; a cargo ship does so by the coolie aboard."""


def _yields(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    """What a unit may work where it is and does not work yet, or at one grade alone, food first."""
    for kind, best in sorted(yields_of(empire, unit.at).items(), key=lambda found: found[0] not in FOODS):
        same = any((w.unit, w.at, w.kind) == (unit.number, unit.at, kind) for w in empire.worked)
        if not (same and best == 1) and granted(can_develop, empire, seat, unit.number, kind):
            yield Choice(word_for(kind), kind, "", unit.at)


class Abandon(Deed, frozen=True):
    """A worked square given up."""

    at: Position
    kind: str

    words = Words("ABANDON", "give up a farm, fish or resource", "emp.board.develop", "ABANDON farm IN c12r7")
    fields = (_Yield("kind", ("crop", "goods")), Place("at", "IN", "AT"))
    says = "Give up working {kind} in {at}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A square, and what is worked there."""
        names = [country.name for country in empire.owned(seat)]
        places: dict[Position, list[str]] = {}
        for worked in empire.worked:
            if worked.country in names:
                places.setdefault(worked.at, []).append(worked.kind)
        at = yield from one("where", (Choice(at, at, ", ".join(kinds), at) for at, kinds in places.items()))
        return cls(at, (yield from one("what", (Choice(word_for(kind), kind, "", at) for kind in places[at]))))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_abandon(stage.state, seat, self.at, self.kind))


# ---------------------------------------------------------------- FOUND and APPOINT


_PIECE = "colony piece"


class Found(Deed, frozen=True):
    """A city founded where a coolie stands, by a colony piece (emp.H-21)."""

    unit: int
    name: str
    some: tuple[Some, ...] = ()

    words = Words(
        "FOUND", "plant a colony piece where a coolie stands: a city at once", "emp.H-21", 'FOUND "New Rome" WITH {who}'
    )
    fields = (Name("name"), Hand("hand", "BY"))
    says = "Found the city {name} with {hand}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who stands where a city can, with a colony piece, and what it is called."""
        name, pieces = new_name(empire, seat), {(lot.country, lot.at) for lot in empire.lots if lot.what == _PIECE}

        def able(unit: Unit) -> bool:
            return (unit.country, unit.at) in pieces and granted(can_found, empire, seat, unit.number, name)

        unit = yield from one("who", able_hands(empire, seat, able))
        return cls(unit, (yield from one("name", [Choice(name, name, "or any other name")])))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_found(stage.state, seat, self.unit, self.name))


class Appoint(Deed, frozen=True):
    """A regular coolie in a city becomes an ambassador over the end of the turn (emp.H-07)."""

    unit: int
    some: tuple[Some, ...] = ()

    words = Words(
        "APPOINT", "make a regular coolie in a city an ambassador over the end of the turn", "emp.H-07", "APPOINT {who}"
    )
    fields = (OneOf("who"),)
    says = "Make {who} an ambassador."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if order.some and (len(order.some) > 1 or order.some[0].quantity.number != 1):
            raise Refused("One coolie is made an ambassador at a time.", "emp.H-07", said.order.things[0].name)
        return order

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A coolie in a city of his own."""
        able = able_hands(empire, seat, lambda unit: granted(can_appoint, empire, seat, unit.number))
        return cls((yield from one("who", able)))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_appoint(stage.state, seat, self.unit))


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
        stage.state = before
        return False
    return True
