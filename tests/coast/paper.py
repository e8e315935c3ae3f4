"""The sheet on which land and sea are shared out: a fine grid of labels, one for every place."""

from __future__ import annotations

import heapq
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, radians
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tests.coast.atlas import Atlas

FINE = 2
"""So many cells of the grid to a pixel of the map, across and down."""

BEYOND = 0
"""What no place has: waters and lands out of play, and lakes."""

_SMALLEST = 36
"""Cells an island needs to stay on the map."""

_PUDDLE = 300
"""Cells a lake needs to stay on the map."""

_FAR, _STEEP = 1e9, 1.7

Point = tuple[float, float]
Knots = list[list[float]]


class Seeds:
    """The points of seeds.toml, and the projection."""

    def __init__(self, file: Path) -> None:
        raw = tomllib.loads(file.read_text("utf-8"))
        self.width, self.height = raw["width"], raw["height"]
        self.channels: list[tuple[Point, Point, float]] = [tuple(channel) for channel in raw["channels"]]
        self.drowned: list[list[float]] = raw["drowned"]
        self._rows: Knots = raw["rows"]
        self._columns: list[tuple[float, Knots]] = [(row["latitude"], row["knots"]) for row in raw["columns"]]
        self.straits: Mapping[str, Sequence[Point]] = raw["straits"]
        self.regions: Mapping[str, Mapping[str, Any]] = raw["regions"]
        self.seas: Mapping[str, Sequence[Point]] = raw["seas"]

    def at(self, longitude: float, latitude: float) -> Point:
        """Where a point of the globe lies on the grid."""
        if longitude < -60:
            longitude += 360
        return self._across(longitude, latitude) * FINE, _between(self._rows, latitude) * FINE

    def pixel(self, longitude: float, latitude: float) -> tuple[int, int]:
        """The pixel of the map in which a point of the globe lies."""
        x, y = self.at(longitude, latitude)
        return round(x / FINE), round(y / FINE)

    def globe(self, x: float, y: float) -> Point:
        """Which point of the globe lies there on the grid."""
        latitude = _between(_turned(self._rows), y / FINE)
        return _between(_turned(self._knots(latitude)), x / FINE), latitude

    def meridians(self, y: float) -> tuple[float, Sequence[float]]:
        """The latitude of a row of the grid, and the longitude of each of its cells."""
        latitude = _between(_turned(self._rows), y / FINE)
        knots = _turned(self._knots(latitude))
        return latitude, [_between(knots, (x + 0.5) / FINE) for x in range(self.width * FINE)]

    def _knots(self, latitude: float) -> Knots:
        """Where longitudes lie at a latitude."""
        longitudes = sorted({longitude for _, knots in self._columns for longitude, _ in knots})
        return [[at, self._across(at, latitude)] for at in longitudes]

    def _across(self, longitude: float, latitude: float) -> float:
        by_row = [[at, _between(knots, longitude)] for at, knots in self._columns]
        return _between(by_row, min(max(latitude, by_row[-1][0]), by_row[0][0]))


def _turned(knots: Knots) -> Knots:
    return [[value, at] for at, value in knots]


def _between(knots: Sequence[Sequence[float]], value: float) -> float:
    """Along the straight pieces through the knots, and on beyond the first and the last."""
    rising = 1 if knots[0][0] < knots[-1][0] else -1
    at = bisect_right([knot[0] * rising for knot in knots], value * rising) - 1
    (x, y), (far_x, far_y) = knots[max(0, min(at, len(knots) - 2)) :][:2]
    return y + (value - x) * (far_y - y) / (far_x - x)


