"""The archive of a match as a folder of plain files that any web server, or none, can show."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from fcntl import LOCK_EX, flock
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from shutil import copy2, rmtree

from referee.adapters.files import exchange, make_folder, sync, write_whole
from referee.service.base.ports import Grown
from referee.service.match.open_log import LISTED, LOG, Listing, read_listed

ENGINE = "engine.json"
"""The mark that tells one engine from another; it is written last, so that a page that finds it finds all of it."""

_MAKING = ".making"
"""The folder, beside those of the matches, in which the next one of a match is made before it takes the place of the last."""

_BEGINNING = 200

_NOTHING: Mapping[str, bytes] = {}


def _size(path: Path) -> int:
    """In bytes; -1 for what is no file itself: nothing is added to what a link leads to."""
    return path.stat().st_size if path.is_file() and not path.is_symlink() else -1


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _longer(old: Path, new: Path, data: bytes) -> None:
    """A copy of a file with more at its end. Raises OSError where there is none, or a link."""
    if old.is_symlink():
        raise OSError(f"{old} is a link, and nothing is added to what it leads to")
    copy2(old, new)
    with new.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _plain(folder: Path, below: str = "") -> Iterator[str]:
    """The paths of all plain files in a folder; of many files each is looked at once."""
    with os.scandir(folder / below) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _plain(folder, f"{below}{entry.name}/")
            elif entry.is_file(follow_symlinks=False):
                yield f"{below}{entry.name}"


def _digests(new: Path, old: Path, paths: Iterable[str], changed: Collection[str]) -> dict[str, str]:
    """The digests of these files of a folder, by their paths; of those that did not change as the last list has them."""
    known = read_listed((old / LISTED).read_bytes())[1] if (old / LISTED).is_file() else {}
    return {
        path: (known.get(path) if path not in changed else None) or sha256((new / path).read_bytes()).hexdigest()
        for path in paths
        if path not in (LISTED, LOG)
    }


class Site:
    """Folders of plain files below one root, one for each match. `public`: other accounts of this machine may read them."""

    def __init__(self, root: Path, public: bool = False) -> None:
        self.root = root
        self._public = public
        self._grown: dict[str, Grown] = {}

    def publish(
        self,
        match: str,
        pages: Mapping[str, bytes],
        index: bytes,
        more: Mapping[str, bytes] = _NOTHING,
        grown: Grown | None = None,
        over: Collection[str] = (),
        listed: Listing | None = None,
    ) -> Path:
        """Write the pages that changed, and lay the whole folder in the place of the one that is there, in one step.

        A reader has all of the old one or all of the new. `more` goes to the end of files that are there, and `grown`
        tells how far they then go; files that are `over` go. `listed` writes the list of all files by their digests. Returns the
        index. Raises ValueError, before anything is
        written, for a path outside the match's folder; OSError where there is no file to add to, or a link.
        """
        folder, pages = self._inside(self.root, match), {**pages, "index.html": index}
        there = {path: self._inside(folder, path) for path in (*pages, *more)}
        added = {path: data for path, data in more.items() if data}
        changed = {path: data for path, data in pages.items() if not _holds(there[path], data)}
        self._grown.pop(match, None)
        if added or changed or over:
            self._lay(folder, changed, added, over, listed)
        if grown is not None:
            self._grown[match] = grown
        return folder / "index.html"

    def _lay(
        self,
        folder: Path,
        changed: Mapping[str, bytes],
        added: Mapping[str, bytes],
        over: Collection[str],
        listed: Listing | None,
    ) -> None:
        """An unchanged page lies in both folders as one file, so that a long match is not copied for a new page."""
        making = self.root / _MAKING
        make_folder(making, self._public)
        with_lock = os.open(making, os.O_RDONLY)
        try:
            flock(with_lock, LOCK_EX)  # a command may write the pages while the service does
            new = making / folder.name
            for left in making.iterdir():
                rmtree(left)
            make_folder(new, self._public)
            for path, data in changed.items():
                write_whole(new / path, data, public=self._public)
            for path, data in added.items():
                _longer(folder / path, new / path, data)
            fresh, gone = {*changed, *added}, {*over, LISTED}
            stays = (path for path in _plain(folder) if path not in fresh and path not in gone)
            kept = [*stays] if folder.is_dir() else []
            for below in {path.rpartition("/")[0] for path in kept}:
                make_folder(new / below, self._public)
            for path in kept:
                os.link(f"{folder}/{path}", f"{new}/{path}")
            if listed is not None:
                written = listed(_digests(new, folder, (*kept, *fresh), fresh))
                write_whole(new / LISTED, written, public=self._public)
            if folder.is_dir():
                exchange(new, folder)
                rmtree(new)
            else:
                new.rename(folder)
                sync(self.root)
        finally:
            os.close(with_lock)

    def grown(self, match: str) -> Grown | None:
        """How far the files go that only get longer; None where they are not as they were left, or were not written here."""
        found, folder = self._grown.get(match), self.root / match
        if found is None or any(_size(folder / name) != size for name, size in found.sizes.items()):
            return None
        return found

    def publish_home(self, pages: Mapping[str, bytes]) -> None:
        """Write the pages of the house that changed beside the folders of the matches. Raises ValueError as `publish` does."""
        self._write(self.root, pages)

    def lay_engine(self, engine: Traversable) -> None:
        """Lay the rules for the page on which one plays beside the matches, where this release carries others than lie there."""
        about = engine.joinpath(ENGINE)
        if not about.is_file():
            return
        there, marked = self.root / "engine" / ENGINE, about.read_bytes()
        if not (there.is_file() and there.read_bytes() == marked):
            files = {f"engine/{item.name}": item.read_bytes() for item in engine.iterdir() if item.is_file()}
            del files[f"engine/{ENGINE}"]
            self._write(self.root, {**files, f"engine/{ENGINE}": marked})

    def pages_of(self, match: str, dress: Mapping[str, bytes]) -> set[str]:
        """The turns of a match that are there already; none where they were made for another style sheet than this."""
        folder = self.root / match
        worn = all((folder / name).is_file() and (folder / name).read_bytes() == data for name, data in dress.items())
        return {path.name for path in folder.glob("turn-*.html")} if worn else set()

    def beginnings(self, match: str, folder: str) -> dict[str, bytes]:
        """How each file in a folder of a match begins, by its path."""
        found = {}
        for path in (self.root / match / folder).glob("*"):
            with path.open("rb") as file:
                found[f"{folder}/{path.name}"] = file.read(_BEGINNING)
        return found

    def kept(self, name: str) -> dict[str, bytes]:
        """The file of this name in the folder of every match that has one, by the match."""
        return {path.parent.name: path.read_bytes() for path in self.root.glob(f"*/{name}")}

    def there(self) -> set[str]:
        """The paths of the pages of players and of the fronts of matches."""
        found = (path for pattern in ("p/*.html", "*/index.html") for path in self.root.glob(pattern))
        return {path.relative_to(self.root).as_posix() for path in found}

    def _write(self, folder: Path, pages: Mapping[str, bytes]) -> None:
        targets = {self._inside(folder, path): data for path, data in pages.items()}
        for target, data in targets.items():
            if not _holds(target, data):
                write_whole(target, data, public=self._public)

    @staticmethod
    def _inside(folder: Path, path: str) -> Path:
        relative = PurePosixPath(path)
        if relative.is_absolute() or not relative.parts or ".." in relative.parts or "\\" in path:
            raise ValueError(f"{path!r} does not lie in the archive")
        return folder / relative
