"""C1 to C3: a house of many matches that all wait for a deadline: what a look at the clock, the memory and a start cost."""

from __future__ import annotations

import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from referee.service.intake.deadlines import scan
from referee.service.intake.downtime import beat
from tests.bench.house import ADDRESS, begun, house
from tests.bench.measure import Pair, Sample, Size

_LOOKS = 20
_PATIENCE = 60.0
_COPIES = """
INSERT INTO match (name, game, status, secret, options, settings, created_at, turn, trouble)
    SELECT 'm' || :n, game, status, secret, options, settings, created_at, turn, trouble FROM match WHERE name = 'm0';
INSERT INTO member (match, player, role, status, seat, wishes, number)
    SELECT 'm' || :n, player, role, status, seat, wishes, number FROM member WHERE match = 'm0';
INSERT INTO entry (match, seq, at, kind, payload, cause, previous, digest, hash)
    SELECT 'm' || :n, seq, at, kind, payload, cause, previous, digest, hash || :n FROM entry WHERE match = 'm0';
INSERT INTO alarm (match, kind, key, due_at, seat, payload)
    SELECT 'm' || :n, kind, key, due_at, seat, payload FROM alarm WHERE match = 'm0'
"""
"""The rows of a match that has begun, under another name; its log is not read here, so it is not sealed anew."""


@contextmanager
def _standing(folder: Path, size: Size) -> Iterator[Path]:
    """A database in which all matches have begun, each with a deadline of a day from now and its reminders."""
    path = folder / "standing.sqlite"
    with house(path, datetime.now(UTC)) as office:
        begun(office, 1)
    with closing(sqlite3.connect(path)) as db, db:
        for number in range(1, size.standing):
            for statement in _COPIES.split(";"):
                db.execute(statement, {"n": number})
    yield path


@contextmanager
def looks(folder: Path, size: Size) -> Iterator[Pair]:
    """What the service does every few seconds when nothing is due: the heartbeat, and the scan of all alarms."""
    with _standing(folder, size) as path, house(path, datetime.now(UTC)) as office:
        beat(office)

        def own() -> Sample:
            spent = []
            for _ in range(_LOOKS):
                began = time.perf_counter()
                beat(office)
                done = scan(office)
                spent.append(1000 * (time.perf_counter() - began))
                if done:
                    return Sample(spent[-1], faults=done, note="something was due that should not be")
            note = f"{size.standing:,} matches with {_counted(path):,} alarms, slowest look {max(spent):.1f} ms"
            return Sample(statistics.median(spent), note=note)

        yield Pair(own)


def _counted(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM alarm").fetchone()[0])


def memory_of_service(desks: int) -> Callable[[Path, Size], AbstractContextManager[Pair]]:
    """Resident memory of `referee serve` and its desks, at its highest until a desk has looked at all deadlines."""
    return lambda folder, size: _memory(folder, size, desks)


@contextmanager
def _memory(folder: Path, size: Size, desks: int) -> Iterator[Pair]:
    with _standing(folder, size) as path:

        def own() -> Sample:
            with served(folder, path, f"[desk]\nprocesses = {desks}\n") as service:
                megabytes = [_highest(pid) for pid in service.pids]
            return Sample(sum(megabytes), note=" + ".join(f"{figure:.0f}" for figure in megabytes) + " MB")

        yield Pair(own)


@contextmanager
def start_of_service(folder: Path, size: Size) -> Iterator[Pair]:
    """From the command `referee serve` until letters are taken and the desk has looked at all deadlines once."""
    with _standing(folder, size) as path:

        def own() -> Sample:
            with served(folder, path) as service:
                spent = sum(_processor_seconds(pid) for pid in service.pids)
                return Sample(service.came_up, note=f"{size.standing:,} matches, {spent:.1f} s of processor time")

        yield Pair(own)


@dataclass(frozen=True)
class Served:
    """A service that runs: its process and the port it takes letters at; `came_up` in so many seconds."""

    pid: int
    port: int
    came_up: float

    @property
    def pids(self) -> tuple[int, ...]:
        """It and its desks."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        desks = (int(child) for task in tasks for child in (task / "children").read_text("ascii").split())
        return (self.pid, *desks)


@contextmanager
def served(folder: Path, path: Path, more: str = "") -> Iterator[Served]:
    """A running service over a database, with more settings. Where its clock is turned by hand no desk's first look is awaited."""
    settings = folder / "config.toml"
    settings.write_text(
        f'[referee]\naddress = "{ADDRESS}"\ndata = "{folder}"\n[database]\nurl = "sqlite:///{path}"\n'
        f"[receive]\nport = 0\n{more}"
    )
    _forget_heartbeat(path)
    began = time.perf_counter()
    command = [sys.executable, "-m", "referee", "serve", "--config", str(settings)]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert service.stdout is not None
        said = service.stdout.readline()
        if "takes letters" not in said:
            raise RuntimeError("the service did not come up")
        while "[clock]" not in more and not _heart_beats(path):
            if time.perf_counter() - began > _PATIENCE:
                raise RuntimeError("the desk did not come up")
            time.sleep(0.01)
        yield Served(service.pid, int(said.rpartition(":")[2]), time.perf_counter() - began)
    finally:
        service.send_signal(signal.SIGTERM)
        try:
            service.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            service.kill()
            service.wait()
        if service.stdout is not None:
            service.stdout.close()


def _forget_heartbeat(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM note WHERE name = 'heartbeat'")


def _heart_beats(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT 1 FROM note WHERE name = 'heartbeat'").fetchone() is not None


def _processor_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _highest(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024
