"""Addresses that carry a match and a token, and Message-IDs that say which letter they name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.address import (
    Route,
    address_in,
    bounce_mark,
    list_id,
    message_id,
    parse_recipient,
    reply_address,
    spelt,
    thread_id,
    token_digest,
    verp,
)

BASE = "Referee@Game.example"
TOKENS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=16, max_size=16)
MATCHES = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", fullmatch=True)


@given(MATCHES, TOKENS)
def test_a_reply_address_comes_back_in_any_case(match: str, token: str) -> None:
    address = reply_address(BASE, match, token)
    for written in (address, address.upper(), f" {address.title()} "):
        assert parse_recipient(written, BASE) == Route(match, token)


@given(st.integers(min_value=0, max_value=10**12))
def test_a_bounce_names_its_letter(letter: int) -> None:
    assert parse_recipient(verp(BASE, letter).lower(), BASE) == Route(bounce=letter)


def test_a_match_called_bounce_is_no_bounce() -> None:
    assert parse_recipient("referee+bounce-12@game.example", BASE) == Route("bounce-12")


@pytest.mark.parametrize(
    ("address", "route"),
    [
        ("referee@game.example", Route()), ("referee+atlantis@game.example", Route("atlantis")),
        ("referee@other.example", None), ("ref@game.example", None), ("referee+@game.example", None),
        ("referee+a.b.c@game.example", None), ("referee+a b@game.example", None), ("", None),
        ("referee+../x@game.example", None), ("referee+bounce=x@game.example", None),
    ],
)  # fmt: skip
def test_addresses_by_example(address: str, route: Route | None) -> None:
    assert parse_recipient(address, BASE) == route


@given(st.text())
def test_any_address_is_judged(address: str) -> None:
    parse_recipient(address, BASE)
    parse_recipient(f"referee+{address}@game.example", BASE)


@pytest.mark.parametrize(
    ("match", "token"),
    [("a b", "a" * 16), ("a", "tooshrt"), ("a.b", "a" * 16), ("a", "a" * 15 + "\n"), ("-a", "a" * 16)],
)
def test_what_no_address_can_carry_is_refused(match: str, token: str) -> None:
    with pytest.raises(ValueError, match="no address can carry"):
        reply_address(BASE, match, token)


def test_a_base_without_host_is_refused() -> None:
    with pytest.raises(ValueError, match="no mail address"):
        verp("referee", 1)


def test_the_digest_of_a_token_forgives_case_only() -> None:
    assert token_digest("ABC ") == token_digest("abc") != token_digest("abd")


def test_message_ids_tell_letters_apart_and_repeat_themselves() -> None:
    def id_of(**change: Any) -> str:
        given: dict[str, Any] = {"kind": "report", "unique": "17", "match": "atlantis", "turn": 5, "reader": "France"}
        given |= {"seq": 0, "host": "g.example", "secret": b"s"}
        return message_id(**{**given, **change})

    assert re.fullmatch("<atlantis[.]t5[.]report-[a-z2-7]{24}@g[.]example>", id_of()) and id_of() == id_of()
    others = {
        id_of(kind="receipt"),
        id_of(unique="18"),
        id_of(secret=b"t"),
        id_of(match="b"),
        id_of(turn=6),
        id_of(reader="Spain"),
        id_of(seq=18),
        id_of(host="h"),
    }
    assert len(others | {id_of()}) == 9
    assert id_of(reader="New France") != id_of(reader="New-France") != id_of(reader="new france")


def test_thread_and_list_of_a_match() -> None:
    assert thread_id("Atlantis", "g.example") == thread_id("atlantis", "g.example") == "<atlantis.match@g.example>"
    assert list_id("atlantis", "g.example") == "<atlantis.referee.g.example>"


def test_a_bounce_shows_by_its_mark_that_the_letter_was_seen() -> None:
    mark = bounce_mark(b"Subject: turn 5\r\n\r\n")
    assert parse_recipient(verp(BASE, 7, mark).upper(), BASE) == Route(bounce=7, mark=mark)
    assert bounce_mark(b"Subject: turn 6\r\n\r\n") != mark


# ---------------------------------------------------------------- addresses of people


@pytest.mark.parametrize(
    "written",
    [
        "x@b\u00fccher.example",
        "X@B\u00dcCHER.Example",
        "x@xn--bcher-kva.example",
        "x@XN--BCHER-KVA.EXAMPLE.",
        "x@bu\u0308cher.example",
        "x@b\u00fccher\u3002example",
        "x@\uff42\u00fccher.example",
    ],
)
def test_an_address_has_one_spelling(written: str) -> None:
    assert spelt(written) == "x@xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("x@stra\u00dfe.example", "x@xn--strae-oqa.example"),
        ("x@i\u2764.ws", "x@xn--i-7iq.ws"),
        ("abc..d.@docomo.example", "abc..d.@docomo.example"),
        ("Anna@localhost", "anna@localhost"),
        ("o'neil+games@x.example", "o'neil+games@x.example"),
        (f"{'a' * 128}@x.example", f"{'a' * 128}@x.example"),
    ],
)
def test_what_can_be_written_to(written: str, spelling: str) -> None:
    assert spelt(written) == spelling


UNANSWERABLE = [
    "gr\u00e5@example.org",
    "j\u00f6rg@ex\u00e4mple.org",
    "x@[127.0.0.1]",
    "x@[IPv6:::1]",
    "x@127.0.0.1",
    f"{'a' * 129}@example.org",
    f"x@{'a' * 64}.example",
    "x@" + "\u00fc" * 300 + ".example",
    "x@-a.example",
    "x@a..example",
    "x@",
    "@example.org",
    "x",
    "",
    "x@\udcff.example",
    "x@exam ple.org",
    "x@@example.org",
    "x@example.org\n",
]


@pytest.mark.parametrize("written", UNANSWERABLE)
def test_what_no_letter_can_be_sent_to(written: str) -> None:
    assert spelt(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "carla@example.org",
        "CARLA@example.org.",
        "<carla@example.org>",
        '"Carla" <carla@example.org>',
        '"carla@work" <carla@example.org>',
        "Carla Smith <carla@example.org>",
        "carla@example.org<mailto:carla@example.org>",
        "Carla <carla@example.org<mailto:carla@example.org>>",
        "[carla@example.org](mailto:carla@example.org)",
        "mailto:carla@example.org?subject=hello",
        "<mailto:carla@example.org>",
        "carla@example.org,",
        "carla@example.org;",
        "carla@example.org.",
        "carla@example.org (Carla)",
        "'carla@example.org'",
        "*carla@example.org*",
        "\u201ccarla@example.org\u201d",
    ],
)
def test_an_address_is_read_as_people_and_programs_write_it(written: str) -> None:
    assert address_in(written) == "carla@example.org"


@pytest.mark.parametrize(
    "written", ["", "carla", "carla@host", "a@x.example, b@x.example", "a@x.example <b@x.example>"]
)
def test_no_address_is_guessed(written: str) -> None:
    assert address_in(written) is None
