"""A match moves to another house: verified before it counts, never played in both, and nobody loses his time or his orders."""

from __future__ import annotations

import gzip
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from referee.adapters.files import Unusable
from referee.bootstrap.backups_and_moves import bring_in
from referee.config import Config
from referee.core.record import Overrode
from referee.service.base import notes
from referee.service.base.note_values import Person, Program, Wishes
from referee.service.intake.counter import at_the_counter, replay_at_the_counter
from referee.service.intake.matches_in import NotTaken, take_in
from referee.service.match.result import Denial
from referee.service.turn.knowledge import page_of
from tests.backup.commands import anew, referee
from tests.backup.houses import CLUB, HERE, ON_THE_WAY, Two
from tests.kill.running import CONFIG
from tests.service.conftest import ANNA, GINA, PLAYERS
from tests.world import ADDRESS


@pytest.fixture
def two(tmp_path: Path, databases: Path) -> Iterator[Two]:
    made = Two(tmp_path, databases)
    yield made
    made.close()


def test_everybody_hears_from_both_houses_and_has_the_time_he_had_left(two: Two) -> None:
    (before,) = two.old.alarms("deadline")
    assert two.leaves()
    going = two.old.new_mail()
    assert {mail.to for mail in going} == {*PLAYERS, GINA}
    assert f"nw1 goes on at another referee, {CLUB}, who writes to you" in going[0].flat
    assert two.arrives()
    came = two.new.new_mail()
    assert {mail.to for mail in came} == {*PLAYERS, GINA}
    assert f"was mastered by {ADDRESS}, and has moved to me, {CLUB}" in came[0].flat
    assert "deadlines are later by the 3 h it took" in came[0].flat
    (after,) = two.new.alarms("deadline")
    assert after.due_at == before.due_at + ON_THE_WAY and after.seat == before.seat


def test_who_owes_orders_replies_to_the_letter_from_the_new_house(two: Two) -> None:
    who = two.old.on_turn()
    two.leaves()
    two.arrives()
    two.new.new_mail()
    assert two.new.last(who).reply_to.endswith("@club.example") and "RESEARCH" in two.new.last(who).text
    two.new.reply(who, "RESEARCH any\nROLL OUT")
    assert two.new.playing().turn == 2
    found = replay_at_the_counter(two.new.office, "nw1")
    assert found is not None and found.sound, found


def test_the_old_house_plays_no_more_and_tells_everybody_where_it_is_played(two: Two) -> None:
    who = two.old.on_turn()
    to = two.old.last(who).reply_to
    two.leaves()
    two.old.new_mail()
    log = len(two.old.entries())
    for words, wanted in (("RESEARCH any\nROLL OUT", to), ("STATUS", to)):
        (told,) = two.old.write(who, words, wanted)
        assert f"nw1 has moved to another referee, {CLUB}, so nothing was done here." in told.flat
        assert f"Reply to the letter that came from {CLUB}" in told.flat
    said = at_the_counter(two.old.office, "nw1", "ROLL OUT England", "the keeper")
    assert not said.granted and "has moved to another referee" in said.sentences[0]
    assert two.old.wait(hours=100) == [] and len(two.old.entries()) == log and two.old.status() == "moved"


def test_what_is_on_file_goes_along_with_who_it_is_of(two: Two) -> None:
    who, other = two.old.on_turn(), next(player for player in PLAYERS if player != two.old.on_turn())
    two.old.reply(who, "STANDING\nRESEARCH any\nEND")
    two.old.reply(who, "SET key open-sesame-42\nSET format text")
    two.old.reply(other, f"PRESS TO {two.old.seat(who)}\nGood morning.\nEND")
    two.leaves()
    two.arrives()
    seat = two.new.seat(who)
    assert two.new.drawer(seat, "standing") == ["RESEARCH any"]
    with two.new.store.look() as step:
        person, writer = step.player_at(who), step.player_at(other)
        assert person is not None and writer is not None
        assert notes.WISHES.of(person.id).read(step) == Wishes(form="text")
        assert notes.KEY.of(person.id).read(step) is None
        (press,) = notes.PRESS.of("nw1", two.new.seat(other)).read(step) or ()
        assert press.text == "Good morning." and press.player == writer.id
        anna = step.player_at(ANNA)
        assert anna is not None and {m.match for m in step.memberships(anna.id)} == {"other", "nw1"}


