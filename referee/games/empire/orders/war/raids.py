"""BOMB, from the air; TURN PIRATE and PLUNDER, at sea (emp.H-31, emp.H-33)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.empire.deeds.war.air import do_bomb, plan_bombing
from referee.games.empire.deeds.war.foreseeing import foresee_bombing, foresee_plunder
from referee.games.empire.deeds.war.sea import plan_plunder, plan_turning, plunder
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import Group, OneUnit, Place
from referee.games.empire.orders.units import force, of_seat, single
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.rulebook.kinds import GOODS_WORDS, word_for
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.declared import Words
from referee.kit.fields import Field, Said

# ---------------------------------------------------------------- bombs


class _Target(Field[str]):
    """A building, a resource, or a farm or fish, which are worked alike."""

    def read(self, said: Said) -> str:
        (thing,) = said.order.things
        return GOODS_WORDS[thing.name] if thing.kind == "goods" else thing.name

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        kind = "plan" if value in PLANS else "crop" if value in FOODS else "goods"
        return (Thing(kind, word_for(value)),)


def _there(said: Said) -> str:
    at: str = said.got["at"]
    return at


class Bomb(SlotOrder, frozen=True):
    """Bombers over a square drop what they carry on a building or worked resource of it (emp.H-31)."""

    at: str
    what: str
    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    words = Words(
        "BOMB",
        "drop the bombs of strategic bombers over a square on a building or worked resource of it",
        "emp.H-31",
        "BOMB steel mill IN c12r7 WITH strategic bomber",
    )
    fields = (
        _Target("what", ("plan", "goods", "crop")),
        Place("at", "IN", "AT"),
        Group("force", "WITH", "BY", (), _there),
    )
    says = "Bomb {what} in {at} with {force}."
    assault: ClassVar[bool] = True

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A target below bombers of one's own, and which of them drop their bombs."""
        at, what = yield from one("target", _targets(empire, seat))
        able = _able(empire, seat, at, what)
        units = yield from force(able, lambda units: granted(plan_bombing, empire, seat, at, what, units), able)
        return cls(at, what, units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_bomb(table, seat, self.at, self.what, self.units)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_bombing(table, seat, self.at, self.what, self.units)


def _targets(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[Position, str]]]:
    for at in dict.fromkeys(unit.at for unit in of_seat(empire, seat) if unit.kind == "strategic bomber"):
        worked = (w.kind for w in empire.worked if w.at == at)
        for what in dict.fromkeys((*standing(empire, at), *worked)):
            if _able(empire, seat, at, what):
                yield Choice(f"{word_for(what)} in {at}", (at, what), "", at)


def _able(empire: Empire, seat: Seat, at: Position, what: str) -> list[Unit]:
    bombers = (unit for unit in of_seat(empire, seat) if (unit.kind, unit.at) == ("strategic bomber", at))
    return [unit for unit in bombers if granted(plan_bombing, empire, seat, at, what, (unit.number,))]


# ---------------------------------------------------------------- pirates


class TurnPirate(SlotOrder, frozen=True):
    """A cargo ship with a SAC aboard becomes a pirate ship (emp.H-33)."""

    unit: int

    words = Words(
        "TURN PIRATE",
        "make a cargo ship at sea with a SAC aboard a pirate ship; in a dock it is a cargo ship again",
        "emp.H-33",
        "TURN PIRATE cargo ship",
    )
    fields = (OneUnit("unit"),)
    says = "Turn unit {unit} pirate."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        ships = (unit for unit in of_seat(empire, seat) if unit.kind == "cargo ship")
        return cls(
            (yield from one("unit", [single(s) for s in ships if granted(plan_turning, empire, seat, s.number)]))
        )

    def do(self, table: Table[Empire], seat: Seat) -> None:
        table.emit(plan_turning(table.state, seat, self.unit))


class Plunder(SlotOrder, frozen=True):
    """A pirate ship tries to take a ship of its square (emp.H-33)."""

    target: int
    by: int

    words = Words(
        "PLUNDER",
        "let a pirate ship try to take a ship of its square that no warship escorts: 4 to 6 takes it, 1 costs the SAC",
        "emp.H-33",
        "PLUNDER cargo ship WITH pirate ship",
    )
    fields = (OneUnit("by", "WITH", "BY", needed=True), OneUnit("target", whose="any"))
    says = "Plunder unit {target} with unit {by}."
    assault: ClassVar[bool] = True

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A pirate ship, and a ship where it is."""
        pirates = (unit for unit in of_seat(empire, seat) if any(True for _ in _prey(empire, seat, unit)))
        by = yield from one("by", map(single, pirates))
        return cls((yield from one("target", map(single, _prey(empire, seat, empire.units[by])))), by)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        plunder(table, seat, self.target, self.by)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_plunder(table, seat, self.target, self.by)


def _prey(empire: Empire, seat: Seat, pirate: Unit) -> Iterator[Unit]:
    if pirate.kind == "pirate ship":
        for unit in empire.units_at(pirate.at):
            if granted(plan_plunder, empire, seat, unit.number, pirate.number):
                yield unit


def plunderings(empire: Empire, country: Country) -> Iterator[tuple[Plunder, str]]:
    """What the pirates of a country could take, with the odds in words."""
    for pirate in empire.units_of(country.name, "pirate ship"):
        for prey in _prey(empire, country.owner, pirate):
            yield Plunder(prey.number, pirate.number), "With one chance in two"
