"""What may be ordered in Version 1.7, by its own rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.choices import Step, after
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.games.war.events.economy import BuildingBuilt
from referee.games.war.orders.building import BuildAction
from referee.games.war.position import Land
from referee.games.war.position.state import War
from referee.games.war.telling.forecast import scratch
from referee.games.war17.game import War17
from referee.games.war17.orders import BuildBuilding17, DeclareWar17, MoveUnits17
from referee.games.war17.orders.standing import RetreatRule17
from referee.games.war17.phases.movement import construct
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
    assert isinstance(after(GAME.asking(PRODUCING, RED, "CONSTRUCT"), ()), Step)
    assert after(GAME.asking(PRODUCING, RED, "CONSTRUCT", (fort,)), ()) is None
    assert isinstance(after(GAME.asking(PRODUCING, RED, "BUILD", (fort,)), ()), Step)


def test_a_region_may_be_left_without_a_brigade() -> None:
    moving = replace(WAR, stage="movement", active=RED)
    order = after(GAME.asking(moving, RED, "MOVE"), [("Egypt",), ("Sudan",), ("infantry",), ("all",), ()])
    assert isinstance(order, MoveUnits17) and GAME.line(moving, order) == "MOVE all infantry FROM Egypt TO Sudan"


def test_a_rule_for_battles_is_chosen_for_one_region_or_for_all() -> None:
    moving = replace(WAR, stage="movement", active=RED)
    for region, where in ((("Egypt",), " IN Egypt"), ((), "")):
        order = after(GAME.asking(moving, RED, "DEPLOY"), [("left",), ("2",), region])
        assert order is not None and not isinstance(order, Step) and GAME.line(moving, order) == f"DEPLOY 2 left{where}"


def bound(line: str) -> Intent | Illegal:
    order = understand(line, GAME.vocabulary(WAR))
    assert isinstance(order, Order), order
    return GAME.bind(WAR, RED, order)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("DEPLOY even, 2 left", "Say even, or how many in which sector, not both."),
        ("DEPLOY 2 left, 1 centre, 3 left", "DEPLOY names each sector once, and left stands here twice."),
        ("CROSS none, Blue", "Say who may cross, or CROSS none; not both."),
        ("LOSE artillery, leaders", "Blows take brigades first, not leaders."),
        ("PURSUE infantry", "Pursuers strike cavalry or artillery first."),
    ],
)
def test_a_standing_order_that_would_not_be_obeyed_whole_is_refused(line: str, why: str) -> None:
    refused = bound(line)
    assert isinstance(refused, Illegal) and refused.sentence == why and refused.rule.startswith("17.")


def test_a_battle_is_left_from_a_turn_on_and_its_blows_take_brigades() -> None:
    assert bound("RETREAT AFTER 6") == RetreatRule17("after", 6)
    turns = after(GAME.asking(WAR, RED, "RETREAT"), [("after",)])
    assert isinstance(turns, Step) and turns.counts == "turns"
    lose = after(GAME.asking(WAR, RED, "LOSE"), ())
    assert isinstance(lose, Step) and [choice.word for choice in lose.choices] == ["infantry", "cavalry", "artillery"]


def test_orders_that_both_editions_have_are_this_ones_own() -> None:
    order = understand("DECLARE WAR ON Blue", GAME.vocabulary(WAR))
    assert isinstance(order, Order)
    declared = GAME.bind(WAR, RED, order)
    assert type(declared) is DeclareWar17
    assert declared.meaning() == "Declare war on Blue; you may attack from your next movement phase."


class Rampart(BuildAction, frozen=True):
    """A work that no room of the game has heard of."""

    region: str
    fields, site = (), "Egypt"

    def full_price(self, war: War) -> int:
        return 4

    def check_site(self, war: War, land: Land) -> None:
        """Anywhere."""

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> BuildingBuilt:
        return BuildingBuilt(seat, self.region, "fort", price)


def test_a_work_is_carried_out_by_what_it_says_of_itself() -> None:
    table, heard = scratch(PRODUCING)
    construct(table, RED, (Rampart("Egypt"),))
    assert heard == [BuildingBuilt(RED, "Egypt", "fort", 4)] and table.state.lands["Egypt"].has("fort")
