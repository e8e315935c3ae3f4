"""A mailbox or a relay that cannot be reached: deadlines wait for it, but not for ever, and give its time back once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.core.record import Overrode
from referee.service.base.note_values import Outage
from referee.service.base.office import At, Downtime, Office
from referee.service.intake import downtime
from referee.service.intake.deadlines import scan
from referee.service.intake.downtime import beat
from referee.service.intake.inbox import handle_new
from referee.service.intake.keepers_digest import concerns
from referee.service.match.playing import Playing
from referee.service.match.suspension import NotedContact, leave_alone, losses
from tests.service.conftest import GINA, PLAYERS, begin
from tests.world import Mail, World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KEEPER = "keeper@players.example"
WHY = "[Errno 111] Connection refused"


def hour(number: float) -> datetime:
    return START + timedelta(hours=number)


def due(world: World, match: str = "nw1") -> datetime:
    (alarm,) = world.alarms("deadline", match)
    return alarm.due_at


def contact(world: World, kind: str = "mailbox") -> NotedContact:
    return NotedContact(world.store, world.clock, kind, f"the {kind} of this test")


def until(world: World, number: float) -> list[Mail]:
    """Let the service run until so many hours after the start, as its desk does; the letters it wrote."""
    while world.clock.now() < hour(number):
        world.clock.advance(min(timedelta(minutes=5), hour(number) - world.clock.now()))
        desk(world)
    return world.new_mail()


def desk(world: World) -> None:
    beat(world.office)
    while handle_new(world.office) or scan(world.office):
        pass


def told(mails: list[Mail], what: str = "could not be reached") -> list[Mail]:
    return [mail for mail in mails if mail.kind == "notice" and what in mail.flat]


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[World]:
    made = begin(World(tmp_path, keeper=KEEPER))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("mailbox", "My mailbox could not be reached from Sat 21 Nov 2026, 14:00 UTC to Sat 21 Nov 2026, 19:00 UTC"),
        ("relay", "My mail server could not be reached from Sat 21 Nov 2026, 14:00 UTC to Sat 21 Nov 2026, 19:00 UTC"),
    ],
)
def test_deadlines_move_by_the_time_a_server_was_out_of_reach(match: World, kind: str, sentence: str) -> None:
    server = contact(match, kind)
    until(match, 2)
    server.lost(WHY)
    until(match, 7)
    assert due(match) == hour(24)
    server.made()
    mails = told(until(match, 7.5))
    assert due(match) == hour(29)
    assert sorted(mail.to for mail in mails) == sorted({*PLAYERS, GINA})
    assert all(sentence in mail.flat for mail in mails)
    assert "Sun 22 Nov 2026, 17:00 UTC; it was Sun 22 Nov 2026, 12:00 UTC" in mails[0].flat
    (logged,) = match.log(Overrode)
    assert logged.action.endswith(f"of the {kind}")
    assert told(until(match, 12)) == []


def test_a_deadline_waits_until_the_letters_are_read_and_a_late_player_is_not_rolled(match: World) -> None:
    mailbox, seat = contact(match), match.waits_for()
    until(match, 23)
    mailbox.lost(WHY)
    until(match, 30)
    assert match.closed() == [] and match.waits_for() == seat
    mailbox.made()
    until(match, 30.5)
    assert match.closed() == [] and due(match) == hour(31)
    until(match, 31.5)
    assert len(match.closed()) == 1


@pytest.mark.parametrize(("kind", "gained"), [("mailbox", 2), ("relay", 1)])
def test_a_mailbox_counts_from_when_it_was_last_reached_a_relay_from_when_a_letter_waits(
    match: World, kind: str, gained: int
) -> None:
    server = contact(match, kind)
    until(match, 2)
    server.made()
    until(match, 3)
    server.lost(WHY)
    until(match, 4)
    server.made()
    until(match, 4.5)
    assert due(match) == hour(24 + gained)


def test_a_hiccup_moves_nothing_but_a_deadline_in_it_waits(match: World) -> None:
    mailbox = contact(match)
    until(match, 23.95)
    mailbox.lost(WHY)
    until(match, 24.15)
    assert match.closed() == []
    mailbox.made()
    mails = until(match, 24.3)
    assert len(match.closed()) == 1 and told(mails) == []
    assert match.log(Overrode) == []


def test_what_was_due_before_contact_was_lost_is_done(match: World) -> None:
    match.clock.advance(timedelta(hours=24, seconds=1))
    contact(match).lost(WHY)
    desk(match)
    assert len(match.closed()) == 1


def test_reminders_go_out_and_complete_orders_wait(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH Law, any")
    mind = match.alarms("mind")
    mailbox = contact(match)
    mailbox.lost(WHY)
    until(match, 3)
    assert mind and match.alarms("mind") == mind and match.closed() == []
    mailbox.made()
    until(match, 3.5)
    assert len(match.closed()) == 1


def test_many_that_wait_do_not_keep_reminders_back(world: World) -> None:
    begin(world, "WITH reminders none")
    begin(world, "WITH slot 48h, reminders 2h", match="nw2")
    until(world, 20)
    mailbox = contact(world)
    mailbox.lost(WHY)
    until(world, 45)
    assert [mail.kind for mail in until(world, 46.5)] == ["reminder"]


def test_overlapping_outages_count_once(match: World) -> None:
    mailbox, relay = contact(match), contact(match, "relay")
    until(match, 2)
    mailbox.lost(WHY)
    until(match, 4)
    relay.lost(WHY)
    until(match, 6)
    mailbox.made()
    assert len(told(until(match, 7))) == 5 and due(match) == hour(28)
    relay.made()
    mails = told(until(match, 8))
    assert due(match) == hour(29)
    assert "to Sat 21 Nov 2026, 19:00 UTC, so my letters did not go out: 1 h of it" in mails[0].flat


def test_an_outage_inside_another_gives_nothing_more(match: World) -> None:
    mailbox, relay = contact(match), contact(match, "relay")
    until(match, 2)
    mailbox.lost(WHY)
    until(match, 3)
    relay.lost(WHY)
    until(match, 5)
    mailbox.made()
    until(match, 5.1)
    relay.made()
    until(match, 6)
    assert due(match) == hour(27) and len(match.log(Overrode)) == 1


def test_a_longer_outage_around_one_that_was_given_back_adds_what_is_left(match: World) -> None:
    mailbox, relay = contact(match), contact(match, "relay")
    until(match, 1)
    relay.lost(WHY)
    until(match, 2)
    mailbox.lost(WHY)
    until(match, 4)
    mailbox.made()
    until(match, 6)
    relay.made()
    until(match, 7)
    assert due(match) == hour(24 + 5)


def test_the_service_dies_while_its_mailbox_is_out_of_reach(match: World, tmp_path: Path) -> None:
    """Nothing is forgotten, and the time in which both were away counts once."""
    until(match, 2)
    contact(match).lost(WHY)
    until(match, 4)
    match.close()
    again = World(tmp_path, first=2000)
    again.clock.set(hour(6))
    mailbox = contact(again)
    mailbox.expect(again.office.downtime.least)
    desk(again)
    assert due(again) == hour(26)  # the service itself was away for two hours
    again.clock.set(hour(6.5))
    mailbox.made()
    desk(again)
    assert due(again) == hour(24 + 4.5)
    again.close()


def test_no_deadline_runs_before_the_mailbox_is_read_after_a_restart(match: World) -> None:
    until(match, 23.9)
    match.clock.advance(timedelta(minutes=10))  # the service is started anew, and a deadline passed meanwhile
    mailbox = contact(match)
    mailbox.expect(match.office.downtime.least)
    desk(match)
    assert match.closed() == []
    mailbox.made()
    desk(match)
    assert len(match.closed()) == 1 and match.log(Overrode) == []


def test_after_a_long_silence_a_mailbox_is_not_given_up_before_it_is_tried(keeper: World) -> None:
    until(keeper, 2)
    keeper.clock.advance(timedelta(days=20))
    contact(keeper).expect(keeper.office.downtime.least)
    desk(keeper)
    assert [mail for mail in keeper.new_mail() if mail.kind == "trouble"] == []
    with keeper.store.look() as step:
        assert losses(step)["mailbox"].given_up is None


def test_a_mailbox_that_is_never_reached_holds_up_nobody_for_ever(keeper: World) -> None:
    until(keeper, 2)
    keeper.new_mail()
    contact(keeper).lost(WHY)
    mails = until(keeper, 74.5)
    (trouble,) = [mail for mail in mails if mail.kind == "trouble"]
    assert trouble.to == KEEPER and "Connection refused" in trouble.flat and "[imap]" in trouble.flat
    assert "I have not reached the mailbox of this test since Sat 21 Nov 2026, 14:00 UTC" in trouble.flat
    assert sorted(mail.to for mail in told(mails, "still cannot be reached")) == sorted({*PLAYERS, GINA})
    assert due(keeper) == hour(24 + 72) and keeper.closed() == []
    until(keeper, 96.5)
    assert len(keeper.closed()) == 1
    contact(keeper).made()
    moved = due(keeper)
    assert told(until(keeper, 97)) == [] and due(keeper) == moved
    with keeper.store.look() as step:
        assert losses(step) == {}


def test_a_service_started_anew_does_not_wait_again_for_what_it_has_given_up(keeper: World) -> None:
    contact(keeper).lost(WHY)
    until(keeper, 73)
    contact(keeper).expect(keeper.office.downtime.least)
    until(keeper, 97)
    assert len(keeper.closed()) == 1


def test_the_digest_tells_what_is_out_of_reach_and_until_when_deadlines_wait(keeper: World) -> None:
    contact(keeper).lost(WHY)

    def said() -> list[tuple[str, str]]:
        with keeper.store.look() as step:
            return [(c.kind, c.sentence) for c in concerns(At(keeper.office, step)) if c.kind == "cut off"]

    until(keeper, 0.2)
    assert said() == []
    mails = until(keeper, 20)
    first = "I have not reached the mailbox of this test since Sat 21 Nov 2026, 12:00 UTC; deadlines "
    assert said() == [("cut off", f"{first}wait for it until Tue 24 Nov 2026, 12:00 UTC. {WHY}")]
    assert any(mail.kind == "digest" and f"{first}wait" in mail.flat for mail in mails)
    until(keeper, 73)
    assert said() == [("cut off", f"{first}ceased to wait for it on Tue 24 Nov 2026, 12:00 UTC. {WHY}")]


def test_a_server_the_settings_name_no_more_is_waited_for_no_more(match: World) -> None:
    contact(match).lost(WHY)
    until(match, 5)
    leave_alone(match.store, match.clock.now(), ["relay"])
    until(match, 5.5)
    assert due(match) == hour(29)
    with match.store.look() as step:
        assert losses(step) == {}


def test_a_slot_that_opened_meanwhile_gains_what_it_lost(world: World) -> None:
    """The relay was away from the second hour to the tenth; a turn ran in the fifth."""
    begin(world)
    relay, first = contact(world, "relay"), world.waits_for()
    until(world, 2)
    relay.lost(WHY)
    until(world, 5)
    world.reply(world.on_turn(), "RESEARCH Law, any\nROLL OUT")
    assert world.waits_for() != first and due(world) == hour(29)
    until(world, 10)
    relay.made()
    (one, *_) = told(until(world, 10.5))
    assert due(world) == hour(29 + 5)
    assert "as much more time as he lost of it" in one.flat


def test_a_crash_while_time_is_given_back_gives_no_match_its_time_twice(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(match, match="nw2")
    mailbox = contact(match)
    mailbox.lost(WHY)
    until(match, 5)
    mailbox.made()
    whole = downtime._of_match

    def dies(office: Office, name: str, given: Outage) -> Playing | None:
        if name == "nw2":
            raise KeyboardInterrupt
        return whole(office, name, given)

    monkeypatch.setattr(downtime, "_of_match", dies)
    with pytest.raises(KeyboardInterrupt):
        beat(match.office)
    monkeypatch.undo()
    assert (due(match), due(match, "nw2")) == (hour(29), hour(24))
    match.clock.set(hour(24.5))
    scan(match.office)
    assert match.closed("nw2") == []  # its time is not given back yet: its deadline waits
    match.clock.set(hour(5.1))
    desk(match)
    assert (due(match), due(match, "nw2")) == (hour(29), hour(29))


def test_a_store_that_takes_nothing_stops_neither_reader_nor_postman(match: World) -> None:
    mailbox = contact(match)
    with match.store.step():  # a step inside a step is refused, as a full disk is
        mailbox.lost(WHY)
        mailbox.made()
    mailbox.lost(WHY)
    with match.store.look() as step:
        assert losses(step)["mailbox"].why == WHY


def test_the_least_and_the_longest_are_the_hosts(tmp_path: Path) -> None:
    short = Downtime(timedelta(hours=2), timedelta(hours=3))
    world = begin(World(tmp_path, downtime=short))
    mailbox = contact(world)
    mailbox.lost(WHY)
    until(world, 1.9)
    mailbox.made()
    until(world, 4)
    assert due(world) == hour(24)
    mailbox.made()
    mailbox.lost(WHY)
    until(world, 8)
    assert due(world) == hour(24 + 3)
    world.close()


def test_contact_of_a_machine_that_stands_by_is_its_own_affair(match: World) -> None:
    """Two machines, one database: deadlines wait for what the one at the desk cannot reach, and for nothing else."""
    at_work, stands_by = contact(match, "relay"), contact(match, "relay")
    stands_by.count(False)
    stands_by.lost("no route to host")
    with match.store.look() as step:
        assert losses(step) == {}
    at_work.lost("connection refused")
    stands_by.made()
    with match.store.look() as step:
        assert losses(step)["relay"].until is None
    stands_by.count(True)  # it has the desk now, and reaches the relay
    stands_by.made()
    with match.store.look() as step:
        assert losses(step)["relay"].until is not None


def test_a_start_without_an_outage_writes_nothing_into_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    server = contact(world)
    server.expect(timedelta(minutes=15))
    server.made()
    assert caplog.messages == []
    server.lost(WHY)
    server.made()
    assert [text.partition(";")[0] for text in caplog.messages] == ["the mailbox of this test is reached again"]
