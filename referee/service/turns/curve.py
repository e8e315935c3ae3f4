"""A chart of points over the phases of a match: a line for each seat, told apart by colour, dashes and its name at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from referee.core.page import Drawing

_COLOURS = ("#1b6ca8", "#b3261e", "#2e7d32", "#8e5a00", "#6a3fa0", "#00838f", "#ad1457", "#455a64")
_DASHES = ("", "8 4", "2 4", "10 3 2 3")
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW = 560, 240, 46, 34, 145, 26
_LINE = 15
"""Pixels that a name needs below the one above it."""


def curve(points: Mapping[str, Sequence[int]], unit: str, colours: Mapping[str, str] | None = None) -> Drawing:
    """The points of each seat after every phase, in the order of the last ones; as many for each seat, at least two.

    Seats have their `colours` of the game; where it gives none, those of this chart.
    """
    seats = sorted(points, key=lambda seat: (-points[seat][-1], seat))
    every = [value for seat in seats for value in points[seat]]
    low, high = min(0, *every), max(1, *every)
    steps = max(1, len(points[seats[0]]) - 1)

    def y(value: float) -> float:
        return round(_TOP + _HEIGHT - (value - low) * _HEIGHT / (high - low), 1)

    marks = sorted({low + (high - low) * part // 4 for part in range(5)})
    drawn = [
        f'<path d="M{_LEFT} {y(mark)}h{_WIDTH}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 6}" y="{y(mark) + 4}" text-anchor="end" fill="#333">{mark}</text>'
        for mark in marks
    ]
    names = _apart([y(points[seat][-1]) for seat in seats])
    for at, (seat, name) in enumerate(zip(seats, names, strict=True)):
        places = " ".join(
            f"{round(_LEFT + number * _WIDTH / steps, 1)},{y(value)}" for number, value in enumerate(points[seat])
        )
        colour = (colours or {}).get(seat) or _COLOURS[at % len(_COLOURS)]
        drawn.append(
            f'<polyline points="{places}" fill="none" stroke="#777" stroke-width="4.5"/>'
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="3" '
            f'stroke-dasharray="{_DASHES[at % len(_DASHES)]}"/>'
            f'<rect x="{_LEFT + _WIDTH + 8}" y="{name - 5}" width="10" height="10" fill="{colour}" stroke="#777"/>'
            f'<text x="{_LEFT + _WIDTH + 23}" y="{name + 4}" fill="#222">{escape(seat)} {points[seat][-1]}</text>'
        )
    wide, tall = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BELOW
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" '
        'font-family="Arimo, Arial, sans-serif" font-size="13">'
        f'<rect width="{wide}" height="{tall}" fill="#fff"/><text x="{_LEFT}" y="18" fill="#333">{escape(unit)}</text>'
        f"{''.join(drawn)}</svg>"
    )
    ways = "; ".join(f"{seat} {points[seat][0]} to {points[seat][-1]}" for seat in seats)
    return Drawing(svg, f"The course of the match in {unit}: {ways}.")


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of names, those given or as little below as keeps each readable; they come from the top down."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _LINE) if placed else height)
    return placed
