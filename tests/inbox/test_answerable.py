"""Letters whose sender no letter can be sent to, and those of an internationalised domain."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from referee.service.base.office import Limits
from referee.service.house.retention import drop_bytes
from referee.service.intake.inbox import _failed
from tests.service.conftest import GINA
from tests.world import ADDRESS, World

UNANSWERABLE = [
    "gr\u00e5@example.org",
    "j\u00f6rg@ex\u00e4mple.org",
    "\u7528\u6237@\u4f8b\u5b50.example",
    "x@[127.0.0.1]",
    "x@[IPv6:::1]",
    "x@10.0.0.1",
    f"{'a' * 129}@example.org",
    f"x@{'a' * 64}.example",
    "x@-.example",
]
LETTERS = ["JOIN nw1", "HELP", "CREATE newworld AS other", "hello there", "FORGET ME", "YES", "SEND rules", ""]


def arrives(world: World, sender: str, body: str, to: str = ADDRESS, subject: str = "s") -> None:
    head = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{abs(hash((sender, body, to)))}@x>\r\n\r\n"
    )
    world.put((head + body + "\r\n").encode(), "somebody@relay.example", to)


def undone(world: World) -> int:
    with world.store.look() as step:
        return len(step.pending())


@pytest.mark.parametrize("sender", UNANSWERABLE)
def test_a_letter_that_cannot_be_answered_is_laid_aside_at_once(match: World, sender: str) -> None:
    stale = match.last(match.on_turn()).reply_to
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    match.new_mail()
    for body in LETTERS:
        arrives(match, sender, body)
        arrives(match, sender, body, ADDRESS.replace("@", "+nw1.aaaaaaaa@"))
    assert [(m.to, m.text) for m in match.work()] == [] and undone(match) == 0
    assert all(letter.attempts == 0 for letter in match.letters("ignored"))
    arrives(match, sender, "RESEARCH any", stale)
    told = match.work()
    assert [mail.kind for mail in told] == ["refusal"] and "which is closed" in told[0].flat  # its bearer is told
    assert undone(match) == 0


def test_nothing_is_left_of_them_after_the_limits(world: World) -> None:
    world.office = replace(world.office, limits=Limits(spare_days=7, spare_bytes=20_000))
    for number in range(300):
        arrives(world, UNANSWERABLE[number % len(UNANSWERABLE)], f"letter {number} " + "x" * 500)
    world.work()
    while drop_bytes(world.office):
        pass
    with world.store.look() as step:
        assert sum(letter.size for letter in step.spare_letters()) <= 20_000
    world.wait(days=8)
    while drop_bytes(world.office):
        pass
    with world.store.look() as step:
        assert step.spare_letters() == [] and step.pending() == []


@pytest.mark.parametrize("sender", [sender for sender in UNANSWERABLE if ":" not in sender])
def test_with_a_living_token_his_orders_count(match: World, sender: str) -> None:
    player = match.on_turn()
    arrives(match, sender, "RESEARCH any", match.last(player).reply_to)
    (receipt,) = match.work()
    assert receipt.to == player and "] COMPLETE" in receipt.subject


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("x@b\u00fccher.example", "X@xn--bcher-kva.example"),
        ("x@xn--bcher-kva.example", "J\u00f6rg <x@B\u00dcCHER.example>"),
        ("x@\u4f8b\u5b50.example", "<x@xn--fsqu00a.example>"),
        ("x@xn--strae-oqa.example", "x@stra\u00dfe.example"),
        ("x@\u043f\u0440\u0438\u043c\u0435\u0440.example", "x@xn--e1afmkfd.example."),
    ],
)
def test_who_has_an_internationalised_domain_plays_as_anybody(world: World, first: str, then: str) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.new_mail()
    arrives(world, first, "JOIN nw1")
    (question,) = world.work()
    arrives(world, then, "YES", question.reply_to)
    (receipt, *_) = (mail for mail in world.work() if mail.to == question.to)
    assert question.to.isascii() and "nw1" in receipt.flat and "DONE" in receipt.subject
    arrives(world, then, "STATUS", receipt.reply_to)
    (status,) = world.work()
    assert status.to == question.to and "none of your addresses" not in status.flat


@pytest.mark.parametrize("token", [False, True])
def test_only_a_strangers_letter_that_broke_us_goes_by_the_limits(match: World, token: bool) -> None:
    to = match.last(match.on_turn()).reply_to if token else ADDRESS
    match.office = replace(match.office, limits=Limits(spare_days=7, attempts=1))
    arrives(match, match.on_turn(), "RESEARCH any", to)
    with match.store.look() as step:
        (new,) = step.still_new([step.pending()[0].id])
    assert _failed(match.office, new, ValueError("broken")) == 1
    match.clock.advance(timedelta(days=8))
    while drop_bytes(match.office):
        pass
    with match.store.look() as step:
        row = step.letter(new.id)
    assert row is not None and (row.status, bool(row.raw)) == (("shunted", True) if token else ("discarded", False))
