"""docs/judges.md: each feature and each word has its row, and each row names tests that are collected, or says why not."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_FEATURES = ("in", "ack", "time", "who", "gm", "rep")
_MOST_REASONS = 6
"""So few rows may do without a test: whoever adds another builds something else, or argues for it here."""


def _page() -> str:
    return (_ROOT / "docs" / "judges.md").read_text(encoding="utf-8")


def _promised() -> dict[str, int]:
    """How many rows the page says each group of keys has."""
    return {key: int(count) for key, count in re.findall(r"^\| (\w+) \| [^|]+ \| (\d+) \|$", _page(), re.MULTILINE)}


def _rows() -> list[tuple[str, str, str]]:
    """Key, what it is, and what shows it."""
    return re.findall(r"^\| ([a-z]+\d+) \| (.+?) \| (.+) \|$", _page(), re.MULTILINE)


def _is_skipped(function: ast.FunctionDef) -> bool:
    return any("skip" in ast.unparse(mark) or "xfail" in ast.unparse(mark) for mark in function.decorator_list)


def _collected() -> Iterator[str]:
    """The tests that pytest finds: functions of that name at the top of a test module, none set aside."""
    for path in (_ROOT / "tests").rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not _is_skipped(node):
                yield node.name


def test_every_key_has_one_row_and_every_row_a_key() -> None:
    promised = _promised()
    assert set(_FEATURES) < set(promised) and sum(promised[group] for group in _FEATURES) == 82
    assert promised["new"] == 16
    expected = [f"{group}{number}" for group, count in promised.items() for number in range(1, count + 1)]
    assert [key for key, _, _ in _rows()] == expected


def test_every_row_of_the_page_is_read() -> None:
    """A row with a bar too many, or without its key, would be passed over."""
    lines = [line for line in _page().splitlines() if line.startswith("| ") and not line.startswith("| Key")]
    assert len(lines) == len(_rows()) + len(_promised())


def test_every_row_names_a_test_that_is_collected_or_a_reason() -> None:
    there = set(_collected())
    for key, what, shown in _rows():
        named = re.findall(r"`(\w+)`", shown)
        assert what.strip() and (named or re.fullmatch(r"None: .{40,}", shown)), key
        assert not (set(named) - there), (key, set(named) - there)
        assert shown == ", ".join(f"`{name}`" for name in named) or not named, key


def test_reasons_are_few_and_no_row_is_told_twice() -> None:
    reasons = [key for key, _, shown in _rows() if shown.startswith("None: ")]
    assert len(reasons) <= _MOST_REASONS, reasons
    assert not [what for what, count in Counter(what for _, what, _ in _rows()).items() if count > 1]
