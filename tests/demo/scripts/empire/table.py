"""The table of a demo of Empire: one player at a time owes a sheet, which he may send in parts; a ship to look for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.table import Asked, Table, asks, need, wait_for

_OWES = re.compile(r"(?:You owe|Your) orders for (Zero turn: capitals|Turn (\d+): (\w+))(?:\.| are on file)")


@dataclass
class EmpireTable(Table):
    """Everybody, and what the story remembers from turn to turn."""

    phases: ClassVar[str] = r"Zero turn: capitals|Turn \d+: \w+"

    ship: str = ""
    """The cargo ship that is to be seized, as `cargo ship 98`."""

    def asked(self) -> Asked | None:
        """Wait for the letter that asks somebody for orders; None when the farewell comes instead. Raises NoLetter."""
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        return Asked(client, self.seat_of(client), letter, found[1], int(found[2] or 0)) if found else None

    def part(self, now: Asked, *lines: str) -> Asked:
        """Send a part of a slot, which is carried out at once; the letter that says what came of it. Raises NoLetter."""
        need(now.reply("\n".join((*lines, "EXECUTE")), "the receipt for EXECUTE"), "carried out and stands")
        told = now.client.expect(
            "the question for the next part", lambda letter: ", part " in letter.flat and asks(letter)
        )
        return replace(now, letter=told)
