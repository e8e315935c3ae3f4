"""The table of the demo of New World: one player is on turn at a time, and the others wait."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.newworld_orders import Manner
from referee.demo.table import Table, form_of, is_farewell

__all__ = ["NewWorldTable", "OnTurn"]

_OWES = re.compile(r"You owe orders for Turn (\d+): (\w+) \(round (\d+)\)\.")


@dataclass(frozen=True)
class OnTurn:
    """A player on turn, with the letter that handed him the order sheet."""

    number: int
    round: int
    seat: str
    client: MailClient
    letter: Letter

    @property
    def form(self) -> tuple[str, ...]:
        """The order sheet at the end of that letter."""
        return form_of(self.letter)


@dataclass
class NewWorldTable(Table):
    """Everybody with his manner of playing, who will fall silent, and how far the match is."""

    manners: Mapping[str, Manner]
    sleeper: MailClient
    next_turn: int = 1

    def on_turn(self) -> OnTurn | None:
        """Wait for the letter that puts somebody on turn; None when the farewell comes instead. Raises NoLetter."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for client in self.players:
                letter = client.find(self._hands_out_orders)
                if letter is not None:
                    return _read(client, letter)
            if self.master.find(is_farewell) is not None:
                return None
            time.sleep(0.01)
        raise NoLetter(f"Nobody was asked for the orders of turn {self.next_turn}.")

    def _hands_out_orders(self, letter: Letter) -> bool:
        found = _OWES.search(letter.flat)
        return bool(found and int(found[1]) == self.next_turn and not letter.answers and form_of(letter))

    def orders(self, now: OnTurn) -> str:
        """What the player on turn writes when nothing special is going on."""
        return self.manners[now.client.address](now.form, now.number)

    def is_report(self, letter: Letter, turn: int) -> bool:
        """Whether a letter is the report of a turn."""
        return letter.subject.startswith(f"[{self.match}] Turn {turn}: ") and not letter.answers

    def report_of(self, client: MailClient, turn: int) -> Letter:
        """The report of a turn as it came to somebody. Raises NoLetter."""
        return client.expect(f"the report of turn {turn}", lambda letter: self.is_report(letter, turn))


def _read(client: MailClient, letter: Letter) -> OnTurn:
    found = _OWES.search(letter.flat)
    assert found is not None  # the caller has looked
    return OnTurn(int(found[1]), int(found[3]), found[2], client, letter)
