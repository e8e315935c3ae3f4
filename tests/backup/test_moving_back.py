"""A match comes back to a house that it left: with all that was played meanwhile, and by a log that only went on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from referee.core.record import Entry, Overrode, kind_of, seal
from referee.service.base import notes
from referee.service.intake.counter import replay_at_the_counter
from referee.service.intake.matches_in import NotTaken, take_in
from referee.service.intake.matches_out import Carried
from referee.service.match.playing import codec_of
from tests.backup.houses import CLUB, HERE, ON_THE_WAY, Two
from tests.postgresql import Postgresql
from tests.service.conftest import GINA, OTTO, PLAYERS, begin
from tests.service.test_witness import THIRD, another, as_house, carry, heads, the_witness
from tests.world import ADDRESS, World

OTHER_HISTORY = "The log in the file does not go on from the one that nw1 had when it left this house."
OF_BEFORE = "The file is of before nw1 left this house the last time: take the one that was written since."


@pytest.fixture(scope="module")
def begun(postgresql: Postgresql, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database of the server with a match begun in it, to copy."""
    url = postgresql.fresh()
    world = World(tmp_path_factory.mktemp("begun"), database=url)
    begin(world)
    world.close()
    return url.rpartition("/")[2]


on_both = pytest.mark.parametrize("two", ["sqlite", pytest.param("postgresql", marks=pytest.mark.real)], indirect=True)
"""What is written and read in the databases is tried on both; what follows from it on SQLite alone."""


@pytest.fixture
def two(request: pytest.FixtureRequest, tmp_path: Path, databases: Path) -> Iterator[Two]:
    urls = "", ""
    if getattr(request, "param", "") == "postgresql":
        server: Postgresql = request.getfixturevalue("postgresql")
        urls = server.fresh(request.getfixturevalue("begun")), server.fresh()
    made = Two(tmp_path, databases, urls)
    yield made
    made.close()


def is_sound(house: World) -> bool:
    found = replay_at_the_counter(house.office, "nw1")
    return found is not None and found.sound


def plays(house: World) -> None:
    """Whoever is on turn ends it."""
    house.reply(house.on_turn(), "RESEARCH any\nROLL OUT")


def parts(house: World) -> list[tuple[str, str, str, str]]:
    """Who has which part in the match, in the order in which the house knows them."""
    with house.store.look() as step:
        found = [(step.player(member.player), member) for member in step.members("nw1")]
    return [(who.addresses[0] if who else "", part.role, part.status, part.seat) for who, part in found]


@on_both
def test_it_comes_back_with_what_was_played_elsewhere_and_goes_on(two: Two) -> None:
    two.goes()
    plays(two.new)
    (due,) = two.new.alarms("deadline")
    assert two.turns_back()
    going = two.new.new_mail()
    assert f"nw1 goes on at another referee, {ADDRESS}, who writes to you" in going[-1].flat
    two.returns()
    came = two.old.new_mail()
    assert {mail.to for mail in came} == {*PLAYERS, GINA}
    assert f"was mastered by {CLUB}, and has moved to me, {ADDRESS}. From now on write to me" in came[0].flat
    assert "deadlines are later by the 3 h it took" in came[0].flat
    (now_due,) = two.old.alarms("deadline")
    assert (now_due.due_at, now_due.seat) == (due.due_at + ON_THE_WAY, due.seat)
    assert two.old.status() == "running" and two.old.playing().turn == 2 and is_sound(two.old)
    plays(two.old)
    assert two.old.playing().turn == 3 and is_sound(two.old)
    with two.old.store.look() as step:
        assert [report.turn for report in step.reports("nw1") if not report.reader] == [0, 1, 2]
        assert notes.MOVED.of("nw1").read(step) is None
    (told,) = two.new.write(GINA, "STATUS", two.new.last(GINA).reply_to)
    assert f"nw1 has moved to another referee, {ADDRESS}" in told.flat


@on_both
def test_it_goes_and_comes_twice_and_the_log_says_so(two: Two) -> None:
    for turn in (1, 3):
        two.goes()
        assert two.new.playing().turn == turn
        plays(two.new)
        two.comes_back()
        plays(two.old)
    assert two.old.playing().turn == 5 and is_sound(two.old)
    assert [each.action for each in two.old.log(Overrode) if "MOVED" in each.action] == [
        f"MOVED to {CLUB}",
        f"MOVED from {ADDRESS}",
        f"MOVED to {ADDRESS}",
        f"MOVED from {CLUB}",
    ] * 2
    assert len({who for who, *_ in parts(two.old)}) == len(parts(two.old)) == len(PLAYERS) + 1


