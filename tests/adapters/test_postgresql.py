"""A step on a PostgreSQL: its writes are on their way while it goes on, its errors are told, the bell rings as it commits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from referee.adapters.files import Unusable
from referee.adapters.store.database import open_engine
from referee.adapters.store.desk_locks import ServerBell
from referee.adapters.store.store import Store
from referee.core.record import Entry
from referee.service.base.ports import (
    Alarm,
    Conflict,
    LetterIn,
    LetterOut,
    MatchRow,
    NotNow,
    Overtaken,
    Player,
    Report,
    Stalled,
    Step,
)
from tests.postgresql import Postgresql
from tests.real.machine import eventually

pytestmark = pytest.mark.real

Came = Callable[..., LetterIn]

_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_IN_A_CROWD = 12
"""More often than psycopg waits until it has the server keep a statement."""


@pytest.fixture
def url(postgresql: Postgresql) -> str:
    return postgresql.fresh()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store(url)
    yield opened
    opened.close()


def noted(store: Store) -> str | None:
    with store.look() as look:
        return look.note("ALPHA", "", "n")


def kill_all(url: str) -> None:
    """What becomes of the connections of a process that dies."""
    other = open_engine(url)
    with other.connect() as db:
        db.exec_driver_sql(_OTHERS)
    other.dispose()


def break_silently(step: Step) -> None:
    """A write that the server refuses, of which the step hears nothing yet: a number that is too great for its column."""
    step.spare_letter(1 << 40)


def test_what_a_write_meets_is_told_by_a_later_read_or_at_the_end(store: Store, noon: datetime) -> None:
    for ends in (False, True):
        with pytest.raises(DBAPIError, match="out of range"), store.step() as step:
            step.put_note("ALPHA", "", "n", "must not stay")
            break_silently(step)
            if not ends:
                step.next_alarm()
                raise AssertionError("not reached")
        assert noted(store) is None


def test_a_step_that_does_not_heed_what_it_met_is_not_called_a_success(store: Store) -> None:
    with pytest.raises(DBAPIError, match="out of range"), store.step() as step:
        step.put_note("ALPHA", "", "n", "must not stay")
        break_silently(step)
        with suppress(DBAPIError):
            step.next_alarm()
    assert noted(store) is None


def test_steps_go_on_after_many_that_broke(store: Store) -> None:
    for number in range(_IN_A_CROWD):
        with suppress(DBAPIError), store.step() as step:
            break_silently(step)
            step.put_note("ALPHA", "", "n", f"lost {number}")
            step.next_alarm()
        with store.step() as step:
            step.put_note("ALPHA", "", "n", f"kept {number}")
            step.next_alarm()
        assert noted(store) == f"kept {number}"


@pytest.mark.parametrize("reads", [True, False])
def test_a_connection_lost_in_the_middle_passes_by_itself(
    store: Store, url: str, reads: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NotNow), store.step() as step:
        step.put_note("ALPHA", "", "n", "must not stay")
        step.next_alarm()
        kill_all(url)
        step.put_note("ALPHA", "", "other", "must not stay")
        if reads:
            step.next_alarm()
    assert not caplog.records
    with store.step() as step:
        assert step.note("ALPHA", "", "n") is None


def beside(store: Store, first: Callable[[Step], object], second: Callable[[Step], object]) -> list[object]:
    """What becomes of a step that meets another one before that is committed; one that is overtaken is done anew."""
    came_of: list[object] = []

    def other() -> None:
        while not came_of:
            try:
                with store.step() as step:
                    found = second(step)
                came_of.append(found)
            except Overtaken:
                continue
            except Exception as error:
                came_of.append(error)

    with store.step() as step:
        first(step)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.3)
        assert not came_of  # it waits
    thread.join(10)
    return came_of


def test_who_appends_to_a_log_behind_another_does_nothing(store: Store, alpha: MatchRow, entries: list[Entry]) -> None:
    def append(step: Step) -> None:
        step.put_note("ALPHA", "", "n", "must not stay")
        step.append(entries)

    with store.step() as step:
        step.save_match(alpha)
    (error,) = beside(store, lambda step: step.append(entries[:1]), append)
    assert isinstance(error, Conflict)
    with store.look() as look:
        assert look.entries("ALPHA") == entries[:1]
    assert noted(store) is None


def test_a_logical_key_that_two_take_at_once_is_taken_once(store: Store, came: Came) -> None:
    with store.step() as step:
        first, second = step.receive([came("a"), came("b")])
    (error,) = beside(
        store,
        lambda step: step.finish_letter(first, "done", "", logical="same"),
        lambda step: step.finish_letter(second, "done", "", logical="same"),
    )
    assert isinstance(error, Conflict)
    with store.look() as look:
        assert [letter.id for letter in look.letters("new")] == [second]


def test_a_letter_that_two_post_at_once_is_posted_once(store: Store, goes: Callable[..., LetterOut]) -> None:
    (said,) = beside(
        store, lambda step: step.post(goes("<1@x>", raw=b"one")), lambda step: step.post(goes("<1@x>", raw=b"two"))
    )
    assert said is False
    with store.look() as look:
        assert [letter.raw for letter in look.outgoing("ALPHA")] == [b"one"]


def test_a_letter_that_two_receive_at_once_is_stored_once(store: Store, came: Came) -> None:
    (said,) = beside(
        store, lambda step: step.receive([came("a")]), lambda step: step.receive([came("a"), came("b", raw=b"other")])
    )
    assert isinstance(said, list) and [bool(id) for id in said] == [False, True]


def test_a_letter_that_another_posted_and_took_back_is_posted(store: Store, goes: Callable[..., LetterOut]) -> None:
    class Undone(Exception):
        pass

    said: list[object] = []

    def post_and_take_back(step: Step) -> None:
        step.post(goes("<1@x>", raw=b"one"))
        thread.start()
        thread.join(0.3)
        assert not said
        raise Undone

    def post() -> None:
        with store.step() as step:
            said.append(step.post(goes("<1@x>", raw=b"two")))

    thread = threading.Thread(target=post)
    with suppress(Undone), store.step() as step:
        post_and_take_back(step)
    thread.join(10)
    assert said == [True]
    with store.look() as look:
        assert [letter.raw for letter in look.outgoing("ALPHA")] == [b"two"]


def test_an_address_that_another_took_meanwhile_is_a_conflict_after_which_the_step_goes_on(store: Store) -> None:
    def take(step: Step) -> str:
        with pytest.raises(Conflict):
            step.save_player(Player(0, "Ben", ("anna@x.org",)))
        step.put_note("ALPHA", "", "n", "it went on")
        return "done"

    anna = Player(0, "Anna", ("anna@x.org",))
    assert beside(store, lambda step: step.save_player(anna), take) == ["done"]
    assert noted(store) == "it went on"
    with store.look() as look:
        found = look.player_at("anna@x.org")
    assert found is not None and found.name == "Anna"


@pytest.mark.parametrize(("asked", "kept"), [("", True), ("?prepare_threshold=none", False)])
def test_a_pooler_may_forbid_that_the_server_keeps_statements(url: str, noon: datetime, asked: str, kept: bool) -> None:
    store = Store(f"{url}{asked}")
    for number in range(_IN_A_CROWD):
        with store.step() as step:
            step.set_alarm(Alarm("ALPHA", "deadline", f"T{number}", noon))
            assert len(step.alarms("ALPHA")) == number + 1
    with store.engine.connect() as db:
        statements = db.execute(text("SELECT statement FROM pg_prepared_statements")).scalars().all()
    store.close()
    assert bool(statements) is kept


def test_how_often_is_a_number(url: str) -> None:
    with pytest.raises(Unusable, match=r'prepare_threshold is a number, or "none", not "often"'):
        Store(f"{url}?prepare_threshold=often")


@pytest.mark.parametrize("wrote", [True, False])
def test_a_step_that_stands_still_is_given_up_by_the_server(url: str, wrote: bool) -> None:
    store = Store(url)
    store.close()
    patient = Store(f"{url}?options=-c%20idle_in_transaction_session_timeout%3D200ms")
    with pytest.raises(Stalled), patient.step() as step:
        step.put_note("ALPHA", "", "n", "must not stay")
        step.next_alarm()
        if wrote:
            step.put_note("ALPHA", "", "other", "must not stay")
        time.sleep(0.5)
        step.next_alarm()
    patient.close()


def test_what_a_dead_worker_had_claimed_is_free_again(
    store: Store, url: str, came: Came, goes: Callable[..., LetterOut], noon: datetime
) -> None:
    with store.step() as step:
        ids = step.receive([came("a"), came("b")])
        step.post(goes("<1@x>"))
    with pytest.raises(NotNow), store.step() as step:
        assert step.claim_new(ids) == set(ids) and len(step.claim_outgoing(noon, 9, 60)) == 1
        kill_all(url)
        step.next_alarm()
    with store.step() as step:
        assert step.claim_new(ids) == set(ids) and len(step.claim_outgoing(noon, 9, 60)) == 1


# ---------------------------------------------------------------- the bell between machines


class Machine:
    """Another machine of the same database: what it heard, and how often it began to listen."""

    def __init__(self, url: str) -> None:
        self.heard: list[str] = []
        self.times = 0
        self.bell = ServerBell(url, self.heard.append, self._back)

    def _back(self) -> None:
        self.times += 1


@pytest.fixture
def machine(store: Store, url: str) -> Iterator[Machine]:
    made = Machine(url)
    made.bell.start()
    eventually("somebody to listen", lambda: made.times > 0)
    yield made
    made.bell.stop()


def test_who_stores_letters_or_has_run_a_match_on_is_heard_when_it_is_committed(
    store: Store, machine: Machine, came: Callable[..., LetterIn], alpha: MatchRow, noon: datetime
) -> None:
    with pytest.raises(ValueError, match="undone"), store.step() as step:
        step.receive([came("lost")])
        raise ValueError("undone")
    with store.step() as step:
        step.save_match(alpha)
        step.keep_report(Report("ALPHA", 1, 0, "", "Turn 1", noon, 0, "", b"{}", b"[]"))
        step.keep_report(Report("ALPHA", 1, 0, "France", "Turn 1", noon, 0, "", b"{}", b"[]"))
    eventually("the match", lambda: machine.heard == ["ALPHA"])
    with store.step() as step:
        step.receive([came("a")])
    eventually("the letter", lambda: machine.heard == ["ALPHA", ""])
    machine.bell.ring("BETA")
    eventually("the other match", lambda: machine.heard[2:] == ["BETA"])


def test_who_lost_the_line_listens_again_and_knows_that_rings_may_have_been_missed(
    store: Store, machine: Machine
) -> None:
    with store.engine.begin() as db:
        db.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'referee bell%'")
        )
    eventually("it to listen again", lambda: machine.times == 2)
    machine.bell.ring("ALPHA")
    eventually("the match", lambda: machine.heard == ["ALPHA"])
