"""A letter is handled once, whoever else looks at the inbox; and what the store could not do now is nobody's fault."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from referee import desk_process
from referee.adapters.store.store import Step
from referee.core.record import Entry, Filed
from referee.service.base.office import At, Duties, log_failure
from referee.service.base.ports import Conflict, LetterIn, NotNow, Stalled
from referee.service.house.people import open_letter
from referee.service.intake import deadlines
from referee.service.intake.deadlines import ring, scan
from referee.service.intake.health import Around, health
from referee.service.intake.inbox import handle, handle_new, handle_safely
from referee.service.intake.keepers_digest import concerns
from tests.service.conftest import GINA
from tests.service.test_inbox import raw
from tests.world import World


def _waiting(match: World, letters: int = 1) -> list[LetterIn]:
    """Letters with orders of who is on turn, not handled yet."""
    player = match.on_turn()
    to = match.last(player).reply_to
    for number in range(letters):
        match.put(
            raw(player, to, f"RESEARCH any KEEPING {number} gold", f"Message-ID: <{number}@x.example>"), player, to
        )
    return match.letters("new")


def _fails(patch: pytest.MonkeyPatch, verb: str, problem: Callable[[], Exception], times: int = 1) -> None:
    """A verb of the store that does not work so many times."""
    good, left = getattr(Step, verb), [None] * times

    def breaks(step: Step, *given: Any, **named: Any) -> Any:
        if left:
            left.pop()
            raise problem()
        return good(step, *given, **named)

    patch.setattr(Step, verb, breaks)


def test_a_letter_another_desk_has_done_is_not_done_again(match: World) -> None:
    """Two desks read the inbox at the same time; the second finds the letter done when it comes to it."""
    (row,) = _waiting(match)
    assert handle(match.office, row) == 1
    before, mails = match.entries(), len(match.all_mail())
    assert handle(match.office, row) == 0
    assert handle_safely(match.office, row) == 0
    assert (match.entries(), len(match.all_mail())) == (before, mails)


def test_a_done_letter_keeps_its_record_and_its_shield_against_copies(match: World) -> None:
    (row,) = _waiting(match)
    handle(match.office, row)
    handle(match.office, row)
    (kept,) = match.letters("done")[-1:]
    assert (kept.id, kept.match) == (row.id, "nw1")
    assert match.letters("duplicate") == []
    match.new_mail()
    match.put(row.raw, row.sender, row.recipient)
    assert match.work() == []
    assert len(match.letters("duplicate")) == 1 and len(match.log(Filed)) == 1


def test_of_a_heap_only_what_is_still_new_is_handled(match: World) -> None:
    rows = _waiting(match, 3)
    handle(match.office, rows[1])
    assert handle(match.office, *rows) == 2
    assert match.letters("duplicate") == [] and len(match.log(Filed)) == 3
    assert handle_new(match.office) == 0


def test_a_letter_done_by_another_while_it_broke_us_is_not_shunted(match: World) -> None:
    (row,) = _waiting(match)
    for _ in range(match.office.limits.attempts):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("referee.service.intake.inbox.handle", _done_meanwhile)
            handle_safely(match.office, row)
        handle(match.office, row)
    assert match.letters("shunted") == [] and len(match.log(Filed)) == 1


def _done_meanwhile(*_: object) -> int:
    raise KeyError("it breaks us")


@pytest.mark.parametrize("letters", [1, 3])
def test_what_the_store_could_not_do_now_is_no_failed_attempt(
    match: World, monkeypatch: pytest.MonkeyPatch, letters: int
) -> None:
    """A lost connection or a restart of the database, many times over: the letters wait and are done afterwards."""
    _waiting(match, letters)
    _fails(monkeypatch, "append", lambda: NotNow("the connection is lost"), times=2 * match.office.limits.attempts)
    tries = 0
    while match.letters("new"):
        tries += 1
        try:
            handle_new(match.office)
        except NotNow:
            assert [row.attempts for row in match.letters("new")] == [0] * letters
    assert tries > match.office.limits.attempts and len(match.log(Filed)) == letters


def test_a_heap_in_a_deadlock_is_done_one_by_one_and_counts_as_no_attempt(
    match: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _waiting(match, 3)
    _fails(monkeypatch, "append", lambda: NotNow("deadlock detected"))
    assert handle_new(match.office) == 3
    assert [row.attempts for row in match.letters("done")[-3:]] == [0, 0, 0]
    assert [record.message for record in caplog.records] == [
        "3 letters are handled one by one: NotNow: deadlock detected"
    ]


def test_who_meets_another_write_tries_again_at_once_without_a_failed_attempt(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = _waiting(match)
    _fails(monkeypatch, "append", lambda: Conflict("entry 30 is taken"), times=3)
    assert handle_new(match.office) == 1
    (done,) = match.letters("done")[-1:]
    assert (done.id, done.attempts) == (row.id, 0)


@pytest.mark.parametrize("problem", [Conflict("taken whenever it is tried"), Stalled("it reckons for ever")])
def test_a_letter_that_always_meets_a_taken_key_or_never_ends_is_shunted(
    match: World, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    (row,) = _waiting(match)

    def breaks(step: Step, entries: Sequence[Entry]) -> None:
        raise problem

    monkeypatch.setattr(Step, "append", breaks)
    while handle_new(match.office):
        pass
    (shunted,) = match.letters("shunted")
    assert (shunted.id, shunted.attempts) == (row.id, match.office.limits.attempts)


def test_an_alarm_rings_once_for_two_desks(match: World) -> None:
    (alarm,) = match.alarms("deadline")
    match.clock.set(alarm.due_at)
    ring(match.office, alarm)
    turns = match.playing().row.turn
    ring(match.office, alarm)
    assert match.playing().row.turn == turns


def test_a_match_is_not_stopped_because_the_store_could_not_run_it_on_now(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (alarm,) = match.alarms("deadline")
    match.clock.set(alarm.due_at)
    turn = match.playing().row.turn
    _fails(monkeypatch, "append", lambda: NotNow("terminating connection due to administrator command"))
    with pytest.raises(NotNow):
        scan(match.office)
    assert match.status() == "running"
    match.work()
    assert match.playing().row.turn == turn + 1


@pytest.mark.parametrize("problem", [Stalled("it reckons for ever"), Conflict("that report is kept already")])
def test_a_turn_that_the_database_always_gives_up_stops_its_match_and_tells_its_master(
    match: World, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    (alarm,) = match.alarms("deadline")
    match.clock.set(alarm.due_at)
    turn = match.playing().row.turn
    _fails(monkeypatch, "append", lambda: problem, times=3)
    for _ in range(match.office.limits.attempts):
        assert match.status() == "running"
        scan(match.office)
    assert match.status() == "shunted" and match.playing().row.turn == turn
    assert "The database gave it up 3 times" in match.last(GINA, "refusal").flat
    match.reply(GINA, "RESUME nw1")
    match.work()
    assert match.status() == "running"


def test_a_store_that_is_away_is_one_line_in_the_log_and_a_fault_is_told_in_full(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = logging.getLogger("test")
    for problem in [NotNow("connection refused")] * 50 + [KeyError("x"), KeyError("x"), KeyError("y")]:
        try:
            raise problem
        except Exception as caught:
            log_failure(log, caught, "%s failed; it is tried again", "the desk of this test")
    away, *faults = caplog.records
    assert away.getMessage() == "the desk of this test failed; it is tried again: connection refused"
    assert away.exc_info is None
    assert [bool(fault.exc_info) for fault in faults] == [True, True]


def test_a_full_disk_is_no_attempt(match: World) -> None:
    """Whoever else filled it: letters are new still, and are done when there is room."""
    rows = _waiting(match, 20)
    writer = match.store._writer
    assert writer is not None
    writer.exec_driver_sql("CREATE TABLE filler (x BLOB)")
    (pages,) = writer.exec_driver_sql("PRAGMA page_count").one()
    writer.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OperationalError, match="full"):
        while True:
            writer.exec_driver_sql("INSERT INTO filler VALUES (zeroblob(400))")
    for _ in range(match.office.limits.attempts + 1):
        with pytest.raises(NotNow, match="full"):
            for row in rows:
                handle_safely(match.office, row)
    left = match.letters("new")
    assert left and {letter.attempts for letter in left} == {0} and not match.letters("shunted")
    writer.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert sum(handle_safely(match.office, row) for row in left) == len(left)


def test_a_letter_that_breaks_its_reader_stops_no_other_where_something_fell_due_before_it(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is asked which matches it may speak to reads it, and that is an attempt like any other."""
    to = match.office.address

    def breaks(row: LetterIn) -> Any:
        if b"break the reader" in row.raw:
            raise RecursionError("a fault")
        return open_letter(row)

    monkeypatch.setattr("referee.service.intake.inbox.open_letter", breaks)
    match.clock.advance(timedelta(hours=25))
    match.put(raw(GINA, to, "break the reader"), GINA, to)
    match.put(raw("zoe@players.example", to, "HELP"), "zoe@players.example", to)
    for _ in range(match.office.limits.attempts + 1):
        handle_new(match.office)
    assert [letter.verdict for letter in match.letters("shunted")] == ["RecursionError: a fault"]
    assert match.letters("new") == []


def test_a_duty_that_fails_keeps_no_other_up_and_is_told_of_until_it_is_done(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daily letter to the keeper breaks; deadlines ring, and health says what fails."""
    duties = Duties(logging.getLogger(__name__), partial(desk_process._tell_of, match.office), 3)

    def breaks(office: object) -> bool:
        raise KeyError("a fault")

    def wrong() -> tuple[str, ...]:
        with match.store.look() as step:
            return health(match.clock.now(), step, Around(10**9), timedelta(hours=99)).wrong

    with monkeypatch.context() as patched:
        patched.setattr(deadlines, "send_digest", breaks)
        rung = 0
        for number in range(4):
            match.clock.advance(timedelta(hours=25))
            rung += desk_process.work_at(match.office, duties, measures=False)
            assert any("The desk fails at its daily letter" in said for said in wrong()) is (number >= 2)
    assert rung, "no deadline rang"
    with match.store.look() as step:
        assert [concern.about for concern in concerns(At(match.office, step)) if concern.kind == "failing"] == [
            "daily letter"
        ]
    desk_process.work_at(match.office, duties, measures=False)
    assert not any("fails" in said for said in wrong())
