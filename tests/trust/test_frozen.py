"""Letters made to freeze the desk: none costs more than its length, and one that does all the same stops no other."""

from __future__ import annotations

import encodings
import logging
import time
import tracemalloc
import unicodedata

import pytest
from flufl.bounce._detectors.yahoo import Yahoo

from referee.core.normal_text import MOST_MARKS, fold, normal
from referee.mail import read
from referee.mail.characters import decode
from referee.mail.reading.bounces import bounce_in
from referee.orders import read as read_orders
from tests.fuzz.hostile import FROM, HOSTILE, ODD, PLAIN, text
from tests.letters.reading import said, words

QUICK = 5.0
"""Seconds of computing that no letter may take on the slowest machine; each takes a tenth of them on a common one."""


def seconds(name: str, size: int) -> float:
    """What a letter costs by the processor's clock, which a busy machine does not move."""
    said(HOSTILE["orders"](2_000))
    raw = (HOSTILE | ODD)[name](size)
    began = time.process_time()
    said(raw)
    return time.process_time() - began


def test_a_line_of_marks_costs_no_more_than_its_length() -> None:
    """The letter of 1.6 megabytes that would have kept the desk for eight minutes a pass."""
    assert seconds("marks out of order in a line", 1_600_000) < QUICK
    assert seconds("marks out of order in HTML", 1_600_000) < QUICK


def test_three_hundred_fields_of_marks_cost_no_more_than_their_length() -> None:
    """Nine megabytes of display names."""
    assert seconds("marks out of order in names", 9_000_000) < QUICK


def test_a_run_of_marks_is_cut_at_thirty_in_every_form() -> None:
    for form in ("NFC", "NFKC", "NFKD"):
        kept = normal(form, "e" + "\u0315\u0300" * 50 + "x")
        assert sum(map(bool, map(unicodedata.combining, unicodedata.normalize("NFD", kept)))) <= MOST_MARKS
        assert kept.endswith("x")
    assert normal("NFC", "e\u0301" + "\u0300" * 29) == unicodedata.normalize("NFC", "e\u0301" + "\u0300" * 29)


def test_every_mark_of_unicode_counts_as_one() -> None:
    """Also those that are none by themselves and fall apart into marks."""
    for char in map(chr, range(0x110000)):
        if all(map(unicodedata.combining, unicodedata.normalize("NFKD", char))):
            cut = unicodedata.normalize("NFKD", char * (MOST_MARKS + 2))
            assert len(normal("NFKD", char * (MOST_MARKS + 2))) < len(cut), hex(ord(char))


def test_a_character_that_is_a_sentence_fills_no_memory() -> None:
    said(HOSTILE["orders"](2_000))
    raw = ODD["a sentence in a character in a line"](900_000)
    tracemalloc.start()
    said(raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000
    assert len(fold("\ufdfa" * 300_000)) < 40_000


def test_ten_thousand_misspelt_lines_are_told_and_cost_little() -> None:
    assert seconds("mistakes", 310_000) < QUICK
    assert seconds("misspelt names", 310_000) < QUICK


def test_beyond_a_thousand_mistakes_right_lines_count_all_the_same() -> None:
    lines = ["RESERCH Lwa"] * 1_500 + ["HIRE 1 worker"]
    reading = read_orders("\n".join(lines), *words())
    assert [sentence.text for sentence in reading.sheet if hasattr(sentence, "text")] == ["HIRE 1 worker"]
    assert len(reading.mistakes) == 1_500
    assert "RESEARCH" in reading.mistakes[0].refusal.sentence
    assert reading.mistakes[-1].refusal.sentence == '"RESERCH" is not a verb known here.'


def test_half_a_million_short_lines_cost_little_and_the_rest_is_said_to_be_unread() -> None:
    assert seconds("short lines in base64", 1_400_000) < QUICK
    assert (
        "more than 20,000 lines of text: the rest was not read"
        in read(HOSTILE["short lines in base64"](200_000)).defects
    )


def test_half_a_million_header_fields_cost_little_and_the_letter_is_read() -> None:
    assert seconds("many fields", 6_000_000) < QUICK
    letter = read(HOSTILE["many fields"](6_000_000))
    assert (letter.sender, letter.text) == ("anna@players.example", "HIRE 1 worker\n")
    assert "more than 131,072 bytes of headers: the rest was not read" in letter.defects


def test_charsets_that_nobody_has_are_not_kept_in_mind() -> None:
    before = {name for name in encodings._cache if name.startswith("x")}
    for i in range(50):
        assert decode(b"abc", f"x-nobody-{i}") == "abc"
    said(HOSTILE["charsets"](20_000))
    assert {name for name in encodings._cache if name.startswith("x")} == before


def test_a_bounce_that_breaks_a_detector_takes_one_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object) -> None:
        raise RecursionError  # as under some Pythons at thousands of brackets, under others not

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(Yahoo, "process", breaks)
    bounce_in(b"From: " + b"(" * 8_000 + b"\r\n\r\nHIRE 1 worker\r\n")
    lines = [line for line in caplog.text.splitlines() if "Running detector" not in line]
    assert len(lines) == 1 and "a bounce could not be understood" in lines[0]


def test_a_letter_of_blank_lines_and_one_of_marks_say_the_same_order() -> None:
    """What is cut is the excess alone."""
    plain = said(text(PLAIN, b"HIRE 1 worker\r\n")(15)).orders
    assert said(FROM + b"\r\n" + b"\r\n" * 5_000 + b"HIRE 1 worker\r\n").orders == plain == ("HIRE 1 worker",)
