"""A service that goes by a watch which tests turn, as they turn its clock by a file: it is patient for minutes, and no test is.

By the watch a service knows when its desk was last heard; so that it can be asked at once again, its window keeps nothing.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

from referee.adapters import monitoring
from referee.bootstrap import service

WATCH = "WATCH_AHEAD"
"""Names, in the environment of a service, the file that says by how many seconds its watch is ahead."""


def go_by(file: Path) -> None:
    """From now on this process goes by a watch that is ahead by what the file says; by nothing where there is none."""

    def monotonic() -> float:
        return time.monotonic() + (float(file.read_text()) if file.exists() else 0.0)

    vars(service)["time"] = SimpleNamespace(monotonic=monotonic)
    vars(monitoring)["_SAME"] = 0.0
