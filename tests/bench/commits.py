"""P8: what one handled letter writes, in one durable step of the store, next to the same rows by the bare driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.core.record import Entry
from referee.service.base.office import Office
from referee.service.base.ports import Alarm, LetterIn, LetterOut, Step
from referee.service.intake.inbox import handle
from tests.bench.databases import Bare, bare, copied, thrown_away
from tests.bench.house import Writer, begun, copy_of, house, house_copied, put, writers
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.sheets import letter, order_lines


@dataclass(frozen=True)
class _Written:
    """What one letter wrote: an entry of the log, an alarm, a receipt, and the mark that it was handled."""

    row: LetterIn
    entry: Entry
    alarm: Alarm
    receipt: LetterOut


def _rows(office: Office, people: list[Writer], count: int) -> list[LetterIn]:
    chosen = [people[number % len(people)] for number in range(count)]
    return [put(office, f"bench:{n}", w, letter(w, n, order_lines(w.others, n))) for n, w in enumerate(chosen)]


def letters_waiting(path: Path, count: int) -> list[LetterIn]:
    """A database with letters that wait; one letter for each seat on turn, so that each writes the same kinds of rows."""
    with house(path) as office:
        begun(office, count)
        people = [writers(office, f"m{number}")[0] for number in range(count)]
        return _rows(office, people, count)


@contextmanager
def letters_handled(folder: Path, size: Size) -> Iterator[Pair]:
    """The whole of it: read, bound, answered and committed, one letter after the other."""
    template = folder / "handled.sqlite"
    rows = letters_waiting(template, size.commits)

    def own() -> Sample:
        with house_copied(template, folder) as office, timed() as watch:
            for row in rows:
                handle(office, row)
        return watch.rate(len(rows))

    yield Pair(own)


@contextmanager
def letter_commits(folder: Path, size: Size) -> Iterator[Pair]:
    """The writing alone: the rows are what the referee wrote when it handled such letters."""
    template = folder / "commits.sqlite"
    rows = letters_waiting(template, size.commits)
    with house_copied(template, folder) as office:
        written = [_handled(office, row) for row in rows]
        with bare(copy_of(template, folder)) as db:
            stored = [_stored(db, what) for what in written]

    def own() -> Sample:
        with house_copied(template, folder) as office:
            with office.store.step() as step:
                step.next_alarm()  # the connection is opened before the clock runs
            with timed() as watch:
                for what in written:
                    with office.store.step() as step:
                        _store(step, what)
        return watch.rate(len(written))

    yield Pair(own, lambda: _bare(template, folder, stored))


def _handled(office: Office, row: LetterIn) -> _Written:
    handle(office, row)
    with office.store.look() as step:
        done = step.letter(row.id)
        assert done is not None  # it was there before
        entry = step.last_entry(done.match)
        (alarm,) = (a for a in step.alarms(done.match) if a.kind == "mind")
        receipt = step.outgoing(done.match)[-1]
    assert entry is not None  # the match has begun
    return _Written(done, entry, alarm, receipt)


def _store(step: Step, what: _Written) -> None:
    step.append([what.entry])
    step.set_alarm(what.alarm)
    step.post(what.receipt)
    step.finish_letter(what.row.id, what.row.status, what.row.verdict, what.row.match, f"logical {what.row.id}")


_Stored = tuple[Sequence[object], ...]
_STATEMENTS = (
    f"INSERT INTO entry VALUES ({', '.join('?' * 9)})",
    f"INSERT INTO alarm VALUES ({', '.join('?' * 6)})",
    f"INSERT INTO letter_out VALUES ({', '.join('?' * 13)})",
    f"INSERT INTO letter_out_raw VALUES ({', '.join('?' * 4)})",
    "UPDATE letter_in SET status = ?, verdict = ?, match = ?, logical = ? WHERE id = ?",
)


def _bare(template: Path, folder: Path, rows: list[_Stored]) -> Sample:
    """The same rows by the driver alone: one BEGIN and one COMMIT a letter."""
    path = folder / "bare.sqlite"
    copied(template, path)
    with bare(path) as db, timed() as watch:
        for row in rows:
            db.run("BEGIN")
            for statement, values in zip(_STATEMENTS, row, strict=True):
                db.run(statement, values)
            db.run("COMMIT")
    thrown_away(path)
    return watch.rate(len(rows))


def _stored(db: Bare, what: _Written) -> _Stored:
    """What the letter wrote, as it lies in the tables."""
    return (
        db.run("SELECT * FROM entry WHERE match = ? AND seq = ?", (what.entry.match, what.entry.seq)).fetchone(),
        db.run("SELECT * FROM alarm WHERE match = ? AND kind = 'mind'", (what.entry.match,)).fetchone(),
        db.run("SELECT * FROM letter_out WHERE id = ?", (what.receipt.id,)).fetchone(),
        db.run("SELECT * FROM letter_out_raw WHERE letter = ?", (what.receipt.id,)).fetchone(),
        db.run("SELECT status, verdict, match, logical, id FROM letter_in WHERE id = ?", (what.row.id,)).fetchone(),
    )
