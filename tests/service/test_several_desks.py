"""What comes first is done first, also where other desks work beside this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from referee.core.record import Filed
from referee.service.base.office import Office, Share
from referee.service.base.ports import Alarm, LetterIn, Overtaken
from referee.service.intake import deadlines, inbox
from referee.service.intake.inbox import handle_new
from tests.world import World


def put_orders(world: World, match: str, *gold: int) -> None:
    """Letters of the player who is on turn, laid into the inbox."""
    player = world.on_turn(match)
    to = [mail.reply_to for mail in world.all_mail() if mail.to == player and f"[{match}]" in mail.subject][-1]
    for number in gold:
        head = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{number}@players.example>\r\n\r\n"
        world.put(f"{head}RESEARCH any KEEPING {number} gold\r\n".encode(), player, to)


def filed(world: World) -> list[str]:
    """By which letters orders were filed, in the order of the log."""
    return [record.letter for record in world.log(Filed)]


def test_where_a_letter_has_to_wait_those_after_it_to_the_same_match_wait_too(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_orders(match, "nw1", 1, 2)
    with match.store.look() as step:
        first = step.waiting(1)[0].id
    really = inbox.handle

    def met(office: Office, *rows: LetterIn) -> int:
        if any(row.id == first for row in rows):
            raise Overtaken("others wrote meanwhile")
        return really(office, *rows)

    monkeypatch.setattr(inbox, "handle", met)
    assert handle_new(match.office) == 0
    assert filed(match) == []
    monkeypatch.setattr(inbox, "handle", really)
    assert handle_new(match.office) == 2
    assert filed(match) == ["<1@players.example>", "<2@players.example>"]


def test_no_deadline_falls_while_more_letters_wait_than_are_looked_at(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "_MOST_WAITING", 2)
    for number in range(2):
        match.put(
            f"From: otto@players.example\r\nMessage-ID: <{number}@x>\r\n\r\nX\r\n".encode(),
            "otto@x",
            "referee+other.aaaabbbbccccdddd@games.example",
        )
    put_orders(match, "nw1", 1)
    before = match.on_turn()
    match.clock.advance(timedelta(hours=25))
    assert deadlines.ring_due(match.office) == 0
    match.work()
    assert match.on_turn() != before
    assert filed(match) == ["<1@players.example>"]


def test_a_deadline_that_met_anothers_write_is_rung_again_at_once(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk that waited for its next look might be overtaken by the same thing then, and so for ever."""
    really, tries, before = deadlines.ring, list[str](), match.on_turn()

    def met(office: Office, alarm: Alarm) -> None:
        tries.append(alarm.kind)
        if len(tries) == 1:
            raise Overtaken("others wrote meanwhile")
        really(office, alarm)

    match.clock.advance(timedelta(hours=25))
    monkeypatch.setattr(deadlines, "ring", met)
    deadlines.ring_due(match.office, 1)
    assert tries[:2] == [tries[0]] * 2
    match.work()
    assert match.on_turn() != before


def with_share(world: World, number: int, seconds: Callable[[], float] = lambda: 0.0) -> Office:
    return replace(world.office, share=Share(number, 2, seconds))


def whose(match: str) -> int:
    """The number of the one of two desks that has this match in its share."""
    (number,) = (number for number in range(2) if Share(number, 2).has(match))
    return number


def test_a_desk_does_the_letters_of_its_share_and_leaves_others_to_who_is_quicker_there(match: World) -> None:
    own, other = with_share(match, whose("nw1")), with_share(match, 1 - whose("nw1"))
    put_orders(match, "nw1", 1)
    assert handle_new(other) == 0
    assert filed(match) == []
    assert handle_new(own) == 1
    assert filed(match) == ["<1@players.example>"]


def test_what_a_desk_saw_waiting_a_second_ago_it_does_whosever_it_is(match: World) -> None:
    seconds = [0.0]
    other = with_share(match, 1 - whose("nw1"), lambda: seconds[0])
    put_orders(match, "nw1", 1)
    assert (handle_new(other), handle_new(other)) == (0, 0)
    seconds[0] = 1.0
    assert handle_new(other) == 1
    match.clock.advance(timedelta(hours=25))
    before = match.on_turn()
    assert (deadlines.ring_due(other), deadlines.ring_due(other)) == (0, 0)
    seconds[0] = 2.0
    while deadlines.ring_due(other):
        seconds[0] += 1
    assert match.on_turn() != before


def test_a_desk_without_work_of_its_own_helps_where_more_waits_than_another_does_at_once(match: World) -> None:
    put_orders(match, "nw1", *range(1, inbox.TOGETHER + 1))
    assert handle_new(with_share(match, 1 - whose("nw1"))) == inbox.TOGETHER
    assert len(filed(match)) == inbox.TOGETHER
