"""Cells of a plane: each place gets the points that are nearest to it, by a weighted distance. Pure geometry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

FRAME = -1
"""Stands for what lies beyond the edge of the sheet."""


class Site(NamedTuple):
    """A point that gathers a cell round it; a larger weight gathers more. In pixels, the weight in square pixels."""

    x: float
    y: float
    weight: float

    @property
    def power(self) -> float:
        """The part of the weighted distance that does not depend on the other point."""
        return self.x * self.x + self.y * self.y - self.weight


class Wall(NamedTuple):
    """A corner of a cell, and which site (or FRAME) lies beyond the wall that runs from it to the next corner."""

    x: float
    y: float
    beyond: int


def cells(sites: Sequence[Site], width: float, height: float) -> tuple[tuple[Wall, ...], ...]:
    """The cell of each site on a sheet, as the corners of a convex shape; empty for a site that the others outweigh."""
    return tuple(_cell(number, sites, width, height) for number in range(len(sites)))


def _cell(number: int, sites: Sequence[Site], width: float, height: float) -> tuple[Wall, ...]:
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    shape = [Wall(x, y, FRAME) for x, y in corners]
    for other in range(len(sites)):
        if other != number and shape:
            shape = _clipped(shape, sites[number], sites[other], other)
    return tuple(shape)


def _clipped(shape: list[Wall], own: Site, other: Site, beyond: int) -> list[Wall]:
    """The part of a convex shape that is nearer to `own` than to `other`."""
    across, down, limit = 2 * (other.x - own.x), 2 * (other.y - own.y), other.power - own.power
    excess = [across * wall.x + down * wall.y - limit for wall in shape]
    if max(excess) <= 0:
        return shape
    left: list[Wall] = []
    for here, wall in enumerate(shape):
        there = (here + 1) % len(shape)
        if excess[here] <= 0:
            left.append(wall)
        if (excess[here] <= 0) != (excess[there] <= 0):
            share = excess[here] / (excess[here] - excess[there])
            x, y = (wall.x + share * (shape[there].x - wall.x), wall.y + share * (shape[there].y - wall.y))
            left.append(Wall(x, y, beyond if excess[here] <= 0 else wall.beyond))
    return left
