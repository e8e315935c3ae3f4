"""The steady player of Empire: no line of his is refused, his country thrives to the end, and novices seldom beat him."""

from __future__ import annotations

import pytest

from referee.core.chance import Keyed, commitment
from referee.core.order import Illegal, Order
from referee.core.position import completed
from referee.core.record import Created
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.game import GAME
from referee.games.empire.position.state import Empire
from referee.kit.bare_stage import Bare
from referee.kit.opponents import answer_of
from referee.orders import understand
from tests.ladder import climbed, seen_by, summed_up

OPTIONS: tuple[dict[str, str], ...] = (
    {"last_turn": "20"},
    {"last_turn": "5", "start": "armed", "fiat": "lean_start", "confidence": "stern", "goods": "modest"},
)


@pytest.mark.parametrize("chosen", OPTIONS, ids=lambda chosen: "-".join(chosen))
def test_no_line_of_his_is_refused_each_has_a_short_reason_and_who_sends_it_back_keeps_confidence(
    chosen: dict[str, str],
) -> None:
    options = {setting.name: setting.default for setting in GAME.settings} | chosen
    secret = b"steady empire"
    seats = GAME.seat_players(((),) * 4, options, Keyed(secret))
    created = completed(GAME, Created(GAME.name, seats, options, commitment(secret)))
    match: Bare[Empire] = Bare(GAME, created, Keyed(secret), lambda _: True)
    lines = 0
    while match.open:
        question, seen = match.open[0], seen_by(match, match.open[0].seat)
        for one in GAME.steady(seen, question.seat) if question.wants_orders else ():
            assert one.why.endswith(".") and len(one.why) < 64
            order = understand(GAME.line(seen, one.order), GAME.vocabulary(seen))
            assert isinstance(order, Order)
            assert not isinstance(bound := GAME.bind_later(seen, question.seat, order), Illegal), (one.why, bound)
            lines += 1
        match.answer(question, answer_of("steady", GAME, seen, question, lambda _: 0))
    assert lines > 100
    told = [event for ended in match.ended for event in ended.events]
    assert [event.sentence() for event in told if isinstance(event, OrderRefused)] == []
    below = [country.name for country in match.state.countries.values() if country.confidence < 6]
    assert len(below) <= (0 if chosen["last_turn"] == "20" else 4), below


def test_three_novices_seldom_beat_him() -> None:
    rung = summed_up(list(climbed(GAME, {"last_turn": "8"}, "steady", "novice", 4, (41,))))
    assert rung.firsts >= 0.5 and rung.margin > 10
