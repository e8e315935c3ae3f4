"""The steady player of War! 27: no line of his is refused, every option is played, and novices seldom beat him."""

from __future__ import annotations

from functools import reduce

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed, commitment
from referee.core.game import AnyGame, PlaysSteadily
from referee.core.names import Seat
from referee.core.order import Illegal, Order
from referee.core.position import completed
from referee.core.record import Created
from referee.games.war.game import GAME
from referee.games.war.orders.natives import WesternizeRegion
from referee.games.war.position.state import War
from referee.kit.bare_stage import Bare
from referee.kit.opponents import answer_of
from referee.orders import understand
from tests.games.war27.staging import given, stage
from tests.ladder import climbed, seen_by, summed_up

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"production": "in_order", "force_pool": "yes", "scorched": "yes", "suez": "yes"},
    {"historical": "yes", "interception": "yes", "alliances": "yes"},
    {"random_regions": "yes", "multiple_buildings": "2", "simultaneous": "yes", "hidden_victory": "yes"},
    {"auction": "yes"},
)


def refused_nowhere(game: AnyGame, chosen: dict[str, str], least: int = 100) -> None:
    """A match of steady players: each line of theirs is understood and bound, and has a short reason."""
    options = {setting.name: setting.default for setting in game.settings} | {"last_turn": "3"} | chosen
    secret = b"steady war"
    assert isinstance(game, PlaysSteadily)
    seats = game.seat_players(((),) * 4, options, Keyed(secret))
    match = Bare(
        game, completed(game, Created(game.name, seats, options, commitment(secret))), Keyed(secret), lambda _: True
    )
    lines = 0
    while match.open:
        question, seen = match.open[0], seen_by(match, match.open[0].seat)
        for one in game.steady(seen, question.seat) if question.wants_orders else ():
            order = understand(game.line(seen, one.order), game.vocabulary(seen))
            assert isinstance(order, Order)
            bound = game.bind(seen, question.seat, order)
            assert not isinstance(bound, Illegal), (one.why, bound)
            assert one.why.endswith(".") and len(one.why) <= 64
            lines += 1
        match.answer(question, answer_of("steady", game, seen, question, lambda _: 0))
    assert lines > least


@pytest.mark.parametrize("chosen", OPTIONS, ids=lambda chosen: "-".join(chosen) or "none")
def test_no_line_of_his_is_refused_and_each_has_a_short_reason(chosen: dict[str, str]) -> None:
    refused_nowhere(GAME, chosen)


def test_no_dp_is_spent_on_natives_whom_buildings_and_explorers_westernize_by_themselves() -> None:
    facts = ("Red holds Egypt with 1 infantry", "Red holds Sudan with 1 infantry", "there is a city in Egypt")
    natives = ("the natives of Egypt are 4 face up", "the natives of Sudan are 4 face up", "Red has 90 PP and 9 DP")
    options = {setting.name: setting.default for setting in GAME.settings}
    war: War = replace(reduce(given, (*facts, *natives), stage(options)), stage="production")
    sheet = [one.order for one in GAME.steady(war, Seat("Red"))]
    assert [doubt.sentence for doubt in GAME.doubts(war, Seat("Red"), sheet) if doubt.undone] == []
    assert [order.region for order in sheet if isinstance(order, WesternizeRegion)] == ["Sudan"]


def test_three_novices_seldom_beat_him() -> None:
    rung = summed_up(list(climbed(GAME, {"last_turn": "5"}, "steady", "novice", 4, (41, 42))))
    assert rung.firsts >= 5 / 8 and rung.margin > 60
