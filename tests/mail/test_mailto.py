"""Links that write a letter: what RFC 6068 demands of them, and what every mail program takes."""

from __future__ import annotations

from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as some

from referee.mail import Answerable, body_of, mailto
from referee.mail.writing.encode import MOST, MOST_OF_BODY

TO = Answerable(
    "referee+nw1.abcdefgh23456789@games.example", "[nw1] Your turn, Spain, by Mon 18:00", "<report-1@games.example>"
)


def fields(link: str) -> dict[str, str]:
    """The address and the fields of a link, read strictly by the book."""
    address, _, query = link.removeprefix("mailto:").partition("?")
    parts = dict(part.split("=") for part in query.split("&"))
    return {"to": unquote(address), **{name: unquote(value, errors="strict") for name, value in parts.items()}}


@given(some.lists(some.text(some.characters(exclude_categories=["Cs", "Cc"]), max_size=40), max_size=4))
def test_lines_come_out_as_they_went_in(lines: list[str]) -> None:
    found = fields(mailto(TO, body_of(tuple(lines))))
    assert found["body"] == "\r\n".join(lines)
    assert found["to"] == TO.address and found["in-reply-to"] == TO.message_id
    assert found["subject"] == f"Re: {TO.subject}"


def test_a_blank_is_never_a_plus_and_a_plus_never_stands_for_a_blank() -> None:
    link = mailto(TO, body_of(("CHOOSE 2 infantry", "# 1+1 & more?")))
    assert "+" not in link and " " not in link and link.isascii()
    assert "CHOOSE%202%20infantry%0D%0A%23%201%2B1%20%26%20more%3F" in link
    assert link.startswith("mailto:referee%2Bnw1.abcdefgh23456789@games.example?")


def test_re_is_written_once() -> None:
    answered = Answerable(TO.address, "RE: [nw1] a decision", "")
    assert fields(mailto(answered, "YES"))["subject"] == "RE: [nw1] a decision"


def test_what_is_too_long_is_left_out_whole_and_what_is_long_gives_up_thread_and_subject_first() -> None:
    assert body_of(("x" * MOST_OF_BODY,)) and not body_of(("x" * (MOST_OF_BODY + 1),))
    talkative = Answerable(TO.address, "[nw1] " + "Österreich greift an. " * 30, TO.message_id)
    link = mailto(talkative, "x" * MOST_OF_BODY)
    assert len(link) <= MOST and fields(link)["subject"] == "Re: [nw1]" and "in-reply-to" in link
