"""docs/trust.md: each attack has a key of its own, what happens, and tests that are collected."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_LEAST = 60
_ROW = re.compile(r"^\| ([a-z]+\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


def _lines() -> list[str]:
    page = (_ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    return [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| Key |")]


def _collected() -> Iterator[tuple[str, str]]:
    """Module and name of every test function that is not set aside."""
    for path in (_ROOT / "tests").rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                if not any("skip" in mark or "xfail" in mark for mark in marks):
                    yield path.stem, node.name


def test_every_row_can_be_read_and_has_a_key_of_its_own() -> None:
    keys = [found[1] for line in _lines() if (found := _ROW.match(line))]
    assert len(keys) == len(_lines()) >= _LEAST
    assert len(set(keys)) == len(keys)


def test_every_row_names_tests_that_are_collected() -> None:
    there = {name for _, name in _collected()}
    for line in _lines():
        named = re.findall(r"`(test_\w+)`", line.rpartition("|")[0].rpartition("|")[2])
        assert named and set(named) <= there, line
