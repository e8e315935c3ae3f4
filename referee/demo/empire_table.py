"""The table of the demo of Empire: one player at a time owes a sheet, which he may send in parts; a ship to look for."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.table import Table, form_of, is_farewell

__all__ = ["EmpireTable", "OnTurn"]

_OWES = re.compile(r"You owe orders for (Zero turn: capitals|Turn (\d+): (\w+))\.")


@dataclass(frozen=True)
class OnTurn:
    """Who owes a sheet, with the letter that says so. `turn` 0 is the zero turn."""

    client: MailClient
    seat: str
    letter: Letter
    phase: str
    turn: int

    @property
    def form(self) -> tuple[str, ...]:
        """The order sheet at the end of that letter."""
        return form_of(self.letter)


@dataclass
class EmpireTable(Table):
    """Everybody, and what the story remembers from turn to turn."""

    ship: str = ""
    """The cargo ship that is to be seized, as `cargo ship 98`."""
    promised: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """What the report of a phase must say, once it has come."""

    def on_turn(self) -> OnTurn | None:
        """Wait for the letter that asks somebody for orders; None when the farewell comes instead. Raises NoLetter."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for client in self.players:
                letter = client.find(_asks)
                if letter is not None:
                    return self._read(client, letter)
            if self.master.find(is_farewell) is not None:
                return None
            time.sleep(0.01)
        raise NoLetter("Nobody was asked for orders.")

    def _read(self, client: MailClient, letter: Letter) -> OnTurn:
        found = _OWES.search(letter.flat)
        assert found is not None  # `_asks` has looked
        return OnTurn(client, self.seat_of(client), letter, found[1], int(found[2] or 0))

    def part_of(self, now: OnTurn) -> Letter:
        """The letter that says what the part just carried out came to, and asks for the next. Raises NoLetter."""
        return now.client.expect(
            "the question for the next part", lambda letter: ", part " in letter.flat and _asks(letter)
        )

    def report_of(self, client: MailClient, phase: str) -> Letter:
        """The report of a phase as it came to somebody, read already or not. Raises NoLetter."""
        client.fetch()
        known = next((letter for letter in client.letters if self.is_report(letter, phase)), None)
        return known or client.expect(f"the report of {phase}", lambda letter: self.is_report(letter, phase))

    def is_report(self, letter: Letter, phase: str) -> bool:
        """Whether a letter is the report of a phase."""
        return letter.subject.startswith(f"[{self.match}] {phase}: ") and not letter.answers

    def reports(self, client: MailClient) -> list[Letter]:
        """Every report of a turn that came to somebody so far."""
        client.fetch()
        title = re.compile(rf"\[{re.escape(self.match)}\] (Zero turn: capitals|Turn \d+: \w+): ")
        return [letter for letter in client.letters if title.match(letter.subject) and not letter.answers]


def _asks(letter: Letter) -> bool:
    reminds = " left for " in letter.subject
    return bool(not letter.answers and not reminds and form_of(letter) and _OWES.search(letter.flat))
