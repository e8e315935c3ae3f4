"""A letter composed: its headers, its parts, its entries for a calendar."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from email.utils import format_datetime
from functools import lru_cache
from typing import Literal

import msgspec

from referee.mail.address import list_id, thread_id
from referee.mail.headers import LOOP_HEADER
from referee.mail.writing.encode import (
    Answerable,
    address_field,
    bare_address,
    base64_lines,
    field,
    file_name,
    ids_field,
    quoted_printable,
    unencoded,
)

_REFERENCES = 10
_KEPT = 1_024
_FILES = 16
_address = lru_cache(_KEPT)(address_field)
_standing = lru_cache(_KEPT)(field)
"""Fields that stand alike in many letters: who writes to whom, in which match."""
_in_base64 = lru_cache(_FILES)(base64_lines)
"""Files that go to many readers one after the other, such as the picture of a map."""
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+(; ?[a-z]+=[A-Za-z0-9-]+)*")

_CID = re.compile(r"[A-Za-z0-9.-]+@[A-Za-z0-9.-]+")


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes with a letter. `kind` is its content type, such as "text/csv; charset=utf-8".

    One with a `cid` is a picture of the HTML, which shows it as `cid:` and that id; else it lies beside the text.
    """

    name: str
    kind: str
    data: bytes
    cid: str = ""


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """All that a letter of ours consists of; the same values always give the same bytes.

    `dated` is aware. `answers` is the Message-ID of the letter replied to, empty when we write unasked.
    `match` is empty for letters that belong to none; `host` is the referee's domain.
    """

    sender: str
    sender_name: str
    to: str
    to_name: str = ""
    reply_to: str
    subject: str
    dated: datetime
    message_id: str
    host: str
    text: str
    html: str = ""
    match: str = ""
    answers: str = ""
    references: tuple[str, ...] = ()
    unsubscribe: str = ""
    bulk: bool = False
    attachments: tuple[Attachment, ...] = ()


def compose(letter: Outgoing) -> bytes:
    """The letter as it goes to the mail server, CRLF line ends. Raises ValueError for an unusable address or type."""
    boundary = "=_" + hashlib.sha256(letter.message_id.encode("utf-8", "replace")).hexdigest()[:32]
    kind, body = _alternatives(letter, boundary)
    files = [_attached(file) for file in letter.attachments if not file.cid]
    if files:
        kind, body = _multipart("mixed", boundary + "m", [kind + b"\r\n" + body, *files])
    return _head(letter) + b"MIME-Version: 1.0\r\n" + kind + b"\r\n" + body


def _head(letter: Outgoing) -> bytes:
    fields = [
        _address("From", letter.sender, letter.sender_name),
        _address("To", letter.to, letter.to_name),
        _address("Reply-To", letter.reply_to),
        field("Subject", letter.subject),
        f"Date: {format_datetime(letter.dated)}\r\n".encode(),
        _own_id(letter.message_id),
        ids_field("In-Reply-To", (letter.answers,)),
        ids_field("References", _references(letter)),
        b"Auto-Submitted: auto-replied\r\n" if letter.answers else b"Auto-Submitted: auto-generated\r\n",
        b"X-Auto-Response-Suppress: All\r\n",
        _standing(LOOP_HEADER, letter.host),
    ]
    if letter.bulk:
        fields.append(b"Precedence: bulk\r\n")
    if letter.match:
        fields.append(_standing("List-Id", list_id(letter.match, letter.host)))
    if letter.unsubscribe:
        fields.append(f"List-Unsubscribe: <mailto:{bare_address(letter.unsubscribe)}?subject=unsubscribe>\r\n".encode())
    return b"".join(fields)


def _own_id(id: str) -> bytes:
    line = ids_field("Message-ID", (id,))
    if not line:
        raise ValueError(f"{id!r} is no Message-ID")
    return line


