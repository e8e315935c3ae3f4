"""What a player is told of the economy: PREVIEW, the report's paragraph, the order form; all of it comes true."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.names import Seat
from referee.core.order import Portion, Quantity
from referee.core.page import Bullets, Heading, Paragraph
from referee.games.empire.events.course import ConfidenceRolled
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.events.work import GoodsConsumed
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.industry import Consume, Produce
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.working import Develop
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import Budget, Losses
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.steady_player import order_form
from referee.games.empire.telling.forecast import doubts, forecast, preview
from referee.games.empire.telling.outlook import ROLLS, WAYS, Outlook, band_doubts, outlook_lines
from referee.games.empire.telling.report import report
from tests.games.empire.driving import OPTIONS, run_phase, sheets
from tests.games.empire.staging import given, stage

RED = Seat("Red")

MILL = (
    "c4r6 yields triple Fe",
    "coolie 14 of Red is in c4r6",
    "Red has a city Mill in c4r7 with a steel mill, a small arms works and a power station",
    "coolie 15 to 17 of Red are in c4r7",
    "Red has 3 Fe, 5 C, 1 St in c4r7",
)


def staged(*facts: str, **options: str) -> Empire:
    """Red's slot of turn 3 on the stage of the cases."""
    empire = stage({setting.name: setting.default for setting in EmpireGame().settings} | OPTIONS | options)
    for fact in facts:
        empire = given(empire, fact)
    return empire


WORK = (Develop(14, "Fe"), Produce("c4r7", "steel mill", "St", 3))


def test_preview_tells_the_budget_and_what_each_roll_would_make_of_confidence() -> None:
    told = preview(staged(*MILL), RED, WORK)
    assert "The steel mill of Red in c4r7 makes 3 St of 3 Fe and 3 C." in told
    # EDU 12 for a triple square, a fourth of it tax, 4 points invested of which half weigh: 12 + 3 - 2.
    assert "Red's budget would be EDU 12, tax 3, cost 0, investment 4 of which 1/2 weighs: in the black by 13." in told
    assert "Its popular fund would go from 0 to 9." in told  # 12 less the tax of 3
    # 13 is more than two steps of 6: +2. Luck -2, -1, 0, +1, +2 on top.
    assert told[-1] == (
        "Confidence is 10. It would be 10 on a roll of 2 to 3 (3 of 36), 11 on a roll of 4 to 5 (7 of 36), "
        "12 on a roll of 6 to 8 (16 of 36), 13 on a roll of 9 to 10 (7 of 36), 14 on a roll of 11 to 12 (3 of 36); "
        "a full day late is a roll of one less."
    )


@pytest.mark.parametrize("late", [0, 2])
def test_what_was_foreseen_comes_true(late: int) -> None:
    empire = staged(*MILL)
    (seen,) = forecast(empire, RED, WORK).outlooks
    _, told = run_phase(empire, sheets((*WORK, RollOut()), late=late))
    (closed,) = [event for event in told if isinstance(event, BudgetClosed)]
    (rolled,) = [event for event in told if isinstance(event, ConfidenceRolled)]
    (moved,) = [event for event in told if isinstance(event, ConfidenceMoved)]
    assert (closed.fund, closed.booked.edu) == (seen.fund, seen.budget.edu)
    assert moved.confidence == dict(zip(ROLLS, seen.after, strict=True))[rolled.modified]


def foreseen(
    confidence: int, after: tuple[int, ...], band: str = "normal", owed: tuple[tuple[int, str], ...] = ()
) -> Outlook:
    """An outlook with nothing booked."""
    return Outlook("Red", confidence, band, Budget(0, 0, 0), Losses(), Fraction(1, 2), 0, owed, after)


def test_the_ways_of_all_rolls_are_36() -> None:
    every = tuple(range(2, 13))
    line = list(outlook_lines(foreseen(7, every)))[-1]
    assert sum(int(part.partition(" of 36")[0]) for part in line.split("(")[1:]) == WAYS


def test_who_stands_well_or_is_no_worse_off_is_not_warned() -> None:
    assert list(band_doubts(foreseen(9, (7, 7, 8, 8, 9, 9, 9, 10, 10, 11, 11)))) == []
    assert list(band_doubts(foreseen(4, (3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5)))) == []  # shaky before and after


def test_a_crisis_a_collapse_and_a_debt_are_told() -> None:
    told = [d.sentence for d in band_doubts(foreseen(4, (0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 3), "shaky", ((1250, "X"),)))]
    assert told == [
        "Red would still owe 2 units of X that it does not have.",
        "In 15 of 36 rolls Red would be in collapse; at its next turn no factory runs, nothing is built, nobody is born and "
        "nothing is attacked.",
        "In 11 of 36 rolls Red would be in a crisis; at its next turn no new factory may be started, and half of its factories "
        "at most may run.",
    ]


