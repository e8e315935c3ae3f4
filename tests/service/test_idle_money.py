"""War!: who spends little of what could be spent is asked once whether he means it; no sheet as proposed is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Refusal
from referee.core.stage import Outcome
from referee.games.war.game import War27
from referee.games.war17.game import War17
from referee.orders import understand
from tests.afoot import afoot
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import Mail, World

MATCH = "w1"
SAVED = "PP are saved, and the purchase of the set-up does not come again."
WAITS = "ROLL OUT waits for your YES"
_GAMES = {"war27": War27(), "war17": War17()}


@pytest.fixture(params=_GAMES)
def buying(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A match for two at its purchase; Anna has bought nothing yet."""
    monkeypatch.setattr("tests.world.GAMES", (_GAMES[request.param],))
    world = World(tmp_path)
    world.write(GINA, f"CREATE {request.param} AS {MATCH}")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    world.reply(ANNA, "DRAFT Egypt, India\nROLL OUT")
    world.reply(BEN, "DRAFT China, Siam\nROLL OUT")
    yield world
    world.close()


def say(world: World, text: str) -> Mail:
    return [mail for mail in world.reply(ANNA, text, confirms=False) if mail.to == ANNA][-1]


def owes(world: World) -> bool:
    return any(question.seat == world.seat(ANNA, MATCH) for question in world.playing(MATCH).outcome.open)


def test_a_purchase_of_little_is_asked_about_once(buying: World) -> None:
    receipt = say(buying, "BUY 2 infantry\nPLACE 2 infantry IN Egypt\nROLL OUT")
    assert "] LOOK AGAIN" in receipt.subject and SAVED in receipt.flat and WAITS in receipt.flat
    assert owes(buying)
    say(buying, "YES")
    assert not owes(buying)


def test_who_was_told_of_it_by_a_receipt_is_not_asked(buying: World) -> None:
    assert SAVED in say(buying, "BUY 2 infantry\nPLACE 2 infantry IN Egypt").flat
    say(buying, "ROLL OUT")
    assert not owes(buying)


def test_a_purchase_of_half_the_money_is_not_asked_about(buying: World) -> None:
    war = buying.playing(MATCH).outcome.state
    half = -(-war.treasuries[Seat(buying.seat(ANNA, MATCH))].pp // (2 * war.price("infantry")))
    receipt = say(buying, f"BUY {half} infantry\nPLACE {half} infantry IN Egypt\nROLL OUT")
    assert SAVED not in receipt.flat and not owes(buying)


# ---------------------------------------------------------------- every sheet as it is proposed


def proposed(name: str, state: Any, seat: Seat) -> tuple[Intent, ...]:
    """The lines of the form that stand there ready to be sent."""
    game, lines = _GAMES[name], list[Intent]()
    for line in _GAMES[name].order_form(state, seat):
        order = None if line.startswith("#") else understand(line, game.vocabulary(state))
        if order is not None:
            assert not isinstance(order, Refusal), order
            bound = game.bind(state, seat, order)
            assert not isinstance(bound, Refusal), bound
            lines.append(bound)
    return tuple(lines)


def lost(name: str, state: Any, seat: Seat, *sheet: Intent) -> list[Doubt]:
    return [doubt for doubt in _GAMES[name].doubts(state, seat, sheet) if doubt.loss]


_OPTIONS: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    *(("war27", players, {}) for players in (2, 4, 8)),
    ("war27", 4, {"simultaneous": "no"}),
    ("war27", 4, {"historical": "yes"}),
    ("war27", 3, {"auction": "yes"}),
    ("war27", 4, {"multiple_buildings": "2", "capital_only": "yes"}),
    *(("war17", players, {}) for players in (2, 4, 8)),
)


@pytest.mark.parametrize(("name", "players", "options"), _OPTIONS)
def test_no_sheet_as_proposed_is_asked_about(name: str, players: int, options: Mapping[str, str]) -> None:
    known = {setting.name: setting.values for setting in _GAMES[name].settings}
    assert all(not known[option] or value in known[option] for option, value in options.items())
    looked = set[str]()

    def stop(out: Outcome[Any]) -> bool:
        for question in out.open:
            if question.wants_orders and not question.key.endswith("/draft"):
                looked.add(out.state.stage)
                assert lost(name, out.state, question.seat, *proposed(name, out.state, question.seat)) == []
        return bool(out.state.turn >= 4)

    afoot(name, players, stop, options)
    assert {"setup", "production"} <= looked


@pytest.mark.parametrize("name", _GAMES)
def test_a_production_that_keeps_most_of_its_money_is_told_what_that_could_buy(name: str) -> None:
    found: list[str] = []

    def stop(out: Outcome[Any]) -> bool:
        for question in out.open:
            if out.state.stage == "production" and question.wants_orders:
                found.extend(doubt.sentence for doubt in lost(name, out.state, question.seat))
        return bool(found)

    afoot(name, 3, stop)
    assert found[0].startswith("You spend 0 of ") and "With them you could: " in found[0]
    assert "BUILD" in found[0] or "DEVELOP" in found[0]
