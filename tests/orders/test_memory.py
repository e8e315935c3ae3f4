"""The quick ways of reading, lines remembered and lines that are plain, say what the grammar says."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.order import Noun, Order, Verb, Vocabulary
from referee.orders import Sentence, lines, parse, read
from referee.orders.grammar import SentenceShape
from referee.orders.lalr import parse_by_grammar
from referee.orders.lines import logical_lines
from referee.orders.sentences import Memory
from tests.orders.test_any_text import GOOD
from tests.orders.words import DESK, GAME

NUMBER = re.compile("[0-9]+")
FORMS = (
    "MOVE 3 infantry, 1 general FROM Egypt TO Palestine VIA Suez",
    "MOVE up to 3 infantry, all but 2 armies and half general, 4 fleet TO Egypt",
    "OFFER 3 gold, 2 wood TO France FOR 1 cloth",
    "ACCEPT 3",
    "BALANCE 1, 2, 3",
    "BALANCE 1,2,3",
    "SURVEY 12,7",
    "SAIL 2 fleets TO 12,7",
    'NAME Egypt AS "3 Rivers"',
    "RESEARCH Science KEEPING 4 gold.",
    "RESEARCH Science 7",
    "sail 2 fleet, 2",
    "DEADLINE nw1 12 hours FOR France",
    "DEADLINE nw1 12h",
    "ATTACK France IN Europe WITH 2 fleets -3",
    "JOIN 12 AS England",
    "ADD MOVE 3 infantry TO Egypt",
    "IF fleets IN Red Sea >= 2",
)
numbers = st.one_of(st.integers(0, 3), st.integers(0, 10**10), st.sampled_from(("01", "007", "-1", "+2", "1.5", "2nd")))


def _unread() -> tuple[Vocabulary, Vocabulary]:
    """The same words as objects of their own, with which nothing was ever read."""
    return msgspec.structs.replace(GAME), msgspec.structs.replace(DESK)


def _with(form: str, values: list[object]) -> str:
    left = iter(values)
    return NUMBER.sub(lambda _: str(next(left)), form)


def test_a_line_is_recalled_with_other_numbers_and_a_very_long_one_never() -> None:
    memory = Memory(lambda: False)
    (sentence,) = read("ACCEPT 3", GAME, DESK).sheet
    assert isinstance(sentence, Sentence)
    for line in ("ACCEPT 3", "ACCEPT 3".ljust(1_000)):
        memory.remember(line, (sentence.order, sentence.text))
    recalled = memory.recall("ACCEPT 4")
    assert recalled is not None and recalled[1] == "ACCEPT 4"
    assert memory.recall("ACCEPT 3".ljust(1_000)) is None


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FORMS), st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=2, max_size=4))
def test_lines_that_differ_in_their_numbers(form: str, rounds: list[list[object]]) -> None:
    game, desk = _unread()
    read(form, game, desk)
    for values in rounds:
        typed = _with(form, values)
        assert read(typed, game, desk) == read(typed, *_unread())


def test_a_number_changes_the_order_and_its_text() -> None:
    game, desk = _unread()
    read("MOVE 3 infantry TO Egypt", game, desk)
    (node,) = read("move 41 infantry to egypt\nMOVE 41 infantry TO Egypt", game, desk).sheet[1:]
    assert isinstance(node, Sentence) and node.text == "MOVE 41 infantry TO Egypt"
    assert node.order.things[0].count() == 41


def test_where_names_hold_numbers_only_equal_lines_are_recalled() -> None:
    verb = Verb("MOVE", "Go.", "MOVE 2 corps", "t.1", ("unit",), 1)
    words = Vocabulary((verb,), (Noun("corps", "unit"), Noun("2 corps", "unit")))
    orders = [
        node.order for node in read("MOVE 3 corps\nMOVE 2 corps", words, DESK).sheet if isinstance(node, Sentence)
    ]
    assert [(order.things[0].name, order.things[0].count()) for order in orders] == [("corps", 3), ("2 corps", 1)]


def test_a_remembered_line_is_skipped_in_a_block_that_was_not_understood() -> None:
    reading = read("REST\nIF Blue RULES Egypt\nREST\nEND\nREST", GAME, DESK)
    assert [node.line for node in reading.sheet if isinstance(node, Sentence)] == [1, 5]
    assert [line.number for line in reading.ignored] == [3]


def test_the_memory_of_one_set_of_verbs_is_not_asked_for_another() -> None:
    """REST is the game's verb; with a game that has it not, it is the desk's."""
    rest = Verb("REST", "Stop.", "REST", "d.9")
    desk = Vocabulary((*DESK.verbs, rest), DESK.nouns)
    bare = Vocabulary(tuple(verb for verb in GAME.verbs if verb.word != "REST"), GAME.nouns)
    assert [n.order for n in read("REST", GAME, desk).sheet if isinstance(n, Sentence)] == [Order("REST")]
    assert [n.order for n in read("REST", bare, desk).desk] == [Order("REST")]
    assert [n.order for n in read("REST", GAME, desk).sheet if isinstance(n, Sentence)] == [Order("REST")]


rows = st.lists(
    st.sampled_from([*"ab ;#\\>\t\"-'(\r\n\u200b\x07é", "-- ", "\n> ", "\\\n", "\n-- \n", "\r\n"]), max_size=14
)


@settings(max_examples=300, deadline=None)
@given(rows.map("".join))
def test_ordinary_rows_are_taken_as_any_row_is(text: str) -> None:
    quick = list(logical_lines(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_ORDINARY", re.compile("(?!)"))
        assert quick == list(logical_lines(text))


# ---------------------------------------------------------------- plain lines


PIECES = re.split(
    " ",
    "MOVE up to 3 all but 2 all half and or not end if else for turn 4 late phase then add standing orders preview 12 12h "
    "+12h -2 12,7 1,2,3 c1r2 2026-11-22 18:00 2026-11-22T18:00Z a@b.de <a@b.de> St. d'Or x-y -> => → --> == <= > ( ) * & "
    ', . ! : ; # "q" “q” " „ « \\ - -- .. 3x allies Andes iffy ending 12.5 3/4 Europe/Berlin 日本 \u00a0 \u2028',
)
pieces = st.lists(st.sampled_from(PIECES), max_size=9)
spaced = st.builds(
    lambda words, gaps: "".join(w + g for w, g in zip(words, gaps, strict=False)),
    pieces,
    st.lists(st.sampled_from(("", " ", "  ", "\t")), min_size=9, max_size=9),
)


@settings(max_examples=600, deadline=None)
@given(st.one_of(spaced, pieces.map(" ".join), st.text(max_size=40)))
def test_both_ways_agree(line: str) -> None:
    assert parse(line) == parse_by_grammar(line)


def test_plain_lines_agree() -> None:
    for line in GOOD:
        assert parse(line) == parse_by_grammar(line)


def test_words_of_conditions_are_plain_words_in_orders() -> None:
    for line in ("MOVE 3 or 4", 'MOVE "a" then', "MOVE all late", "MOVE up to 3 OR x", "MOVE 12,7 or"):
        assert isinstance(parse_by_grammar(line), SentenceShape)
        assert parse(line) == parse_by_grammar(line)
