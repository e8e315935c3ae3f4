"""Two stores on one SQLite file of which one reckons ahead: it writes late, and only on what stands then as it read it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from random import Random

import pytest

from referee.adapters.store.sql.ahead import Ahead, shape_of
from referee.adapters.store.store import Store
from referee.core.record import Entry
from referee.service.base.office import in_spite
from referee.service.base.ports import Alarm, LetterIn, LetterOut, MatchRow, Overtaken, Player, Step


@pytest.fixture
def ahead(url: str, store: Store) -> Iterator[Store]:
    opened = Store(url, ahead=True)
    yield opened
    opened.close()


@pytest.fixture
def begun(store: Store, alpha: MatchRow, entries: list[Entry]) -> None:
    with store.step() as step:
        step.save_match(alpha)
        step.append(entries[:1])


def note(store: Store, name: str, value: str) -> None:
    with store.step() as step:
        step.put_note("", "", name, value)


def noted(store: Store, name: str) -> str | None:
    with store.look() as step:
        return step.note("", "", name)


def test_others_write_while_a_step_reckons(store: Store, ahead: Store, begun: None) -> None:
    with ahead.step() as step:
        assert step.note("", "", "one") is None
        step.put_note("", "", "one", "reckoned")
        note(store, "another", "meanwhile")
        assert noted(store, "one") is None
    assert (noted(store, "one"), noted(store, "another")) == ("reckoned", "meanwhile")


def test_a_step_whose_reading_was_changed_writes_nothing_and_the_next_one_is_done_on_what_stands(
    store: Store, ahead: Store, begun: None
) -> None:
    def counted(between: Callable[[], None]) -> None:
        with ahead.step() as step:
            count = int(step.note("", "", "count") or 0)
            between()
            step.put_note("", "", "count", str(count + 1))

    with pytest.raises(Overtaken):
        counted(lambda: note(store, "count", "7"))
    assert noted(store, "count") == "7"
    counted(lambda: None)
    assert noted(store, "count") == "8"


def test_who_handles_letters_is_not_overtaken_by_another_who_handles_those_between(
    store: Store, ahead: Store, came: Callable[..., LetterIn]
) -> None:
    with store.step() as step:
        ids = step.receive([came(f"letter {number}") for number in range(40)])
    mine, others = ids[::2], ids[1::2]
    with ahead.step() as step:
        assert step.claim_new(mine) == set(mine)
        with store.step() as other:
            for id in others:
                other.finish_letter(id, "done", "")
        for id in mine:
            step.finish_letter(id, "done", "")
    with store.look() as look:
        assert look.still_new(ids) == []


def test_what_was_not_there_and_is_now_counts_as_changed(
    store: Store, ahead: Store, begun: None, entries: list[Entry]
) -> None:
    with pytest.raises(Overtaken), ahead.step() as step:
        assert [entry.seq for entry in step.entries("ALPHA")] == [0]
        step.put_note("", "", "seen", "1")
        with store.step() as other:
            other.append(entries[1:])
    assert noted(store, "seen") is None


def test_what_has_happened_stands_whatever_is_added_to_the_log(
    store: Store, ahead: Store, begun: None, entries: list[Entry]
) -> None:
    with ahead.step() as step:
        assert list(step.happenings("ALPHA", 0, 0)) == entries[:1]
        step.append(entries[2:])
        assert list(step.happenings("ALPHA", 0, 0)) == entries[:1]
        with store.step() as other:
            other.append(entries[1:2])  # neither what was read nor what is laid aside keeps another from it
    with store.look() as step:
        assert list(step.happenings("ALPHA", 0, 2)) == entries


def test_who_reads_as_far_as_what_he_has_laid_aside_reads_it_too(
    ahead: Store, begun: None, entries: list[Entry]
) -> None:
    with ahead.step() as step:
        step.append(entries[1:])
        assert list(step.happenings("ALPHA", 0, 1)) == entries[:2]


def test_a_key_that_was_taken_meanwhile_overtakes_who_did_not_look(
    store: Store, ahead: Store, begun: None, entries: list[Entry], goes: Callable[..., LetterOut]
) -> None:
    def appends(step: Step) -> None:
        step.append(entries[1:2])

    def posts(step: Step) -> None:
        step.post(goes("<a@x>"))

    for write in (appends, posts):
        with store.step() as other:
            write(other)
        with pytest.raises(Overtaken), ahead.step() as step:
            write(step)
            step.put_note("", "", "beside", write.__name__)
        assert noted(store, "beside") is None
        with ahead.step() as step:
            step.put_note("", "", "tried", "again")


def test_who_reads_what_he_has_laid_aside_reads_it(
    ahead: Store, begun: None, entries: list[Entry], came: Callable[..., LetterIn], goes: Callable[..., LetterOut]
) -> None:
    with ahead.step() as step:
        step.append(entries[1:])
        assert [entry.seq for entry in step.entries("ALPHA")] == [0, 1, 2]
        step.put_note("ALPHA", "France", "bank", "3")
        assert step.notes("ALPHA", "bank") == {"France": "3"}
        assert step.post(goes("<a@x>")) and not step.post(goes("<a@x>"))
        (id,) = step.receive([came("a")])
        assert [letter.id for letter in step.letters("new")] == [id]
        assert [letter.message_id for letter in step.outgoing("ALPHA")] == ["<a@x>"]


def test_nothing_that_a_step_has_read_stays_in_memory_when_it_has_ended(
    ahead: Store, begun: None, goes: Callable[..., LetterOut], came: Callable[..., LetterIn]
) -> None:
    def saved(fails: bool) -> Player:
        with suppress(ValueError), ahead.step() as step:
            step.entries("ALPHA")
            player = step.save_player(Player(0, f"Ann {fails}", (f"{fails}@x",)))
            step.post(goes(f"<{fails}@x>"))
            if fails:
                raise ValueError("broke")
        return player

    gc.freeze()  # what was there before is not looked through
    gc.disable()
    try:
        for fails in (False, True):
            player = saved(fails)
            assert not [each for each in gc.get_objects() if isinstance(each, Ahead)]
            assert fails or int(player.id) == 1, "its number is known for good"
    finally:
        gc.enable()


def test_a_step_that_fails_leaves_nothing(ahead: Store, begun: None) -> None:
    for reads_it in (False, True):
        with pytest.raises(ValueError, match="broke"), ahead.step() as step:
            step.put_note("", "", "one", "1")
            assert not reads_it or step.notes("", "one")
            raise ValueError("broke")
        assert noted(ahead, "one") is None


def test_a_row_is_told_apart_by_what_stands_outside_of_parentheses() -> None:
    cleared = shape_of('DELETE FROM alarm WHERE alarm."match" = ? AND (? = ? OR alarm.kind = ?)')
    assert (cleared.tables, cleared.writes, dict(cleared.where)) == (("alarm",), True, {"match": 0})
    either = shape_of("SELECT letter_in.id FROM letter_in WHERE letter_in.status = ? OR letter_in.status = ?")
    assert (either.writes, dict(either.where)) == (False, {})
    stretch = shape_of('SELECT entry.seq FROM entry WHERE entry."match" = ? AND entry.seq >= ? AND entry.seq <= ?')
    assert (dict(stretch.where), dict(stretch.until), stretch.stands) == ({"match": 0}, {"seq": 2}, True)
    assert not shape_of('SELECT entry.seq FROM entry WHERE entry."match" = ? AND entry.seq >= ?').stands
    moved = shape_of('UPDATE letter_in SET status=?, "match"=? WHERE letter_in.id = ? AND letter_in.status = ?')
    assert (dict(moved.where), dict(moved.sets)) == ({"id": 2}, {"status": 0, "match": 1})
    counted = shape_of("UPDATE letter_in SET attempts=(letter_in.attempts + ?), verdict=? WHERE letter_in.attempts = ?")
    assert (dict(counted.where), dict(counted.sets)) == ({}, {"verdict": 1}), (
        "what is reckoned from itself tells no row apart"
    )
    kept = shape_of(
        'INSERT INTO note ("match", seat, name, value) VALUES (?, ?, ?, ?) '
        'ON CONFLICT ("match", seat, name) DO UPDATE SET value = excluded.value'
    )
    assert (kept.tables, dict(kept.where)) == (("note",), {"match": 0, "seat": 1, "name": 2})


@pytest.mark.parametrize("seed", range(20))
def test_a_step_reads_the_same_ahead_of_its_writing_as_after_it(
    store: Store, ahead: Store, begun: None, goes: Callable[..., LetterOut], seed: int
) -> None:
    """The same steps, done at once in one place and ahead in another, read the same at every point."""

    def done(beneath: Store, where: str, number: int) -> list[object]:
        draws = Random(f"{seed} {number}")
        with beneath.step() as step:
            return [_done(step, where, draws, goes) for _ in range(25)]

    for number in range(4):
        assert in_spite(partial(done, ahead, "ahead", number), Overtaken) == done(store, "at once", number)


def _done(step: Step, where: str, draws: Random, goes: Callable[..., LetterOut]) -> object:
    """One thing done or asked in the part of the store that has this name; what came of it."""
    seat, name = draws.choice(("", "France", "Spain")), draws.choice(("bank", "wishes"))
    alarm = Alarm(where, name, seat, datetime(2026, 11, draws.randint(1, 9), tzinfo=UTC))
    letter = goes(f"<{draws.randint(1, 9)}.{where}@x>", match=where)
    asked: tuple[Callable[[], object], ...] = (
        lambda: step.put_note(where, seat, name, draws.choice((None, "1", "2"))),
        lambda: step.note(where, seat, name),
        lambda: sorted(step.notes(where, name).items()),
        lambda: step.set_alarm(alarm),
        lambda: step.clear_alarms(where, name),
        lambda: [(each.kind, each.key, each.due_at) for each in step.alarms(where)],
        lambda: step.post(letter),
        lambda: [each.message_id.partition(".")[0] for each in step.outgoing(where)],
    )
    return draws.choices(asked, (6, 6, 2, 4, 1, 2, 2, 1))[0]()
