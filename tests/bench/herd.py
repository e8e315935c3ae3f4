"""P10: many deadlines due in one second, and a kill -9 in the middle. None may be lost and none may be done twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Self

from referee.core.question import Source
from referee.core.record import Answered, check_chain
from referee.service.base.office import Office
from referee.service.base.ports import Alarm, MatchRow
from referee.service.intake.deadlines import scan
from referee.service.match.playing import codec_of
from tests.bench.databases import bare, copied, server_of, thrown_away
from tests.bench.house import START, begun, house, house_copied
from tests.bench.measure import Pair, Sample, Size, timed

_AT_A_TIME = 10
_DUE = START + timedelta(hours=24)
_NOTED = "BEGIN INSERT INTO rung VALUES (old.match, old.key);"
_TRIGGER = (f"CREATE TRIGGER ringing AFTER DELETE ON alarm {_NOTED} END",)
_TRIGGER_ON_SERVER = (
    f"CREATE FUNCTION rings() RETURNS trigger LANGUAGE plpgsql AS $$ {_NOTED} RETURN NULL; END $$",
    "CREATE TRIGGER ringing AFTER DELETE ON alarm FOR EACH ROW EXECUTE FUNCTION rings()",
)
"""A witness in the same transaction: it sees every alarm that was done, and how often."""


@contextmanager
def claims(folder: Path, size: Size) -> Iterator[Pair]:
    """Alarms of matches that need nothing done: what it costs to find, check and clear each, durably, one commit each."""
    template = folder / "claims.sqlite"
    with house(template) as office, office.store.step() as step:
        for number in range(size.alarms):
            step.save_match(MatchRow(f"m{number}", "newworld", "forming", bytes(32), {}, {}, START))
            step.set_alarm(Alarm(f"m{number}", "deadline", "T1/orders", _DUE))

    def own() -> Sample:
        path = folder / "killed.sqlite"
        copied(template, path)
        _bear_witness(path)
        seconds = _killed_in_the_middle(path, size.alarms)
        with bare(path) as db:
            rung = Counter(db.run("SELECT match, key FROM rung").fetchall())
            left = db.run("SELECT count(*) FROM alarm").fetchone()[0]
        thrown_away(path)
        lost, twice = size.alarms - len(rung), sum(count > 1 for count in rung.values())
        note = f"{size.alarms:,} due in one second, kill -9 in the middle: {lost} lost, {twice} twice, {left} left over"
        return Sample(size.alarms / seconds, 0.0, lost + twice + left, note)

    yield Pair(own, lambda: _drained(template, folder, size.alarms))


def _bear_witness(path: Path) -> None:
    trigger = _TRIGGER_ON_SERVER if server_of(path.parent) else _TRIGGER
    with bare(path) as db:
        for statement in ("CREATE TABLE rung (match TEXT, key TEXT)", *trigger):
            db.run(statement)


_NEXT = "SELECT match, kind, key FROM alarm WHERE due_at <= ? ORDER BY due_at, match, kind, key LIMIT 100"
_OF_MATCH = "SELECT * FROM alarm WHERE match = ? ORDER BY due_at"
_CLEAR = "DELETE FROM alarm WHERE match = ? AND kind = ? AND key = ?"
_MATCH = "SELECT * FROM match WHERE name = ?"


def _drained(template: Path, folder: Path, count: int) -> Sample:
    """The same by the driver alone, with the same witness, nobody killed."""
    path = folder / "drained.sqlite"
    copied(template, path)
    _bear_witness(path)
    with bare(path) as db, timed() as watch:
        while due := db.run(_NEXT, (1 << 62,)).fetchall():
            for alarm in due:
                db.run("BEGIN")
                db.run(_OF_MATCH, alarm[:1]).fetchall()
                db.run(_CLEAR, alarm)
                db.run(_MATCH, alarm[:1]).fetchall()
                db.run("COMMIT")
    thrown_away(path)
    return watch.rate(count)


def _killed_in_the_middle(path: Path, count: int) -> float:
    """Have a process ring the alarms, kill it when half are done, have another finish; seconds both were ringing."""
    with _Ringer(path) as first:
        began = time.perf_counter()
        first.begin()
        done = 0
        while done < count // 2:
            done += first.some()
        first.kill()
        seconds = time.perf_counter() - began
    with _Ringer(path) as second:
        began = time.perf_counter()
        second.begin()
        while second.some():
            pass
        second.end()
    return seconds + time.perf_counter() - began


class _Ringer:
    """A process that does what is due, ten at a time, and says so after each ten; it begins on a word."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-m", "tests.bench.ringer", str(path), _DUE.isoformat()]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._line() != "ready":
            self.kill()
            raise RuntimeError("the ringer did not come up")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """However it came out, the process is not left behind."""
        self.kill()

    def begin(self) -> None:
        """Give the word."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def some(self) -> int:
        """Wait for the next ten; how many they were, 0 when nothing is due any more."""
        said = self._line()
        if not said:
            raise RuntimeError("the ringer died of itself")
        return int(said)

    def kill(self) -> None:
        """kill -9, in the middle of the next ten."""
        self._process.send_signal(signal.SIGKILL)
        self._ended()

    def end(self) -> None:
        """It ends by itself when nothing is due."""
        self._ended()

    def _ended(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.wait(60)
        self._process.stdout.close()
        self._process.stdin.close()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def herd(folder: Path, size: Size) -> Iterator[Pair]:
    """Whole turns: every match's deadline is due in the same second; adjudicated, reported and committed each."""
    template = folder / "herd.sqlite"
    with house(template) as office:
        begun(office, size.herd, reminders=False)

    def own() -> Sample:
        path = folder / "herd-killed.sqlite"
        copied(template, path)
        seconds = _killed_in_the_middle(path, size.herd)
        with house(path, _DUE) as office:
            lost, twice, broken = _counted(office)
        thrown_away(path)
        note = f"{size.herd} turns, kill -9 in the middle: {lost} lost, {twice} twice, {broken} logs broken"
        return Sample(size.herd / seconds, 0.0, lost + twice + broken, note)

    def undisturbed() -> Sample:
        with house_copied(template, folder, _DUE) as office, timed() as watch:
            while scan(office, _AT_A_TIME):
                pass
        return watch.rate(size.herd)

    yield Pair(own, undisturbed)


def _counted(office: Office) -> tuple[int, int, int]:
    """From the logs and the outbox: turns not played, turns played or reported twice, chains that do not hold."""
    lost = twice = broken = 0
    with office.store.look() as step:
        for row in step.matches():
            entries = step.entries(row.name)
            codec = codec_of(office.games[row.game])
            records = [codec.load(entry.payload) for entry in entries]
            closed = [r for r in records if isinstance(r, Answered) and r.source is Source.DEFAULT and r.late_by]
            reports = Counter(letter.recipient for letter in step.outgoing(row.name) if letter.kind == "report")
            lost += not closed or len(reports) != len(step.members(row.name))
            twice += len(closed) > 1 or any(count > 1 for count in reports.values())
            broken += check_chain(entries, row.secret) != entries[-1].hash
    return lost, twice, broken
