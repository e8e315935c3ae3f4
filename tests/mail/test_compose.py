"""What is written, its wire form, links and calendars in it: read back the same by two parsers, and no value forges a header."""

from __future__ import annotations

import base64
import binascii
import hashlib
import quopri
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis import strategies as st
from icalendar import Calendar, Event

from referee.mail import Answerable, body_of, mailto
from referee.mail.reading.letter import read
from referee.mail.writing.compose import Attachment, Due, Outgoing, bodies, compose, deadline_uid, ics
from referee.mail.writing.encode import MOST, MOST_OF_BODY, base64_lines, quoted_printable, unencoded
from tests.agenda import start

TEXT = "COMPLETE: your orders stand.\n\n  1  BUILD fleet für Spanien\nFrom here on\n.\n" + "x" * 200 + " \n"
HTML = "<!doctype html><p>COMPLETE: <b>für</b></p>\n"


def outgoing(**change: Any) -> Outgoing:
    given = {
        "sender": "referee@game.example", "sender_name": "Referee of atlantis", "to": "ana@example.org",
        "to_name": "Ana Silva", "reply_to": "referee+atlantis.abcdefghabcdefgh@game.example",
        "subject": "atlantis, turn 5: COMPLETE", "dated": datetime(2026, 11, 22, 17, 0, tzinfo=UTC),
        "message_id": "<atlantis.t5.france.receipt.3@game.example>", "host": "game.example", "text": TEXT,
        "html": HTML, "match": "atlantis", "answers": "<one@example.org>",
    }  # fmt: skip
    return Outgoing(**{**given, **change})


def parsed(letter: Outgoing) -> EmailMessage:
    message = message_from_bytes(compose(letter), policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def part(message: EmailMessage, kind: str) -> str:
    found = message.get_body((kind,))
    assert found is not None
    return str(found.get_content()).replace("\r\n", "\n")


def test_both_forms_come_back_as_written() -> None:
    message = parsed(outgoing())
    assert message.get_content_type() == "multipart/alternative"
    assert part(message, "plain") == TEXT
    assert part(message, "html") == HTML


def test_html_of_short_ascii_lines_needs_no_encoding() -> None:
    plain = "<p>COMPLETE: <b>your orders stand</b></p>\n"
    message = parsed(outgoing(html=plain))
    html = message.get_body(("html",))
    assert html is not None and html["content-transfer-encoding"] == "7bit"
    assert part(message, "html") == plain


@pytest.mark.parametrize("mark", ["a", "ar", "m"])
def test_nobody_can_end_a_part_by_writing_its_boundary(mark: str) -> None:
    boundary = "=_" + hashlib.sha256(outgoing().message_id.encode()).hexdigest()[:32]
    assert boundary.encode() in compose(outgoing())
    written = f"<p>\n--{boundary}{mark}\nContent-Type: text/html\n\nforged\n"
    assert part(parsed(outgoing(html=written)), "html") == written


def test_a_letter_of_text_alone_is_not_a_multipart() -> None:
    message = parsed(outgoing(html=""))
    assert message.get_content_type() == "text/plain"
    assert part(message, "plain") == TEXT


def test_the_headers_of_an_answer() -> None:
    message = parsed(outgoing(unsubscribe="referee+leave@game.example", bulk=True))
    assert message.items() == [
        ("From", "Referee of atlantis <referee@game.example>"),
        ("To", "Ana Silva <ana@example.org>"),
        ("Reply-To", "referee+atlantis.abcdefghabcdefgh@game.example"),
        ("Subject", "atlantis, turn 5: COMPLETE"),
        ("Date", "Sun, 22 Nov 2026 17:00:00 +0000"),
        ("Message-ID", "<atlantis.t5.france.receipt.3@game.example>"),
        ("In-Reply-To", "<one@example.org>"),
        ("References", "<atlantis.match@game.example> <one@example.org>"),
        ("Auto-Submitted", "auto-replied"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Referee-Loop", "game.example"),
        ("Precedence", "bulk"),
        ("List-Id", "<atlantis.referee.game.example>"),
        ("List-Unsubscribe", "<mailto:referee+leave@game.example?subject=unsubscribe>"),
        ("MIME-Version", "1.0"),
        ("Content-Type", message["content-type"]),
    ]


def test_a_letter_unasked_says_so() -> None:
    message = parsed(outgoing(answers="", match=""))
    assert message["auto-submitted"] == "auto-generated"
    assert [message[name] for name in ("in-reply-to", "references", "list-id", "precedence")] == [None] * 4


def test_references_are_ten_the_match_first_and_the_answered_last() -> None:
    thread = tuple(f"<{n}@x.example>" for n in range(30))
    names = str(parsed(outgoing(references=(*thread, "broken", "<one@example.org>")))["references"]).split()
    assert len(names) == 9 or len(names) == 10
    assert names[0] == "<atlantis.match@game.example>"
    assert names[-2:] == ["<29@x.example>", "<one@example.org>"]


def test_our_letters_are_known_as_ours_by_our_own_reader() -> None:
    back = read(compose(outgoing()))
    assert back.loop
    assert "Auto-Submitted: auto-replied" in back.automatic
    assert back.text == TEXT


def test_the_same_letter_is_the_same_bytes() -> None:
    assert compose(outgoing()) == compose(outgoing())


def test_attachments_come_back() -> None:
    files = (
        Attachment("sheet.csv", "text/csv; charset=utf-8", b"a,b\r\n"),
        Attachment('kä"rte/x.png', "image/png", b"\0\xff"),
    )
    raw = compose(outgoing(attachments=files))
    assert raw.isascii() and b'filename="sheet.csv"' in raw
    message = parsed(outgoing(attachments=files))
    found = list(message.iter_attachments())
    assert [file.get_filename() for file in found] == ["sheet.csv", "kä_rte_x.png"]
    assert [file.get_payload(decode=True) for file in found] == [b"a,b\r\n", b"\0\xff"]
    assert (part(message, "plain"), part(message, "html")) == (TEXT, HTML)


@pytest.mark.parametrize(
    "address", ["ana@example.org\r\nBcc: x@y.z", "a b@c.example", "ana", "", "a@b>,<c@d", "ä@b.example"]
)
def test_unusable_addresses_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="no letter can be sent"):
        compose(outgoing(to=address))


def test_unusable_types_and_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="no content type"):
        compose(outgoing(attachments=(Attachment("a", "text/csv\r\nX: y", b""),)))
    with pytest.raises(ValueError, match="no Message-ID"):
        compose(outgoing(message_id="<a b>"))


