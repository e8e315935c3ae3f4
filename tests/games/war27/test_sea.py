"""Straits, interception step by step, naval battles: 27.move.naval, 27.combat.naval, rulings R27-03, R27-33, R27-34."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.core.event import Event, Rolled
from referee.core.names import Seat
from referee.core.question import Question
from referee.games.war.events.combat import FleetLost, FleetsMoved, OrderFellShort
from referee.games.war.events.moving import (
    FleetsHeld,
    FleetsIntercepted,
    NavalBattleBrokenOff,
    NavalBattleEnded,
    NavalBattleJoined,
    NavalRoundFought,
    PassageRefused,
)
from referee.games.war.game import GAME as WAR27
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.move import SailFleets
from referee.games.war.orders.standing_battles import BreakOffRule, FleetLossOrder, InterceptRule, StraitsRule
from referee.games.war.phases.naval_battle import interceptors, modifiers, naval_battle
from referee.games.war.position import DONE, Feud, Load
from referee.games.war.position.state import War
from referee.games.war.telling.rehearsal import fortunes
from referee.games.war.telling.sheets import audit
from referee.kit.refused import Refused
from tests.games.war27.driving import BLUE, GREEN, RED, holding, play, position, table, told
from tests.games.war27.stage_movement import ALL, at_war, check, exactly, fleet, land, moved, sail

MED, EAST, ATLANTIC = "Western Mediterranean", "Eastern Mediterranean", "Central Atlantic"
NO = {"/intercept": 0}
YES = {BLUE: (InterceptRule("always"),), GREEN: (InterceptRule("always"),)}


def squadrons(red: int, blue: int, sea: str = EAST) -> War:
    """So many empty fleets of Red and Blue, at war, in one sea area."""
    war = at_war(position())
    for owner in [RED] * red + [BLUE] * blue:
        war = fleet(war, owner, sea)
    return war


def counts(war: War) -> tuple[int, int]:
    """How many fleets Red and Blue have."""
    return len(war.fleets_of(RED)), len(war.fleets_of(BLUE))


def reasons(events: Sequence[Event]) -> list[str]:
    """Why lines fell short."""
    return [event.why for event in told(events, OrderFellShort)]


# ---------------------------------------------------------------- battles


def example_33() -> War:
    """Red with two empty fleets and one with 6 points against two of Blue's beside Blue's port."""
    war = fleet(squadrons(2, 0), RED, EAST, infantry=3)
    return fleet(fleet(holding(war, BLUE, "Egypt", ("port",), infantry=1), BLUE, EAST), BLUE, EAST)


def test_example_33_modifiers_hits_and_losses() -> None:
    made, events = table(example_33(), 5, 4, 6, 4, 2)
    script = naval_battle(made, EAST, RED, (1, 2, 3), BLUE, (4, 5), "fight")
    outcome = play(script, {"Red/break off": True})
    ours, theirs = told(events, NavalRoundFought)
    assert (ours.faces, ours.modifiers, ours.hits) == ((5, 4, 6), (0, 0, -2), 1)
    assert (theirs.faces, theirs.modifiers, theirs.hits) == ((4, 2), (1, 1), 1)
    lost = {event.number: event.cargo for event in told(events, FleetLost)}
    assert lost == {1: (), 4: ()}  # the mover loses an empty fleet
    assert ours.sentence() == f"{EAST}, round 1: Red throws 5, 4, 6 - 2 = 4: 1 hit (loaded, up to -2)."
    assert (outcome.broke_off, outcome.goes_on) == (RED, False)
    assert audit(example_33(), events, made.state) == audit(example_33(), (), example_33())


def test_example_33_who_broke_off_decides_whether_the_move_goes_on() -> None:
    mover, events = moved(
        example_33(), sail(EAST, MED, 3), dice=(5, 4, 6, 4, 2), orders=YES, answers={"Red/break off": True}
    )
    assert [f.spent for f in mover.fleets_of(RED)] == [DONE, DONE]
    assert told(events, FleetsHeld)[0].cites() == "27.combat.naval.4"
    assert reasons(events) == [f"The fleets were stopped by battle in {EAST}."]
    enemy, _ = moved(
        example_33(), sail(EAST, MED, 3), dice=(5, 4, 6, 4, 2), orders=YES, answers={"Blue/break off": True}
    )
    assert [(f.sea, f.spent) for f in enemy.fleets_of(RED)] == [(MED, 1), (MED, 1)]


def test_technology_ports_and_load_modify_each_fleet() -> None:
    war = fleet(fleet(squadrons(1, 1), RED, EAST, infantry=2), RED, EAST, infantry=2, general=1)
    war = holding(war, RED, "Egypt", ("port",), infantry=1)
    war = holding(war, RED, "Palestine", ("port",), infantry=1)
    war = holding(war, RED, "Sudan", ("city", "school"), infantry=1)
    assert modifiers(war, EAST, RED, BLUE, (1, 3, 4)) == (3, 2, 1)
    assert modifiers(war, EAST, BLUE, RED, (2,)) == (0,)


def test_a_battle_goes_on_until_a_side_is_gone_and_the_lost_roll_too() -> None:
    made, events = table(squadrons(2, 2), 5, 1, 1, 6, 5, 6)
    outcome = play(naval_battle(made, EAST, RED, (1, 2), BLUE, (3, 4), "fight"))
    assert (outcome.movers, outcome.enemies) == ((), ())
    assert told(events, NavalBattleEnded)[0].winner is None
    assert [event.round for event in told(events, NavalRoundFought)] == [1, 1, 2, 2]


def test_the_player_whose_share_it_is_announces_first() -> None:
    asked: list[Question[object]] = []
    made, _ = table(replace(squadrons(1, 1), active=BLUE), 1, 1, 5, 1)
    play(naval_battle(made, EAST, RED, (1,), BLUE, (2,), "fight"), asked=asked)
    assert [question.seat for question in asked] == [BLUE, RED]


@pytest.mark.parametrize(("ratio", "broken"), [(1, True), (2, False), (0, False)])
def test_standing_orders_to_break_off(ratio: int, broken: bool) -> None:
    made, events = table(squadrons(2, 3), 1, 1, 1, 1, 1, 6, 6, 6, 6, 6)
    script = naval_battle(made, EAST, RED, (1, 2), BLUE, (3, 4, 5), "fight")
    play(script, orders={RED: (BreakOffRule(ratio),)})
    assert [event.by for event in told(events, NavalBattleBrokenOff)] == ([RED] if broken else [])


def test_a_preview_says_who_breaks_off() -> None:
    war = squadrons(2, 2)
    ways = [list(fortunes(RED, war, [NavalBattleBrokenOff(EAST, 1, by)], war)) for by in (RED, BLUE, None)]
    assert [fortune.what for (fortune,) in ways] == ["you break off", "Blue breaks off", "nobody can hit"]


def test_by_default_less_than_half_breaks_off() -> None:
    made, events = table(squadrons(1, 3), 1, 1, 1, 1)
    play(naval_battle(made, EAST, RED, (1,), BLUE, (2, 3, 4), "fight"))
    assert told(events, NavalBattleBrokenOff)[0].by == RED


def test_loaded_fleets_that_can_never_hit_part() -> None:
    war = fleet(fleet(at_war(position()), RED, EAST, infantry=4), BLUE, EAST, infantry=3)
    made, events = table(war)
    outcome = play(naval_battle(made, EAST, RED, (1,), BLUE, (2,), "fight"))
    assert outcome.goes_on
    assert told(events, NavalBattleBrokenOff)[0].by is None


def test_empty_fleets_go_down_before_loaded_ones_and_cargo_with_them() -> None:
    war = fleet(fleet(fleet(at_war(position()), RED, EAST, general=2), RED, EAST, infantry=2), RED, EAST)
    war = fleet(fleet(war, BLUE, EAST), BLUE, EAST)
    made, events = table(war, 1, 1, 1, 5, 5)
    play(naval_battle(made, EAST, RED, (1, 2, 3), BLUE, (4, 5), "fight"), {"Red/break off": True})
    assert [event.number for event in told(events, FleetLost)] == [3, 2]
    assert audit(war, events, made.state) == audit(war, (), war)


# ---------------------------------------------------------------- attack


def test_an_attack_costs_no_mp_and_may_come_after_sailing() -> None:
    war = fleet(squadrons(0, 1), RED, MED)
    after, events = moved(war, sail(MED, EAST), AttackFleets(BLUE, EAST), sail(EAST, MED), dice=(5, 1))
    assert counts(after) == (1, 0)
    assert [f.spent for f in after.fleets_of(RED)] == [2]
    assert reasons(events) == []


def test_an_attack_with_fewer_fleets_than_it_names_says_so() -> None:
    war = squadrons(2, 1)
    _, events = moved(war, AttackFleets(BLUE, EAST, exactly(9)), dice=(5, 5, 1))
    assert reasons(events) == [f"You have 2 fleets in {EAST} that can attack."]
    _, events = moved(war, AttackFleets(BLUE, EAST, fleets=(1, 9)), dice=(5, 1))
    assert reasons(events) == [f"There is no fleet 9; yours in {EAST} are 1 and 2."]
    assert len(told(events, NavalRoundFought)[0].faces) == 1


def test_who_broke_off_attacks_no_more() -> None:
    twice = (AttackFleets(BLUE, EAST), AttackFleets(BLUE, EAST))
    _, events = moved(squadrons(1, 1), *twice, dice=(1, 1), answers={"Red/break off": True})
    assert [event.cites() for event in told(events, OrderFellShort)] == ["27.combat.naval.4"]


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (AttackFleets(RED, EAST), "27.war.1"),
        (AttackFleets(GREEN, EAST), "27.war.1"),
        (AttackFleets(BLUE, "Egypt"), "27.move.naval.2"),
        (AttackFleets(BLUE, MED), "27.move.naval.2"),
        (AttackFleets(BLUE, EAST, exactly(3)), "27.move.naval.2"),
        (AttackFleets(BLUE, "Red Sea"), "27.move.naval.2"),
    ],
)
def test_refusals_of_an_attack(order: AttackFleets, rule: str) -> None:
    war = fleet(at_war(position(RED, BLUE, GREEN)), BLUE, "Red Sea")
    for owner in (RED, RED, BLUE, GREEN):
        war = fleet(war, owner, EAST)
    with pytest.raises(Refused) as caught:
        check(war, RED, order)
    assert caught.value.illegal.rule == rule
    assert caught.value.illegal.sentence.endswith(".")


# ---------------------------------------------------------------- interception


def test_every_movement_point_is_announced_anew() -> None:
    war = fleet(squadrons(2, 1), BLUE, MED)
    asked: list[Question[object]] = []
    after, events = moved(war, sail(EAST, ATLANTIC, 2), asked=asked)
    assert [question.key for question in asked] == [
        "test/line 1/step 1/Blue/intercept", "test/line 1/step 2/Blue/intercept",
    ]  # fmt: skip
    assert [event.target for event in told(events, FleetsMoved)] == [MED, ATLANTIC]
    assert {f.spent for f in after.fleets_of(RED)} == {2}


def test_only_the_announced_group_fights_and_a_win_lets_it_go_on() -> None:
    after, events = moved(squadrons(3, 1), sail(EAST, MED, 2), dice=(5, 1, 1), orders=YES)
    assert (
        told(events, FleetsIntercepted)[0].sentence()
        == f"Blue intercepts Red's fleets in {EAST} before they sail to {MED}."
    )
    assert counts(after) == (3, 0)
    assert sorted(f.sea for f in after.fleets_of(RED)) == [EAST, MED, MED]


def test_fleets_that_are_sunk_do_not_arrive() -> None:
    after, events = moved(squadrons(1, 2), sail(EAST, MED), dice=(1, 6, 1), orders=YES)
    assert counts(after) == (0, 2)
    assert reasons(events) == [f"The fleets were stopped by battle in {EAST}."]


@pytest.mark.parametrize(
    ("rule", "blue", "cargo", "fights"),
    [
        (InterceptRule("always"), 1, 0, True),
        (InterceptRule("never"), 3, 3, False),
        (InterceptRule("carrying"), 1, 1, True),
        (InterceptRule("carrying"), 1, 0, False),
        (InterceptRule("ratio", 2), 2, 0, True),
        (InterceptRule("ratio", 2), 1, 0, False),
        (InterceptRule("always", sea=MED), 1, 0, False),
        (InterceptRule("always", enemy=GREEN), 1, 0, False),
        (None, 1, 1, True),
        (None, 1, 0, False),
    ],
)
def test_standing_orders_to_intercept_and_the_default(
    rule: InterceptRule | None, blue: int, cargo: int, fights: bool
) -> None:
    war = at_war(position())
    war = fleet(war, RED, EAST, infantry=cargo) if cargo else fleet(war, RED, EAST)
    for _ in range(blue):
        war = fleet(war, BLUE, EAST)
    _, events = moved(war, sail(EAST, MED), orders={BLUE: (rule,) if rule else ()})
    assert bool(told(events, FleetsIntercepted)) is fights


def test_the_interceptor_may_use_some_of_his_fleets_and_the_loaded_stay_out() -> None:
    war = fleet(squadrons(1, 2), BLUE, EAST, infantry=1)
    some = InterceptRule("always", fleets=exactly(2))
    _, events = moved(war, sail(EAST, MED), dice=(1, 1, 1), orders={BLUE: (some, BreakOffRule(0))})
    assert told(events, NavalBattleJoined)[0].enemies == (2, 3)
    few = InterceptRule("ratio", 2, fleets=exactly(1))
    _, events = moved(war, sail(EAST, MED), orders={BLUE: (few,)})
    assert not told(events, FleetsIntercepted)
    _, events = moved(war, sail(EAST, MED), dice=(1, 6), answers={"/intercept": 1})
    assert told(events, NavalBattleJoined)[0].enemies == (2,)


@pytest.mark.parametrize(
    ("rules", "lost"),
    [
        ((), ()),
        ((FleetLossOrder("loaded"),), (Load(RED, "infantry", 3),)),
        ((FleetLossOrder("loaded"), FleetLossOrder("empty", EAST)), ()),
        ((FleetLossOrder("loaded", MED),), ()),
    ],
)
def test_the_owner_says_which_fleets_take_hits(rules: tuple[FleetLossOrder, ...], lost: tuple[Load, ...]) -> None:
    made, events = table(example_33(), 5, 4, 6, 4, 2)
    orders = {RED: (*rules, BreakOffRule(0)), BLUE: (BreakOffRule(0),)}
    play(naval_battle(made, EAST, RED, (1, 2, 3), BLUE, (4, 5), "fight"), {"Red/break off": True}, orders)
    assert next(event.cargo for event in told(events, FleetLost) if event.owner == RED) == lost


def test_the_narrower_standing_order_counts() -> None:
    rules = (InterceptRule("never"), InterceptRule("always", enemy=RED, sea=EAST))
    _, events = moved(squadrons(1, 1), sail(EAST, MED), orders={BLUE: rules})
    assert told(events, FleetsIntercepted)


def test_who_is_outnumbered_lets_a_convoy_go_but_not_a_landing_on_his_land() -> None:
    war = fleet(squadrons(1, 1), RED, EAST, infantry=1)
    _, events = moved(war, SailFleets(ALL, EAST, MED))
    assert not told(events, FleetsIntercepted)
    war = holding(war, BLUE, "Egypt", infantry=1)
    after, events = moved(war, land(EAST, "Egypt", infantry=1), dice=(1, 1, 6, 1))
    assert told(events, FleetsIntercepted)[0].action == "land in Egypt"
    assert after.lands["Egypt"].count(RED) == 1


def test_a_landing_group_that_is_sunk_lands_nobody() -> None:
    war = holding(fleet(squadrons(0, 1), RED, EAST, infantry=1), BLUE, "Egypt", infantry=1)
    after, events = moved(war, land(EAST, "Egypt", infantry=1), dice=(1, 6))
    assert after.units_of(RED) == 0
    assert reasons(events) == [f"The fleets were stopped by battle in {EAST}."]


def test_several_enemies_decide_in_drawn_order_and_fight_separately() -> None:
    war = fleet(fleet(fleet(fleet(position(RED, BLUE, GREEN), RED, EAST), RED, EAST), BLUE, EAST), GREEN, EAST)
    war = at_war(at_war(war), RED, GREEN)
    after, events = moved(war, sail(EAST, MED, 2), dice=(2, 5, 1, 1, 5, 1, 1), orders=YES)
    assert [event.interceptor for event in told(events, FleetsIntercepted)] == [GREEN, BLUE]
    assert told(events, Rolled)[0].sides == 2
    assert (len(after.fleets_of(RED)), len(after.fleets)) == (2, 2)


def test_example_36_before_his_time_nobody_intercepts() -> None:
    war = fleet(fleet(position(), RED, EAST), BLUE, EAST)
    assert interceptors(war, RED, EAST) == ()
    for ready, expected in (((), ()), ((RED,), ()), ((BLUE,), (BLUE,))):
        feud: tuple[Seat, ...] = ready
        assert interceptors(replace(war, feuds=(Feud(RED, BLUE, feud),)), RED, EAST) == expected


# ---------------------------------------------------------------- sailing and straits


def strait(owner: Seat | None) -> War:
    """A fleet of Red's before the Dardanelles, Ottoman in somebody's hands."""
    war = fleet(position(RED, BLUE, GREEN), RED, EAST)
    return holding(war, owner, "Ottoman", infantry=1) if owner else war


@pytest.mark.parametrize(
    ("rule", "passes"),
    [
        (None, True),
        (StraitsRule(), True),
        (StraitsRule((RED,)), False),
        (StraitsRule((GREEN,)), True),
        (StraitsRule(nobody=True), False),
    ],
)
def test_a_strait_opens_by_leave_of_its_owner(rule: StraitsRule | None, passes: bool) -> None:
    after, events = moved(strait(BLUE), sail(EAST, "Black Sea"), orders={BLUE: (rule,) if rule else ()})
    assert (after.fleets[1].sea == "Black Sea") is passes
    assert bool(told(events, PassageRefused)) is not passes
    assert len(reasons(events)) == (0 if passes else 1)


def test_an_enemy_keeps_his_strait_shut_natives_always_and_oneself_never() -> None:
    after, _ = moved(at_war(strait(BLUE)), sail(EAST, "Black Sea"))
    assert after.fleets[1].sea == EAST
    asked: list[Question[object]] = []
    after, _ = moved(strait(RED), sail(EAST, "Black Sea"), asked=asked)
    assert (after.fleets[1].sea, asked) == ("Black Sea", [])
    with pytest.raises(Refused, match="which natives hold"):
        check(strait(None), RED, sail(EAST, "Black Sea"))


def test_fleets_go_the_shortest_way_round_enemies_and_no_further_than_4() -> None:
    war = fleet(fleet(at_war(position()), RED, "South China Sea"), BLUE, "Java Sea")
    plan = sail("South China Sea", "Arafura Sea").plan(war, RED, True)
    assert plan.way.places == ("South China Sea", "Philippine Sea", "Arafura Sea")
    with pytest.raises(Refused) as caught:
        check(war, RED, sail("South China Sea", "Red Sea", 1, "Java Sea"))
    assert caught.value.illegal.instead == ("SAIL 1 fleet FROM South China Sea TO Arabian Sea",)


def test_loaded_fleets_go_first_unless_told_otherwise() -> None:
    war = fleet(fleet(position(), RED, EAST), RED, EAST, infantry=1)
    after, _ = moved(war, sail(EAST, MED))
    assert after.fleets[2].sea == MED
    after, _ = moved(war, replace(sail(EAST, MED), loaded=False))
    assert after.fleets[1].sea == MED


def test_tired_fleets_are_refused_with_the_way_they_can_still_go() -> None:
    war = fleet(position(), RED, EAST)
    half, _ = moved(war, sail(EAST, ATLANTIC))
    with pytest.raises(Refused) as caught:
        check(half, RED, sail(ATLANTIC, "Baltic Sea"))
    assert caught.value.illegal.rule == "27.move.naval.1"
    assert caught.value.illegal.instead == ("SAIL 1 fleet FROM Central Atlantic TO North Sea",)


def test_every_event_of_movement_is_public_and_cites_a_rule() -> None:
    kinds = [kind for kind in WAR27.events if kind.__module__.endswith(".moving")]
    assert kinds
    for kind in kinds:
        assert kind.rule.startswith("27.")
        assert kind.audience.value == "everyone"
