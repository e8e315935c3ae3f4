"""Coasts, and where on a region its pieces are placed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from math import dist
from typing import NamedTuple

from referee.games.war.rulebook import BOARD

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
    """The line between two places."""

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


# ---------------------------------------------------------------- where labels and counters go
# Each as near to the middle of its place as can be without covering another.


_ROUNDS = 160
_GAP, _MARGIN = 2.0, 2
_ACROSS, _DOWN = 170, 130
"""Boxes whose middles are farther apart than this hardly ever meet."""

Spot = tuple[int, int]
Pair = tuple[int, int]
Ground = tuple[int, int, int, int]
"""Left, top, right and lower end."""


class Label(NamedTuple):
    """A box to be placed: where its middle would best be, its size, and the ground it must stay on, in pixels."""

    x: int
    y: int
    width: int
    height: int
    ground: Ground


class Places(NamedTuple):
    """The upper left corner of each box, and whether none covers another."""

    spots: tuple[Spot, ...]
    fit: bool


def placed(labels: tuple[Label, ...]) -> Places:
    """Where boxes go: those that overlap push each other apart, as long as any do.

    The same sizes are placed alike, so that from letter to letter few labels move.
    """
    at = [[label.x - label.width / 2, label.y - label.height / 2] for label in labels]
    for here, label in zip(at, labels, strict=True):
        _keep_inside(here, label)
    near = _near(tuple((label.x, label.y) for label in labels))
    moved = set(range(len(labels)))
    for _ in range(_ROUNDS):
        if not moved:
            break
        pairs = sorted(set[Pair]().union(*(near[one] for one in moved)))
        moved = set()
        for one, other in pairs:
            if _pushed_apart(at[one], at[other], labels[one], labels[other]):
                moved |= {one, other}
                _keep_inside(at[one], labels[one])
                _keep_inside(at[other], labels[other])
    return Places(tuple((round(x), round(y)) for x, y in at), not moved)


@lru_cache(4)
def _near(middles: tuple[Spot, ...]) -> tuple[frozenset[Pair], ...]:
    """For each box the pairs that it makes with those that it may meet, the later of both first."""
    every = range(len(middles))
    return tuple(
        frozenset(
            (max(one, other), min(one, other))
            for other in every
            if other != one and _close(middles[one], middles[other])
        )
        for one in every
    )


def _close(one: Spot, other: Spot) -> bool:
    return abs(one[0] - other[0]) < _ACROSS and abs(one[1] - other[1]) < _DOWN


def _pushed_apart(here: list[float], there: list[float], one: Label, other: Label) -> bool:
    """Both move by half of the shorter way out; whether they overlapped."""
    across, down = here[0] - there[0], here[1] - there[1]
    wide = _GAP + (other.width - across if across > 0 else one.width + across)
    if wide <= 0:
        return False
    tall = _GAP + (other.height - down if down > 0 else one.height + down)
    if tall <= 0:
        return False
    axis, push = (0, wide) if wide < tall else (1, tall)
    apart = (across + (one.width - other.width) / 2, down + (one.height - other.height) / 2)[axis]
    step = (push / 2 + 0.5) * (1 if apart >= 0 else -1)
    here[axis] += step
    there[axis] -= step
    return True


def _keep_inside(at: list[float], label: Label) -> None:
    left, top, right, low = label.ground
    at[0] = min(max(at[0], left + _MARGIN), right - label.width - _MARGIN)
    at[1] = min(max(at[1], top + _MARGIN), low - label.height - _MARGIN)
