"""The people at the table of a demo, and what they may count on: each step is checked against the letters it brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.running import House
from referee.demo.show import Show

_CUT = re.compile(r"^# (- )+cut here( -)+$", re.MULTILINE)


class Unexpected(Exception):
    """A letter does not say what it should. The message is one sentence."""


def need(letter: Letter, *words: str) -> None:
    """Raises Unexpected unless the letter says all of this, in whatever lines."""
    for wanted in words:
        if wanted not in letter.flat and wanted not in letter.subject:
            raise Unexpected(f"The letter “{letter.subject}” should say “{wanted}” and does not.")


def form_of(letter: Letter) -> tuple[str, ...]:
    """The lines between the cut marks of a letter, advice that goes on in a further line joined; none without a sheet."""
    text = letter.text.replace("\r\n", "\n")
    marks = list(_CUT.finditer(text))
    form = text[marks[0].end() : marks[1].start()].strip("\n") if len(marks) > 1 else ""
    return tuple(form.replace("\n#   ", " ").splitlines())


@dataclass
class Table:
    """Everybody at a match. `counts` is what its standings count."""

    phases: ClassVar[str]
    """The titles of the phases of the game, as a regular expression."""

    house: House
    show: Show
    match: str
    counts: str
    master: MailClient
    players: tuple[MailClient, ...]
    watcher: MailClient
    seats: dict[str, MailClient] = field(default_factory=dict, kw_only=True)
    commitment: str = field(default="", kw_only=True)
    promises: list[tuple[MailClient, str, tuple[str, ...]]] = field(default_factory=list, kw_only=True)
    """What the report of a phase must say to somebody, once it has come."""

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

    def is_report(self, letter: Letter, phase: str) -> bool:
        """Whether a letter is the report of a phase."""
        return f"{letter.heading}: ".startswith(f"{phase}: ")

    def report_of(self, client: MailClient, phase: str) -> Letter:
        """The report of a phase as it came to somebody, read already or not. Raises NoLetter."""
        client.fetch()
        known = next((letter for letter in client.letters if self.is_report(letter, phase)), None)
        return known or client.expect(f"the report of {phase}", lambda letter: self.is_report(letter, phase))

    def reports(self, client: MailClient) -> list[Letter]:
        """The report of every phase that came to somebody so far."""
        client.fetch()
        title = re.compile(self.phases)
        return [letter for letter in client.letters if title.fullmatch(letter.heading)]

    def promise(self, phase: str, *words: str, reader: MailClient | None = None) -> None:
        """Note that the report of a phase must say this to its reader, the watcher unless another is named."""
        self.promises.append((reader or self.watcher, phase, words))

    def keep_promises(self) -> None:
        """Look whether every report says what it must. Raises NoLetter, Unexpected."""
        self.show.scene(f"What {self.watcher.name} read of it")
        for reader, phase, words in self.promises:
            need(self.report_of(reader, phase), *words)
            self.show.good(f"{phase}: {'; '.join(words)}.")


def is_farewell(letter: Letter) -> bool:
    """Whether a letter is the last one of a match, which came to its end or was ended by its game master."""
    return re.match(r"\[[\w-]+\] the (end: |match is ended)", letter.subject) is not None