def test_the_log_says_where_it_came_from(two: Two) -> None:
    two.leaves()
    two.arrives()
    actions = [each.action for each in two.new.log(Overrode)]
    assert actions[-2:] == [f"MOVED to {CLUB}", f"MOVED from {ADDRESS}"]


def test_a_match_whose_log_was_changed_is_not_taken_in(two: Two) -> None:
    two.leaves()
    carried = two.carried[0]
    changed = msgspec.structs.replace(carried.entries[5], payload='{"kind":"override","action":"x","by":"y"}')
    forged = msgspec.structs.replace(carried, entries=(*carried.entries[:5], changed, *carried.entries[6:]))
    with pytest.raises(
        NotTaken, match=r"nw1 is not sound, and was not taken in: entry 5: its event payload was changed\."
    ):
        two.arrives(forged)
    with two.new.store.look() as step:
        assert step.match("nw1") is None and step.player_at(GINA) is None


def test_a_report_that_was_changed_is_not_taken_in(two: Two) -> None:
    two.old.reply(two.old.on_turn(), "RESEARCH any\nROLL OUT")
    two.leaves()
    (first, *others) = two.carried[0].reports
    page = msgspec.json.encode(msgspec.structs.replace(page_of(first), summary="All is won."))
    forged = msgspec.structs.replace(two.carried[0], reports=(msgspec.structs.replace(first, page=page), *others))
    with pytest.raises(NotTaken, match="the report of turn 0 is not what the rules give"):
        two.arrives(forged)
    with two.new.store.look() as step:
        assert step.match("nw1") is None


def test_it_can_be_taken_in_once_and_where_it_was_sent_to(two: Two) -> None:
    two.leaves()
    two.arrives()
    with pytest.raises(NotTaken, match="A match nw1 is played here already"):
        two.arrives()
    elsewhere = replace(two.new.office, address="referee@third.example")
    with pytest.raises(NotTaken, match=f"It was carried out for {CLUB}, and this is referee@third.example."):
        take_in(elsewhere, two.carried[0], HERE)
    newer = msgspec.structs.replace(two.carried[0], program=Program("9.9.9", 99))
    with pytest.raises(NotTaken, match=r"Install version 9\.9\.9"):
        two.arrives(newer)


def test_it_comes_back_where_it_never_arrived(two: Two) -> None:
    two.leaves()
    two.old.new_mail()
    with pytest.raises(NotTaken, match=f"This is the file that nw1 left with, for {CLUB}: .* write --never-taken"):
        take_in(two.old.office, two.carried[0], HERE)
    assert two.old.status() == "moved" and two.old.new_mail() == []
    said = take_in(two.old.office, two.carried[0], HERE, never_taken=True)
    assert f"Have {CLUB} delete its copy of the file" in said[1]
    assert two.old.status() == "running"
    assert "nw1 has come back to me. From now on write to me" in two.old.new_mail()[0].flat
    two.old.reply(two.old.on_turn(), "RESEARCH any\nROLL OUT")
    assert two.old.playing().turn == 2


def test_a_file_that_was_lost_is_written_once_more_and_says_the_same(two: Two) -> None:
    two.leaves()
    two.old.clock.advance(timedelta(hours=1))
    assert two.leaves()
    assert two.carried[0] == two.carried[1]


def test_a_paused_match_arrives_paused(two: Two) -> None:
    two.old.reply(GINA, 'PAUSE FOR 2 days BECAUSE "tea"')
    (resumes,) = two.old.alarms("resume")
    two.leaves()
    two.arrives()
    assert two.new.status() == "paused"
    assert [alarm.due_at for alarm in two.new.alarms("resume")] == [resumes.due_at + ON_THE_WAY]
    two.new.new_mail()
    two.new.reply(GINA, "RESUME")
    assert two.new.status() == "running" and len(two.new.alarms("deadline")) == 1


