"""docs/language.md names every word of the desk and every preference, for whom it is; its examples read as it says.

The kinds of things that an order takes stand in docs/adding.md.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.games import GAMES
from referee.orders import LONGEST_LINE, MOST_LINES, grammar_text, read
from referee.orders.lexicon import LANGUAGE_KINDS
from referee.service.house.documents import DOCUMENTS
from referee.service.intake.commands.command import every_word, for_anyone, for_game_masters, for_players
from referee.service.intake.foreign_lines import first_words
from referee.service.post.delivery import WISHED
from tests.orders.words import DESK, GAME

PAGE, ADDING = ((Path(__file__).parents[2] / "docs" / name).read_text("utf-8") for name in ("language.md", "adding.md"))
_LANGUAGE = {
    "ADD",
    "AND",
    "ELSE",
    "END",
    "FOR",
    "TURN",
    "PHASE",
    "IF",
    "LATE",
    "NOT",
    "OR",
    "PREVIEW",
    "STANDING",
    "YES",
}
_VALUES = {"ALL", "GREY", "OVER", "LINES", "SINCE"}
"""Capitals in the page that are no verbs: addressees, tones, what is voted on, prepositions of SEND."""


def rows(section: str) -> list[tuple[str, list[str]]]:
    """The table of a section: first cell and the words in the others."""
    text = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [(first, re.findall(r"`([^`]+)`", " ".join(rest))) for first, *rest in cells]


def named(who: str) -> list[str]:
    return [word for first, words in rows("The words of the desk") if first.startswith(who) for word in words]


def test_every_word_stands_where_it_belongs_and_no_other() -> None:
    for who, verbs in (("anyone", for_anyone()), ("players", for_players()), ("game masters", for_game_masters())):
        assert sorted(named(who)) == sorted(verb.word for verb in verbs)


def test_every_other_spelling_is_named() -> None:
    spellings = {alias for verb in every_word().verbs for alias in verb.aliases}
    assert spellings and all(re.search(rf"\b{alias}\b", PAGE) for alias in spellings)


def test_every_document_stands_there_as_it_is_declared() -> None:
    written = re.findall(r"(?m)^\| `SEND (\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", PAGE)
    declared = [(word, d.phrase, d.who, ", ".join((*d.clauses, *d.forms)) or "-") for word, d in DOCUMENTS.items()]
    assert [(word, phrase, who, knows.replace("`", "")) for word, phrase, who, knows in written] == declared


def test_every_preference_is_named() -> None:
    text = PAGE.partition("## What your letters bring\n")[2].partition("\n## ")[0]
    wishes = {word for cell in re.findall(r"(?m)^\| (`.*?) \|", text) for word in re.findall(r"`(\w+)", cell)}
    assert wishes == {*WISHED, "reminders", "zone", "name", "address", "key"}


def test_the_page_names_no_word_that_does_not_exist() -> None:
    verbs = [*every_word().verbs, *GAME.verbs, *GAME.predicates, *DESK.verbs]
    spelt = [word for verb in verbs for word in (verb.word, *verb.aliases, *verb.prepositions)]
    spelt += [word for game in GAMES for word in first_words(game)]
    known = {part for word in spelt for part in word.split()} | _LANGUAGE | _VALUES
    code = " ".join(re.findall(r"`([^`\n]+)`", PAGE) + re.findall(r"(?ms)^```(?:orders|text)\n(.*?)^```", PAGE))
    assert set(re.findall(r"(?<![\w\"])[A-Z]{2,}(?!\w)", code)) - known == set()


# ---------------------------------------------------------------- the order language


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


def test_the_pages_name_every_kind_and_both_limits() -> None:
    assert all(f"`{kind}`" in ADDING for kind in LANGUAGE_KINDS)
    assert f"{LONGEST_LINE:,} characters" in PAGE and f"{MOST_LINES:,} orders" in PAGE


def test_the_grammar_in_use_is_the_one_at_the_top() -> None:
    assert grammar_text() == (Path(__file__).parents[2] / "grammar" / "orders.lark").read_text(encoding="utf-8")
