"""The steady player of War! 1.7: no line of his is refused, islands have fleets, and novices seldom beat him."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed, commitment
from referee.core.names import Seat
from referee.core.position import completed
from referee.core.record import Created
from referee.games.war.position import Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD
from referee.games.war17.game import GAME
from referee.games.war17.orders import BuildUnits17, BuyPieces17, EmbarkUnits17, LandUnits17, MoveUnits17, SailFleets17
from referee.games.war17.position import first_position
from referee.games.war17.steady_player import steady
from referee.kit.bare_stage import Bare
from tests.games.war27.test_steady import refused_nowhere
from tests.ladder import climbed, match_played, summed_up

RED = Seat("Red")
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"dealt": "yes", "net_schools": "yes"},
    {"end": "3d6", "decisions": "interactive"},
    {"end": "hour"},
)


@pytest.mark.parametrize("chosen", OPTIONS, ids=lambda chosen: "-".join(chosen) or "none")
def test_no_line_of_his_is_refused_and_each_has_a_short_reason(chosen: dict[str, str]) -> None:
    refused_nowhere(GAME, chosen, 60)


def test_three_novices_seldom_beat_him() -> None:
    rung = summed_up(list(climbed(GAME, {"last_turn": "5"}, "steady", "novice", 4, (1, 2))))
    assert rung.firsts >= 7 / 8 and rung.margin > 60


def test_four_who_return_the_sheet_do_not_tie() -> None:
    for deal in (1, 2, 3):
        standings = match_played(GAME, {"last_turn": "5"}, ("steady",) * 4, deal).tally.standings
        assert sum(standing.rank == 1 for standing in standings) < 3
        assert len({standing.score for standing in standings}) > 1


def equipped(*regions: str) -> tuple[str, ...]:
    """His purchase with these regions, in lines."""
    options = {setting.name: setting.default for setting in GAME.settings}
    war: War = first_position((RED, Seat("Blue")), options)
    for name in regions:
        war = war.with_land(name, owner=RED)
    war = replace(war, treasuries={**war.treasuries, RED: replace(war.treasuries[RED], pp=war.start.pp)})
    return tuple(GAME.line(war, one.order) for one in steady(war, RED))


def test_whose_regions_are_islands_begins_with_a_fleet_and_puts_no_army_on_them() -> None:
    bought, *placed = equipped(*(name for name, region in BOARD.regions.items() if not region.borders))
    assert "1 fleet" in bought and any("1 fleet" in line for line in placed)
    inland, *_ = equipped("Germany", "Prussia")
    assert "fleet" not in inland and "leader" in inland


def test_who_sends_no_purchase_buys_what_was_proposed() -> None:
    options = {setting.name: setting.default for setting in GAME.settings}
    secret = b"absent"
    seats = GAME.seat_players(((),) * 3, options, Keyed(secret))
    match = Bare(
        GAME, completed(GAME, Created(GAME.name, seats, options, commitment(secret))), Keyed(secret), lambda _: True
    )
    while "/draft/" in match.open[0].key:
        match.answer(match.open[0], match.open[0].menu.default)
    question = match.open[0]
    proposed = tuple(one.order for one in steady(match.state, question.seat))
    assert question.menu.default == proposed and isinstance(proposed[0], BuyPieces17)


def test_explorers_on_an_island_are_carried_to_natives() -> None:
    orders = [one.order for one in steady(at_sea(Stack(RED, "infantry", 1), Stack(RED, "explorer", 3)), RED)]
    assert any(isinstance(order, EmbarkUnits17) for order in orders)
    assert not any(isinstance(order, MoveUnits17) for order in orders)


def test_a_fleet_without_explorers_sails_to_no_natives() -> None:
    war = at_sea(Stack(RED, "infantry", 1))
    assert not any(isinstance(one.order, EmbarkUnits17 | LandUnits17 | SailFleets17) for one in steady(war, RED))


def at_sea(*ashore: Stack) -> War:
    """A movement in which Red has Great Britain, these pieces there, and a fleet beside it."""
    options = {setting.name: setting.default for setting in GAME.settings}
    war: War = replace(first_position((RED, Seat("Blue")), options), stage="movement", turn=1, round=1, active=RED)
    sea = BOARD.regions["Great Britain"].seas[0]
    return war.with_land("Great Britain", owner=RED, stacks=ashore).launching(RED, sea)


@pytest.mark.parametrize("explorers", [0, 40])
def test_who_has_explorers_for_all_natives_next_door_builds_no_more(explorers: int) -> None:
    options = {setting.name: setting.default for setting in GAME.settings}
    war: War = replace(first_position((RED, Seat("Blue")), options), stage="production", turn=1, active=RED)
    war = war.with_land("Egypt", owner=RED, stacks=(Stack(RED, "explorer", explorers),) if explorers else ())
    war = war.with_building("Egypt", "city")
    war = replace(war, treasuries={**war.treasuries, RED: replace(war.treasuries[RED], pp=100)})
    built = [one.order for one in steady(war, RED) if isinstance(one.order, BuildUnits17)]
    assert any(order.kind == "explorer" for order in built) is not bool(explorers)
