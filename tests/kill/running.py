"""The real service as a process of its own, that can be killed at any moment and started again."""

from __future__ import annotations

import os
import shutil
import signal
import smtplib
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.outgoing.postman import mailbox
from tests.program import Program
from tests.service.conftest import begin
from tests.standins import read_maildir
from tests.world import World

CONFIG = """
[referee]
address = "referee@games.example"
data = "var"
[receive]
port = 0
[clock]
file = "clock"
scan_seconds = 0.05
"""
_PATIENCE = 30.0
_UNHANDLED = "SELECT 1 FROM letter_in WHERE status = 'new'"
_UNSENT = "SELECT 1 FROM letter_out WHERE status = 'queued'"
_LEASE = timedelta(minutes=16)


def match_begun(folder: Path, database: str = "") -> Path:
    """A service's folder with a match begun in it, so that two services can play it with the same dice."""
    (folder / "var").mkdir(parents=True)
    (folder / "config.toml").write_text(CONFIG)
    world = World(folder / "var", database=database)
    FileClock(folder / "clock").set(world.clock.now())
    begin(world)
    world.close()
    return folder


class Killed(Exception):
    """The service died before it answered."""


class Running:
    """A service in a folder. What is awaited is polled for: a condition in the database or in a mailbox.

    `settings` are written below those of the template; `database` is the address of its database, where that is on a server.
    """

    def __init__(self, folder: Path, template: Path, settings: str = "", database: str = "") -> None:
        shutil.copytree(template, folder)
        self.folder = folder
        self._engine = create_engine(database, isolation_level="AUTOCOMMIT", poolclass=NullPool) if database else None
        more = f'{settings}[database]\nurl = "{database}"\n' if database else settings
        with (folder / "config.toml").open("a") as config:
            config.write(more)
        self.clock = self.clock_of(folder)
        self.kills = 0
        self.met: Counter[str] = Counter()
        """How many kills met what: work that was safe in the database and not yet done."""
        self.start()

    @staticmethod
    def clock_of(folder: Path) -> FileClock:
        """The clock by which the service of a folder lives."""
        return FileClock(folder / "clock")

    def start(self) -> None:
        """Start the service; returns when it takes letters."""
        with (self.folder / "stderr").open("ab") as errors:
            self.process = Program("serve", "--config", str(self.folder / "config.toml"), stderr=errors)
        said = self.process.stdout.readline()
        assert "takes letters on" in said, (self.folder / "stderr").read_text()
        self.port = int(said.rpartition(":")[2])

    def kill(self) -> None:
        """Kill -9 the service and its desk, at whatever they are doing."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def revive(self) -> None:
        """Start again after a kill; letters that were leased to the dead are tried again a quarter of an hour later."""
        self.buried()
        self.kills += 1
        self.met["a letter not yet handled"] += self.unhandled() > 0
        self.met["a letter not yet sent"] += self.unsent() > 0
        self.clock.advance(_LEASE)
        self.start()

    def stop(self) -> None:
        """End it in peace; it ends by itself, not because its time is up."""
        self.process.terminate()
        self.buried()
        assert self.process.returncode in (0, -signal.SIGKILL), (self.folder / "stderr").read_text()

    def desk(self) -> int:
        """The process at the desk; 0 while there is none."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        found = [int(pid) for path in children for pid in path.read_text().split()]
        return found[0] if found else 0

    def buried(self) -> None:
        """Wait for the end of the process."""
        self.process.wait()
        self.process.stdout.close()

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand in a letter; returns when it was acknowledged with 250. Raises Killed when it was not."""
        acknowledged = False
        try:
            with smtplib.SMTP("127.0.0.1", self.port, local_hostname="players.example", timeout=_PATIENCE) as smtp:
                smtp.sendmail(sender, [recipient], raw)
                acknowledged = True
        except (OSError, smtplib.SMTPException):
            if not acknowledged:  # a QUIT that meets a dead service takes nothing back
                self.met["a letter not acknowledged"] += 1
                raise Killed from None

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What the database holds, read beside the service."""
        if self._engine is None:
            return self._read("referee.sqlite", query)
        with self._engine.connect() as db:
            return [tuple(row) for row in db.execute(text(query))]

    def unhandled(self) -> int:
        """Letters acknowledged and not yet handled; one on its way from the mailbag may count twice, never as none."""
        return self.in_the_bag() + len(self.rows(_UNHANDLED))

    def in_the_bag(self) -> int:
        """Letters that lie in the mailbag."""
        return len(self._read("referee.sqlite-mailbag", "SELECT 1 FROM letter")) if self._engine is None else 0

    def unsent(self) -> int:
        """Letters that wait for the postman."""
        return len(self.rows(_UNSENT))

    def _read(self, name: str, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(f"file:{self.folder / 'var' / name}?mode=ro", uri=True, timeout=30)) as db:
            found = db.execute(query).fetchall()
        db.close()
        return found

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        """Poll for a condition. Raises Killed when the service dies meanwhile."""

        def holds_still() -> bool:
            if holds():
                return True
            if self.process.poll() is not None:
                raise Killed
            return False

        self.wait(f"{what} ({self.folder})", holds_still)

    @staticmethod
    def wait(what: str, holds: Callable[[], bool]) -> None:
        """Poll for a condition."""
        end, pause = time.monotonic() + _PATIENCE, 0.005
        while not holds():
            assert time.monotonic() < end, f"{what} did not come about"
            time.sleep(pause)
            pause = min(pause * 1.3, 0.05)  # to look costs more than a tenth of a processor, which others need

    def mail(self, address: str) -> list[Message]:
        """All letters in a player's mailbox, oldest first."""
        return [message_from_bytes(raw) for raw in read_maildir(mailbox(self.folder / "var" / "mail", address))]
