"""Letters of the corpus, spoilt at random: none raises, no line gets lost; and the work grows as the letter does (slow)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.hostile import HOSTILE, UNICODE
from tests.letters.reading import Said, said

CORPUS = Path(__file__).parents[1] / "letters" / "corpus"
LETTERS = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml")) if path.stat().st_size < 10_000]
FINDS = sorted((Path(__file__).parent / "finds").glob("*.eml"))

odd = st.tuples(st.sampled_from(sorted(UNICODE.values())), st.integers(1, 80)).map(
    lambda drawn: (drawn[0] * drawn[1]).encode()
)
bits = st.one_of(
    odd,
    st.binary(max_size=8),
    st.sampled_from([b"\r\n", b"\n\n", b"--b", b"--b--", b"=?utf-8?b?", b"?=", b"<", b">", b'"', b";", b"\\", b"END\r\n",
                     b"> ", b"-- \r\n", b"IF ", b"ELSE", b"STANDING\r\n", b"=\r\n", b"<!--", b"Content-Type: ", b"charset=",
                     b"utf-16", b"multipart/mixed", b"base64", b"From: ", b"Sent: ", b"Subject: ", b" wrote:", b"\xff\xfe"]),
)  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A letter of the corpus, or halves of two, with some bytes put in, taken out or doubled."""
    raw = draw(st.sampled_from(LETTERS))
    if draw(st.booleans()):
        other = draw(st.sampled_from(LETTERS))
        raw = raw[: draw(st.integers(0, len(raw)))] + other[draw(st.integers(0, len(other))) :]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 30)))
        put = draw(st.one_of(bits, st.just(raw[start:end] * 2)))
        raw = raw[:start] + put + raw[end:]
    return raw


def check(raw: bytes) -> Said:
    """What must hold of any bytes at all."""
    came = said(raw)
    lines = came.letter.text.split("\n")
    numbers = [line.number for line in came.stripped.lines]
    numbers += [line.number for line in came.stripped.ignored]
    assert sorted(numbers) == list(range(1, len(lines) + 1))
    assert all(1 <= number <= len(lines) for number in came.numbers)
    for shown in (*came.orders, *came.desk, *came.refused, *came.ignored, came.letter.subject, came.letter.sender_name):
        shown.encode()  # no half character may reach a receipt
        assert "\n" not in shown
    return came


@settings(max_examples=120, deadline=None)
@given(spoilt())
def test_a_spoilt_letter_is_read(raw: bytes) -> None:
    check(raw)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LETTERS), st.data())
def test_reading_is_the_same_each_time(raw: bytes, data: st.DataObject) -> None:
    cut = raw[: data.draw(st.integers(0, len(raw)))]
    assert said(cut) == said(cut)


@pytest.mark.parametrize("find", FINDS, ids=[path.stem for path in FINDS])
def test_what_was_once_found_stays_mended(find: Path) -> None:
    check(find.read_bytes())


def calls(raw: bytes) -> int:
    """How many functions are called to read a letter, those of the interpreter included."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        said(raw)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_the_work_grows_no_faster_than_the_letter(make: Callable[[int], bytes]) -> None:
    """A count of calls and not a time, so that it holds on any machine; test_time sees in every run what grows by a square."""
    calls(make(2_000))  # words are looked up and remembered in the first letter
    small, large = make(8_000), make(24_000)
    assert calls(large) / len(large) <= 1.5 * calls(small) / len(small) + 0.1
