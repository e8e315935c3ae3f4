"""What keeps a file, a folder or a database from being used: one sentence for whoever keeps the machine."""

from __future__ import annotations

import errno
import os
import pwd
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.adapters.files import only_read
from referee.service.base.ports import NotNow


class Unusable(Exception):
    """Something cannot be used. The message is one sentence: what, why not, and what would be right."""


@contextmanager
def told(url: str) -> Iterator[None]:
    """Whatever the system or the database at this address refuses meanwhile is raised as Unusable."""
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
    """What the driver said, without what SQLAlchemy writes around it."""
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
    """Who may use a path that this user may not."""
    me, owner = os.geteuid(), _owner(path)
    if owner is None or owner == me:
        return " Let this user read and write it, and the folder it lies in."
    return f" It belongs to {_user(owner)} and this is {_user(me)}: run this as {_user(owner)}."


def _owner(path: Path) -> int | None:
    """Who owns a path, or the nearest folder above it that can be looked at."""
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