class Paper:
    """The grid: `labels` holds for every cell the number of its place in `names`."""

    def __init__(self, seeds: Seeds, atlas: Atlas) -> None:
        self.seeds = seeds
        self.width, self.height = seeds.width * FINE, seeds.height * FINE
        self.names = ["", *(name for name in (*seeds.regions, *seeds.seas) if name)]
        self._number = {name: number for number, name in enumerate(self.names)}
        self.labels = [BEYOND] * (self.width * self.height)
        self._dry = bytearray(self.width * self.height)
        self._share_land(atlas)
        self._drown_islets()
        self._share_sea()
        self._fill_puddles()

    def _share_land(self, atlas: Atlas) -> None:
        """Every cell of a country to the nearest point of the regions that claim it."""
        countries, image = self._countries(atlas)
        claims = self._claims(countries)
        for y in range(self.height):
            latitude, longitudes = self.seeds.meridians(y + 0.5)
            narrow = cos(radians(latitude))
            row = image[y * self.width : (y + 1) * self.width]
            for x, country in enumerate(row):
                if country:
                    cell = y * self.width + x
                    self._dry[cell] = 1
                    self.labels[cell] = _nearest(claims.get(country, ()), longitudes[x], latitude, narrow)

    def _countries(self, atlas: Atlas) -> tuple[dict[str, int], Sequence[int]]:
        """The number of each country, and in which each cell lies; channels are cut."""
        image = Image.new("I", (self.width, self.height), 0)
        pen = ImageDraw.Draw(image)
        claimed = dict.fromkeys(country for region in self.seeds.regions.values() for country in region["countries"])
        numbers = {name: number for number, name in enumerate(claimed, 1)}
        pieces = [(numbers[name], rings) for name, rings in atlas.countries() if name in numbers]
        for number, rings in pieces:
            for hole, ring in enumerate(rings):
                line = [self.seeds.at(*point) for point in ring]
                pen.polygon(line, fill=0 if hole else number)
        for west, south, east, north in self.seeds.drowned:
            pen.polygon(
                [self.seeds.at(x, y) for x, y in ((west, south), (west, north), (east, north), (east, south))], 0
            )
        for start, end, wide in self.seeds.channels:
            pen.line([self.seeds.at(*start), self.seeds.at(*end)], fill=0, width=round(wide * FINE))
        return numbers, memoryview(image.tobytes()).cast("i").tolist()

    def _claims(self, countries: Mapping[str, int]) -> dict[int, list[tuple[float, float, int]]]:
        """The points that share each country."""
        found: dict[int, list[tuple[float, float, int]]] = {}
        for name, region in self.seeds.regions.items():
            for country in region["countries"]:
                points = region.get("points", [[0, 0]])
                number = self._number[name]
                found.setdefault(countries[country], []).extend((x, y, number) for x, y in points)
        return found

    def _drown_islets(self) -> None:
        """Islets too small to be seen, and scraps that belong to no place but lie in a place's land."""
        seen = bytearray(len(self.labels))
        for cell, dry in enumerate(self._dry):
            if dry and not seen[cell]:
                island = self._connected(cell, seen, self._dry)
                owned = any(self.labels[at] != BEYOND for at in island)
                if len(island) < _SMALLEST or (not owned and len(island) < _SMALLEST * 10):
                    for at in island:
                        self._dry[at], self.labels[at] = 0, BEYOND

    def _fill_puddles(self) -> None:
        """What no place has, where it is too small to be seen, goes to who lies round it."""
        free, seen = bytearray(label == BEYOND for label in self.labels), bytearray(len(self.labels))
        for cell in range(len(free)):
            if free[cell] and not seen[cell]:
                puddle = self._connected(cell, seen, free)
                round_it = [self.labels[near] for at in puddle for near in self._beside(at) if not free[near]]
                if len(puddle) < _PUDDLE and round_it:
                    for at in puddle:
                        self.labels[at] = max(set(round_it), key=round_it.count)

    def _connected(self, cell: int, seen: bytearray, among: bytearray) -> list[int]:
        island, left = [], [cell]
        seen[cell] = 1
        while left:
            at = left.pop()
            island.append(at)
            for near in self._beside(at):
                if among[near] and not seen[near]:
                    seen[near] = 1
                    left.append(near)
        return island

    def _beside(self, cell: int) -> Iterator[int]:
        x = cell % self.width
        if x:
            yield cell - 1
        if x < self.width - 1:
            yield cell + 1
        if cell >= self.width:
            yield cell - self.width
        if cell < len(self.labels) - self.width:
            yield cell + self.width

    def _share_sea(self) -> None:
        """Every cell of water to the nearest point that a ship reaches it from."""
        heap: list[tuple[float, int, int, int, int]] = []
        for name, points in self.seeds.seas.items():
            for point in points:
                x, y = (round(value) for value in self.seeds.at(*point))
                x, y = min(max(x, 0), self.width - 1), min(max(y, 0), self.height - 1)
                if self._dry[y * self.width + x]:
                    raise ValueError(f"{name or 'what lies beyond'} begins on dry land at {point}")
                heapq.heappush(heap, (0.0, y * self.width + x, x, y, self._number[name]))
        done = bytearray(self._dry)
        while heap:
            _, cell, x, y, number = heapq.heappop(heap)
            if done[cell]:
                continue
            done[cell], self.labels[cell] = 1, number
            for near in self._beside(cell):
                if not done[near]:
                    far = (near % self.width - x) ** 2 + (near // self.width - y) ** 2
                    heapq.heappush(heap, (far, near, x, y, number))

    def row(self, y: int) -> list[int]:
        """The labels of a row, from the left; none below the last."""
        return self.labels[y * self.width : (y + 1) * self.width]

    def middles(self) -> dict[str, tuple[int, int]]:
        """Where in each place a label has most room, in pixels: far from its borders, more so to the sides."""
        deep = self._depths()
        best: dict[int, int] = {}
        for cell, label in enumerate(self.labels):
            if deep[cell] > deep[best.get(label, cell)] or label not in best:
                best[label] = cell
        return {
            self.names[label]: (cell % self.width // FINE, cell // self.width // FINE)
            for label, cell in best.items()
            if label != BEYOND
        }

    def _depths(self) -> list[float]:
        """How far each cell lies from the next place, a step down counting for more."""
        labels, width = self.labels, self.width
        deep = [_FAR] * len(labels)
        for order, sign in ((range(len(labels)), -1), (range(len(labels) - 1, -1, -1), 1)):
            for cell in order:
                for near, step in ((cell + sign, 1.0), (cell + sign * width, _STEEP)):
                    beside = 0 <= near < len(labels) and labels[near] == labels[cell]
                    deep[cell] = min(deep[cell], (deep[near] if beside else 0) + step)
        return deep

    def touching(self) -> dict[frozenset[str], int]:
        """How many sides of cells two places have in common."""
        found: dict[frozenset[str], int] = {}
        for one, other in self._sides():
            if one != other:
                pair = frozenset((self.names[one], self.names[other]))
                found[pair] = found.get(pair, 0) + 1
        return found

    def _sides(self) -> Iterator[tuple[int, int]]:
        for y in range(self.height):
            yield from pairwise(self.row(y))
            yield from zip(self.row(y), self.row(y + 1), strict=False)


def _nearest(claims: Sequence[tuple[float, float, int]], x: float, y: float, narrow: float) -> int:
    if len({number for *_, number in claims}) < 2:
        return claims[0][2] if claims else BEYOND
    return min(claims, key=lambda claim: ((claim[0] - x) * narrow) ** 2 + (claim[1] - y) ** 2)[2]
