"""Printing mirrors reading: what is written of any order, with any vocabulary, reads back as the same order."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.core.normal_text import fold
from referee.core.order import (
    All,
    Any,
    Clause,
    Comparison,
    Condition,
    Not,
    Noun,
    Order,
    Portion,
    Predicate,
    Quantity,
    Thing,
    Verb,
    Vocabulary,
)
from referee.moments import seconds_of
from referee.orders import Sentence, read, understand, understand_condition, write, write_condition
from referee.orders.spelling import spelling

PREPOSITIONS = ("FROM", "TO", "VIA", "KEEPING", "AT SEA", "BECAUSE")
KINDS = ("place", "unit", "text", "number", "hex", "duration", "moment", "date", "address", "word", "words", "any")
NOTHING = Vocabulary((), ())

letters = st.characters(categories=("Lu", "Ll", "Lo"), max_codepoint=0x24F)
words = st.text(letters, min_size=1, max_size=8)
hard_words = st.sampled_from(
    ("of", "St.", "d'Or", "and", "or", "not", "all", "12", "3rd", "12h", "c1r2", "x-y", "a,b", '"q"', "->")
)
names = st.lists(st.one_of(words, words, hard_words), min_size=1, max_size=4).map(" ".join)
numbers = st.integers(0, 999_999_999)
quantities = st.one_of(
    st.builds(Quantity, st.sampled_from((Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT)), numbers),
    st.sampled_from((Quantity(Portion.ALL), Quantity(Portion.HALF))),
)
moments = st.builds(
    lambda day, hour, minute: f"{day} {hour:02}:{minute:02}",
    st.dates(date(1000, 1, 1)),
    st.integers(0, 23),
    st.integers(0, 59),
)
zones = st.sampled_from(("", " UTC", " Europe/Berlin", " +01:00", " -09:30"))


def _duration(sign: str, number: int, unit: str) -> Thing:
    name = f"{sign}{number}{unit}"
    return Thing("duration", name, Quantity(Portion.EXACTLY, seconds_of(name)))


def _reserved(name: str) -> bool:
    return fold(name) in {fold(p) for p in PREPOSITIONS} | {"the", "any", "all", "anything", "everything"}


own = {
    "text": st.builds(Thing, st.just("text"), st.text(max_size=30)),
    "number": st.builds(lambda n: Thing("number", "", Quantity(Portion.EXACTLY, n)), numbers),
    "hex": st.builds(lambda c, r: Thing("hex", f"c{c}r{r}"), st.integers(0, 9999), st.integers(0, 9999)),
    "duration": st.builds(
        _duration, st.sampled_from(("", "+", "-")), st.integers(0, 104), st.sampled_from(("min", "h", "d", "w"))
    ),
    "moment": st.builds(lambda m, z: Thing("moment", m + z), moments, zones),
    "date": moments.map(lambda m: Thing("date", m[:10])),
    "address": st.from_regex(r"[a-z][a-z.+-]{0,8}[a-z]@[a-z]{1,9}\.[a-z]{2,3}", fullmatch=True).map(
        lambda a: Thing("address", a)
    ),
    "word": st.one_of(words, st.text(min_size=1, max_size=9))
    .filter(lambda w: not _reserved(w))
    .map(lambda w: Thing("word", w)),
    "words": st.builds(Thing, st.just("text"), st.text(max_size=30)),
    "any": st.just(Thing("any", "any")),
}


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Any verbs, any names of several words. Names must differ, and none may hide another word of the language."""
    chosen = draw(st.lists(names, min_size=1, max_size=8, unique_by=lambda n: spelling(fold(n))))
    known = [n for n in chosen if not _reserved(n) and not any(_begins(o, n) for o in chosen)]
    assume(known)
    nouns = tuple(Noun(n, draw(st.sampled_from(("place", "unit")))) for n in known)
    allowed = st.lists(st.sampled_from(KINDS), min_size=1, max_size=1).map(tuple)
    verbs = tuple(
        Verb(verb, "", "", "", draw(allowed), 0, None, {p: draw(allowed) for p in PREPOSITIONS})
        for verb in draw(st.lists(verb_words, min_size=1, max_size=4, unique_by=lambda v: spelling(fold(v))))
    )
    return Vocabulary(verbs, nouns, verbs)


verb_words = (
    st.lists(st.text(letters, min_size=2, max_size=7), min_size=1, max_size=3)
    .map(lambda parts: " ".join(parts).upper())
    .filter(lambda v: not re.match(r"(IF|ADD|END|ELSE|FOR TURN|STANDING|PREVIEW|ALL|HALF|AND)\b", v))
)


def _begins(longer: str, name: str) -> bool:
    """Whether `longer` goes on where `name` ends, so that the language could not tell them apart after all."""
    return longer != name and f"{fold(longer)} ".startswith(f"{fold(name)} ")


