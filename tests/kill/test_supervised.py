"""The service under somebody who looks after it, as systemd does: by a real socket and real signals."""

from __future__ import annotations

import itertools
import os
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from referee.adapters.store.store import Store
from tests.bench.mail_server import free_ports
from tests.program import Program

SETTINGS = '[referee]\naddress = "{}"\n[receive]\nport = {}\n[clock]\nscan_seconds = 0.1\n'
PATIENCE = 30
USEC = 600_000
"""Without a sign of life for so many microseconds it is started again."""


class Supervised:
    """`referee serve` in a folder, and what it tells of itself; `whole` with an interpreter of its own."""

    def __init__(self, folder: Path, whole: bool = False) -> None:
        self.file = folder / "config.toml"
        (self.port,) = free_ports(1)
        self.file.write_text(SETTINGS.format("referee@games.example", self.port))
        self._end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._end.bind(str(folder / "notify"))
        self._end.settimeout(PATIENCE)
        told = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": str(USEC)}
        words, environment = ("serve", "--config", str(self.file)), {**os.environ, **told}
        with (folder / "stderr").open("ab") as errors:
            self.process = (
                subprocess.Popen([sys.executable, "-m", "referee", *words], env=environment, stderr=errors)
                if whole
                else Program(*words, env=environment, stderr=errors)
            )

    def hears(self, word: str) -> str:
        """The next message that begins with this word; those before it are passed over."""
        while True:  # until the socket's patience ends
            said = self._end.recv(4096).decode()
            if said.startswith(word):
                return said

    def forgets(self) -> None:
        """What it said by now is passed over."""
        self._end.setblocking(False)
        with suppress(BlockingIOError):
            while self._end.recv(4096):
                pass
        self._end.settimeout(PATIENCE)

    def greets(self) -> bytes:
        """What it answers to somebody who brings a letter."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as client:
            return client.noop()[1]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._end.close()


@contextmanager
def supervised_in(folder: Path, whole: bool = False) -> Iterator[Supervised]:
    """A service that has said that it is ready, ended at the end if it has not ended by then."""
    service = Supervised(folder, whole)
    try:
        service.hears("READY=1")
        yield service
    finally:
        service.close()


def test_it_tells_how_it_is_until_its_end(tmp_path: Path) -> None:
    with supervised_in(tmp_path) as supervised:
        assert supervised.greets()
        supervised.forgets()
        signs = [(supervised.hears("WATCHDOG=1"), time.monotonic())[1] for _ in range(4)]
        assert min(b - a for a, b in itertools.pairwise(signs)) < USEC / 1_500_000, "one that is late is not the end"

        # Settings that cannot be used change nothing, and it says so.
        supervised.file.write_text('[receive]\nport = "many"\n')
        supervised.process.send_signal(signal.SIGHUP)
        supervised.hears("RELOADING=1")
        supervised.hears("READY=1")
        said = supervised.hears("STATUS=works with its old settings")
        assert "[receive] port" in said and supervised.greets()

        supervised.process.terminate()
        supervised.hears("STOPPING=1")
        assert supervised.process.wait(PATIENCE) == 0


@pytest.mark.slow
def test_other_settings_are_read_in_the_same_process(tmp_path: Path) -> None:
    with supervised_in(tmp_path, whole=True) as supervised:
        before = supervised.port
        (supervised.port,) = free_ports(1)
        supervised.file.write_text(SETTINGS.format("referee@games.example", supervised.port))
        supervised.process.send_signal(signal.SIGHUP)
        supervised.hears("RELOADING=1")
        supervised.hears("READY=1")
        assert supervised.greets() and supervised.process.poll() is None
        with pytest.raises(OSError):
            smtplib.SMTP("127.0.0.1", before, timeout=1)
        supervised.process.terminate()
        supervised.hears("STOPPING=1")
        assert supervised.process.wait(PATIENCE) == 0


def test_a_receiver_that_hangs_is_no_sign_of_life(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'store'}")
    receiver = Receiver(Spool(store), lambda _: "yes", SystemClock(), Listening(port=0))
    assert not receiver.answers(0)
    receiver.start()
    assert receiver.answers(PATIENCE)
    hang, go_on = receiver._loop, threading.Event()
    assert hang is not None
    hang.call_soon_threadsafe(go_on.wait)
    assert not receiver.answers(0.01)
    go_on.set()
    assert receiver.answers(PATIENCE)
    receiver.stop()
    store.close()
    assert not receiver.answers(0)
