"""Who is asked for something: the letter that hands out an order sheet or a question, and how its reader replies to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.show import Table, form_of, is_farewell, need

ASKS_WHETHER_SURE = "ROLL OUT waits for your YES"
"""In a receipt: something would be lost by the turn as it stands."""

REMINDS = "Your deadline is near"
"""The title of a reminder."""


@dataclass(frozen=True)
class Asked:
    """Somebody who owes a sheet or an answer, with the letter that says so. `turn` is 0 before the first."""

    client: MailClient
    seat: str
    letter: Letter
    phase: str
    turn: int

    @property
    def form(self) -> tuple[str, ...]:
        """The order sheet, or the lines of the answer, at the end of that letter."""
        return form_of(self.letter)

    def reply(self, body: str, what: str, quoting: bool = False) -> Letter:
        """Reply to that letter and wait for the receipt, `what` it is for; who is asked whether he is sure is. Raises NoLetter."""
        answer = answer_to(self.client, self.client.reply(self.letter, body, quoting), what)
        if ASKS_WHETHER_SURE in answer.flat:
            answer = answer_to(self.client, self.client.reply(answer, "YES"), what)
        return answer

    def roll_out(self, *lines: str) -> Letter:
        """Send orders that end the slot; the receipt. Raises NoLetter, Unexpected."""
        receipt = self.reply("\n".join((*lines, "ROLL OUT")), "the receipt for orders")
        need(receipt, "Your slot is ended")
        return receipt


AskedOf = TypeVar("AskedOf", bound=Asked)
_Reading = Callable[[MailClient, Letter], AskedOf | None]


def asks(letter: Letter) -> bool:
    """Whether a letter hands out something to be filled in: no receipt, no reminder."""
    return bool(letter.heading and letter.heading != REMINDS and form_of(letter))


def answer_to(client: MailClient, sent: str, what: str) -> Letter:
    """Wait for the letter that answers one of his; if it asks him for something, it is found again. Raises NoLetter."""
    answer = client.answer_to(sent, what)
    if asks(answer):
        client.mark_unread(answer)
    return answer


def wait_for(table: Table, read: _Reading[AskedOf]) -> AskedOf | None:
    """Wait for the letter that asks a player for something; None when the farewell comes instead.

    `read` says what a letter asks of its reader, None where it asks nothing. Raises NoLetter.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for client in table.players:
            if (asked := _asked_of(client, read)) is not None:
                return asked
        if table.master.find(is_farewell) is not None:
            return None
        time.sleep(0.01)
    raise NoLetter("Nobody was asked for anything.")


def _asked_of(client: MailClient, read: _Reading[AskedOf]) -> AskedOf | None:
    letter = client.find(lambda letter: read(client, letter) is not None)
    return read(client, letter) if letter is not None else None
