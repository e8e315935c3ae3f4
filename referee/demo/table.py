"""The people at the table of a demo, and what they may count on: each step is checked against the letters it brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from referee.demo.client import Letter, MailClient
from referee.demo.running import House
from referee.demo.show import Show

__all__ = ["Table", "Unexpected", "form_of", "is_farewell", "need"]

_CUT = re.compile(r"^# (- )+cut here( -)+$", re.MULTILINE)


class Unexpected(Exception):
    """A letter does not say what it should. The message is one sentence."""


def need(letter: Letter, *words: str) -> None:
    """Raises Unexpected unless the letter says all of this, in whatever lines."""
    for wanted in words:
        if wanted not in letter.flat and wanted not in letter.subject:
            raise Unexpected(f"The letter “{letter.subject}” should say “{wanted}” and does not.")


def form_of(letter: Letter) -> tuple[str, ...]:
    """The lines between the cut marks of a letter; none when it has no order sheet."""
    text = letter.text.replace("\r\n", "\n")
    marks = list(_CUT.finditer(text))
    return tuple(text[marks[0].end() : marks[1].start()].strip("\n").splitlines()) if len(marks) > 1 else ()


@dataclass
class Table:
    """Everybody at a match. `counts` is what its standings count."""

    house: House
    show: Show
    match: str
    counts: str
    master: MailClient
    players: tuple[MailClient, ...]
    watcher: MailClient
    seats: dict[str, MailClient] = field(default_factory=dict, kw_only=True)
    commitment: str = field(default="", kw_only=True)

    @property
    def everybody(self) -> Iterator[MailClient]:
        """Players, the game master, the watcher."""
        yield from (*self.players, self.master, self.watcher)

    def pass_time(self, **span: float) -> None:
        """Turn the fake clock on, as `timedelta` counts."""
        self.house.clock.advance(timedelta(**span))

    def seat_of(self, client: MailClient) -> str:
        """The seat somebody plays."""
        return next(seat for seat, player in self.seats.items() if player is client)


def is_farewell(letter: Letter) -> bool:
    """Whether a letter is the last one of a match."""
    return re.match(r"\[[\w-]+\] the end: ", letter.subject) is not None
