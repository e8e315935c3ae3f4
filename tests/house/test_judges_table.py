"""docs/judges.md: every feature names tests that there are, or says why there is none."""

from __future__ import annotations

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def test_every_row_names_a_test_that_exists_or_a_reason() -> None:
    table = (_ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| (.+) \|$", table, re.MULTILINE)[1:]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (_ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"def (test_\w+)\(", sources))
    assert len(rows) > 40
    for feature, shown in rows:
        named = re.findall(r"`(test_\w+)`", shown)
        assert named or re.fullmatch(r"None: .{20,}", shown), feature
        assert set(named) <= there, (feature, set(named) - there)
