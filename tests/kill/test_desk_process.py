"""The desk is a process of its own: killed alone it is started again, it does not outlive the service, and it is alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapters.turns import Turns
from tests.kill.running import CONFIG, Running
from tests.service.conftest import GINA, begin
from tests.world import World


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """A service with a match begun, running."""
    template = tmp_path / "template"
    (template / "var").mkdir(parents=True)
    (template / "config.toml").write_text(CONFIG)
    world = World(template / "var")
    Running.clock_of(template).set(world.clock.now())
    begin(world)
    world.close()
    running = Running(tmp_path / "running", template)
    yield running
    running.kill()
    running.stop()


def ask(service: Running, number: int) -> None:
    """A letter, handled before this returns."""
    service.send(GINA, "referee@games.example", f"From: {GINA}\r\nMessage-ID: <{number}@x>\r\n\r\nGAMES\r\n".encode())
    service.until("handled", lambda: not service.unhandled())


def ended(pid: int) -> bool:
    """Whether a process is gone, or only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def desk_of(service: Running) -> int:
    service.until("a desk", lambda: bool(service.desk()))
    return service.desk()


def test_a_desk_that_is_killed_is_started_again_and_goes_on(service: Running) -> None:
    ask(service, 0)
    first = desk_of(service)
    os.kill(first, signal.SIGKILL)
    ask(service, 1)
    assert desk_of(service) != first
    assert service.process.poll() is None
    assert "ended with code -9; it is started again" in (service.folder / "stderr").read_text()


def test_a_desk_ends_with_its_service_however_that_ends(service: Running) -> None:
    ask(service, 0)
    for ending in (signal.SIGKILL, signal.SIGTERM):
        desk = desk_of(service)
        os.kill(service.process.pid, ending)
        service.buried()
        Running.wait("the end of the desk", lambda desk=desk: ended(desk))
        service.start()
    ask(service, 1)


def test_a_second_desk_waits_until_the_first_is_gone(service: Running) -> None:
    ask(service, 0)
    lock = Turns(service.folder / "var" / "desk.lock")
    assert lock.is_taken()
    service.stop()
    assert not lock.is_taken()
    with lock.mine():
        service.start()
        ask_unheard(service)
        assert service.unhandled() == 1
    service.until("handled", lambda: not service.unhandled())
    lock.close()


def ask_unheard(service: Running) -> None:
    """A letter that is taken while no desk works."""
    service.send(GINA, "referee@games.example", b"Message-ID: <waits@x>\r\nFrom: gina@players.example\r\n\r\nGAMES\r\n")