def test_after_a_collapse_no_roll_matters() -> None:
    line = list(outlook_lines(foreseen(0, (4,) * 11, "collapse")))[-1]
    assert line == "Confidence would be 4 after the collapse, whatever is rolled."


def test_the_report_has_a_paragraph_on_the_economy() -> None:
    empire = staged(*MILL)
    after, told = run_phase(empire, sheets((*WORK, RollOut())))
    blocks = report(empire, told, after, RED).blocks
    place = next(n for n, block in enumerate(blocks) if isinstance(block, Heading) and block.text == "The economy")
    block = blocks[place + 1]
    assert isinstance(block, Paragraph)
    assert block.text.startswith(
        "Red took in 12 EDU and 3 tax and spent 0 cost and 2 for investment (4 points, 1/2 of each weighs): it is 13 in the black. "
        "The popular fund stands at 9. [emp.H-13] The roll of "
    )
    bullets = [line for block in blocks if isinstance(block, Bullets) for line in block.items]
    assert not any("budget" in line or "balance" in line or "Next:" in line for line in bullets)  # each is told once
    own = after.countries["Red"]
    assert f"{own.confidence}. [emp.H-15] That is {'strong' if own.confidence > 10 else 'normal'}" in block.text


# ---------------------------------------------------------------- the order form


def test_the_form_has_lines_for_idle_factories_and_says_what_lacks() -> None:
    form = order_form(staged(*MILL), RED)
    assert "# RUN steel mill IN c4r7 FOR 3 St" in form
    text = " ".join(line.removeprefix("#").strip() for line in form)
    assert "Idle: small arms works in c4r7; it lacks 1 X for SAU." in text


def test_the_form_says_where_power_or_hands_lack() -> None:
    facts = (
        "Red has a city Mill in c4r7 with a steel mill",
        "coolie 15 of Red is in c4r7",
        "Red has 1 Fe, 1 C in c4r7",
    )
    text = " ".join(line.removeprefix("#").strip() for line in order_form(staged(*facts), RED))
    assert "Idle: steel mill in c4r7; it cannot run: there is no power." in text


def test_what_one_factory_is_to_take_is_not_proposed_for_another() -> None:
    facts = (
        "Red has a city Mill in c4r7 with a construction machine factory, a heavy machine works and a power station",
        "coolie 15 to 17 of Red are in c4r7",
        "Red has 1 St, 1 C in c4r7",
    )
    form = order_form(staged(*facts), RED)
    assert [line for line in form if line.startswith("# RUN")] == [
        "# RUN construction machine factory IN c4r7 FOR 1 cmx"
    ]


def test_lines_of_the_form_run_as_they_stand() -> None:
    empire = staged(*MILL)
    assert doubts(empire, RED, (Produce("c4r7", "steel mill", "St", 3),)) == ()


def test_the_form_proposes_to_consume_what_lies_ready() -> None:
    facts = ("Red has 3 beer in c4r4", "coolie 14 of Red is in c4r4", "automobile 20 of Red is in c4r4, unconsumed")
    empire = staged(*facts)
    form = order_form(empire, RED)
    line, what = "# CONSUME automobile 20 IN c4r4", "# Consumer goods, worth 24 EDU when consumed:"
    assert form[form.index(line) - 1] == what and "CONSUME 3 beer IN c4r4" in form, (
        "what the sound turn consumes is no remark"
    )
    order = Consume((Goods("beer", Quantity(Portion.EXACTLY, 3)),), (20,), "c4r4")
    _, told = run_phase(empire, sheets((order, RollOut())))
    assert sum(event.edu for event in told if isinstance(event, GoodsConsumed)) == 18 + 24


def test_without_a_coolie_nothing_is_proposed_to_consume() -> None:
    assert not any("CONSUME" in line for line in order_form(staged("Red has 3 beer in c4r4"), RED))


def test_who_will_have_starved_by_then_is_not_said_to_be_nobody() -> None:
    empire = staged("it is Blue's slot of turn 3", "coolie 14 of Red is in c8r12")
    said = [doubt.sentence for doubt in doubts(empire, RED, (MoveUnits((14,), "c8r11"),))]
    assert (
        '"Move coolie 14 to c8r11", as things stand: by then coolie 14 would have died in c8r12 of hunger, cut off from food.'
        in said
    )
