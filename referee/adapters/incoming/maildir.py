"""Letters from a Maildir, and one from a pipe."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec

from referee.adapters.files import make_folder, sync
from referee.adapters.incoming.arrival import Again, Desk, Put, left_behind, store_each
from referee.adapters.processes.child import Worker
from referee.mail.headers import HEAD_LIMIT, head_of
from referee.service.base.ports import Clock, LetterIn, Store

# ---------------------------------------------------------------- maildir in
# Letters in from a Maildir, where a local delivery program such as procmail lays them.


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


# ---------------------------------------------------------------- pipe
# One letter from standard input, as .forward, procmail and Postfix's pipe hand it over.


EX_TEMPFAIL = 75
"""The exit code at which every mail server keeps a letter and tries again."""

_CHUNK = 1024 * 1024
_FROM_LINE = re.compile(rb"\AFrom [^\n]*\n")


class Envelope(msgspec.Struct, frozen=True):
    """Who wrote and to whom, as the mail server says it; None and "" where it does not."""

    sender: str | None = None
    recipient: str = ""


def envelope(environment: Mapping[str, str], sender: str | None = None, recipient: str = "") -> Envelope:
    """What was said on the command line, else what Postfix and others put into the environment."""
    if sender is None:
        sender = environment.get("SENDER")
    recipient = recipient or environment.get("ORIGINAL_RECIPIENT", "") or environment.get("RECIPIENT", "")
    # Postfix writes this name for the empty sender of a bounce.
    return Envelope("" if sender in ("<>", "MAILER-DAEMON") else sender, recipient)


def take(store: Store, desk: Desk, clock: Clock, source: BinaryIO, who: Envelope) -> None:
    """Store the letter durably. Raises whatever the store raises; then the mail server must keep it."""
    at = clock.now()
    raw, size = _read(source, desk.max_bytes)
    if size > desk.max_bytes:
        raw = left_behind(head_of(raw), size)
    key = hashlib.sha256(raw + at.isoformat().encode()).hexdigest()
    with store.step() as step:
        step.receive([desk.row(f"pipe:{key}", raw, at, who.sender, who.recipient)])


def _read(source: BinaryIO, most: int) -> tuple[bytes, int]:
    """The letter and its size; of one that is too large only the beginning, though all of it is read.

    The line with which mbox separates letters is no part of one, and differs from delivery to delivery.
    """
    kept, size = bytearray(), 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        kept += chunk[: max(0, most + 1 - len(kept))]
    raw = _FROM_LINE.sub(b"", bytes(kept), count=1)
    return raw, size - (len(kept) - len(raw))
