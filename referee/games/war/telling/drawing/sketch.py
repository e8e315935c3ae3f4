"""How the map is drawn: the shape of every place, and what runs between two that touch; worked out once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from math import dist
from typing import Literal, NamedTuple

from referee.games.war.rulebook.board import BOARD
from referee.games.war.telling.drawing.cells import FRAME, Site, Wall, cells

Joint = Literal["border", "coast", "lane", "wall"]
"""Between two places that touch: a land border, a coast, open water, or no way through."""

Point = tuple[int, int]

_RAW = tomllib.loads((files(__package__) / "sketch.toml").read_text("utf-8"))

WIDTH: int = _RAW["width"]
"""Of the map, in pixels."""

HEIGHT: int = _RAW["height"]
"""Of the map, in pixels."""

_SEEN = 6.0
"""Pixels of common wall from which one sees that two places touch."""


class Sketch(NamedTuple):
    """The drawing without any position. `links` join neighbours that do not touch on the drawing, and the strait.

    `canal` runs from sea to sea, where the Suez Canal can be dug.
    """

    labels: dict[str, Point]
    shapes: dict[str, tuple[tuple[Point, ...], ...]]
    joints: dict[Joint, tuple[tuple[Point, Point], ...]]
    links: tuple[tuple[str, str], ...]
    canal: tuple[Point, Point]


@cache
def sketch() -> Sketch:
    """The drawing of the board."""
    sites = [(name, Site(*site)) for name, group in _RAW["places"].items() for site in group]
    shapes = cells([site for _, site in sites], WIDTH, HEIGHT)
    names = [name for name, _ in sites]
    walls = list(_walls(names, shapes))
    labels = {name: (round(group[0][0]), round(group[0][1])) for name, group in _RAW["places"].items()}
    drawn = {
        name: tuple(
            tuple(_rounded(wall) for wall in shape) for of, shape in zip(names, shapes, strict=True) if of == name
        )
        for name in labels
    }
    joints = {kind: tuple(wall for one, other, wall in walls if _joint(one, other) == kind) for kind in _KINDS}
    canal = next(wall for one, other, wall in walls if (one, other) == _ISTHMUS)
    return Sketch(labels, drawn, joints, tuple(_links(walls)), canal)


_ISTHMUS = ("Egypt", "Palestine")
"""The border between these two runs from the Mediterranean to the Red Sea."""

_KINDS: tuple[Joint, ...] = ("lane", "coast", "border", "wall")


def _rounded(wall: Wall) -> Point:
    return round(wall.x), round(wall.y)


def _walls(names: list[str], shapes: tuple[tuple[Wall, ...], ...]) -> Iterator[tuple[str, str, tuple[Point, Point]]]:
    """Every wall between two places, once."""
    for number, shape in enumerate(shapes):
        for here, wall in enumerate(shape):
            if wall.beyond not in (FRAME, *range(number)) and names[number] != names[wall.beyond]:
                ends = (_rounded(wall), _rounded(shape[(here + 1) % len(shape)]))
                yield names[number], names[wall.beyond], ends


@cache
def _ways() -> Mapping[str, frozenset[str]]:
    """Where one can go from each place, gates left out."""
    ways = {name: frozenset((*region.borders, *region.seas)) for name, region in BOARD.regions.items()}
    return {**ways, **{name: frozenset((*sea.borders, *sea.coasts)) for name, sea in BOARD.seas.items()}}


def _joint(one: str, other: str) -> Joint:
    if other not in _ways()[one]:
        return "wall"
    seas = BOARD.is_sea(one) + BOARD.is_sea(other)
    return ("border", "coast", "lane")[seas]


def _links(walls: list[tuple[str, str, tuple[Point, Point]]]) -> Iterator[tuple[str, str]]:
    length: dict[frozenset[str], float] = {}
    for one, other, (start, end) in walls:
        pair = frozenset((one, other))
        length[pair] = length.get(pair, 0.0) + dist(start, end)
    for name, ways in _ways().items():
        for other in sorted(ways, key=BOARD.position):
            if BOARD.position(name) < BOARD.position(other) and length.get(frozenset((name, other)), 0.0) < _SEEN:
                yield name, other
    yield BOARD.gates[0].between
