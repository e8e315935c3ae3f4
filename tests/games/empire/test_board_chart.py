"""The map: every square, border, line, city and unit of a position is on it, and it can be read by who cannot see it."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from referee.adapters.pages.picture import png
from referee.core.names import Seat
from referee.games.empire.boards.draft import drawn_board, read_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.boards.survey import NAMES
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.position import City, Factory, Lot, Unit, Work, Worked, edge
from referee.games.empire.position.state import Country, Empire, first_position
from referee.games.empire.rulebook.kinds import GOODS, KINDS
from referee.games.empire.telling.drawing import chart
from referee.games.empire.telling.drawing.ground import FAMILIES
from referee.games.empire.telling.drawing.pieces import COLOURS, colours, letters, sort_of
from referee.games.empire.telling.drawing.view import View
from tests.browser import Browser
from tests.games.empire.staging_map import full
from tests.labels import WIDE, covered, cut, labels, places_on

SVG = "{http://www.w3.org/2000/svg}"


def scene() -> Empire:
    """Arcadia and Borduria on The Two Isthmuses, with one of everything that is drawn."""
    seats = (Seat("Arcadia"), Seat("Borduria"))
    empire = first_position(seats, {}, drawn_board("two-isthmuses"))
    for seat, at in zip(seats, ("c5r5", "c16r4"), strict=True):
        empire = empire.with_country(Country(seat, seat)).with_city(City(f"Port {seat}", at, seat, 0, True))
    kinds = ("coolie", "coolie", "SAC", "truck", "cargo ship", "fighter")
    for number, kind in enumerate(kinds, 1):
        empire = empire.with_unit(Unit(number, kind, "Arcadia", "c5r5"))
    empire = empire.with_unit(Unit(7, "coolie", "Borduria", "c5r5"))
    grid = empire.board.grid
    lines = {edge(grid, "c5r5", "S"): ("road", "rail"), edge(grid, "c8r6", "S"): ("bridge",), "c17r10": ("canal",)}
    return replace(
        empire,
        lines=lines,
        worked=(Worked("c5r4", "farm", 1, "Arcadia", 1, 1),),
        works=(Work(1, "dock", "c5r5", "Arcadia", 1, 1),),
        factories={"c4r2": (Factory("distillery", 1),)},
        sites=("c6r8",),
        turn=3,
    )


def classes(svg: str) -> dict[str, int]:
    """How often each style is used."""
    found: dict[str, int] = {}
    for element in ElementTree.fromstring(svg).iter():
        for style in element.get("class", "").split():
            found[style] = found.get(style, 0) + 1
    return found


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_everything_on_the_board_is_drawn() -> None:
    empire = scene()
    svg = chart(empire).svg
    shown = texts(svg)
    assert "Empire: The Two Isthmuses, turn 3" in shown
    assert "A 6" in shown and "B 1" in shown  # there is no room for more
    assert "Port Arcadia" in shown and "Port Borduria" in shown
    assert "Fe2" in shown and "O" in shown
    used = classes(svg)
    for style in ("n-road", "n-rail", "n-bridge", "n-canal", "wk", "fc", "si", "ci", "b-reef", "b-mountain", "b-dr"):
        assert used[f"em-{style}"] >= 2, f"{style} is in the legend, and must be on the map too"
    (ground,) = (g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "em-grid" and len(g) > 1)
    stacks = [use.get("href", "").removeprefix("#em-h240").removeprefix("-") for use in ground.iter(f"{SVG}use")]
    assert sum(int(many or 1) for many in stacks) == 24 * 18


def test_nothing_is_drawn_that_is_not_there() -> None:
    bare = classes(chart(first_position((Seat("Arcadia"),), {}, drawn_board("two-isthmuses"))).svg)
    for style in ("n-road", "n-rail", "n-bridge", "n-canal", "wk", "fc", "si"):
        assert bare[f"em-{style}"] == 1, f"{style} belongs in the legend only"
    assert bare["em-st"] == 4 + 1


def test_the_same_position_is_drawn_the_same_and_another_otherwise() -> None:
    empire = scene()
    assert chart(empire).svg == chart(empire).svg
    assert chart(empire).svg != chart(empire.without_unit(7)).svg


def test_a_large_board_has_a_window_round_the_reader() -> None:
    board = generate("large", 8, picker(4))
    seats = tuple(Seat(f"Land{number}") for number in range(8))
    empire = first_position(seats, {}, board)
    for seat, at in zip(seats, board.starts, strict=True):
        empire = empire.with_country(Country(seat, seat)).with_city(City(f"City of {seat}", at, seat, 0, True))
    for seat in seats:
        drawing = chart(empire, seat)
        assert f"City of {seat}" in texts(drawing.svg)
        root = ElementTree.fromstring(drawing.svg)
        assert int(root.get("width", "0")) <= 930
        assert "em-win" in classes(drawing.svg)
    assert "8 countries" not in drawing.instead and "Land7 1 city" in drawing.instead


def test_a_window_across_the_seam_shows_neighbours_side_by_side() -> None:
    board = drawn_board("two-isthmuses")
    view = View(board, 24.0, 6, 4, 22, 1)
    assert list(view.middles)[:6] == ["c22r1", "c23r1", "c24r1", "c1r1", "c2r1", "c3r1"]
    assert view.middles["c1r1"][0] - view.middles["c24r1"][0] == pytest.approx(36)
    whole = View(board, 24.0, 24, 18)
    assert whole.sides_shown("c24r5Q") == (("c24r5", "Q"), ("c1r6", "P"))
    assert whole.sides_shown("c3r5Q") == (("c3r5", "Q"),)


def test_borders_meet_where_squares_meet() -> None:
    view = View(drawn_board("two-isthmuses"), 24.0, 24, 18)
    for way, back in (("N", "S"), ("E", "W"), ("Q", "P")):
        for here in ("c7r7", "c8r8"):
            there = view.board.grid.step(here, way)
            assert there is not None
            assert view.door(here, way) == pytest.approx(view.door(there, back))


def test_short_names_differ() -> None:
    empire = first_position((), {}, drawn_board("two-isthmuses"))
    for name in ("Arcadia", "Argos", "Arcanum", "arc", "Borduria"):
        empire = empire.with_country(Country(name, Seat("A")))
    assert letters(empire) == {"Arcadia": "A", "Argos": "Ar", "Arcanum": "Arc", "arc": "4", "Borduria": "B"}


def test_a_country_the_game_began_with_keeps_its_colour_and_letter_when_others_come_and_go() -> None:
    empire = scene()
    later = {"Arcadia": empire.countries["Arcadia"], "Arcady": Country("Arcady", Seat("Arcadia"), "created")}
    split = replace(empire, countries={**later, "Borduria": empire.countries["Borduria"]})
    assert colours(split)["Borduria"] == colours(empire)["Borduria"] == COLOURS[1]
    assert letters(split) == {"Arcadia": "A", "Borduria": "B", "Arcady": "Ar"}
    assert "Arcady (Arcadia)" in texts(chart(split).svg) and "Borduria" in texts(chart(split).svg)
    gone = split.with_country(replace(split.countries["Arcady"], dead=True))
    assert not any("Arcady" in text for text in texts(chart(gone).svg))


def test_a_name_at_the_edge_of_the_map_stays_inside() -> None:
    empire = scene().with_city(City("Saint Bartholomew in the West", "c1r9", "Arcadia", 0))
    (name,) = [
        e for e in ElementTree.fromstring(chart(empire).svg).iter(f"{SVG}text") if (e.text or "").startswith("Saint")
    ]
    assert 0 < float(name.get("x", "0")) < 60


def test_the_key_of_a_small_board_has_room() -> None:
    small = read_board("board: Strip\nsize: columns 2, rows 1\n.\n  ~\n")
    root = ElementTree.fromstring(chart(first_position((), {}, small)).svg)
    assert root.get("width") == "480" and chart(first_position((), {}, small)).seam == 0


def test_every_kind_of_unit_counts_as_something() -> None:
    sorts = {name: sort_of(Unit(1, name, "Arcadia", "c1r1")) for name in KINDS}
    assert (sorts["coolie"], sorts["SAC"], sorts["truck"], sorts["barge"]) == ("p", "m", "v", "v")
    assert (sorts["battleship"], sorts["balloon"]) == ("s", "a")


def test_names_cannot_break_the_drawing() -> None:
    empire = first_position((Seat("A"),), {}, drawn_board("two-isthmuses")).with_country(Country("<&>", Seat("A")))
    empire = empire.with_city(City('"<b>&', "c5r5", "<&>", 0))
    assert '"<b>&' in texts(chart(empire).svg)


def test_the_map_becomes_a_picture_light_enough_for_a_letter() -> None:
    for empire in (scene(), full()):
        assert len(png(chart(empire).svg)) <= 150_000


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("board", ["two-isthmuses", "large"])
def test_no_label_covers_another_or_lies_across_the_seam(chromium: Browser, board: str, width: int) -> None:
    """Also where every square is full, whatever type the browser has; half a map fills a telephone and can be read there."""
    drawn = chart(
        full() if board == "two-isthmuses" else full(generate("large", 8, picker(4)), tuple(map(Seat, NAMES[:8])))
    )
    for face in ("", WIDE):
        found = labels(chromium, drawn, width, face, dark=width == 390)
        assert len(found) > 500 and (cut(found), covered(found)) == ([], [])
        scale = width / 912
        seam = scale * drawn.seam
        assert [label.said for label in found if label.ink[0] < seam - 1 and label.ink[2] > seam + 1] == []
        assert min(label.size for label in found) / seam * 382 >= 8.7


def test_every_square_has_its_name_and_what_stands_there_can_be_reached() -> None:
    empire = scene()
    found = list(ElementTree.fromstring(chart(empire).svg).iter())
    ids = [e.get("id") for e in found if e.get("id")]
    assert len(ids) == len(set(ids))
    assert set(places_on(chart(empire).svg)) == set(empire.board.squares)
    reached = {e.get("data-place"): e.get("aria-label") for e in found if e.get("tabindex") == "0"}
    assert reached == {
        "c5r5": "c5r5: Port Arcadia, capital of Arcadia; "
        "Arcadia 2 persons, 1 military, 1 vehicle, 1 ship, 1 plane; Borduria 1 person",
        "c16r4": "c16r4: Port Borduria, capital of Borduria",
    }


def test_the_small_map_beside_the_window_has_every_square_and_both_are_small_pictures() -> None:
    board = generate("large", 8, picker(4))
    drawn = chart(first_position((Seat("Land0"),), {}, board)).svg
    found = Counter(places_on(drawn))
    assert found.keys() == board.squares.keys() and [*found.values()].count(2) == 24 * 18
    assert len(drawn) < 100_000


def test_goods_that_lie_there_are_signs_of_their_families_and_those_aboard_are_not() -> None:
    lots = (Lot("food", 4, "Arcadia", "c5r5"), Lot("beer", 1, "Arcadia", "c5r5"), Lot("bomb", 120, "Borduria", "c16r4"))
    empire = replace(scene(), lots=(*lots, Lot("Fe", 9, "Arcadia", "c5r5", aboard=4)))
    signs = [e.get("href") for e in ElementTree.fromstring(chart(empire).svg).iter(f"{SVG}use")]
    assert signs.count("#em-food") == 1 and signs.count("#em-arms") == 1 and "#em-raw" not in signs
    assert {"5", "99+"} <= set(texts(chart(empire).svg))
    assert {what for every in FAMILIES.values() for what in every} == set(GOODS)


def test_moves_leave_trails_that_do_not_run_across_the_map_at_the_seam() -> None:
    moved = UnitMoved(1, "coolie", "Arcadia", "c24r5", ("c1r6", "c2r6"), 30)
    drawn = {
        e.get("d", "")
        for e in ElementTree.fromstring(chart(scene(), None, (moved,)).svg).iter()
        if e.get("class") == "em-tr"
    }
    assert len(drawn) == 2  # one is the key's
    assert classes(chart(scene()).svg)["em-tr"] == 1
    assert any(path.count("L") == 1 and abs(_across(path)) < 60 for path in drawn)


def _across(path: str) -> float:
    first, last = (float(point.split(" ")[0]) for point in path[1:].split("L")) if "L" in path else (0.0, 0.0)
    return last - first
