"""The mailbag: what was put in is in the store once, wherever a process dies."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from referee.adapters.incoming import mailbag
from referee.adapters.incoming.mailbag import Mailbag, Spool
from referee.adapters.store.store import Store
from referee.service.base.ports import LetterIn, NotNow

Came = Callable[..., LetterIn]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the bag lies."""
    return tmp_path / "referee.sqlite-mailbag"


@pytest.fixture
def bag(path: Path) -> Iterator[Mailbag]:
    """An open bag."""
    bag = Mailbag(path)
    yield bag
    bag.close()


def put(bag: Mailbag, *letters: LetterIn) -> None:
    with bag.step() as step:
        step.receive(letters)


def keys(store: Store) -> list[str]:
    with store.look() as look:
        return [letter.transport for letter in look.letters("new", 1000)]


def test_letters_come_out_as_they_went_in_and_in_their_order(store: Store, bag: Mailbag, came: Came) -> None:
    letters = [came("b", raw=b"\x00\xff\r\n"), came("a", sender="", recipient="ä@ö"), came("c")]
    put(bag, *letters)
    assert bag.empty_into(store, heap=2) == 3
    assert bag.empty_into(store) == 0
    with store.look() as look:
        found = look.letters("new", 9)
    assert [(x.transport, x.received_at, x.sender, x.recipient, x.raw) for x in found] == [
        (x.transport, x.received_at, x.sender, x.recipient, x.raw) for x in letters
    ]


def test_two_who_take_letters_out_leave_each_once_and_in_its_order(
    path: Path, store: Store, bag: Mailbag, came: Came
) -> None:
    other = Mailbag(path)
    put(bag, came("b"), came("a"))
    bag.empty_into(store)
    put(bag, came("c"))
    with store.look() as look:
        assert not other.is_known_to(look)
    assert other.empty_into(store, heap=2) == 3, "it cannot tell which of them the other has taken"
    with store.look() as look:
        assert bag.is_known_to(look)
    assert bag.empty_into(store) == 0, "it knows that the other has taken them"
    assert keys(store) == ["b", "a", "c"]
    other.close()


def test_a_step_that_fails_leaves_nothing(bag: Mailbag, store: Store, came: Came) -> None:
    with pytest.raises(ValueError), bag.step() as step:
        step.receive([came("a")])
        raise ValueError
    put(bag, came("b"))
    bag.empty_into(store)
    assert keys(store) == ["b"]


def test_a_store_that_fails_leaves_everything_in_the_bag(bag: Mailbag, store: Store, came: Came) -> None:
    put(bag, came("a"))

    class Full:
        def step(self) -> Any:
            raise OSError("disk full")

        look = tidy = step

    with pytest.raises(OSError):
        bag.empty_into(Full())
    assert bag.empty_into(store) == 1
    assert keys(store) == ["a"]


def test_letters_are_taken_while_the_store_is_being_written(path: Path, store: Store, bag: Mailbag, came: Came) -> None:
    spool = Spool(bag)
    spool.start()
    with store.step():
        assert spool.put([came("meanwhile")]).result(timeout=10) is None
    spool.stop()
    assert bag.empty_into(store) == 1
    assert keys(store) == ["meanwhile"]


def test_one_letter_the_bag_cannot_take_does_not_hold_up_the_others(bag: Mailbag, store: Store, came: Came) -> None:
    spool = Spool(bag)
    waiting = [spool.put([came("good")]), spool.put([came("bad", sender=object())]), spool.put([came("fine")])]
    spool.start()
    spool.stop()
    assert [one.exception() is None for one in waiting] == [True, False, True]
    bag.empty_into(store)
    assert keys(store) == ["good", "fine"]


def test_who_is_late_to_throw_away_does_not_throw_away_what_came_meanwhile(
    path: Path, store: Store, bag: Mailbag, came: Came
) -> None:
    other = Mailbag(path)
    put(bag, came("a"))

    class Slow:
        """A store during whose step somebody else empties the bag, and the next letter comes."""

        def step(self) -> Any:
            other.empty_into(store)
            put(other, came("b"))
            return store.step()

        look = step

        def tidy(self) -> None:
            store.tidy()

    assert bag.empty_into(Slow()) == 1
    assert bag.empty_into(store) == 1
    assert keys(store) == ["a", "b"]
    other.close()


def test_what_was_taken_out_is_not_taken_again_and_is_thrown_away_when_there_is_time(
    path: Path, store: Store, bag: Mailbag, came: Came
) -> None:
    put(bag, came("a"), came("b"))
    assert bag.empty_into(store) == 2
    put(bag, came("c"))
    assert lying_in(path) == 2
    assert bag.empty_into(store) == 1
    bag.tidy()
    assert lying_in(path) == 0


def test_a_letter_to_many_lies_in_the_bag_and_in_the_store_once(
    path: Path, url: str, store: Store, bag: Mailbag, came: Came
) -> None:
    raw = b"x" * 1_000_000
    put(bag, *(came(f"{number}/a", recipient=f"referee+m{number}@localhost", raw=raw) for number in range(100)))
    assert lying_in(path) == 1
    assert bag.empty_into(store) == 100
    with store.look() as look:
        letters = look.letters("new", 200)
    assert [letter.recipient for letter in letters] == [f"referee+m{number}@localhost" for number in range(100)]
    assert {letter.raw for letter in letters} == {raw}
    bag.tidy()
    # The journals hold a copy each until they are carried over.
    assert sum(file.stat().st_size for file in path.parent.iterdir()) < 5 * len(raw)


