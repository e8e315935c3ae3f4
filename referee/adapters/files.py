"""Files of ours: written whole or not at all, and who may read them."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator
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


# ---------------------------------------------------------------- who may read what we write
# Nobody else on this machine, whatever the umask. What is open already is closed. Who may read what we write: nobody else on
# this machine, whatever the umask.


_OTHERS = 0o077


def keep_to_ourselves() -> None:
    """From now on this process, and those it starts, make folders 0700 and files 0600."""
    os.umask(_OTHERS)


def left_open(path: Path) -> bool:
    """Whether another account of this machine may do anything with a file or folder; False where there is none."""
    try:
        facts = path.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(facts.st_mode) and bool(facts.st_mode & _OTHERS)


def exposed(path: Path) -> bool:
    """Whether another account can reach a file or folder that is left open: not in a folder that is closed."""
    return left_open(path) and left_open(path.absolute().parent)


def close_to_others(*paths: Path) -> int:
    """Close files, and folders with what lies in them; how many were open.

    What lies in a folder below that was closed was out of others' reach, and is not looked at: there may be a million
    letters. What belongs to somebody else, and a folder that is everybody's such as /tmp, stays as it is.
    """
    return sum(_close(path) for top in paths for path in (top, *_found_in(top)) if left_open(path))


def _found_in(folder: Path) -> Iterator[Path]:
    """What lies in a folder, and in those below it that are open; each before what lies in it."""
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in [Path(entry.path) for entry in os.scandir(folder)]:
        was_open = left_open(path)
        if was_open:
            below = list(_found_in(path))
            yield path
            yield from below


def _close(path: Path) -> bool:
    facts = path.stat()
    if facts.st_uid != os.geteuid() or facts.st_mode & stat.S_ISVTX:
        return False
    path.chmod(stat.S_IMODE(facts.st_mode) & ~_OTHERS)
    return True
