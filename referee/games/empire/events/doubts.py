"""Orders that could be read in several ways, and how an opponent settles which holds."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.countries import Doubtful
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.rereading import read_as


class LineDoubtful(OpenEvent, frozen=True):
    """An order could be read in several ways; the referee took one, and an opponent may take another (emp.P20, emp.P23)."""

    rule = "emp.P23"
    doubtful: Doubtful

    def change(self, empire: Empire) -> Empire:
        return replace(empire, doubtful=(*empire.doubtful, self.doubtful))

    def sentence(self) -> str:
        d = self.doubtful
        ways = "; ".join(f"{n}. {reading}" for n, reading in enumerate(d.readings, 1))
        could = f"{d.seat}'s line {d.line} in slot {d.slot} could be read in {len(d.readings)} ways: {ways}"
        other = f"INTERPRET LINE {d.line} OF {d.slot} AS {2 if d.taken == 1 else 1}"
        return f"{could}. It was read as {d.taken}; another player may say otherwise in his next slot: {other}."


class InterpretationPosted(OpenEvent, frozen=True):
    """An opponent settled for good how a doubtful order is to be read (emp.P23)."""

    rule = "emp.P23"
    by: Seat
    by_slot: int
    seat: Seat
    slot: int
    line: int
    reading: int
    text: str

    def change(self, empire: Empire) -> Empire:
        doubtful = []
        for found in empire.doubtful:
            if (found.slot, found.line) == (self.slot, self.line):
                empire = read_as(empire, found, self.reading)
                found = replace(found, taken=self.reading, by=self.by)
            doubtful.append(found)
        return replace(empire, doubtful=tuple(doubtful))

    def sentence(self) -> str:
        line = f"line {self.line} of {self.seat} (slot {self.slot})"
        return f"{self.by} (slot {self.by_slot}) interprets {line}, which settles it for good: {self.text}."
