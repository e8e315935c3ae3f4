"""A line that is not understood as it stands, read in other words: as an order only if all of it makes sense so."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.order import Order
from referee.orders.grammar import Part
from referee.orders.lexicon import Lexicon
from referee.orders.resolve import read_line
from referee.orders.spelling import Misread
from referee.orders.tongues.saying import in_own_words, is_worth_it, tongue


def read_in_any_words(
    parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str, curt: bool = False
) -> tuple[Order, Lexicon, bool]:
    """As `read_line`; what that does not understand is read in other words. Raises Misread.

    Told is what is wrong with the words as typed, or in other words where more of the line makes sense so.
    """
    try:
        return read_line(parts, lexicons, source, curt)
    except Misread as problem:
        first = problem
    for words in lexicons:
        lines = _lines(parts, words, lexicons)
        found: dict[Order, None] = {}
        for said in lines:
            if _same(said, parts):
                continue
            try:
                found.setdefault(read_line(said, (words,), source, curt)[0])
            except Misread as problem:
                first = _worse(first, problem, parts, said)
        if len(found) == 1:
            return next(iter(found)), words, False
        if lines:
            break
    raise first


def _lines(parts: Sequence[Part], words: Lexicon, lexicons: Sequence[Lexicon]) -> tuple[tuple[Part, ...], ...]:
    spoken = tongue(words)
    return tuple(in_own_words(parts, spoken, tuple(map(tongue, lexicons)))) if is_worth_it(parts, spoken) else ()


def _same(said: Sequence[Part], parts: Sequence[Part]) -> bool:
    return " ".join(part.folded for part in said) == " ".join(part.folded for part in parts)


def _worse(first: Misread, problem: Misread, parts: Sequence[Part], said: Sequence[Part]) -> Misread:
    """The misreading that came farther in the line, if it knows better or the verb was known as typed; otherwise the first one.

    What begins with no verb of the game and cannot be mended stays what it is without these tables: perhaps a remark.
    """
    knew_verb = first.start > 0
    if _reach(problem, said) <= _reach(first, parts) or not (problem.fixes or knew_verb):
        return first
    problem.parts = problem.parts or tuple(said)
    return problem


def _reach(problem: Misread, parts: Sequence[Part]) -> int:
    parts = problem.parts or parts
    return parts[problem.start].column if problem.start < len(parts) else 10_000 if parts else 0
