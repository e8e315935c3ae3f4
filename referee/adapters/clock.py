"""Clocks: the system's, and one that another process turns through a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.adapters.files import write_whole
from referee.service.base.ports import Uptime


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} names no time zone")
    return moment.astimezone(UTC)


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        return datetime.now(UTC)


_KERNEL = Path("/proc")


def uptime() -> Uptime | None:
    """What Linux counts of itself, sleep included, whatever its clock says; None on a machine that does not tell."""
    try:
        boot = (_KERNEL / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return Uptime(boot, float((_KERNEL / "uptime").read_text("ascii").split()[0]))
    except (OSError, ValueError, IndexError):
        return None


class FileClock:
    """A clock whose time stands in a file as ISO 8601 text, so that a demo can turn the clock of a running service.

    `now` raises FileNotFoundError without the file, ValueError when the file holds no moment with a time zone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> datetime:
        """The moment in the file, UTC, aware."""
        return _aware(datetime.fromisoformat(self.path.read_text("ascii").strip()))

    def set(self, moment: datetime) -> None:
        """Write a moment, so that every reader sees the old or the new one."""
        write_whole(self.path, _aware(moment).isoformat().encode() + b"\n")

    def advance(self, delta: timedelta) -> datetime:
        """Turn it on (or back) by so much; the new moment."""
        moment = self.now() + delta
        self.set(moment)
        return moment
