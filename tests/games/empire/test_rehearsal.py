"""Attacks of Empire played out for PREVIEW: every way the one die can fall, and who is lost in it."""

from __future__ import annotations

from fractions import Fraction

from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.base import RollOut
from referee.games.empire.reckoning import ownership
from referee.service.turn.trials import spread
from tests.games.empire.test_fighting import GAME, RED, front


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
