"""The clock: slots, reminders, the change-of-mind delay, what is played for who is late, and decisions inside a turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from msgspec import Raw
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.question import Source
from referee.core.record import Answered
from referee.service.intake.deadlines import scan
from referee.service.turn.reports import automatic_sentences
from tests.service.conftest import GINA, begin
from tests.world import Mail, World

GOOD = "RESEARCH any\nCOLONIZE any"
START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def due(world: World) -> datetime:
    (alarm,) = world.alarms("deadline")
    return alarm.due_at


def reminders(mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "reminder"]


def test_the_first_slot_has_24_hours_from_the_start(match: World) -> None:
    assert due(match) == START + timedelta(hours=24)


def test_a_slot_has_24_hours_from_the_end_of_the_one_before(match: World) -> None:
    match.wait(hours=5)
    match.reply(match.on_turn(), "ROLL OUT")
    assert due(match) == START + timedelta(hours=29)


def test_reminders_come_12_and_2_hours_before(match: World) -> None:
    player = match.on_turn()
    assert reminders(match.wait(hours=11, minutes=59)) == []
    (first,) = reminders(match.wait(minutes=1))
    assert (first.to, "12 h left" in first.subject) == (player, True)
    assert reminders(match.wait(hours=9, minutes=59)) == []
    (second,) = reminders(match.wait(minutes=1))
    assert "2 h left" in second.subject
    assert "Sun 22 Nov 2026, 12:00 UTC" in second.flat


def test_no_reminder_after_orders(match: World) -> None:
    player = match.on_turn()
    match.reply(player, GOOD)
    mails = [mail for _ in range(24) for mail in match.wait(hours=1)]
    assert player not in {mail.to for mail in reminders(mails)}


def test_a_reminder_says_what_is_on_file(match: World) -> None:
    match.reply(match.on_turn(), "HIRE 1 worker\nRESERCH any")
    (reminder,) = reminders(match.wait(hours=12))
    assert "HIRE 1 worker" in reminder.text


def test_the_turn_runs_half_an_hour_after_orders(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), GOOD)
    match.wait(minutes=29)
    assert match.waits_for() == seat
    match.wait(minutes=1)
    assert match.waits_for() != seat
    assert match.closed()[-1].source is Source.PLAYER


def test_a_new_letter_begins_the_delay_again(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), GOOD)
    match.wait(minutes=29)
    match.reply(match.on_turn(), "RESEARCH any")
    match.wait(minutes=29)
    assert match.waits_for() == seat
    match.wait(minutes=1)
    assert match.waits_for() != seat


def test_a_letter_that_only_asks_does_not_touch_the_delay(match: World) -> None:
    match.reply(match.on_turn(), GOOD)
    before = match.alarms("mind")
    match.wait(minutes=10)
    match.reply(match.on_turn(), "STATUS\nSEND standings")
    assert match.alarms("mind") == before


@pytest.mark.parametrize(
    ("letter", "source", "late_by"),
    [
        ("RESEARCH any\nWAIT", Source.PLAYER, 0),
        ("RESERCH any\nCOLONIZE any\nSTANDING\nHIRE 1 worker\nEND", Source.PLAYER, 0),
        ("IF LATE\nRESEARCH any\nEND\nSTANDING\nCOLONIZE any\nEND", Source.LATE_INSTRUCTION, 1),
        ("STANDING\nRESEARCH any\nEND", Source.STANDING, 1),
        ("STATUS", Source.DEFAULT, 1),
    ],
)
def test_what_is_played_at_the_deadline(match: World, letter: str, source: Source, late_by: int) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, letter)
    mails = match.wait(hours=24)
    closed = match.closed()[-1]
    assert (closed.seat, closed.source, closed.late_by) == (seat, source, late_by)
    reports = [mail for mail in mails if mail.kind == "report"]
    assert len(reports) == 5
    said = f"{seat}, the whole turn: played by {source.value} after the deadline"
    assert all((said in mail.flat) == (late_by == 1) for mail in reports)


def test_a_decision_taken_for_a_seat_is_told_to_it_in_the_words_of_the_question(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "HIRE 1 worker")
    reports = [mail for mail in match.wait(hours=24) if mail.kind == "report"]
    said = f'{seat}, "Which of these cards will you buy'
    assert [mail.to for mail in reports if said in mail.flat] == [player]
    (mine,) = (mail for mail in reports if mail.to == player)
    assert 'in this order?" was decided by default.' in mine.flat


def test_a_question_without_words_is_told_to_nobody() -> None:
    ann, raw = Seat("Ann"), Raw(b"1")
    answers = [Answered(key, ann, raw, Source.DEFAULT) for key in ("T1/shift", "T1/retreat")]
    asked = {"T1/shift": "", "T1/retreat": "Do you retreat?"}
    assert automatic_sentences(answers, asked, ann) == ('Ann, "Do you retreat?" was decided by default.',)
    assert automatic_sentences(answers, asked, Seat("Bob")) == ()


def test_who_ends_his_own_sheet_with_nothing_but_standing_orders_is_not_told_that_no_letter_came() -> None:
    ann, raw = Seat("Ann"), Raw(b"[]")
    own = Answered("T1/production/Ann", ann, raw, Source.STANDING)
    asked = {own.key: "Your production sheet."}
    assert automatic_sentences([own], asked, ann, sheets=(own.key,)) == ()
    for other in (replace(own, late_by=1), replace(own, by="Bob"), replace(own, source=Source.DEFAULT)):
        assert len(automatic_sentences([other], asked, ann, sheets=(own.key,))) == 1


def test_nothing_is_due_twice(match: World) -> None:
    match.clock.advance(timedelta(hours=24))
    assert scan(match.office) > 0
    head = match.playing().head
    assert scan(match.office) == 0
    assert match.playing().head == head


def test_a_clock_that_jumps_far_closes_one_slot_and_reminds_nobody_of_the_past(match: World) -> None:
    seat = match.waits_for()
    mails = match.wait(days=10)
    assert reminders(mails) == []
    assert match.waits_for() != seat
    assert due(match) == START + timedelta(days=11)


def test_a_clock_that_jumps_over_one_reminder_sends_the_nearer_one_only(match: World) -> None:
    (only,) = reminders(match.wait(hours=23))
    assert "1 h left" in only.subject


def test_no_reminder_for_a_question_that_is_closed(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "ROLL OUT")
    mails = match.wait(hours=12)
    assert [mail.to for mail in reminders(mails)] == [match.on_turn()]


def test_reminders_come_again_when_the_deadline_is_moved(match: World) -> None:
    match.wait(hours=12)
    match.reply(GINA, 'DEADLINE +12h BECAUSE "snow"')
    assert len(reminders(match.wait(hours=12))) == 1


def test_reminders_are_sent_again_after_a_rewind_to_the_same_turn(match: World) -> None:
    match.wait(hours=12)
    match.reply(GINA, 'REWIND TO TURN 1 BECAUSE "a misread order"')
    assert len(reminders(match.wait(hours=12))) == 1


def test_letters_that_came_before_the_deadline_count_though_the_service_was_down(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.clock.set(START + timedelta(hours=23, minutes=59))
    lay(match, player, "RESEARCH any\nROLL OUT")
    match.clock.set(START + timedelta(hours=30))
    match.work()
    assert (match.closed()[-1].seat, match.closed()[-1].source) == (seat, Source.PLAYER)


def test_a_letter_that_came_after_the_deadline_does_not_count_though_the_service_was_down(match: World) -> None:
    player = match.on_turn()
    match.clock.set(START + timedelta(hours=24, minutes=1))
    lay(match, player, "RESEARCH any")
    mails = match.work()
    assert match.closed()[0].source is Source.DEFAULT
    assert [mail.kind for mail in mails if mail.to == player] == ["report", "refusal"]


def lay(world: World, player: str, body: str) -> None:
    """A reply that came in while nobody was at the desk."""
    to = world.last(player).reply_to
    world.put(f"From: {player}\r\nTo: {to}\r\nSubject: orders\r\n\r\n{body}\r\n".encode(), player, to)


# ---------------------------------------------------------------- decisions inside a turn


@pytest.fixture
def two_step(world: World) -> Iterator[World]:
    """A match whose decisions are mailed and waited for."""
    begin(world, "WITH mode two_step")
    world.new_mail()
    yield world


def to_the_question(world: World) -> Mail:
    """Run the first turn until the referee asks."""
    mails = world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    (question,) = [mail for mail in mails if mail.kind == "question"]
    return question


def test_two_step_mails_what_was_drawn_and_waits(two_step: World) -> None:
    player, seat = two_step.on_turn(), two_step.waits_for()
    question = to_the_question(two_step)
    assert (question.to, question.kind) == (player, "question")
    assert f"Your decision, {seat}, by " in question.subject
    assert "CHOOSE" in question.text
    assert two_step.waits_for() == seat
    assert due(two_step) == START + timedelta(hours=12)


def test_who_is_asked_again_is_told_what_has_happened_since(two_step: World) -> None:
    player = two_step.on_turn()
    first = to_the_question(two_step)
    assert "Research cards: drew" in first.flat
    (second,) = [mail for mail in two_step.reply(player, "CHOOSE none") if mail.kind == "question"]
    assert "Exploration cards: drew" in second.flat and "Research cards: drew" not in second.flat


def test_a_new_player_of_the_seat_is_told_the_turn_from_its_beginning(two_step: World) -> None:
    seat = two_step.waits_for()
    to_the_question(two_step)
    two_step.reply(GINA, f"REPLACE {seat} BY zoe@players.example")
    asked = next(m for m in two_step.reply("zoe@players.example", "CHOOSE none") if m.kind == "question")
    assert "Research cards: drew" in asked.flat


def test_a_turn_played_anew_is_told_from_its_beginning(two_step: World) -> None:
    player = two_step.on_turn()
    to_the_question(two_step)
    two_step.reply(GINA, 'REWIND TO TURN 1 BECAUSE "misread"')
    again = next(m for m in two_step.reply(player, "HIRE 1 worker\nROLL OUT") if m.kind == "question")
    assert "Research cards: drew" in again.flat


def test_orders_of_who_owes_a_decision_are_kept_for_his_next_turn(two_step: World) -> None:
    player, seat = two_step.on_turn(), two_step.waits_for()
    to_the_question(two_step)
    (receipt,) = two_step.reply(player, "HIRE 2 workers")
    assert "You are asked for a decision now, not for orders" in receipt.flat
    assert two_step.drawer(seat, "next") == ["HIRE 2 workers"]


def test_choose_answers_the_question(two_step: World) -> None:
    player = two_step.on_turn()
    to_the_question(two_step)
    (asked,) = two_step.playing().outcome.open
    mails = two_step.reply(player, "CHOOSE none", kind="question")
    answers = [a for a in two_step.log(Answered) if a.key == asked.key]
    assert [a.source for a in answers] == [Source.PLAYER]
    assert next(mail for mail in mails if mail.is_a("receipt")).flat.startswith("DONE:")


def test_choose_what_is_not_on_the_menu_is_refused_with_the_menu(two_step: World) -> None:
    player = two_step.on_turn()
    to_the_question(two_step)
    (asked,) = two_step.playing().outcome.open
    (receipt,) = two_step.reply(player, "CHOOSE dragons")
    assert "is not on the menu" in receipt.flat
    assert two_step.playing().outcome.open[0].key == asked.key


def test_the_reply_deadline_takes_the_default(two_step: World) -> None:
    to_the_question(two_step)
    (asked,) = two_step.playing().outcome.open
    two_step.wait(hours=12)
    (answer,) = [a for a in two_step.log(Answered) if a.key == asked.key]
    assert (answer.source, answer.late_by) == (Source.DEFAULT, 1)


def test_a_question_is_not_decided_while_the_match_is_paused(two_step: World) -> None:
    player = two_step.on_turn()
    to_the_question(two_step)
    (asked,) = two_step.playing().outcome.open
    two_step.reply(GINA, 'PAUSE BECAUSE "x"')
    two_step.reply(player, "CHOOSE none")
    assert two_step.playing().outcome.open[0].key == asked.key


def test_a_whole_turn_of_two_step_by_defaults_ends(two_step: World) -> None:
    seat = two_step.waits_for()
    for _ in range(12):
        two_step.wait(hours=24)
    assert two_step.waits_for() != seat or two_step.playing().turn > 4
    assert two_step.letters("shunted") == []


# ---------------------------------------------------------------- a match that cannot be run on


def test_a_broken_match_is_shunted_and_the_others_go_on(match: World) -> None:
    begin(match, match="nw2")
    match.corrupt("nw1")
    seat = match.waits_for("nw2")
    mails = match.wait(hours=25)
    assert match.waits_for("nw2") != seat
    with match.store.look() as step:
        broken = step.match("nw1")
    assert broken is not None and broken.status == "shunted" and broken.trouble
    assert any(mail.to == GINA and "stands still" in mail.subject for mail in mails)
