"""Letters made to cost much: deep, long, endless, each growing with `size` (in bytes, roughly)."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["HOSTILE"]

FROM = b"From: anna@players.example\r\n"


def text(kind: bytes, piece: bytes) -> Callable[[int], bytes]:
    """A letter of one type whose text repeats one piece."""
    head = FROM + b"Content-Type: " + kind + b"\r\n\r\n"
    return lambda size: head + piece * (size // len(piece))


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


PLAIN, HTML, FLOWED = b"text/plain; charset=utf-8", b"text/html; charset=utf-8", b"text/plain; format=flowed"

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
}
