"""What is written is read back the same by two parsers of the library, and no value can forge a header."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.read import read
from referee.mail.writing.compose import Attachment, Outgoing, bodies, compose

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
