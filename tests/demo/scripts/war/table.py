"""The table of a demo of War!: several players may be asked at once, for sheets or for a decision in a battle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.table import Asked, Table, asks, wait_for

_OWES = re.compile(
    r"(?:You owe|Your) (orders|an answer) for (Set-up|Turn (\d+): production|Turn (\d+), round (\d): (\w+) moves)"
    r"(?:\.| are on file)"
)
_SPHERE = re.compile(r"\w+ places a sphere of influence in [\w -]+\.")


@dataclass(frozen=True)
class Summoned(Asked):
    """Somebody who owes a sheet, or a decision. `round` 0 outside of movement."""

    decision: bool
    round: int

    @property
    def stage(self) -> str:
        """`decision`, `draft`, `purchase`, `production` or `movement`."""
        if self.decision:
            return "decision"
        if self.phase == "Set-up":
            return "draft" if any(line.startswith("DRAFT ") for line in self.form) else "purchase"
        return "movement" if self.round else "production"


@dataclass(frozen=True)
class SetUp:
    """What a player asks for in the set-up: regions, best first, and what his PP buy, with its places."""

    draft: str
    purchase: str


@dataclass(frozen=True)
class Manners:
    """How the players of an edition play when nothing special is going on."""

    empires: Mapping[str, SetUp]
    """By seat, in the order in which the players join."""
    movement: Callable[[WarTable, Summoned], Sequence[str]]
    production: Callable[[WarTable, Summoned], Sequence[str]]
    """The lines of a sheet."""
    answer: Callable[[Summoned], str]
    """What is replied to a question in the middle of a turn."""
    questions: Mapping[str, str]
    """Words of such a question, and what kind of decision it asks for."""


@dataclass
class WarTable(Table):
    """Everybody with his manners, and what has been decided by letter in the middle of turns."""

    phases: ClassVar[str] = r"Set-up|Turn \d+[^:]*: (production|\w+ moves)"

    manners: Manners
    decided: Counter[str] = field(default_factory=Counter)
    overtaken: int = 0
    """Sheets of which a line was refused when it came, for what others had done meanwhile."""
    invaded: str = ""
    """The phase in which the march began that ends in the battle to be shown."""

    def asked(self) -> Summoned | None:
        """Wait for the letter that asks somebody for something; None when the farewell comes instead. Raises NoLetter."""
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Summoned | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        if found is None:
            return None
        turn, round = int(found[3] or found[4] or 0), int(found[5] or 0)
        return Summoned(client, self.seat_of(client), letter, found[2], turn, found[1] != "orders", round)

    def kind_of(self, question: Letter) -> str:
        """What kind of decision a question asks for."""
        signs = self.manners.questions
        return next((kind for sign, kind in signs.items() if sign in question.flat), "something else")

    def spheres(self) -> list[str]:
        """Every sphere of influence that was placed so far, in the words of the reports."""
        return [sentence for letter in self.reports(self.watcher) for sentence in _SPHERE.findall(letter.flat)]