def _references(letter: Outgoing) -> tuple[str, ...]:
    """The match's own reference first, then the latest of the thread; ten in all, the answered letter last."""
    whole = (thread_id(letter.match, letter.host),) if letter.match else ()
    thread = dict.fromkeys(id for id in letter.references if id not in (letter.answers, *whole))
    latest = (*thread, letter.answers) if letter.answers else tuple(thread)
    return (*whole, *latest[-(_REFERENCES - len(whole)) :])


def _alternatives(letter: Outgoing, boundary: str) -> tuple[bytes, bytes]:
    text = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n"
    plain = quoted_printable(letter.text)
    if not letter.html:
        return text, plain
    rich = _hypertext(letter.html, boundary)
    pictures = [_attached(file) for file in letter.attachments if file.cid]
    if pictures:
        kind, body = _multipart("related", boundary + "ar", [rich, *pictures])
        rich = kind + b"\r\n" + body
    return _multipart("alternative", boundary + "a", [text + b"\r\n" + plain, rich])


def _hypertext(html: str, boundary: str) -> bytes:
    """Without an encoding where it needs none: it is the greater part of a letter, and base64 makes it a third longer."""
    plain = unencoded(html, boundary)
    kind, body = (b"base64", base64_lines(html.encode("utf-8", "replace"))) if plain is None else (b"7bit", plain)
    head = b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: "
    return head + kind + b"\r\n\r\n" + body


def _attached(file: Attachment) -> bytes:
    if not _TYPE.fullmatch(file.kind):
        raise ValueError(f"{file.kind!r} is no content type")
    head = f"Content-Type: {file.kind}\r\nContent-Transfer-Encoding: base64\r\n"
    place = (
        f"Content-ID: <{file.cid}>\r\nContent-Disposition: inline"
        if _usable(file.cid)
        else "Content-Disposition: attachment"
    )
    name = f"{place};\r\n {file_name(file.name)}\r\n\r\n"
    return (head + name).encode() + _in_base64(file.data)


def _usable(cid: str) -> bool:
    """Whether there is an id. Raises ValueError for one that no header can hold."""
    if cid and not _CID.fullmatch(cid):
        raise ValueError(f"{cid!r} is no content id")
    return bool(cid)


def _multipart(kind: str, boundary: str, parts: list[bytes]) -> tuple[bytes, bytes]:
    """Head and body of a multipart. No part can hold the boundary: '=_' occurs in neither encoding, and what is not
    encoded was searched for it."""
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n'.encode()
    line = b"--" + boundary.encode() + b"\r\n"
    body = b"".join(line + part + b"\r\n" for part in parts)
    return head, body + b"--" + boundary.encode() + b"--\r\n"


# ---------------------------------------------------------------- bodies
# The two forms of a letter of ours, taken out of its bytes again.


def bodies(raw: bytes) -> tuple[str, str]:
    """Text and HTML of a letter that compose wrote, line ends as \\n; "" for a form it has not."""
    found = {"text/plain": "", "text/html": ""}
    for part in message_from_bytes(raw).walk():
        kind = part.get_content_type()
        if kind in found and not found[kind]:
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                found[kind] = payload.decode("utf-8", "replace").replace("\r\n", "\n")
    return found["text/plain"], found["text/html"]


def pictures_in(raw: bytes) -> list[str]:
    """The Content-IDs of the pictures in a letter that compose wrote."""
    found = (str(part.get("Content-ID", "")).strip("<>") for part in message_from_bytes(raw).walk())
    return [cid for cid in found if cid]


def answerable(raw: bytes) -> Answerable:
    """The answers of links in a letter that compose wrote."""
    head = message_from_bytes(raw, policy=default)
    address = head["Reply-To"].addresses[0].addr_spec
    return Answerable(address, str(head["Subject"]), str(head["Message-ID"]))


# ---------------------------------------------------------------- DKIM
# A letter signed with the key of our domain when it is written out; a retry sends the same bytes.


