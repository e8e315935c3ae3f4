"""The table of the demo of War!: several players may be asked at once, for sheets or for a decision in a battle."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.table import Table, form_of, is_farewell

__all__ = ["Asked", "WarTable"]

_OWES = re.compile(
    r"You owe (orders|an answer) for (Set-up|Turn (\d+): production|Turn (\d+), round (\d): (\w+) moves)\."
)
_SPHERE = re.compile(r"\w+ places a sphere of influence in [\w -]+\.")


@dataclass(frozen=True)
class Asked:
    """Somebody who owes a sheet or an answer, with the letter that says so. `round` 0 outside of movement."""

    client: MailClient
    seat: str
    letter: Letter
    decision: bool
    phase: str
    turn: int
    round: int

    @property
    def form(self) -> tuple[str, ...]:
        """The order sheet, or the lines of the answer, at the end of that letter."""
        return form_of(self.letter)

    @property
    def stage(self) -> str:
        """`decision`, `draft`, `purchase`, `production` or `movement`."""
        if self.decision:
            return "decision"
        if self.phase == "Set-up":
            return "draft" if any(line.startswith("DRAFT ") for line in self.form) else "purchase"
        return "movement" if self.round else "production"


@dataclass
class WarTable(Table):
    """Everybody, and what has been decided by letter in the middle of turns."""

    decided: Counter[str] = field(default_factory=Counter)
    overtaken: int = 0
    """Sheets of which a line was refused when it came, for what others had done meanwhile."""
    invaded: str = ""
    """The phase in which Red marched into France."""
    promised: list[tuple[MailClient, str, tuple[str, ...]]] = field(default_factory=list)
    """What the report of a phase must say to somebody, once it has come."""

    def asked(self) -> Asked | None:
        """Wait for the letter that asks somebody for something; None when the farewell comes instead. Raises NoLetter."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for client in self.players:
                letter = client.find(_asks)
                if letter is not None:
                    return self._read(client, letter)
            if self.master.find(is_farewell) is not None:
                return None
            time.sleep(0.01)
        raise NoLetter("Nobody was asked for anything.")

    def _read(self, client: MailClient, letter: Letter) -> Asked:
        found = _OWES.search(letter.flat)
        assert found is not None  # `_asks` has looked
        turn, round = int(found[3] or found[4] or 0), int(found[5] or 0)
        return Asked(client, self.seat_of(client), letter, found[1] != "orders", found[2], turn, round)

    def report_of(self, client: MailClient, phase: str) -> Letter:
        """The report of a phase as it came to somebody, read already or not. Raises NoLetter."""
        client.fetch()
        known = next((letter for letter in client.letters if self.is_report(letter, phase)), None)
        return known or client.expect(f"the report of {phase}", lambda letter: self.is_report(letter, phase))

    def is_report(self, letter: Letter, phase: str) -> bool:
        """Whether a letter is the report of a phase."""
        return letter.subject.startswith(f"[{self.match}] {phase}: ") and not letter.answers

    def reports(self, client: MailClient) -> list[Letter]:
        """Every report that came to somebody so far."""
        client.fetch()
        title = re.compile(rf"\[{re.escape(self.match)}\] (Set-up|Turn \d+[^:]*: (production|\w+ moves)): ")
        return [letter for letter in client.letters if title.match(letter.subject) and not letter.answers]

    def spheres(self) -> list[str]:
        """Every sphere of influence that was placed so far, in the words of the reports."""
        return [sentence for letter in self.reports(self.watcher) for sentence in _SPHERE.findall(letter.flat)]


def _asks(letter: Letter) -> bool:
    reminds = " left for " in letter.subject
    return bool(not letter.answers and not reminds and form_of(letter) and _OWES.search(letter.flat))
