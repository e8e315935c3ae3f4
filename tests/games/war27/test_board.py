"""The map is whole, the coastlines agree with it, and in a browser no label is cut and every place can be hit."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from referee.games.war.rulebook import BOARD, CHIT_VALUES, CHITS, COLOURS, MARKERS
from referee.games.war.telling.drawing import chart
from referee.games.war.telling.drawing.coast import FINE, HEIGHT, SEEN, WIDTH, coast, signs
from tests.browser import Browser
from tests.games.war27.staging_map import MARCHES, fought
from tests.games.war27.test_pages import late
from tests.labels import WIDE, covered, cut, labels

# ---------------------------------------------------------------- the board


def reached(start: str, beside: Callable[[str], Iterable[str]]) -> set[str]:
    """Every place that can be got to from a place."""
    seen, left = {start}, [start]
    while left:
        fresh = [place for place in beside(left.pop()) if place not in seen]
        seen.update(fresh)
        left += fresh
    return seen


def beside(place: str) -> tuple[str, ...]:
    """All neighbours of a place, gates left shut."""
    if BOARD.is_sea(place):
        return (*BOARD.seas[place].borders, *BOARD.seas[place].coasts)
    return (*BOARD.regions[place].borders, *BOARD.regions[place].seas)


PLACES = {*BOARD.regions, *BOARD.seas}


def test_there_are_63_regions_in_six_zones_and_30_seas() -> None:
    assert len(PLACES) == len(BOARD.regions) + len(BOARD.seas) == 63 + 30
    assert [len(regions) for regions in BOARD.zones.values()] == [13, 9, 13, 9, 10, 9]
    assert len(COLOURS) == 8


def test_neighbours_are_neighbours_of_each_other_once() -> None:
    for place in PLACES:
        assert len(set(beside(place))) == len(beside(place)), place
        assert place not in beside(place)
        assert [other for other in beside(place) if place not in beside(other)] == []


def test_there_are_110_land_borders_42_sea_links_and_104_coasts() -> None:
    assert sum(len(region.borders) for region in BOARD.regions.values()) == 2 * 110
    assert sum(len(sea.borders) for sea in BOARD.seas.values()) == 2 * 42
    assert sum(len(region.seas) for region in BOARD.regions.values()) == 104


def test_51_regions_have_a_coast_and_every_sea_has_one() -> None:
    assert sum(region.coastal for region in BOARD.regions.values()) == 51
    assert [sea.name for sea in BOARD.seas.values() if not sea.coasts] == []


def test_land_and_sea_hang_together_and_only_the_black_sea_is_behind_a_gate() -> None:
    assert reached("Egypt", beside) == PLACES
    open_sea = reached("Eastern Mediterranean", lambda sea: BOARD.seas[sea].borders)
    assert set(BOARD.seas) - open_sea == {"Black Sea"}
    assert reached("Black Sea", lambda sea: [name for name, _ in BOARD.adjacent_seas(sea)]) == set(BOARD.seas)


def test_the_passages_are_as_the_rulebook_has_them() -> None:
    """27.board.4 to 27.board.7."""
    assert "Balkans" in BOARD.regions["Ottoman"].borders
    assert "Morocco" not in BOARD.regions["Spain"].borders
    assert {(gate.region, frozenset(gate.between)) for gate in BOARD.gates} == {
        ("Ottoman", frozenset(("Eastern Mediterranean", "Black Sea"))),
        ("Egypt", frozenset(("Eastern Mediterranean", "Red Sea"))),
    }
    for gate in BOARD.gates:
        assert set(gate.between) <= set(BOARD.regions[gate.region].seas)
        assert gate.between[1] not in BOARD.seas[gate.between[0]].borders


def test_the_cups_hold_64_markers_and_64_chits() -> None:
    assert sum(MARKERS.values()) == sum(CHITS.values()) == 64
    assert sum(number for name, number in MARKERS.items() if name.endswith("++")) == 16
    assert sum(CHITS[name] * CHIT_VALUES[name] for name in CHITS) == 255
    assert CHITS["dot"] == 40


# ---------------------------------------------------------------- coastlines


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


# ---------------------------------------------------------------- in a browser


DRAWINGS = {"late": chart(late()), "fought": chart(fought(), None, MARCHES)}

_HIT = """[...document.querySelectorAll('[data-place]')].filter(place => place.matches('use')).filter(place =>
  place.getBoundingClientRect().width > 4 && place.ariaLabel.startsWith(place.dataset.place)).length"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("name", DRAWINGS)
def test_no_label_covers_another_at_any_width(chromium: Browser, name: str, width: int) -> None:
    """Whatever type the browser has."""
    for face in ("", WIDE):
        found = labels(chromium, DRAWINGS[name], width, face, dark=width == 390)
        assert {"Kazakhstan", "North Sea"} <= {label.said for label in found}
        assert (cut(found), covered(found)) == ([], [])
    assert chromium.ask(_HIT) == len(BOARD.regions)
    assert chromium.ask("document.documentElement.scrollWidth") <= width