def test_what_cannot_leave_says_why(two: Two) -> None:
    for to in ("nobody", ADDRESS):
        with pytest.raises(Denial, match=f"{to} is no address of another referee"):
            two.leaves(to)
    two.old.reply(GINA, "TERMINATE")
    with pytest.raises(Denial, match="its archive can be laid anywhere"):
        two.leaves()
    assert two.carried == []


def test_every_number_of_a_person_that_a_match_remembers_is_declared_as_one() -> None:
    """Or it would name somebody else in another house."""
    for note in notes.declared():
        if note.whose in (notes._match, notes._seat, notes._person_in_a_match, notes._proposal):
            for where, kind in _fields(note.kind):
                assert ("player" in where or "people" in where) <= ("a person" in str(kind)), (note.name, where)
    assert notes.MUSTER.kind is Person


def _fields(kind: object, where: str = "") -> Iterator[tuple[str, object]]:
    info = msgspec.inspect.type_info(kind)
    pending = [(where, info)]
    while pending:
        name, each = pending.pop()
        yield name, each
        if isinstance(each, msgspec.inspect.StructType):
            pending += [(field.name, field.type) for field in each.fields]
        elif isinstance(each, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
            pending.append(
                (
                    name if isinstance(each.item_type, msgspec.inspect.Metadata | msgspec.inspect.IntType) else "",
                    each.item_type,
                )
            )


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: gzip.compress(b" " * 300_000_000), "it is too large for a match"),
        (lambda: gzip.compress(b'{"match":' + b"[" * 200_000), "holds no match"),
        (lambda: gzip.compress(b""), "holds no match"),
        (lambda: gzip.compress(b'{"match":1}')[:-9], "holds no match"),
        (lambda: b"no archive", "holds no match"),
    ],
    ids=["bomb", "nested", "empty", "cut short", "another"],
)
def test_a_file_that_holds_no_match_is_refused_in_one_sentence(
    tmp_path: Path, made: Callable[[], bytes], why: str
) -> None:
    file = tmp_path / "nw1.match"
    file.write_bytes(made())
    tracemalloc.start()
    with pytest.raises(Unusable, match=why):
        bring_in(Config(home=tmp_path), file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert list(tmp_path.iterdir()) == [file] and peak < 100_000_000


def test_by_the_command_line_from_one_folder_to_another(tmp_path: Path, databases: Path) -> None:
    for name, address in (("old", ADDRESS), ("new", CLUB)):
        home = anew(tmp_path / name)
        (home / "var").mkdir()
        (home / "config.toml").write_text(CONFIG.replace(ADDRESS, address))
    shutil.copy(databases / "begun.sqlite", tmp_path / "old" / "var" / "referee.sqlite")
    file, old, new = tmp_path / "nw1.match", tmp_path / "old" / "config.toml", tmp_path / "new" / "config.toml"
    ran = referee("move", "nw1", "--to", file, "--house", CLUB, "--config", old)
    assert ran.code == 0 and f"nw1 is played here no more. It goes on once {CLUB} has taken it in." in ran.said
    assert file.stat().st_mode & 0o077 == 0 and [path.name for path in tmp_path.glob(".*.part")] == []
    ran = referee("gm", "nw1", "STATUS", "--config", old)
    assert ran.code == 1 and "has moved to another referee" in ran.said
    ran = referee("move", "--from", file, "--config", new)
    assert ran.code == 0 and "nw1 was played again from its log and is sound. It goes on here" in ran.said
    assert referee("replay", "nw1", "--config", new).code == 0
    back = tmp_path / "back.match"
    assert referee("move", "nw1", "--to", back, "--house", ADDRESS, "--config", new).code == 0
    ran = referee("move", "--from", back, "--config", old)
    assert ran.code == 0 and "nw1 was played again from its log and is sound. It goes on here" in ran.said
    ran = referee("move", "--from", back, "--never-taken", "--config", new)
    assert ran.code == 0 and f"Have {ADDRESS} delete its copy of the file" in ran.said
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    ran = referee("move", "--from", file, "--config", new)
    assert ran.code == 1 and "holds no match, or is damaged" in ran.said
    ran = referee("move", "nw1", "--config", new)
    assert ran.code == 1 and "Name a match with --to FILE and --house ADDRESS, or --from FILE alone." in ran.said
