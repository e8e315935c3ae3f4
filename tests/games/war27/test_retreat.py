"""Retreats: who may and who must, where to, onto fleets, and into a region that is itself under attack."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Pace, Question
from referee.games.war.events.combat import BattleEnded, FleetLost, RoundFought, UnitsEmbarked, UnitsLost, UnitsMoved
from referee.games.war.orders.standing import LossOrder
from referee.games.war.orders.standing_battles import InterceptRule, RetreatRule
from referee.games.war.orders.standing_home import EvacuateTo
from referee.games.war.phases.land_battle import land_battle
from referee.games.war.phases.reinforce_and_retreat import STAY, retreat_goals, retreat_wanted
from referee.games.war.position import Feud, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle
from tests.games.war27.driving import BLUE, RED, holding, native, play, position, table, told

EGYPT = Battle("Egypt", "Egypt", RED, BLUE, round=2)
EAST, RED_SEA = "Eastern Mediterranean", "Red Sea"


def fleets(war: War, seat: Seat, sea: str, *cargoes: tuple[Load, ...]) -> War:
    """The position with fleets more, one for each cargo."""
    for cargo in cargoes:
        war = replace(war.with_fleet(Fleet(war.next_fleet, seat, sea, 0, cargo)), next_fleet=war.next_fleet + 1)
    return war


def war_in_egypt(origin: str = "Tripoli", landed: bool = False, **attackers: int) -> War:
    """Red, at war with Blue, stands in Blue's Egypt (two infantry)."""
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Egypt", infantry=2)
    stacks = tuple(Stack(RED, kind, n, 1, origin, landed) for kind, n in (attackers or {"infantry": 2}).items())
    war = war.with_land("Egypt", stacks=(*war.lands["Egypt"].stacks, *stacks))
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),))


def fight(
    war: War, *faces: int, region: str = "Egypt", orders: dict[Seat, Sequence[Intent]] | None = None, **answers: str
) -> tuple[War, list[Event]]:
    """Red's battle with these dice, all of which must be used; answers by `round_1_attacker="Tripoli"`."""
    keyed = {f"round {key.split('_')[1]}/retreat/{key.split('_')[2]}": goal for key, goal in answers.items()}
    dice = Scripted(faces)
    made, events = table(war, chance=dice)
    play(land_battle(made, RED, region, region), keyed, orders)
    assert dice.left() == ()
    return made.state, events


def sum_of(war: War, place: str, seat: Seat) -> int:
    return war.lands[place].count(seat)


# ---------------------------------------------------------------- where to


def test_an_attacker_goes_back_to_an_origin_the_strongest_region_first_and_fleets_last() -> None:
    war = holding(war_in_egypt(), RED, "Sudan", infantry=3)
    war = war.with_units("Egypt", Stack(RED, "cavalry", 1, 1, "Sudan"))
    war = war.with_units("Egypt", Stack(RED, "infantry", 1, 1, EAST, True))
    assert retreat_goals(war, EGYPT, "attacker") == ("Sudan", "Tripoli")
    war = fleets(war, RED, EAST, ())
    assert retreat_goals(war, EGYPT, "attacker") == ("Sudan", "Tripoli", EAST)
    assert retreat_goals(war.with_land("Sudan", owner=None), EGYPT, "attacker") == ("Tripoli", EAST)


def test_a_full_fleet_is_no_way_back() -> None:
    war = fleets(war_in_egypt(EAST, landed=True), RED, EAST, (Load(RED, "infantry", 4),))
    assert retreat_goals(war, EGYPT, "attacker") == ()


def test_a_defender_goes_to_friendly_neighbours_or_fleets_beside() -> None:
    war = fleets(holding(war_in_egypt(), BLUE, "Sudan", infantry=1), BLUE, RED_SEA, ())
    war = holding(war, BLUE, "Siam", infantry=9)
    assert retreat_goals(war, EGYPT, "defender") == ("Sudan", RED_SEA)


def test_natives_never_retreat() -> None:
    assert retreat_goals(war_in_egypt(), replace(EGYPT, defender=None), "defender") == ()


# ---------------------------------------------------------------- whether


@pytest.mark.parametrize(
    ("rules", "own", "enemy", "expected"),
    [
        ((), 1, 9, None),
        ((RetreatRule("never"),), 1, 9, STAY),
        ((RetreatRule("after", 2),), 5, 5, "Sudan"),
        ((RetreatRule("after", 3),), 5, 5, STAY),
        ((RetreatRule("below", 3, ("Tripoli",)),), 2, 1, "Tripoli"),
        ((RetreatRule("below", 3),), 3, 1, STAY),
        ((RetreatRule("outnumbered", 2, ("Siam", "Tripoli")),), 2, 4, "Tripoli"),
        ((RetreatRule("outnumbered", 2, ("Siam",)),), 2, 4, "Sudan"),
        ((RetreatRule("outnumbered", 1),), 4, 4, STAY),
        ((RetreatRule("after", 1), RetreatRule("never", region="Egypt")), 1, 9, STAY),
        ((RetreatRule("never"), RetreatRule("below", 2, region="Egypt")), 1, 9, "Sudan"),
        ((RetreatRule("below", 1), RetreatRule("after", 2, ("Tripoli",))), 5, 5, "Tripoli"),
        ((RetreatRule("after", 1, region="Sudan"),), 1, 9, None),
    ],
)
def test_what_standing_orders_say(rules: tuple[Intent, ...], own: int, enemy: int, expected: str | None) -> None:
    assert retreat_wanted(rules, EGYPT, ("Sudan", "Tripoli"), own, enemy) == expected


