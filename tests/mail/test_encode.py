"""The wire forms of bodies: the same as the library's where it is right, and always within the limits of a line."""

from __future__ import annotations

import base64
import binascii
import quopri

from hypothesis import given
from hypothesis import strategies as some

from referee.mail.writing.encode import base64_lines, quoted_printable, unencoded

_ODD = some.sampled_from(["a", " ", "=", ".", "\n", "From ", "\t", "é", "\x7f", "x" * 38, "\n.\n", "plain words"])
_TEXTS = some.lists(_ODD, max_size=12).map("".join)


@given(_TEXTS)
def test_quoted_printable_is_short_lines_that_come_back(text: str) -> None:
    wire = quoted_printable(text)
    assert wire.isascii() and wire.endswith(b"\r\n") and b"\n" not in wire.replace(b"\r\n", b"")
    lines = wire.split(b"\r\n")
    assert max(map(len, lines)) <= 76
    assert not any(line.startswith(b"From ") or line == b"." or line.endswith((b" ", b"\t")) for line in lines)
    assert quopri.decodestring(wire).decode().replace("\r\n", "\n").rstrip("\n") == text.rstrip("\n")


@given(some.text(some.sampled_from("ab .=\t\n\x1f"), max_size=40))
def test_short_lines_are_escaped_where_the_library_would(text: str) -> None:
    by_library = binascii.b2a_qp(text.rstrip("\n").encode() + b"\n", quotetabs=False, istext=True)
    assert quoted_printable(text.rstrip("\n")) == by_library.replace(b"\n", b"\r\n")


@given(some.lists(some.sampled_from(["a", "<b>", "\n", "From ", ".", "\r", "é", "\t", "x" * 998]), max_size=6))
def test_what_goes_as_it_is_could_be_misread_by_no_server(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.split("\n")
    plain = text.isascii() and not set("\r\t") & set(text) and max(map(len, lines)) <= 998
    sound = plain and not any(line == "." or line.startswith("From ") for line in lines)
    assert unencoded(text, "=_boundary") == ("\r\n".join(lines).encode() if sound else None)


def test_what_goes_as_it_is_never_holds_the_boundary() -> None:
    assert unencoded("a\n--=_boundarym\n", "=_boundary") is None


@given(some.binary(max_size=400))
def test_base64_is_the_librarys(data: bytes) -> None:
    assert base64_lines(data) == base64.encodebytes(data).replace(b"\n", b"\r\n")
