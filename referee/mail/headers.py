"""Header fields, read from their raw form: real mail has 8-bit bytes, broken encoded words and odd addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import msgspec

from referee.mail.address import spelt
from referee.mail.characters import decode, one_line

T = TypeVar("T")

Headers = dict[str, tuple[str, ...]]
"""Values by lower-cased field name, in the order of the letter, unfolded, encoded words not yet decoded."""

HEAD_LIMIT = 128 * 1024
"""Bytes of the header fields of one letter that are read, all together."""

_READABLE = 32_000
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_WRONG_INSIDE = (LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RuntimeError)
_BROKEN = (ValueError, MessageError, *_WRONG_INSIDE)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\\.|[()<>,:;]|[^"\\()<>,:;]+|.', re.DOTALL)
_PLAIN_ADDRESS = re.compile(r'[^\s@<>()",:;\\]+@[^\s@<>()",:;\\]+')
_ID = re.compile(r"<[^<>\s]+>")


class Mailbox(msgspec.Struct, frozen=True):
    """A name and an address in its one spelling; as it stands where nobody can write there, empty when it could not be read."""

    name: str
    address: str


def attempt(what: str, defects: list[str], otherwise: T, read: Callable[..., T], *args: Any) -> T:
    """`read(*args)`, or `otherwise` with a defect noted: the standard library's readers fail in many ways.

    The kinds of failure are those seen on real and crafted mail; memory and interrupt errors pass through.
    """
    try:
        return read(*args)
    except _BROKEN as broken:
        defects.append(f"{what} could not be read ({type(broken).__name__})")
        return otherwise


def head_of(raw: bytes) -> bytes:
    """The header section of a letter with the empty line after it; cut where it is endless."""
    end = _END_OF_HEAD.search(raw)
    return raw[: end.end() if end else len(raw)][:HEAD_LIMIT]


def short_head(raw: bytes) -> bytes:
    """The letter without the header fields that are too many: whole lines are left out, and the body stays."""
    end = _END_OF_HEAD.search(raw)
    stop = end.start() + 1 if end else len(raw)
    if stop <= HEAD_LIMIT:
        return raw
    kept = raw.rfind(b"\n", 0, HEAD_LIMIT) + 1
    return raw[: kept or HEAD_LIMIT] + (raw[stop:] if kept else b"\n" + raw[stop:])


def headers(message: Message) -> Headers:
    """All header fields of a message. Very long values are cut."""
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        found.setdefault(name.lower(), []).append(_unfold(value))
    return {name: tuple(values) for name, values in found.items()}


def words(value: str) -> str:
    """A value with its encoded words decoded, on one line. Never raises."""
    parts = attempt("an encoded word", [], [(value, None)], decode_header, value)
    return one_line("".join(p if isinstance(p, str) else decode(p, charset or "") for p, charset in parts))


def mailboxes(values: Iterable[str]) -> tuple[Mailbox, ...]:
    """Every mailbox of some address fields. Comments are skipped, quoted commas do not split."""
    return tuple(box for value in values for box in _split(value))


def message_ids(values: Iterable[str]) -> tuple[str, ...]:
    """Message-IDs in angle brackets, in order, each once, whatever stands between them; the last 50."""
    found = (one_line(id) for value in values for id in _ID.findall(value))
    return tuple(dict.fromkeys(found))[-50:]


def own_id(values: tuple[str, ...]) -> str:
    """The Message-ID as it stands, even when it is malformed; empty when there is none."""
    if not values:
        return ""
    start, end = values[0].find("<"), values[0].rfind(">")
    return one_line(values[0][start : end + 1] if 0 <= start < end else values[0])


def moment(value: str) -> datetime:
    """A Date field as an aware time; a time without zone is UTC. Raises ValueError and its like."""
    read = parsedate_to_datetime(value)
    aware = read if read.tzinfo else read.replace(tzinfo=UTC)
    aware.astimezone(UTC)  # a year at the edge of the calendar fails here and not later
    return aware


def _unfold(value: Any) -> str:
    raw = str(value)[:_READABLE].replace("\r", "").replace("\n", "")
    return raw if raw.isascii() else decode(raw.encode("utf-8", "surrogateescape"))


class _Scan:
    """The state of reading one address field."""

    def __init__(self) -> None:
        self.found: list[Mailbox] = []
        self.phrase = ""
        self.angle: str | None = None
        self.within = False
        self.comment = 0

    def take(self, token: str) -> None:
        if token == "(" or (token == ")" and self.comment):
            self.comment += 1 if token == "(" else -1
        elif self.comment:
            return
        elif self.within:
            if token == ">":
                self.within = False
            else:
                self.angle = (self.angle or "") + token
        elif token == "<":
            self.angle, self.within = "", True
        elif token in ",;":
            self.close()
        elif token == ":":
            self.phrase = ""
        else:
            self.phrase += token

    def close(self) -> None:
        """End of one mailbox."""
        phrase = self.phrase.strip()
        if self.angle is not None:
            plain = phrase.replace('\\"', "\0").replace('"', "").replace("\0", '"')
            self.found.append(Mailbox(words(re.sub(r"\\(.)", r"\1", plain)), _address(self.angle)))
        elif phrase:
            self.found.append(Mailbox("", _address(phrase)))
        self.phrase, self.angle, self.within = "", None, False


def _split(value: str) -> list[Mailbox]:
    scan = _Scan()
    for token in _TOKEN.findall(value):
        scan.take(token)
    scan.close()
    return scan.found


def _address(text: str) -> str:
    bare = one_line(text.rpartition(":")[2]).lower()
    return spelt(bare) or (bare if _PLAIN_ADDRESS.fullmatch(bare) else "")
