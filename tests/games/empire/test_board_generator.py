"""Boards nobody has drawn: sound, with the guarantees of H-08, the same for the same chance, and quick."""

from __future__ import annotations

from itertools import combinations
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.games.empire.boards.draft import board_names, drawn_board, read_board, write_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.boards.survey import BASIC, examine, faults, lacks, refuse_options, size_for, start_areas
from referee.games.empire.position import Board, Resource, Square
from referee.games.empire.reckoning.distance import apart, walk
from referee.games.empire.rulebook import SIZES
from tests.games.empire.driving import first, run_phase
from tests.sample import few

LAWFUL = tuple(
    (size, players)
    for size in SIZES
    for players in range(2, 9)
    if refuse_options({"board": size, "fiat": "none", "last_turn": "20"}, players) is None
)
"""Every size of board with every number of players it is for."""


def guaranteed(board: Board) -> None:
    """H-08 and P3, counted anew: no part of the survey is used but which squares a start area has."""
    assert all(apart(board, one, other) is None for one, other in combinations(board.starts, 2))
    for area in start_areas(board).values():
        squares = [board.squares[name] for name in area]
        found = [resource for square in squares for resource in square.resources if resource.kind != "power"]
        assert sum(bool(square.food) for square in squares) >= 8
        assert sum(resource.grade > 1 for resource in found) >= 3
        assert sum(resource.grade == 1 for resource in found) >= 10
        assert 5 <= len({resource.kind for resource in found}) <= 6
        assert any(board.coastal(name) for name in area)
    for start, area in start_areas(board).items():
        walked = [
            at for at in walk(board, start) if at in area and at != start and board.squares[at].terrain != "desert"
        ]
        assert sum(board.squares[at].food == "farm" for at in walked) >= 7, (
            "32 people and a city eat 33; a farm gives 5"
        )


def fair(board: Board) -> None:
    """No start area is much better than another: food, riches, land to live on, plain to walk on at once."""
    areas = [[board.squares[name] for name in area] for area in start_areas(board).values()]
    food = [sum(bool(square.food) for square in area) for area in areas]
    riches = [sum(r.grade for square in area for r in square.resources) for area in areas]
    land = [sum(not square.water for square in area) for area in areas]
    assert max(food) - min(food) <= 2
    assert min(riches) * 2 > max(riches)
    assert min(land) >= 30
    for start in board.starts:
        around = [start, *(there for _, there in board.grid.around(start))]
        assert [board.squares[name].terrain for name in around] == ["plain"] * 7


@given(st.sampled_from(LAWFUL), st.integers(1, 1_000_000_000))
@settings(max_examples=6)
def test_every_start_area_has_what_it_is_guaranteed(lawful: tuple[str, int], seed: int) -> None:
    size, players = lawful
    board = generate(size, players, picker(seed))
    assert (board.columns, board.rows) == SIZES[size] and len(board.starts) == players
    guaranteed(board)
    fair(board)
    assert faults(board) == ()


@pytest.mark.parametrize(
    ("size", "players"),
    few(3, sorted(LAWFUL, key=lambda lawful: lawful not in (("small", 4), ("medium", 5), ("large", 8)))),
)
def test_every_player_has_a_start_area_of_his_own_in_a_match(size: str, players: int) -> None:
    """The board as it is laid in the first phase, out of the match's own dice; then capitals where nobody wished any."""
    laid, _ = run_phase(first(players, board=size))
    assert (laid.board.columns, laid.board.rows) == SIZES[size]
    guaranteed(laid.board)
    fair(laid.board)
    placed, _ = run_phase(laid)
    assert sorted(city.at for city in placed.cities.values()) == sorted(laid.board.starts)
    assert len(placed.cities) == players


def test_the_sizes_hold_what_the_rules_say() -> None:
    assert [players for size, players in LAWFUL if size == "small"] == [2, 3, 4]
    assert [players for size, players in LAWFUL if size == "medium"] == [2, 3, 4, 5, 6]
    assert [players for size, players in LAWFUL if size == "large"] == [2, 3, 4, 5, 6, 7, 8]


def test_the_same_chance_makes_the_same_board_and_another_another() -> None:
    once, again, other = (generate("small", 3, picker(seed)) for seed in (5, 5, 6))
    assert once == again != other
    assert read_board(write_board(once)) == once


def test_a_large_board_takes_less_than_five_seconds() -> None:
    began = perf_counter()
    generate("large", 8, picker(9))
    assert perf_counter() - began < 5


@pytest.mark.parametrize(("players", "size"), [(2, "small"), (4, "small"), (5, "medium"), (6, "medium"), (8, "large")])
def test_the_size_follows_from_the_players(players: int, size: str) -> None:
    assert size_for(players) == size


def test_a_board_that_cannot_hold_the_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="no room for 14"):
        generate("small", 14, picker(1))
    with pytest.raises(ValueError, match="sizes are small"):
        generate("huge", 2, picker(1))