def test_large_letters_are_taken_out_a_few_at_a_time(
    path: Path, store: Store, bag: Mailbag, came: Came, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbag, "_BYTES_AT_ONCE", 2_000)
    heaps: list[int] = []

    class Counted:
        """A store that notes how many letters a step takes."""

        @contextmanager
        def step(self) -> Iterator[Any]:
            with store.step() as step:
                yield self
                heaps.append(len(step.receive(self.letters)))

        def receive(self, letters: Sequence[LetterIn]) -> None:
            self.letters = letters

        look = tidy = step

    counted: Any = Counted()
    for number in range(7):
        put(bag, came(str(number), raw=b"x" * 999))
    assert bag.empty_into(counted) == 7
    assert heaps == [3, 3, 1]
    assert len(keys(store)) == 7


def test_a_bag_that_is_never_idle_does_not_grow_for_ever(
    path: Path, store: Store, bag: Mailbag, came: Came, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbag, "_LEFT_BEHIND", 5)
    for number in range(40):
        put(bag, came(f"{number:02}"))
        assert bag.empty_into(store) == 1
        assert lying_in(path) <= 6
    assert len(keys(store)) == 40


def lying_in(path: Path) -> int:
    """How many letters lie in the bag, taken out or not; one to several recipients is one."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM letter").fetchone()[0])


def emptied_until(number: int, path: Path, url: str) -> bool:
    """Empty the bag in a process that is killed as it begins its statement of this number; whether it was."""
    child = os.fork()
    if not child:
        count = 0

        def counted(_: str) -> None:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

        bag, store = Mailbag(path), Store(url)
        bag._db.set_trace_callback(counted)
        event.listen(store.engine, "checkout", lambda driver, *_: driver.set_trace_callback(counted))
        while bag.empty_into(store):
            pass
        bag.tidy()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_killed_at_every_statement_nothing_is_lost_and_nothing_doubled(
    path: Path, url: str, bag: Mailbag, came: Came
) -> None:
    after = Store(url)
    laid = ["0/a", "0/b"]
    put(bag, *map(came, laid))
    number = 1
    while emptied_until(number, path, url):
        if (
            keys(after) == laid and len(laid) < 20
        ):  # each letter is a statement more: without a bound it would never end
            more = [f"{number}/a", f"{number}/b"]
            put(bag, *map(came, more))
            laid += more
        number += 1
    assert number > 8
    assert bag.empty_into(after) == 0
    assert keys(after) == laid
    after.close()


def test_one_puts_in_while_another_takes_out(path: Path, store: Store, came: Came) -> None:
    writer, reader, count = Mailbag(path), Mailbag(path), 60

    def write() -> None:
        for number in range(count):
            put(writer, came(f"{number:03}"))

    thread = threading.Thread(target=write)
    thread.start()
    taken = 0
    while taken < count:
        taken += reader.empty_into(store)
    thread.join()
    assert keys(store) == [f"{number:03}" for number in range(count)]
    for one in (writer, reader):
        one.close()


def test_what_lies_in_the_bag_is_listed_without_taking_it_out(store: Store, bag: Mailbag, came: Came) -> None:
    put(bag, came("a", raw=b"first"), came("b", raw=b"second one"))
    bag.empty_into(store)
    put(bag, came("c", sender="anna@example.org", raw=b"third"))
    with store.look() as look:
        (lying,) = bag.waiting(look)
    assert (lying.id, lying.sender, lying.size, lying.status) == (0, "anna@example.org", 5, "in the mailbag")
    assert bag.empty_into(store) == 1


_REFUSED = "CREATE TRIGGER t BEFORE INSERT ON letter_in WHEN NEW.transport LIKE 'bad%' BEGIN SELECT RAISE(ABORT, 'a fault'); END"


def test_a_heap_that_always_fails_is_taken_apart_and_what_breaks_it_is_laid_aside(
    path: Path, store: Store, bag: Mailbag, came: Came, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault put into the database on purpose: two of six letters break whatever heap they are in."""
    with store.engine.begin() as db:
        db.execute(text(_REFUSED))
    put(bag, *(came(key, raw=key.encode()) for key in ("a", "bad1", "b", "c", "bad2", "d")))
    bag.empty_into(store)
    assert keys(store) == ["a", "b", "c", "d"]
    assert [(row.status, row.size) for row in bag.aside()] == [("aside", 4), ("aside", 4)]
    assert caplog.text.count("of the mailbag is laid aside") == 2
    bag.close()
    again = Mailbag(path)
    assert len(again.aside()) == 2, "a restart loses nothing"
    with store.engine.begin() as db:
        db.execute(text("DROP TRIGGER t"))
    assert again.take_back() == 2
    again.empty_into(store)
    assert (keys(store), again.aside()) == (["a", "b", "c", "d", "bad1", "bad2"], [])
    again.close()


def test_what_the_store_cannot_do_now_lays_nothing_aside(store: Store, bag: Mailbag, came: Came) -> None:
    with store.step() as step:
        step.receive([came("before")])
    full(store)
    put(bag, came("large", raw=b"x" * 4_000_000))
    with pytest.raises(NotNow, match="full"):
        bag.empty_into(store)
    assert bag.aside() == []


def full(store: Store) -> None:
    """Its file may not get larger: what SQLite then says is what it says of a full disk."""
    assert store._writer is not None
    (pages,) = store._writer.exec_driver_sql("PRAGMA page_count").one()
    store._writer.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
