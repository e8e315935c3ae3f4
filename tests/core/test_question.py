"""Menus: whatever they offer can be logged, read back from the log and typed by a player."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.choices import Choice, after, every
from referee.core.choices import several as some_of
from referee.core.names import Seat
from referee.core.question import Amount, Menu, OneOf, Orders, Pace, Question, Several
from tests.toy import Bid, Challenge, Toss

words = st.text(st.characters(categories=("Ll", "Lu", "Nd")), min_size=1, max_size=8).filter(
    lambda word: word.casefold() not in ("none", "nothing")
)
some_words = st.lists(words, min_size=1, max_size=6, unique_by=lambda word: word.casefold())


@st.composite
def one_of(draw: st.DrawFn) -> OneOf[int]:
    names = draw(some_words)
    return OneOf([Choice(name, value) for value, name in enumerate(names)], draw(st.integers(0, len(names) - 1)))


@st.composite
def several(draw: st.DrawFn) -> Several[int]:
    names = draw(some_words)
    return Several([Choice(name, value) for value, name in enumerate(names)], draw(st.integers(0, len(names))))


@st.composite
def amount(draw: st.DrawFn) -> Amount:
    low, default, high = sorted(draw(st.tuples(*[st.integers(-1000, 1000)] * 3)))
    return Amount(low, high, default)


def orders() -> Orders:
    return Orders(("BID", "CHALLENGE"), Bid | Challenge, lambda pick: (Bid(pick(9)), Challenge((Seat("Ann"),))))


def of_one_kind() -> Orders:
    return Orders(("BID",), Bid, lambda pick: (Bid(pick(9)),))


menus = st.one_of(one_of(), several(), amount(), st.builds(orders), st.builds(of_one_kind))


@given(menus, st.randoms(use_true_random=False))
def test_every_sample_goes_through_the_log(menu: Menu[Any], rng: random.Random) -> None:
    for value in (menu.sample(rng.randrange), menu.default):
        assert menu.decode(menu.encode(value)) == value


@given(menus, st.randoms(use_true_random=False))
def test_the_log_keeps_one_spelling(menu: Menu[Any], rng: random.Random) -> None:
    raw = menu.encode(menu.sample(rng.randrange))
    assert menu.encode(menu.decode(raw)) == raw


@given(one_of())
def test_every_word_of_a_menu_reads_as_its_option(menu: OneOf[int]) -> None:
    for option in menu.options:
        assert menu.read(option.word) == option.value


@given(several(), st.randoms(use_true_random=False))
def test_a_list_of_words_reads_as_the_options_in_that_order(menu: Several[int], rng: random.Random) -> None:
    chosen = menu.sample(rng.randrange)
    typed = ", ".join(menu.options[value].word for value in chosen)
    assert menu.read(typed) == chosen


@given(amount())
def test_an_amount_reads_its_bounds_and_nothing_beyond(menu: Amount) -> None:
    assert menu.read(f" {menu.low} ") == menu.low
    assert menu.read(str(menu.high)) == menu.high
    assert menu.read(str(menu.high + 1)) is None
    assert menu.read(str(menu.low - 1)) is None


@given(menus, st.text(max_size=30))
def test_no_reply_makes_a_menu_raise_or_leave_itself(menu: Menu[Any], text: str) -> None:
    value = menu.read(text)
    if value is not None:
        assert menu.decode(menu.encode(value)) == value


@pytest.mark.parametrize("text", ["--3", "-", "3.0", "³", "1e2", "+3", "", f"{1:020}", "9" * 4301])
def test_an_odd_number_is_not_on_the_menu(text: str) -> None:
    assert Amount(-10, 10, 0).read(text) is None


@given(
    st.sampled_from([OneOf([Choice("a", 1)], 1), Several([Choice("a", 1)], 1), Amount(0, 3, 0), orders()]), st.binary()
)
def test_garbage_in_the_log_is_an_error_and_never_an_answer(menu: Menu[Any], raw: bytes) -> None:
    try:
        value = menu.decode(raw)
    except (ValueError, msgspec.DecodeError):
        return
    assert menu.decode(menu.encode(value)) == value


def test_a_menu_refuses_to_log_what_it_does_not_offer() -> None:
    one = OneOf([Choice("stay", 1), Choice("leave", 2)], 1)
    some = Several([Choice("clay", "c"), Choice("iron", "i")], 1)
    for menu, value in (
        (one, 3), (some, ("j",)), (some, ("c", "i")), (some, ("c", "c")), (Amount(0, 3, 0), 4), (Amount(0, 3, 0), True),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="menu"):
            menu.encode(value)


@pytest.mark.parametrize("raw", [b'"run"', b"3", b"[]"])
def test_a_menu_refuses_to_take_from_the_log_what_it_does_not_offer(raw: bytes) -> None:
    with pytest.raises((ValueError, msgspec.DecodeError)):
        OneOf([Choice("stay", 1), Choice("leave", 2)], 1).decode(raw)


@pytest.mark.parametrize("raw", [b'["clay","clay"]', b'["clay","iron","ruby"]', b'["jade"]'])
def test_several_refuses_doubles_strangers_and_too_many(raw: bytes) -> None:
    with pytest.raises(ValueError, match="not on the menu"):
        Several([Choice("clay", "c"), Choice("iron", "i"), Choice("ruby", "r")], 2).decode(raw)


def test_words_may_be_shortened_while_they_stay_unique() -> None:
    menu = OneOf([Choice("retreat north", 1), Choice("retreat south", 2), Choice("stay", 3), Choice("stay put", 4)], 1)
    assert [menu.read(text) for text in ("retreat s", "ST", "stay", "retreat", "", "go")] == [
        2,
        None,
        3,
        None,
        None,
        None,
    ]


def test_words_say_what_they_mean() -> None:
    assert OneOf([Choice("stay", 1, "and fight"), Choice("go", 2)], 1).words() == ("stay: and fight", "go")
    assert Amount(0, 3, 0).words() == ("a whole number from 0 to 3",)
    assert orders().words() == ("BID", "CHALLENGE")
    assert orders().read("BID 3") is None


@pytest.mark.parametrize("text", ["none", "Nothing", "", " ; ,"])
def test_nothing_is_an_answer_to_several(text: str) -> None:
    assert Several([Choice("clay", "c")], 1, ("c",)).read(text) == ()


def test_a_default_must_be_on_the_menu() -> None:
    with pytest.raises(ValueError, match="default"):
        OneOf([Choice("stay", 1)], 2)
    with pytest.raises(ValueError, match="menu"):
        Several([Choice("clay", "c")], 1, ("j",))
    with pytest.raises(ValueError, match="default"):
        Amount(1, 3, 0)


def test_only_an_order_menu_wants_orders() -> None:
    sheet = Question("k", Seat("Ann"), "?", orders(), Pace.SLOT, "toy.bid")
    plain = Question("k", Seat("Ann"), "?", Amount(0, 1, 0), Pace.SLOT, "toy.bid")
    assert (sheet.wants_orders, plain.wants_orders) == (True, False)
    assert plain.recognise((Bid(1),)) is None


def test_an_order_sheet_takes_its_own_orders_only() -> None:
    menu, strange = orders(), Toss()
    question = Question("Q", Seat("Ann"), "Your orders?", menu, Pace.SLOT, "toy.bid")
    assert question.takes(Bid(1)) and not question.takes(strange)
    with pytest.raises(ValueError, match="not on the menu"):
        menu.encode((Bid(1), strange))


def test_a_question_with_words_to_choose_from_takes_no_orders() -> None:
    question = Question("Q", Seat("Ann"), "Well?", Amount(0, 1, 0), Pace.REPLY, "toy.bid")
    assert not question.takes(Bid(1))


@pytest.mark.parametrize(("least", "orders"), [(0, [(), (1,), (2,)]), (1, [(1,), (2,)]), (2, [(1, 2)])])
def test_every_order_has_the_usual_things_or_one(least: int, orders: list[tuple[int, ...]]) -> None:
    things = [Choice("one", 1), Choice("two", 2)]
    assert list(every(lambda picked: after(some_of("things", things, least), picked))) == orders
