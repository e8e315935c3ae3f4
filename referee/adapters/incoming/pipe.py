"""One letter from standard input, as .forward, procmail and Postfix's pipe hand it over."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import BinaryIO

import msgspec

from referee.adapters.incoming.arrival import Desk, left_behind
from referee.mail.headers import head_of
from referee.service.base.ports import Clock, Store

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
