"""TOW and CAST OFF: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.games.empire.deeds.movement.towing import do_cast_off, do_tow, plan_towing, plan_untowing, pulled
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Group, OneUnit, beside_unit
from referee.games.empire.orders.forces import alike, group, how_many, of_seat, single
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.kit.declared import Words


class Tow(Deed, frozen=True):
    """Barges, rolling stock or a sailplane taken in tow; of a kind those that are where the carrier is."""

    carrier: int
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    words = Words(
        "TOW", "take barges, rolling stock or a sailplane in tow", "emp.move.hauled", "TOW 1 barge BEHIND cargo ship"
    )
    fields = (OneUnit("carrier", "BEHIND", "WITH"), Group("tail", where=(), at=beside_unit("carrier")))
    says = "Unit {carrier} tows {tail}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """What pulls, what it pulls, and how many of those."""
        tugs = (unit for unit in of_seat(empire, seat) if any(True for _ in _tails(empire, seat, unit)))
        carrier = yield from one("carrier", map(single, tugs))
        tail = yield from one("tail", _tails(empire, seat, empire.units[carrier]))
        many = yield from how_many("units", lambda many: cls(carrier, tail[:many]).lawful(empire, seat), len(tail))
        return cls(carrier, tail[:many])

    def act(self, stage: Stage, seat: Seat) -> None:
        do_tow(stage, seat, self.carrier, self.units)


def _tails(empire: Empire, seat: Seat, tug: Unit) -> Iterator[Choice[tuple[int, ...]]]:
    kinds = pulled(tug)
    here = [unit for unit in of_seat(empire, seat) if unit.at == tug.at and unit.kind in kinds] if kinds else []
    for same in alike(empire, here) if here else ():
        if granted(plan_towing, empire, seat, tug.number, same[0].number):
            yield group(same)


class CastOff(Deed, frozen=True):
    """All that a unit has in tow let go."""

    carrier: int

    words = Words("CAST OFF", "let everything in tow go", "emp.move.hauled", "CAST OFF cargo ship")
    fields = (OneUnit("carrier"),)
    says = "Unit {carrier} tows nothing."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Whatever has something in tow."""
        tugs = (unit for unit in of_seat(empire, seat) if granted(plan_untowing, empire, seat, unit.number))
        return cls((yield from one("carrier", map(single, tugs))))

    def act(self, stage: Stage, seat: Seat) -> None:
        do_cast_off(stage, seat, self.carrier)
