"""What all orders of Empire share: those of a slot, and those that are done at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, ParamSpec

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.rehearsal import Rehearsal, Stage, whole
from referee.games.empire.position.state import Empire
from referee.kit.declared import AT_ONCE, Declared
from referee.kit.refused import Refused

P = ParamSpec("P")

SLOT = "slot"
"""The phase of orders that are carried out in one's own slot, in the order written."""


class SlotOrder(Declared[Empire], frozen=True, dict=True):
    """An order of the sheet."""

    phase: ClassVar[str] = SLOT

    @property
    def quarters(self) -> int | None:
        """Where those are whom it names by kind: aboard the unit of this number, 0: aboard nothing, None: aboard something."""
        return 0

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Carry it out; its units are numbers by now. Raises Refused, and then nothing is done."""
        raise NotImplementedError(type(self).__name__)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Do what is certain of it, and tell the chances of its dice. Raises Refused as `do` does."""
        self.do(table, seat)
        return ()


class Assault(SlotOrder, frozen=True, dict=True):
    """An order that dice decide at once, and that is never implied (emp.P9)."""

    def plan(self, empire: Empire, seat: Seat) -> Any:
        """What can be done of it, as it stands before the dice. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        return granted(self.plan, empire, seat)


class Deed(SlotOrder, frozen=True, dict=True):
    """An order without dice: done whole or not at all, so that its choices can try it on a copy of the position (emp.H-02)."""

    def act(self, stage: Stage, seat: Seat) -> None:
        """Every part of it, one after the other. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        whole(table, lambda stage: self.act(stage, seat))

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        """Whether it can be carried out in this position."""
        return granted(self.act, Rehearsal(empire), seat)


class AsideOrder(Deed, frozen=True, dict=True):
    """A deed that is done when the letter is read, at any time; nothing happens where it has become void meanwhile."""

    phase: ClassVar[str] = AT_ONCE

    def check(self, empire: Empire, seat: Seat) -> None:
        self.act(Rehearsal(empire), seat)

    def do_at_once(self, table: Table[Empire], seat: Seat) -> None:
        with suppress(Refused):
            self.do(table, seat)


def granted(plan: Callable[P, object], *about: P.args, **more: P.kwargs) -> bool:
    """Whether a plan is not refused."""
    try:
        plan(*about, **more)
    except Refused:
        return False
    return True
