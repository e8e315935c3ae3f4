"""Land battles: modifiers, rounds, losses, and who holds the region at the end (section 8 of the rulings)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event, Rolled
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Pace
from referee.games.war.events.combat import (
    BattleEnded,
    HitsFused,
    NativesLost,
    PartyConverted,
    RoundFought,
    UnitsLost,
    UnitsMoved,
)
from referee.games.war.events.natives import RegionReverted, RegionTaken, RevoltSuppressed
from referee.games.war.orders.standing import ConvertRule, FuseRule, LossOrder, RunNatives
from referee.games.war.orders.standing_battles import ShiftRule
from referee.games.war.phases.battle_rounds import losses_by_default, losses_in_order
from referee.games.war.phases.land_battle import land_battle, revolt_battle
from referee.games.war.position import Army, Feud, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle, Force, hits, landing_malus, reckon, transferred
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, play, position, table, told


def at_war(war: War) -> War:
    """Red has declared war on Blue, and both may attack."""
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),))


def invading(war: War, region: str, origin: str = "Tripoli", landed: bool = False, **units: int) -> War:
    """The position with units of Red's that came into a region in this share."""
    stacks = tuple(Stack(RED, kind, number, 1, origin, landed) for kind, number in units.items())
    return war.with_land(region, stacks=(*war.lands[region].stacks, *stacks))


def attack(
    war: War,
    *faces: int,
    region: str = "Egypt",
    answers: Mapping[str, object] | None = None,
    orders: Mapping[Seat, Sequence[Intent]] | None = None,
) -> tuple[War, list[Event]]:
    """Fight Red's battle with these dice, all of which must be used."""
    dice = Scripted(faces)
    made, events = table(war, chance=dice)
    play(land_battle(made, RED, region, region), answers, orders)
    assert dice.left() == ()
    return made.state, events


def numbers(war: War, region: str, seat: Seat) -> dict[str, int]:
    """A seat's units in a region by kind."""
    return {s.kind: war.lands[region].count(seat, s.kind) for s in war.lands[region].stacks if s.owner == seat}


# ---------------------------------------------------------------- modifiers


def test_example_24_a_fort_stormed_with_everything() -> None:
    storming = Force(RED, {"infantry": 1, "cavalry": 1, "artillery": 1}, parties=("general", "engineer"), schools=2)
    holding_ = Force(BLUE, {"infantry": 1, "artillery": 1}, schools=1)
    ours, theirs = reckon(storming, holding_, fort=True, malus=0)
    assert (ours.drm, theirs.drm) == (4, 3)
    assert sorted(ours.lines) == sorted(
        [
            ("3 types of brigades", 2),
            ("general", 1),
            ("more schools", 1),
            ("against a fort", -2),
            ("artillery against a fort", 1),
            ("engineer against a fort", 1),
        ]
    )
    ours, theirs = transferred(ours, theirs, 9)
    assert (ours.drm, theirs.drm) == (1, 0)


def test_example_25_infantry_alone_against_a_fort() -> None:
    ours, theirs = reckon(Force(RED, {"infantry": 5}), Force(BLUE, {"infantry": 1}), fort=True, malus=0)
    assert (ours.drm, theirs.drm) == (0, 3)
    assert [face for face in range(1, 7) if hits(face, theirs.drm)] == [3, 4, 5, 6]
    assert [face for face in range(1, 7) if hits(face, ours.drm)] == [6]


def test_example_26_four_hits_three_of_them_fused() -> None:
    assert [hits(face, 4) for face in (1, 2, 6, 5)] == [0, 1, 2, 1]
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Egypt", infantry=4, artillery=2)
    war = invading(war, "Egypt", infantry=2, cavalry=1, artillery=1, general=1)
    war = holding(war, RED, "Spain", ("city", "school"), infantry=1)
    # Red: three types +2, general +1, a school more +1: +4; Blue two types +1; nothing is turned.
    state, events = attack(
        war, 1, 2, 6, 5, 1, 1, 1, 1, 1, 1,
        answers={"round 1/shift": 0, "fuse/attacker": (("artillery", 1),), "round 1/losses/defender": (("infantry", 1),),
                 "round 1/retreat/attacker": "Tripoli"},
    )  # fmt: skip
    (fought,) = told(events, RoundFought)
    assert [volley.hits for volley in fought.volleys] == [4, 0]
    (fused,) = told(events, HitsFused)
    assert fused.targets == (("artillery", 1),) and "3 hits" in fused.sentence()
    assert numbers(state, "Egypt", BLUE) == {"infantry": 3, "artillery": 1}
    assert numbers(state, "Egypt", RED) == {}


