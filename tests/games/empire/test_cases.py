"""The worked examples of Empire come out as they say, and players read the rules that the game cites."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.casefile import Case, parse_cases
from referee.games.empire.game import EmpireGame
from referee.games.empire.rulebook import RULES
from tests.contract.casefile import run_case
from tests.games.empire import staging
from tests.games.pages import FOLDER, PAGES

GAME = EmpireGame()
CASES = [case for path in sorted(Path(__file__).parent.glob("*.case")) for case in parse_cases(path.read_text("utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    assert run_case(GAME, staging, case) == []


def test_cases_belong_to_rules() -> None:
    known = [rule.id for rule in RULES]
    assert [case.id for case in CASES if case.rule not in known] == []


def test_the_rules_page_is_the_rules_list() -> None:
    page = (FOLDER / "empire.md").read_text("utf-8")
    assert page == PAGES["empire.md"](), "make rules writes it anew"
