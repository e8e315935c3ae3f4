"""Links that write a letter (RFC 6068): a tap on one opens a letter that has its address, its subject and its lines."""

from __future__ import annotations

from collections.abc import Sequence
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


def body_of(lines: Sequence[str]) -> str:
    """Lines as the body of a link, "" for more than it holds: a sheet of which half arrives is worse than none."""
    body = quote("\r\n".join(lines), safe="")
    return body if len(body) <= MOST_OF_BODY else ""


def mailto(to: Answerable, body: str) -> str:
    """The link with an encoded body: in the thread of the letter and under its subject as far as there is room.

    `+` stands for itself in a link by the book, and for a blank in some programs, so it is written as %2B.
    """
    head = f"mailto:{quote(to.address, safe='@')}?body={body}"
    subject = to.subject if to.subject[:3].lower() == "re:" else f"Re: {to.subject}"
    thread = f"&in-reply-to={quote(to.message_id, safe='@')}" if to.message_id else ""
    match = subject.partition("]")[0] + "]" if "]" in subject else "Re:"
    for about, after in ((subject, thread), (subject, ""), (match, thread)):
        if len(link := f"{head}&subject={quote(about, safe='')}{after}") <= MOST:
            return link
    return f"{head}&subject={quote(match, safe='')}"
