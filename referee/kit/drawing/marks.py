"""Marks: things with a width that are drawn with their left end and base line at a point; in rows, and as a key in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from referee.kit.drawing import lettering
from referee.kit.drawing.lettering import Type
from referee.kit.drawing.svg import flowing

_LINE, _SIDE, _BETWEEN = 19, 9, 9.0
"""Of a key: the height of a line, the room at its sides and between two entries."""


class Mark(NamedTuple):
    """Something so many pixels wide that can be drawn with its left end and base line at a point."""

    width: float
    draw: Callable[[float, float], str]


def row(marks: Sequence[Mark], gap: float = 3.0) -> Mark:
    """Marks side by side."""

    def draw(x: float, y: float) -> str:
        parts = []
        for mark in marks:
            parts.append(mark.draw(x, y))
            x += mark.width + gap
        return "".join(parts)

    return Mark(sum(mark.width for mark in marks) + gap * (len(marks) - 1), draw)


def words(text: str, type: Type, style: str = "") -> Mark:
    """A text; `style` is another class of it."""
    return Mark(type.width(text), lambda x, y: lettering.words(text, x, y, type, style))


def column(groups: Sequence[Sequence[Mark]], width: int) -> tuple[str, int]:
    """A column of a key: groups of entries one below the other, each in as many lines as it takes; and how tall it is."""
    drawn, top = [], 5
    for entries in filter(None, groups):
        places = [*flowing([entry.width for entry in entries], width - 2 * _SIDE, _BETWEEN)]
        drawn += [e.draw(_SIDE + x, top + _LINE * line + 12) for e, (x, line) in zip(entries, places, strict=True)]
        top += _LINE * (1 + places[-1][1]) + 1
    return "".join(drawn), top + 4
