"""The receipt's words on lines that were not taken and not read, at a length that the letter itself bears.

A receipt is never larger than twice its letter and a constant (docs/mail.md), whatever the letter holds: quoted lines are
cut, long lists end with how many more there are and where, and what was said once is not said again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby

import msgspec

from referee.core.order import Vocabulary, beginnings
from referee.kit.wording import counted
from referee.mail.reading.own_lines import ARMOUR, MARKED, OURS, QUOTED, SEALED
from referee.service.base.letter_facts import Ignored, Receipt, Refused
from referee.service.intake.corrections import CUT, SENTENCE, cut, said_once

LEAST_ROOM = 100_000
"""Bytes that a receipt may have, and twice its letter's more."""

_REFUSED = 25
_UNREAD = 40
_CERTAIN = (QUOTED, OURS, MARKED, ARMOUR, SEALED)
"""Of lines that are somebody else's by a certain sign the ends are enough."""
_HEAP = 12


def room_for(letter: int) -> int:
    """How large the answer to a letter of so many bytes may be."""
    return 2 * letter + LEAST_ROOM


def brief(receipt: Receipt, words: Callable[[], Sequence[Vocabulary]]) -> Receipt:
    """The receipt with its lists cut to what a reader looks at. `words` tell which unread lines look like orders."""
    if _is_brief(receipt):
        return receipt
    ignored, unseen = _unread(receipt.ignored, cache(lambda: _first_words(words())))
    more = (_more(receipt.refused[_REFUSED:], "could not be taken either"), _more(unseen, "were not read either"))
    return msgspec.structs.replace(
        receipt,
        refused=said_once(receipt.refused[:_REFUSED]),
        done=_few(receipt.done),
        doubts=_few(receipt.doubts),
        ignored=tuple(ignored),
        more=tuple(filter(None, more)),
    )


def _is_brief(receipt: Receipt) -> bool:
    """Whether nothing is to be cut, as in most receipts: no line was refused, few were not read, nothing is said twice."""
    said = (*receipt.done, *receipt.doubts)
    return not (
        receipt.refused
        or len(receipt.ignored) > _HEAP
        or len(said) > len(set(said))
        or len(said) > 2 * _UNREAD
        or any(len(sentence) > 2 * SENTENCE for sentence in said)
        or any(
            line.why in _CERTAIN or not 0 < len(line.text.strip()) <= len(line.text) <= CUT for line in receipt.ignored
        )
    )


def _first_words(words: Sequence[Vocabulary]) -> frozenset[str]:
    return frozenset(name.casefold().split()[0] for name in beginnings(*words))


def _few(sentences: Sequence[str]) -> tuple[str, ...]:
    unlike = list(dict.fromkeys([cut(sentence, 2 * SENTENCE) for sentence in sentences]))
    left = len(unlike) - 2 * _UNREAD
    return (*unlike[: 2 * _UNREAD], *((f"And {left} more like these.",) if left > 0 else ()))


def _more(lines: Sequence[Refused | Ignored], what: str) -> str:
    """How many more lines there are of which this holds, and where."""
    numbers = sorted(line.number for line in lines if line.number)
    if not numbers:
        return ""
    where = f"line {numbers[0]}" if numbers[0] == numbers[-1] else f"lines {numbers[0]} to {numbers[-1]}"
    was = what.replace("were", "was") if len(lines) == 1 else what
    return f"{counted(len(lines), 'more lines')} ({where}) {was}."


_Begins = Callable[[], frozenset[str]]
"""The words that orders begin with: made for those letters that have a long heap of lines not read, once."""


def _unread(lines: Sequence[Ignored], begins: _Begins) -> tuple[list[Ignored], list[Ignored]]:
    """Lines that were not read, a heap of them by its ends and what looks like an order; and those there is no room for."""
    shown: list[Ignored] = []
    unseen: list[Ignored] = []
    said = (line for line in lines if line.text.strip())
    for _, group in groupby(said, key=lambda line: (line.why, line.alone and line.number)):
        heap = _of_heap([*group], begins)
        (shown if len(shown) + len(heap) <= _UNREAD else unseen).extend(heap)
    return shown, unseen


def _of_heap(heap: list[Ignored], begins: _Begins) -> list[Ignored]:
    """The lines of a heap that are shown; each says how many stand between it and the next that are not."""
    last = len(heap) - 1
    places = _places(heap, begins)
    return [
        msgspec.structs.replace(heap[n], text=cut(heap[n].text), hidden=after - n - 1)
        for n, after in zip(places, [*places[1:], last + 1], strict=True)
    ]


def _places(heap: list[Ignored], begins: _Begins) -> list[int]:
    """Where the lines of a heap stand that are shown."""
    last = len(heap) - 1
    if heap[0].why in _CERTAIN:
        return [0, last] if last else [0]
    if len(heap) <= _HEAP:
        return list(range(len(heap)))
    first = begins()
    places = [n for n, line in enumerate(heap) if n in (0, last) or _looks_like_one(line, first)]
    return [*places[: _HEAP - 1], *places[-1:]] if len(places) > _HEAP else places


def _looks_like_one(line: Ignored, begins: frozenset[str]) -> bool:
    words = line.text.lstrip(" \t>|*").split(None, 1)
    return bool(words) and words[0].casefold() in begins
