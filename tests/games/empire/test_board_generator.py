"""Boards nobody has drawn: sound, with the guarantees of H-08, the same for the same chance, and quick."""

from __future__ import annotations

from itertools import combinations
from time import perf_counter

import pytest
from msgspec.structs import replace

from referee.games.empire.atlas import board_names, drawn_board, read_board, write_board
from referee.games.empire.board import Board, Resource, Square
from referee.games.empire.distance import apart
from referee.games.empire.generator import SIZES, generate, picker, size_for
from referee.games.empire.survey import BASIC, examine, faults, hops, lacks, start_areas

PLAYERS = (("small", 2), ("small", 3), ("small", 4), ("medium", 5), ("medium", 6), ("large", 8))


@pytest.mark.parametrize(("size", "players"), PLAYERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_start_area_has_what_it_is_guaranteed(size: str, players: int, seed: int) -> None:
    board = generate(size, players, picker(seed))
    assert (board.columns, board.rows) == SIZES[size] and len(board.starts) == players
    assert all(apart(board, one, other) is None for one, other in combinations(board.starts, 2))
    for area in start_areas(board).values():
        squares = [board.squares[name] for name in area]
        grades = {(name, r.kind): r.grade for name in area for r in board.squares[name].resources if r.kind in BASIC}
        kinds = sorted({kind for _, kind in grades})
        assert sum(bool(square.food) for square in squares) >= 8
        assert sum(grade > 1 for grade in grades.values()) >= 3
        assert sum(grade == 1 for grade in grades.values()) >= 10
        assert 5 <= len(kinds) <= 6
        assert any(board.coastal(name) for name in area)
    assert faults(board) == ()


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
    assert (hops(grid, "c1r1", "c24r1"), hops(grid, "c1r1", "c13r1"), hops(grid, "c2r3", "c2r9")) == (1, 12, 6)
    todo, far = ["c7r7"], {"c7r7": 0}
    for here in todo:
        for _, there in grid.around(here):
            if there not in far:
                far[there] = far[here] + 1
                todo.append(there)
    assert all(hops(grid, "c7r7", name) == steps for name, steps in far.items())


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