def test_first_the_attacker_then_the_defender_is_asked() -> None:
    war = holding(war_in_egypt(), BLUE, "Sudan", infantry=1)
    made, _ = table(war, *[1] * 8)
    script = land_battle(made, RED, "Egypt", "Egypt")
    asked: list[Question[object]] = []
    with pytest.raises(Exception, match="no die left"):
        play(script, asked=asked)
    assert [(q.seat, q.key.removeprefix("test/Egypt/"), q.pace) for q in asked] == [
        (RED, "round 1/retreat/attacker", Pace.REPLY), (BLUE, "round 1/retreat/defender", Pace.REPLY),
        (RED, "round 2/retreat/attacker", Pace.REPLY), (BLUE, "round 2/retreat/defender", Pace.REPLY),
    ]  # fmt: skip
    assert asked[1].menu.words() == ("stay: fight on", "Sudan: retreat there")


def test_who_wants_no_letters_is_never_waited_for() -> None:
    war = replace(war_in_egypt(), decisions={RED: "standing", BLUE: "interactive"})
    made, _ = table(war, *[1] * 4)
    asked: list[Question[object]] = []
    with pytest.raises(Exception, match="no die left"):
        play(land_battle(made, RED, "Egypt", "Egypt"), asked=asked)
    assert [q.seat for q in asked] == [RED, BLUE] and {q.pace for q in asked} == {Pace.AUTO}


def test_the_defender_leaves_and_loses_the_region() -> None:
    war = holding(war_in_egypt(), BLUE, "Sudan", infantry=1)
    state, events = fight(war, 1, 1, 1, 1, round_1_defender="Sudan")
    assert (state.lands["Egypt"].owner, sum_of(state, "Sudan", BLUE), sum_of(state, "Egypt", RED)) == (RED, 3, 2)
    assert told(events, UnitsMoved)[0].how == "retreat" and told(events, BattleEnded)[0].winner == RED


def test_the_attacker_leaves_with_everybody_and_the_region_stays() -> None:
    state, events = fight(war_in_egypt(infantry=2, general=1), 1, 1, 1, 1, round_1_attacker="Tripoli")
    assert (state.lands["Egypt"].owner, sum_of(state, "Tripoli", RED)) == (BLUE, 4)
    assert all(not stack.origin and not stack.late for stack in state.lands["Tripoli"].stacks)
    assert told(events, BattleEnded)[0].winner == BLUE


# ---------------------------------------------------------------- parties alone


def test_parties_of_a_beaten_attacker_go_back_together() -> None:
    state, _ = fight(war_in_egypt(infantry=1, general=1, engineer=1), 1, 6, 1)
    assert state.lands["Tripoli"].count(RED, "general", "engineer") == 2 and state.lands["Egypt"].owner == BLUE


def test_parties_choose_among_several_ways_by_standing_orders() -> None:
    war = holding(war_in_egypt(infantry=1, general=1), RED, "Sudan", infantry=5)
    war = war.with_units("Egypt", Stack(RED, "engineer", 1, 1, "Sudan"))
    state, _ = fight(war, 1, 6, 1)
    assert sum_of(state, "Sudan", RED) == 7
    state, _ = fight(war, 1, 6, 1, orders={RED: (EvacuateTo(("Siam", "Tripoli")),)})
    assert sum_of(state, "Tripoli", RED) == 3


def test_parties_without_a_way_out_are_lost() -> None:
    war = war_in_egypt(EAST, landed=True, infantry=1, general=1)
    _, events = fight(war, 1, 6, 1)
    assert [event.lost.kind for event in told(events, UnitsLost)] == ["infantry", "general"]


# ---------------------------------------------------------------- onto fleets


def test_boarding_costs_one_more_attack_and_the_boarding_side_rolls_no_dice() -> None:
    war = fleets(war_in_egypt(EAST, landed=True, infantry=3), RED, EAST, ())
    # round 1: the landed malus of 2 goes to Blue; round 2: 1 goes to Blue, and one infantry more falls
    state, events = fight(war, 1, 1, 1, 1, 1, 5, 1, round_1_attacker=EAST)
    first, second = told(events, RoundFought)
    assert [(v.who, v.drm) for v in first.volleys] == [(RED, 0), (BLUE, 2)]
    assert [(v.who, v.drm, v.hits) for v in second.volleys] == [(BLUE, 1, 1)]
    assert state.fleets[1].cargo[0].number == 2 and sum_of(state, "Egypt", RED) == 0
    assert all(event.sentence() for event in events)


