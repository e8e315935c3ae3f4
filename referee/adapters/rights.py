"""Who may read what we write: nobody else on this machine, whatever the umask. What is open already is closed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

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
