"""Small marks on the map, side by side in rows: words, badges of a colour, boxes, shields, chits, boats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from referee.core.names import Seat
from referee.games.war.rulebook.board import COLOURS

LETTERS = {
    "Red": "R", "Green": "Gn", "Blue": "Bu", "Yellow": "Y", "Purple": "P", "Gray": "Gy", "White": "W", "Black": "Bk",
}  # fmt: skip
"""What stands for a colour where it must be short; no two alike."""

_NARROW = {"i": 0.22, "j": 0.22, "l": 0.22, "f": 0.28, "t": 0.28, "r": 0.33, " ": 0.28, "-": 0.33, "I": 0.28, ".": 0.28}
_WIDE = {"m": 0.83, "w": 0.72, "M": 0.83, "W": 0.94, "G": 0.78, "O": 0.78, "Q": 0.78}
_GAP = 3.0


class Mark(NamedTuple):
    """Something so many pixels wide that can be drawn with its left end and base line at a point."""

    width: float
    draw: Callable[[float, float], str]


def part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of a drawing with its own zero point, which shows nothing beyond its edges."""
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}">{inside}</svg>'


def row(marks: Sequence[Mark], gap: float = _GAP) -> Mark:
    """Marks side by side."""

    def draw(x: float, y: float) -> str:
        parts = []
        for mark in marks:
            parts.append(mark.draw(x, y))
            x += mark.width + gap
        return "".join(parts)

    return Mark(sum(mark.width for mark in marks) + gap * (len(marks) - 1), draw)


def words(text: str, size: float = 10, style: str = "") -> Mark:
    """A text; `style` is the class of its style on the map."""
    width = size * sum(_letter(letter) for letter in text) * (1.08 if style in ("n", "b") else 1)
    given = f' class="{style}"' if style else ""
    return Mark(width, lambda x, y: f'<text x="{_px(x)}" y="{_px(y)}"{given}>{escape(text)}</text>')


def badge(seat: Seat, number: int = 0) -> Mark:
    """A plate in a player's colour with his letter, and how many he has."""
    text = f"{LETTERS[seat]}{number or ''}"
    return _plate(text, "bx", COLOURS[seat], ink(seat))


def box(text: str) -> Mark:
    """A building by its first two letters."""
    return _plate(text, "bu", "#fff", "k")


def flame(text: str) -> Mark:
    """A revolt and its army."""
    return _plate(text, "bx", "#a00018", "w")


def _plate(text: str, style: str, fill: str, letters: str) -> Mark:
    width = words(text, 9, "b").width + 5

    def draw(x: float, y: float) -> str:
        plate = f'<rect x="{_px(x)}" y="{_px(y - 9)}" width="{_px(width)}" height="11" class="{style}" fill="{fill}"/>'
        return f'{plate}<text x="{_px(x + 2.5)}" y="{_px(y - 0.5)}" class="p {letters}">{escape(text)}</text>'

    return Mark(width, draw)


def shield(text: str) -> Mark:
    """A native marker."""
    shape = "h7v5q0 3-3.5 5q-3.5-2-3.5-5z"
    return _with_sign(lambda x, y: f'<path d="M{_px(x)} {_px(y - 8.5)}{shape}" class="sh"/>', text, 7)


def chit(text: str, developed: bool) -> Mark:
    """A resource chit: a full diamond when it is developed."""
    style = "de" if developed else "un"
    return _with_sign(lambda x, y: f'<path d="M{_px(x)} {_px(y - 3.5)}l4-4.5 4 4.5-4 4.5z" class="{style}"/>', text, 8)


def boat(seat: Seat, number: int) -> Mark:
    """A player's fleets in a sea area."""
    hull = f'l4 6h16l4-6z" class="bx" fill="{COLOURS[seat]}"/>'

    def draw(x: float, y: float) -> str:
        sign = f'<path d="M{_px(x)} {_px(y - 4)}{hull}<path d="M{_px(x + 12)} {_px(y - 4)}v-7l8 5z" class="sa"/>'
        return sign + words(f"{LETTERS[seat]} {number}", 11, "b").draw(x + 27, y + 1)

    return Mark(27 + words(f"{LETTERS[seat]} {number}", 11, "b").width, draw)


def _with_sign(sign: Callable[[float, float], str], text: str, width: float) -> Mark:
    said = words(text)
    return Mark(width + 2 + said.width, lambda x, y: sign(x, y) + said.draw(x + width + 2, y))


def ink(seat: Seat) -> str:
    """The class of letters that can be read on a player's colour: `k` black, `w` white."""
    red, green, blue = (int(COLOURS[seat][at : at + 2], 16) for at in (1, 3, 5))
    return "k" if 299 * red + 587 * green + 114 * blue > 128_000 else "w"


def _letter(letter: str) -> float:
    """The width of a letter as a share of the size of the type, as in Arial and what is cut to its measure."""
    if letter in _NARROW:
        return _NARROW[letter]
    return _WIDE.get(letter, 0.7 if letter.isupper() else 0.556)


def _px(value: float) -> str:
    """Pixels, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")
