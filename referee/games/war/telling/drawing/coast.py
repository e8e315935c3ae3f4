"""The shape of every place on real coastlines, and what runs between two that touch; read from coast.json once.

coast.json is cut by `make coastlines` from Natural Earth's land (in the public domain), as world-atlas 2.0.2 (ISC licence) has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from math import dist
from typing import NamedTuple

from referee.games.war.rulebook.board import BOARD

Point = tuple[int, int]

_RAW = json.loads((files(__package__) / "coast.json").read_text("utf-8"))

WIDTH: int = _RAW["width"]
"""Of the map, in pixels."""

HEIGHT: int = _RAW["height"]
"""Of the map, in pixels."""

FINE: int = _RAW["fine"]
"""So many units of the lines to a pixel."""

SEEN = 2.0
"""Pixels of common border from which one sees that two places touch."""

_EDGE, _BEYOND = "edge", ""
_ROUGH = 7.0
"""The touch areas of seas, which lie under those of the land, leave out what is nearer than this to a straight line."""


class Line(NamedTuple):
    """What parts two places."""

    left: str
    right: str
    points: tuple[Point, ...]


class Box(NamedTuple):
    """Where a place lies, in whole pixels."""

    left: int
    top: int
    width: int
    height: int


class Coast(NamedTuple):
    """The drawing without any position: paths in fine units, boxes and middles in pixels.

    `lanes`: what parts sea areas, from each other and from waters out of play; `straits`: where ships pass a gate, from and to;
    `touching`: how many pixels of border two places have in common.
    """

    middles: Mapping[str, Point]
    shapes: Mapping[str, str]
    boxes: Mapping[str, Box]
    lanes: str
    straits: Mapping[str, tuple[Point, Point]]
    touching: Mapping[frozenset[str], float]
    canal: str


@cache
def coast() -> Coast:
    """The drawing of the board."""
    every = [Line(left, right, tuple(_points(steps))) for left, right, steps in _RAW["lines"]]
    places: dict[str, tuple[int, int, list[list[int]]]] = _RAW["places"]
    rings = {name: [_ring(every, numbers) for numbers in found] for name, (_, _, found) in places.items()}
    return Coast(
        middles={name: (x, y) for name, (x, y, _) in places.items()},
        shapes={name: "".join(_closed(_drawn(name, ring)) for ring in found) for name, found in rings.items()},
        boxes={name: _box(found) for name, found in rings.items()},
        lanes="".join(_open(line.points) for line in every if _is_lane(line)),
        straits={name: (tuple(start), tuple(end)) for name, (start, end) in _RAW["straits"].items()},
        touching=_touching(every),
        canal="".join(_open(line.points) for line in every if {line.left, line.right} == set(_ISTHMUS)),
    )


_ISTHMUS = ("Egypt", "Palestine")
"""The border between these two runs from the Mediterranean to the Red Sea."""


def _points(steps: str) -> Iterator[Point]:
    numbers = [int(number) for number in steps.split()]
    yield from zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True)


def _ring(every: Sequence[Line], numbers: Sequence[int]) -> list[Point]:
    ring: list[Point] = []
    for number in numbers:
        ring += every[number].points[:-1] if number >= 0 else every[~number].points[:0:-1]
    return ring


def _drawn(name: str, ring: list[Point]) -> list[Point]:
    """A sea's touch area need not follow every bay."""
    return _roughly(ring) if BOARD.is_sea(name) else ring


def _roughly(ring: list[Point]) -> list[Point]:
    kept = ring[:1]
    for point in ring[1:]:
        if dist(point, kept[-1]) > _ROUGH * FINE:
            kept.append(point)
    return kept


def _open(points: Sequence[Point]) -> str:
    (x, y), *rest = points
    return f"M{x} {y}l" + " ".join(_steps((x, y), rest)).replace(" -", "-")


def _closed(points: Sequence[Point]) -> str:
    return _open(points) + "z" if len(points) > 2 else ""


def _steps(at: Point, points: Sequence[Point]) -> Iterator[str]:
    x, y = at
    for to_x, to_y in points:
        yield f"{to_x - x} {to_y - y}"
        x, y = to_x, to_y


def _box(rings: Sequence[Sequence[Point]]) -> Box:
    across, down = ([point[axis] for ring in rings for point in ring] for axis in (0, 1))
    left, top = min(across) // FINE - 1, min(down) // FINE - 1
    return Box(left, top, max(across) // FINE + 2 - left, max(down) // FINE + 2 - top)


def _is_lane(line: Line) -> bool:
    sides = {line.left, line.right} - {_BEYOND}
    return all(map(BOARD.is_sea, sides))


def _touching(every: Sequence[Line]) -> dict[frozenset[str], float]:
    found: dict[frozenset[str], float] = {}
    for line in every:
        if not {line.left, line.right} & {_EDGE, _BEYOND}:
            pair = frozenset((line.left, line.right))
            length = sum(dist(*ends) for ends in zip(line.points, line.points[1:], strict=False)) / FINE
            found[pair] = found.get(pair, 0.0) + length
    return found


@cache
def signs() -> tuple[tuple[str, str], ...]:
    """Neighbours that do not touch on the drawing: a dashed line joins them. Gates have their own sign, at their strait."""
    return tuple(
        (name, other)
        for name, ways in _ways().items()
        for other in ways
        if BOARD.position(name) < BOARD.position(other) and coast().touching.get(frozenset((name, other)), 0) < SEEN
    )


def _ways() -> dict[str, tuple[str, ...]]:
    """Where one can go from each place, gates left out."""
    lands = {name: (*region.borders, *region.seas) for name, region in BOARD.regions.items()}
    return {**lands, **{name: (*sea.borders, *sea.coasts) for name, sea in BOARD.seas.items()}}
