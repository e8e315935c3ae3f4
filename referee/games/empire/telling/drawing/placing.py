"""Room on a map for what is written on it: who comes first takes a place, and who comes later another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

Box = tuple[float, float, float, float]
"""Left, top, right and lower end."""

_CELL = 48


def box_round(x: float, y: float, width: float, height: float) -> Box:
    """The box of a size round a point."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def whole(box: Box) -> tuple[int, int, int, int]:
    """The box in whole pixels: left, top, width, height."""
    left, top = int(box[0]), int(box[1])
    return left, top, ceil(box[2]) - left, ceil(box[3]) - top


class Room:
    """What is taken of a map inside its edges; nothing may lie across its seam."""

    def __init__(self, edges: Box, seam: float) -> None:
        self._edges, self._seam = edges, seam
        self._taken: dict[tuple[int, int], list[Box]] = {}

    def take(self, box: Box) -> None:
        """What lies here is covered by nothing that comes later."""
        for cell in _cells(box):
            self._taken.setdefault(cell, []).append(box)

    def free(self, box: Box) -> bool:
        """Whether a box lies on one side of the seam, inside the map, and on nothing."""
        edges = zip((*self._edges[:2], *box[2:]), (*box[:2], *self._edges[2:]), strict=True)
        if box[0] < self._seam < box[2] or any(less > more for less, more in edges):
            return False
        return not any(_meet(box, other) for cell in _cells(box) for other in self._taken.get(cell, ()))

    def place(self, ways: Iterable[Sequence[Box]]) -> int | None:
        """The number of the first way whose boxes are all free, which are taken then; None where none is."""
        for number, boxes in enumerate(ways):
            if all(map(self.free, boxes)):
                for box in boxes:
                    self.take(box)
                return number
        return None


def _cells(box: Box) -> list[tuple[int, int]]:
    left, top, right, low = (int(end // _CELL) for end in box)
    return [(across, down) for across in range(left, right + 1) for down in range(top, low + 1)]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
