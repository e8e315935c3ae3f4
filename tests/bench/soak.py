"""S1: a soak. Days of letters, deadlines and reports in a running service: does anything grow, does anything stay?

`referee serve` with two desks lives by a clock that is turned by hand, six hours at a time. Matches of all four games get
letters of every kind by SMTP, deadlines fall, reports go out into Maildirs, which their readers empty every evening.
"""

from __future__ import annotations

import shutil
import smtplib
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.adapters.clock_and_secrets import FileClock
from tests.bench.house import Writer, house, writers
from tests.bench.measure import Pair, Sample, Size
from tests.bench.noon_matches import game_of, many
from tests.bench.sheets import letter, order_lines
from tests.bench.standing import Served, served

_PARTS = 4
_MATCHES = 160
_A_CONNECTION = 100
_WARM = 8
"""After so many days the service has met everything it keeps at hand."""

_PATIENCE = 900.0
_SETTINGS = """
[desk]
processes = 2
[clock]
file = "clock"
scan_seconds = 0.2
"""
_BESIDES = (
    ("STATUS",),
    ("PREVIEW",),
    ("PRESS TO all", "Shall we leave each other alone?", "END"),
    ("attack the moon wiht three armys",),
    ("HISTORY", "HELP"),
    ("ROLL OUT",),
)


@contextmanager
def soak(folder: Path, size: Size) -> Iterator[Pair]:
    """KB by which the resident memory of all processes grows with every thousand letters, once the service is warm."""
    path = folder / "soak.sqlite"
    begin = datetime.now(UTC).replace(microsecond=0)
    with house(path, begin - timedelta(days=9)) as office:
        many(office, _MATCHES)
    clock = FileClock(folder / "clock")
    clock.set(begin)
    yield Pair(lambda: _Soak(folder, path, clock).lived(size.days, size.soak))


class _Soak:
    def __init__(self, folder: Path, path: Path, clock: FileClock) -> None:
        self._folder, self._path, self._clock = folder, path, clock
        self._sent = 0
        with closing(sqlite3.connect(path)) as db:
            (self._earlier,) = db.execute("SELECT count(*) FROM letter_in").fetchone()
        self._received = 0

    def lived(self, days: int, letters: int) -> Sample:
        """So many days with so many letters each, and what they left."""
        memory: list[float] = []
        handles: list[int] = []
        began = time.monotonic()
        with served(self._folder, self._path, _SETTINGS) as service:
            pids = service.pids
            for day in range(days):
                self._day(service, letters)
                each = [_resident(pid) / 1024 for pid in pids]
                memory.append(sum(each))
                handles.append(sum(_handles(pid) for pid in pids))
                own = " + ".join(f"{megabytes:.0f}" for megabytes in each)
                said = f"{own} MB, {handles[-1]} handles, {self._received:,} letters out"
                print(f"day {day + 1}: {said}", file=sys.stderr, flush=True)
        left = self._left()
        opened = max(0, handles[-1] - handles[_WARM - 1])
        slope, late = (_slope(memory[begin:]) * 1024 / letters * 1000 for begin in (_WARM - 1, days // 2))
        grown = ", ".join(f"{memory[day - 1]:.0f} MB after {day} days" for day in (1, _WARM, days))
        letters_told = f"{self._sent:,} letters in {time.monotonic() - began:.0f} s, {self._received:,} out"
        note = f"{letters_told}; {grown}; {late:.0f} KB in the second half; {opened} handles more, {left} left behind"
        return Sample(max(0.0, slope), faults=left + opened, note=note)

    def _day(self, service: Served, letters: int) -> None:
        for _ in range(_PARTS):
            self._until_done()
            self._send(service, self._people(), letters // _PARTS)
            self._until_done()
            self._clock.advance(timedelta(hours=24 / _PARTS))
        self._until_done()
        self._received += sum(1 for each in (self._folder / "mail").glob("*/new/*"))
        shutil.rmtree(self._folder / "mail")

    def _people(self) -> list[list[Writer]]:
        """Who writes to each match, by the addresses of the turn that is open."""
        with house(self._path, self._clock.now()) as office:
            return [writers(office, f"m{number}") for number in range(_MATCHES)]

    def _send(self, service: Served, people: Sequence[Sequence[Writer]], letters: int) -> None:
        """Some letters by each connection, as a mail server does that does not keep one for ever."""
        for begin in range(0, letters, _A_CONNECTION):
            with smtplib.SMTP("127.0.0.1", service.port, local_hostname="soak.example", timeout=60) as smtp:
                for _ in range(min(_A_CONNECTION, letters - begin)):
                    round, match = divmod(self._sent, _MATCHES)
                    writer = people[match][round % len(people[match])]
                    raw = letter(writer, self._sent, self._lines(match, writer))
                    smtp.sendmail(writer.address, [writer.recipient], raw)
                    self._sent += 1

    def _lines(self, match: int, writer: Writer) -> Sequence[str]:
        if game_of(match) == "newworld" and self._sent % 3:
            return order_lines(writer.others, self._sent)
        return _BESIDES[self._sent // _MATCHES % len(_BESIDES)]

    def _until_done(self) -> None:
        """Wait until every letter is handled, every deadline kept and every letter sent."""
        began = time.monotonic()
        while self._left():
            if time.monotonic() - began > _PATIENCE:
                raise RuntimeError(f"{self._left()} things are not done")
            time.sleep(0.05)

    def _left(self) -> int:
        """Letters that came and are not done, alarms that are due, letters not sent, letters in the mailbag."""
        now = (self._clock.now() - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as db:
            (came,) = db.execute("SELECT count(*) FROM letter_in WHERE status <> 'new'").fetchone()
            (due,) = db.execute("SELECT count(*) FROM alarm WHERE due_at <= ?", (now,)).fetchone()
            (unsent,) = db.execute("SELECT count(*) FROM letter_out WHERE status = 'queued'").fetchone()
        return int(self._earlier + self._sent - came + due + unsent)


def _resident(pid: int) -> int:
    """Kilobytes of a process; what several share is shared out among them."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    (line,) = (line for line in rollup.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1])


def _handles(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def _slope(figures: Sequence[float]) -> float:
    """Growth a step, by least squares."""
    middle = (len(figures) - 1) / 2
    mean = sum(figures) / len(figures)
    return sum((place - middle) * (figure - mean) for place, figure in enumerate(figures)) / sum(
        (place - middle) ** 2 for place in range(len(figures))
    )