def test_an_old_address_is_good_for_what_is_still_asked_and_tells_of_what_is_closed(two: Two) -> None:
    who = two.old.on_turn()
    asked = two.old.last(who)
    two.goes()
    two.comes_back()
    two.old.new_mail()
    two.old.write(who, "RESEARCH any\nROLL OUT", asked.reply_to)
    assert two.old.playing().turn == 2
    asked = two.old.last(who := two.old.on_turn())
    two.goes()
    plays(two.new)
    two.comes_back()
    two.old.new_mail()
    (told,) = two.old.write(who, "RESEARCH any\nROLL OUT", asked.reply_to)
    assert (
        "That reply address belonged to Turn 2: France (round 1) of nw1, which is closed, so nothing was taken."
        in told.flat
    )
    assert two.old.playing().turn == 3


def test_an_address_of_a_turn_that_was_rewound_elsewhere_is_closed(two: Two) -> None:
    plays(two.old)
    asked = two.old.last(who := two.old.on_turn())
    two.goes()
    two.new.reply(GINA, 'REWIND TO TURN 1 BECAUSE "misread"')
    plays(two.new)
    assert two.new.playing().turn == 2 and two.new.on_turn() == who
    two.comes_back()
    two.old.new_mail()
    (told,) = two.old.write(who, "RESEARCH any\nROLL OUT", asked.reply_to)
    assert "belonged to turn 2 of nw1, which is closed" in told.flat
    assert two.old.playing().turn == 2 and is_sound(two.old)
    plays(two.old)
    assert two.old.playing().turn == 3


@on_both
def test_who_has_a_seat_and_what_is_on_file_is_as_it_was_elsewhere(two: Two) -> None:
    gone = two.old.on_turn()
    seat, asked = two.old.seat(gone), two.old.last(gone)
    two.old.reply(GINA, "DENY rude@players.example")
    two.old.reply(gone, "STANDING\nRESEARCH any\nEND")
    stays = next(player for player in PLAYERS if player != gone)
    two.old.reply(stays, "ABSENCE FROM 2026-11-22 TO 2026-11-24")
    two.goes()
    two.new.reply(GINA, f'REPLACE {seat} BY newcomer@players.example BECAUSE "gone fishing"')
    two.new.write(OTTO, "OBSERVE nw1", to=CLUB)
    two.new.reply(stays, "NO ABSENCE 1")
    there, drawer = parts(two.new), two.new.drawer(seat, "standing")
    with two.old.store.look() as step:
        assert notes.ABSENCES.every(step, "nw1") and not notes.TENURES.every(step, "nw1")
    two.comes_back()
    two.old.new_mail()
    assert parts(two.old) == there and two.old.player(seat) == "newcomer@players.example"
    assert two.old.drawer(seat, "standing") == drawer
    with two.old.store.look() as step:
        assert not any(notes.ABSENCES.every(step, "nw1").values())
        assert notes.TENURES.every(step, "nw1").keys() == {seat} and notes.HOUSE_RULES.every(step, "nw1")
    (told,) = two.old.write(gone, "RESEARCH any\nROLL OUT", asked.reply_to)
    assert "nothing was taken" in told.flat and two.old.playing().turn == 1
    two.old.reply("newcomer@players.example", "RESEARCH any\nROLL OUT")
    assert two.old.playing().turn == 2 and is_sound(two.old)


def test_a_match_that_was_paused_elsewhere_comes_back_paused(two: Two) -> None:
    two.goes()
    two.new.reply(GINA, 'PAUSE FOR 2 days BECAUSE "tea"')
    (resumes,) = two.new.alarms("resume")
    two.comes_back()
    assert two.old.status() == "paused" and two.old.alarms("deadline") == []
    assert [alarm.due_at for alarm in two.old.alarms("resume")] == [resumes.due_at + ON_THE_WAY]
    two.old.wait(days=3)
    assert two.old.status() == "running" and len(two.old.alarms("deadline")) == 1


def test_a_witness_of_the_house_signs_on_where_it_had_ceased(two: Two, tmp_path: Path, databases: Path) -> None:
    as_house(two.old, ADDRESS)
    for witness in another(tmp_path / "witness", databases, THIRD):
        carry(carry(heads(two.old.reply(GINA, f"WITNESS {THIRD}")), witness), two.old)
        before = the_witness(two.old).size
        two.goes()
        plays(two.new)
        two.comes_back()
        two.old.new_mail()
        plays(two.old)
        carry(carry(heads(two.old.all_mail())[1:], witness), two.old)
        assert the_witness(two.old).size == two.old.playing().told_tree.size > before > 0
        assert not the_witness(two.old).refused


