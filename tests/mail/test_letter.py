"""Reading: real shapes of mail, letters that programs write by themselves, crafted ones, and anything at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.mail.characters import clean, decode
from referee.mail.headers import mailboxes, message_ids, words
from referee.mail.reading.body import TEXT_LIMIT, kind_of, unflow
from referee.mail.reading.letter import Letter, _tree, digest, read

PLAIN = b"""Return-Path: <ana@example.org>
Delivered-To: referee+atlantis.abcdefgh@game.example
From: "Ana Silva, admiral" <Ana@Example.ORG>
To: Referee <referee+atlantis.ABCDEFGH@game.example>, x@y.example
Subject: Re: =?utf-8?q?Turn_5_=E2=80=93_orders?=
Date: Sun, 22 Nov 2026 14:03:01 +0100
Message-ID: <one@example.org>
In-Reply-To: <report@game.example>
References: <a@game.example>,<report@game.example>
Content-Type: text/plain; charset=utf-8

TRANSPORT 2 armies FROM Europe TO Canada
"""


def letter(body: bytes, head: bytes = b"") -> Letter:
    return read(head + b"From: ana@example.org\n" + (b"" if b"Content-Type" in head else b"\n") + body)


def typed(content_type: str, body: bytes) -> Letter:
    return read(b"From: ana@example.org\nContent-Type: " + content_type.encode() + b"\n\n" + body)


def test_a_plain_reply_is_read_whole() -> None:
    read_letter = read(PLAIN)
    assert read_letter.sender == "ana@example.org"
    assert read_letter.sender_name == "Ana Silva, admiral"
    assert read_letter.from_count == 1
    assert read_letter.recipients == ("referee+atlantis.abcdefgh@game.example", "x@y.example")
    assert read_letter.message_id == "<one@example.org>"
    assert read_letter.dated == datetime(2026, 11, 22, 13, 3, 1, tzinfo=UTC)
    assert read_letter.dated.utcoffset() == timedelta(hours=1)
    assert read_letter.subject == "Re: Turn 5 - orders"
    assert read_letter.in_reply_to == "<report@game.example>"
    assert read_letter.references == ("<a@game.example>", "<report@game.example>")
    assert read_letter.text == "TRANSPORT 2 armies FROM Europe TO Canada\n"
    assert (read_letter.automatic, read_letter.loop, read_letter.defects) == ((), False, ())
    assert read_letter.size == len(PLAIN)


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
def test_line_ends_of_every_system_read_the_same(end: bytes) -> None:
    assert read(PLAIN.replace(b"\n", end)).text == read(PLAIN).text
    assert read(PLAIN.replace(b"\n", end)).sender == "ana@example.org"


def test_the_plain_alternative_is_preferred_and_html_is_second() -> None:
    both = typed(
        "multipart/alternative; boundary=x",
        b"--x\nContent-Type: text/html\n\n<p>HTML</p>\n--x\nContent-Type: text/plain\n\nPLAIN\n--x--\n",
    )
    assert both.text.strip() == "PLAIN"
    again = typed(
        "multipart/alternative; boundary=x",
        b"--x\nContent-Type: text/plain\n\nBUILD fleet\nBUILD fleet\n"
        b"--x\nContent-Type: text/html\n\n<p>BUILD fleet</p><blockquote>BUILD fleet</blockquote>\n--x--\n",
    )
    assert again.text.split("\n")[:2] == ["BUILD fleet", "> BUILD fleet"], "the writer's as often as he wrote it"
    assert typed("text/html", b'<p title="2 > 1">BUILD fleet</p>').text.strip() == "BUILD fleet"
    assert typed("text/plain", b"BUILD fleet<br>RAISE 1 army\n").text.strip() == "BUILD fleet\nRAISE 1 army"
    empty = typed(
        "multipart/alternative; boundary=x",
        b"--x\nContent-Type: text/plain\n\n \n--x\nContent-Type: text/html\n\n<p>HTML</p>\n--x--\n",
    )
    assert empty.text.strip() == "HTML"


def test_orders_on_both_sides_of_a_picture_are_read_and_files_are_named() -> None:
    mixed = typed(
        "multipart/mixed; boundary=x",
        b"--x\n\nBUILD fleet\n--x\nContent-Type: image/png; name=map.png\n\n\n--x\n\nRAISE 1 army in Europe\n"
        b"--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''b%C3%BCro.txt\n\nnot read\n"
        b"--x\nContent-Type: message/rfc822\n\nFrom: a@b.example\n\nBUILD nothing\n--x--\n",
    )
    assert [line for line in mixed.text.split("\n") if line] == ["BUILD fleet", "RAISE 1 army in Europe"]
    assert mixed.attachments == ("map.png", "büro.txt", "unnamed message/rfc822")


def test_a_multipart_without_its_boundary_is_read_as_text() -> None:
    assert "BUILD fleet" in typed("multipart/mixed", b"BUILD fleet\n").text


def test_html_keeps_one_order_a_line_and_marks_quotes() -> None:
    html = """<html><head><title>no</title><style>p{color:red}</style></head><body><p>BUILD&nbsp;fleet<br>RAISE
      2 armies</p><div>MOVE &quot;x&quot;</div><ul><li>one</li><li>two</li></ul>
      <table><tr><td>a</td><td>b</td></tr></table><script>no()</script><!-- no --><pre>c\n\nd</pre>
      <blockquote style="margin:0 0 0 40px;border:none"><div>indented</div></blockquote>
      <div class="gmail_quote">On Sunday Referee wrote:<blockquote>old<br>older</blockquote></div>below</body></html>"""
    lines = typed("text/html; charset=utf-8", html.encode()).text.split("\n")
    assert lines == [
        "BUILD fleet", "RAISE 2 armies", 'MOVE "x"', "one", "two", "a b", "c", "", "d", "indented",
        "> On Sunday Referee wrote:", "> old", "> older", "below",
    ]  # fmt: skip


def test_outlooks_letter_below_is_a_quote_unless_it_is_all_there_is() -> None:
    old = '<hr><div id="divRplyFwdMsg"><b>From:</b> Referee</div><div>BUILD fleet</div>'
    assert typed("text/html", f"<p>RAISE 1 army</p>{old}".encode()).text.split("\n") == [
        "RAISE 1 army", "> From: Referee", "> BUILD fleet",
    ]  # fmt: skip
    assert typed("text/html", old.encode()).text.split("\n") == ["From: Referee", "BUILD fleet"]


@pytest.mark.parametrize("piece", ["<", "<a", "<!--", "<![", "</", "<?", "<div>", '<a x="', "<script>", "<a a=a "])
def test_hostile_html_costs_no_more_than_its_length(piece: str) -> None:
    """Half a megabyte would take the library's parser minutes; the runner's own time limit is the judge."""
    text = typed("text/html", (piece * (300_000 // len(piece)) + "<p>BUILD fleet</p>").encode()).text
    assert piece in ("<div>", "<script>", '<a x="', "<a a=a ") or "BUILD fleet" in text or "<" in text


def test_endless_parameters_cost_no_more_than_their_length() -> None:
    assert typed('text/plain; a="' + ';\\"' * 200_000, b"BUILD fleet\n").text == "BUILD fleet\n"


def test_flowed_lines_are_joined_and_quotes_keep_their_mark() -> None:
    flowed = typed(
        "text/plain; charset=utf-8; format=flowed; delsp=no",
        b"MOVE 3 infantry \nFROM Egypt\n From x\n> old \n> text\nBUILD fleet\n-- \nAna\n",
    )
    assert flowed.text == "MOVE 3 infantry FROM Egypt\nFrom x\n> old text\nBUILD fleet\n-- \nAna\n"
    assert unflow("Pales \ntine", delete_space=True) == "Palestine"


def test_characters_of_mail_programs_become_those_of_the_keyboard() -> None:
    assert clean("MOVE\u00a0\u201cx\u201d \u2013 2\u200b\u00ad \u2192 Caf\u0065\u0301\r\nb\rc\ufeff\u2028d") == (
        'MOVE "x" - 2 -> Café\nb\nc\nd'
    )
    assert clean("\uff2d\uff2f\uff36\uff25 \uff13 \ufb01sh \U0001d400") == "MOVE 3 fish A"
    assert clean("3\u00b2 \u00bd") == "3\u00b2 \u00bd", "a square must not become a digit"


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf-8", "é".encode(), "é"), ("iso-8859-1", b"\xe9", "é"), ("x-unknown", "é".encode(), "é"),
        ("", b"\xe9", "é"), ("us-ascii", b"\x93a", "“a"), ("gb2312", "中".encode("gb18030"), "中"),
        ("punycode", b"a-b99", "a-b99"), ("unicode_escape", rb"\x41", r"\x41"), ("rot13", b"a", "a"), ("a\0b", b"a", "a"),
    ],
)  # fmt: skip
def test_charsets_declared_wrong_still_give_text(charset: str, data: bytes, text: str) -> None:
    assert decode(data, charset) == text


@pytest.mark.parametrize(
    ("value", "addresses"),
    [
        ("a@b.example, C <D@E.example>", ["a@b.example", "d@e.example"]),
        ('"x, y" <a@b.example>', ["a@b.example"]),
        ("a@b.example (c, (d) e), f@g.example", ["a@b.example", "f@g.example"]),
        ("undisclosed-recipients:;", []), ("team: a@b.example, c@d.example;", ["a@b.example", "c@d.example"]),
        ("alice@example.org(<bob@evil.example>", ["alice@example.org"]),
        ('"alice@example.org" <bob@evil.example>', ["bob@evil.example"]),
        ("alice@example.org <bob@evil.example>", ["bob@evil.example"]),
        ("a@b@c.example", [""]), ("<>", [""]), ("", []), ("=?utf-8?q?a=2Cb?= <a@b.example>", ["a@b.example"]),
    ],
)  # fmt: skip
def test_addresses_are_not_led_astray(value: str, addresses: list[str]) -> None:
    assert [box.address for box in mailboxes([value])] == addresses


def test_two_senders_are_counted() -> None:
    assert read(b"From: a@b.example\nFrom: c@d.example\n\n").from_count == 2
    assert read(b"From: a@b.example, c@d.example\n\n").from_count == 2
    assert read(b"Subject: x\n\n").from_count == 0


def test_encoded_words_with_wrong_parts_are_shown_as_they_are() -> None:
    assert words("=?utf-8?b?a?= =?nope?q?b=E9?=") != ""
    assert words("=?utf-8?q?Fra?= =?utf-8?q?nce?=") == "France"
    assert words("a\r\n b\tc") == "a b c"


@pytest.mark.parametrize(
    ("head", "sign"),
    [
        (b"Auto-Submitted: auto-replied (vacation)", "Auto-Submitted: auto-replied"),
        (b"Auto-Submitted: auto-generated; type=a-day", "Auto-Submitted: auto-generated"),
        (b"Precedence: bulk", "Precedence: bulk"), (b"X-Autoreply: yes", "x-autoreply present"),
        (b"X-Auto-Reply-From: a@b", "x-auto-reply-from present"), (b"Return-Path: <>", "null return path"),
        (b"List-Id: <x.example>", "list-id present"), (b"X-FC-MachineGenerated: true", "x-fc-machinegenerated present"),
        (b"Content-Type: multipart/report; boundary=x", "multipart/report"),
        (b"X400-Content-Identifier: AUTO-REPLY", "x400-content-identifier: auto reply"),
        (b"Subject: Abwesenheitsnotiz: Orders", "subject of an automatic reply"),
    ],
)  # fmt: skip
def test_each_sign_of_a_machine_is_named(head: bytes, sign: str) -> None:
    assert read(head + b"\nFrom: ana@example.org\n\nx").automatic == (sign,)


def test_senders_and_envelopes_of_machines() -> None:
    assert read(b"From: MAILER-DAEMON@x.example\n\n").automatic == ("sender mailer-daemon@x.example",)
    assert read(b"From: a@b.example\n\n", envelope_sender="").automatic == ("null return path",)
    assert read(b"From: a@b.example\n\n", envelope_sender="a@b.example").automatic == ()
    assert read(b"Subject: x\n\n").automatic == ("no readable sender",)


def test_human_mail_with_a_wish_for_silence_stays_human() -> None:
    human = b"X-Auto-Response-Suppress: All\nAuto-Submitted: no\nX-Mailer: x\nSubject: Re: Automatic reply: x\n"
    assert read(human + b"From: a@b.example\n\n").automatic == ()


def test_our_own_letter_is_known() -> None:
    assert read(b"From: a@b.example\nX-REFEREE-LOOP: x\n\n").loop


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\0" * 100, b"Content-Type: message/rfc822\n\n" * 500 + b"x", b"Date: Mon, 1 Jan 0001 00:00:00 +2359\n\n",
        b"Date: Mon, 31 Dec 2020 23:00:00 -9959\n\n", b"Message-ID: <[x]@[y].OUTLOOK.COM>\nTo: (c):\n\n",
        b"Content-Type: text/plain; name*\n\nx", b"From: =?utf-8?q?a=0Ab?= <a@b.example>\n\n",
        b"Content-Type: text/plain; charset*=x''%FF\n\n\xff", b"Content-Transfer-Encoding: base64\n\n=",
        b"Content-Type: text/plain; charset=\"\xff\"\n\n\xff", b"Content-Transfer-Encoding: x-uuencode\n\nbegin\n!!!",
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(400)),
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nhi\n" * 2000,
    ],
)  # fmt: skip
def test_crafted_letters_are_read_without_an_exception(raw: bytes) -> None:
    assert read(raw).size == len(raw)


def test_the_headers_survive_a_body_that_cannot_be_parsed() -> None:
    nested = read(b"From: ana@example.org\n" + b"Content-Type: message/rfc822\n\n" * 2000 + b"x")
    assert nested.sender == "ana@example.org"
    assert any("structure" in defect for defect in nested.defects)


def test_only_a_megabyte_is_read_and_that_is_said() -> None:
    long = typed("text/plain", b"BUILD fleet\n" * 100_000)
    assert len(long.text) <= TEXT_LIMIT
    assert any("the rest was not read" in defect for defect in long.defects)
    assert "bytes" in [unread.what for unread in long.unread]


def test_of_a_form_that_is_only_compared_the_rest_is_not_missed() -> None:
    html = b"<p>BUILD fleet</p>" + b"<!-- %s -->" % (b"x" * 600_000)
    both = b"--x\nContent-Type: text/plain\n\nBUILD fleet\n--x\nContent-Type: text/html\n\n" + html + b"\n--x--\n"
    letter = typed("multipart/alternative; boundary=x", both)
    assert letter.text.strip() == "BUILD fleet" and letter.unread == ()


def test_the_digest_is_of_the_words_and_not_of_their_wrapping() -> None:
    assert digest("a\nb") == digest("\na  \nb\n\n") != digest("a b")
    assert len(digest("")) == 64


@given(st.binary(max_size=400))
def test_no_bytes_raise(raw: bytes) -> None:
    got = read(raw)
    got.text.encode()
    got.subject.encode()


FIELDS = st.sampled_from(
    [b"From: ", b"To: ", b"Date: ", b"Subject: ", b"Message-ID: ", b"References: ", b"Content-Type: ",
     b"Content-Disposition: ", b"Content-Transfer-Encoding: ", b"Content-Type: multipart/mixed; boundary=",
     b"Content-Type: text/html; charset=", b"Content-Type: text/plain; format=flowed; charset=", b"Auto-Submitted:"]
)  # fmt: skip
BITS = st.one_of(
    st.binary(max_size=12),
    st.sampled_from([b"\n", b"\n\n", b"--", b"--x", b"x", b"base64", b"=?utf-8?b?", b"?=", b"<", b">", b'"', b";", b"utf-7",
                     b"<div>", b"<!--", b"\r\n ", b"quoted-printable", b"a@b.c", b"(", b":", b"*0*=", b"filename"]),
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(st.tuples(FIELDS, st.lists(BITS, max_size=6)), max_size=6), st.lists(BITS, max_size=20))
def test_no_near_mail_raises(head: list[tuple[bytes, list[bytes]]], body: list[bytes]) -> None:
    raw = b"".join(name + b"".join(bits) + b"\n" for name, bits in head) + b"\n" + b"".join(body)
    read(raw).text.encode()


def corpus() -> list[tuple[str, bytes]]:
    try:
        data = resources.files("test.test_email") / "data"
    except ModuleNotFoundError:
        return []
    return sorted((f.name, f.read_bytes()) for f in data.iterdir() if f.name.startswith("msg_"))


@pytest.mark.skipif(not corpus(), reason="this Python came without its test package")
def test_pythons_own_corpus_reads_like_the_second_opinion() -> None:
    compared = 0
    for name, raw in corpus():
        mine, theirs = read(raw), message_from_bytes(raw, policy=policy.default)
        if mine.message_id and " " not in mine.message_id:
            assert mine.message_id == str(theirs["message-id"]).strip(), name
        box = theirs["from"].addresses[0] if theirs["from"] and theirs["from"].addresses else None
        if box is not None and box.domain:
            assert mine.sender == box.addr_spec.lower(), name
            compared += 1
        plain = None if theirs.is_multipart() else theirs.get_body(("plain",))
        if plain is not None and plain["content-type"] and not theirs.defects:
            assert mine.text.split() == clean(plain.get_content()).split(), name
            compared += 1
    assert compared > 30


HEADS = st.sampled_from([
    b"Subject: a", b"From: x", b"X:", b":", b"From me", b" folded", b"\t", b"\xff\xc3", b"\x0c", b"\x85", b"\x1c", b"body", b"--b",
    b"Content-Type: text/plain", b"content-type: multipart/mixed; boundary=b", b"Content-Type: message/rfc822",
])  # fmt: skip
BREAKS = st.sampled_from([b"\r\n", b"\n", b"\r", b""])


@given(st.lists(st.tuples(HEADS, BREAKS), max_size=12))
@settings(max_examples=150)
def test_a_letter_without_parts_is_read_as_the_library_reads_it(rows: list[tuple[bytes, bytes]]) -> None:
    raw = b"".join(text + end for text, end in rows)
    ours, theirs = _tree(raw), message_from_bytes(raw)
    for mine, its in zip(ours.walk(), theirs.walk(), strict=True):
        assert list(mine.raw_items()) == list(its.raw_items())
        assert mine.is_multipart() == its.is_multipart()
        assert mine.is_multipart() or mine.get_payload() == its.get_payload()
        assert list(map(type, mine.defects)) == list(map(type, its.defects))


# ---------------------------------------------------------------- letters that programs write by themselves


def in_parts(*kinds: str, of: str = "multipart/alternative") -> bytes:
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
    assert read(in_parts(kind)).automatic


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
    assert read(in_parts(*kinds)).automatic == ()


@pytest.mark.parametrize(
    ("kind", "smime", "what"),
    [
        ("application/pkcs7-mime", "signed-data", "wrapped"), ("application/x-pkcs7-mime", "compressed-data", "wrapped"),
        ("application/pkcs7-mime", "enveloped-data", "encrypted"), ("application/pdf", "", "file"),
        ("video/mp4", "", "recording"), ("application/ms-tnef", "", "packed"), ("message/partial", "", "partial"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_read_has_a_kind(kind: str, smime: str, what: str) -> None:
    assert kind_of(kind, "", smime) == what


def test_of_many_message_ids_the_last_fifty_are_read() -> None:
    assert message_ids([f"<{number}@x.example>" for number in range(60)]) == tuple(
        f"<{n}@x.example>" for n in range(10, 60)
    )
