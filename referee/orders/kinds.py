"""Things the language knows by their looks: numbers, hexes, spans of time, moments, dates, addresses, texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from referee.core.order import Portion, Quantity, Thing
from referee.moments import Unclear, day_at, days_at, moment_at, seconds_of, span_at
from referee.orders.misread import Misread, number_part, word_part
from referee.orders.shape import Part, Sort

Found = tuple[Thing, int] | None
"""A thing and how many parts it took, or None."""

_HEX = re.compile(r"c?([0-9]+)[,r]([0-9]+)", re.IGNORECASE)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ESCAPE = re.compile(r'\\(?:(["\\])|u\{([0-9a-fA-F]{1,6})\})')


def unquote(quoted: str) -> str:
    """The text between the quotation marks, escapes undone."""
    return _ESCAPE.sub(_escaped, quoted[1:-1]) if quoted[:1] == '"' else quoted[1:-1]


def _escaped(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    code = int(found[2], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found[0]


def _timed(
    read: Callable[[Sequence[str], int], tuple[str, int] | None], kind: str
) -> Callable[[Sequence[Part], int], Found]:
    """How a day, a moment or a span of time is recognised: by the words of its parts."""

    def recognise(parts: Sequence[Part], i: int) -> Found:
        try:
            found = read([part.text for part in parts], i)
        except Unclear as wrong:
            fixes = [tuple(map(_as_part, offer.split())) for offer in wrong.offers]
            at = (wrong.at, wrong.at + wrong.size)
            raise Misread(wrong.sentence, *at, fixes, ambiguous=bool(fixes)) from None
        if found is None:
            return None
        quantity = Quantity(Portion.EXACTLY, seconds_of(found[0])) if kind == "duration" else None
        return Thing(kind, found[0], quantity), found[1]

    return recognise


def _as_part(word: str) -> Part:
    if word.isdecimal():
        return number_part(word, 0)
    return Part(Sort.DATE, word, word, 0, 0) if _ISO_DATE.fullmatch(word) else word_part(word)


def hex_numbers(text: str) -> tuple[int, int]:
    """Column and row of a hex written 12,7 or c12r7."""
    found = _HEX.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no hex")
    return int(found[1]), int(found[2])


_COLUMN, _ROW = re.compile(r"[cC]\d{1,3}"), re.compile(r"[rR]\d{1,3}")


def _hex(parts: Sequence[Part], i: int) -> Found:
    """`c12r7` or `12,7`, and `c12, r7` as people write it."""
    if _COLUMN.fullmatch(parts[i].text):
        row = i + 2 if i + 1 < len(parts) and parts[i + 1].sort is Sort.COMMA else i + 1
        if row < len(parts) and _ROW.fullmatch(parts[row].text):
            return Thing("hex", f"c{int(parts[i].text[1:])}r{int(parts[row].text[1:])}"), row + 1 - i
    if parts[i].sort is not Sort.HEX:
        return None
    column, row = hex_numbers(parts[i].text)
    return Thing("hex", f"c{column}r{row}"), 1


def _address(parts: Sequence[Part], i: int) -> Found:
    """An address as it stands, with the name before its bracket and what a program hangs on it: `anna@a.org<mailto:anna@a.org>`."""
    at = i
    while at < len(parts) and parts[at].sort in (Sort.WORD, Sort.QUOTED):
        at += 1
    if at == len(parts) or parts[at].sort is not Sort.ADDRESS or (at > i and parts[at].text[0] != "<"):
        return None
    end = at + 1
    while end < len(parts) and _hangs_on(parts[end - 1], parts[end]):
        end += 1
    return Thing("address", parts[i].text.strip("<>") if end == i + 1 else _as_typed(parts[i:end])), end - i


def _as_typed(parts: Sequence[Part]) -> str:
    gaps = ("" if part.column == before.end else " " for before, part in pairwise(parts))
    return parts[0].text + "".join(gap + part.text for gap, part in zip(gaps, parts[1:], strict=True))


def _hangs_on(before: Part, part: Part) -> bool:
    bracketed = part.sort is Sort.ADDRESS and part.text[0] in "<[("
    return bracketed or (part.column == before.end and part.sort not in (Sort.COMMA, Sort.AND))


def _text(parts: Sequence[Part], i: int) -> Found:
    return (Thing("text", unquote(parts[i].text)), 1) if parts[i].sort is Sort.QUOTED else None


def _any(parts: Sequence[Part], i: int) -> Found:
    meant = parts[i].sort is Sort.STAR or parts[i].folded in ("any", "anything", "everything", "all")
    return (Thing("any", "any"), 1) if meant else None


RECOGNISED: dict[str, Callable[[Sequence[Part], int], Found]] = {
    "any": _any,
    "duration": _timed(span_at, "duration"),
    "moment": _timed(moment_at, "moment"),
    "date": _timed(day_at, "date"),
    "days": _timed(days_at, "days"),
    "hex": _hex,
    "address": _address,
    "text": _text,
    "words": _text,
}
"""How each such kind is recognised at a place of a line; numbers and free words depend on what follows."""
