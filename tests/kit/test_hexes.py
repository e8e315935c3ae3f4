"""Distances on boards of hexagonal cells agree with a walk from cell to cell, across the seam too."""

from __future__ import annotations

import pytest

from referee.kit.hexes import Grid


def walked(grid: Grid, start: str) -> dict[str, int]:
    found = {start: 0}
    for here in (line := [start]):
        for _, there in grid.around(here):
            if there not in found:
                found[there] = found[here] + 1
                line.append(there)
    return found


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("start", ["c1r1", "c6r4", "c12r9", "c11r5"])
def test_cells_are_as_far_apart_as_one_walks(wraps: bool, start: str) -> None:
    grid = Grid(12, 9, wraps)
    assert {at: grid.apart(start, at) for at in grid.cells()} == walked(grid, start)
