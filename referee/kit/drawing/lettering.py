"""Type: how wide words are in Arimo and whatever else is cut to the measure of Arial, and words that take just that room.

A browser may have no such type. What it draws instead is fitted to the room that was reckoned, so that labels, plates and
panels stay where they were placed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import escape

from referee.kit.drawing.svg import px

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


class Type(NamedTuple):
    """Type of one kind in a drawing: the class that its texts have, its size, its weight."""

    name: str
    size: float
    bold: bool = False

    @property
    def rule(self) -> str:
        """What a style sheet says of its class."""
        return f"font-size:{self.size:g}px" + (";font-weight:bold" if self.bold else "")

    def width(self, text: str) -> float:
        """How wide it makes a text."""
        return width_of(text, self.size, self.bold)


def words(text: str, x: float, y: float, type: Type, style: str = "", anchor: float = 0) -> str:
    """A text on the base line through a point, which has so much of its width on its left; `style` is another class of it.

    It takes the room that was reckoned, whatever type draws it; one letter is left as wide as it is.
    """
    width = type.width(text)
    named = f"{type.name} {style}" if style else type.name
    fitted = f' textLength="{px(width)}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
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
