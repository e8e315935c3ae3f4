"""Letters made to cost much: deep, long, endless, odd of character, each growing with `size` (in bytes, roughly)."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable
from functools import partial

FROM = b"From: anna@players.example\r\n"


def text(kind: bytes, piece: bytes) -> Callable[[int], bytes]:
    """A letter of one type whose text repeats one piece, and has it once though it be longer than the letter is to be."""
    head = FROM + b"Content-Type: " + kind + b"\r\n\r\n"
    return lambda size: head + piece * max(1, size // len(piece))


def head(name: bytes, piece: bytes) -> Callable[[int], bytes]:
    """A letter with one header field that repeats one piece."""
    return lambda size: name + b": " + piece * (size // len(piece)) + b"\r\n" + FROM + b"\r\nHIRE 1 worker\r\n"


def nested(size: int) -> bytes:
    """Multiparts in multiparts."""
    opened = (b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (i, i) for i in range(size // 60))
    return FROM + b"".join(opened) + b"\r\nHIRE 1 worker\r\n"


def many_parts(size: int) -> bytes:
    """One multipart of very many parts."""
    return FROM + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\nHIRE 1 worker\r\n" * (size // 26)


def many_fields(size: int) -> bytes:
    """Header fields without end."""
    return FROM + b"".join(b"X-%d: y\r\n" % i for i in range(size // 12)) + b"\r\nHIRE 1 worker\r\n"


def recipients(piece: bytes) -> Callable[[int], bytes]:
    """Three hundred To fields with long names."""

    def letter(size: int) -> bytes:
        name = piece * (size // 300 // len(piece) + 1)
        return FROM + (b"To: " + name + b" <a@b.example>\r\n") * 300 + b"\r\nHIRE 1 worker\r\n"

    return letter


def one_long_line(kind: bytes, piece: bytes) -> Callable[[int], bytes]:
    """A letter of one order with a piece that is repeated."""
    opening = FROM + b"Content-Type: " + kind + b"\r\n\r\nRESEARCH a"
    return lambda size: opening + piece * (size // len(piece)) + b"\r\n"


def charsets(size: int) -> bytes:
    """A subject in ever new charsets that nobody has."""
    words = b"".join(b" =?x-%d?q?a?=" % i for i in range(size // 14))
    return b"Subject:" + words + b"\r\n" + FROM + b"\r\nHIRE 1 worker\r\n"


PLAIN, HTML, FLOWED = b"text/plain; charset=utf-8", b"text/html; charset=utf-8", b"text/plain; format=flowed"

UNICODE = {
    "marks out of order": "\u0315\u0300",
    "equal marks": "\u0301",
    "thirty marks": "a" + "\u0315\u0300" * 15,
    "marks of a starter's looks": "\u0f73\u0f71",
    "marks beyond the first plane": "\U0001d165\U0001d16e",
    "half-width voicing": "\uff9e\u0315",
    "a sentence in a character": "\ufdfa",
    "jamo": "\u1100\u1161\u11a8",
    "directions": "\u202e\u2066",
    "variations": "a\ufe0f",
    "joiners": "a\u200d",
    "ligatures": "\ufb03\U0001d400",
    "growing in small letters": "\u0130\u1e9e",
}
"""Kinds of characters that cost more than others in some normal form, in small letters or in a receipt."""

HOSTILE: dict[str, Callable[[int], bytes]] = {
    "orders": text(PLAIN, b"RESEARCH Law, any KEEPING 2 gold\r\n"),
    "mistakes": text(PLAIN, b"RESERCH Lwa, ayn KEPING 2 glod\r\n"),
    "one line": text(PLAIN, b"RESEARCH Law, "),
    "semicolons": text(PLAIN, b";"),
    "quotation marks": text(PLAIN, b'"; '),
    "continuations": text(PLAIN, b"HIRE \\\r\n"),
    "blocks": text(PLAIN, b"IF ROUND >= 2\r\n"),
    "parentheses": text(PLAIN, b"IF (((((((((((((((((((\r\n"),
    "quotes": text(PLAIN, b">> RESEARCH Law\r\n"),
    "reply headers": text(PLAIN, b"On Sunday Anna\r\nand Ben\r\nwrote:\r\n"),
    "letter headers": text(PLAIN, b"From: a\r\nSent: b\r\n"),
    "header shapes": text(PLAIN, b"Odeslal: a@b.example\r\n"),
    "attributions": text(PLAIN, b"Anna <a@b.example> 2026 18:00:\r\n> x\r\n"),
    "lines of ours": text(PLAIN, b"Anna, this is New World, match nw1; x\r\n===\r\n"),
    "odd line ends": text(PLAIN, "> a\u2028b\r\n".encode()),
    "hidden parts": text(HTML, b'<p style="font-size:0;border-left:'),
    "signatures": text(PLAIN, b"--\r\n"),
    "armour": text(PLAIN, b"-----BEGIN PGP SIGNED MESSAGE-----\r\n"),
    "blank lines": text(PLAIN, b"\r\n"),
    "blanks": text(PLAIN, b" "),
    "accents": text(PLAIN, "A\u0301\u0301\u0301".encode()),
    "flowed": text(FLOWED, b"RESEARCH \r\n"),
    "flowed quotes": text(FLOWED, b">>>>>>>>>>>>>>> RESEARCH \r\n"),
    "tags": text(HTML, b"<div>"),
    "unclosed tags": text(HTML, b"<a "),
    "attributes": text(HTML, b'<a class="'),
    "blockquotes": text(HTML, b"<blockquote><p>x"),
    "comments": text(HTML, b"<!--"),
    "entities": text(HTML, b"&amp&#x41;&"),
    "closing tags": text(HTML, b"</div>"),
    "preformatted": text(HTML, b"<pre>\n"),
    "recipients": head(b"To", b"a@b.example, "),
    "groups": head(b"To", b"a:b;"),
    "address comments": head(b"From", b"("),
    "address quotes": head(b"From", b'"\\'),
    "references": head(b"References", b"<a@b.example> "),
    "encoded words": head(b"Subject", b"=?utf-8?q?a?= "),
    "open encoded words": head(b"Subject", b"=?utf-8?q?"),
    "parameters": head(b"Content-Type", b"; a*0*=b"),
    "folded": head(b"Subject", b"a\r\n "),
    "nested": nested,
    "many parts": many_parts,
    "many fields": many_fields,
    "charsets": charsets,
    "misspelt names": text(PLAIN, b"RESEARCH Lwa, ayn KEPING 2 glod\r\n"),
    "long lines of base64": text(PLAIN, b"A" * 990 + b"\r\n"),
    "a line of base64": text(PLAIN, b"QUJD"),
    "files almost": text(PLAIN, b"QUJD" * 19 + b"\r\n" + b"-\r\n" + (b"QUJD" * 19 + b"\r\n") * 98),
    "base64 in UTF-7": text(b"text/plain; charset=utf-7", b"+QUJD"),
    "signs of less": text(HTML, b"<"),
    "marks of a list": text(PLAIN, b"- 1. [ ] * HIRE 1 worker\r\n"),
    "broken orders": text(PLAIN, b"RESEARCH Law,\r\nFinance, any KEEPING\r\n2 gold\r\n"),
    "orders in a row": text(PLAIN, b"RESEARCH Law HIRE 1 worker COLONIZE any\r\n"),
    "a row of orders": text(PLAIN, b"HIRE 1 worker "),
    "flowed orders": text(FLOWED, b"HIRE 1 worker \r\n"),
    "links": text(PLAIN, b"a@b<mailto:a@b>"),
    "addresses of a bounce": text(b"text/plain", b"Final-Recipient: rfc822; a@b.example\r\n"),
    "short lines in base64": lambda size: (
        FROM
        + b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + encodebytes(b"x\n" * (size * 3 // 8))
    ),
}

PLACES: dict[str, Callable[[bytes], Callable[[int], bytes]]] = {
    "a line": partial(one_long_line, PLAIN),
    "HTML": partial(one_long_line, HTML),
    "a subject": partial(head, b"Subject"),
    "names": recipients,
}
ODD = {
    f"{kind} in {place}": letter(piece.encode()) for kind, piece in UNICODE.items() for place, letter in PLACES.items()
}
"""Letters of odd characters, wherever a letter has text: nearly all their cost is in single calls of the library."""
