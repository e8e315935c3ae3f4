"""A letter -> bytes, written directly: the library's message objects would cost twenty times as much."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache

import msgspec

from referee.mail.address import list_id, thread_id
from referee.mail.automatic import LOOP_HEADER
from referee.mail.writing.encode import (
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