def test_wire_form_has_crlf_only_and_short_lines() -> None:
    raw = compose(
        outgoing(text="é" * 500 + "\n" + "a" * 75 + " \nFrom " + "b" * 71, subject="é" * 300, to_name="x" * 300)
    )
    assert b"\n" not in raw.replace(b"\r\n", b"") and b"\r" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 76
    assert b"\r\nFrom " not in raw.partition(b"\r\n\r\n")[2] or b"\r\nFrom bbb" in raw


def normal(text: str) -> str:
    """What is promised of text: line ends are newlines, one at the end, and no half characters."""
    whole = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    return whole if whole.endswith("\n") else whole + "\n"


def spaced(text: str) -> str:
    visible = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(visible.split())


WORDS = st.text(st.characters(exclude_categories=()), max_size=120)


@given(WORDS, WORDS)
def test_any_text_and_html_come_back_from_both_parsers(text: str, html: str) -> None:
    raw = compose(outgoing(text=text, html=html + "<p>"))
    assert max(map(len, raw.split(b"\r\n"))) <= 76
    for message in (message_from_bytes(raw), message_from_bytes(raw, policy=policy.default)):
        bodies = [p.get_payload(decode=True) for p in message.walk() if not p.is_multipart()]
        assert [b.decode() for b in bodies if isinstance(b, bytes)] == [
            normal(text).replace("\n", "\r\n"), (html + "<p>").encode("utf-8", "replace").decode(),
        ]  # fmt: skip


@given(WORDS, WORDS)
def test_any_subject_and_name_come_back_and_add_no_header(subject: str, name: str) -> None:
    letter = outgoing(subject=subject, to_name=name)
    raw = compose(letter)
    plain = message_from_bytes(raw)
    assert plain.keys() == message_from_bytes(compose(outgoing())).keys()
    back = read(raw)
    assert str(make_header(decode_header(plain["subject"] or ""))).strip() == spaced(subject)
    assert plain["to"].endswith("<ana@example.org>") or plain["to"] == "ana@example.org"
    assert back.recipients == ("ana@example.org",)


@given(WORDS, WORDS)
def test_the_bodies_are_taken_out_again(text: str, html: str) -> None:
    letter = outgoing(text=text, html=html + "<p>", attachments=(Attachment("a.csv", "text/csv", b"x"),))
    assert bodies(compose(letter)) == (
        normal(text),
        (html + "<p>").encode("utf-8", "replace").decode().replace("\r\n", "\n"),
    )


