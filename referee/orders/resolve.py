"""Shape -> order: the verb is found, the rest read as it allows. An exact word always beats a shortened one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from referee.core.order import Clause, Order, Thing
from referee.orders.doubtful import not_enough, unknown_verb
from referee.orders.lexicon import Lexicon, Usage, Words
from referee.orders.line import Line
from referee.orders.misread import Misread, a_kind, either, said, word_part
from referee.orders.shape import Part
from referee.orders.things import read_clauses, read_things

Search = Callable[[Words, str], tuple[Usage, ...]]
_SEARCHES: tuple[Search, ...] = (Words.exact, Words.spelt, Words.shortened)


class Choice(msgspec.Struct, frozen=True):
    """A verb a line may begin with: in which lexicon it stands, and how many parts it takes."""

    usage: Usage
    lexicon: Lexicon
    size: int


def find_verb(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> tuple[Choice, ...]:
    """The verbs the line may begin with. Exact words first, longer ones first, the first lexicon's first.

    A verb that stands alone gives way to one of the same words that goes on as the line does.
    """
    longest = max((lexicon.verbs.longest for lexicon in lexicons), default=0)
    folded = [part.folded for part in parts[:longest]]
    begun = [(size, " ".join(folded[:size])) for size in range(len(folded), 0, -1)]
    for search in _SEARCHES:
        short = search is Words.shortened
        for size, typed in begun:
            found = [Choice(u, lexicon, size) for lexicon in lexicons for u in search(lexicon.verbs, typed)]
            if short:
                found = [choice for choice in found if _is_enough(choice, typed, size < len(parts))]
            if short and size == len(parts):
                found = [choice for choice in found if len(typed) * 2 > len(choice.usage.word)]
            if size < len(parts):
                found = [choice for choice in found if not _bare(choice)] or found
            if found:
                return tuple(found) if short else tuple(c for c in found if c.lexicon is found[0].lexicon)
    return ()


def _is_enough(choice: Choice, typed: str, goes_on: bool) -> bool:
    """Whether a verb of the desk is short for anything: not by one letter, nor by half of it before other words (I AM away)."""
    if choice.lexicon.shortest == 1:
        return True
    half = len(typed.split()) < len(choice.usage.word.split())
    return len(typed) >= choice.lexicon.shortest and not (half and goes_on)


def _bare(choice: Choice) -> bool:
    """Whether a verb stands alone: a line that goes on means another of the same words (ROLL OUT and ROLL OUT France)."""
    return not choice.usage.verb.takes and not choice.usage.verb.prepositions


def read_sentence(parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str) -> tuple[Order, Lexicon]:
    """The order, and the lexicon whose verb it has. Raises Misread.

    Several verbs may begin as the line does: then the one counts with which the rest makes sense.
    """
    return read_line(parts, lexicons, source)[:2]


def read_line(
    parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str, curt: bool = False
) -> tuple[Order, Lexicon, bool]:
    """As `read_sentence`, and whether the line has this meaning wherever the verbs are the same. Raises Misread.

    It has where one verb alone came into question: the words of the others then played no part. `curt`: what is not
    understood is said to be so, and not what it may have been meant for.
    """
    choices = find_verb(parts, lexicons)
    if not choices:
        raise unknown_verb(parts, () if curt else lexicons)
    if len(choices) == 1:
        return _read(parts, choices[0], source, curt), choices[0].lexicon, True
    return *_read_one_of(parts, choices, source, curt), False


def _read_one_of(parts: Sequence[Part], choices: Sequence[Choice], source: str, curt: bool) -> tuple[Order, Lexicon]:
    readings: dict[Order, Lexicon] = {}
    for choice in choices:
        try:
            readings.setdefault(_read(parts, choice, source, curt), choice.lexicon)
        except Misread as problem:
            last = problem
    if len(readings) == 1:
        return next(iter(readings.items()))
    words = list(dict.fromkeys([order.verb for order in readings] or [choice.usage.word for choice in choices]))
    if len(words) == 1 and not readings:
        raise last
    size = choices[0].size
    fixes = [(word_part(word),) for word in words]
    raise Misread(f'"{said(parts[:size])}" could be {either(words)}.', 0, size, fixes[:8], ambiguous=True)


def _read(parts: Sequence[Part], choice: Choice, source: str, curt: bool) -> Order:
    line = Line(parts, choice.size, choice.usage, choice.lexicon, source, curt)
    try:
        things = read_things(line, choice.usage.verb.takes)
        clauses = read_clauses(line)
    except Misread as problem:
        problem.parts = tuple(line.parts)
        raise
    check_counts(choice.usage, things, clauses, choice.size)
    return Order(choice.usage.word, things, clauses)


def check_counts(usage: Usage, things: tuple[Thing, ...], clauses: tuple[Clause, ...], size: int) -> None:
    """Raises Misread when the verb lacks a thing or a preposition it needs, or has too many things."""
    verb = usage.verb
    if len(things) < verb.least:
        number = "" if verb.least == 1 else f"at least {verb.least} of: "
        raise not_enough(usage, f"{verb.word} must name {number}{either(map(a_kind, verb.takes))}.", size)
    if verb.most is not None and len(things) > verb.most:
        raise not_enough(usage, f"{verb.word} names no more than {verb.most}, not {len(things)}.", size)
    present = {clause.preposition for clause in clauses}
    lacking = [preposition for preposition in verb.needs if preposition not in present]
    if lacking:
        raise not_enough(usage, f"{verb.word} needs {either(lacking, 'and')}.", size)
