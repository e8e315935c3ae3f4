"""The real service as a process of its own, with the shipped fake clock, in a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from io import BufferedReader
from pathlib import Path

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.outgoing.postman import mailbox
from referee.adapters.processes.supervisor import Branch, branch_off
from referee.demo.client import MailClient, Server

ADDRESS = "referee@games.example"
START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_LISTENS = re.compile(r"takes letters on (\S+):(\d+)")
_PATIENCE = 120.0
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
    """A folder with settings, a clock that can be turned, and the service's process while it runs.

    The service and the commands are processes forked from this one, which has loaded all they need; `main` is the program.
    """

    def __init__(self, folder: Path, main: Callable[[], None]) -> None:
        self.folder = folder
        self._main = main
        self.config = folder / "config.toml"
        self.clock = FileClock(folder / "clock")
        self.process: Branch | None = None
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
        log = self.folder / "service.log"
        self.process = branch_off(
            partial(_command, self._main, ("serve", "--config", str(self.config)), self.folder, log)
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline().decode()
        if (found := _LISTENS.search(said)) is None:
            last = (log.read_text("utf-8").strip().splitlines() or ["it said nothing"])[-1]
            raise HouseTrouble(f"The service did not start: {last}")
        self.server = Server(found[1], int(found[2]))

    def stop(self) -> None:
        """End the service in good order, and for good if it does not end."""
        if self.process is None:
            return
        pid = self.process.pid
        os.kill(pid, signal.SIGTERM)
        for_good = threading.Timer(_PATIENCE, os.kill, (pid, signal.SIGKILL))
        for_good.start()
        self.process.wait()
        for_good.cancel()
        self.process = None

    def client(self, name: str, address: str) -> MailClient:
        """Somebody with a mailbox here."""
        return MailClient(name, address, mailbox(self.folder / "mail", address), self.server, self.clock.now)

    def run(self, *words: str, cwd: Path | None = None) -> tuple[int, str]:
        """Run `referee` with these words to its end: its exit code and all it printed."""
        process = branch_off(partial(_command, self._main, words, cwd or Path.cwd(), None))
        assert process.stdout is not None
        said = process.stdout.read().decode().strip()
        return process.wait(), said


def _command(main: Callable[[], None], words: Sequence[str], folder: Path, log: Path | None, _: BufferedReader) -> None:
    """The life of a process: `referee` with these words in a folder, what goes wrong told to a log or with the rest."""
    if log is None:
        os.dup2(1, 2)
    else:
        with log.open("ab") as errors:
            os.dup2(errors.fileno(), 2)
    os.chdir(folder)
    sys.argv = ["referee", *words]
    try:
        main()
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(ended.code if isinstance(ended.code, int) else ended.code is not None)


@contextmanager
def run_referee(folder: Path, main: Callable[[], None]) -> Iterator[House]:
    """The service running in a folder; ended when the block is left, however that comes about."""
    house = House(folder, main)
    house.furnish()
    try:
        house.start()
        yield house
    finally:
        house.stop()
