"""The real service as a process of its own, with the shipped fake clock, in a folder of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from referee.adapters.clock import FileClock
from referee.adapters.maildir import mailbox
from referee.demo.client import MailClient, Server

__all__ = ["ADDRESS", "HouseTrouble", "House", "START", "run_referee"]

ADDRESS = "referee@games.example"
START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_LISTENS = re.compile(r"takes letters on (\S+):(\d+)")
_PATIENCE = 30.0
_CONFIG = f"""\
# Written by `referee demo`. Everything lies in this folder; the time stands in the file "clock".
[referee]
name = "Referee"
address = "{ADDRESS}"
data = "."

[receive]
host = "127.0.0.1"
port = 0

[clock]
file = "clock"
scan_seconds = 0.1
"""


class HouseTrouble(Exception):
    """The service did not start, or a command failed to run. The message is one sentence."""


class House:
    """A folder with settings, a clock that can be turned, and the service's process while it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.clock = FileClock(folder / "clock")
        self.process: subprocess.Popen[bytes] | None = None
        self.server = Server("127.0.0.1", 0)

    def furnish(self) -> None:
        """Write the settings and set the clock, where there are none yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.config.exists():
            self.config.write_text(_CONFIG, "utf-8")
        if not self.clock.path.exists():
            self.clock.set(START)

    def start(self) -> None:
        """Start `referee serve` and wait until it takes letters. Raises HouseTrouble when it does not."""
        command = [sys.executable, "-m", "referee", "serve", "--config", str(self.config)]
        out, err = self.folder / "service.out", self.folder / "service.log"
        out.unlink(missing_ok=True)
        with out.open("wb") as said, err.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=log)
        self.server = self._listening(out, err)

    def _listening(self, out: Path, err: Path) -> Server:
        assert self.process is not None
        until = time.monotonic() + _PATIENCE
        while (found := _LISTENS.search(out.read_text("utf-8"))) is None:
            if self.process.poll() is not None or time.monotonic() > until:
                last = (err.read_text("utf-8").strip().splitlines() or ["it said nothing"])[-1]
                raise HouseTrouble(f"The service did not start: {last}")
            time.sleep(0.02)
        return Server(found[1], int(found[2]))

    def stop(self) -> None:
        """End the service in good order, and for good if it does not end."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def client(self, name: str, address: str) -> MailClient:
        """Somebody with a mailbox here."""
        return MailClient(name, address, mailbox(self.folder / "mail", address), self.server, self.clock.now)

    def run(self, *words: str, cwd: Path | None = None) -> tuple[int, str]:
        """Run `referee` with these words to its end: its exit code and all it printed."""
        command = [sys.executable, "-m", "referee", *words]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, check=False
        )
        return done.returncode, done.stdout.decode().strip()


@contextmanager
def run_referee(folder: Path) -> Iterator[House]:
    """The service running in a folder; ended when the block is left, however that comes about."""
    house = House(folder)
    house.furnish()
    try:
        house.start()
        yield house
    finally:
        house.stop()