def things(draw: st.DrawFn, kinds: tuple[str, ...], vocabulary: Vocabulary, least: int) -> tuple[Thing, ...]:
    """Things of these kinds; a preposition, which has at least one, takes one number."""
    (kind,) = kinds
    if kind in own:
        most = 1 if least and kind == "number" else 3
        return tuple(draw(st.lists(own[kind], min_size=least, max_size=most)))
    nouns = [noun for noun in vocabulary.nouns if noun.kind == kind]
    assume(nouns or not least)
    count = draw(st.integers(least, 3)) if nouns else 0
    counts = st.one_of(st.none(), quantities)
    return tuple(Thing(n.kind, n.name, draw(counts)) for n in (draw(st.sampled_from(nouns)) for _ in range(count)))


@st.composite
def spoken(draw: st.DrawFn) -> tuple[Vocabulary, Order]:
    """A vocabulary and an order that can be said with it."""
    vocabulary = draw(vocabularies())
    verb = draw(st.sampled_from(vocabulary.verbs))
    wanted = draw(st.lists(st.sampled_from(PREPOSITIONS), max_size=3))
    clauses = tuple(Clause(p, things(draw, verb.prepositions[p], vocabulary, 1)) for p in wanted)
    return vocabulary, Order(verb.word, things(draw, verb.takes, vocabulary, 0), clauses)


@settings(max_examples=200, deadline=None)
@given(spoken())
def test_an_order_reads_back(said: tuple[Vocabulary, Order]) -> None:
    vocabulary, order = said
    line = write(order)
    assume(len(line) <= 2_000)
    assert understand(line, vocabulary) == order
    (sentence,) = read(line, vocabulary, NOTHING).sheet
    assert sentence.text == line


UNITS = (
    Noun("armies", "unit", ("army",)),
    Noun("workers", "unit", ("labourers", "worker")),
    Noun("gold", "unit", ("golds",)),
    Noun("ships", "unit", ("ship",)),
    Noun("Ship", "place"),
    Noun("horses", "unit", ("horse",)),
    Noun("horse guards", "unit"),
)
HIRE = Vocabulary((Verb("HIRE", "", "", "", ("unit",), 1, None, {"IN": ("place",)}),), UNITS)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("HIRE 1 workers", "HIRE 1 worker"),
        ("hire 1 labourer", "HIRE 1 worker"),
        ("HIRE up to 1 army, all but 1 workers", "HIRE up to 1 army, all but 1 worker"),
        ("HIRE 2 workers, 0 armies, all workers, workers", "HIRE 2 workers, 0 armies, all workers, workers"),
        ("HIRE 1 gold", "HIRE 1 gold"),
        ("HIRE 1 ship IN ship", "HIRE 1 ships IN Ship"),
        ("HIRE 1 horse, 1 horse guards", "HIRE 1 horses, 1 horse guards"),
    ],
)
def test_one_is_written_in_the_singular_where_it_reads_back(typed: str, written: str) -> None:
    (first,) = read(typed, HIRE, NOTHING).sheet
    (again,) = read(written, HIRE, NOTHING).sheet
    assert isinstance(first, Sentence) and isinstance(again, Sentence)
    assert first.text == again.text == written
    assert first.order == again.order


@st.composite
def judged(draw: st.DrawFn) -> tuple[Vocabulary, Condition]:
    """A vocabulary and a condition that can be said with it."""
    vocabulary = draw(vocabularies())
    taken = {word for p in PREPOSITIONS for word in fold(p).split()}
    taken |= {word for v in vocabulary.verbs for word in fold(v.word).split()}
    assume(not any(taken & set(fold(n.name).split()) for n in vocabulary.nouns))
    plain = [v for v in vocabulary.verbs if not {"and", "or", "not", "late", "then"} & set(fold(v.word).split())]
    assume(plain)

    def predicate() -> Predicate:
        verb = draw(st.sampled_from(plain))
        nouns = draw(st.lists(st.sampled_from(vocabulary.nouns), max_size=2))
        comparison = draw(st.one_of(st.none(), st.sampled_from(Comparison)))
        number = None if comparison is None else draw(st.integers(-99, 999))
        subject = tuple(Thing(n.kind, n.name) for n in nouns)
        return Predicate(verb.word, subject, (), (), comparison, number)

    def condition(depth: int) -> Condition:
        shape = draw(st.integers(0, 3)) if depth else 0
        if shape == 0:
            return predicate()
        if shape == 1:
            return Not(condition(depth - 1))
        terms = tuple(condition(depth - 1) for _ in range(draw(st.integers(2, 3))))
        return All(terms) if shape == 2 else Any(terms)

    return vocabulary, condition(2)


@settings(max_examples=100, deadline=None)
@given(judged())
def test_a_condition_reads_back(said: tuple[Vocabulary, Condition]) -> None:
    vocabulary, condition = said
    text = write_condition(condition)
    assert understand_condition(text, vocabulary) == condition
