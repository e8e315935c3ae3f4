"""Every line that a refusal or a doubt offers is understood and lawful where it is offered."""

from __future__ import annotations

from functools import reduce

import pytest

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Vocabulary
from referee.games.empire.game import EmpireGame
from referee.games.empire.position.state import Empire
from referee.kit.casefile import Case, parse_cases
from referee.orders import Branch, read
from referee.rulebook_cases import texts_of
from tests.games.empire import staging

GAME = EmpireGame()
CASES = [
    case
    for text in texts_of(GAME)
    if text.startswith("# Refusals, kind by kind")
    for case in parse_cases(text)
    if case.orders
]
NO_DESK = Vocabulary((), ())


def bound(empire: Empire, case: Case, line: str) -> list[Intent | Illegal]:
    """What the orders of a line mean to the player of the case."""
    reading = read(line, GAME.vocabulary(empire), NO_DESK)
    assert not reading.ignored and not reading.mistakes, (line, reading.mistakes)
    assert not any(isinstance(node, Branch) for node in reading.sheet)
    return [
        GAME.bind(empire, case.orders[0].seat, node.order) for node in reading.sheet if not isinstance(node, Branch)
    ]


def staged(case: Case) -> Empire:
    empire = staging.stage({setting.name: setting.default for setting in GAME.settings} | case.options)
    for fact in case.given:
        empire = staging.given(empire, fact)
    return empire


def offers(empire: Empire, case: Case) -> list[str]:
    """All lines offered instead of those that are refused or doubted."""
    said = bound(empire, case, case.orders[0].text)
    lines = [line for answer in said if isinstance(answer, Illegal) for line in answer.instead]
    sheet = [answer for answer in said if isinstance(answer, Intent)]
    return lines + [line for doubt in GAME.doubts(empire, case.orders[0].seat, sheet) for line in doubt.instead]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_every_line_offered_is_lawful(case: Case) -> None:
    empire = staged(case)
    for line in offers(empire, case):
        (intent,) = bound(empire, case, line)
        assert isinstance(intent, Intent), (line, intent)


def test_most_refusals_offer_a_line() -> None:
    assert sum(bool(offers(staged(case), case)) for case in CASES) >= 20


def lawful_of(line: str, *facts: str) -> Intent | Illegal:
    """What a line of Red means where these facts hold."""
    empire = staging.stage({setting.name: setting.default for setting in GAME.settings})
    empire = reduce(staging.given, facts, empire)
    (node,) = read(line, GAME.vocabulary(empire), NO_DESK).sheet
    assert not isinstance(node, Branch)
    return GAME.bind(empire, Seat("Red"), node.order)


def test_the_number_of_a_unit_is_not_taken_for_a_grade() -> None:
    said = lawful_of("WORK Fe AS double WITH coolie 2", "SAC 2 of Red is in c8r7", "c8r7 yields triple Fe")
    assert isinstance(said, Illegal) and said.sentence == "Number 2 is SAC 2, not a coolie."


def test_who_is_in_tow_may_be_cast_off_by_an_earlier_line() -> None:
    ship = "cargo ship 24 of Red is in c8r7, on the beach"
    said = lawful_of("BEACH barge 25", ship, "barge 25 of Red is in c8r7, aboard cargo ship 24")
    assert isinstance(said, Intent)