def test_borders_are_counted_round_the_board() -> None:
    grid = Board("", 24, 18, True, {}).grid
    assert (grid.apart("c1r1", "c24r1"), grid.apart("c1r1", "c13r1"), grid.apart("c2r3", "c2r9")) == (1, 12, 6)
    todo, far = ["c7r7"], {"c7r7": 0}
    for here in todo:
        for _, there in grid.around(here):
            if there not in far:
                far[there] = far[here] + 1
                todo.append(there)
    assert all(grid.apart("c7r7", name) == steps for name, steps in far.items())


# ---------------------------------------------------------------- the surveyor


def changed(board: Board, name: str, square: Square) -> Board:
    return replace(board, squares={**board.squares, name: square})


PLAIN = read_board("size: columns 6, rows 3\n. . .\n . . ~\n. . .\n . . ~\n. . .\n . . ~\n")


@pytest.mark.parametrize(
    ("wall", "fault"),
    [
        ("reef: c1r2 N", "The reef at c1r2N is not between two water squares; take it away."),
        ("falls: c1r2 N", "The falls at c1r2N are on no river; draw the river too."),
        ("river: c1r2 N", "The river at c1r2N reaches neither sea nor lake; lead it on, border by border."),
        ("river: c5r2 E", "runs where there is water already"),
        ("divided: c1r2 N", "divides a square with neither mountains nor a double river"),
        ("mountain: c1r1 N", "lies at the edge of the board"),
        ("river: c5r2 N\ndouble river: c5r2 N", "has both a single and a double river"),
        ("starts: c6r1", "The start c6r1 is in the water; name a land square."),
        ("starts: c1r1 c3r3", "BTA apart; capitals lie more than 12 BTA apart"),
        ("starts: c1r1", "The start area of c1r1 is poor: it has 0 food squares, not 8 (H-08)."),
    ],
)
def test_what_contradicts_itself_is_told(wall: str, fault: str) -> None:
    board = read_board(write_board(PLAIN) + wall)
    assert any(fault in sentence for sentence in faults(board)), faults(board)


def test_a_river_that_reaches_the_sea_and_falls_on_it_are_sound() -> None:
    assert faults(PLAIN) == ()
    assert faults(read_board(write_board(PLAIN) + "river: c5r2 N, c4r2 E\nfalls: c4r2 E")) == ()


def test_resources_out_of_place_are_told() -> None:
    assert faults(changed(PLAIN, "c6r1", Square("sea", "fish", (Resource("O"),)))) == ()
    assert (
        "only oil (O) and fish (+) are found in water"
        in faults(changed(PLAIN, "c6r1", Square("sea", "", (Resource("Fe"),))))[0]
    )
    assert (
        "one resource twice" in faults(changed(PLAIN, "c1r1", Square("plain", "", (Resource("O"), Resource("O")))))[0]
    )


def test_a_start_area_with_every_kind_of_resource_is_not_lawful() -> None:
    rich = Square("plain", "farm", tuple(Resource(kind, 1 + (at < 3)) for at, kind in enumerate(BASIC)))
    board = replace(PLAIN, squares={name: s if s.water else rich for name, s in PLAIN.squares.items()})
    assert lacks(board, tuple(board.squares)) == ("it has 8 kinds of resource; 2 of 8 are absent",)


@pytest.mark.parametrize("name", board_names())
def test_every_drawn_board_is_sound(name: str) -> None:
    board = drawn_board(name)
    assert faults(board) == ()
    assert len(board.starts) >= 2


def test_there_is_a_drawn_board_with_what_a_generator_never_makes() -> None:
    board = drawn_board("two-isthmuses")
    assert any("divided" in features for features in board.borders.values())
    with pytest.raises(KeyError):
        drawn_board("nowhere")


def test_a_drawing_is_examined_for_both_kinds_of_fault() -> None:
    text = write_board(drawn_board("two-isthmuses"))
    after = len(text.splitlines()) + 1
    assert examine(text) == ()
    (wall,) = examine(text + "wall: c1r1 S")
    assert (wall.line, wall.column, wall.sentence[:17]) == (after, 1, "wall is no border")
    (reef,) = examine(text + "reef: c1r9 E, c5r5 S")
    assert (reef.line, reef.column) == (after, 20)
    assert reef.sentence == "The reef at c5r6N is not between two water squares; take it away."


def test_a_poor_start_area_is_a_remark_and_too_few_starts_are_a_fault() -> None:
    found = examine(write_board(PLAIN) + "starts: c1r1")
    assert [fault.remark for fault in found] == [False, *[True] * (len(found) - 1)] and len(found) > 3
    assert str(found[0]).startswith(
        "The board has 1 start, and a match needs one for each player; name at least 2 land"
    )
    line = len(write_board(PLAIN).splitlines()) + 1
    assert (
        str(found[1]) == f"Line {line}, column 9: The start area of c1r1 is poor: it has 0 food squares, not 8 (H-08)."
    )
