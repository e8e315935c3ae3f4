"""The coastlines agree with map.toml: who is neighbour of whom can be seen on the map."""

from __future__ import annotations

import pytest

from referee.games.war.rulebook import BOARD
from referee.games.war.telling.drawing.coast import FINE, HEIGHT, SEEN, WIDTH, coast, signs

TOUCH_WITHOUT_A_WAY: frozenset[frozenset[str]] = frozenset()
"""Pairs that touch on the drawing though nobody can go from one to the other: none is needed."""


def ways() -> set[frozenset[str]]:
    """All pairs of neighbours of map.toml, gates left out."""
    land = {
        frozenset((name, other)) for name, region in BOARD.regions.items() for other in (*region.borders, *region.seas)
    }
    return land | {frozenset((name, other)) for name, sea in BOARD.seas.items() for other in sea.borders}


def test_neighbours_touch_or_are_joined_by_a_sign() -> None:
    seen = {pair for pair, length in coast().touching.items() if length >= SEEN}
    assert ways() - seen == {frozenset(pair) for pair in signs()}
    assert len(signs()) <= 3


def test_strangers_do_not_touch() -> None:
    touching = {pair for pair, length in coast().touching.items() if length >= SEEN}
    assert touching - ways() == TOUCH_WITHOUT_A_WAY


def test_every_gate_has_its_sign() -> None:
    strait, canal = BOARD.gates
    assert set(coast().straits) == {strait.name}
    assert canal.region == "Egypt" and coast().canal


@pytest.mark.parametrize("name", [*BOARD.regions, *BOARD.seas])
def test_every_place_has_a_shape_on_the_map_and_its_middle_in_its_box(name: str) -> None:
    (x, y), box = coast().middles[name], coast().boxes[name]
    assert box.left <= x <= box.left + box.width and box.top <= y <= box.top + box.height
    assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
    assert coast().shapes[name].startswith("M") and FINE == 2
