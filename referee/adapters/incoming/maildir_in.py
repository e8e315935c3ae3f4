"""Letters in from a Maildir, where a local delivery program such as procmail lays them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from referee.adapters.files import make_folder, sync
from referee.adapters.incoming.arrival import Again, Desk, Put, left_behind, store_each
from referee.adapters.processes.worker import Worker
from referee.mail.headers import HEAD_LIMIT, head_of
from referee.service.base.ports import Clock, LetterIn

_log = logging.getLogger(__name__)
_BATCH = 100


class MaildirReader:
    """Takes letters from new/, stores them, and moves them to cur/ marked as seen. Makes the Maildir if need be."""

    def __init__(
        self,
        box: Path,
        desk: Desk,
        clock: Clock,
        put: Put,
        rest_seconds: float,
        file_dates: bool = True,
        again: Again | None = None,
    ) -> None:
        self._box = box.resolve()
        self._desk = desk
        self._clock = clock
        self._put = put
        self._file_dates = file_dates
        self._again = again or Again()
        self._worker = Worker("maildir", self.collect, rest_seconds)

    def start(self) -> None:
        """Begin to look for letters, in a thread of its own. Raises OSError when the folder cannot be made."""
        for part in ("tmp", "new", "cur"):
            make_folder(self._box / part)
        self._worker.start()

    def stop(self) -> None:
        """Finish the batch under way and end."""
        self._worker.stop()

    def collect(self) -> int:
        """Take up to a hundred letters; how many were stored and moved."""
        if (since := self._again.since()) is not None:
            self._read_again(since)
        safe = store_each(self._put, dict(islice(self._rows(), _BATCH)))
        for file in safe:
            self._mark(file)
        if safe:
            sync(self._box / "cur")
        return len(safe)

    def _read_again(self, since: datetime) -> None:
        """Store once more what was moved to cur/ since then: whoever moved it may have lost it.

        Raises OSError where some of it could not be stored.
        """
        found = ((file, file.stat()) for file in sorted((self._box / "cur").iterdir()))
        late = [file for file, facts in found if facts.st_mtime >= since.timestamp()]
        for start in range(0, len(late), _BATCH):
            batch = late[start : start + _BATCH]
            if len(store_each(self._put, {file: self._row(file) for file in batch})) < len(batch):
                raise OSError(f"not all letters in {self._box / 'cur'} could be stored once more")
        self._again.done()

    def _rows(self) -> Iterator[tuple[Path, LetterIn]]:
        """The letters that can be read, the oldest first."""
        for file in sorted((self._box / "new").iterdir(), key=lambda file: file.name):
            try:
                row = self._row(file)
            except OSError as error:
                _log.warning("the letter %s cannot be read: %s", file, error.strerror)
                continue
            yield file, row

    def _row(self, file: Path) -> LetterIn:
        facts = file.stat()
        if facts.st_size > self._desk.max_bytes:
            with file.open("rb") as opened:
                raw = left_behind(head_of(opened.read(HEAD_LIMIT)), facts.st_size)
        else:
            raw = file.read_bytes()
        now = self._clock.now()
        at = min(now, datetime.fromtimestamp(facts.st_mtime, UTC)) if self._file_dates else now
        return self._desk.row(f"maildir:{self._box}:{_unique(file)}", raw, at)

    def _mark(self, file: Path) -> None:
        # A letter that somebody else has moved meanwhile is where it should be.
        try:
            file.rename(self._box / "cur" / f"{_unique(file)}:2,S")
        except FileNotFoundError:
            _log.info("the letter %s was moved by somebody else", file)


def _unique(file: Path) -> str:
    """A letter's name in its Maildir without the flags."""
    return file.name.partition(":")[0]
