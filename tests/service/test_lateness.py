"""Full periods of lateness, slots that wait on call, and suspensions that the players vote for."""

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
from referee.games.newworld.events.course import TurnPassed
from referee.games.newworld.game import NewWorld
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.spending import ResearchTechnologies
from referee.games.newworld.position import World as State
from referee.service.base.settings import ClockSettings
from tests.service.conftest import GINA, PLAYERS, begin
from tests.world import World

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


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
