"""The combat phase: in which order one player's battles and actions are resolved; and the menu that divides losses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.order import Intent
from referee.games.war.deeds.marching import battles_of, revolts_of
from referee.games.war.events.combat import BattleBegan
from referee.games.war.events.economy import ChitReplaced
from referee.games.war.events.natives import DiplomacyRolled, RevoltBegan
from referee.games.war.orders.combat import ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.phases.land_battle import combat_phase
from referee.games.war.phases.movement import Split
from referee.games.war.position import Army, Feud, Marker, Stack
from referee.games.war.position.state import War
from tests.games.war27.driving import BLUE, RED, holding, native, play, position, table


def busy() -> War:
    """Red: a revolt in Egypt, brigades in Blue's Sudan and in native Algeria, an explorer in Kenya, an engineer in Spain."""
    war = holding(position(), RED, "Tripoli", infantry=9)
    war = native(holding(war, RED, "Egypt", infantry=9), "Egypt", "6").with_land("Egypt", revolt=Army(1))
    war = holding(war, BLUE, "Sudan", infantry=1)
    war = war.with_units("Sudan", Stack(RED, "infantry", 9, 1, "Egypt"))
    war = native(war, "Algeria", "4").with_units("Algeria", Stack(RED, "infantry", 9, 1, "Tripoli"))
    war = native(war, "Kenya", "12").with_units("Kenya", Stack(RED, "explorer", 1, 1, "Egypt"))
    war = holding(war, RED, "Spain", infantry=1, engineer=1)
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),))


def resolved(war: War, *sheet: Intent, secret: bytes = b"combat") -> tuple[list[str], War, list[Event]]:
    """Where something happened, in order: battles by region, explorers as "talks in", engineers as "digs in"."""
    made, events = table(war, chance=Keyed(secret, 1))
    play(combat_phase(made, RED, sheet))
    words: dict[type[Event], str] = {BattleBegan: "", DiplomacyRolled: "talks in ", ChitReplaced: "digs in "}
    told = [e for e in events if isinstance(e, BattleBegan | DiplomacyRolled | ChitReplaced)]
    return [f"{words[type(e)]}{e.region}" for e in told], made.state, events


def test_what_there_is_to_fight() -> None:
    assert revolts_of(busy(), RED) == ("Egypt",)
    assert set(battles_of(busy(), RED)) == {"Sudan", "Algeria"}
    assert "Sudan" not in battles_of(replace(busy(), feuds=()), RED)


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ((ProspectRegion("Spain"),), ["Egypt", *battles_of(busy(), RED), "talks in Kenya", "digs in Spain"]),
        (
            (ProspectRegion("Spain"), ResolveInOrder(("Spain", "Kenya", "Sudan"))),
            ["digs in Spain", "talks in Kenya", "Sudan", "Egypt", "Algeria"],
        ),
    ],
)
def test_the_order_of_resolution(sheet: Sequence[Intent], expected: list[str]) -> None:
    happened, state, _ = resolved(busy(), *sheet)
    assert happened == expected
    assert not revolts_of(state, RED) and not battles_of(state, RED)


def test_two_searches_need_two_engineers_and_each_explorer_rolls_once() -> None:
    war = busy().with_units("Spain", Stack(RED, "engineer", 1))
    order = ProspectRegion("Spain")
    happened, _, _ = resolved(war, order, order, ExploreRegion("Kenya"), ResolveInOrder(("Spain", "Kenya")))
    assert happened.count("digs in Spain") == 2 and happened.count("talks in Kenya") == 1


def with_explorer(strength: str) -> War:
    war = native(holding(position(), RED, "Tripoli", infantry=9), "Algeria", strength)
    war = war.with_units("Algeria", Stack(RED, "infantry", 2, 1, "Tripoli"))
    return war.with_units("Algeria", Stack(RED, "explorer", 1, 1, "Tripoli"))


def test_an_explorer_may_talk_before_the_battle_and_success_ends_it() -> None:
    order = ExploreRegion("Algeria", before_battle=True)
    made, events = table(with_explorer("4"), 6, 5, 1)
    play(combat_phase(made, RED, (order,)))
    assert made.state.lands["Algeria"].owner == RED
    assert not [event for event in events if isinstance(event, BattleBegan)]


def test_an_explorer_who_fails_leaves_the_battle_to_the_brigades_and_talks_no_more() -> None:
    happened, _, _ = resolved(with_explorer("12++"), ExploreRegion("Algeria", before_battle=True))
    assert happened == ["talks in Algeria", "Algeria"]
    happened, _, _ = resolved(with_explorer("12++"), ExploreRegion("Algeria"))
    assert happened == ["Algeria"]


def test_a_revolt_that_spreads_now_waits_for_the_next_phase() -> None:
    war = native(holding(position(), RED, "Egypt", infantry=1), "Egypt", "12").with_land("Egypt", revolt=Army(12))
    war = native(holding(war, RED, "Sudan", infantry=1), "Sudan", "12")
    marker = war.lands["Sudan"].marker
    assert isinstance(marker, Marker)
    war = war.with_land("Sudan", marker=replace(marker, face_up=True))
    happened, state, events = resolved(war, ResolveInOrder(("Egypt", "Sudan")))
    assert happened == ["Egypt"] and any(isinstance(event, RevoltBegan) for event in events)
    assert state.lands["Sudan"].revolt is not None


# ---------------------------------------------------------------- the menu


def test_a_split_is_read_as_players_write_it() -> None:
    menu = Split({"infantry": 3, "cavalry": 1, "artillery": 0}, 2, 2, {"infantry": 2})
    assert menu.default == (("infantry", 2),)
    assert menu.read("1 inf, 1 Cavalry") == menu.read("1 cav and 1 infantry") == (("infantry", 1), ("cavalry", 1))
    for nonsense in (
        "3 infantry",
        "2 cavalry",
        "1 infantry",
        "2 artillery",
        "2 elephants",
        "none",
        "",
        "2",
        "2 infantry!",
    ):
        assert menu.read(nonsense) is None
    assert menu.decode(menu.encode((("cavalry", 1), ("infantry", 1)))) == (("infantry", 1), ("cavalry", 1))
    assert menu.words() == ("2 in all out of 3 infantry and 1 cavalry; write for instance: 2 infantry",)


def test_a_split_that_may_be_nothing() -> None:
    menu = Split({"infantry": 3, "artillery": 1}, 0, 2, {})
    assert menu.read("none") == () == menu.default and menu.read("1 art") == (("artillery", 1),)
    with pytest.raises(ValueError, match="number asked"):
        menu.encode((("infantry", 3),))
    with pytest.raises(ValueError, match="not on the menu"):
        menu.decode(b'["2 artillery"]')
    assert menu.decode(b"[]") == () and menu.decode(b'["1 artillery"]') == (("artillery", 1),)


def test_bots_take_lawful_splits() -> None:
    menu = Split({"infantry": 2, "cavalry": 1, "general": 1}, 1, 3, {"infantry": 1})
    for seed in range(50):
        value = menu.sample((seed * 7).__mod__)
        assert menu.decode(menu.encode(value)) == value