def test_the_general_of_the_side_that_stays_turns_nothing_against_those_who_board() -> None:
    war = fleets(war_in_egypt(EAST, landed=True, infantry=2, cavalry=1), RED, EAST, ())
    war = war.with_units("Egypt", Stack(BLUE, "general", 1))
    _, events = fight(war, *[1] * 5, *[1] * 2, round_1_attacker=EAST)
    assert [tuple(v.drm for v in fought.volleys) for fought in told(events, RoundFought)] == [(0, 2), (1,)]


def test_what_finds_no_room_is_lost_and_its_owner_says_what() -> None:
    war = fleets(
        war_in_egypt(EAST, landed=True, infantry=2, cavalry=1, general=1), RED, EAST, (Load(RED, "infantry", 2),)
    )
    state, events = fight(war, *[1] * 3, *[1] * 2, *[1] * 2, round_1_attacker=EAST)
    # four points of room: the general (1) and the cavalry (2) are dearest
    assert [load.kind for load in state.fleets[1].cargo] == ["infantry", "general", "cavalry"]
    assert sum(event.lost.number for event in told(events, UnitsLost)) == 2
    state, _ = fight(
        war, *[1] * 3, *[1] * 2, *[1] * 2, orders={RED: (LossOrder(("general", "cavalry")),)}, round_1_attacker=EAST
    )
    assert [(load.kind, load.number) for load in state.fleets[1].cargo] == [("infantry", 2), ("infantry", 2)]


def test_a_defender_boards_fleets_off_his_coast() -> None:
    war = fleets(war_in_egypt(), BLUE, RED_SEA, (), ())
    state, events = fight(war, 1, 1, 1, 1, 6, 1, round_1_defender=RED_SEA)
    assert state.lands["Egypt"].owner == RED
    assert sum(load.number for fleet in state.fleets.values() for load in fleet.cargo) == 1
    assert told(events, UnitsEmbarked)[0].how == "retreat"


def test_boarding_fleets_may_be_intercepted_and_sunk_with_what_they_carry() -> None:
    war = fleets(war_in_egypt(EAST, landed=True, infantry=2), RED, EAST, ())
    war = fleets(war, BLUE, EAST, (), ())
    orders: dict[Seat, Sequence[Intent]] = {BLUE: (InterceptRule("always"),)}
    state, events = fight(war, *[1] * 4, *[1] * 2, 1, 6, 1, orders=orders, round_1_attacker=EAST)
    (sunk,) = told(events, FleetLost)
    assert sunk.owner == RED and sum(load.number for load in sunk.cargo) == 2
    assert not state.fleets_of(RED) and state.lands["Egypt"].owner == BLUE


def test_parties_alone_may_have_to_board_and_are_fired_on() -> None:
    war = fleets(war_in_egypt(EAST, landed=True, infantry=1, general=1, explorer=1), RED, EAST, ())
    state, events = fight(war, 1, 6, 1, 6, 1)
    assert [event.lost.kind for event in told(events, UnitsLost)] == ["infantry", "explorer"]
    assert [load.kind for load in state.fleets[1].cargo] == ["general"]


def test_natives_attack_once_more_as_well() -> None:
    war = fleets(native(position(), "Sudan", "4"), RED, RED_SEA, ())
    war = war.with_land("Sudan", stacks=(Stack(RED, "infantry", 3, 1, RED_SEA, True),))
    state, events = fight(war, *[1] * 3, *[1] * 4, *[6] + [1] * 3, region="Sudan", round_1_attacker=RED_SEA)
    assert [v.drm for v in told(events, RoundFought)[0].volleys] == [0, 0]
    assert state.fleets[1].cargo[0].number == 2


# ---------------------------------------------------------------- into a region under attack


def test_units_that_fall_back_into_a_battle_sit_out_its_first_round_but_may_be_lost() -> None:
    war = holding(war_in_egypt(), BLUE, "Sudan", infantry=1)
    war = war.with_units("Sudan", Stack(RED, "infantry", 2, 1, "Tripoli"))
    war, _ = fight(war, 1, 1, 1, 1, round_1_defender="Sudan")
    assert [(s.number, s.late) for s in war.lands["Sudan"].stacks if s.owner == BLUE] == [(1, False), (2, True)]
    state, events = fight(war, 6, 1, 1, 1, 1, 1, 6, region="Sudan", round_2_attacker="Tripoli")
    first, second = told(events, RoundFought)
    assert [len(v.faces) for v in first.volleys] == [2, 1]
    assert [len(v.faces) for v in second.volleys] == [2, 2]
    assert told(events, UnitsLost)[0].lost.late
    assert [(s.number, s.late) for s in state.lands["Sudan"].stacks] == [(2, False)]
