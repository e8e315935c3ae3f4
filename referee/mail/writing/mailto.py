"""Links that write a letter (RFC 6068): a tap on one opens a letter that has its address, its subject and its lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote

import msgspec

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

    What was asked for last is remembered: one letter asks for the same sheet several times.
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
