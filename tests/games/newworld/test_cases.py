"""Every rule and ruling of New World has cases that players can read, and the game agrees with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.casefile import Case, cases_per_rule, parse_cases
from referee.games.newworld import NewWorld, rules_markdown
from tests.contract.casefile import run_case
from tests.games.newworld import staging

HERE = Path(__file__).parent
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.case"))}
CASES = [case for text in TEXTS.values() for case in parse_cases(text)]
GAME = NewWorld()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert run_case(GAME, staging, case) == []


def test_every_rule_has_a_case_and_every_case_a_rule() -> None:
    assert set(cases_per_rule(TEXTS.values())) == {rule.id for rule in GAME.rules}
    assert len({case.id for case in CASES}) == len(CASES)


def test_the_rules_page_is_the_rules_list() -> None:
    page = HERE.parents[2] / "docs" / "rules" / "newworld.md"
    assert page.read_text(encoding="utf-8") == rules_markdown()