def test_example_27_some_came_by_land_and_some_from_the_sea() -> None:
    force = Force(RED, {"infantry": 2}, {"infantry": 2, "cavalry": 1})
    enemy = Force(BLUE, {"infantry": 3})
    for malus, landed in ((2, -1), (1, 0), (0, 1)):
        ours, theirs = reckon(force, enemy, fort=False, malus=malus)
        assert (ours.drm, ours.drm - ours.landed, theirs.drm) == (1, landed, 0)
    ours, theirs = reckon(Force(RED, {}, {"infantry": 3}), enemy, fort=False, malus=2)
    assert (ours.drm, ours.landed, theirs.drm) == (0, 0, 2)


def test_example_27_the_dice() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=3), "Egypt", infantry=2)
    war = invading(war, "Egypt", "Eastern Mediterranean", landed=True, infantry=2, cavalry=1)
    _, events = attack(
        war, 5, 2, 6, 6, 4, 1, 1, 1, 1, 1, 6, 1, 1, 1, 1, answers={"round 2/retreat/attacker": "Tripoli"}
    )
    first, second = told(events, RoundFought)
    assert (first.volleys[0].hits, first.volleys[0].faces, first.volleys[0].landed_faces) == (1, (5, 2), (6, 6, 4))
    assert (second.volleys[0].hits, second.volleys[0].landed_faces) == (1, (6, 1, 1))


def test_what_only_the_landed_lack_below_zero_stays_with_them() -> None:
    force = Force(RED, {"infantry": 1}, {"infantry": 1})
    ours, theirs = reckon(force, Force(BLUE, {"infantry": 1}), fort=True, malus=2)
    assert (ours.drm, ours.landed, theirs.drm) == (0, 2, 3)


@pytest.mark.parametrize(
    ("option", "defender", "expected"),
    [("no", BLUE, (2, 1, 0, 0)), ("no", None, (0, 0, 0, 0)), ("yes", None, (2, 1, 0, 0))],
)
def test_landing_on_natives_is_no_invasion_unless_the_match_says_so(
    option: str, defender: Seat | None, expected: tuple[int, ...]
) -> None:
    war = position(native_landing=option)
    assert tuple(landing_malus(war, defender, round) for round in (1, 2, 3, 4)) == expected


def test_an_explorer_helps_against_natives_and_schools_count_against_them() -> None:
    player = Force(RED, {"infantry": 1}, parties=("explorer",), schools=1)
    natives = Force(None, {"infantry": 5, "cavalry": 3, "artillery": 1})
    assert [side.drm for side in reckon(player, natives, fort=False, malus=0)] == [2, 2]
    # in a revolt the natives storm the player's fort, with artillery
    assert [side.drm for side in reckon(natives, player, fort=True, malus=0)] == [1, 3]


# ---------------------------------------------------------------- losses


@pytest.mark.parametrize(
    ("pool", "number", "expected"),
    [
        ({"infantry": 3, "cavalry": 2, "artillery": 1}, 2, {"infantry": 2}),
        ({"infantry": 3, "cavalry": 2, "artillery": 1}, 3, {"infantry": 2, "cavalry": 1}),
        ({"infantry": 1, "cavalry": 1, "artillery": 2}, 1, {"artillery": 1}),
        ({"infantry": 1, "cavalry": 1, "artillery": 1}, 2, {"infantry": 1, "cavalry": 1}),
        ({"artillery": 1, "general": 1, "explorer": 1, "engineer": 2}, 4, {"artillery": 1, "engineer": 2, "explorer": 1}),
        ({"infantry": 1}, 5, {"infantry": 1}),
    ],
)  # fmt: skip
def test_losses_by_default(pool: dict[str, int], number: int, expected: dict[str, int]) -> None:
    assert losses_by_default(pool, number) == expected


def test_an_order_of_losses_never_puts_parties_before_brigades() -> None:
    pool = {"infantry": 2, "artillery": 1, "general": 1}
    assert losses_in_order(pool, 2, ("general", "artillery")) == {"artillery": 1, "infantry": 1}
    assert losses_in_order(pool, 4, ("general", "artillery")) == {"artillery": 1, "infantry": 2, "general": 1}


