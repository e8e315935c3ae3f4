"""Which spellings are one word, what a misspelling may mean, and what is told of each malformed line, to the letter."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.normal_text import fold
from referee.core.order import Invalid, Noun, Vocabulary
from referee.orders import did_you_mean, orders_something, read
from referee.orders.lexicon import lexicon
from referee.orders.spelling import a_kind, plural, shortens, spelling
from tests.orders.words import DESK, GAME

ONE_WORD = [
    ("army", "armies"), ("fleet", "fleets"), ("infantryman", "infantrymen"), ("church", "churches"), ("box", "boxes"),
    ("bus", "buses"), ("house", "houses"), ("cargo", "cargoes"), ("horse", "horses"), ("wolf", "wolves"),
    ("colonise", "colonize"), ("colonised", "colonized"), ("colonisation", "colonization"), ("analyse", "analyze"),
    ("colour", "color"), ("harbours", "harbor"), ("armour", "armor"), ("centre", "center"), ("theatres", "theater"),
    ("fibre", "fiber"), ("defence", "defense"), ("licence", "license"), ("manoeuvre", "maneuver"),
    ("travelling", "traveling"), ("catalogue", "catalog"), ("grey", "gray"), ("plough", "plow"),
    ("aluminium", "aluminum"), ("tyres", "tires"), ("labourers", "laborers"),
]  # fmt: skip
TWO_WORDS = [
    ("spain", "spin"), ("gold", "goad"), ("egypt", "egyptian"), ("red", "reed"), ("as", "a"),
    ("suez", "sue"), ("england", "english"), ("paris", "pari"), ("ship", "shop"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ONE_WORD)
def test_one_word(one: str, other: str) -> None:
    assert spelling(one) == spelling(other)


@pytest.mark.parametrize(("one", "other"), TWO_WORDS)
def test_two_words(one: str, other: str) -> None:
    assert spelling(one) != spelling(other)


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("Côte d\u2019Ivoire", "cote divoire"), ("AUSTRIA-HUNGARY", "austria hungary"), ("St. Kilda", "st kilda"),
        ("Łódź", "lodz"), ("Straße", "strasse"), ("İzmir", "izmir"), ("Red   Sea", "red sea"), ("...", "..."),
    ],
)  # fmt: skip
def test_fold(typed: str, folded: str) -> None:
    assert fold(typed) == folded


def test_shortened_words_begin_each_word() -> None:
    assert shortens("s am", "south america") and shortens("south", "south america")
    assert not shortens("america", "south america") and not shortens("south america x", "south america")
    assert shortens("cargo s 3", "cargo ship 3") and not shortens("cargo ship 3", "cargo ship 31")


@pytest.mark.parametrize("word", ["army", "day", "fleet", "infantryman"])
def test_a_plural_is_the_same_word(word: str) -> None:
    assert plural(word) != word and spelling(plural(word)) == spelling(word)


def test_did_you_mean() -> None:
    places = ("Egypt", "Palestine", "Red Sea", "Cape of Good Hope")
    assert did_you_mean("Egpyt", places) == ("Egypt",)
    assert did_you_mean("palastine", places) == ("Palestine",)
    assert (
        did_you_mean("ret", ("Red",)) == ("Red",) and did_you_mean("rat", ("Red",)) == ()
    )  # one slip of three letters
    assert did_you_mean("good hope", places) == ("Cape of Good Hope",)
    assert (
        did_you_mean("sea", places) == ("Red Sea",) and did_you_mean("ea", places) == ()
    )  # three letters may end a name
    assert did_you_mean("xyzzy", places) == ()
    assert did_you_mean("", places) == () == did_you_mean("x", ())
    assert len(did_you_mean("aaaa", ("aaab", "aaac", "aaad", "aaae"), limit=2)) == 2


@given(st.text())
def test_spelling_takes_any_text(text: str) -> None:
    assert isinstance(spelling(fold(text)), str)
    assert fold(text) == fold(text.swapcase()) or not text.isascii()


def test_a_kind_has_the_article_that_it_is_spoken_with() -> None:
    assert [a_kind(kind) for kind in ("area", "army", "unit", "region")] == ["an area", "an army", "a unit", "a region"]


def test_words_that_name_things_as_orders_do() -> None:
    assert orders_something("could I have 2 fleets", GAME) and orders_something("off to the Red Sea", GAME)
    assert not orders_something("fleets are what I like", GAME) and not orders_something("at 2 o'clock", GAME)


# ---------------------------------------------------------------- the catalogue of malformed lines


CATALOGUE: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))[
    "mistake"
]


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry["line"])
def test_mistake(entry: dict[str, Any]) -> None:
    reading = read(entry["line"], GAME, DESK)
    mistake = reading.mistakes[0]
    assert mistake.source == entry["line"]
    assert type(mistake.refusal).__name__ == entry["kind"]
    assert mistake.refusal.sentence == entry["says"]
    assert mistake.caret() == entry["here"]
    assert list(mistake.refusal.instead) == entry["instead"]
    assert mistake.refusal.rule == entry.get("rule", "")
    assert not reading.sheet and not reading.desk


@pytest.mark.parametrize(
    ("line", "wanted"),
    [("SEND moon", ("paper",)), ("SEND", ("paper",)), ("SEND report TURN x", ("number",)), ("X", ())],
)
def test_a_refusal_has_as_a_value_what_was_wanted(line: str, wanted: tuple[str, ...]) -> None:
    (mistake,) = read(line, None, DESK).mistakes
    assert isinstance(mistake.refusal, Invalid) and mistake.refusal.wanted == wanted


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry["line"])
def test_corrections_are_right(entry: dict[str, Any]) -> None:
    for line in entry["instead"]:
        again = read(f"{line}\nEND" if line.startswith("IF") else line, GAME, DESK)
        assert not again.mistakes
        (said,) = again.sheet + again.desk
        assert line.removeprefix("IF ") == said.text


def test_every_entry_differs() -> None:
    lines = [entry["line"] for entry in CATALOGUE]
    assert len(set(lines)) == len(lines) > 50


def test_corrections_are_not_looked_for_in_thousands_of_lines() -> None:
    mistakes = read("\n".join(["MOVE army TO Egpyt"] * 300), GAME, DESK).mistakes
    assert len(mistakes) == 300
    assert mistakes[0].refusal.instead and not mistakes[-1].refusal.instead
    assert mistakes[0].refusal.sentence == mistakes[-1].refusal.sentence


def test_a_name_in_another_language_is_guessed_where_no_name_of_the_game_comes_near() -> None:
    nouns = (Noun("iron", "resource"), Noun("food", "resource", spoken=("Iran", "Getreide")))
    names = lexicon(Vocabulary((), nouns)).names(("resource",))
    assert [[noun.name for _, noun in names.like(typed)] for typed in ("irn", "getreid")] == [["iron"], ["food"]]
