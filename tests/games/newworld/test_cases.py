"""The rules page that players read is the rules list that the game cites; the cases are run by the contract suite."""

from __future__ import annotations

from pathlib import Path

from referee.games.newworld import rules_markdown

HERE = Path(__file__).parent


def test_the_rules_page_is_the_rules_list() -> None:
    page = HERE.parents[2] / "docs" / "rules" / "newworld.md"
    assert page.read_text(encoding="utf-8") == rules_markdown()
