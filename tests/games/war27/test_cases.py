"""The worked examples of War!, Version 27, come out as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.casefile import Case, parse_cases
from referee.games.war.game import War27
from tests.contract.casefile import run_case
from tests.games.war27 import staging

GAME = War27()
CASES = [case for path in sorted(Path(__file__).parent.glob("*.case")) for case in parse_cases(path.read_text("utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    assert run_case(GAME, staging, case) == []
