"""Attacks: the arithmetic of battles, what PREVIEW tells of them and plays out, and how arming looks."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given as tried
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.core.question import Answer, Question, Source
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.fighting import BattleFought
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders import binding, vocabulary_of
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.phases.turn_end import losses_of
from referee.games.empire.position import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.combat import Factor, Fighter, Sides, exchanged, in_chances, odds
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook import SURE
from referee.games.empire.rulebook.kinds import FORMATIONS, GOODS, KINDS
from referee.games.empire.steady_player import order_form
from referee.games.empire.telling import forecast
from referee.games.empire.telling.forecast import examples
from referee.games.empire.telling.sheets.holdings import military_sheet
from referee.orders import understand
from referee.service.turn.preview import spread
from tests.games.empire.driving import begun, do, run_phase
from tests.games.empire.staging import given, stage

# ---------------------------------------------------------------- as a preview tells them


RED, BLUE = Seat("Red"), Seat("Blue")
GAME = EmpireGame()


def front(*facts: str) -> Empire:
    """Red's regiment 14 with food and a chemical beside Blue's SAC 30."""
    empire = stage({"fiat": "none", "last_turn": "20"})
    for fact in (
        "infantry regiment 14 of Red is in c8r7",
        "Red has 5 food, 1 X in c8r7",
        "SAC 30 of Blue is in c8r8",
        *facts,
    ):
        empire = given(empire, fact)
    return empire


def bound(empire: Empire, line: str) -> object:
    order = understand(line, vocabulary_of(empire))
    assert isinstance(order, Order), order
    return binding.bind(empire, RED, order)


def refusal(empire: Empire, line: str) -> Illegal:
    found = bound(empire, line)
    assert isinstance(found, Illegal), found
    return found


# ---------------------------------------------------------------- the preview


def test_a_preview_tells_the_odds_and_chances_and_rolls_no_die() -> None:
    seen = forecast.preview(front(), RED, (Attack("c8r8", (14,)),))
    assert seen[0] == (
        "Attack on c8r8: 2 against 1, odds 2:1: the attackers go back 1/3, an exchange 1/6, the defenders go back 1/3 "
        "and the defenders are destroyed 1/6."
    )
    assert "As before in c8r7: infantry regiment 14." in seen


def test_a_preview_lets_happen_what_is_certain_and_marks_who_has_attacked() -> None:
    empire = front("coolie 31 of Blue is in c8r6")
    sheet = (Attack("c8r6", (14,), advance=(14,)), Attack("c8r8", (14,)))
    assert forecast.preview(empire, RED, sheet)[0].endswith("odds 7:1: the defenders are destroyed for certain.")
    (doubt,) = [doubt for doubt in forecast.doubts(empire, RED, sheet) if "as things stand" in doubt.sentence]
    assert "infantry regiment 14 has attacked this turn." in doubt.sentence


# ---------------------------------------------------------------- P9


def rolled_out_by(seat: str) -> list[object]:
    def reply(question: Question[object]) -> Answer[object]:
        value = question.menu.decode(question.menu.encode((Attack("c8r8", (14,)), RollOut())))
        return Answer(value, Source.PLAYER, by=seat)

    _, told = run_phase(front(), reply)
    return [event for event in told if isinstance(event, BattleFought | OrderRefused)]


def test_an_attack_is_not_implied_when_another_rolls_the_player_out() -> None:
    (event,) = rolled_out_by("Blue")
    assert isinstance(event, OrderRefused) and event.by_rule == "emp.P9"
    (event,) = rolled_out_by("")
    assert isinstance(event, BattleFought)


# ---------------------------------------------------------------- orders


def test_orders_of_war_are_read() -> None:
    empire = front("coolie 15 to 17 of Red are in c4r6", "Red has 9 SAU in c4r6")
    arm = bound(empire, "ARM 2 coolies IN c4r6 AS SACs")
    assert isinstance(arm, Arm) and (arm.formation, arm.some[0].quantity.number) == ("SAC", 2)
    assert bound(empire, "ARM coolie 15, 16 AS infantry regiment") == Arm((15, 16), "infantry regiment")
    assert bound(empire, "DISARM infantry regiment 14") == Disarm((14,))
    line = "ATTACK c8r8 WITH infantry regiment 14 KILLING coolies ADVANCE WITH infantry regiment 14"
    assert bound(empire, line) == Attack("c8r8", (14,), (), "killing", (14,))
    assert bound(empire, "ATTACK c8r8 WITH infantry regiment 14 ADVANCE WITH infantry regiment") == Attack(
        "c8r8", (14,), advance=(14,)
    )


def test_what_cannot_be_is_refused_with_what_could() -> None:
    empire = front(
        "coolie 15 of Red is in c4r6", "infantry regiment 16 of Red is in c8r7", "armour 31 of Blue is in c8r8"
    )
    assert refusal(empire, "ARM coolie 15 AS truck").instead == (
        "ARM coolie 15 AS SAC",
        "ARM coolie 15 AS infantry regiment",
        "ARM coolie 15 AS armour",
    )
    killing = refusal(empire, "ATTACK c8r8 WITH infantry regiment 14 KILLING SACs")
    assert killing.sentence == "Only coolies are killed or captured by choice, not SACs."
    weak = forecast.doubts(empire, RED, (Attack("c8r8", (14,)),))
    assert any("ATTACK c8r8 WITH infantry regiment 14, infantry regiment 16" in doubt.told for doubt in weak)


# ---------------------------------------------------------------- sheet a


def test_sheet_a_says_what_each_formation_is_made_of() -> None:
    empire = front("armour 15 of Red is in c4r4", "SAC 16 of Red is in c4r4")
    rows = {row[1]: row for row in military_sheet(empire, "Red").grids[0].rows}
    assert [rows[number][4] for number in (14, 15, 16)] == ["2 SAU", "1 tank, 1 HAU and 1 T&S", "1 SAU"]
    armed = replace(empire.units[14], parts=("SAU", "SAU", "HAU third"), kind="support regiment")
    rows = {row[1]: row for row in military_sheet(empire.with_unit(armed), "Red").grids[0].rows}
    assert rows[14][4] == "2 SAU and 1 HAU third"


# ---------------------------------------------------------------- HELP and the order form


def test_help_and_the_order_form_speak_of_what_can_be_armed_and_attacked_now() -> None:
    empire = front("coolie 15 of Red is in c4r6", "Red has 2 SAU, 1 T&S in c4r6")
    told = examples(empire, RED)
    assert (told["ARM"], told["DISARM"]) == ("ARM coolie 15 AS infantry regiment", "DISARM infantry regiment 14")
    assert (told["ATTACK"], told["RETREAT"]) == ("ATTACK c8r8 WITH infantry regiment 14", "RETREAT TO c4r4")
    assert all(isinstance(bound(empire, told[verb]), Intent) for verb in ("ARM", "DISARM", "ATTACK", "RETREAT"))
    form = order_form(empire, RED)
    assert "# ARM coolie 15 AS infantry regiment" in form
    assert form[form.index("# At odds 2:1:") + 1] == "# ATTACK c8r8 WITH infantry regiment 14"


# ---------------------------------------------------------------- what a lost city books


def test_a_lost_capital_is_booked_for_the_loser_until_he_rolls_out() -> None:
    empire = front("SAC 15 of Red is in c14r5")
    after, told = do(empire, RED, MoveUnits((15,), "c14r4"))
    assert "falls from Blue to Red" in told[-1].sentence()
    booked = after.countries["Blue"].booked
    assert (booked.cities_lost, booked.capital_lost) == (1, True)
    assert losses_of(after, "Blue").cities == 1 and losses_of(after, "Blue").capital
    assert GAME.audit(empire, told, after) == ()


# ---------------------------------------------------------------- the arithmetic of battles


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [("1", "3", ""), ("1", "2", "1:2"), ("5", "6", "1:2"), ("1", "1", "1:1"), ("5", "3", "1:1"), ("2", "1", "2:1"),
     ("7/2", "1", "3:1"), ("9", "2", "4:1"), ("5", "1", "5:1"), ("6", "1", "5:1"), ("13", "2", "5:1"), ("7", "1", SURE),
     ("8", "1", SURE), ("1", "0", SURE), ("3/2", "1", "1:1")],
)  # fmt: skip
def test_odds_are_rounded_in_favour_of_the_defender(attack: str, defence: str, column: str) -> None:
    assert odds(Fraction(attack), Fraction(defence)) == column


def test_multipliers_are_exact_and_the_defence_is_multiplied_as_a_whole() -> None:
    far = Factor("1/2", "far from food")
    sides = Sides(
        (Fighter(1, "armour 1", 6), Fighter(2, "SAC 2", 1, (far,))),
        (Fighter(3, "SAC 3", 1),),
        (Factor("2", "in a city"), Factor("3/2", "in a forest")),
    )
    assert (sides.attacking, sides.defending, sides.odds) == (Fraction(13, 2), Fraction(3), "2:1")


@tried(st.dictionaries(st.integers(1, 9), st.integers(1, 6)), st.dictionaries(st.integers(11, 19), st.integers(1, 6)))
def test_in_an_exchange_the_smaller_side_goes_and_the_other_loses_the_least_that_is_enough(
    attack: dict[int, int], defence: dict[int, int]
) -> None:
    mine, theirs = exchanged(attack, defence)
    small, big, lost = (
        (attack, defence, theirs) if sum(attack.values()) <= sum(defence.values()) else (defence, attack, mine)
    )
    assert sorted(mine if small is attack else theirs) == sorted(small)
    least = sum(small.values())
    sums = [sum(big[n] for n in group) for size in range(len(big) + 1) for group in combinations(big, size)]
    assert sum(big[n] for n in lost) == min(total for total in sums if total >= least)


def test_the_chances_are_told_in_sixths() -> None:
    told = in_chances(begun(), "2:1")
    assert told == (
        "the attackers go back 1/3, an exchange 1/6, the defenders go back 1/3 and the defenders are destroyed 1/6"
    )
    assert in_chances(begun(), SURE) == "the defenders are destroyed for certain"


def test_every_formation_is_a_kind_of_unit_armed_with_goods() -> None:
    troops = [name for name, kind in KINDS.items() if kind.land_military]
    assert sorted(troops) == sorted(FORMATIONS)
    assert all(part in GOODS for formation in FORMATIONS.values() for part in formation.parts)
    heavy = {name: (f.parts.get("HAU", 0) * 3 + f.parts.get("HAU third", 0)) * 20 for name, f in FORMATIONS.items()}
    assert heavy == {name: KINDS[name].heavy for name in FORMATIONS}


def test_a_formation_of_the_start_has_the_arms_of_its_kind() -> None:
    assert parts_of(Unit(1, "SAC", "Red", "c1r1")) == ("SAU",)
    assert parts_of(Unit(2, "coolie", "Red", "c1r1")) == ()


# ---------------------------------------------------------------- played out for PREVIEW


def test_an_attack_has_the_chances_of_the_table() -> None:
    empire = front()
    seen = spread(GAME, empire, RED, (Attack("c8r8", (14,)), RollOut()), lambda _: ())
    row = ownership.combat_table(empire)["2:1"]  # 2 against 1
    found = {odds.what: odds.chance for odds in seen.fortunes if odds.about == "Attack on c8r8"}
    assert seen.exact and seen.number == 6
    assert sum(found.values()) == 1
    assert found["the defenders are destroyed"] == Fraction(row.count("DE"), 6)
    lost = {odds.what: odds.chance for odds in seen.fortunes if odds.about == "Lost of Blue"}
    assert lost["SAC 30"] >= Fraction(row.count("DE"), 6)


def test_without_dice_there_is_one_way_only() -> None:
    seen = spread(GAME, front(), RED, (RollOut(),), lambda _: ())
    assert (seen.exact, seen.number, seen.fortunes) == (True, 1, ())
