"""The people at the table of the demo, and what they may count on: each step is checked against the letters it brings."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.orders import Manner, form_of
from referee.demo.running import House
from referee.demo.show import Show

__all__ = ["MATCH", "OnTurn", "Table", "Unexpected", "is_farewell", "is_report", "need"]

MATCH = "nw1"
_OWES = re.compile(r"You owe orders for Turn (\d+): (\w+) \(round (\d+)\)\.")


class Unexpected(Exception):
    """A letter does not say what it should. The message is one sentence."""


def need(letter: Letter, *words: str) -> None:
    """Raises Unexpected unless the letter says all of this, in whatever lines."""
    for wanted in words:
        if wanted not in letter.flat and wanted not in letter.subject:
            raise Unexpected(f"The letter “{letter.subject}” should say “{wanted}” and does not.")


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
class Table:
    """Everybody, and how far the match is."""

    house: House
    show: Show
    master: MailClient
    players: tuple[MailClient, ...]
    watcher: MailClient
    manners: Mapping[str, Manner]
    sleeper: MailClient
    seats: dict[str, MailClient] = field(default_factory=dict)
    next_turn: int = 1
    commitment: str = ""

    def pass_time(self, **span: float) -> None:
        """Turn the fake clock on, as `timedelta` counts."""
        self.house.clock.advance(timedelta(**span))

    def seat_of(self, client: MailClient) -> str:
        """The seat somebody plays."""
        return next(seat for seat, player in self.seats.items() if player is client)

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

    def report_of(self, client: MailClient, turn: int) -> Letter:
        """The report of a turn as it came to somebody. Raises NoLetter."""
        return client.expect(f"the report of turn {turn}", lambda letter: is_report(letter, turn))


def is_report(letter: Letter, turn: int) -> bool:
    """Whether a letter is the report of a turn."""
    return letter.subject.startswith(f"[{MATCH}] Turn {turn}: ") and not letter.answers


def is_farewell(letter: Letter) -> bool:
    """Whether a letter is the last one of the match."""
    return letter.subject.startswith(f"[{MATCH}] the end: ")


def _read(client: MailClient, letter: Letter) -> OnTurn:
    found = _OWES.search(letter.flat)
    assert found is not None  # the caller has looked
    return OnTurn(int(found[1]), int(found[3]), found[2], client, letter)
