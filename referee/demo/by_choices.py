"""The demo of any game: players who know nothing of it choose, by letter, from what SEND choices AS json tells them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.core.game import AnyGame
from referee.demo.acting import play_through
from referee.demo.asking import Asked, asks, wait_for
from referee.demo.client import Letter, MailClient
from referee.demo.opening import company, open_match
from referee.demo.running import House
from referee.demo.show import Show, Table, Unexpected, is_farewell, need

MOST_TURNS = 20
"""So many reports, and the game master ends the match."""

_MATCH = "m1"
_ORDERS = 4
"""So many orders a sheet at most."""


@dataclass
class _StrangersTable(Table):
    """Players who know of the game what its choices say; `chance` is what they choose by."""

    phases: ClassVar[str] = r"(?!the end|the match)[^:]+(?:: [^:]+)?"

    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def asked(self) -> Asked | None:
        """Wait for the letter that asks somebody for something; None when the farewell comes instead. Raises NoLetter."""
        if len(self.reports(self.master)) >= MOST_TURNS:
            _end(self)
            return None
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        return Asked(client, self.seat_of(client), letter, "", 0) if asks(letter) else None


def play_match(house: House, show: Show, game: AnyGame) -> tuple[Table, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    usual = {setting.name: setting.default for setting in game.settings}
    names = game.seat_names(usual)
    players = next(number for number in range(1, len(names) + 1) if game.refuse_options(usual, number) is None)
    table = _StrangersTable(house, show, _MATCH, "points", *company(house, players))
    open_match(table, f"CREATE {game.name} AS {_MATCH}", game.title, names[:players])
    return table, play_through(table, table.asked, _choose)


def _choose(table: _StrangersTable, now: Asked) -> None:
    """Ask what may be ordered, and order some of it; a question is answered as proposed."""
    choices = _choices(now)
    if choices["questions"]:
        now.reply("\n".join(line for line in now.form if not line.startswith("#")), "the receipt for an answer")
        return
    lines = [line for order in choices["orders"] if not order.get("at_once") for line in order["lines"]]
    some = table.chance.sample(lines, min(len(lines), table.chance.randint(0, _ORDERS)))
    receipt = now.reply("\n".join((*some, "ROLL OUT")), "the receipt for orders")
    if "Your slot is ended" not in receipt.flat:
        now.roll_out()


def _choices(now: Asked) -> dict[str, Any]:
    """What may be ordered and answered now, from the file that comes. Raises NoLetter, Unexpected."""
    receipt = now.reply("SEND choices AS json", "the choices")
    file = next((data for name, data in receipt.files.items() if name.endswith(".json")), None)
    if file is None:
        raise Unexpected(f"The letter “{receipt.subject}” should bring the choices and does not.")
    found: dict[str, Any] = json.loads(file)
    return found


def _end(table: Table) -> None:
    """The game master has seen enough."""
    master = table.master
    asked = master.answer_to(master.reply(table.reports(master)[-1], "TERMINATE"), "the question whether he means it")
    need(asked, "TERMINATE", "Reply with YES")
    master.reply(asked, "YES")
    master.expect("the farewell", is_farewell)
