"""The page on the order language: its examples read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.orders import LONGEST_LINE, MOST_LINES, grammar_text, read
from referee.orders.lexicon import LANGUAGE_KINDS
from tests.orders.words import DESK, GAME

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "language.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("letter", fenced("orders"))
def test_examples_are_understood(letter: str) -> None:
    reading = read(letter, GAME, DESK)
    assert not reading.mistakes and not reading.ignored
    assert reading.sheet or reading.desk


@pytest.mark.parametrize("line", "".join(fenced("refused")).splitlines())
def test_refusals_are_refused(line: str) -> None:
    reading = read(line, GAME, DESK)
    assert len(reading.mistakes) == 1 and not reading.sheet and not reading.desk


def test_the_page_has_examples_of_both() -> None:
    assert len(fenced("orders")) >= 5 and len(fenced("refused")) == 1


def test_all_blocks_of_the_page_are_found() -> None:
    (letter,) = (text for text in fenced("orders") if "STANDING" in text)
    reading = read(letter, GAME, DESK)
    assert reading.standing and reading.late and reading.preview and len(reading.turns) == 1 and len(reading.sheet) == 2


def test_the_page_names_every_kind_and_both_limits() -> None:
    assert all(f"`{kind}`" in PAGE for kind in LANGUAGE_KINDS)
    assert f"{LONGEST_LINE:,} characters" in PAGE and f"{MOST_LINES:,} orders" in PAGE


def test_the_grammar_in_use_is_the_one_at_the_top() -> None:
    assert grammar_text() == (TOP / "grammar" / "orders.lark").read_text(encoding="utf-8")
