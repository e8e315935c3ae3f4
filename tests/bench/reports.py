"""P12 and P13: a turn's reports built and queued, and receipts built, next to what the templates alone cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from referee.adapters.pages.render import TemplateRenderer
from referee.core.page import Sheet
from referee.mail import Answerable
from referee.service.alarms.deadlines import scan
from referee.service.incoming.inbox import handle
from referee.service.outgoing.writing import unwritten, written
from referee.service.ports import Rendered, Renderer
from tests.bench.commits import letters_waiting
from tests.bench.house import START, begun, house, house_copied
from tests.bench.measure import Pair, Sample, Size, timed

_READERS = 6
_DUE = START + timedelta(hours=24)


class _Recorder:
    """Renders as the real one does and keeps what it was handed."""

    version = "bench"

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.letters: list[tuple[str, Any]] = []

    def render(self, kind: str, letter: Any, answered: Answerable | None = None) -> Rendered:
        """The letter as text and HTML."""
        self.letters.append((kind, letter))
        return self._renderer.render(kind, letter, answered)

    def picture(self, svg: str) -> bytes:
        """A drawing as PNG."""
        return self._renderer.picture(svg)

    def workbook(self, sheets: Sequence[Sheet]) -> bytes:
        """Record sheets as an XLSX file."""
        return self._renderer.workbook(sheets)

    def render_site(self, name: str, context: Any) -> str:
        """A page of the archive."""
        return self._renderer.render_site(name, context)

    def verifier(self) -> Mapping[str, bytes]:
        """The page that checks a match."""
        return self._renderer.verifier()


@contextmanager
def turn_reports(folder: Path, size: Size) -> Iterator[Pair]:
    """A turn from its deadline to the commit that holds the reports to five players and the game master."""
    template, count = folder / "reports.sqlite", max(1, size.turns // 4)
    with house(template) as office:
        begun(office, count, players=_READERS - 1, reminders=False)
    with house_copied(template, folder, _DUE) as office:
        recorder = _Recorder(office.renderer)
        scan(replace(office, renderer=recorder), count)
    letters = [(kind, letter) for kind, letter in recorder.letters if kind == "report"]
    renderer = TemplateRenderer(room=0)  # each report written anew: what jinja2 itself costs

    def own() -> Sample:
        with house_copied(template, folder, _DUE) as office, timed() as watch:
            scan(office, count)
        return watch.rate(len(letters))

    def base() -> Sample:
        with timed() as watch:
            for kind, letter in letters:
                renderer.render(kind, letter)
        return watch.rate(len(letters))

    yield Pair(own, base)


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
