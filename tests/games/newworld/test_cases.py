"""The rules page that players read is the rules list that the game cites; the cases are run by the contract suite."""

from __future__ import annotations

from tests.games.pages import FOLDER, PAGES


def test_the_rules_page_is_the_rules_list() -> None:
    page = (FOLDER / "newworld.md").read_text("utf-8")
    assert page == PAGES["newworld.md"](), "make rules writes it anew"
