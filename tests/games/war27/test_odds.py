"""What PREVIEW calculates of a battle is what the rulebook's dice come to, and what rehearsals bring."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from referee.core.order import Portion, Quantity
from referee.games.war.deeds import Lot
from referee.games.war.game import War27
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.standing_battles import RetreatRule
from referee.games.war.position import Feud, Marker, Stack
from referee.games.war.position.state import War
from referee.service.turn.preview import spread
from tests.games.war27.driving import BLUE, RED, holding, native, position
from tests.games.war27.test_battle_chances import battle

GAME = War27()


def march(number: int, target: str = "Egypt") -> tuple[MoveUnits, ...]:
    return (MoveUnits((Lot("infantry", Quantity(Portion.EXACTLY, number)),), "Tripoli", target),)


def front(ours: int, theirs: int, *buildings: str) -> War:
    """Red in Tripoli at war with Blue in Egypt, infantry alone."""
    war = holding(position(decisions="standing"), RED, "Tripoli", infantry=ours + 1)
    war = holding(war, BLUE, "Egypt", buildings, infantry=theirs)
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),))


def calculated(war: War, number: int, target: str = "Egypt") -> dict[tuple[str, str], Fraction]:
    return {(odds.about, odds.what): odds.chance for odds in GAME.odds(war, RED, march(number, target), ())}


@pytest.mark.parametrize(("ours", "theirs", "fort", "modifiers"), [(5, 5, False, (0, 0)), (6, 4, True, (0, 3))])
def test_a_battle_of_infantry_is_calculated(ours: int, theirs: int, fort: bool, modifiers: tuple[int, int]) -> None:
    war = front(ours, theirs, *(("fort",) if fort else ()))
    found = calculated(war, ours)
    won, lost, none = battle(ours, theirs, *modifiers)
    assert found["Battle of Egypt", "you win"] == won
    assert found["Battle of Egypt", "Blue wins"] == lost
    assert found["Battle of Egypt", "no brigade is left on either side"] == none
    assert sum(chance for (about, _), chance in found.items() if about == "Your losses at Egypt") == 1


def test_rehearsals_come_to_the_same_within_their_margin() -> None:
    war = front(4, 3)
    seen, found = spread(GAME, war, RED, march(4), lambda _: ()), calculated(war, 4)
    assert not seen.exact
    assert {(odds.about, odds.what) for odds in seen.fortunes} <= set(found)
    for odds in seen.fortunes:
        assert abs(odds.chance - found[odds.about, odds.what]) <= Fraction(2 * seen.margin, 100), odds


def test_natives_are_reckoned_with_only_once_they_were_seen() -> None:
    war = native(holding(position(decisions="standing"), RED, "Tripoli", infantry=6), "Egypt", "5")
    assert calculated(war, 5, "Egypt") == {}
    seen = war.with_land("Egypt", marker=Marker(5, 0, False, (RED,)))
    assert calculated(seen, 5, "Egypt")["Battle of Egypt", "you win"] == battle(5, 5, 0, 0)[0]


def test_what_a_retreat_or_another_kind_may_change_is_left_to_trials() -> None:
    war = front(4, 3)
    assert GAME.odds(war, RED, march(4), (RetreatRule("after", 1),)) == ()
    assert calculated(war.with_units("Egypt", Stack(BLUE, "cavalry", 1)), 4) == {}