def test_a_picture_of_the_html_lies_beside_it_and_files_lie_outside() -> None:
    picture = Attachment("map.png", "image/png", b"\x89PNG", "map@letter")
    file = Attachment("map.svg", "image/svg+xml", b"<svg/>")
    message = parsed(outgoing(attachments=(picture, file)))
    body, attached = message.iter_parts()
    assert (message.get_content_type(), body.get_content_type()) == ("multipart/mixed", "multipart/alternative")
    plain, rich = body.iter_parts()
    assert (plain.get_content_type(), rich.get_content_type()) == ("text/plain", "multipart/related")
    shown, inline = rich.iter_parts()
    assert (shown.get_content_type(), inline["Content-ID"]) == ("text/html", "<map@letter>")
    assert inline.get_content_disposition() == "inline" and inline.get_content() == b"\x89PNG"
    assert attached.get_content_disposition() == "attachment" and attached.get_filename() == "map.svg"
    assert (part(message, "plain"), part(message, "html")) == (TEXT, HTML)
    assert bodies(compose(outgoing(attachments=(picture, file)))) == (TEXT, HTML)


@pytest.mark.parametrize("cid", ["map", "map@letter\r\nBcc: x@example.org", "<map@letter>", "map@"])
def test_an_id_that_no_header_can_hold_is_refused(cid: str) -> None:
    with pytest.raises(ValueError, match="content id"):
        compose(outgoing(attachments=(Attachment("map.png", "image/png", b"", cid),)))


# ---------------------------------------------------------------- wire forms of bodies


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


# ---------------------------------------------------------------- links that write a letter


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


# ---------------------------------------------------------------- calendars


AT = datetime(2026, 11, 22, 18, 0, tzinfo=timezone(timedelta(hours=1)))
WRITTEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
UID = deadline_uid("nw1", "T3/France/orders", "France", "7", "games.example")
DUE = Due(UID, 12, AT, "Orders for France", "Reply to the last letter; § 3, ¶ 4\nsecond line")


def test_a_deadline_is_published_in_utc() -> None:
    calendar = Calendar.from_ical(ics("PUBLISH", (DUE,), WRITTEN))
    (event,) = calendar.events
    assert calendar["METHOD"] == "PUBLISH"
    assert start(event) == AT and start(event).utcoffset() == timedelta(0)
    assert (event["UID"], event["SEQUENCE"], event["SUMMARY"]) == (UID, 12, DUE.summary)
    assert event["DESCRIPTION"] == DUE.description
    assert event["STATUS"] == "CONFIRMED"


def test_a_deadline_is_taken_back() -> None:
    calendar = Calendar.from_ical(ics("CANCEL", (DUE,), WRITTEN))
    assert (calendar["METHOD"], calendar.events[0]["STATUS"]) == ("CANCEL", "CANCELLED")


def test_the_same_deadline_gives_the_same_bytes() -> None:
    assert ics("PUBLISH", (DUE,), WRITTEN) == ics("PUBLISH", (DUE,), WRITTEN)


def test_no_two_deadlines_share_a_uid() -> None:
    others = [("nw2", "q", "s", "7"), ("nw1", "q", "s", "8"), ("nw1", "q2", "s", "7"), ("nw1", "q", "s2", "7")]
    assert len({deadline_uid(*other, "games.example") for other in others}) == 4


def test_lines_are_of_the_length_calendars_ask_for() -> None:
    lines = ics("PUBLISH", (Due(UID, 1, AT, "x" * 300),), WRITTEN).split(b"\r\n")
    assert max(map(len, lines)) <= 75


_WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=300)


def _by_the_package(method: str, due: Due) -> Calendar:
    """The file that the icalendar package makes of a deadline, read back."""
    calendar, event = Calendar(), Event()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for name in ("uid", "sequence", "summary"):
        event.add(name, getattr(due, name))
    event.add("dtstamp", WRITTEN)
    event.add("dtstart", due.at.astimezone(UTC))
    event.add("transp", "TRANSPARENT")
    event.add("status", "CANCELLED" if method == "CANCEL" else "CONFIRMED")
    if due.description:
        event.add("description", due.description)
    calendar.add_component(event)
    return Calendar.from_ical(calendar.to_ical())


@given(_WORDS, _WORDS, st.sampled_from(("PUBLISH", "CANCEL")))
def test_the_file_says_what_the_icalendar_package_would_write(summary: str, description: str, method: str) -> None:
    due = Due(UID, 7, AT, summary, description)
    raw = ics("CANCEL" if method == "CANCEL" else "PUBLISH", (due,), WRITTEN)
    assert Calendar.from_ical(raw) == _by_the_package(method, due)
    assert raw.count(b"\n") == raw.count(b"\r\n") and raw.endswith(b"\r\nEND:VCALENDAR\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 75


def test_no_value_can_begin_a_line_of_its_own() -> None:
    raw = ics("PUBLISH", (Due(UID, 1, AT, "a\r\nATTACH:x\rURL:y\x0bz", "\x85\u2028b"),), WRITTEN)
    (event,) = Calendar.from_ical(raw).events
    assert event["SUMMARY"] == "a\nATTACH:xURL:yz" and not event.errors and "ATTACH" not in event
