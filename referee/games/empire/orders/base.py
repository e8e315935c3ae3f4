"""The common ground of all orders of Empire: those of a slot, those done at once, and how a slot carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, ParamSpec, Self

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.empire.deeds import Rehearsal, Stage, whole
from referee.games.empire.deeds.moving import doubts_that_matter
from referee.games.empire.events.economy import InterpretationPosted
from referee.games.empire.position.state import Doubtful, Empire
from referee.games.empire.reckoning.ownership import moved_since, named
from referee.kit.declared import AT_ONCE, Declared, Plain, Words
from referee.kit.fields import Field, Got, Number, Said, exact
from referee.kit.refused import ForGood, Refused

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
        """The plan of it, as far as it can be done before the dice. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        return granted(self.plan, empire, seat)


class Deed(SlotOrder, frozen=True, dict=True):
    """An order without dice: done whole or not at all, so that its choices can try it on a copy of the position."""

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


# ---------------------------------------------------------------- carried out now


class _Mark(SlotOrder, frozen=True):
    """A mark in a sheet: the course of a slot looks for it, and nothing is done by it."""

    fields = ()
    closes: ClassVar[bool] = True

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Of everybody who has a slot."""
        return empire.stage == "play" and bool(empire.owned(seat))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Nothing by itself."""


class Execute(_Mark, frozen=True):
    """The lines so far are carried out now and stand (wind and attacks need their dice)."""

    goes_on: ClassVar[bool] = True
    words = Words("EXECUTE", "carry out what is written so far, so that it stands", "emp.P9", "EXECUTE")
    plain = Plain("Carry out so far")
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
    plain = Plain("End your slot")
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


def _doubtful(empire: Empire, got: Got) -> Iterator[Doubtful]:
    """Doubtful lines of the number and slot that were chosen before."""
    told = (got.get("line"), got.get("slot"))
    return (d for d in empire.doubtful if told[0] in (None, d.line) and told[1] in (None, d.slot))


def _lines(empire: Empire, seat: Seat, got: Got) -> Iterable[Choice[int]]:
    found = {d.line: f"slot {d.slot} of {d.seat}: read as {d.readings[d.taken - 1]}" for d in _doubtful(empire, got)}
    return (Choice(str(line), line, words) for line, words in found.items())


def _slots(empire: Empire, seat: Seat, got: Got) -> Iterable[Choice[int]]:
    return (Choice(str(d.slot), d.slot, str(d.seat)) for d in _doubtful(empire, got))


def _readings(empire: Empire, seat: Seat, got: Got) -> Iterable[Choice[int]]:
    """Another than it was read in first."""
    (doubtful,) = _doubtful(empire, got)
    others = sorted(range(1, len(doubtful.readings) + 1), key=lambda number: number == doubtful.taken)
    return (Choice(str(number), number, doubtful.readings[number - 1]) for number in others)


class Interpret(Deed, frozen=True):
    """An ambiguous order of an opponent, not settled yet and later than one's own last roll, read as one says (emp.P23)."""

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
    plain = Plain("Settle a doubtful line")
    fields = (
        Number("line", among=_lines),
        _Slot("slot", ("number",), "OF", among=_slots),
        Number("reading", "AS", among=_readings),
    )
    says = "Read line {line} of slot {slot} in the {reading}. way."

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Self]:
        """Another reading of each line for which it matters."""
        mine = (cls(d.slot, d.line, 2 if d.taken == 1 else 1) for d in doubts_that_matter(empire))
        return (order for order in mine if order.lawful(empire, seat))

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, slot, line, reading, rule = stage.state, self.slot, self.line, self.reading, self.words.rule
        found = next(_doubtful(empire, {"line": line, "slot": slot}), None)
        if found is None:
            none = f"No line {line} of slot {slot} is open to interpretation"
            raise ForGood(f"{none}: none was doubtful, or all have rolled out since.", rule, str(line))
        if found.seat == seat:
            raise ForGood("Nobody interprets his own orders.", rule, str(slot))
        if found.by is not None:
            raise ForGood(f"{found.by} has settled for good how that line is read.", rule, str(line))
        if seat in found.waived:
            raise ForGood("You have rolled out since that slot, and with it gave up the right.", rule, str(slot))
        if not 1 <= reading <= len(found.readings):
            raise ForGood(f"That line has {len(found.readings)} readings.", rule, str(reading))
        # Later deeds of the units themselves show which of them were meant, and cannot be undone.
        gone = moved_since(empire, found)
        if isinstance(gone, int):
            raise ForGood(f"Unit {gone} is no more; the line stands as it was read.", rule, str(gone))
        if gone is not None:
            words = f"{named(gone)} is not where that line left it; the moves since then show its meaning."
            raise ForGood(words, rule, str(gone.number))
        text = found.readings[reading - 1]
        stage.emit(InterpretationPosted(seat, empire.slot, found.seat, slot, line, reading, text))
