"""The table of the demo of New World: one player is on turn at a time, and the others wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.table import Asked, Table, asks, wait_for
from tests.demo.scripts.newworld.orders import Manner

_OWES = re.compile(r"(?:You owe|Your) orders for (Turn (\d+)): (\w+) \(round \d+\)(?:\.| are on file)")


@dataclass
class NewWorldTable(Table):
    """Everybody with his manner of playing, who will fall silent, and how far the match is."""

    phases: ClassVar[str] = r"Turn \d+: \w+ \(round \d+\)"

    manners: Mapping[str, Manner]
    sleeper: MailClient
    next_turn: int = 1

    def asked(self) -> Asked | None:
        """Wait for the letter that puts somebody on turn; None when the farewell comes instead. Raises NoLetter."""
        now = wait_for(self, self._read)
        if now is not None:
            self.next_turn = now.turn + 1
        return now

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        if found is None or int(found[2]) != self.next_turn:
            return None
        return Asked(client, found[3], letter, found[1], int(found[2]))

    def orders(self, now: Asked) -> str:
        """What the player on turn writes when nothing special is going on."""
        return self.manners[now.client.address](now.form, now.turn)
