"""A steady player keeps out of blunders: positions with what he must order, and what he must not.

    CASE homeland.1  Nobody guards the homeland
    GIVEN France has 0 armies in Europe
    EXPECT France orders RAISE *
    EXPECT France avoids MOVE * FROM Europe *

`*` stands for anything. A seat orders a line where its sheet has one like it, and avoids one where no line is like it.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path

import pytest

from referee.core.game import PlaysSteadily
from referee.core.names import Seat
from referee.games import BY_NAME
from referee.kit.casefile import Case, parse_cases
from tests.contract.test_cases import staging_of

FOLDER = Path(__file__).parent / "blunders"
LEAST = 25
"""Positions of each game."""
OF_A_HUNDRED = 95


def blunders_in(game: str, case: Case) -> list[str]:
    """What a steady player does wrong in a position."""
    rules = BY_NAME[game]
    assert isinstance(rules, PlaysSteadily)
    staging = staging_of(rules)
    chosen = {setting.name: setting.default for setting in rules.settings} | case.options
    position = reduce(staging.given, case.given, staging.stage(chosen))
    found = []
    for expect in case.expect:
        seat, must, like = expect.text.split(" ", 2)
        lines = [rules.line(position, one.order) for one in rules.steady(position, Seat(seat))]
        if any(fnmatchcase(line, like) for line in lines) is not {"orders": True, "avoids": False}[must]:
            found.append(f"{case.id} {case.title}: {expect.text}; he orders {'; '.join(lines) or 'nothing'}")
    return found


@pytest.mark.parametrize("game", BY_NAME)
def test_a_steady_player_keeps_out_of_blunders(game: str) -> None:
    cases = parse_cases((FOLDER / f"{game}.case").read_text("utf-8"))
    found = [blunder for case in cases for blunder in blunders_in(game, case)[:1]]
    assert len(cases) >= LEAST and all(case.expect for case in cases)
    assert 100 * (len(cases) - len(found)) >= OF_A_HUNDRED * len(cases), "\n".join(found)
