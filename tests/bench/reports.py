"""P12, P12b and P13: reports of a turn built and queued, then written out, and receipts, beside what the templates cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from referee.adapters.pages.render import TemplateRenderer
from referee.service.base.ports import LetterOut, Rendered
from referee.service.intake.deadlines import scan
from referee.service.intake.inbox import handle
from referee.service.post.tray import unwritten, unwritten_report, written
from tests.bench.commits import letters_waiting
from tests.bench.house import START, begun, house, house_copied
from tests.bench.measure import Pair, Sample, Size, timed

_READERS = 6
_DUE = START + timedelta(hours=24)


@contextmanager
def turn_reports(folder: Path, size: Size) -> Iterator[Pair]:
    """A turn from its deadline to the commit that holds the reports to five players and the game master."""
    template, count = folder / "reports.sqlite", max(1, size.turns // 4)
    queued = _queued(template, folder, count)

    def own() -> Sample:
        with house_copied(template, folder, _DUE) as office, timed() as watch:
            scan(office, count)
        return watch.rate(len(queued))

    yield Pair(own, _templates_alone(queued))


def _templates_alone(queued: Sequence[LetterOut]) -> Callable[[], Sample]:
    """What jinja2 itself costs: each report is written anew, and no passage of it is kept."""
    letters = [unwritten_report(letter).report for letter in queued]
    renderer = TemplateRenderer(room=0)

    def base() -> Sample:
        with timed() as watch:
            for letter in letters:
                renderer.render("report", letter)
        return watch.rate(len(letters))

    return base


def _queued(template: Path, folder: Path, count: int) -> list[LetterOut]:
    """The reports of the first turn of so many matches, which begin in a template, as they lie in the outbox."""
    with house(template) as office:
        begun(office, count, players=_READERS - 1, reminders=False)
    with house_copied(template, folder, _DUE) as office:
        scan(office, count)
        with office.store.look() as step:
            every = [letter for row in step.matches() for letter in step.outgoing(row.name)]
    return [letter for letter in every if letter.kind == "report" and not letter.raw]


@contextmanager
def reports_written(folder: Path, size: Size) -> Iterator[Pair]:
    """The same reports, from what they say to bytes, as their postman writes them out; beside them the templates alone."""
    template = folder / "written.sqlite"
    queued = _queued(template, folder, max(1, size.turns // 4))
    with house(template) as office:

        def own() -> Sample:
            with timed() as watch:
                for letter in queued:
                    written(office, letter)
            return watch.rate(len(queued))

        yield Pair(own, _templates_alone(queued))


@contextmanager
def acknowledgements(folder: Path, size: Size) -> Iterator[Pair]:
    """Receipts of letters of forty lines, from data to bytes; beside them the same through EmailMessage."""
    template = folder / "receipts.sqlite"
    rows = letters_waiting(template, size.receipts)
    with house_copied(template, folder) as office:
        for row in rows:
            handle(office, row)
        with office.store.look() as step:
            queued = [
                letter for row in step.matches() for letter in step.outgoing(row.name) if letter.kind == "receipt"
            ]
        receipts = [unwritten(letter).receipt for letter in queued]

        def own() -> Sample:
            with timed() as watch:
                for letter in queued:
                    written(office, letter)
            return watch.rate(len(queued))

        def base() -> Sample:
            with timed() as watch:
                for receipt in receipts:
                    _stock(office.renderer.render("receipt", receipt))
            return watch.rate(len(receipts))

        yield Pair(own, base)


def _stock(rendered: Rendered) -> bytes:
    message = EmailMessage()
    message["From"] = "Referee <referee@games.example>"
    message["To"] = "Anna <anna@players.example>"
    message["Reply-To"] = "referee+m0.aaaabbbbccccdddd@games.example"
    message["Subject"] = "[m0] COMPLETE: Turn 1"
    message["Date"] = format_datetime(START)
    message["Message-ID"] = "<receipt.1@games.example>"
    message["In-Reply-To"] = "<1@players.example>"
    message["References"] = "<m0.turn1@games.example> <1@players.example>"
    message.set_content(rendered.text)
    message.add_alternative(rendered.html, subtype="html")
    return message.as_bytes()
