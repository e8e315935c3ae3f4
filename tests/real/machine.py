"""What every server in these tests needs: free ports, a folder others may enter, and waiting for something to be so."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

from tests.bench.mail_server import free_ports, lacking, listening, open_folder

__all__ = ["eventually", "free_ports", "listening", "needs", "open_folder"]

T = TypeVar("T")

_PATIENCE = 60.0
_PAUSE = 0.02


def needs(*programs: str) -> None:
    """Skip the test, or fail it where real servers are required, without these programs or without root."""
    why = lacking(*programs)
    if why and os.environ.get("REFEREE_REAL") == "required":
        pytest.fail(why)
    elif why:
        pytest.skip(why)


def eventually(what: str, found: Callable[[], T | None], patience: float = _PATIENCE) -> T:
    """The first true thing that is found. Fails after a while, saying what was waited for."""
    until = time.monotonic() + patience
    while not (now := found()):
        if time.monotonic() > until:
            pytest.fail(f"waited in vain for {what}")
        time.sleep(_PAUSE)
    return now
