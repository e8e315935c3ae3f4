"""Letters as bytes, and links that write one."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from struct import Struct
from urllib.parse import quote

import msgspec

from referee.mail.address import spelt

_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
_LINE = 76
_LONGEST_LINE = 998
_BYTES_A_WORD = 39
_BLOCK = Struct(f"{_LINE}s" * 32)
"""32 lines at a time: four times as fast as one by one."""
_PRINTABLE = bytes((*range(32, 127), 10))
_UNESCAPED = _PRINTABLE.replace(b"=", b"")
_LONG_BLANK = re.compile(rb"^([^\n]{74,75})(=20|=09)$", re.MULTILINE)
_FROM_LINE = re.compile(rb"^From (?=[^\n]{0,69}$)", re.MULTILINE)


def field(name: str, value: str) -> bytes:
    """A header field with free text. Control characters become spaces, so no value can begin another field."""
    plain = _plain(value)
    if not _is_safe(plain):
        return _folded(name, _encoded_words(plain))
    return _folded(name, plain.split(" "))


def address_field(name: str, address: str, display: str = "") -> bytes:
    """A field with one mailbox. Raises ValueError when the address cannot stand in a header."""
    mailbox = bare_address(address)
    plain = _plain(display)
    if not plain:
        return _folded(name, [mailbox])
    if not _is_safe(plain):
        return _folded(name, [*_encoded_words(plain), f"<{mailbox}>"])
    if not _ATOMS.fullmatch(plain):
        plain = '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return _folded(name, [*plain.split(" "), f"<{mailbox}>"])


def bare_address(address: str) -> str:
    """The address itself. Raises ValueError unless a letter can be sent to it as it stands."""
    if spelt(address) != address.lower():
        raise ValueError(f"no letter can be sent to or from {address!r}")
    return address


def ids_field(name: str, ids: tuple[str, ...]) -> bytes:
    """A field of Message-IDs, one a line; those that are not well-formed are left out."""
    sound = [id for id in ids if _ID.fullmatch(id)]
    return f"{name}: ".encode() + b"\r\n ".join(id.encode() for id in sound) + b"\r\n" if sound else b""


def file_name(name: str) -> str:
    """The parameter that names an attachment, by RFC 2231 where it is not ASCII."""
    plain = re.sub(r'[\\/"]', "_", _plain(name))[:120] or "attachment"
    if plain.isascii():
        return f'filename="{plain}"'
    return f"filename*=utf-8''{quote(plain.encode('utf-8', 'replace'))}"


def quoted_printable(text: str) -> bytes:
    """Text as quoted-printable UTF-8 with CRLF line ends, the last one included."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    data = (lines if lines.endswith("\n") else lines + "\n").encode("utf-8", "replace")
    whole = data if _stands_as_it_is(data) else _escaped(data)
    if b"From " in whole:
        whole = _FROM_LINE.sub(b"=46rom ", whole)
    return whole.replace(b"\n", b"\r\n")


def _stands_as_it_is(data: bytes) -> bool:
    """Whether lines need no escapes, as most of our letters; four times as fast as to find no place for one."""
    return (
        not data.translate(None, _UNESCAPED)
        and b" \n" not in data
        and b"." not in (lines := data.split(b"\n"))
        and max(map(len, lines)) <= _LINE
    )


def _escaped(data: bytes) -> bytes:
    soft = binascii.b2a_qp(data, quotetabs=False, istext=True)
    if b"=20\n" in soft or b"=09\n" in soft:
        return _LONG_BLANK.sub(rb"\1=\n\2", soft)  # the library lets a blank at the end run over the limit
    return soft


def unencoded(text: str, boundary: str) -> bytes | None:
    """Text that may go as it is ("7bit") in a part of a letter, with CRLF line ends; None for any other.

    `boundary` must not stand in it. A line that is a dot or begins with From is not left to servers that take it for
    something of their own.
    """
    if not text.isascii() or boundary in text:
        return None
    data = text.encode()
    lines = data.split(b"\n")
    if data.translate(None, _PRINTABLE) or b"." in lines or len(max(lines, key=len)) > _LONGEST_LINE:
        return None
    if data.startswith(b"From ") or b"\nFrom " in data:
        return None
    return b"\r\n".join(lines)


