"""Lines that were refused: from a misreading to a refusal with corrected lines and a place for the caret."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from referee.core.normal_text import fold
from referee.core.order import Ambiguous, Invalid, Order, Refusal, write
from referee.orders.grammar import Part, SentenceShape, Sort, parse
from referee.orders.lexicon import Lexicon
from referee.orders.lines import JOINTS
from referee.orders.resolve import find_verb, read_sentence
from referee.orders.sentences import Mistake, Sentence
from referee.orders.spelling import Misread, either, shortens, spelling

T = TypeVar("T")

_DEEPEST = 6

_MOST_NAMES = 8
"""So many names that are not known are told of a line beside the first."""

_MOST_LEFT_OUT = 70


class Fault(msgspec.Struct, Generic[T], frozen=True):
    """The fault in a stretch of a line, and the values it would have if corrected, the likeliest first."""

    sentence: str
    at: str
    column: int
    width: int
    rule: str
    ambiguous: bool
    corrected: tuple[T, ...]
    wanted: tuple[str, ...] = ()


def fault(
    problem: Misread, parts: Sequence[Part], source: str, again: Callable[[Sequence[Part]], T] | None
) -> Fault[T]:
    """The misreading with its place in the source. `again` reads corrected parts; None looks for no correction."""
    column, width = _place(problem, problem.parts or parts, source)
    corrected = tuple(dict.fromkeys(_corrected(problem, parts, again, _DEEPEST))) if again else ()
    at = source[column : column + width]
    others = _not_known_either(problem, parts, again) if again and problem.unknown else ""
    said = problem.sentence + others
    return Fault(said, at, column, width, problem.rule, problem.ambiguous, corrected, problem.wanted)


def _not_known_either(problem: Misread, parts: Sequence[Part], again: Callable[[Sequence[Part]], T]) -> str:
    """The further names of the line that are not known, so that a list with several is mended by one letter, not by many."""
    first, found = problem.unknown, dict[str, str]()
    for _ in range(_MOST_NAMES):
        if problem.stand_in is None:
            break
        parts = problem.parts or parts
        parts = (*parts[: problem.start], problem.stand_in, *parts[problem.end :])
        try:
            again(parts)
            break
        except Misread as following:
            problem = following
        if problem.unknown:
            meant = f" ({problem.fixes[0][0].text}?)" if problem.fixes else ""
            found[problem.unknown] = f'"{problem.unknown}"{meant}'
    found.pop(first, None)
    return f" Not known either: {either(found.values(), 'and')}." if found else ""


def in_part(
    problem: Misread, parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str
) -> tuple[Order, Lexicon, str, tuple[str, ...]] | None:
    """The part that stands of a line whose things are wishes by themselves, with the line to offer instead; None if none does.

    It stands without the names that are not known; the offer has the likeliest for each that has one.
    """
    parts = problem.parts or parts
    found = find_verb(parts, lexicons) if problem.unknown else ()
    if not any(choice.usage.verb.apart for choice in found):
        return None
    kept, mended = (_without(problem, parts, lexicons, source, mends) for mends in (False, True))
    if kept is None or mended is None:
        return None
    (order, words), better = kept, write(mended[0], mended[1].singulars)
    stands = write(order, words.singulars)
    return order, words, stands, (better,) if better != stands else ()


def _without(
    problem: Misread, parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str, mends: bool
) -> tuple[Order, Lexicon] | None:
    """A line without the names that are not known, or, if it is to be mended, with the likeliest for them; None for no line."""
    for _ in range(_MOST_LEFT_OUT):
        if not problem.unknown:
            break
        parts = problem.parts or parts
        fix = problem.fixes[0] if mends and problem.fixes else ()
        before, after = parts[: problem.start], parts[problem.end :]
        if not fix and after and after[0].sort in JOINTS:
            after = after[1:]
        elif not fix and before and before[-1].sort in JOINTS:
            before = before[:-1]
        parts = (*before, *fix, *after)
        try:
            return read_sentence(parts, lexicons, source)
        except Misread as following:
            problem = following
    return None


def refusal_of(found: Fault[T], line: Callable[[T], str]) -> Refusal:
    """The refusal; `line` writes a corrected value as a whole line."""
    about = found.sentence, found.rule, found.at, tuple(map(line, found.corrected))
    return Ambiguous(*about) if found.ambiguous else Invalid(*about, found.wanted)


def misspelt_verb(problem: Misread, parts: Sequence[Part]) -> bool:
    """Whether a line begins with a word like a verb and has a number as orders do: "HIIRE worker 2", and not "See file"."""
    like_a_verb = problem.start == 0 and bool(problem.fixes)
    return like_a_verb and any(part.sort is Sort.QUANTITY for part in parts[problem.end :])


def _place(problem: Misread, parts: Sequence[Part], source: str) -> tuple[int, int]:
    if not parts:
        return 0, max(1, len(source))
    first = parts[min(problem.start, len(parts) - 1)]
    last = parts[min(max(problem.end - 1, problem.start), len(parts) - 1)]
    return first.column, max(1, last.end - first.column)


def _corrected(problem: Misread, parts: Sequence[Part], again: Callable[[Sequence[Part]], T], depth: int) -> list[T]:
    """Values of the line with each fix put in; what is still wrong then gets its own likeliest fix."""
    found: list[T] = []
    parts = problem.parts or parts
    fixes = problem.fixes if depth == _DEEPEST else problem.fixes[:1]
    for fix in fixes:
        mended = (*parts[: problem.start], *fix, *parts[problem.end :])
        try:
            found.append(again(mended))
        except Misread as next_problem:
            if depth > 1:
                found.extend(_corrected(next_problem, mended, again, depth - 1))
    return found


def place_refusal(sentence: Sentence, refusal: Refusal) -> Mistake:
    """A mistake for a refusal that came from the game: the caret stands under the word it names, or the verb."""
    shape = parse(sentence.source)
    parts = shape.parts if isinstance(shape, SentenceShape) else ()
    place = _find(parts, fold(refusal.at)) if refusal.at else None
    if place is None:
        place = _plainly(sentence.source, refusal.at) or _first(parts, sentence.source)
    return Mistake(sentence.line, sentence.source, refusal, *place)


def _find(parts: Sequence[Part], wanted: str) -> tuple[int, int] | None:
    """The words typed for a name: spelt like it, or short for it."""
    size = len(wanted.split())
    windows = [parts[i : i + n] for n in range(size, 0, -1) for i in range(len(parts) - n + 1)]
    for alike in (_same, shortens):
        for window in windows:
            typed = " ".join(part.folded.strip('"') for part in window)
            if len(typed) > 1 and alike(typed, wanted):
                return window[0].column, window[-1].end - window[0].column
    return None


def _same(typed: str, wanted: str) -> bool:
    return spelling(typed) == spelling(wanted)


def _plainly(source: str, wanted: str) -> tuple[int, int] | None:
    column = source.casefold().find(wanted.casefold()) if wanted else -1
    return (column, len(wanted)) if column >= 0 else None


def _first(parts: Sequence[Part], source: str) -> tuple[int, int]:
    return (parts[0].column, len(parts[0].text)) if parts else (0, max(1, len(source)))