def test_an_order_for_the_region_beats_the_order_for_all() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=2, cavalry=1), "Egypt", infantry=2)
    sheet = (LossOrder(("infantry",)), LossOrder(("cavalry",), "Egypt"))
    answers = {"round 1/retreat/attacker": "Tripoli"}
    state, _ = attack(war, 6, 1, 1, 1, 1, answers=answers, orders={BLUE: sheet})
    assert numbers(state, "Egypt", BLUE) == {"infantry": 2}
    state, _ = attack(war, 6, 1, 1, 1, 1, answers=answers, orders={BLUE: sheet[:1]})
    assert numbers(state, "Egypt", BLUE) == {"infantry": 1, "cavalry": 1}


def test_an_order_of_losses_takes_units_off_as_the_log_has_them() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=2, cavalry=1), "Egypt", infantry=2)
    answers, orders = {"round 1/retreat/attacker": "Tripoli"}, {BLUE: (LossOrder(("cavalry", "infantry")),)}
    _, events = attack(war, 6, 6, 1, 1, 1, answers=answers, orders=orders)
    assert [event.lost.kind for event in told(events, UnitsLost)] == ["infantry", "cavalry"]


def test_both_choose_their_losses_at_once() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=2, cavalry=1), "Egypt", infantry=2, cavalry=1)
    made, _ = table(war, 6, 1, 1, 6, 1, 1)
    questions = next(land_battle(made, RED, "Egypt", "Egypt"))
    assert [question.seat for question in questions] == [RED, BLUE]


def test_landed_units_go_before_others_of_their_kind() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=3), "Egypt", infantry=2)
    war = invading(war, "Egypt", "Eastern Mediterranean", landed=True, infantry=1)
    _, events = attack(war, 1, 1, 1, 6, 1, 1, answers={"round 1/retreat/attacker": "Tripoli"})
    (lost,) = told(events, UnitsLost)
    assert lost.lost.landed and lost.lost.number == 1


def test_hits_go_through_to_the_parties_and_only_their_owner_chooses_among_them() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=1, engineer=1, general=1), "Egypt", infantry=3)
    _, events = attack(war, 6, 6, 1, 1, answers={"round 1/losses/defender": (("general", 1),)})
    assert [(e.lost.kind, e.why[:8]) for e in told(events, UnitsLost)] == [
        ("infantry", "hits of "), ("general", "hits of "), ("engineer", "there is"),
    ]  # fmt: skip


def test_standing_orders_fuse_hits_as_often_as_possible() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=6, artillery=3), "Egypt", infantry=7)
    answers = {"round 1/retreat/attacker": "Tripoli"}
    state, _ = attack(war, *[6] * 7, *[1] * 9, answers=answers, orders={RED: (FuseRule("artillery"),)})
    assert numbers(state, "Egypt", BLUE) == {"infantry": 5, "artillery": 1}
    state, _ = attack(war, *[6] * 7, *[1] * 9, answers=answers, orders={RED: (FuseRule(""),)})
    assert numbers(state, "Egypt", BLUE) == {"infantry": 1, "artillery": 1}


# ---------------------------------------------------------------- whole battles


def example_28() -> War:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Egypt", infantry=3, artillery=1, engineer=1)
    return invading(war, "Egypt", infantry=4, cavalry=1, general=1)


DICE_28 = (4, 6, 2, 1, 3, 5, 2, 3, 1, 5, 1, 3, 2, 6, 4, 4, 1, 2, 3)


def test_example_28_three_rounds() -> None:
    state, events = attack(example_28(), *DICE_28, orders={RED: (ShiftRule(1),)}, answers={"round 1/shift": 0})
    modifiers = [tuple(volley.drm for volley in fought.volleys) for fought in told(events, RoundFought)]
    assert modifiers == [(2, 1), (1, 0), (2, 0)]
    assert [tuple(volley.hits for volley in fought.volleys) for fought in told(events, RoundFought)] == [
        (2, 1), (1, 1), (1, 0),
    ]  # fmt: skip
    assert numbers(state, "Egypt", RED) == {"infantry": 2, "cavalry": 1, "general": 1}
    assert numbers(state, "Egypt", BLUE) == {}
    assert state.lands["Egypt"].owner == RED and state.treasuries[RED].dp == 4
    assert "nowhere" in told(events, UnitsLost)[-1].why
    assert all(event.sentence() and event.cites() for event in events)


def test_example_28_the_engineer_leaves_where_a_neighbour_is_friendly() -> None:
    war = holding(example_28(), BLUE, "Sudan", infantry=1)
    state, _ = attack(war, *DICE_28, answers={"round 1/shift": 0})
    assert numbers(state, "Sudan", BLUE) == {"infantry": 1, "engineer": 1}


