"""A line that is not understood: what is wrong, which parts, and what could stand there instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.core.normal import fold
from referee.core.order import Portion, Quantity
from referee.orders.shape import Part, Sort

_LISTED, _WHOLE = 8, 19


class Misread(Exception):
    """Reading stops at parts[start:end]. `fixes` are parts to put there instead, the likeliest first.

    `parts` is set where the reader took the line apart further than the grammar had. For an `unknown` name reading can go on
    with a `stand_in`, a name that may be there. Never leaves this package: `read` turns it into a Mistake.
    """

    def __init__(
        self,
        sentence: str,
        start: int,
        end: int,
        fixes: Iterable[tuple[Part, ...]] = (),
        rule: str = "",
        ambiguous: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.start = start
        self.end = end
        self.fixes = tuple(fixes)
        self.rule = rule
        self.ambiguous = ambiguous
        self.parts: tuple[Part, ...] | None = None
        self.unknown = ""
        self.stand_in: Part | None = None


def word_part(text: str, column: int = 0) -> Part:
    """A part as if this word had been typed there."""
    return Part(Sort.WORD, text, fold(text), column, column)


def number_part(digits: str, column: int) -> Part:
    """A part as if this number had been typed there."""
    quantity = Quantity(Portion.EXACTLY, int(digits))
    return Part(Sort.QUANTITY, digits, digits, column, column + len(digits), quantity)


def said(parts: Sequence[Part]) -> str:
    """Parts as typed, for quoting in a sentence; quotation marks of their own are left out."""
    return " ".join(part.text[1:-1] if part.sort is Sort.QUOTED else part.text for part in parts)


def either(words: Iterable[str], joint: str = "or") -> str:
    """ "A, B or C"; a list too long to read is cut and counted."""
    names = list(dict.fromkeys(words))
    if len(names) > _WHOLE:
        return f"{', '.join(names[:_LISTED])} ({len(names) - _LISTED} more)"
    return f" {joint} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


_CALLED = {
    "any": '"any"',
    "text": 'a "quoted text"',
    "words": "a text",
    "number": "a number",
    "hex": "a square such as c12r7",
    "numbered": "a unit, by its number or kind",
    "goods": "goods",
    "duration": "a span of time such as 12h or 3 days",
    "moment": "a moment such as 2026-11-22 18:00",
    "date": "a date such as 2026-11-22",
    "days": "days such as 24 Dec - 2 Jan",
    "address": "a mail address",
    "word": "a word",
}


def a_kind(kind: str) -> str:
    """The kind with its article: "a place", "an area"."""
    sounds_open = kind[:1].lower() in "aeiou" and not kind.lower().startswith(("uni", "use"))
    return _CALLED.get(kind) or f"{'an' if sounds_open else 'a'} {kind}"
