"""The desk is a process of its own: killed alone it is started again, it does not outlive the service, and it is alone."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from referee.adapters.store.store import Turns
from tests.kill.running import Running
from tests.service.conftest import GINA


def letter(service: Running, number: int) -> None:
    """A letter, taken."""
    service.send(GINA, "referee@games.example", f"From: {GINA}\r\nMessage-ID: <{number}@x>\r\n\r\nGAMES\r\n".encode())


def ask(service: Running, number: int) -> None:
    """A letter, handled before this returns."""
    letter(service, number)
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


def twice(service: Running) -> None:
    """As an impatient keeper asks; a service that is gone by then is asked no more."""
    os.kill(service.process.pid, signal.SIGTERM)
    with suppress(ProcessLookupError):
        os.kill(service.process.pid, signal.SIGINT)


def together(service: Running) -> None:
    """As a terminal asks, the desk too."""
    os.killpg(service.process.pid, signal.SIGINT)


def suddenly(service: Running) -> None:
    os.kill(service.process.pid, signal.SIGKILL)


ENDINGS = {twice: 0, together: 0, suddenly: -signal.SIGKILL}


def test_a_desk_ends_with_its_service_however_that_ends_and_whatever_it_does(service: Running) -> None:
    """First while it starts, then while it has a letter in hand, which it finishes."""
    already = len(service.rows("SELECT 1 FROM letter_in"))
    for ending, code in ENDINGS.items():
        desk = desk_of(service)
        ending(service)
        gone(service, desk, code)
        service.start()
    ask(service, 0)
    for number, ending in enumerate((together, suddenly), 1):
        desk = desk_of(service)
        with Turns(service.folder / "var" / "referee.sqlite-turn").mine():
            letter(service, number)
            ending(service)
            assert not ended(desk)
        gone(service, desk, ENDINGS[ending])
        service.start()
    ask(service, 3)
    assert service.rows("SELECT status FROM letter_in") == [("done",)] * (already + 4)
    assert "started again" not in (service.folder / "stderr").read_text()


def gone(service: Running, desk: int, code: int) -> None:
    """The service ended with this code, and its desk with it."""
    service.buried()
    assert service.process.returncode == code
    Running.wait("the end of the desk", lambda: ended(desk))


def test_a_service_whose_desk_still_waits_for_an_earlier_one_ends_at_once(service: Running) -> None:
    service.stop()
    lock = Turns(service.folder / "var" / "desk.lock")
    with lock.mine():
        service.start()
        desk = desk_of(service)
        letter(service, 0)
        twice(service)
        gone(service, desk, 0)
    lock.close()
    service.start()
    service.until("handled", lambda: not service.unhandled())


def test_a_second_desk_waits_until_the_first_is_gone(service: Running) -> None:
    ask(service, 0)
    lock = Turns(service.folder / "var" / "desk.lock")
    assert lock.is_taken()
    service.stop()
    assert not lock.is_taken()
    with lock.mine():
        service.start()
        letter(service, 1)
        assert service.unhandled() == 1
    service.until("handled", lambda: not service.unhandled())
    lock.close()
