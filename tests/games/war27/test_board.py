"""The map is whole: what docs/rules/war-components.md says of it holds of the board that is played on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.games.war.rulebook import BOARD, CHIT_VALUES, CHITS, COLOURS, MARKERS


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
