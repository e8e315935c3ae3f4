"""From bytes in a mailbox to a row of the inbox: the same for IMAP, Maildir and pipe.

A way in has no SMTP session to ask, so who wrote and to which address is read from what the mail server wrote on top.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from email.message import Message
from email.parser import BytesHeaderParser
from typing import Protocol, TypeVar

import msgspec

from referee.mail import parse_recipient
from referee.mail.headers import HEAD_LIMIT, Headers, attempt, head_of, headers, mailboxes
from referee.service.base.ports import LETTER_SIZE, LetterIn

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
    """Whose letters are taken and how their envelope is read.

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
            _plain(transport),
            at,
            _plain(_sender(fields) if sender is None else sender),
            _plain(recipient or self._recipient(fields)),
            raw,
        )

    def _recipient(self, fields: Headers) -> str:
        """The address with a match in it, or of the keeper, else any of ours, else our own. What our server wrote goes first."""
        names = (*(name.lower() for name in self.trusted), *_VISIBLE)
        found = [box.address for name in names for box in mailboxes(fields.get(name, ()))]
        routes = {address: parse_recipient(address, self.address) for address in found}
        for address, route in routes.items():
            if route is not None and (route.match or route.bounce is not None or route.keeper):
                return address
        return next((address for address, route in routes.items() if route is not None), self.address)


def left_behind(head: bytes, size: int) -> bytes:
    """What is kept of a letter that is too large: its headers under a first line that says how large it was."""
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
        # Whatever it was (the spool has logged it), the letter stays unmarked where it is and is found again.
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


def _plain(text: str) -> str:
    """Text that every database takes."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
