"""Hostile letters by the wall clock at two sizes: a count of calls is blind to one call that takes an hour."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from referee.core.normal_text import fold, normal
from referee.games.newworld.game import NewWorld
from referee.mail.characters import clean, decode
from referee.mail.headers import mailboxes, words
from referee.mail.reading.bounces import bounce_in
from referee.mail.reading.sender import authentication, take_keys
from referee.orders import read as read_orders
from referee.service.intake.commands.command import every_word, words_at_first
from referee.service.intake.plain_words import like_orders, remarks_aside
from tests.fuzz.hostile import HOSTILE, ODD, UNICODE, head
from tests.letters.reading import said

SMALL = 6_000
LARGE = 4 * SMALL
TRIES = 8


def seconds(work: Callable[[], object]) -> float:
    """Of the processor, which a busy machine does not lengthen."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def grows_with_the_letter(work: Callable[[int], object]) -> None:
    """Four times as much takes no more than eight times as long, each at its best."""
    small = large = float("inf")
    for _ in range(TRIES):
        small, large = min(small, seconds(partial(work, SMALL))), min(large, seconds(partial(work, LARGE)))
        if large < 8 * small + 0.05:
            return
    raise AssertionError(f"{SMALL} bytes took {small:.3f} seconds, {LARGE} took {large:.3f}")


def reading(raw: bytes) -> None:
    """All that is done with any letter before somebody's match is touched."""
    take_keys(said(raw).letter.text)
    authentication(raw, ("mx.example",))


LETTERS = HOSTILE | ODD


@pytest.mark.parametrize("make", LETTERS.values(), ids=LETTERS)
def test_no_hostile_letter_takes_longer_than_it_is_long(make: Callable[[int], bytes]) -> None:
    reading(make(2_000))
    grows_with_the_letter(lambda size: reading(make(size)))


@pytest.mark.parametrize(
    "name", ["blank lines", "addresses of a bounce", "many parts", "nested", "many fields", "address comments"]
)
def test_no_bounce_takes_longer_than_it_is_long(name: str) -> None:
    grows_with_the_letter(lambda size: bounce_in(HOSTILE[name](size)))


@pytest.mark.parametrize("piece", UNICODE.values(), ids=UNICODE)
def test_no_kind_of_character_takes_longer_in_a_function_of_the_library(piece: str) -> None:
    for form in ("NFC", "NFKC", "NFKD"):
        grows_with_the_letter(lambda size, form=form: normal(form, piece * (size // len(piece))))  # type: ignore[misc]
    for read in (clean, words, fold, lambda text: mailboxes([text]), lambda text: take_keys(f"KEY {text}")):
        grows_with_the_letter(lambda size, read=read: read(piece * (size // len(piece))))  # type: ignore[misc]


AWKWARD = (b"\xff", b"+AAA-", b"\x1b$B", b"~{", b"\x1b$)C\x0e", b"\xe4\xb8", b"\0a", b"=?", b"\x81")


@pytest.mark.parametrize(
    "charset", ["utf-7", "utf-16", "hz", "iso-2022-jp-2", "iso-2022-kr", "big5-hkscs", "gb18030", "hp-roman8"]
)
def test_no_charset_takes_longer_than_the_letter_is_long(charset: str) -> None:
    for piece in AWKWARD:
        grows_with_the_letter(lambda size, piece=piece: decode(piece * (size // len(piece)), charset))  # type: ignore[misc]


RESULTS = (
    b"mx.example; dkim=pass header.d=b.example ",
    b"mx.example (",
    b'mx.example; "',
    b"mx.example; a=b c.d=",
    b";",
    b"\\ ",
)


@pytest.mark.parametrize("piece", RESULTS)
def test_no_result_of_a_mail_server_takes_longer_than_it_is_long(piece: bytes) -> None:
    make = head(b"Authentication-Results", piece)
    grows_with_the_letter(lambda size: authentication(make(size), ("mx.example",)))


@pytest.mark.parametrize(
    "line", ["xyzzy and plugh\n", "RESERCH any\nxyzzy\n", "put 1 fleet in europe\n", "HIRE 1 worker\nxyzzy\n"]
)
def test_remarks_are_told_apart_in_time_of_the_letter(line: str) -> None:
    """At a larger size than other letters: what compared each line with all orders took no time at the usual one."""
    game = NewWorld()
    words = words_at_first(game)
    letters = {size: read_orders(line * (2 * size // len(line)), words, every_word()) for size in (SMALL, LARGE)}

    def aside(size: int) -> None:
        like_orders(remarks_aside(letters[size].mistakes, letters[size])[1], words)

    grows_with_the_letter(aside)
