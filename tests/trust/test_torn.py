"""A service whose machine fails it: no descriptor is free, a table breaks while it runs."""

from __future__ import annotations

import resource
import smtplib
import socket
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from tests.kill.running import Running
from tests.service.conftest import GINA
from tests.torn import tear

REFEREE = "referee@games.example"


def log_of(service: Running) -> str:
    return (service.folder / "stderr").read_text()


def answer(service: Running) -> int:
    """What a letter to the referee is answered at RCPT."""
    with smtplib.SMTP("127.0.0.1", service.port, local_hostname="players.example", timeout=30) as smtp:
        smtp.ehlo()
        smtp.mail(GINA)
        return smtp.rcpt(REFEREE)[0]


def test_a_service_without_free_descriptors_says_so_once_and_recovers(service: Running) -> None:
    pid = service.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    used = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    with ExitStack() as held:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 4, before[1]))
        for _ in range(12):
            held.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=30))
        service.until("a word about it", lambda: "socket.accept()" in log_of(service))
    assert answer(service) == 250
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    assert log_of(service).count("socket.accept() out of system resource") == 1
    assert len(log_of(service)) < 20_000


def test_a_table_that_breaks_while_the_service_runs_puts_letters_off_and_floods_no_log(service: Running) -> None:
    file = service.folder / "var" / "referee.sqlite"
    with closing(sqlite3.connect(file, timeout=30)) as db, db:
        service.until("all of it in one file", lambda: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
        tear(file, "letter_in")
        # What others remember is old now.
        db.execute("INSERT INTO note (match, seat, name, value) VALUES ('', '', 'x', '')")
    # The first letter meets it: it stays in the mailbag, and no other is taken.
    service.send(GINA, REFEREE, f"From: {GINA}\r\nMessage-ID: <1@x>\r\n\r\nGAMES\r\n".encode())
    service.until("letters put off", lambda: answer(service) == 451)
    said = len(log_of(service))
    assert [answer(service) for _ in range(30)] == [451] * 30
    assert log_of(service).count("database disk image is malformed") <= 4
    assert len(log_of(service)) - said < 2000
    assert service.process.poll() is None and service.in_the_bag() == 1
