"""Writing a file, or a folder of them, so that a reader, or the next start after a crash, sees the old one or the new one, never
half of one."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path


def write_whole(path: Path, data: bytes, by_way_of: Path | None = None, public: bool = False) -> None:
    """Write durably by way of a temporary file that takes the name at the end; folders are made as needed.

    What is `public` everybody on this machine may read, whatever the umask.
    """
    make_folder(path.parent, public)
    temporary = by_way_of or path.with_name(f".{path.name}.{os.getpid()}.part")
    with temporary.open("wb") as file:
        if public:
            os.fchmod(file.fileno(), 0o644)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Make a file, or a folder's list of names, durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path, public: bool = False) -> None:
    """Make a folder and those above it, durably; the rights of those that are there stay as they are."""
    if not folder.is_dir():
        make_folder(folder.parent, public)
        folder.mkdir(exist_ok=True)
        if public:
            folder.chmod(0o755)
        sync(folder.parent)


_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of Linux."""


def exchange(new: Path, old: Path) -> None:
    """Give a folder and another beside it each other's names, in one step.

    Where the system has no such step the old one has no name for a moment.
    """
    swap = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if swap is None or swap(_HERE, os.fsencode(new), _HERE, os.fsencode(old), _EXCHANGE):
        aside = new.with_name(f"{new.name}.old")
        old.rename(aside)
        new.rename(old)
        aside.rename(new)
    sync(old.parent)


def only_read(path: Path) -> bool:
    """Whether the file system of a path can only be read, so that nobody writes there."""
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    return bool(os.statvfs(there).f_flag & os.ST_RDONLY)


def to_look_into(database: Path) -> str:
    """The address by which a SQLite file is looked into, and no byte of it is changed.

    On a file system that can only be read the files beside it cannot be made; where there is nothing in its write-ahead log
    nobody needs them there.
    """
    log = Path(f"{database}-wal")
    still = only_read(database) and not (log.exists() and log.stat().st_size)
    return f"{database.absolute().as_uri()}?mode=ro{'&immutable=1' if still else ''}"
