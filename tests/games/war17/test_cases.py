"""The worked examples of War!, Version 1.7, come out as they say, every rule has one, and the page is the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.casefile import Case, cases_per_rule, parse_cases
from referee.games.war17.game import War17
from tests.contract.casefile import run_case
from tests.games.pages import FOLDER, PAGES
from tests.games.war17 import staging

GAME = War17()
TEXTS = [path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("*.case"))]
CASES = [case for text in TEXTS for case in parse_cases(text)]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    assert run_case(GAME, staging, case) == []


def test_every_rule_has_a_case_and_every_case_a_rule() -> None:
    assert {rule.id for rule in GAME.rules} == set(cases_per_rule(TEXTS))


def test_the_rules_page_is_the_rules_list() -> None:
    page = (FOLDER / "war17.md").read_text("utf-8")
    assert page == PAGES["war17.md"](), "make rules writes it anew"
