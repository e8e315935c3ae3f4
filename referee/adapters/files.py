"""Files of ours: written whole or not at all, who may read them, and what keeps one from being used."""

from __future__ import annotations

import ctypes
import errno
import os
import pwd
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.service.base.ports import NotNow


def write_whole(path: Path, data: bytes, by_way_of: Path | None = None, public: bool = False) -> None:
    """Write durably by way of a temporary file that takes the name at the end; folders are made as needed.

    A `public` file may be read by everybody on this machine, whatever the umask.
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
# Nobody else on this machine, whatever the umask. A file that is open to others is closed.


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

    The files in a folder below that was closed were out of others' reach, and are not looked at: there may be a million
    letters. Files of somebody else, and a folder that is everybody's such as /tmp, stay as they are.
    """
    return sum(_close(path) for top in paths for path in (top, *_found_in(top)) if left_open(path))


def _found_in(folder: Path) -> Iterator[Path]:
    """The content of a folder, and of those below it that are open; each before its own content."""
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


# ---------------------------------------------------------------- what keeps one from being used
# Obstacles to the use of a file, a folder or a database: one sentence for the keeper of the machine.


class Unusable(Exception):
    """Something cannot be used. The message is one sentence: what, why not, and what would be right."""


@contextmanager
def told(url: str) -> Iterator[None]:
    """Any refusal of the system or the database at this address is raised as Unusable meanwhile."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever reads our output has gone; nothing of ours is unusable
    except NotNow as error:
        raise Unusable(why_not(error.__cause__ if isinstance(error.__cause__, Exception) else error, url)) from error
    except Exception as error:
        if not isinstance(error, (OSError, sqlite3.Error)) and not _is_of_a_database(error):
            raise
        raise Unusable(why_not(error, url)) from error


def _is_of_a_database(error: Exception) -> bool:
    from sqlalchemy.exc import SQLAlchemyError  # it takes a third of a second to load, and most commands end well

    return isinstance(error, SQLAlchemyError)


def why_not(error: Exception, url: str) -> str:
    """The sentence for what the system or the database said."""
    if isinstance(error, OSError):
        return _of_system(error)
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    beneath = _beneath(error)
    if isinstance(beneath, sqlite3.Error):
        return _of_sqlite(beneath, make_url(url).database or "")
    if isinstance(error, ArgumentError):
        return '[database] url is no address of a database; write one such as "sqlite:///var/referee.sqlite".'
    shown, said = make_url(url).render_as_string(hide_password=True), " ".join(str(beneath).split()).rstrip(".?")
    return f"The database {shown} cannot be used: {said}. Start its server, or mend [database] url."


def is_torn(error: BaseException) -> bool:
    """Whether SQLite found the database itself damaged, which no second attempt mends."""
    return _name(_beneath(error)).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def _beneath(error: BaseException) -> BaseException:
    """The driver's own words, without those that SQLAlchemy writes around them."""
    beneath = getattr(error, "orig", None)
    return beneath if isinstance(beneath, BaseException) else error


def _name(error: BaseException) -> str:
    return str(getattr(error, "sqlite_errorname", ""))


_FULL = "the disk is full. Make room and try again"
_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: "the file system can only be read. Name a place that can be written (ReadWritePaths of a systemd unit)",
    errno.ENOENT: "it is not there. Make it, or name another in the settings",
    errno.ENOTDIR: "something on the way to it is no folder. Name another place in the settings",
    errno.EEXIST: "something else is in its place. Move that away, or name another place in the settings",
    errno.EISDIR: "it is a folder. Name a file in the settings",
}


def _of_system(error: OSError) -> str:
    what = error.filename if isinstance(error.filename, str) else ""
    said = _SYSTEM.get(error.errno or 0) or error.strerror or str(error)
    return f"{what or 'A file'} cannot be used: {said}.{_whose(Path(what)) if _forbidden(error) else ''}"


def _forbidden(error: OSError) -> bool:
    return error.errno in (errno.EACCES, errno.EPERM)


_SQLITE = {
    "SQLITE_NOTADB": "it is no SQLite database. Name the right file with [database] url, or restore your last backup",
    "SQLITE_CORRUPT": "it is damaged. Stop the service and restore your last backup; referee doctor says what is broken",
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": "the disk does not read or write it, or is full",
    "SQLITE_BUSY": "another program keeps it locked. End that program (fuser names it) and try again",
}
_WITHHELD = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")


def _of_sqlite(error: sqlite3.Error, path: str) -> str:
    withheld = _name(error).startswith(_WITHHELD)
    if withheld and only_read(Path(path)):
        right = "Nothing is wrong with it by that: look after the disk, and mount it for writing again"
        return f"The database {path} cannot be opened for writing: its file system is read-only. {right}."
    said = next((said for name, said in _SQLITE.items() if _name(error).startswith(name)), str(error))
    whose = _whose(Path(path)) if withheld else ""
    return f"The database {path} cannot be used: {said}.{whose}"


def _whose(path: Path) -> str:
    """The user who may use a path that this one may not."""
    me, owner = os.geteuid(), _owner(path)
    if owner is None or owner == me:
        return " Let this user read and write it, and the folder it lies in."
    return f" It belongs to {_user(owner)} and this is {_user(me)}: run this as {_user(owner)}."


def _owner(path: Path) -> int | None:
    """The owner of a path, or of the nearest folder above it that can be looked at."""
    for place in (path, *path.parents):
        try:
            return place.stat().st_uid
        except OSError:
            continue
    return None


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
