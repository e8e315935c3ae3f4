"""A step is all or nothing: on exceptions, between processes, and when the process is killed in the middle."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from referee.adapters.files import Unusable
from referee.adapters.store.store import Store
from referee.core.record import Entry
from referee.service.base.ports import LetterIn, LetterOut, MatchRow, NotNow

Came = Callable[..., LetterIn]


class Stumbled(Exception):
    pass


def test_an_exception_in_the_middle_leaves_nothing(
    store: Store, came: Came, goes: Callable[..., LetterOut], alpha: MatchRow, entries: list[Entry]
) -> None:
    with pytest.raises(Stumbled), store.step() as step:
        step.save_match(alpha)
        step.append(entries)
        step.receive([came("a")])
        step.post(goes("<1@x>"))
        raise Stumbled
    with store.look() as look:
        assert (look.match("ALPHA"), look.entries("ALPHA"), look.letters("new", 9), look.outgoing("ALPHA")) == (
            None,
            [],
            [],
            [],
        )
    with store.step() as step:
        assert step.receive([came("a")]) != [0]


def test_a_look_cannot_write(store: Store, came: Came) -> None:
    with pytest.raises(NotNow, match="readonly"), store.look() as look:
        look.receive([came("a")])
    with store.step() as step:
        assert step.receive([came("a")]) != [0]


def test_a_look_sees_one_moment(store: Store, came: Came) -> None:
    with store.look() as look:
        assert look.letters("new", 9) == []
        with store.step() as step:
            step.receive([came("a")])
        assert look.letters("new", 9) == []
    with store.look() as look:
        assert len(look.letters("new", 9)) == 1


def test_a_step_inside_a_step_is_refused_and_the_outer_one_undone(store: Store, came: Came) -> None:
    with pytest.raises(RuntimeError, match="inside a step"), store.step() as step:
        step.receive([came("a")])
        with store.step():
            pass
    with store.look() as look:
        assert look.letters("new", 9) == []


def test_tidying_moves_what_was_committed_out_of_the_log_it_was_written_to_and_nobody_waits_for_it(
    tmp_path: Path, came: Came
) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.sqlite'}")
    before = (tmp_path / "a.sqlite").stat().st_size
    with store.step() as step:
        step.receive([came(f"{number}") for number in range(400)])
    with store.look() as look:
        store.tidy()
        assert len(look.letters("new", 500)) == 400
    assert (tmp_path / "a.sqlite").stat().st_size > before
    store.close()
    store = Store(f"sqlite:///{tmp_path / 'a.sqlite'}")
    with store.look() as look:
        assert len(look.letters("new", 500)) == 400
    store.close()


def test_entries_of_a_match_that_does_not_exist_are_no_mere_conflict(store: Store, entries: list[Entry]) -> None:
    with pytest.raises(sqlite3.IntegrityError), store.step() as step:
        step.append(entries)
    with store.look() as look:
        assert look.entries("ALPHA") == []


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)]
)
def test_every_connection_is_durable(store: Store, pragma: str, value: object) -> None:
    with store.engine.connect() as first, store.engine.connect() as second:
        for connection in (first, second):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value


def test_a_database_that_would_die_with_the_process_is_refused() -> None:
    with pytest.raises(Unusable, match="file"):
        Store("sqlite://")


def test_threads_take_turns(store: Store, came: Came) -> None:
    def write(name: int) -> None:
        for number in range(10):
            with store.step() as step:
                step.receive([came(f"{name}/{number}")])

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.look() as look:
        assert len(look.letters("new", 100)) == 40


_WRITER = textwrap.dedent(
    """
    import sys
    from datetime import UTC, datetime
    from referee.adapters.store.store import Store
    from referee.service.base.ports import LetterIn

    store, name, steps = Store(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    now = datetime(2031, 5, 4, tzinfo=UTC)
    for number in range(steps):
        with store.step() as step:
            for part in range(3):
                step.receive([LetterIn(0, f"{name}/{number}/{part}", now, "a", "b", b"x" * 3000)])
            step.put_note("", "", name, str(number))
        print(number, flush=True)
    """
)


def _writer(url: str, name: str, steps: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _WRITER, url, name, str(steps)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_write_at_the_same_time(url: str) -> None:
    writers = [_writer(url, name, 40) for name in ("one", "two")]
    outputs = [writer.communicate()[0].split() for writer in writers]
    assert [len(output) for output in outputs] == [40, 40]
    store = Store(url)
    with store.look() as look:
        assert len(look.letters("new", 1000)) == 2 * 40 * 3
        assert (look.note("", "", "one"), look.note("", "", "two")) == ("39", "39")
    store.close()


def test_a_killed_process_leaves_whole_steps_and_everything_it_had_acknowledged(url: str) -> None:
    with _writer(url, "victim", 100_000) as writer:
        assert writer.stdout is not None
        acknowledged = -1
        try:
            while acknowledged < 25:
                acknowledged = int(writer.stdout.readline())
        finally:
            writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate()
    # A line cut short by the kill says nothing.
    acknowledged = max([acknowledged, *(int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n"))])
    store = Store(url)
    with store.look() as look:
        last = int(look.note("", "", "victim") or -1)
        keys = {letter.transport for letter in look.letters("new", 1_000_000)}
    store.close()
    assert last >= acknowledged
    assert keys == {f"victim/{number}/{part}" for number in range(last + 1) for part in range(3)}


def test_a_locked_database_fails_the_step_and_not_the_store(url: str, came: Came, tmp_path: Path) -> None:
    store = Store(url, busy_seconds=0.01)
    other = sqlite3.connect(tmp_path / "referee.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotNow, match="locked"), store.step():
        pass
    other.execute("ROLLBACK")
    other.close()
    with store.step() as step:
        assert step.receive([came("after")]) != [0]
    store.close()


def test_a_disk_that_is_full_at_the_commit_is_no_fault_of_the_program(tmp_path: Path, noon: datetime) -> None:
    store = Store(f"sqlite:///{tmp_path / 'referee.sqlite'}")
    with store.step():
        pass
    with store._writing_connection() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar()
        db.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotNow, match="full"), store.step() as step:
        step.receive([LetterIn(0, "smtp:1", noon, "a@b.example", "r@games.example", bytes(1_000_000))])
    store.close()
