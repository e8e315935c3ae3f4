"""Downtime of the service, restarts and jumps of its clock: everybody has his time back, and nothing runs twice."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee import desk_process
from referee.core.record import Answered
from referee.service.base.note_values import Outage
from referee.service.base.office import Downtime, Duties, Office
from referee.service.intake import downtime
from referee.service.intake.deadlines import scan
from referee.service.intake.downtime import beat, is_measured
from referee.service.intake.health import Around, health
from tests.service.conftest import GINA, PLAYERS, begin
from tests.world import Mail, World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def due(world: World, match: str = "nw1") -> datetime:
    (alarm,) = world.alarms("deadline", match)
    return alarm.due_at


def told(mails: list[Mail]) -> list[str]:
    return sorted(mail.to for mail in mails if mail.kind == "notice" and "I was out of order from" in mail.flat)


def live(world: World, hours: float) -> None:
    """Let the service run, as it does: it beats before it does what is due."""
    for _ in range(round(hours * 12)):
        world.clock.advance(timedelta(minutes=5))
        beat(world.office)
        while scan(world.office):
            pass


def test_deadlines_move_by_the_time_the_service_was_silent_and_everybody_is_told_once(match: World) -> None:
    beat(match.office)
    match.clock.advance(timedelta(hours=5))
    assert beat(match.office)
    assert due(match) == START + timedelta(hours=29)
    mails = match.work()
    assert told(mails) == sorted({*PLAYERS, GINA})
    (one, *_) = mails
    assert "from Sat 21 Nov 2026, 12:00 UTC to Sat 21 Nov 2026, 17:00 UTC: 5 h." in one.flat
    assert "Sun 22 Nov 2026, 17:00 UTC; it was Sun 22 Nov 2026, 12:00 UTC" in one.flat
    assert not beat(match.office) and match.work() == []
    assert sorted(a.due_at for a in match.alarms("reminder")) == [START + timedelta(hours=h) for h in (17, 27)]


def test_a_deadline_that_passed_while_the_service_was_down_is_not_run_against_the_player(match: World) -> None:
    beat(match.office)
    match.clock.advance(timedelta(hours=30))
    beat(match.office)
    match.work()
    assert match.closed() == [] and due(match) == START + timedelta(hours=54)


def test_what_was_due_before_the_silence_is_done(match: World) -> None:
    match.clock.advance(timedelta(hours=24, seconds=1))
    beat(match.office)
    match.clock.advance(timedelta(hours=5))
    beat(match.office)
    match.work()
    assert len(match.closed()) == 1


def test_a_restart_costs_nobody_anything_and_gives_nothing(match: World) -> None:
    beat(match.office)
    match.clock.advance(Downtime.least - timedelta(seconds=1))
    assert not beat(match.office)
    assert due(match) == START + timedelta(hours=24) and match.work() == []


def test_a_clock_that_goes_back_moves_nothing(match: World) -> None:
    beat(match.office)
    match.clock.advance(timedelta(days=-2))
    assert not beat(match.office)
    assert due(match) == START + timedelta(hours=24)
    match.clock.advance(timedelta(days=2, minutes=1))
    beat(match.office)  # two days forward again look like an outage: nobody loses by it
    assert due(match) >= START + timedelta(hours=24) and match.closed() == []


def test_a_paused_match_needs_nothing_back(match: World) -> None:
    beat(match.office)
    match.reply(GINA, "PAUSE")
    match.clock.advance(timedelta(hours=5))
    beat(match.office)
    match.reply(GINA, "RESUME")
    assert due(match) == START + timedelta(hours=29)


def test_grace_and_full_periods_move_too(world: World) -> None:
    begin(world, "WITH grace 12h, reminders none")
    world.wait(hours=25)
    beat(world.office)
    world.clock.advance(timedelta(hours=5))
    beat(world.office)
    (grace,), (period,) = world.alarms("grace"), world.alarms("overdue")
    assert (grace.due_at, period.due_at) == (START + timedelta(hours=41), START + timedelta(hours=53))


def test_a_deadline_moved_by_an_outage_stays_on_an_allowed_day(world: World) -> None:
    begin(world, "WITH clock 22:00, days Mon-Sat")
    assert due(world) == datetime(2026, 11, 23, 22, tzinfo=UTC)
    world.reply(world.on_turn(), "ABSENCE FROM 2026-11-23 TO 2026-11-27")
    assert due(world) == datetime(2026, 11, 30, 22, tzinfo=UTC)  # back on Saturday, a day to play: Sunday is none
    world.reply(GINA, "DEADLINE 2026-12-05 22:00")
    beat(world.office)
    world.clock.advance(timedelta(hours=5))
    beat(world.office)
    assert due(world) == datetime(2026, 12, 7, 3, tzinfo=UTC)  # Saturday 22:00 and 5 h is Sunday


def test_a_crash_in_the_middle_gives_no_match_its_time_twice(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(match, match="nw2")
    beat(match.office)
    match.clock.advance(timedelta(hours=5))
    whole = downtime._of_match

    def dies(office: Office, name: str, silence: Outage) -> object:
        if name == "nw2":
            raise KeyboardInterrupt
        return whole(office, name, silence)

    monkeypatch.setattr(downtime, "_of_match", dies)
    with pytest.raises(KeyboardInterrupt):
        beat(match.office)
    monkeypatch.undo()
    assert (due(match), due(match, "nw2")) == (START + timedelta(hours=29), START + timedelta(hours=24))
    match.clock.advance(timedelta(minutes=2))
    assert beat(match.office)
    assert (due(match), due(match, "nw2")) == (START + timedelta(hours=29), START + timedelta(hours=29))


def test_a_broken_match_does_not_keep_the_others_from_their_time(match: World) -> None:
    begin(match, match="nw2")
    beat(match.office)
    match.corrupt("nw1")
    match.clock.advance(timedelta(hours=5))
    assert beat(match.office)
    assert due(match, "nw2") == START + timedelta(hours=29)
    with match.store.look() as step:
        broken = step.match("nw1")
    assert broken is not None and broken.status == "shunted"


def test_a_restart_runs_no_turn_twice(match: World, tmp_path: Path) -> None:
    live(match, 24.5)
    assert len(match.closed()) == 1
    match.close()
    again = World(tmp_path, first=2000)
    again.clock.set(match.clock.now())
    beat(again.office)
    assert scan(again.office) == 0
    keys = [answer.key for answer in again.log(Answered)]
    assert len(keys) == len(set(keys))
    again.close()


def test_a_clock_that_jumps_and_comes_back_runs_no_turn_twice_and_moves_no_deadline_earlier(match: World) -> None:
    beat(match.office)
    live(match, 2)
    first = due(match)
    match.clock.advance(timedelta(days=3))
    beat(match.office)
    match.work()
    jumped = due(match)
    assert match.closed() == [] and jumped == first + timedelta(days=3)
    match.clock.advance(timedelta(days=-3))
    live(match, 2)
    assert due(match) == jumped and match.closed() == []


def test_no_deadline_comes_back_earlier_from_a_rewind(match: World) -> None:
    match.reply(GINA, 'DEADLINE +72h BECAUSE "snow"')
    match.wait(hours=2)
    match.reply(GINA, "REWIND TO TURN 1")
    assert due(match) == START + timedelta(hours=96)


def test_no_deadline_comes_back_earlier_from_a_pause_while_the_clock_was_set_back(match: World) -> None:
    match.reply(GINA, "PAUSE")
    match.clock.advance(timedelta(hours=-6))
    match.reply(GINA, "RESUME")
    assert due(match) == START + timedelta(hours=24)


def test_hidden_lateness_is_not_told_by_an_outage(world: World) -> None:
    begin(world, "WITH lateness hidden")
    seat = world.waits_for()
    world.new_mail()
    beat(world.office)
    world.clock.advance(timedelta(hours=5))
    beat(world.office)
    mails = world.work()
    assert len(told(mails)) == 5
    assert [mail.to for mail in mails if f"{seat} now has until" in mail.flat] == [GINA]


def test_an_office_without_matches_beats(world: World) -> None:
    assert not beat(world.office)
    world.clock.advance(timedelta(days=1))
    assert beat(world.office)


def at_work(world: World) -> int:
    """The desk works once, as it does in its process."""
    return desk_process.work_at(world.office, Duties(logging.getLogger(__name__), lambda name, problem: None, 3))


def leaps(world: World, hours: float, minutes: float = 1) -> list[Mail]:
    """The clock leaps, and the desk works on for so many minutes; the letters that are written."""
    world.clock.leap(timedelta(hours=hours))
    for _ in range(round(minutes)):
        at_work(world)
        world.clock.advance(timedelta(minutes=1))
    at_work(world)
    return world.new_mail()


def of_clock(world: World) -> tuple[float | None, tuple[str, ...]]:
    with world.store.look() as step:
        found = health(world.clock.now(), step, Around(10**9), timedelta(hours=99))
    return found.clock_leap, found.wrong


@pytest.mark.parametrize("hours", [3, 24, -24, 24 * 400])
def test_a_clock_that_is_put_right_within_minutes_costs_nothing_and_nobody_hears_of_it(
    match: World, caplog: pytest.LogCaptureFixture, hours: float
) -> None:
    at_work(match)
    first = due(match)
    for _ in range(3):
        assert leaps(match, hours) == [] and len(of_clock(match)[1]) == 1
        assert leaps(match, -hours) == [] and of_clock(match) == (None, ())
    assert due(match) == first and match.closed() == []
    assert len([record for record in caplog.records if "leapt" in record.message]) == 3  # a line for each leap


@pytest.mark.parametrize("hours", [-24, 24 * 30])
def test_no_letter_is_answered_while_nobody_knows_what_time_it_is(match: World, hours: float) -> None:
    at_work(match)
    leaps(match, hours)
    player, address = match.on_turn(), match.last(match.on_turn()).reply_to
    match.put(f"From: {player}\r\nSubject: s\r\nMessage-ID: <1@x>\r\n\r\nROLL OUT\r\n".encode(), player, address)
    assert at_work(match) == 0 and match.new_mail() == [] and not is_measured(match.office)
    answers = leaps(match, -hours, minutes=2)
    assert [mail.to for mail in answers if "DONE: your turn was played." in mail.text] == [player]
    assert is_measured(match.office)


def test_who_gains_time_by_a_clock_that_leapt_is_told_so(match: World, caplog: pytest.LogCaptureFixture) -> None:
    at_work(match)
    mails = leaps(match, 24, minutes=12)
    assert sorted(mail.to for mail in mails) == sorted({*PLAYERS, GINA}) and told(mails) == []
    assert all("My clock was wrong: it leapt from Sat 21 Nov 2026, 12:00 UTC to" in mail.flat for mail in mails)
    assert due(match) >= START + timedelta(hours=48) and match.closed() == []
    leap, (wrong,) = of_clock(match)
    assert leap == 86_400 and wrong.startswith("The clock leapt ahead by 1 day within the last day: keep it right")
    moved = due(match)
    assert leaps(match, -24, minutes=12) == [] and due(match) == moved  # no deadline comes back
    match.clock.advance(timedelta(minutes=14))
    assert leaps(match, 0, 60 * 25) == [] and of_clock(match) == (None, ())
    assert [record.levelname for record in caplog.records if "leapt" in record.message] == ["WARNING", "WARNING"]


def test_a_clock_that_runs_behind_for_long_costs_nobody_time_when_it_is_put_right(match: World) -> None:
    at_work(match)
    assert leaps(match, -24, minutes=12) == []
    match.reply(match.on_turn(), "ROLL OUT")
    promised = due(match)
    leaps(match, 24, minutes=12)
    assert due(match) >= promised + timedelta(hours=24) and len(match.closed()) == 1


def test_time_that_the_service_was_down_is_no_leap(match: World) -> None:
    at_work(match)
    match.clock.advance(timedelta(hours=5))
    at_work(match)
    assert told(match.new_mail()) and of_clock(match) == (None, ())
