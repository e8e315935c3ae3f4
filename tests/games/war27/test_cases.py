"""The worked examples of War!, Version 27, come out as they say, and players read the rules that the game cites."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.casefile import Case, parse_cases
from referee.games.war.game import War27
from tests.contract.casefile import run_case
from tests.games.pages import FOLDER, PAGES
from tests.games.war27 import staging

GAME = War27()
CASES = [case for path in sorted(Path(__file__).parent.glob("*.case")) for case in parse_cases(path.read_text("utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    assert run_case(GAME, staging, case) == []


def test_the_rules_page_is_the_rules_list() -> None:
    page = (FOLDER / "war27.md").read_text("utf-8")
    assert page == PAGES["war27.md"](), "make rules writes it anew"
