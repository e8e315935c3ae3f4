"""Whoever started us hears how we are, by a real socket; where nobody did, nothing is said and nothing fails."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapters.processes.supervisor import Supervisor


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[socket.socket]:
    """Where systemd would listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        end.settimeout(10)
        yield end


def test_each_word_is_a_datagram(heard: socket.socket) -> None:
    supervisor = Supervisor({"NOTIFY_SOCKET": heard.getsockname()})
    assert supervisor.there
    supervisor.ready()
    assert heard.recv(999).startswith(b"READY=1\n")
    supervisor.alive()
    assert heard.recv(999) == b"WATCHDOG=1"
    supervisor.reloading()
    first, second, _ = heard.recv(999).split(b"\n")
    assert first == b"RELOADING=1" and int(second.removeprefix(b"MONOTONIC_USEC=")) > 0
    supervisor.says("two\nlines")
    assert heard.recv(999) == b"STATUS=two lines"
    supervisor.stopping()
    assert heard.recv(999).startswith(b"STOPPING=1\n")


def test_a_socket_without_a_place_in_the_file_system_is_spoken_to_as_well() -> None:
    name = f"referee-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(f"\0{name}")
        end.settimeout(10)
        Supervisor({"NOTIFY_SOCKET": f"@{name}"}).alive()
        assert end.recv(999) == b"WATCHDOG=1"


def test_where_nobody_looks_after_us_nobody_is_told(tmp_path: Path) -> None:
    nobody = Supervisor({})
    nobody.ready()
    assert not nobody.there and nobody.patience is None
    Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready()


@pytest.mark.parametrize(
    ("environment", "patience"),
    [
        ({"WATCHDOG_USEC": "60000000"}, 60.0),
        ({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": str(os.getpid())}, 1.5),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_how_long_a_sign_of_life_is_waited_for(environment: dict[str, str], patience: float | None) -> None:
    assert Supervisor(environment).patience == patience
