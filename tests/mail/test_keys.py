"""Keys: taken out of a text before anything else reads it, and kept as nobody can read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.identity import Keys, hash_key, is_key, take_keys

SALT = bytes(range(16))


def test_a_key_on_a_line_of_its_own_is_taken_out() -> None:
    assert take_keys("BUILD fleet\nKEY sesame-42\nROLL OUT") == Keys("BUILD fleet\n\nROLL OUT", "sesame-42")


@pytest.mark.parametrize("line", ["key sesame", "  Key:  sesame  ", "KEY = sesame", "KEY\tsesame;"])
def test_a_key_as_people_write_it(line: str) -> None:
    assert take_keys(line).given.strip(";") == "sesame"


def test_setting_a_key_is_taken_out_too() -> None:
    assert take_keys("SET key open-sesame\n") == Keys("\n", "", "open-sesame")


def test_a_quoted_key_is_emptied_and_counts_for_nothing() -> None:
    assert take_keys("> KEY sesame\n>> SET KEY sesame") == Keys(">\n>>")


@pytest.mark.parametrize("line", ["The KEY sesame", "KEY", "KEY one two", "KEYS sesame", "SET keyboard sesame"])
def test_other_lines_stay(line: str) -> None:
    assert take_keys(line) == Keys(line)


@given(st.text(max_size=200))
def test_lines_are_never_lost(text: str) -> None:
    assert take_keys(text).text.count("\n") == text.count("\n")


def test_a_key_is_known_again_and_no_other_passes() -> None:
    kept = hash_key("open-sesame", SALT)
    assert is_key("open-sesame", kept)
    assert not is_key("Open-sesame", kept) and not is_key("", kept)
    assert "sesame" not in kept


def test_one_key_is_kept_differently_for_two_people() -> None:
    assert hash_key("open-sesame", SALT) != hash_key("open-sesame", SALT[::-1])


def test_what_was_not_kept_by_us_is_refused() -> None:
    with pytest.raises(ValueError, match="no way in which keys are kept"):
        is_key("x", "md5$1$1$1$00$00")