def test_no_letter_is_sent_about_the_generals_shift_and_all_is_turned_by_default() -> None:
    made, events = table(example_28(), *[1] * 9)
    script = land_battle(made, RED, "Egypt", "Egypt")
    (shift,) = next(script)
    assert shift.key.endswith("Egypt/round 1/shift") and shift.pace is Pace.AUTO and shift.menu.default == 1
    assert not told(events, RoundFought)


def test_a_general_on_each_side_turns_nothing() -> None:
    war = example_28().with_units("Egypt", Stack(BLUE, "general", 1))
    _, events = attack(war, *[1] * 9, answers={"round 1/retreat/attacker": "Tripoli"})
    assert [volley.drm for volley in told(events, RoundFought)[0].volleys] == [2, 2]


def test_a_battle_between_players_without_a_brigade_left_makes_a_party_infantry() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", infantry=1, general=1, engineer=1), "Egypt", infantry=1, general=1)
    state, events = attack(war, 6, 6)
    assert state.lands["Egypt"].owner == BLUE
    assert numbers(state, "Egypt", BLUE) == {"general": 1, "infantry": 1}
    assert numbers(state, "Tripoli", RED) == {"infantry": 1, "general": 1}
    assert told(events, PartyConverted)[0].party.kind == "engineer"
    assert "no brigade left on either side" in told(events, BattleEnded)[0].sentence()


def test_the_defender_may_leave_instead_and_the_region_is_native_again() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Sudan", infantry=1)
    war = holding(war, BLUE, "Egypt", ("city", "fort"), infantry=1, engineer=1)
    war = invading(war, "Egypt", infantry=1)
    state, events = attack(war, 6, 6, 1, orders={BLUE: (ConvertRule(""),)})  # the last is the marker drawn
    assert numbers(state, "Sudan", BLUE) == {"infantry": 1, "engineer": 1}
    land = state.lands["Egypt"]
    assert (land.owner, land.buildings, land.stacks) == (None, (), ())
    assert land.marker is not None and told(events, RegionReverted)


def test_the_fort_of_the_defender_counts_and_is_taken_with_the_region() -> None:
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = invading(holding(war, BLUE, "Egypt", ("fort",), infantry=1), "Egypt", infantry=1)
    state, events = attack(war, 6, 2)
    assert [volley.drm for volley in told(events, RoundFought)[0].volleys] == [0, 3]
    assert (state.lands["Egypt"].owner, state.lands["Egypt"].buildings) == (RED, ("fort",))


# ---------------------------------------------------------------- natives


def test_example_30_both_out_in_one_round_and_the_natives_win() -> None:
    war = native(holding(position(), RED, "Egypt", infantry=1), "Sudan", "4")
    war = invading(war, "Sudan", "Egypt", infantry=4, explorer=1)
    state, events = attack(war, 6, 6, 6, 6, 6, 6, 6, 6, region="Sudan")
    land = state.lands["Sudan"]
    assert land.owner is None and land.marker is not None and land.marker.strength == 4
    assert numbers(state, "Egypt", RED) == {"infantry": 1, "explorer": 1}
    assert told(events, BattleEnded)[0].winner is None and not told(events, RegionTaken)


def test_natives_conquered_pay_a_point_and_lose_strength() -> None:
    war = native(holding(position(), RED, "Egypt", infantry=1), "Sudan", "6+")
    war = invading(war, "Sudan", "Egypt", infantry=6, cavalry=1)
    # Red and the natives (4 infantry, 2 cavalry) have +1 each; then the chit is drawn, and a 4 is 2 of 1d3
    state, events = attack(war, *[5] * 6, 1, *[1] * 6, 1, 4, region="Sudan")
    land = state.lands["Sudan"]
    assert land.owner == RED and state.treasuries[RED].dp == 4
    assert land.marker is not None and (land.marker.strength, land.marker.plus) == (4, 1)
    assert told(events, NativesLost)[0].left == Army(0)


def revolting(buildings: tuple[str, ...] = (), army: Army = Army(3), **units: int) -> War:
    """Red's Egypt in revolt, its marker 6 face up, a sphere of Blue in support."""
    war = native(holding(position(), RED, "Egypt", buildings, **units), "Egypt", "6")
    land = war.lands["Egypt"]
    assert land.marker is not None
    return war.with_land("Egypt", revolt=army, spheres={BLUE: 1}, sides={BLUE: "support"})


