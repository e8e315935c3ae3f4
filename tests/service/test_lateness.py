"""Lateness: full periods, grace and strict grace, slots that wait on call, suspensions by vote, and who is told."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from itertools import count
from operator import or_
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.event import Event
from referee.core.game import Phase
from referee.core.names import Seat
from referee.core.question import Orders, Pace, Question, Source
from referee.core.record import Answered
from referee.core.table import Script, Table
from referee.games.empire.events.dealing import PetitionSettled
from referee.games.empire.game import EmpireGame
from referee.games.newworld.events import TurnPassed
from referee.games.newworld.game import NewWorld
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.spending import ResearchTechnologies
from referee.games.newworld.position import World as State
from referee.service.base.match_settings import ClockSettings
from tests.service.conftest import GINA, PLAYERS, begin
from tests.world import Mail, World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ON_CALL = ClockSettings(late="on call", reminder_hours=())


class Votes(NewWorld):
    """A game whose second turn begins with a suspension of 48 hours."""

    def suspends(self, event: Event) -> int:
        return 48 if isinstance(event, TurnPassed) and event.turn == 2 else 0


class Patient(NewWorld):
    """A game whose slots go on, part after part, until an empty sheet ends them, however late."""

    def next_phase(self, state: State) -> Phase[State] | None:
        if state.active is None:
            return super().next_phase(state)
        return Phase(f"T{state.turn}/{state.active}", state.turn, "A slot", partial(_parts, seat=state.active))


def _parts(table: Table[State], seat: Seat) -> Script[None]:
    sheet: Any = reduce(or_, BOOK.intents)
    for part in count(1):
        key = f"{table.phase}/orders{f' {part}' if part > 1 else ''}"
        menu = Orders(("RESEARCH",), sheet, lambda pick: ())
        answer = yield from table.ask(Question(key, seat, "Your orders.", menu, Pace.SLOT, "nw.turn.phases"))
        if not answer.value:
            break
    order = table.state.order
    table.emit(TurnPassed(order[(order.index(seat) + 1) % len(order)], table.state.turn + 1, 1))


def with_clock(world: World, clock: ClockSettings) -> World:
    world.office = replace(world.office, clock_defaults=clock)
    return world


@pytest.fixture
def on_call(world: World) -> World:
    begin(with_clock(world, ON_CALL))
    world.new_mail()
    return world


@pytest.fixture
def votes(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, seed="votes")  # its own dice: a match in memory is found by the hash of its log
    world.office = replace(world.office, games={"newworld": Votes()})
    yield begin(world)
    world.close()


def another(world: World) -> str:
    return next(player for player in PLAYERS if player != world.on_turn())


def due(world: World) -> datetime:
    (alarm,) = world.alarms("deadline")
    return alarm.due_at


# ---------------------------------------------------------------- full periods


@pytest.mark.parametrize(
    ("hours", "minutes", "late"), [(23, 59, 0), (24, 0, 1), (47, 59, 1), (48, 0, 2), (71, 59, 2), (72, 0, 3)]
)
def test_a_slot_is_late_by_its_full_days(on_call: World, hours: int, minutes: int, late: int) -> None:
    on_call.wait(hours=hours, minutes=minutes)
    on_call.reply(on_call.on_turn(), "RESEARCH any\nROLL OUT")
    assert (on_call.closed()[-1].source, on_call.closed()[-1].late_by) == (Source.PLAYER, late)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("on_call")
    world = begin(with_clock(World(folder), ON_CALL))
    world.close()
    yield folder / "referee.sqlite"


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 2400)), min_size=1, max_size=6))
def test_time_under_a_pause_never_makes_late(begun: Path, spans: list[tuple[bool, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(begun, Path(folder) / "referee.sqlite")
        world = with_clock(World(Path(folder), first=1000), ON_CALL)
        for paused, minutes in spans:
            if paused:
                world.reply(GINA, 'PAUSE BECAUSE "a holiday"')
            world.wait(minutes=minutes)
            if paused:
                world.reply(GINA, 'RESUME BECAUSE "it is over"')
        world.reply(world.on_turn(), "ROLL OUT")
        ran = sum(minutes for paused, minutes in spans if not paused)
        assert world.closed()[-1].late_by == ran // (24 * 60)
        world.close()


def test_a_master_who_rolls_out_before_the_deadline_makes_nobody_late(match: World) -> None:
    match.wait(hours=20)
    match.reply(GINA, f'ROLL OUT {match.waits_for()} BECAUSE "he asked for it"')
    assert (match.closed()[-1].source, match.closed()[-1].late_by) == (Source.DEFAULT, 0)


# ---------------------------------------------------------------- on call


def test_on_call_the_slot_outlives_its_deadline_and_everybody_is_told_once(on_call: World) -> None:
    seat = on_call.waits_for()
    mails = on_call.wait(hours=24)
    assert on_call.waits_for() == seat and on_call.closed() == []
    assert len(mails) == 5 and all(f"ROLL OUT {seat}" in mail.flat for mail in mails)
    (again,) = on_call.wait(hours=24)
    assert again.to == on_call.on_turn() and "Your time was over 1 day ago" in again.flat


def test_on_call_any_other_player_rolls_a_late_player_out(on_call: World) -> None:
    seat, other = on_call.waits_for(), another(on_call)
    on_call.wait(hours=50)
    mails = on_call.reply(other, f"ROLL OUT {seat}")
    closed = on_call.closed()[-1]
    assert (closed.seat, closed.source, closed.late_by) == (seat, Source.DEFAULT, 2)
    assert f"ended the slot of {seat}" in next(m for m in mails if m.is_a("receipt")).flat
    assert on_call.alarms("overdue") == [] and due(on_call) == START + timedelta(hours=74)
    assert on_call.entries()[-1].cause == f"rolled out by {on_call.seat(other)}"


def test_on_call_nobody_is_rolled_out_before_his_time_is_over(on_call: World) -> None:
    seat, other = on_call.waits_for(), another(on_call)
    on_call.wait(hours=23, minutes=59)
    (receipt,) = on_call.reply(other, f"ROLL OUT {seat}")
    assert f"{seat} is not late" in receipt.flat and on_call.waits_for() == seat


def test_on_call_a_sheet_that_waits_is_played_at_the_deadline_and_in_time(on_call: World) -> None:
    on_call.reply(on_call.on_turn(), "RESEARCH any\nWAIT")
    on_call.wait(hours=24)
    assert (on_call.closed()[-1].source, on_call.closed()[-1].late_by) == (Source.PLAYER, 0)


def test_without_on_call_only_a_master_rolls_out_another_player(match: World) -> None:
    seat = match.waits_for()
    (receipt,) = match.reply(another(match), f"ROLL OUT {seat}")
    assert "Only a game master" in receipt.flat and match.waits_for() == seat


def test_on_call_a_further_part_of_a_late_slot_is_as_late(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ResearchTechnologies, "closes", True)
    world.office = replace(world.office, games={"newworld": Patient()}, clock_defaults=ON_CALL)
    player, seat = begin(world).on_turn(), world.waits_for()
    world.wait(hours=30)
    world.reply(player, "RESEARCH any")
    world.wait(hours=20)
    world.reply(another(world), f"ROLL OUT {seat}")
    assert [(a.source, a.late_by) for a in world.log(Answered)] == [(Source.PLAYER, 1), (Source.DEFAULT, 2)]


# ---------------------------------------------------------------- suspensions


def test_a_suspension_moves_every_open_deadline_and_everybody_is_told(votes: World) -> None:
    votes.wait(hours=1)
    mails = votes.reply(votes.on_turn(), "ROLL OUT")
    assert due(votes) == START + timedelta(hours=1 + 24 + 48)
    notices = [mail for mail in mails if mail.is_a("notice")]
    assert len(notices) == 5
    assert all("Tue 24 Nov 2026, 13:00 UTC" in m.flat and "48 hours from now" in m.flat for m in notices)


def test_a_slot_that_opens_under_a_suspension_begins_when_it_is_over(votes: World) -> None:
    votes.reply(votes.on_turn(), "ROLL OUT")
    votes.wait(hours=5)
    votes.reply(votes.on_turn(), "ROLL OUT")
    assert due(votes) == START + timedelta(hours=48 + 24)
    votes.wait(hours=50)
    votes.reply(votes.on_turn(), "ROLL OUT")
    assert due(votes) == START + timedelta(hours=55 + 24)


def test_a_suspension_that_was_rewound_no_longer_counts(votes: World) -> None:
    votes.reply(votes.on_turn(), "ROLL OUT")
    votes.reply(GINA, 'REWIND nw1 TO TURN 1 BECAUSE "a mistake"')
    assert due(votes) == START + timedelta(hours=24)


@pytest.mark.parametrize(
    ("kind", "passed", "hours"), [("suspension", True, 48), ("suspension", False, 0), ("end", True, 0)]
)
def test_empire_suspends_by_a_petition_that_has_passed(kind: str, passed: bool, hours: int) -> None:
    assert EmpireGame().suspends(PetitionSettled(1, kind, passed, 3, 1, 48)) == hours


# ---------------------------------------------------------------- grace


def graced(world: World, also: str = "") -> World:
    begin(world, f"WITH grace 12h{also}, reminders none")
    world.new_mail()
    return world


def notices(mails: list[Mail], to: str = "") -> list[Mail]:
    return [mail for mail in mails if mail.kind == "notice" and (not to or mail.to == to)]


def test_a_late_player_may_still_play_in_his_grace(world: World) -> None:
    graced(world)
    player, seat = world.on_turn(), world.waits_for()
    world.wait(hours=24)
    assert world.waits_for() == seat and world.closed() == []
    (grace,) = world.alarms("grace")
    assert grace.due_at == START + timedelta(hours=36)
    world.wait(hours=11, minutes=59)
    world.reply(player, "RESEARCH any\nROLL OUT")
    assert (world.closed()[-1].source, world.closed()[-1].late_by) == (Source.PLAYER, 1)
    assert world.alarms("grace") == []


def test_at_the_end_of_the_grace_the_rules_play(world: World) -> None:
    seat = graced(world).waits_for()
    world.wait(hours=24)
    world.wait(hours=12)
    closed = world.closed()[-1]
    assert (closed.seat, closed.source, closed.late_by) == (seat, Source.DEFAULT, 1)
    assert world.waits_for() != seat


def test_orders_on_file_are_played_at_the_deadline_in_spite_of_grace(world: World) -> None:
    graced(world)
    world.reply(world.on_turn(), "RESEARCH any\nWAIT")
    world.wait(hours=24)
    assert (world.closed()[-1].source, world.closed()[-1].late_by) == (Source.PLAYER, 0)


def test_a_clock_that_jumps_over_the_grace_plays_one_slot_and_tells_nobody_of_the_past(world: World) -> None:
    graced(world)
    mails = world.wait(days=9)
    assert len(world.closed()) == 1 and notices(mails) == []
    assert [a.due_at for a in world.alarms("deadline")] == [START + timedelta(days=10)]


def test_a_letter_that_came_in_the_grace_counts_though_the_service_was_down(world: World) -> None:
    graced(world)
    player, to = world.on_turn(), world.last(world.on_turn()).reply_to
    world.clock.set(START + timedelta(hours=30))
    world.put(f"From: {player}\r\nTo: {to}\r\nSubject: x\r\n\r\nRESEARCH any\r\nROLL OUT\r\n".encode(), player, to)
    world.clock.set(START + timedelta(hours=60))
    world.work()
    assert world.closed()[0].source is Source.PLAYER


def test_the_deadline_says_how_much_grace_there_is(world: World) -> None:
    graced(world, " strict")
    (receipt,) = world.reply(world.on_turn(), "ORDERS")
    assert "you are late, with 12 h of grace, unless your last slot was late too." in receipt.flat
    world.wait(hours=25)
    (receipt,) = world.reply(world.on_turn(), "ORDERS")
    assert "by Mon 00:00" in receipt.subject


def test_strict_grace_is_not_given_twice_in_a_row(world: World) -> None:
    graced(world, " strict")
    order = [world.waits_for()]
    world.wait(hours=24)
    world.wait(hours=12)  # the first seat is late, and has its grace
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.wait(hours=24)  # late again: no grace
    assert world.alarms("grace") == [] and world.waits_for() != order[0]
    assert [c.late_by for c in world.closed() if c.seat == order[0]] == [1, 1]
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.reply(world.on_turn(), "ROLL OUT")  # in time
    while world.waits_for() != order[0]:
        world.reply(world.on_turn(), "ROLL OUT")
    world.wait(hours=24)
    assert world.waits_for() == order[0] and len(world.alarms("grace")) == 1


def test_the_late_player_is_told_every_day_and_the_others_once(world: World) -> None:
    begin(world, "WITH grace 3 days, reminders none")
    world.new_mail()
    late, seat = world.on_turn(), world.waits_for()
    first = notices(world.wait(hours=24))
    assert {mail.to for mail in first} == {*PLAYERS, GINA}
    (his,) = notices(first, late)
    assert "Your grace ends at Wed 25 Nov 2026, 12:00 UTC" in his.flat
    assert all(f"{seat} did not write in time" in mail.flat for mail in first if mail.to != late)
    assert [mail.to for mail in notices(world.wait(hours=24))] == [late]
    assert [mail.to for mail in notices(world.wait(hours=24))] == [late]
    assert notices(world.wait(hours=24)) == []


def test_hidden_lateness_is_told_to_the_late_player_and_the_game_master_alone(world: World) -> None:
    graced(world, ", lateness hidden")
    late, seat = world.on_turn(), world.waits_for()
    mails = world.wait(hours=24)
    assert [mail.to for mail in mails] == [late, GINA]
    assert f"We wait for {seat}." in mails[1].flat
    other = next(player for player in PLAYERS if player != late)
    (receipt,) = world.reply(other, "STATUS")
    assert "We wait for other players." in receipt.flat and f"{seat} is late" not in receipt.flat
    assert f"{seat} has" not in receipt.flat
    (receipt,) = world.reply(late, "STATUS")
    assert f"{seat} is late and has grace until" in receipt.flat
    reports = [mail for mail in world.wait(hours=12) if mail.kind == "report"]
    assert {mail.to for mail in reports if "played by default after the deadline" in mail.flat} == {late, GINA}


def test_the_game_master_moves_the_end_of_a_grace(world: World) -> None:
    graced(world)
    world.wait(hours=25)
    world.reply(GINA, "DEADLINE +6h")
    assert [a.due_at for a in world.alarms("grace")] == [START + timedelta(hours=42)]


def test_grace_that_was_promised_with_a_deadline_is_kept(world: World) -> None:
    graced(world)
    world.reply(GINA, "GRACE none")
    world.reply(GINA, "DEADLINE +2h")
    world.wait(hours=26)
    assert [a.due_at for a in world.alarms("grace")] == [START + timedelta(hours=38)]


@pytest.mark.parametrize("hours", [30, 23])
def test_pause_keeps_deadline_and_grace(world: World, hours: int) -> None:
    graced(world)
    world.wait(hours=24) if hours > 24 else None
    world.wait(hours=hours - 24 if hours > 24 else hours)
    world.reply(GINA, "PAUSE")
    world.wait(days=5)
    world.reply(GINA, "RESUME")
    kind = "grace" if hours > 24 else "deadline"
    assert [a.due_at for a in world.alarms(kind)] == [START + timedelta(days=5, hours=36 if hours > 24 else 24)]
    if kind == "deadline":
        world.wait(hours=1)
        assert len(world.alarms("grace")) == 1


def test_on_call_others_may_end_a_slot_only_after_its_grace(world: World) -> None:
    graced(world, ", late on call")
    late, seat = world.on_turn(), world.waits_for()
    other = next(player for player in PLAYERS if player != late)
    world.wait(hours=24)
    receipt = world.reply(other, f"ROLL OUT {seat}")[-1]
    assert f"{seat} still has grace; when it is over any other player may end the slot of {seat}." in receipt.flat
    mails = world.wait(hours=12)
    assert world.waits_for() == seat and all(f"ROLL OUT {seat}" in mail.flat for mail in notices(mails))
    assert {mail.to for mail in notices(mails)} == {GINA, *PLAYERS}, "who was told that it is late is told of this too"
    for player in (late, other):
        status = world.reply(player, "STATUS")[-1].flat
        assert f"{seat} is late and can still play; any other player may end the slot with ROLL OUT {seat}." in status
    world.reply(other, f"ROLL OUT {seat}")
    assert world.waits_for() != seat and world.closed()[-1].by


@pytest.mark.parametrize("also", ["", ", late on call"])
def test_who_is_in_his_grace_is_told_what_happens_at_its_end_and_of_no_second_grace(world: World, also: str) -> None:
    graced(world, also)
    late, seat = world.on_turn(), world.waits_for()
    before = world.reply(late, "STATUS")[-1].flat
    assert "If nothing comes by then you are late, with 12 h of grace." in before
    mails = world.wait(hours=24)
    (own,) = notices(mails, late)
    others = [mail.flat for mail in notices(mails) if mail.to != late]
    for said in (own.flat, world.reply(late, "STATUS")[-1].flat):
        assert "Your deadline: Mon 23 Nov 2026, 00:00 UTC." in said and "you are late, with" not in said
        assert ("If nothing comes by then, any other player may end your slot" in said) == bool(also)
        assert ("If nothing comes by then, an empty sheet is played for you." in said) == (not also)
    assert ("anything later does not count" in own.flat) == (not also)
    for said in others:
        assert ("then the turn runs as the rules say" in said) == (not also)
        assert (f"then any other player may end the slot with ROLL OUT {seat}" in said) == bool(also)


def test_a_question_has_the_grace_of_replies(world: World) -> None:
    begin(world, "WITH mode two_step, reply 6h, reply grace 2h")
    world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    (asked,) = world.playing().outcome.open
    world.wait(hours=6)
    assert world.playing().outcome.open == (asked,)
    world.wait(hours=2)
    (answer,) = [a for a in world.log(Answered) if a.key == asked.key]
    assert (answer.source, answer.late_by) == (Source.DEFAULT, 1)


# ---------------------------------------------------------------- a player's own reminders


def test_a_player_chooses_when_he_is_reminded(match: World) -> None:
    player = match.on_turn()
    (receipt,) = match.reply(player, "SET reminders 20h, 1 h")
    assert "You are reminded 20 h and 1 h before each of your deadlines" in receipt.flat
    alarms = sorted(alarm.due_at for alarm in match.alarms("reminder"))
    assert alarms == [START + timedelta(hours=4), START + timedelta(hours=23)]
    (reminder,) = [mail for mail in match.wait(hours=4) if mail.kind == "reminder"]
    assert (reminder.to, "20 h left" in reminder.subject) == (player, True)


def test_a_players_reminders_are_of_all_his_matches_whichever_he_writes_to(match: World) -> None:
    of_the_first = {player: match.last(player).reply_to for player in PLAYERS}
    begin(match, match="nw2")
    player = match.on_turn("nw2")
    match.write(player, "SET reminders 20h", of_the_first[player])
    (alarm,) = match.alarms("reminder", "nw2")
    assert (alarm.seat, alarm.due_at) == (match.waits_for("nw2"), START + timedelta(hours=4))


def test_reminders_can_be_off_and_as_the_match_says(match: World) -> None:
    match.reply(match.on_turn(), "SET reminders none")
    assert match.alarms("reminder") == []
    match.reply(match.on_turn(), "SET reminders default")
    assert len(match.alarms("reminder")) == 2


@pytest.mark.parametrize("written", ["soon", "", "400 days", "0h"])
def test_reminders_that_cannot_be_read_are_refused(match: World, written: str) -> None:
    (receipt,) = match.reply(match.on_turn(), f"SET reminders {written}")
    assert "NOTHING USABLE" in receipt.subject and "SET reminders 12h 2h" in receipt.flat
    assert len(match.alarms("reminder")) == 2
