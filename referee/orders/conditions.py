"""IF conditions: predicates looked up in the vocabulary, joined by AND, OR and NOT."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from referee.core.order import All, Any, Condition, Not, Predicate, Thing
from referee.orders.explanations import leftover, unknown_predicate
from referee.orders.faults import Fault, fault
from referee.orders.grammar import AllOf, NotOf, Part, PredicateShape, Test
from referee.orders.lexicon import Lexicon, Usage, Words
from referee.orders.lines import Line
from referee.orders.resolve import check_counts, read_clauses, read_things
from referee.orders.spelling import Misread
from referee.orders.tongues import with_own_names


def read_condition_shape(test: Test, lexicon: Lexicon, source: str, mend: bool = True) -> Condition | Fault[Condition]:
    """The condition, or what is wrong with it; `mend` looks for corrections."""
    if isinstance(test, PredicateShape):
        return _predicate_or_fault(test, lexicon, source, mend)
    if isinstance(test, NotOf):
        return _joined([read_condition_shape(test.term, lexicon, source, mend)], lambda terms: Not(terms[0]))
    join: Callable[[tuple[Condition, ...]], Condition] = All if isinstance(test, AllOf) else Any
    return _joined([read_condition_shape(term, lexicon, source, mend) for term in test.terms], join)


def _joined(
    terms: Sequence[Condition | Fault[Condition]], join: Callable[[tuple[Condition, ...]], Condition]
) -> Condition | Fault[Condition]:
    """The terms joined; with a faulty one the first fault, corrected as a whole where every fault can be."""
    faults = [term for term in terms if isinstance(term, Fault)]
    if not faults:
        return join(tuple(term for term in terms if not isinstance(term, Fault)))
    first = faults[0]
    if not all(found.corrected for found in faults):
        return Fault(first.sentence, first.at, first.column, first.width, first.rule, first.ambiguous, ())
    whole = tuple(join(tuple(_filled(terms, first, mended))) for mended in first.corrected)
    return Fault(first.sentence, first.at, first.column, first.width, first.rule, first.ambiguous, whole)


def _filled(
    terms: Sequence[Condition | Fault[Condition]], first: Fault[Condition], mended: Condition
) -> Iterator[Condition]:
    for term in terms:
        if isinstance(term, Fault):
            yield mended if term is first else term.corrected[0]
        else:
            yield term


def _predicate_or_fault(
    test: PredicateShape, lexicon: Lexicon, source: str, mend: bool
) -> Predicate | Fault[Condition]:
    def again(parts: Sequence[Part]) -> Condition:
        return _predicate(parts, test, lexicon, source)

    try:
        return _predicate(test.parts, test, lexicon, source)
    except Misread as problem:
        first = problem
    try:
        return _predicate(with_own_names(test.parts, lexicon.names(lexicon.kinds)), test, lexicon, source)
    except Misread:
        return fault(first, test.parts, source, again if mend else None)


def _predicate(parts: Sequence[Part], test: PredicateShape, lexicon: Lexicon, source: str) -> Predicate:
    """The first place where a predicate's words stand and both sides make sense. Raises Misread."""
    first: Misread | None = None
    for usage, start, end in _places(parts, lexicon.predicates):
        try:
            return _around(parts, usage, start, end, test, lexicon, source)
        except Misread as problem:
            first = first or problem
    raise first or unknown_predicate(parts, lexicon)


def _places(parts: Sequence[Part], words: Words) -> Iterator[tuple[Usage, int, int]]:
    for search in (Words.exact, Words.spelt):
        for start in range(len(parts)):
            for size in range(min(words.longest, len(parts) - start), 0, -1):
                typed = " ".join(part.folded for part in parts[start : start + size])
                for usage in search(words, typed):
                    yield usage, start, start + size


def _around(
    parts: Sequence[Part], usage: Usage, start: int, end: int, test: PredicateShape, lexicon: Lexicon, source: str
) -> Predicate:
    subject = _subject(parts, usage, start, lexicon, source)
    line = Line(parts, end, usage, lexicon, source)
    try:
        things = read_things(line, usage.verb.takes)
        clauses = read_clauses(line)
    except Misread as problem:
        problem.parts = tuple(line.parts)
        raise
    check_counts(usage, things, clauses, end)
    return Predicate(usage.word, subject, things, clauses, test.comparison, test.number)


def _subject(parts: Sequence[Part], usage: Usage, end: int, lexicon: Lexicon, source: str) -> tuple[Thing, ...]:
    """The subject before the predicate's words: of the kinds its preposition "" allows, otherwise any name."""
    line = Line(parts[:end], 0, usage, lexicon, source)
    try:
        subject = read_things(line, usage.verb.prepositions.get("", lexicon.kinds), wanted=True)
        if not line.done:
            raise leftover(line, ())
    except Misread as problem:
        problem.parts = (*line.parts, *parts[end:])
        raise
    return subject
