"""Natural Earth's countries as world-atlas has them: rings of longitude and latitude, out of TopoJSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

Ring = list[tuple[float, float]]


class Atlas:
    """The countries of a file such as countries-50m.json."""

    def __init__(self, file: Path) -> None:
        raw = json.loads(file.read_text("utf-8"))
        self._scale, self._origin = raw["transform"]["scale"], raw["transform"]["translate"]
        self._arcs = [self._decoded(arc) for arc in raw["arcs"]]
        self._shapes = raw["objects"]["countries"]["geometries"]

    def countries(self) -> Iterator[tuple[str, list[Ring]]]:
        """Each piece of each country: the coast or border, then the holes in it."""
        for shape in self._shapes:
            pieces = {"Polygon": [shape.get("arcs")], "MultiPolygon": shape.get("arcs")}.get(shape["type"], [])
            for piece in pieces or ():
                yield shape["properties"]["name"], [self._ring(arcs) for arcs in piece]

    def _decoded(self, arc: list[list[int]]) -> Ring:
        """Each point of an arc stands as the step from the one before."""
        across, down = (list(accumulate(step[axis] for step in arc)) for axis in (0, 1))
        return [
            (x * self._scale[0] + self._origin[0], y * self._scale[1] + self._origin[1])
            for x, y in zip(across, down, strict=True)
        ]

    def _ring(self, arcs: list[Any]) -> Ring:
        """Arcs one after the other; ~n is arc n backwards. Where one ends the next begins."""
        ring: Ring = []
        for number in arcs:
            arc = self._arcs[number] if number >= 0 else self._arcs[~number][::-1]
            ring += arc[1:] if ring else arc
        return ring
