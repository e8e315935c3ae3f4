"""What every server in these tests needs: free ports, a folder others may enter, and waiting for something to be so."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import pytest

from tests.bench.mail_server import free_ports, lacking, listening, open_folder
from tests.needed import left_out

__all__ = ["eventually", "free_ports", "listening", "needs", "open_folder"]

T = TypeVar("T")

_PATIENCE = 60.0
_PAUSE = 0.02


def needs(*programs: str) -> None:
    """Skip the test, or fail it where real servers are required, without these programs or without root."""
    left_out(lacking(*programs))


def eventually(what: str, found: Callable[[], T | None], patience: float = _PATIENCE) -> T:
    """The first true thing that is found. Fails after a while, saying what was waited for."""
    until = time.monotonic() + patience
    while not (now := found()):
        if time.monotonic() > until:
            pytest.fail(f"waited in vain for {what}")
        time.sleep(_PAUSE)
    return now