def base64_lines(data: bytes) -> bytes:
    """Bytes as base64, 76 characters a line, with CRLF."""
    whole = binascii.b2a_base64(data, newline=False)
    full = len(whole) - len(whole) % _BLOCK.size
    lines = list(chain.from_iterable(_BLOCK.iter_unpack(whole[:full])))
    lines += [whole[i : i + _LINE] for i in range(full, len(whole), _LINE)]
    return b"\r\n".join((*lines, b""))


def _plain(value: str) -> str:
    printable = value if value.isprintable() else "".join(c if c.isprintable() else " " for c in value)
    return " ".join(printable.split())


def _is_safe(plain: str) -> bool:
    return plain.isascii() and "=?" not in plain and all(len(word) <= _LINE for word in plain.split(" "))


def _encoded_words(plain: str) -> list[str]:
    words: list[str] = []
    chunk = b""
    for character in plain:
        encoded = character.encode("utf-8", "replace")
        if len(chunk) + len(encoded) > _BYTES_A_WORD:
            words.append(_encoded_word(chunk))
            chunk = b""
        chunk += encoded
    return [*words, _encoded_word(chunk)]


def _encoded_word(chunk: bytes) -> str:
    return f"=?utf-8?b?{base64.b64encode(chunk).decode()}?="


def _folded(name: str, words: list[str]) -> bytes:
    line = f"{name}:"
    lines: list[str] = []
    for word in words:
        if len(line) + 1 + len(word) > _LINE and line.strip() and line != f"{name}:":
            lines.append(line)
            line = ""
        line += f" {word}"
    return "\r\n".join([*lines, line]).encode("ascii") + b"\r\n"


# ---------------------------------------------------------------- links that write a letter (RFC 6068)
# A tap on one opens a letter that has its address, its subject and its lines.


MOST = 1_800
"""So many characters of a link every mail program takes: Windows and Chromium cut near 2,000, wherever they are."""

MOST_OF_BODY = 1_500
"""So many of them may be lines, encoded: the others are for the address and the subject."""


class Answerable(msgspec.Struct, frozen=True):
    """The letter that links answer: the address for replies to it, its subject, its Message-ID."""

    address: str
    subject: str
    message_id: str


_ESCAPED = {ord(sign): quote(sign, safe="") for sign in map(chr, range(128))}


def _quoted(text: str) -> str:
    """As `quote` with nothing safe; most text is ASCII, and for that several times as fast."""
    return text.translate(_ESCAPED) if text.isascii() else quote(text, safe="")


@lru_cache(maxsize=1_024)
def body_of(lines: tuple[str, ...]) -> str:
    """Lines as the body of a link, "" for more than it holds: a sheet of which half arrives is worse than none.

    The last sheets asked for are remembered: one letter asks for the same sheet several times.
    """
    body = _quoted("\r\n".join(lines))
    return body if len(body) <= MOST_OF_BODY else ""


def mailto(to: Answerable, body: str) -> str:
    """The link with an encoded body: in the thread of the letter and under its subject as far as there is room.

    `+` stands for itself in a link by the book, and for a blank in some programs, so it is written as %2B.
    """
    address, endings = _ends(to)
    head = f"mailto:{address}?body={body}"
    room = MOST - len(head)
    return head + next((ending for ending in endings if len(ending) <= room), endings[-1])


def mailto_new(address: str, subject: str, lines: Sequence[str]) -> str:
    """The link that begins a conversation: a letter of these lines that answers none."""
    return f"mailto:{quote(address, safe='@')}?body={body_of(lines)}&subject={_quoted(subject)}"


@lru_cache(maxsize=64)
def _ends(to: Answerable) -> tuple[str, tuple[str, ...]]:
    """The address, and what follows the body, the fullest first; the same for every link of a letter."""
    subject = to.subject if to.subject[:3].lower() == "re:" else f"Re: {to.subject}"
    match = subject.partition("]")[0] + "]" if "]" in subject else "Re:"
    whole, short = (f"&subject={_quoted(about)}" for about in (subject, match))
    thread = f"&in-reply-to={quote(to.message_id, safe='@')}" if to.message_id else ""
    return quote(to.address, safe="@"), (whole + thread, whole, short + thread, short)
