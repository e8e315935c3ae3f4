"""What of a letter was not read, in sentences for its writer: nothing he wrote vanishes unseen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from referee.kit.wording import in_a_row
from referee.mail import Letter
from referee.mail.reading.unread import Unread
from referee.orders import Reading

_SAID: dict[str, str] = {
    "encrypted": "Your letter, or a part of it, was encrypted, and I have no key to open it; send your orders unencrypted.",
    "wrapped": "Your letter was signed by S/MIME in a form that I cannot open; send it unsigned, or signed in the clear.",
    "packed": "Your mail program packed a part of your letter into winmail.dat, which I do not open; have it send plain text.",
    "partial": "Your letter came in pieces (message/partial), and I put no pieces together; send it whole.",
    "elsewhere": "Your letter only says where its text lies (message/external-body), and I fetch nothing; write your orders "
    "into the letter itself.",
    "format": "A part of your letter was in a format that I do not read (text/enriched); send plain text.",
    "letter": "A letter that you did not write was attached, and I read only your own; write your orders into the letter "
    "itself.",
    "lines": "Your letter has more lines than I read: what stands below the first {name} was not read. Send your orders "
    "on top.",
    "bytes": "Your letter has more text than I read: what stands after the first {name} bytes was not read. Send your "
    "orders on top.",
    "deep": "Your letter consists of parts within parts, more than I open; what lay deeper was not read. Send plain text.",
}
_FILES: dict[str, str] = {
    "file": "came with your letter and {was} not read; write your orders into the letter itself, or attach them as orders.txt.",
    "picture": "came with your letter and {was} not looked at; I read written words only.",
    "recording": "came with your letter and {was} not listened to; I read written words only.",
}
_SUBJECT = "Your subject reads like an order, and I do not read subjects; write it into the letter itself."
_MOST_FILES = 5
_PREFIX = re.compile(r"\s*(?:[^\W\d_]{1,5}\s?:|\[[^\]]{0,60}\])")
"""Re:, AW: and the match in brackets."""


def not_read(
    letter: Letter, read_nothing: bool, reads: Callable[[str], Reading], named: bool = True
) -> tuple[str, ...]:
    """A sentence for each kind of thing in a letter that was not read; its subject counts where the letter said nothing.

    Files are `named` to their writer alone: a name may be any words.
    """
    found = [*_kinds(letter.unread), *_files(letter.unread, named)]
    if read_nothing and _reads(letter.subject, reads):
        found.append(_SUBJECT)
    return tuple(found)


def _kinds(unread: tuple[Unread, ...]) -> Iterator[str]:
    for what in dict.fromkeys(part.what for part in unread if part.what in _SAID):
        yield _SAID[what].format(name=next(part.name for part in unread if part.what == what))


def _files(unread: tuple[Unread, ...], named: bool) -> Iterator[str]:
    for what, said in _FILES.items():
        names = [(named and part.name) or f"a {what}" for part in unread if part.what == what]
        if names:
            more = len(names) - _MOST_FILES
            shown = in_a_row([*names[:_MOST_FILES], f"{more} more"] if more > 0 else names)
            yield f"{shown[:1].upper()}{shown[1:]} {said.format(was='was' if len(names) == 1 else 'were')}"


def _reads(subject: str, reads: Callable[[str], Reading]) -> bool:
    """Whether a subject, without Re: and the like, is an order or a word for the desk."""
    while (prefix := _PREFIX.match(subject)) is not None:
        subject = subject[prefix.end() :]
    found = reads(subject.strip()[:200])
    return bool(found.sheet or found.desk or found.yes)
