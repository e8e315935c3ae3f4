"""The table of a demo of War!: several players may be asked at once, for sheets or for a decision in a battle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from referee.demo.acting import Act
from referee.demo.asking import Asked, asks, wait_for
from referee.demo.client import Letter, MailClient
from referee.demo.table import Table, need

__all__ = ["Summoned", "WarTable", "act", "decide", "roll_out"]

_OWES = re.compile(
    r"You owe (orders|an answer) for (Set-up|Turn (\d+): production|Turn (\d+), round (\d): (\w+) moves)\."
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


@dataclass
class WarTable(Table):
    """Everybody, and what has been decided by letter in the middle of turns."""

    phases: ClassVar[str] = r"Set-up|Turn \d+[^:]*: (production|\w+ moves)"

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

    def spheres(self) -> list[str]:
        """Every sphere of influence that was placed so far, in the words of the reports."""
        return [sentence for letter in self.reports(self.watcher) for sentence in _SPHERE.findall(letter.flat)]


def roll_out(table: WarTable, now: Asked, *lines: str) -> Letter:
    """Send orders that end the slot, a while after the letter came; the receipt.

    A line that others have overtaken meanwhile is refused: then the rest is played by ROLL OUT alone.
    """
    table.pass_time(minutes=50)
    receipt = now.reply("\n".join((*lines, "ROLL OUT")), "the receipt for orders")
    if "Some of your lines were refused" in receipt.flat:
        if not table.overtaken:
            table.show.got(now.client.name, receipt, "Not taken", 24)
        table.overtaken += 1
        receipt = now.client.answer_to(now.client.reply(receipt, "ROLL OUT"), "the receipt for ROLL OUT")
    need(receipt, "Your slot is ended")
    return receipt


def decide(table: WarTable, now: Summoned, kind: str, body: str) -> None:
    """Reply to a question in the middle of a turn; the first of a kind is shown whole, the others in a sentence."""
    first = not table.decided[kind]
    table.decided[kind] += 1
    if first:
        table.show.got(now.client.name, now.letter, "", 26)
        table.show.wrote(now.client.name, body)
    need(now.reply(body, "the receipt for an answer"), "DONE", "is taken")
    if not first:
        table.show.say(f"{now.client.name} was asked again ({kind}) and answered {body.removeprefix('CHOOSE ')}.")


def act(
    perform: Callable[[WarTable, Summoned], None], seat: str, stage: str, turn: int = 0, round: int = 0, sees: str = ""
) -> Act[WarTable, Summoned]:
    """An unusual letter: who writes it, owing what, from which turn and round on; `sees` must stand on his order form."""

    def fits(table: WarTable, now: Summoned) -> bool:
        due = (now.turn, now.round) >= (turn, round)
        return (now.seat, now.stage) == (seat, stage) and due and sees in "\n".join(now.form)

    return Act(perform, fits)
