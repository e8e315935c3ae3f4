"""Drawing for the boards of several games: parts and inks, marks, emblems of seats, and how wide words are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

# ---------------------------------------------------------------- emblems
# Shapes by which seats are told apart where their colours cannot be: in tables, curves and on boards the same ones.


SHAPES = {
    "\N{BLACK CIRCLE}": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "\N{BLACK SQUARE}": "M-3.6 -3.6h7.2v7.2h-7.2z",
    "\N{BLACK UP-POINTING TRIANGLE}": "M0 -4.6l4.6 8h-9.2z",
    "\N{BLACK DIAMOND}": "M0 -5l5 5l-5 5l-5 -5z",
    "\N{BLACK STAR}": "M0 -5.4l1.3 3.6h3.9l-3.1 2.4l1.1 3.8l-3.2 -2.2l-3.2 2.2l1.1 -3.8l-3.1 -2.4h3.9z",
    "\N{BLACK DOWN-POINTING TRIANGLE}": "M0 4.6l4.6 -8h-9.2z",
    "\N{HEAVY GREEK CROSS}": "M-1.6 -4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z",
    "\N{BLACK RECTANGLE}": "M-5 -2.4h10v4.8h-10z",
}
"""The shapes of the seats, in the order of their signs in tables, as drawn round the origin."""


# ---------------------------------------------------------------- what every drawing is put together of
# Numbers, parts with a zero point of their own, things that can be clicked, inks.


def px(value: float) -> str:
    """Pixels, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of a drawing with its own zero point, which shows nothing beyond its edges; one that stays the same is drawn once."""
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}">{inside}</svg>'


def to_click(id: str, label: str, **data: str) -> str:
    """The attributes of what can be clicked and reached by the keyboard; `data` says what it is in the words of orders."""
    said = "".join(f" data-{key}={quoteattr(value)}" for key, value in data.items() if value)
    return f'id={quoteattr(id.replace(" ", "-"))}{said} tabindex="0" role="button" aria-label={quoteattr(label)}'


def flowing(widths: Sequence[float], most: float, gap: float) -> Iterator[tuple[float, int]]:
    """For each of several things its left edge and its line, counted from 0; none goes beyond `most` that fits into a line."""
    x, line = 0.0, 0
    for width in widths:
        if x and x + width > most:
            x, line = 0.0, line + 1
        yield x, line
        x += width + gap


def is_light(colour: str) -> bool:
    """Whether black can be read on a colour better than white."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue > 120_000


# ---------------------------------------------------------------- type
# How wide words are in Arimo and whatever else is cut to the measure of Arial, and words that take just that room.
#
# A browser may have no such type. Its substitute is fitted to the room that was reckoned, so that labels, plates and
# panels stay where they were placed.


FACE = "Arimo,Arial,'Liberation Sans',Helvetica,'Nimbus Sans',sans-serif"
"""The type that comes along, and what has its measure elsewhere."""

_DELTA, _DASH, _MINUS, _QUOTE = (chr(code) for code in (0x394, 0x2014, 0x2212, 0x2019))
_PLAIN = {
    "'": 191, f"ijl{_QUOTE}": 222, " !,./:;I[\\]ft": 278, "()-`r": 333, '"': 355, "*": 389, "Jcksvxyz": 500,
    f"+<=>~{_MINUS}": 584, "FTZ": 611, f"&ABEKPSVXY{_DELTA}": 667, "CDHNRUw": 722, "GOQ": 778, "Mm": 833, "%": 889,
    "W": 944, _DASH: 1000,
}  # fmt: skip
_BOLD = {
    "'": 238, f" ,./I\\ijl{_QUOTE}": 278, "!()-:;[]`ft": 333, "*r": 389, '"': 474, "z": 500, f"+<=>~{_MINUS}": 584,
    "?FLTZbdghnopqu": 611, "EPSVXY": 667, f"&ABCDHKNRU{_DELTA}": 722, "GOQw": 778, "M": 833, "%m": 889, "W": 944, _DASH: 1000,
}  # fmt: skip
_COMMON = 556
"""In thousandths of the size of the type."""

_WIDTHS = [{letter: width for letters, width in widths.items() for letter in letters} for widths in (_PLAIN, _BOLD)]


@lru_cache(maxsize=16_384)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in type of this size, in the same measure."""
    widths = _WIDTHS[bold]
    return sum(widths.get(letter, _COMMON) for letter in text) * size / 1000


_SHORT = 3
"""So few letters, as of a number, take the same room in every type."""


class Type(NamedTuple):
    """Type of one kind in a drawing: the class that its texts have, its size, its weight."""

    name: str
    size: float
    bold: bool = False

    @property
    def rule(self) -> str:
        """The style sheet's rule for its class."""
        return f"font-size:{self.size:g}px" + (";font-weight:bold" if self.bold else "")

    def width(self, text: str) -> float:
        """How wide it makes a text."""
        return width_of(text, self.size, self.bold)


def words(text: str, x: float, y: float, type: Type, style: str = "", anchor: float = 0) -> str:
    """A text on the base line through a point, which has so much of its width on its left; `style` is another class of it.

    It takes the room that was reckoned, whatever type draws it; a short one is left as wide as it is, which is the same to a pixel.
    """
    width = type.width(text)
    named = f"{type.name} {style}" if style else type.name
    fitted = f' textLength="{px(width)}" lengthAdjust="spacingAndGlyphs"' if len(text) > _SHORT else ""
    return f'<text x="{px(x - anchor * width)}" y="{px(y)}" class="{named}"{fitted}>{escape(text)}</text>'


Phrase = tuple[str, Type]


def phrases(pieces: Iterable[Phrase], x: float, y: float) -> str:
    """Texts of several types one after the other, from the left end of their base line."""
    drawn = []
    for said, type in pieces:
        if said:
            drawn.append(words(said.strip(), x, y, type))
            x += type.width(said)
    return "".join(drawn)


def width_of_phrases(pieces: Iterable[Phrase]) -> float:
    """How wide `phrases` draws them."""
    return sum(type.width(said) for said, type in pieces)


def in_lines(pieces: Sequence[Phrase], most: float) -> list[list[Phrase]]:
    """A list, parted by commas, in lines that are no wider than `most`; a phrase that is wider stands alone."""
    lines: list[list[Phrase]] = []
    taken = most
    for number, (said, type) in enumerate(pieces, 1):
        told = f"{said}, " if number < len(pieces) else said
        width = type.width(told)
        if lines and taken + width <= most:
            lines[-1].append((told, type))
            taken += width
        else:
            lines.append([(told, type)])
            taken = width
    return lines


# ---------------------------------------------------------------- marks
# Things with a width that are drawn with their left end and base line at a point; in rows, and as a key in columns.


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


def label(text: str, type: Type, style: str = "") -> Mark:
    """A text; `style` is another class of it."""
    return Mark(type.width(text), lambda x, y: words(text, x, y, type, style))


def column(groups: Sequence[Sequence[Mark]], width: int) -> tuple[str, int]:
    """A column of a key: groups of entries one below the other, each in as many lines as it takes; and how tall it is."""
    drawn, top = [], 5
    for entries in filter(None, groups):
        places = [*flowing([entry.width for entry in entries], width - 2 * _SIDE, _BETWEEN)]
        drawn += [e.draw(_SIDE + x, top + _LINE * line + 12) for e, (x, line) in zip(entries, places, strict=True)]
        top += _LINE * (1 + places[-1][1]) + 1
    return "".join(drawn), top + 4