_SIGNED = (
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References", b"MIME-Version",
    b"Content-Type", b"List-Id", b"List-Unsubscribe", b"Auto-Submitted",
)  # fmt: skip


class Signer(msgspec.Struct, frozen=True):
    """The signer: the key published at SELECTOR._domainkey.DOMAIN. `key` is an RSA private key in PEM."""

    selector: str
    domain: str
    key: bytes


def signed(raw: bytes, signer: Signer) -> bytes:
    """The letter under its DKIM-Signature. Raises ValueError for a key that cannot be used.

    From is named once more than it occurs, so that nobody can put a second one on top.
    """
    # With the look-ups it brings it takes a tenth of a second to import, and most relays sign for us.
    import dkim

    present = {line.partition(b":")[0].lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")}
    names = [name for name in _SIGNED if name.lower() in present]
    try:
        field = dkim.sign(
            raw, signer.selector.encode(), signer.domain.encode(), signer.key, include_headers=[*names, b"From"]
        )
    except (dkim.DKIMException, ValueError) as error:
        raise ValueError(f"no letter can be signed with this key: {error}") from error
    return bytes(field) + raw


# ---------------------------------------------------------------- a deadline as a calendar file
# Programs keep the entry under its UID and replace it when a higher SEQUENCE comes.
#
# The lines of RFC 5545 are written by hand: there are a dozen of them, and every reader of a turn gets some of his own.


_LINE = 74
"""Bytes of a line; 75 are allowed."""

_IN_TEXT = {code: None for code in (*range(32), 127) if code != ord("\t")} | {
    ord("\n"): "\\n",
    ord("\\"): "\\\\",
    ord(","): "\\,",
    ord(";"): "\\;",
}
"""Characters that are written otherwise in a value of words; control characters may not stand there at all."""


class Due(msgspec.Struct, frozen=True):
    """A deadline for a calendar. `at` is aware; `sequence` grows with every change, 0 first."""

    uid: str
    sequence: int
    at: datetime
    summary: str
    description: str = ""


def deadline_uid(match: str, question: str, seat: str, reader: str, host: str) -> str:
    """The lasting name of a deadline: the same for one question to one reader, whenever it is moved."""
    what = "\n".join((match, question, seat, reader)).encode("utf-8", "surrogatepass")
    return f"{hashlib.sha256(what).hexdigest()[:32]}@{host}"


def ics(method: Literal["PUBLISH", "CANCEL"], dues: tuple[Due, ...], written: datetime) -> bytes:
    """A calendar file with these deadlines, times in UTC; CANCEL takes them out of the reader's calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//referee//deadlines//EN", f"METHOD:{method}"]
    for due in dues:
        lines += _event(due, method, written)
    return b"".join(_folded(line.encode("utf-8", "replace")) + b"\r\n" for line in (*lines, "END:VCALENDAR"))


def _event(due: Due, method: str, written: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"SUMMARY:{due.summary.translate(_IN_TEXT)}"
    yield f"DTSTART:{_in_utc(due.at)}"  # an end at the beginning is none (RFC 5545, 3.8.2.2)
    yield f"DTSTAMP:{_in_utc(written)}"
    yield f"UID:{due.uid.translate(_IN_TEXT)}"
    yield f"SEQUENCE:{due.sequence}"
    if due.description:
        yield f"DESCRIPTION:{due.description.translate(_IN_TEXT)}"
    yield f"STATUS:{'CANCELLED' if method == 'CANCEL' else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _in_utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: bytes) -> bytes:
    """The line in as many as it takes, each after the first with a blank before it; none ends within a character or an escape."""
    parts, begin = [], 0
    while len(line) - begin > _LINE:
        end = begin + _LINE
        while line[end] & 0xC0 == 0x80:
            end -= 1
        end -= line[end - 1] == ord("\\")
        parts.append(line[begin:end])
        begin = end
    return b"\r\n ".join((*parts, line[begin:]))
