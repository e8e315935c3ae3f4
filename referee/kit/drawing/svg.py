"""What every drawing is put together of: numbers, parts with a zero point of their own, things that can be clicked, inks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr


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
