"""Letters that a mail program writes by itself are known by the part that says so, whatever else they hold."""

from __future__ import annotations

import pytest

from referee.mail import read


def letter(*kinds: str, of: str = "multipart/alternative") -> bytes:
    """One part of plain text, then one of each kind."""
    parts = "".join(f"--b\r\nContent-Type: {kind}\r\n\r\nx\r\n" for kind in ("text/plain", *kinds))
    head = f"From: Anna <anna@example.org>\r\nSubject: Re: your turn\r\nContent-Type: {of}; boundary=b\r\n\r\n"
    return f"{head}{parts}--b--\r\n".encode()


@pytest.mark.parametrize(
    "kind",
    [
        "text/vnd.google.email-reaction+json",
        "application/vnd.example.reaction+json; charset=utf-8",
        "text/calendar; method=REPLY",
        'text/calendar; charset=utf-8; method="COUNTER"',
        "message/disposition-notification",
        "message/global-disposition-notification",
        "message/delivery-status",
        "application/x-pkcs7-receipt",
    ],
)
def test_a_part_tells_that_a_machine_wrote_it(kind: str) -> None:
    assert read(letter(kind)).automatic


@pytest.mark.parametrize(
    "kinds",
    [
        ("text/html",),
        ("text/calendar; method=REQUEST",),
        ("application/pgp-signature",),
        ("image/png",),
        ("text/vcard", "application/json"),
    ],
)
def test_a_person_may_add_other_parts(kinds: tuple[str, ...]) -> None:
    assert read(letter(*kinds)).automatic == ()
