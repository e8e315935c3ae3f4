"""Outlines: the lines between places on the grid, each once and simplified, and the rings of lines that enclose each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import NamedTuple

from tests.coast.paper import Paper

EDGE = "edge"
"""What lies beyond the edge of the sheet."""

_SHARPEST = 1.8
"""A simplified line stays so many cells near the true one."""

Corner = tuple[int, int]
Side = tuple[Corner, Corner, int, int]
"""From corner to corner, with the label on the left and on the right."""


class Line(NamedTuple):
    """What parts two places: from end to end, or round an island."""

    points: list[Corner]
    left: str
    right: str


def lines(paper: Paper) -> list[Line]:
    """All lines, in the order of the grid."""
    leaving: dict[Corner, list[Side]] = {}
    for side in _sides(paper):
        leaving.setdefault(side[0], []).append(side)
        leaving.setdefault(side[1], []).append((side[1], side[0], side[3], side[2]))
    used: set[frozenset[Corner]] = set()
    joints = [corner for corner, sides in leaving.items() if len(sides) != 2]
    found = []
    for corner in (*joints, *leaving):
        for side in leaving[corner]:
            if frozenset(side[:2]) not in used:
                found.append(_line(side, leaving, used, paper))
    return found


def _sides(paper: Paper) -> Iterator[Side]:
    """Every side of a cell with another label beyond it."""
    edge = len(paper.names)
    for y in range(paper.height):
        row = paper.row(y)
        below = paper.row(y + 1) or [edge] * paper.width
        for x, (here, under) in enumerate(zip(row, below, strict=True)):
            right = row[x + 1] if x + 1 < paper.width else edge
            if right != here:
                yield (x + 1, y + 1), (x + 1, y), here, right
            if under != here:
                yield (x, y + 1), (x + 1, y + 1), here, under
        yield (0, y), (0, y + 1), row[0], edge
    for x, here in enumerate(paper.row(0)):
        yield (x + 1, 0), (x, 0), here, edge


def _line(side: Side, leaving: dict[Corner, list[Side]], used: set[frozenset[Corner]], paper: Paper) -> Line:
    start, corners = side[0], [side[0]]
    while True:
        used.add(frozenset(side[:2]))
        corners.append(side[1])
        onward = [s for s in leaving[side[1]] if frozenset(s[:2]) not in used]
        if len(leaving[side[1]]) != 2 or not onward or side[1] == start:
            break
        side = onward[0]
    names = [*paper.names, EDGE]
    return Line(_simple(corners), names[side[2]], names[side[3]])


def _simple(corners: list[Corner]) -> list[Corner]:
    """The corners without the steps of the grid. A ring keeps the point that is farthest from its first."""
    if corners[0] != corners[-1]:
        return _straightened(corners)
    far = max(range(len(corners)), key=lambda at: hypot(corners[at][0] - corners[0][0], corners[at][1] - corners[0][1]))
    return _straightened(corners[: far + 1])[:-1] + _straightened(corners[far:])


def _straightened(points: Sequence[Corner]) -> list[Corner]:
    """Douglas and Peucker: leave out what lies near the straight line."""
    kept, left = {0, len(points) - 1}, [(0, len(points) - 1)]
    while left:
        first, last = left.pop()
        far = max(range(first + 1, last), key=lambda at: _off(points[at], points[first], points[last]), default=0)
        if far and _off(points[far], points[first], points[last]) > _SHARPEST:
            kept.add(far)
            left += [(first, far), (far, last)]
    return [points[at] for at in sorted(kept)]


def _off(point: Corner, start: Corner, end: Corner) -> float:
    """How far a point is from a straight line."""
    across, down = end[0] - start[0], end[1] - start[1]
    away = (point[0] - start[0], point[1] - start[1])
    length = hypot(across, down)
    return abs(across * away[1] - down * away[0]) / length if length else hypot(*away)


def rings(every: Sequence[Line], name: str) -> Iterator[list[int]]:
    """The lines round a place, each with the place on its left; n is line n, ~n the same backwards."""
    ahead = [(number if line.left == name else ~number) for number, line in enumerate(every) if name in line[1:]]
    starts = {number: _end(every, number, 0) for number in ahead}
    while starts:
        ring = [next(iter(starts))]
        first = starts.pop(ring[0])
        at = _end(every, ring[0], -1)
        while at != first:
            onward = [number for number, start in starts.items() if start == at]
            ring.append(onward[0])
            starts.pop(onward[0])
            at = _end(every, onward[0], -1)
        yield ring


def _end(every: Sequence[Line], number: int, end: int) -> Corner:
    return every[number].points[end] if number >= 0 else every[~number].points[-1 - end]
