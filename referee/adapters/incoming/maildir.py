"""Letters from a Maildir, and one from a pipe; and how bytes in any mailbox become a row of the inbox."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

import msgspec

from referee.adapters.files import make_folder, sync
from referee.adapters.processes.child import Worker
from referee.mail import parse_recipient
from referee.mail.headers import HEAD_LIMIT, Headers, attempt, head_of, headers, mailboxes
from referee.service.base.ports import LETTER_SIZE, Clock, LetterIn, Store

# ---------------------------------------------------------------- from bytes in a mailbox to a row of the inbox
# The same for IMAP, Maildir and pipe.
#
# A way in has no SMTP session to ask, so who wrote and to which address is read from what the mail server wrote on top.


_log = logging.getLogger(__name__)

K = TypeVar("K")

Put = Callable[[Sequence[LetterIn]], "Future[None]"]
"""Stores letters durably, such as `Spool.put`: the future is done when they are safe and failed when none is stored."""

_VISIBLE = ("to", "cc", "bcc")
_SAFE_WITHIN = 60.0
"""Seconds a way in waits for the disk before it leaves a letter where it is."""


class WayIn(Protocol):
    """A source of letters that runs by itself: nothing leaves it before its bytes are committed."""

    def start(self) -> None:
        """Begin to take letters, in a thread of its own."""
        ...

    def stop(self) -> None:
        """Finish what is under way and end."""
        ...


class Again:
    """Since when letters are to be read again, because they may have been taken into a store that is lost. This one: none."""

    def since(self) -> datetime | None:
        """None where nothing is to be read again."""
        return None

    def done(self) -> None:
        """All that came since then is stored."""


class Desk(msgspec.Struct, frozen=True):
    """The addresses whose letters are taken, and how their envelope is read.

    `address` is the referee's. `trusted` are the header fields in which our own mail server names the recipient.
    `max_bytes` is the longest letter that is taken whole.
    """

    address: str
    trusted: tuple[str, ...] = ("Delivered-To", "X-Original-To")
    max_bytes: int = 10 * 1024 * 1024

    def row(self, transport: str, raw: bytes, at: datetime, sender: str | None = None, recipient: str = "") -> LetterIn:
        """The letter as the inbox keeps it; `sender` and `recipient` of a known envelope are taken as they are."""
        fields = _fields(raw)
        return LetterIn(
            0,
            plain(transport),
            at,
            plain(_sender(fields) if sender is None else sender),
            plain(recipient or self._recipient(fields)),
            raw,
        )

    def _recipient(self, fields: Headers) -> str:
        """The address with a match in it, or of the keeper, else any of ours, else our own. Our own server's word goes first."""
        names = (*(name.lower() for name in self.trusted), *_VISIBLE)
        found = [box.address for name in names for box in mailboxes(fields.get(name, ()))]
        routes = {address: parse_recipient(address, self.address) for address in found}
        for address, route in routes.items():
            if route is not None and (route.match or route.bounce is not None or route.keeper):
                return address
        return next((address for address, route in routes.items() if route is not None), self.address)


def left_behind(head: bytes, size: int) -> bytes:
    """The kept part of a letter that is too large: its headers under a first line that says how large it was."""
    return b"%s %d\r\n%s" % (LETTER_SIZE, size, head[:HEAD_LIMIT])


def store_each(put: Put, rows: Mapping[K, LetterIn]) -> list[K]:
    """Store letters, each for itself; the keys of those that are safe.

    They share commits all the same, and one that the database will not take holds up no other.
    """
    waiting = {key: put([row]) for key, row in rows.items()}
    return [key for key, stored in waiting.items() if _is_safe(rows[key], stored)]


def _is_safe(row: LetterIn, stored: Future[None]) -> bool:
    try:
        stored.result(_SAFE_WITHIN)
    except Exception:
        # After any fault (the spool has logged it) the letter stays unmarked where it is and is found again.
        _log.warning("the letter %s could not be stored and stays where it is", row.transport)
        return False
    return True


def _fields(raw: bytes) -> Headers:
    none: Headers = {}
    message = attempt("the headers", [], Message(), BytesHeaderParser().parsebytes, head_of(raw))
    return attempt("the headers", [], none, headers, message)


def _sender(fields: Headers) -> str:
    """The envelope sender our server noted, "" for a bounce; without a note, the address in From."""
    noted = fields.get("return-path", ())
    return next((box.address for box in mailboxes(noted or fields.get("from", ()))), "")


def plain(text: str) -> str:
    """Text that every database takes: bytes that were no UTF-8 become question marks."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


# ---------------------------------------------------------------- maildir in
# Letters in from a Maildir, where a local delivery program such as procmail lays them.


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
    """The sender and the recipient, as the mail server names them; None and "" if it does not."""

    sender: str | None = None
    recipient: str = ""


def envelope(environment: Mapping[str, str], sender: str | None = None, recipient: str = "") -> Envelope:
    """The address on the command line, else the one that Postfix and others put into the environment."""
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
