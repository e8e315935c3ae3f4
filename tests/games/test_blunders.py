"""Steady and strong players keep out of blunders: positions with what they must order, and what they must not.

    CASE homeland.1  Nobody guards the homeland
    GIVEN France has 0 armies in Europe
    EXPECT France orders RAISE *
    EXPECT France avoids MOVE * FROM Europe *

`*` stands for anything. A seat orders a line where its sheet has one like it, and avoids one where no line is like it.
A strong player tries sheets ahead and may order otherwise: he is held to what he must avoid, so that has to cost points in earnest.
A steady one spares a line, too, by which one who looks ahead may gain.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from referee.core.chance import Keyed
from referee.core.game import AnyGame, PlaysSteadily, PlaysStrongly
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games import BY_NAME
from referee.kit.bare_stage import Bare, Seen
from referee.kit.casefile import Case, parse_cases
from referee.kit.opponents import Race, rigour_of
from tests.contract.test_cases import staging_of

FOLDER = Path(__file__).parent / "blunders"
LEAST = 40
"""Positions of each game."""
OF_A_HUNDRED = 95


def read(game: str) -> tuple[Case, ...]:
    """The positions of a game."""
    return parse_cases((FOLDER / f"{game}.case").read_text("utf-8"))


def position_of(rules: AnyGame, case: Case) -> Any:
    """The position that a case sets out."""
    staging = staging_of(rules)
    chosen = {setting.name: setting.default for setting in rules.settings} | case.options
    return reduce(staging.given, case.given, staging.stage(chosen))


def blunder(rules: AnyGame, position: Any, case: Case, claim: str, sheet: Iterable[Intent]) -> list[str]:
    """What is wrong with a sheet by a claim."""
    _, must, like = claim.split(" ", 2)
    lines = [rules.line(position, order) for order in sheet]
    if any(fnmatchcase(line, like) for line in lines) is {"orders": True, "avoids": False, "spares": False}[must]:
        return []
    return [f"{case.id} {case.title}: {claim}; he orders {'; '.join(lines) or 'nothing'}"]


def blunders_in(game: str, case: Case) -> list[str]:
    """What a steady player does wrong in a position."""
    rules = BY_NAME[game]
    assert isinstance(rules, PlaysSteadily)
    position, found = position_of(rules, case), list[str]()
    for expect in case.expect:
        sheet = [one.order for one in rules.steady(position, Seat(expect.text.split(" ")[0]))]
        found += blunder(rules, position, case, expect.text, sheet)
    return found


@pytest.mark.parametrize("game", BY_NAME)
def test_a_steady_player_keeps_out_of_blunders(game: str) -> None:
    cases = read(game)
    found = [wrong for case in cases for wrong in blunders_in(game, case)[:1]]
    assert len(cases) >= LEAST and all(case.expect for case in cases)
    assert 100 * (len(cases) - len(found)) >= OF_A_HUNDRED * len(cases), "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "strength"),
    [(name, each) for name, game in BY_NAME.items() if isinstance(game, PlaysStrongly) for each in game.rigours],
)
def test_a_strong_player_does_nothing_that_a_steady_one_avoids(game: str, strength: str) -> None:
    rules, checks, found = BY_NAME[game], 0, list[str]()
    for case in read(game):
        position = position_of(rules, case)
        avoided = [expect.text for expect in case.expect if " avoids " in expect.text]
        for seat in dict.fromkeys(claim.split(" ")[0] for claim in avoided):
            seen, checks = Seen(Seat(seat), position), checks + 1
            asked = [q for q in Bare(rules, seen, Keyed(b"asked")).open if q.seat == seat and q.wants_orders]
            sheet: Sequence[Intent] = ()
            if asked and (rigour := rigour_of(rules, strength)):
                sheet = Race(rules, seen, asked[0], random.Random(1).randrange, rigour).best()
            found += [bad for claim in avoided for bad in blunder(rules, position, case, claim, sheet)][:1]
    assert checks >= 15
    assert not found, "\n".join(found)
