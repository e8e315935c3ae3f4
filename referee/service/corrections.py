"""Corrections are tried before they are offered: what a YES would take must stand, or it is a second mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from referee.orders import Mistake, Reading, Sentence
from referee.service.anyone_acts import SETTINGS
from referee.service.binding import bind
from referee.service.visit import Visit

__all__ = ["tried"]

_TRIED = 25
"""So many lines of a letter are corrected; those after them are named with what is wrong."""

_LONGEST = 300
_HEADINGS = ("IF ", "ELSE", "FOR TURN")


def tried(visit: Visit, mistakes: Sequence[Mistake], reads: Callable[[str], Reading]) -> list[Mistake]:
    """The mistakes with those corrections alone that can be read, and that game and desk would take."""
    found: list[Mistake] = []
    left = _TRIED
    for mistake in mistakes:
        lines = mistake.refusal.instead if left else ()
        left -= bool(lines)
        kept = tuple(line for line in lines if len(line) <= _LONGEST and _stands(visit, reads, line))
        refusal = msgspec.structs.replace(mistake.refusal, instead=kept)
        found.append(mistake if kept == mistake.refusal.instead else msgspec.structs.replace(mistake, refusal=refusal))
    return found


def _stands(visit: Visit, reads: Callable[[str], Reading], line: str) -> bool:
    if line.startswith(_HEADINGS):
        return True  # the heading of a block stands only with what is below it
    reading = reads(line)
    if reading.mistakes or reading.ignored:
        return False
    if not all(map(_is_known, reading.desk)):
        return False
    now = bind(visit.playing, visit.seat, reading.sheet) if visit.seat else None
    return now is None or not now.mistakes or not bind(visit.playing, visit.seat, reading.sheet, later=True).mistakes


def _is_known(sentence: Sentence) -> bool:
    """SET takes any words and knows but a few; all other words of the desk are read by what they know."""
    if sentence.order.verb != "SET":
        return True
    said = sentence.order.things[0].name if sentence.order.things else ""
    return said.partition(" ")[0].casefold() in SETTINGS
