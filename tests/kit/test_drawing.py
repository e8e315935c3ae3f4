"""What boards are drawn with: the measure of type, lists in lines, things that flow, keys in columns."""

from __future__ import annotations

import re
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from referee.kit.drawing import (
    Type,
    column,
    flowing,
    in_lines,
    is_light,
    label,
    phrases,
    to_click,
    width_of,
    width_of_phrases,
    words,
)
from tests.labels import TYPE

PLAIN, BOLD = Type("a", 10), Type("b", 20, True)
_RARE = "\t\n\r\x0b\x0c#|{}^@`~$_"
LETTERS = (*sorted(set(printable) - set(_RARE)), *map(chr, (0x2212, 0x2014, 0x2019)))


@pytest.mark.parametrize(("bold", "weight"), [(False, "Regular"), (True, "Bold")])
def test_the_measure_is_that_of_the_type_that_comes_along(bold: bool, weight: str) -> None:
    face = ImageFont.truetype(str(TYPE), 1000)
    face.set_variation_by_name(weight)
    # Where the system has no FriBidi, Pillow sets type by another engine, which rounds otherwise.
    assert {letter for letter in LETTERS if abs(width_of(letter, 1000, bold) - face.getlength(letter)) > 1.5} == set()


def test_words_take_the_room_that_was_reckoned() -> None:
    drawn = words("A & B", 50, 9, BOLD, "k", anchor=1)
    width = BOLD.width("A & B")
    assert drawn == (
        f'<text x="{50 - width:.1f}" y="9" class="b k" textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">A &amp; B</text>'
    )
    assert "textLength" not in words("R", 0, 0, PLAIN)
    assert BOLD.rule == "font-size:20px;font-weight:bold" and PLAIN.rule == "font-size:10px"


def test_phrases_stand_one_after_the_other() -> None:
    said = [("New World ", BOLD), ("", PLAIN), ("turn 2", PLAIN)]
    assert re.findall(r'x="([\d.]+)"', phrases(said, 0, 9)) == ["0", f"{BOLD.width('New World '):.1f}"]
    assert width_of_phrases(said) == BOLD.width("New World ") + PLAIN.width("turn 2")


@given(st.lists(st.text("abcW", min_size=1, max_size=9), max_size=12), st.integers(20, 200))
def test_a_list_is_broken_into_lines_that_fit_and_says_all(said: list[str], most: int) -> None:
    lines = in_lines([(word, PLAIN) for word in said], most)
    assert "".join(text for line in lines for text, _ in line) == ", ".join(said)
    assert all(len(line) == 1 or width_of_phrases(line) <= most + 1e-9 for line in lines)


@given(st.lists(st.floats(1, 300), min_size=1, max_size=20), st.floats(0, 20))
def test_what_flows_goes_beyond_no_edge_and_covers_nothing(widths: list[float], gap: float) -> None:
    places = [*flowing(widths, 200, gap)]
    assert len(places) == len(widths)
    for (x, line), width, following in zip(places, widths, [*places[1:], (0.0, -1)], strict=True):
        assert x == 0 or x + width <= 200
        assert following[1] != line or following[0] >= x + width + gap - 1e-9


def test_a_column_of_a_key_is_as_tall_as_its_lines() -> None:
    few, tall = column([[label("one", PLAIN)], []], 100)
    more, taller = column([[label("one", PLAIN)], [label("a long meaning", PLAIN)] * 3], 100)
    assert few.count("<text") == 1 and more.count("<text") == 4 and taller > tall + 2 * 19


def test_what_can_be_clicked_says_what_it_is() -> None:
    assert to_click("place-new york", 'A "b" & c', place="New York", seat="") == (
        'id="place-new-york" data-place="New York" tabindex="0" role="button" aria-label=\'A "b" &amp; c\''
    )


def test_black_is_read_on_light_colours_and_white_on_dark_ones() -> None:
    assert [is_light(colour) for colour in ("#ffffff", "#f0cb2e", "#c1272d", "#000000")] == [True, True, False, False]
