"""A chart of points over the phases of a match: each line is told by its colour, dashes and shape, and by the name beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.page import Drawing
from referee.kit.drawing.emblems import SHAPES
from referee.kit.drawing.lettering import FACE, Type, words
from referee.kit.drawing.svg import is_light

_COLOURS = ("#1b6ca8", "#b3261e", "#2e7d32", "#8e5a00", "#6a3fa0", "#00838f", "#ad1457", "#455a64")
_DASHES = ("", "8 4", "2 4", "10 3 2 3")
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW = 290, 190, 46, 32, 150, 18
_TYPE = Type("cv-t", 14)
_STYLE = (
    f".cv-t{{{_TYPE.rule};fill:#222}}.cv-g{{stroke:#ddd}}.cv-p{{fill:#fff}}"
    "@media(prefers-color-scheme:dark){.cv-t{fill:#e6e2d6}.cv-g{stroke:#39424a}.cv-p{fill:#1e2429}}"
)
_SHARP = 2
"""Dots of the picture for each unit of the drawing: it is small, so that its letters can be read on a telephone."""
_LINE = 15
"""Pixels that a name needs below the one above it."""
_APART = 30
"""Pixels, at least, from a shape on a line to the next one."""


def curve(points: Mapping[str, Sequence[int]], unit: str, colours: Mapping[str, str] | None = None) -> Drawing:
    """The points of each seat after every phase, in the order of the last ones; as many for each seat, at least two.

    Seats have their `colours` of the game, and the shapes of their places among them; where it gives none, those of this chart.
    """
    seats = sorted(points, key=lambda seat: (-points[seat][-1], seat))
    every = [value for seat in seats for value in points[seat]]
    low, high = min(0, *every), max(1, *every)
    steps = max(1, len(points[seats[0]]) - 1)

    def y(value: float) -> float:
        return round(_TOP + _HEIGHT - (value - low) * _HEIGHT / (high - low), 1)

    marks = sorted({low + (high - low) * part // 4 for part in range(5)})
    drawn = [
        f'<path d="M{_LEFT} {y(mark)}h{_WIDTH}" class="cv-g"/>{words(f"{mark}", _LEFT - 6, y(mark) + 4, _TYPE, anchor=1)}'
        for mark in marks
    ]
    names, shown = _apart([y(points[seat][-1]) for seat in seats]), list[str]()
    known, shapes = [*(colours or {})], [*SHAPES.values()]
    for at, (seat, name) in enumerate(zip(seats, names, strict=True)):
        places = " ".join(
            f"{round(_LEFT + number * _WIDTH / steps, 1)},{y(value)}" for number, value in enumerate(points[seat])
        )
        colour = (colours or {}).get(seat) or _COLOURS[at % len(_COLOURS)]
        shape = shapes[(known.index(seat) if seat in known else at) % len(shapes)]
        drawn.append(
            f'<polyline points="{places}" fill="none" stroke="#777" stroke-width="4.5"/>'
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="3" '
            f'stroke-dasharray="{_DASHES[at % len(_DASHES)]}"/>'
            f'<rect x="{_LEFT + _WIDTH + 9}" y="{name - 7}" width="16" height="14" rx="3" fill="{colour}" stroke="#777"/>'
            f'<path d="{shape}" transform="translate({_LEFT + _WIDTH + 17} {name})" fill="{_ink(colour)}"/>'
            f"{words(f'{seat} {points[seat][-1]}', _LEFT + _WIDTH + 30, name + 4, _TYPE)}"
        )
        shown += [
            f'<path d="{shape}" transform="translate({place.replace(",", " ")})" fill="{colour}" stroke="#333" stroke-width="0.8"/>'
            for place in _every(places.split(), at)
        ]
    wide, tall = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BELOW
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SHARP * wide}" height="{_SHARP * tall}" viewBox="0 0 {wide} {tall}" '
        f'font-family="{FACE}" role="img"><style>{_STYLE}</style>'
        f'<rect width="{wide}" height="{tall}" class="cv-p"/>{words(unit, _LEFT, 18, _TYPE)}'
        f"{''.join((*drawn, *shown))}</svg>"
    )
    ways = "; ".join(f"{seat} {points[seat][0]} to {points[seat][-1]}" for seat in seats)
    return Drawing(svg, f"The course of the match in {unit}: {ways}.")


def _ink(colour: str) -> str:
    return "#000" if is_light(colour) else "#fff"


def _every(places: Sequence[str], first: int) -> Sequence[str]:
    """Some of the places of a line, and its last; on lines that lie on each other the shapes begin at different ones."""
    by = -(-_APART * max(1, len(places) - 1) // _WIDTH)
    return (*places[first % by : -1 : by], places[-1])


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of names, those given or as little below as keeps each readable; they come from the top down."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _LINE) if placed else height)
    return placed
