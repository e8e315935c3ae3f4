"""A service with a match begun, for who kills parts of it or commands it from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kill.running import Running, match_begun


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """A service with a match begun, running."""
    running = Running(tmp_path / "running", match_begun(tmp_path / "template"))
    yield running
    running.kill()
    running.stop()
