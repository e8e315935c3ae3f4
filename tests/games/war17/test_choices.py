"""What may be ordered in Version 1.7, by its own rules."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.choices import Step
from referee.core.names import Seat
from referee.core.order import Order
from referee.games.war17.game import War17
from referee.games.war17.orders.movement import DeclareWar17, MoveUnits17
from referee.games.war17.orders.production import BuildBuilding17
from referee.orders import understand
from tests.games.war17 import staging

GAME, RED = War17(), Seat("Red")
WAR = staging.given(
    staging.stage({setting.name: setting.values[0] for setting in GAME.settings}),
    "Red holds Egypt with 2 infantry and 1 engineer",
)
PRODUCING = replace(WAR, stage="production", treasuries={**WAR.treasuries, RED: replace(WAR.treasuries[RED], pp=100)})


def test_an_engineer_who_builds_by_an_earlier_line_is_not_offered_again() -> None:
    fort = BuildBuilding17("fort", "Egypt")
    assert isinstance(GAME.step(PRODUCING, RED, "CONSTRUCT"), Step)
    assert GAME.step(PRODUCING, RED, "CONSTRUCT", sheet=(fort,)) is None
    assert isinstance(GAME.step(PRODUCING, RED, "BUILD", sheet=(fort,)), Step)


def test_a_region_may_be_left_without_a_brigade() -> None:
    moving = replace(WAR, stage="movement", active=RED)
    order = GAME.step(moving, RED, "MOVE", [("Egypt",), ("Sudan",), ("infantry",), ("all",), ()])
    assert isinstance(order, MoveUnits17) and GAME.line(moving, order) == "MOVE all infantry FROM Egypt TO Sudan"


def test_orders_that_both_editions_have_are_this_ones_own() -> None:
    order = understand("DECLARE WAR ON Blue", GAME.vocabulary(WAR))
    assert isinstance(order, Order)
    declared = GAME.bind(WAR, RED, order)
    assert type(declared) is DeclareWar17
    assert declared.meaning() == "Declare war on Blue; you may attack from your next movement phase."