def refused(two: Two, carried: Carried, why: str) -> None:
    """It is not taken in, and nothing is changed by it."""
    before = two.old.entries(), parts(two.old)
    with pytest.raises(NotTaken) as problem:
        two.returns(carried)
    assert str(problem.value) == why
    assert (two.old.entries(), parts(two.old)) == before and two.old.status() == "moved"
    assert two.old.new_mail() == []


def with_another_history(two: Two, carried: Carried) -> Carried:
    """The match as if one of its last entries in the old house had been another, in a chain that is whole."""
    codec, entries = codec_of(two.old.playing().game), list[Entry]()
    for entry in carried.entries:
        record = codec.load(entry.payload)
        if isinstance(record, Overrode):
            record = msgspec.structs.replace(record, action=record.action.replace(CLUB, THIRD))
        last = entries[-1] if entries else None
        made = seal(carried.row.secret, "nw1", last, entry.at, kind_of(record), codec.dump(record), entry.cause)
        entries.append(made)
    return msgspec.structs.replace(carried, entries=tuple(entries))


@on_both
def test_a_file_with_another_history_is_refused_and_the_true_one_is_taken_after_it(two: Two) -> None:
    two.goes()
    plays(two.new)
    two.turns_back()
    true = two.carried[-1]
    forged = with_another_history(two, true)
    assert len(forged.entries) == len(true.entries)
    refused(two, forged, OTHER_HISTORY)
    left = len(two.old.entries())
    refused(two, msgspec.structs.replace(forged, entries=forged.entries[:left]), OTHER_HISTORY)
    other = msgspec.structs.replace(true, row=msgspec.structs.replace(true.row, secret=bytes(32)))
    refused(two, other, "nw1 is not sound, and was not taken in: entry 0: its created payload was changed.")
    less = msgspec.structs.replace(true, members=true.members[1:])
    refused(two, less, "The file names fewer people than nw1 had when it left this house.")
    two.returns(true)
    assert two.old.playing().turn == 2


@on_both
def test_the_longer_log_wins_over_a_match_that_was_taken_back_and_not_played(two: Two) -> None:
    """Its own file taken back, while the other house had it: it must not be forked for good by that."""
    assert two.leaves()
    own = two.carried[-1]
    two.arrives()
    plays(two.new)
    take_in(two.old.office, own, HERE, never_taken=True)
    who = two.old.on_turn()
    two.old.new_mail()
    two.old.reply(who, "STANDING\nRESEARCH any\nEND")
    assert two.turns_back()
    true = two.carried[-1]
    with pytest.raises(NotTaken, match="A match nw1 is played here already"):
        two.returns(own)
    two.old.new_mail()
    two.returns()
    told = two.old.last(who)
    assert (
        f"I did not know that {CLUB} had taken it in. Nothing was played here; orders that you sent me in that time"
        in told.flat
    )
    assert [entry.hash for entry in two.old.entries()[: len(true.entries)]] == [entry.hash for entry in true.entries]
    assert two.old.playing().turn == 2 and is_sound(two.old) and len(two.old.alarms("deadline")) == 1
    plays(two.old)
    assert two.old.playing().turn == 3 and is_sound(two.old)


def test_a_match_that_was_played_on_in_both_houses_is_in_neither_undone(two: Two) -> None:
    assert two.leaves()
    two.arrives()
    plays(two.new)
    take_in(two.old.office, two.carried[0], HERE, never_taken=True)
    plays(two.old)
    two.old.new_mail()
    assert two.turns_back()
    before = two.old.entries()
    with pytest.raises(
        NotTaken, match=f"nw1 was played on in both houses, .* at {CLUB} as well, .* end the other with"
    ):
        two.returns()
    assert two.old.entries() == before and two.old.status() == "running" and two.old.new_mail() == []


@on_both
def test_a_file_of_before_is_refused_and_so_is_one_of_a_match_that_is_here(two: Two) -> None:
    two.goes()
    plays(two.new)
    two.comes_back()
    two.old.new_mail()
    with pytest.raises(NotTaken, match="A match nw1 is played here already"):
        two.returns()
    first_return = two.carried[-1]
    two.goes()
    refused(two, first_return, OF_BEFORE)
    refused(two, two.carried[0], OF_BEFORE)
    two.new.clock.advance(timedelta(hours=1))
    plays(two.new)
    two.comes_back()
    assert two.old.playing().turn == 3 and is_sound(two.old)