def test_a_revolt_is_fought_from_the_fort_and_put_down() -> None:
    made, events = table(revolting(("fort",), infantry=2), 6, 5, 4, 3, 3, 2, 2, 1, 3, 6, 1, 1)
    play(revolt_battle(made, RED, "Egypt", "Egypt"))
    (first, *_) = told(events, RoundFought)
    assert [(volley.who, volley.drm) for volley in first.volleys] == [(None, 0), (RED, 3)]
    assert told(events, RevoltSuppressed) and made.state.lands["Egypt"].revolt is None
    assert made.state.lands["Egypt"].owner == RED


def test_a_lost_revolt_gives_the_region_back_and_frees_the_parties() -> None:
    war = holding(revolting(infantry=1, engineer=1), RED, "Tripoli", infantry=1)
    made, events = table(war, 6, 1, 1, 1)
    play(revolt_battle(made, RED, "Egypt", "Egypt"))
    assert made.state.lands["Egypt"].owner is None
    assert numbers(made.state, "Tripoli", RED) == {"infantry": 1, "engineer": 1}
    (moved,) = told(events, UnitsMoved)
    assert moved.how == "retreat" and told(events, RegionReverted)[0].after_revolt


def test_both_out_in_a_revolt_and_the_natives_have_it() -> None:
    made, events = table(revolting(army=Army(1), infantry=1), 6, 6)
    play(revolt_battle(made, RED, "Egypt", "Egypt"))
    assert made.state.lands["Egypt"].owner is None
    assert told(events, BattleEnded)[0].sentence().endswith("the natives beat Red.")


def test_the_army_in_a_revolt_shrinks_on_the_board() -> None:
    made, events = table(revolting(infantry=3), 1, 1, 1, 6, 1, 1, 6, 6, 1, 1, 1)
    script = revolt_battle(made, RED, "Egypt", "Egypt")
    with pytest.raises(Exception, match="no die left"):
        play(script)
    assert made.state.lands["Egypt"].revolt == Army(2) == told(events, NativesLost)[0].left


@pytest.mark.parametrize("runner", [BLUE, GREEN, None])
def test_who_runs_the_natives_picks_their_losses_and_fuses(runner: Seat | None) -> None:
    war = at_war(native(holding(position(RED, GREEN, BLUE), RED, "Egypt", infantry=1), "Sudan", "6++"))
    war = invading(war, "Sudan", "Egypt", infantry=6, cavalry=1)
    led = (RunNatives(), LossOrder(("artillery",)), FuseRule("cavalry"))
    orders: dict[Seat, Sequence[Intent]] = (
        {GREEN: led} if runner == GREEN else {BLUE: led, GREEN: led} if runner else {}
    )
    # Red +1, natives +2: one hit for Red, three for the natives
    answers = {"round 1/retreat/attacker": "Egypt"}
    state, events = attack(war, *[1] * 6, 5, 4, 4, 4, 1, 1, 1, region="Sudan", answers=answers, orders=orders)
    assert told(events, NativesLost)[0].lost == ((("artillery", 1),) if runner else (("infantry", 1),))
    assert bool(told(events, HitsFused)) == bool(runner)
    kept = {"infantry": 6} if runner else {"infantry": 3, "cavalry": 1}
    assert numbers(state, "Egypt", RED) == {**kept, "infantry": kept["infantry"] + 1}


def test_enemies_of_the_player_come_first_as_runners_of_natives() -> None:
    war = at_war(native(holding(position(RED, GREEN, BLUE), RED, "Egypt", infantry=1), "Sudan", "6++"))
    made, _ = table(invading(war, "Sudan", "Egypt", infantry=1))
    script = land_battle(made, RED, "Sudan", "Sudan")
    (first,) = next(script)
    assert first.seat == BLUE and first.pace is Pace.AUTO
    assert first.recognise((RunNatives((GREEN,)),)) is False and first.recognise(()) is None
    assert first.recognise((RunNatives((RED,)),)) is True


def test_dice_tell_what_they_are_for() -> None:
    _, events = attack(example_28(), *DICE_28, answers={"round 1/shift": 0})
    assert told(events, Rolled)[0].why == "Egypt, round 1: Red's brigades"
    assert len({event.why for event in told(events, Rolled)}) == 6


def test_a_battle_knows_its_sides() -> None:
    war = example_28()
    battle = Battle("Egypt", "Egypt", RED, BLUE)
    assert battle.units(war, "defender") == {"infantry": 3, "artillery": 1, "engineer": 1}
    assert battle.brigades(war, "attacker") == 5
