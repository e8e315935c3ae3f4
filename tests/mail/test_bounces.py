"""Bounces are read from the report if there is one, else guessed; nothing that can arrive raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.bounces import Bounce, bounce_in


def report(*blocks: str) -> bytes:
    fields = "\r\n\r\n".join(("Reporting-MTA: dns; mx.example", *blocks))
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"{fields}\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: referee@x.example\r\n\r\nhello\r\n--b--\r\n"
    ).encode()


def block(status: str, action: str = "failed", address: str = "Anna@Players.example", **more: str) -> str:
    fields = [f"Final-Recipient: rfc822; {address}", f"Action: {action}", f"Status: {status}"]
    return "\r\n".join([*fields, *(f"{name.replace('_', '-')}: {value}" for name, value in more.items())])


def test_an_unknown_address_is_a_hard_bounce() -> None:
    said = "smtp; 550 5.1.1 no such user"
    assert bounce_in(report(block("5.1.1", Diagnostic_Code=said))) == (Bounce("anna@players.example", True, said),)


@pytest.mark.parametrize(("status", "action"), [("5.2.2", "failed"), ("4.2.2", "failed"), ("4.4.1", "delayed")])
def test_what_may_pass_is_a_soft_bounce(status: str, action: str) -> None:
    (bounce,) = bounce_in(report(block(status, action)))
    assert not bounce.hard


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded", ""])
def test_good_news_is_no_bounce(action: str) -> None:
    assert bounce_in(report(block("2.0.0", action))) == ()


def test_the_address_we_wrote_to_counts_and_not_where_it_was_forwarded() -> None:
    forwarded = block("5.1.1", address="old@elsewhere.example", Original_Recipient="rfc822;anna@players.example")
    assert [b.address for b in bounce_in(report(forwarded))] == ["anna@players.example"]


def test_several_recipients_each_by_himself() -> None:
    blocks = (block("5.1.1"), block("4.4.1", "delayed", "ben@players.example"), block("4.4.1", "delayed"))
    assert {b.address: b.hard for b in bounce_in(report(*blocks))} == {
        "anna@players.example": True,
        "ben@players.example": False,
    }


def test_a_bounce_without_a_report_is_guessed() -> None:
    raw = (
        b"From: MAILER-DAEMON@mx.example\r\nSubject: failure notice\r\n\r\n"
        b"Hi. This is the qmail-send program at mx.example.\r\n"
        b"I'm afraid I wasn't able to deliver your message to the following addresses.\r\n"
        b"This is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
        b"<anna@players.example>:\r\n192.0.2.1 does not like recipient.\r\n"
    )
    assert [(b.address, b.hard) for b in bounce_in(raw)] == [("anna@players.example", True)]


def test_a_letter_of_a_person_is_no_bounce() -> None:
    assert bounce_in(b"From: anna@players.example\r\nSubject: orders\r\n\r\nMOVE 3 infantry FROM A TO B\r\n") == ()


def test_bytes_that_break_a_detector_are_no_bounce() -> None:
    assert bounce_in(b"From: \xff\xfe <mailer-daemon@sina.com>\r\nSubject: x\r\n\r\n\xff\r\n") == ()


@given(st.binary(max_size=400))
def test_no_bytes_raise(raw: bytes) -> None:
    assert isinstance(bounce_in(raw), tuple)
    assert isinstance(bounce_in(report(raw.decode("latin-1"))), tuple)
