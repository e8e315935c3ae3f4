"""The steady player of New World: no line of his is refused, hardly one falls short, and novices do not beat him."""

from __future__ import annotations

from functools import reduce
from itertools import product

import pytest

from referee.core.names import Seat
from referee.core.order import Illegal, Order
from referee.games.newworld.events import OrderFellShort
from referee.games.newworld.game import GAME
from referee.kit.opponents import answer_of
from referee.orders import understand
from tests.games.newworld.bots import begun, options
from tests.games.newworld.staging import given, stage
from tests.ladder import climbed, summed_up

FRANCE = Seat("France")
ALL = ("France", "Spain", "England", "Holland")


def test_no_line_of_his_is_refused_and_each_has_a_short_reason() -> None:
    lines, short = 0, list[OrderFellShort]()
    for secret in (b"steady", b"steadier", b"steadiest"):
        match = begun(ALL, options(), secret)
        while match.open:
            question, world = match.open[0], match.state
            for one in GAME.steady(world, question.seat) if question.wants_orders else ():
                order = understand(GAME.line(world, one.order), GAME.vocabulary(world))
                assert isinstance(order, Order) and not isinstance(GAME.bind(world, question.seat, order), Illegal)
                assert one.why.endswith(".") and len(one.why) <= 64
                lines += 1
            match.answer(question, answer_of("steady", GAME, world, question, lambda _: 0))
        events = [event for ended in match.ended for event in ended.events]
        short += [event for event in events if isinstance(event, OrderFellShort)]
    spoiled = [event.why for event in short if "was drawn" not in event.why and "was turned up" not in event.why]
    assert lines > 450 and len(spoiled) < lines / 20, spoiled


@pytest.mark.parametrize(
    ("gold", "food"), [*product(("no",), ("no", "1", "2")), *product(range(2, 20, 3), ("no", "2"))]
)
def test_a_poor_power_orders_nothing_that_upkeep_takes_or_the_bank_does_not_sell_for_its_gold(
    gold: object, food: str
) -> None:
    poor = f"France has 2 fleets, 2 armies in Europe, {gold} gold, {food} food"
    world = reduce(given, (poor, "Spain holds Furs in Canada"), stage(options()))
    sheet = [one.order for one in GAME.steady(world, FRANCE)]
    assert [doubt.sentence for doubt in GAME.doubts(world, FRANCE, sheet) if doubt.undone] == []


def test_three_novices_do_not_beat_him() -> None:
    rung = summed_up(list(climbed(GAME, {}, "steady", "novice", 4, (41, 42))))
    assert rung.firsts >= 7 / 8 and rung.margin > 20
