"""Boards as drawings: read, written, and refused with sentences."""

from __future__ import annotations

import pytest

from referee.games.empire.atlas import Misdrawn, read_board, write_board
from referee.games.empire.board import Resource, Square

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
        ("size: columns 4", "siez: columns 4", "A drawing says its size"),
        ("columns 4", "columns 3", "an even number of columns"),
        ("d        s+", "d", "Line 8: row 2 has 2 odd columns, but 1 squares."),
        ("oP", "qP", "Line 7: qP is no square"),
        ("falls: c1r1 S", "wall: c1r1 S", "Line 11: wall is no border; there are river"),
        ("c3r2 N", "c9r2 N", "c9r2 N is no border"),
        ("starts: c1r1", "starts: c7r7", "The start c7r7 is no square"),
        ("   iCu2    ~\n", "", "2 rows need 4 lines of squares"),
    ],
)
def test_faults_are_told_in_sentences(was: str, now: str, fault: str) -> None:
    with pytest.raises(Misdrawn) as caught:
        read_board(DRAWING.replace(was, now))
    assert any(fault in sentence for sentence in caught.value.faults), caught.value.faults
