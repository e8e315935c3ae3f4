"""What a monitor hears at /healthz of a real service whose letters wait and whose desk hangs, until it goes on."""

from __future__ import annotations

import json
import os
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.kill.running import CONFIG, Running
from tests.real.machine import eventually, free_ports
from tests.service.conftest import GINA
from tests.watch import WATCH
from tests.world import BEGINS

LONG = timedelta(minutes=6)
"""Longer than [health] late_minutes."""


class Monitored(Running):
    """A service that answers monitors."""

    def __init__(self, folder: Path) -> None:
        (template := folder / "template").mkdir()
        (template / "config.toml").write_text(CONFIG)
        self.clock_of(template).set(BEGINS)
        (port,) = free_ports(1)
        self._url = f"http://127.0.0.1:{port}/healthz"
        super().__init__(folder / "running", template, f"[health]\nport = {port}\n")

    def health(self) -> tuple[int, Any]:
        """What a monitor is answered: the status, and what the JSON says."""
        try:
            with urllib.request.urlopen(self._url, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as unwell:
            with unwell:
                return unwell.code, json.load(unwell)

    def done(self) -> int:
        """Letters that were answered."""
        return int(self.health()[1].get("letters_in", {}).get("done", 0))

    def letter(self, number: int) -> None:
        """A letter, taken."""
        self.send(GINA, "referee@games.example", f"From: {GINA}\r\nMessage-ID: <{number}@x>\r\n\r\nGAMES\r\n".encode())


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Monitored]:
    monkeypatch.setenv(WATCH, str(tmp_path / "watch"))
    running = Monitored(tmp_path)
    yield running
    running.kill()
    running.buried()


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """A process that hangs meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def test_letters_that_wait_and_a_desk_that_hangs_are_told_until_it_goes_on(service: Monitored, tmp_path: Path) -> None:
    service.letter(1)
    eventually("the first letter answered", lambda: service.done() == 1 and service.health()[0] == 200)
    eventually("the mailbag empty", lambda: not service.in_the_bag())  # or the desk would hang with the lock of it
    with stopped(service.desk()):
        service.letter(2)
        code, said = service.health()
        assert (code, said["well"], said["wrong"], said["letters_waiting"]) == (200, True, [], 1), "nothing is late yet"

        service.clock.advance(LONG)
        code, said = service.health()
        waits = "1 letter came and waits for the desk, the oldest for 6 min: referee desk list names them."
        assert (code, said["well"], said["wrong"]) == (503, False, [waits])

        (tmp_path / "watch").write_text(str(LONG.total_seconds()))
        code, said = service.health()
        hangs = "Desk 1 has not looked for work for 6 min: the log says what keeps it; start the service anew."
        assert (code, said["well"], said["wrong"]) == (503, False, [hangs, waits])
    eventually("health", lambda: service.health()[0] == 200)
    assert service.done() == 2
