"""The people at the table of a demo, who is asked for what and replies, and how it is shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar, Generic, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from referee.demo.client import PATIENCE, Letter, MailClient, NoLetter
from referee.demo.service_process import House

# ---------------------------------------------------------------- what a demonstration shows
# Letters at a table, one after the other.


def excerpt(text: str, first: str = "", lines: int = 14) -> str:
    """So many lines of a letter, from the one that holds `first` on; a mark says that there is more."""
    rows = text.strip("\n").splitlines()
    start = next((i for i, row in enumerate(rows) if first in row), 0)
    shown = rows[start : start + lines]
    while shown and not shown[-1].strip():
        shown.pop()
    more = start + len(shown) < len(rows)
    return "\n".join((["[…]"] if start else []) + shown + (["[…]"] if more else []))


class Show:
    """The stage. Plain text where the output is no terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(width=min(Console().width, 100), highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed} of at most {task.total} turns"),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
        )
        self._turns = self._progress.add_task("the match", total=None)

    def begin(self, most_turns: int) -> None:
        """Show how far the match is, out of at most so many turns."""
        self._progress.update(self._turns, total=most_turns)
        self._progress.start()

    def end(self) -> None:
        """Take the progress line away."""
        self._progress.stop()

    def scene(self, title: str) -> None:
        """Something new begins."""
        self.console.rule(f"[bold]{escape(title)}")

    def say(self, sentence: str) -> None:
        """One sentence."""
        self.console.print(escape(sentence))

    def good(self, sentence: str) -> None:
        """Something was checked and is as it should be."""
        self.console.print(f"[green]✓[/] {escape(sentence)}")

    def bad(self, sentence: str) -> None:
        """Tell a fault."""
        self.console.print(f"[bold red]{escape(sentence)}[/]")

    def wrote(self, who: str, body: str) -> None:
        """A letter somebody sent."""
        self.console.print(
            Panel(Text(body.strip("\n")), title=f"{escape(who)} writes", border_style="blue", title_align="left")
        )

    def got(self, who: str, letter: Letter, first: str = "", lines: int = 14) -> None:
        """A letter from the referee, in excerpts."""
        body = Text(excerpt(letter.text, first, lines))
        title = f"{escape(who)} reads: {escape(letter.subject)}"
        self.console.print(Panel(body, title=title, border_style="yellow", title_align="left"))

    def turn(self, number: int, sentence: str) -> None:
        """A turn was played."""
        self._progress.update(self._turns, completed=number)
        self.console.print(f"[dim]{escape(sentence)}[/]")

    def standings(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """The final standings."""
        table = Grid(*columns, title=title)
        for row in rows:
            table.add_row(*map(escape, row))
        self.console.print(table)


# ---------------------------------------------------------------- table
# The people at the table of a demo, and what they may count on: each step is checked against the letters it brings.


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
    """The words that the report of a phase must tell somebody, once it has come."""

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


# ---------------------------------------------------------------- who is asked for something
# The letter that hands out an order sheet or a question, and how its reader replies to it.


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


# ---------------------------------------------------------------- the course of a demo
# A player who is asked replies as usual, or does what is to be shown; the master's reports are told.


TableOf = TypeVar("TableOf", bound=Table)


@dataclass(frozen=True)
class Act(Generic[TableOf, AskedOf]):
    """Something that is to be shown: what happens, and whether this is its moment."""

    perform: Callable[[TableOf, AskedOf], None]
    fits: Callable[[TableOf, AskedOf], bool]


def play_through(
    table: TableOf,
    asked: Callable[[], AskedOf | None],
    ordinary: Callable[[TableOf, AskedOf], None],
    acts: Sequence[Act[TableOf, AskedOf]] = (),
) -> Letter:
    """Let everybody reply until the match is over: the first act left that fits, else as usual; the farewell.

    Raises Unexpected when the match ends before every act was shown.
    """
    left, told = list(acts), 0
    while (now := asked()) is not None:
        told = _tell_reports(table, told)
        act = next((act for act in left if act.fits(table, now)), None)
        if act is not None:
            left.remove(act)
        (act.perform if act else ordinary)(table, now)
    _tell_reports(table, told)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended before these could be shown: {names}.")
    return next(letter for letter in table.master.letters if is_farewell(letter))


def _tell_reports(table: Table, told: int) -> int:
    """Show the subjects of the reports that came to the game master since; how many there are now."""
    reports = table.reports(table.master)
    for number, report in enumerate(reports[told:], told + 1):
        table.show.turn(number, report.subject)
    return len(reports)
