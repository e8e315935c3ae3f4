"""Grace, strict grace, and who is told that somebody is late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.core.question import Source
from referee.core.record import Answered
from tests.service.conftest import GINA, PLAYERS, begin
from tests.world import Mail, World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def graced(world: World, also: str = "") -> World:
    begin(world, f"WITH grace 12h{also}, reminders none")
    world.new_mail()
    return world


def notices(mails: list[Mail], to: str = "") -> list[Mail]:
    return [mail for mail in mails if mail.kind == "notice" and (not to or mail.to == to)]


def test_a_late_player_may_still_play_in_his_grace(world: World) -> None:
    graced(world)
    player, seat = world.on_turn(), world.waits_for()
    world.wait(hours=24)
    assert world.waits_for() == seat and world.closed() == []
    (grace,) = world.alarms("grace")
    assert grace.due_at == START + timedelta(hours=36)
    world.wait(hours=11, minutes=59)
    world.reply(player, "RESEARCH any\nROLL OUT")
    assert (world.closed()[-1].source, world.closed()[-1].late_by) == (Source.PLAYER, 1)
    assert world.alarms("grace") == []


def test_at_the_end_of_the_grace_the_rules_play(world: World) -> None:
    seat = graced(world).waits_for()
    world.wait(hours=24)
    world.wait(hours=12)
    closed = world.closed()[-1]
    assert (closed.seat, closed.source, closed.late_by) == (seat, Source.DEFAULT, 1)
    assert world.waits_for() != seat


def test_orders_on_file_are_played_at_the_deadline_in_spite_of_grace(world: World) -> None:
    graced(world)
    world.reply(world.on_turn(), "RESEARCH any\nWAIT")
    world.wait(hours=24)
    assert (world.closed()[-1].source, world.closed()[-1].late_by) == (Source.PLAYER, 0)


def test_a_clock_that_jumps_over_the_grace_plays_one_slot_and_tells_nobody_of_the_past(world: World) -> None:
    graced(world)
    mails = world.wait(days=9)
    assert len(world.closed()) == 1 and notices(mails) == []
    assert [a.due_at for a in world.alarms("deadline")] == [START + timedelta(days=10)]


def test_a_letter_that_came_in_the_grace_counts_though_the_service_was_down(world: World) -> None:
    graced(world)
    player, to = world.on_turn(), world.last(world.on_turn()).reply_to
    world.clock.set(START + timedelta(hours=30))
    world.put(f"From: {player}\r\nTo: {to}\r\nSubject: x\r\n\r\nRESEARCH any\r\nROLL OUT\r\n".encode(), player, to)
    world.clock.set(START + timedelta(hours=60))
    world.work()
    assert world.closed()[0].source is Source.PLAYER


def test_the_deadline_says_how_much_grace_there_is(world: World) -> None:
    graced(world, " strict")
    (receipt,) = world.reply(world.on_turn(), "ORDERS")
    assert "you are late, with 12 h of grace, unless your last slot was late too." in receipt.flat
    world.wait(hours=25)
    (receipt,) = world.reply(world.on_turn(), "ORDERS")
    assert "by Mon 00:00" in receipt.subject


def test_strict_grace_is_not_given_twice_in_a_row(world: World) -> None:
    graced(world, " strict")
    order = [world.waits_for()]
    world.wait(hours=24)
    world.wait(hours=12)  # the first seat is late, and has its grace
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.wait(hours=24)  # late again: no grace
    assert world.alarms("grace") == [] and world.waits_for() != order[0]
    assert [c.late_by for c in world.closed() if c.seat == order[0]] == [1, 1]
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.reply(world.on_turn(), "ROLL OUT")  # in time
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.wait(hours=24)
    assert world.waits_for() == order[0] and len(world.alarms("grace")) == 1


def test_the_late_player_is_told_every_day_and_the_others_once(world: World) -> None:
    begin(world, "WITH grace 3 days, reminders none")
    world.new_mail()
    late, seat = world.on_turn(), world.waits_for()
    first = notices(world.wait(hours=24))
    assert {mail.to for mail in first} == {*PLAYERS, GINA}
    (his,) = notices(first, late)
    assert "Your grace ends at Wed 25 Nov 2026, 12:00 UTC" in his.flat
    assert all(f"{seat} did not write in time" in mail.flat for mail in first if mail.to != late)
    assert [mail.to for mail in notices(world.wait(hours=24))] == [late]
    assert [mail.to for mail in notices(world.wait(hours=24))] == [late]
    assert notices(world.wait(hours=24)) == []


def test_hidden_lateness_is_told_to_the_late_player_and_the_game_master_alone(world: World) -> None:
    graced(world, ", lateness hidden")
    late, seat = world.on_turn(), world.waits_for()
    mails = world.wait(hours=24)
    assert [mail.to for mail in mails] == [late, GINA]
    assert f"We wait for {seat}." in mails[1].flat
    other = next(player for player in PLAYERS if player != late)
    (receipt,) = world.reply(other, "STATUS")
    assert "We wait for other players." in receipt.flat and f"{seat} is late" not in receipt.flat
    assert f"{seat} has" not in receipt.flat
    (receipt,) = world.reply(late, "STATUS")
    assert f"{seat} is late and has grace until" in receipt.flat
    reports = [mail for mail in world.wait(hours=12) if mail.kind == "report"]
    assert {mail.to for mail in reports if "played by default after the deadline" in mail.flat} == {late, GINA}


def test_the_game_master_moves_the_end_of_a_grace(world: World) -> None:
    graced(world)
    world.wait(hours=25)
    world.reply(GINA, "DEADLINE +6h")
    assert [a.due_at for a in world.alarms("grace")] == [START + timedelta(hours=42)]


def test_grace_that_was_promised_with_a_deadline_is_kept(world: World) -> None:
    graced(world)
    world.reply(GINA, "GRACE none")
    world.reply(GINA, "DEADLINE +2h")
    world.wait(hours=26)
    assert [a.due_at for a in world.alarms("grace")] == [START + timedelta(hours=38)]


@pytest.mark.parametrize("hours", [30, 23])
def test_pause_keeps_deadline_and_grace(world: World, hours: int) -> None:
    graced(world)
    world.wait(hours=24) if hours > 24 else None
    world.wait(hours=hours - 24 if hours > 24 else hours)
    world.reply(GINA, "PAUSE")
    world.wait(days=5)
    world.reply(GINA, "RESUME")
    kind = "grace" if hours > 24 else "deadline"
    assert [a.due_at for a in world.alarms(kind)] == [START + timedelta(days=5, hours=36 if hours > 24 else 24)]
    if kind == "deadline":
        world.wait(hours=1)
        assert len(world.alarms("grace")) == 1


def test_on_call_others_may_end_a_slot_only_after_its_grace(world: World) -> None:
    graced(world, ", late on call")
    late, seat = world.on_turn(), world.waits_for()
    other = next(player for player in PLAYERS if player != late)
    world.wait(hours=24)
    receipt = world.reply(other, f"ROLL OUT {seat}")[-1]
    assert f"{seat} still has grace; when it is over any other player may end the slot of {seat}." in receipt.flat
    mails = world.wait(hours=12)
    assert world.waits_for() == seat and all(f"ROLL OUT {seat}" in mail.flat for mail in notices(mails))
    assert {mail.to for mail in notices(mails)} == {GINA, *PLAYERS}, "who was told that it is late is told of this too"
    for player in (late, other):
        status = world.reply(player, "STATUS")[-1].flat
        assert f"{seat} is late and can still play; any other player may end the slot with ROLL OUT {seat}." in status
    world.reply(other, f"ROLL OUT {seat}")
    assert world.waits_for() != seat and world.closed()[-1].by


@pytest.mark.parametrize("also", ["", ", late on call"])
def test_who_is_in_his_grace_is_told_what_happens_at_its_end_and_of_no_second_grace(world: World, also: str) -> None:
    graced(world, also)
    late, seat = world.on_turn(), world.waits_for()
    before = world.reply(late, "STATUS")[-1].flat
    assert "If nothing comes by then you are late, with 12 h of grace." in before
    mails = world.wait(hours=24)
    (own,) = notices(mails, late)
    others = [mail.flat for mail in notices(mails) if mail.to != late]
    for said in (own.flat, world.reply(late, "STATUS")[-1].flat):
        assert "Your deadline: Mon 23 Nov 2026, 00:00 UTC." in said and "you are late, with" not in said
        assert ("If nothing comes by then, any other player may end your slot" in said) == bool(also)
        assert ("If nothing comes by then, an empty sheet is played for you." in said) == (not also)
    assert ("what comes later does not count" in own.flat) == (not also)
    for said in others:
        assert ("then the turn runs as the rules say" in said) == (not also)
        assert (f"then any other player may end the slot with ROLL OUT {seat}" in said) == bool(also)


def test_a_question_has_the_grace_of_replies(world: World) -> None:
    begin(world, "WITH mode two_step, reply 6h, reply grace 2h")
    world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    (asked,) = world.playing().outcome.open
    world.wait(hours=6)
    assert world.playing().outcome.open == (asked,)
    world.wait(hours=2)
    (answer,) = [a for a in world.log(Answered) if a.key == asked.key]
    assert (answer.source, answer.late_by) == (Source.DEFAULT, 1)


# ---------------------------------------------------------------- a player's own reminders


def test_a_player_chooses_when_he_is_reminded(match: World) -> None:
    player = match.on_turn()
    (receipt,) = match.reply(player, "SET reminders 20h, 1 h")
    assert "You are reminded 20 h and 1 h before each of your deadlines" in receipt.flat
    alarms = sorted(alarm.due_at for alarm in match.alarms("reminder"))
    assert alarms == [START + timedelta(hours=4), START + timedelta(hours=23)]
    (reminder,) = [mail for mail in match.wait(hours=4) if mail.kind == "reminder"]
    assert (reminder.to, "20 h left" in reminder.subject) == (player, True)


def test_reminders_can_be_off_and_as_the_match_says(match: World) -> None:
    match.reply(match.on_turn(), "SET reminders none")
    assert match.alarms("reminder") == []
    match.reply(match.on_turn(), "SET reminders default")
    assert len(match.alarms("reminder")) == 2


@pytest.mark.parametrize("written", ["soon", "", "400 days", "0h"])
def test_reminders_that_cannot_be_read_are_refused(match: World, written: str) -> None:
    (receipt,) = match.reply(match.on_turn(), f"SET reminders {written}")
    assert "NOTHING USABLE" in receipt.subject and "SET reminders 12h 2h" in receipt.flat
    assert len(match.alarms("reminder")) == 2
