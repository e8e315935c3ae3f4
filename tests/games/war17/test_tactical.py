"""Tactical Combat as pure values: deployment, single blows, pursuit, plans."""

from __future__ import annotations

import pytest

from referee.games.war17.orders.standing import DeployRule, LossOrder17, ReserveRule, RetreatRule17, StanceRule
from referee.games.war17.phases.movement import PlanMenu, plan_of
from referee.games.war17.reckoning import (
    DEFAULT,
    BattlePlan,
    Blow,
    Force,
    Post,
    deed_of,
    deployed,
    pursue,
    pursuers,
    retreats,
    sectors_of,
    stance_of,
    strike,
)

THREE = ("left", "centre", "right")


@pytest.mark.parametrize(("attackers", "defenders", "number"), [(6, 6, 3), (6, 5, 1), (5, 9, 1), (12, 6, 3)])
def test_six_brigades_on_both_sides_make_a_major_battle(attackers: int, defenders: int, number: int) -> None:
    assert len(sectors_of(attackers, defenders)) == number


@pytest.mark.parametrize("infantry", range(6, 14))
@pytest.mark.parametrize("reserve", [0, 2, 20])
def test_nobody_is_lost_or_doubled_when_an_army_deploys(infantry: int, reserve: int) -> None:
    troops = {"infantry": infantry, "cavalry": 2, "artillery": 1, "leader": 2, "explorer": 1}
    force = deployed(troops, THREE, BattlePlan(reserve=reserve))
    assert force.all == troops
    assert all(post.brigades for post in force.posts.values())
    assert force.box == {"explorer": 1}


def test_a_plan_that_leaves_a_line_empty_is_mended() -> None:
    force = deployed({"infantry": 6}, THREE, BattlePlan(deploy={"left": 6}))
    assert sorted(post.brigades for post in force.posts.values()) == [1, 1, 4]


@pytest.mark.parametrize(
    ("natural", "modifier", "needed", "action", "deed"),
    [
        (2, 9, 7, "fire", ""), (7, 0, 7, "fire", "box"), (8, 0, 7, "fire", "box"), (9, 0, 7, "fire", "lost"),
        (4, 9, 8, "charge", "repulsed"), (5, 3, 8, "charge", "box"), (7, 0, 8, "charge", ""), (10, 0, 8, "charge", "lost"),
    ],
)  # fmt: skip
def test_what_a_roll_does(natural: int, modifier: int, needed: int, action: str, deed: str) -> None:
    assert deed_of(natural, modifier, needed, "fire" if action == "fire" else "charge") == deed


def test_those_in_the_middle_are_struck_first() -> None:
    own = Force({"centre": Post({"infantry": 1})})
    enemy = Force({"centre": Post({"artillery": 1}, {"cavalry": 1})})
    _, enemy, blow = strike(own, enemy, "infantry", "centre", "fire", (5, 4), 0, ("artillery",))
    assert (blow.struck, blow.deed, enemy.posts["centre"].middle) == ("cavalry", "lost", {})


def test_the_defender_assaults_when_outgunned() -> None:
    one, other = (Force({"centre": Post({"infantry": 2, "artillery": n})}) for n in (0, 2))
    assert stance_of(DEFAULT, "centre", False, one, other) == "assault"
    assert stance_of(DEFAULT, "centre", False, other, one) == "stand"
    assert stance_of(DEFAULT, "centre", True, other, one) == "assault"


def test_cavalry_shields_the_loser_but_not_onto_fleets() -> None:
    winner = Force({"centre": Post({"infantry": 3, "cavalry": 1})})
    loser = Force({"centre": Post({"cavalry": 1})}, box={"infantry": 2})
    assert pursuers(winner, loser, afloat=False) == {"cavalry": 1}
    assert pursuers(winner, loser, afloat=True) == {"cavalry": 1, "infantry": 3}
    left, screen, blow = pursue(loser.all, 1, (4, 4), 0, 8, DEFAULT)
    assert (blow.struck, screen, left) == ("cavalry", 0, {"infantry": 2})


@pytest.mark.parametrize(
    ("rule", "turn", "ours", "leaves"),
    [
        (("never", 0), 9, 1, False), (("after", 3), 2, 4, False), (("after", 3), 3, 4, True),
        (("below", 3), 2, 2, True), (("below", 3), 1, 2, False), (("outnumbered", 2), 2, 2, True),
    ],
)  # fmt: skip
def test_when_a_plan_leaves(rule: tuple[str, int], turn: int, ours: int, leaves: bool) -> None:
    one, other = (Force({"centre": Post({"infantry": n})}) for n in (ours, 4))
    assert retreats(BattlePlan(retreat=rule), turn, one, other) is leaves


def test_lines_for_a_region_go_before_lines_for_all() -> None:
    sheet = (
        DeployRule((("left", 2),)), DeployRule((("right", 3),), "Egypt"), ReserveRule(2), StanceRule("stand"),
        StanceRule("assault", "left", "Egypt"), RetreatRule17("below", 2), LossOrder17(("artillery",)),
    )  # fmt: skip
    here, there = plan_of(sheet, "Egypt"), plan_of(sheet, "Sudan")
    assert here is not None and there is not None
    assert (here.deploy, there.deploy) == ({"right": 3}, {"left": 2})
    assert here.stances == {"": "stand", "left": "assault"}
    assert (here.lose, here.retreat, here.reserve) == (("artillery",), ("below", 2), 2)
    assert plan_of((), "Egypt") is None


def test_the_menu_of_plans_keeps_what_it_is_given() -> None:
    menu = PlanMenu()
    plan = menu.sample(lambda number: number - 1)
    assert menu.decode(menu.encode(plan)) == plan
    assert menu.read("assault") is None
    with pytest.raises(ValueError):
        menu.encode("assault")


def test_a_roll_that_would_hit_and_finds_nobody_is_no_miss() -> None:
    assert Blow((4, 5), 0, 8).words() == "9 finds nobody left to hit"
    assert Blow((1, 1), 7, 8).words() == "2 +7 = 9 misses" and Blow((3, 4), 0, 8).words() == "7 misses"
