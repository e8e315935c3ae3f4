"""EXECUTE and ROLL OUT, the parts of a slot and its end; INTERPRET LINE, how a doubtful line is read (emp.P6, emp.P9, emp.P23)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, alone, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.empire.deeds.interpreting import check_interpret, interpret
from referee.games.empire.deeds.picks import doubts_that_matter
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.position.countries import Doubtful
from referee.games.empire.position.state import Empire
from referee.kit.declared import Words
from referee.kit.fields import Field, Number, Said, exact
from referee.kit.refused import Refused

# ---------------------------------------------------------------- carried out now


class _Mark(SlotOrder, frozen=True):
    """A mark in a sheet: the course of a slot looks for it, and nothing is done by it."""

    fields = ()
    closes: ClassVar[bool] = True

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Of everybody who has a slot."""
        return alone(cls(), empire.stage == "play" and bool(empire.owned(seat)))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Nothing by itself."""


class Execute(_Mark, frozen=True):
    """What is written so far is carried out now and stands (wind and attacks need their dice)."""

    goes_on: ClassVar[bool] = True
    words = Words("EXECUTE", "carry out what is written so far, so that it stands", "emp.P9", "EXECUTE")
    says = "Carry out what is written above now; it stands."


class RollOut(_Mark, frozen=True):
    """The slot ends: end-of-turn work and the roll of confidence (emp.P6)."""

    words = Words(
        "ROLL OUT",
        "end your slot: end-of-turn work, then the roll of confidence",
        "emp.P6",
        "ROLL OUT",
        ("ROLLOUT", "END TURN"),
    )
    says = "End your turn and roll for confidence."


# ---------------------------------------------------------------- how a line is read


class _Slot(Field[int]):
    """The slot of the line, which has to be named."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"OF": self.kinds, "OF SLOT": self.kinds}

    def read(self, said: Said) -> int:
        named = (*said.after("OF"), *said.after("OF SLOT"))
        if not named:
            raise Refused("Say of which slot: INTERPRET LINE 3 OF 12 AS 2.", "emp.P23", said.order.verb)
        return named[0].count()

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("number", str(value), exact(value)),)


class Interpret(SlotOrder, frozen=True):
    """An ambiguous order of another player read as the interpreter says (emp.P23)."""

    slot: int
    line: int
    reading: int

    words = Words(
        "INTERPRET LINE",
        "settle how a doubtful order of another player is read",
        "emp.P23",
        "INTERPRET LINE 3 OF 12 AS 2",
        ("INTERPRET",),
    )
    fields = (Number("line"), _Slot("slot", ("number",), "OF"), Number("reading", "AS"))
    says = "Read line {line} of slot {slot} in the {reading}. way."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A line that may be settled, and its reading, another than it was read in first."""
        doubtful = yield from one("line", [_choice(d) for d in empire.doubtful if _may_settle(empire, seat, d)])
        others = sorted(range(1, len(doubtful.readings) + 1), key=lambda n: n == doubtful.taken)
        ways = [Choice(str(n), n, doubtful.readings[n - 1]) for n in others]
        return cls(doubtful.slot, doubtful.line, (yield from one("as", ways)))

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Self]:
        """Another reading of each line for which it matters."""
        open_ones = (d for d in doubts_that_matter(empire) if _may_settle(empire, seat, d))
        return (cls(d.slot, d.line, 2 if d.taken == 1 else 1) for d in open_ones)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        found = check_interpret(table.state, seat, self.slot, self.line, self.reading)
        interpret(table, seat, found, self.reading)


def _may_settle(empire: Empire, seat: Seat, doubtful: Doubtful) -> bool:
    return granted(check_interpret, empire, seat, doubtful.slot, doubtful.line, 1)


def _choice(doubtful: Doubtful) -> Choice[Doubtful]:
    word = f"line {doubtful.line} of slot {doubtful.slot}"
    return Choice(word, doubtful, f"{doubtful.seat}: read as {doubtful.readings[doubtful.taken - 1]}")
