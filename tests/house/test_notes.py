"""Notes are declared once, in service/base/notes.py, and put into the store and read out of it there alone."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from referee.service.base import notes
from tests.house.sources import ROOT, modules, tree_of

OWN = {
    ROOT / "referee/service/base/notes.py",
    ROOT / "referee/service/base/ports.py",
    ROOT / "referee/adapters/store/sql/reports.py",
}
OF_A_STEP = {("put_note", 4), ("note", 3), ("notes", 2)}
"""How a step of the store is asked: the method, and so many things said to it."""


def notes_by_hand(tree: ast.Module) -> list[int]:
    """The lines that ask a step itself for a note."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return [call.lineno for call in calls if isinstance(call.func, ast.Attribute) and _asks(call, call.func.attr)]


def _asks(call: ast.Call, name: str) -> bool:
    return (name, len(call.args) + len(call.keywords)) in OF_A_STEP


@pytest.mark.parametrize("folder", ["referee", "tests/service", "tests/trust"])
def test_nobody_else_asks_a_step_for_notes(folder: str) -> None:
    found = {str(path.relative_to(ROOT)): notes_by_hand(tree_of(path)) for path in modules(folder) if path not in OWN}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_note_by_hand_would_be_found(tmp_path: Path) -> None:
    source = (
        'step.put_note("", "", "x", None)\nlook.note("nw1", "", "x")\nvisit.step.notes("nw1", "x")\nkeeper.note("x")'
    )
    assert notes_by_hand(ast.parse(source)) == [1, 2, 3]


def test_no_note_is_declared_twice() -> None:
    every = notes.declared()
    assert {name: count for name, count in Counter(note.name for note in every).items() if count > 1} == {}
    assert len(every) > 40 and all(note.what for note in every)


def test_what_ends_with_a_player_is_a_seat_s() -> None:
    assert {note.whose("nw1", "Spain") for note in notes.declared() if note.ends_with_player} == {("nw1", "Spain")}
