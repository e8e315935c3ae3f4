"""Boards as drawings: read, written, and refused with sentences."""

from __future__ import annotations

import pytest

from referee.games.empire.boards.draft import Misdrawn, read_board, write_board
from referee.games.empire.position import Resource, Square

DRAWING = """
# a comment
board: Two Bays
size: columns 4, rows 2, wraps
starts: c1r1
.+Fe2C   fD
   ~+O3    oP
d        s+
   iCu2    ~
river: c1r1 S E
falls: c1r1 S
mountain: c3r1 Q, c3r2 N
"""


def test_a_drawing_becomes_a_board() -> None:
    board = read_board(DRAWING)
    assert (board.name, board.columns, board.rows, board.wraps, board.starts) == ("Two Bays", 4, 2, True, ("c1r1",))
    assert board.squares["c1r1"] == Square("plain", "farm", (Resource("Fe", 2), Resource("C")))
    assert board.squares["c2r1"] == Square("sea", "fish", (Resource("O", 3),))
    assert board.squares["c3r1"].resources == (Resource("delta"),)
    assert board.squares["c4r1"] == Square("lake", "", (Resource("power"),))
    assert board.border("c1r1", "S") == ("river", "falls")
    assert board.border("c1r2", "N") == ("river", "falls")
    assert board.border("c3r1", "S") == ("mountain",)


def test_writing_and_reading_again_gives_the_same_board() -> None:
    board = read_board(DRAWING)
    assert read_board(write_board(board)) == board


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        (
            "size: columns 4, rows 2, wraps",
            "",
            "Line 1, column 1: A drawing says its size; write a line such as `size:",
        ),
        (
            "size: columns 4",
            "siez: columns 4",
            "Line 4, column 1: siez is no border and no word of the head; did you mean size?",
        ),
        ("columns 4, rows", "columns 4 rows", "Line 4, column 7: `columns 4 rows 2, wraps` is no size; write it as in"),
        (
            "columns 4",
            "columns 3",
            "Line 4, column 7: A board that wraps has an even number of columns, such as 2 or 4;",
        ),
        ("columns 4", "columns 400", "Line 4, column 7: A board has 1 to 200 columns and rows, not 400 and 2."),
        ("starts: c1r1", "starts: c1r1\nstarts: c3r1", "Line 6, column 1: starts stands in line 5 already; keep one"),
        (
            "starts: c1r1",
            "starts: c1r1 c7r7",
            "Line 5, column 14: The start c7r7 is no square of the board; name one from c1r1 to c4r2.",
        ),
        ("starts: c1r1", "starts: c01r1", "Line 5, column 9: The start c01r1 is no square"),
        ("starts: c1r1", "starts: c1r1 c1r1", "Line 5, column 14: The start c1r1 is named twice; keep one."),
        ("d        s+", "d", "Line 8, column 2: Row 2 has 2 odd columns, but 1 square here; add 1."),
        ("d        s+", "d   s+ s", "Line 8, column 8: Row 2 has 2 odd columns, but 3 squares here; take 1 away."),
        ("   iCu2    ~\n", "", "Line 8, column 1: 2 rows need 4 lines of squares, for each row first the odd columns"),
        ("oP", "qP", "Line 7, column 12: qP is no square: q is no terrain; write . plain, f forest"),
        ("oP", "oZn", "Line 7, column 13: oZn is no square: Zn is no resource; write Fe, C,"),
        ("fD", "fD4", "Line 6, column 12: fD4 is no square: 4 is no grade; write 2 for double and 3 for triple"),
        ("fD", "fD+", "Line 6, column 12: fD+ is no square: + for food stands right behind the terrain"),
        ("falls: c1r1 S", "cliff: c1r1 S", "Line 11, column 1: cliff is no border; there are river, double river"),
        ("c3r2 N", "c9r2 N", "Line 12, column 19: c9r2 is no square of the board; name one from c1r1 to c4r2."),
        (
            "c3r2 N",
            "c3r2",
            "Line 12, column 19: c3r2 stands without a side; write its sides behind it, such as c3r2 N E.",
        ),
        ("c3r2 N", "c3r2 N O", "Line 12, column 26: O is no side of a square; sides are N (top), E, Q, S (bottom)"),
    ],
)
def test_faults_are_told_in_sentences_with_their_place(was: str, now: str, fault: str) -> None:
    with pytest.raises(Misdrawn) as caught:
        read_board(DRAWING.replace(was, now))
    assert any(sentence.startswith(fault) for sentence in caught.value.faults), caught.value.faults


def test_every_fault_of_a_drawing_is_told_at_once_in_the_order_of_its_lines() -> None:
    text = DRAWING.replace("oP", "qP").replace("d        s+", "d").replace("c3r2 N", "c9r2 N")
    with pytest.raises(Misdrawn) as caught:
        read_board(text)
    assert [fault.partition(",")[0] for fault in caught.value.faults] == ["Line 7", "Line 8", "Line 12"]


def test_what_follows_a_hash_is_a_remark_of_the_one_who_draws() -> None:
    assert read_board(DRAWING.replace("fD", "fD   # the old quarry: closed")) == read_board(DRAWING)
