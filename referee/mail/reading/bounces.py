"""Bounces: what a mail server says of a letter it could not deliver, for now or for good, read from its report or, failing that,
its words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from functools import lru_cache

import msgspec

from referee.mail.characters import one_line
from referee.mail.headers import Headers, attempt, headers, mailboxes


class _OneLine(logging.Filter):
    """The library writes a traceback, a thousand lines at worst, when a stranger's bytes break one of its detectors."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0]:
            record.msg, record.args = "a bounce could not be understood: %s", (record.exc_info[0].__name__,)
            record.exc_info = None
        return True


logging.getLogger("flufl.bounce").addFilter(_OneLine())

_MOST, _MOST_LINES, _LOOKS = 500_000, 5_000, 50_000
_PARTS = 50
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_FULL = ("2", "2")
"""X.2.2, mailbox full: called permanent by some servers, and over when the reader has tidied up."""


class Bounce(msgspec.Struct, frozen=True):
    """An address that was not reached, for good (`hard`) or for now, and the server's words for it."""

    address: str
    hard: bool
    why: str


@lru_cache(maxsize=1)  # a letter to many recipients comes once for each, one after the other
def bounce_in(raw: bytes) -> tuple[Bounce, ...]:
    """The addresses a bounce is about, in small letters; () for a letter that reports no failure. Never raises."""
    message: Message | None = attempt("the structure", [], None, message_from_bytes, _beginning(raw))
    if message is None:
        return ()
    none: tuple[Bounce, ...] = ()
    parts = attempt("the parts", [], [message], _parts, message)
    reports = [part for part in parts if part.get_content_type() == "message/delivery-status"]
    if reports:
        return _once(b for part in reports for b in attempt("the report", [], none, _reported, part))
    return _once(attempt("the bounce", [], none, _guessed, message))


def _beginning(raw: bytes) -> bytes:
    """As much of a bounce as is read: detectors look at every line, and the library once for every multipart around it."""
    most = min(_MOST_LINES, _LOOKS // (1 + raw[:_MOST].lower().count(b"multipart/")))
    return b"\n".join(raw[:_MOST].split(b"\n", most)[:most])


def _parts(message: Message) -> list[Message]:
    return [part for part, _ in zip(message.walk(), range(_PARTS), strict=False)]


def _once(found: Iterator[Bounce] | tuple[Bounce, ...]) -> tuple[Bounce, ...]:
    """Each address once; a hard failure outweighs a soft one."""
    worst: dict[str, Bounce] = {}
    for bounce in found:
        if bounce.address and (bounce.address not in worst or bounce.hard):
            worst[bounce.address] = bounce
    return tuple(worst.values())


def _reported(part: Message) -> tuple[Bounce, ...]:
    """RFC 3464: a block of fields on the whole letter, then one on each recipient."""
    blocks = part.get_payload()
    if not isinstance(blocks, list):
        return ()
    return tuple(b for block in blocks if isinstance(block, Message) and (b := _of_block(headers(block))))


def _of_block(fields: Headers) -> Bounce | None:
    address = _recipient(fields)
    action = _first(fields, "action").lower()
    if not address or action not in ("failed", "delayed"):
        return None
    code = _STATUS.search(_first(fields, "status"))
    said = _first(fields, "diagnostic-code") or _first(fields, "status") or action
    permanent = code is None or code[1] == "5"
    full = code is not None and (code[2], code[3]) == _FULL
    return Bounce(address, action == "failed" and permanent and not full, one_line(said)[:300])


def _recipient(fields: Headers) -> str:
    """The address a letter was sent to before any forwarding, if it is named, else the one that failed."""
    for name in ("original-recipient", "final-recipient"):
        boxes = mailboxes((_first(fields, name).partition(";")[2],))
        if boxes and boxes[0].address:
            return boxes[0].address
    return ""


def _guessed(message: Message) -> tuple[Bounce, ...]:
    """A bounce without a report, as Mailman's detectors read it. They raise on some bytes, each for itself."""
    from flufl.bounce import all_failures

    temporary, permanent = all_failures(message)
    soft = [Bounce(_text(address), False, "not delivered for now") for address in temporary]
    return (*soft, *(Bounce(_text(address), True, "not delivered") for address in permanent))


def _text(address: bytes | str) -> str:
    text = address.decode("utf-8", "replace") if isinstance(address, bytes) else address
    boxes = mailboxes((text,))
    return boxes[0].address if boxes else ""


def _first(fields: Headers, name: str) -> str:
    return next(iter(fields.get(name, ())), "").strip()
