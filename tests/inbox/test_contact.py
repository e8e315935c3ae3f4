"""The running service notes which of its mail servers it cannot reach, of those that its settings name and no others."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.bootstrap.service import Service
from referee.config import read
from referee.service.base.note_values import Loss
from referee.service.base.ports import LetterIn
from referee.service.match.suspension import losses
from tests.real.machine import eventually
from tests.service.conftest import ANNA
from tests.world import ADDRESS

MAILBOX = '[imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "referee"\npassword = "p"\n'
QUICK = "retry_first_seconds = 0.05\nretry_longest_seconds = 0.1\n"
RELAY = '[send]\nmethod = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
LETTER = f"From: {ANNA}\r\nTo: {ADDRESS}\r\nMessage-ID: <1@x.example>\r\n\r\nGAMES\r\n".encode()


@pytest.fixture
def port() -> Iterator[int]:
    """A port where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@contextmanager
def running(folder: Path, more: str) -> Iterator[Service]:
    text = f'[referee]\naddress = "{ADDRESS}"\n[receive]\nport = 0\n[clock]\nscan_seconds = 0.1\n{more}'
    service = Service(read(text, folder))
    service.start()
    try:
        yield service
    finally:
        service.stop()


def noted(service: Service) -> dict[str, Loss]:
    with service.office.store.look() as step:
        return losses(step)


def why(service: Service, kind: str) -> str:
    loss = noted(service).get(kind)
    return loss.why if loss else ""


def put(service: Service) -> None:
    with service.office.store.step() as step:
        step.receive([LetterIn(0, "t1", service.office.clock.now(), ANNA, ADDRESS, LETTER)])


def test_a_mailbox_that_is_not_there_is_noted_until_the_settings_name_it_no_more(tmp_path: Path, port: int) -> None:
    with running(tmp_path, MAILBOX.format(port=port) + QUICK) as service:
        assert "refused" in eventually("a reason", lambda: why(service, "mailbox"))
        assert noted(service)["mailbox"].server == "the mailbox referee@127.0.0.1"
    with running(tmp_path, "") as service:
        eventually("nothing to wait for", lambda: not noted(service))


def test_a_relay_that_is_not_there_is_noted_from_the_first_letter_that_cannot_go(tmp_path: Path, port: int) -> None:
    with running(tmp_path, RELAY.format(port=port)) as service:
        assert noted(service) == {}
        put(service)
        assert str(port) in eventually("a reason", lambda: why(service, "relay"))
        assert noted(service)["relay"].server == f"the relay 127.0.0.1:{port}"


def test_where_the_time_is_read_from_a_file_nothing_is_measured(tmp_path: Path, port: int) -> None:
    (tmp_path / "now").write_text("2026-11-21T12:00:00+00:00\n")
    with running(tmp_path, f'file = "now"\n{RELAY.format(port=port)}{MAILBOX.format(port=port)}{QUICK}') as service:
        put(service)

        def tried() -> bool:
            with service.office.store.look() as step:
                return any(out.attempts for out in step.outgoing(""))

        eventually("an attempt", tried)
        assert noted(service) == {}
