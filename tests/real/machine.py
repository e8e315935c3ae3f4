"""What every server in these tests needs: free ports, a folder others may enter, and waiting for something to be so."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

__all__ = ["eventually", "free_ports", "listening", "needs", "open_folder"]

T = TypeVar("T")

_PATIENCE = 20.0
_PAUSE = 0.02


def needs(*programs: str) -> None:
    """Skip the test, or fail it where real servers are required, without these programs or without root."""
    absent = [program for program in programs if shutil.which(program) is None]
    why = f"not installed: {', '.join(absent)}" if absent else "root is needed" if os.geteuid() else ""
    if why and os.environ.get("REFEREE_REAL") == "required":
        pytest.fail(why)
    elif why:
        pytest.skip(why)


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports: list[int] = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that servers under other users may enter; its path is short, as paths of sockets must be."""
    folder = Path(tempfile.mkdtemp(prefix="referee-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def eventually(what: str, found: Callable[[], T], patience: float = _PATIENCE) -> T:
    """The first true thing that is found. Fails after a while, saying what was waited for."""
    until = time.monotonic() + patience
    while not (now := found()):
        if time.monotonic() > until:
            pytest.fail(f"waited in vain for {what}")
        time.sleep(_PAUSE)
    return now


def listening(port: int) -> bool:
    """Whether somebody answers on this port."""
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0
