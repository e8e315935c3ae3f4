"""A country says who eats first, who last, and out of which stores (H-01); where it says nothing the usual order holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.order import Order
from referee.games.empire.orders import vocabulary_of
from referee.games.empire.orders.binding import bind
from referee.games.empire.orders.feeding import FEEDING, FeedFirst, FeedFrom, SpareFood
from referee.games.empire.phases.supply import feed, hungry
from referee.games.empire.position.state import Empire, Feeding, Mouths
from referee.games.empire.reckoning.supply import Rations, eaters, shared_out
from referee.games.empire.steady_player import order_form
from referee.kit.refused import Refused
from referee.orders import understand
from tests.games.empire.ground import BLUE, RED, Slot, field, goods, ground, people


def table() -> Empire:
    """Two SACs (1, 2), three coolies in the same square (3 to 5), one three squares on (6), and two food."""
    empire = people(field(ground(14, 5)), "SAC", "c2r2", 2)
    empire = people(people(empire, "coolie", "c2r2", 3), "coolie", "c5r2")
    return goods(empire, "c2r2", food=2)


def said(empire: Empire, *lines: str) -> Slot:
    """What Red has written, one line after the other."""
    slot = Slot(empire)
    for line in lines:
        order = understand(line, vocabulary_of(slot.now))
        assert isinstance(order, Order), line
        intent = bind(slot.now, RED, order)
        assert isinstance(intent, FEEDING), intent
        intent.do_at_once(slot.table, RED)
    return slot


def starving(slot: Slot) -> list[int]:
    return sorted(unit.number for unit in hungry(slot.now, "Arcadia"))


def test_military_eats_first_where_nothing_is_said() -> None:
    assert starving(Slot(table())) == [3, 4, 5, 6]


def test_persons_kinds_and_squares_are_fed_first_in_the_order_named() -> None:
    assert starving(said(table(), "FEED FIRST coolie 4, coolie 6")) == [1, 2, 3, 5]
    assert starving(said(table(), "FEED FIRST coolies IN c5r2")) == [2, 3, 4, 5]
    assert starving(said(table(), "FEED FIRST 2 coolies IN c2r2")) == [1, 2, 5, 6]
    assert starving(said(table(), "FEED FIRST coolies", "FEED FIRST SAC 2")) == [1, 2, 5, 6]


def test_who_is_fed_last_starves_and_the_last_word_holds() -> None:
    assert starving(said(table(), "FEED LAST SACs")) == [1, 2, 5, 6]
    assert starving(said(table(), "STARVE SACs", "FEED FIRST SACs")) == [3, 4, 5, 6]
    assert starving(said(table(), "FEED LAST SACs", "FEED FIRST SAC 2")) == [1, 4, 5, 6]  # of one before of all
    assert starving(said(table(), "FEED LAST SACs", "FEED AS USUAL")) == [3, 4, 5, 6]


def test_stores_are_emptied_in_the_order_named_and_spared_ones_stay() -> None:
    empire = goods(people(field(ground(14, 5)), "coolie", "c2r2", 3), "c2r2", food=3)
    empire = goods(empire, "c3r2", food=2)
    slot = Slot(empire)
    slot.does(feed)
    assert slot.stock("c3r2") == {"food": 2}  # the nearest goes first
    slot = said(empire, "FEED FROM c3r2")
    slot.does(feed)
    assert (slot.stock("c3r2"), slot.stock("c2r2")) == ({}, {"food": 2})
    slot = said(empire, "SPARE FOOD IN c2r2")
    slot.does(feed)
    assert slot.stock("c2r2") == {"food": 3} and len(slot.now.units) == 2


def test_only_own_persons_and_squares_are_spoken_of() -> None:
    slot = Slot(people(table(), "truck", "c2r2"))
    for seat, intent, words in (
        (BLUE, FeedFirst((Mouths(unit=3),)), "not yours"),
        (RED, FeedFirst((Mouths(unit=7),)), "truck 7 does not eat"),
        (RED, FeedFrom(("c99r9",)), "no square"),
        (RED, SpareFood(()), "Say where"),
    ):
        with pytest.raises(Refused, match=words):
            intent.check(slot.now, seat)


def test_the_form_says_who_goes_hungry_and_what_was_said() -> None:
    slot = said(table(), "FEED FIRST coolie 4", "FEED FROM c2r2")
    lines = order_form(replace(slot.now, stage="play"), RED)
    assert "# You feed first: unit 4." in lines and "# You feed first out of c2r2." in lines
    assert any("2 food" in line or "food will lack" in line for line in lines)
    assert any(line.startswith("# FEED FIRST coolie") for line in lines)


def test_newborns_fall_under_what_is_said_of_their_kind() -> None:
    slot = said(table(), "FEED FIRST coolies IN c5r2")
    slot.table.state = people(slot.now, "coolie", "c5r2")
    assert [unit.number for unit in eaters(slot.now, "Arcadia")][:2] == [6, 7]


NEAR = st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("uvwxyz"), unique=True), min_size=1)


@given(NEAR, st.dictionaries(st.sampled_from("uvwxyz"), st.integers(0, 4)), st.data())
def test_the_order_of_stores_starves_nobody_and_empties_the_first_as_far_as_can_be(
    near: dict[str, list[str]], stock: dict[str, int], data: st.DataObject
) -> None:
    near = {at: [store for store in stores if store in stock] for at, stores in near.items()}
    mouths = data.draw(st.lists(st.sampled_from(sorted(near)), max_size=12))
    first = data.draw(st.permutations(sorted(stock)))
    plain, _ = shared_out(mouths, stock, near)
    fed, used = shared_out(mouths, stock, near, first)
    assert fed == plain and sum(used.values()) == sum(fed)
    assert all(used.get(store, 0) <= number for store, number in stock.items())
    for count in range(1, len(first) + 1):
        only = {store: stock[store] for store in first[:count]}
        rations = Rations(only, {at: [s for s in stores if s in only] for at, stores in near.items()})
        most = sum(rations.feed(at) for at, eats in zip(mouths, fed, strict=True) if eats)
        assert sum(used.get(store, 0) for store in only) == most


def test_an_order_of_feeding_is_kept_with_the_country() -> None:
    slot = said(table(), "FEED LAST SACs", "FEED FROM c2r2")
    kept = slot.now.countries["Arcadia"].feeding
    assert kept == Feeding(last=(Mouths(kind="SAC"),), stores=("c2r2",))
    assert slot.events[-1].sentence() == "Arcadia on its food: Feed out of c2r2 before other stores."
