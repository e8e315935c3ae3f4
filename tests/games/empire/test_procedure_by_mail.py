"""The procedure of Empire by letters: who is late is rolled out by another player, and everybody reads so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.games.empire.events.course import ConfidenceRolled, RolledOut
from referee.service.base.times import stamp
from referee.service.intake.counter import replay_at_the_counter
from referee.service.match.history import history
from tests.service.conftest import ANNA, BEN, CARLA, GINA
from tests.world import Mail, World

MATCH = "e1"


def begin(world: World, options: str = "board small") -> World:
    """A match for three whose capitals have been placed by default; turn 1 begins."""
    world.write(GINA, f"CREATE empire AS {MATCH} WITH {options}")
    for player in (ANNA, BEN, CARLA):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    while world.playing(MATCH).outcome.state.stage != "play":
        world.reply(world.on_turn(MATCH), "ROLL OUT")
    world.new_mail()
    return world


@pytest.fixture
def empire(tmp_path: Path) -> Iterator[World]:
    world = begin(World(tmp_path, seed="procedure"))
    yield world
    world.close()


def another(world: World) -> str:
    return next(player for player in (ANNA, BEN, CARLA) if player != world.on_turn(MATCH))


def happened(world: World, kind: type) -> list[object]:
    return [event for event in world.told(history, MATCH) if isinstance(event, kind)]


def told(mails: list[Mail], kind: str) -> str:
    return next(mail for mail in mails if mail.kind == kind).flat


# ---------------------------------------------------------------- the 24-hour rule


def test_a_slot_lasts_24_hours_and_then_waits_for_whoever_rolls_its_player_out(empire: World) -> None:
    settings = empire.playing(MATCH).settings
    assert (settings.slot_hours, settings.late) == (24, "on call")
    late, roller = empire.waits_for(MATCH), another(empire)
    refused = empire.reply(roller, f"ROLL OUT {late}")
    assert f"{late} is not late" in refused[0].flat
    mails = empire.wait(hours=24)
    assert empire.waits_for(MATCH) == late
    late_player = empire.on_turn(MATCH)
    notices = {mail.to: mail for mail in mails if mail.kind == "notice"}
    assert f"any other player may end the slot with ROLL OUT {late}" in notices.pop(roller).flat
    mine = notices.pop(late_player)
    assert "you are late" in mine.subject and f"any other player may end your slot with ROLL OUT {late}" in mine.flat
    assert all(f"{late} is late" in mail.subject and "Done by" not in mail.flat for mail in notices.values())


@pytest.mark.parametrize(("hours", "days"), [(24, 1), (47, 1), (49, 2)])
def test_a_player_a_day_late_is_rolled_out_by_another_and_report_record_and_sheet_say_so(
    empire: World, hours: int, days: int
) -> None:
    late, roller = empire.waits_for(MATCH), another(empire)
    by = empire.seat(roller, MATCH)
    empire.wait(hours=hours)
    mails = empire.reply(roller, f"ROLL OUT {late}")
    (out,), (rolled,) = happened(empire, RolledOut), happened(empire, ConfidenceRolled)
    assert isinstance(out, RolledOut) and isinstance(rolled, ConfidenceRolled)
    assert (out.seat, out.by, out.late, out.at) == (late, by, days, int(empire.clock.now().timestamp()))
    assert rolled.modified == max(2, rolled.roll - days)
    report = told(mails, "report")
    assert f"{late} was rolled out by {by}, {days} full day" in report
    rolled_at = stamp(empire.clock.now(), "UTC")
    assert (
        f"the moves he had written stand, with all they imply. The referee witnessed the roll on {rolled_at}." in report
    )
    assert f"{late}: confidence roll {rolled.roll}-->{rolled.modified}." in report
    sheets = told(empire.reply(roller, f"SEND sheets OF {late}"), "receipt")
    assert f"{rolled.roll}-->{rolled.modified}" in sheets and f"rolled out by {by}" in sheets
    assert f"roll on {rolled_at}." in sheets
    in_columns = told(empire.reply(roller, "SEND sheets"), "receipt").partition(" Time and date ")[2]
    assert all(part in in_columns for part in rolled_at.split(" 2026, "))
    assert empire.waits_for(MATCH) != late
    found = replay_at_the_counter(empire.office, MATCH)
    assert found is not None and found.sound, found


def test_what_he_had_executed_stands_when_he_is_rolled_out(empire: World) -> None:
    late, player, roller = empire.waits_for(MATCH), empire.on_turn(MATCH), another(empire)
    other = empire.seat(roller, MATCH)
    empire.reply(player, f"TREAT {other} AS hostile\nEXECUTE")
    empire.wait(hours=30)
    mails = empire.reply(roller, f"ROLL OUT {late}")
    state = empire.playing(MATCH).outcome.state
    assert state.countries[late].stances == {other: "hostile"}
    assert f"{late} was rolled out by {other}, 1 full day" in told(mails, "report")


def test_who_is_late_may_still_play_and_roll_out_himself_as_long_as_nobody_has(empire: World) -> None:
    late, player, other = empire.waits_for(MATCH), empire.on_turn(MATCH), empire.seat(another(empire), MATCH)
    empire.wait(hours=25)
    empire.reply(player, f"TREAT {other} AS hostile\nEXECUTE")
    assert empire.waits_for(MATCH) == late
    report = told(empire.reply(player, "ROLL OUT"), "report")
    assert f"{late} rolled out, 1 full day after the slot opened." in report


def test_a_game_master_who_rolls_out_is_named_too(empire: World) -> None:
    late = empire.waits_for(MATCH)
    mails = empire.reply(GINA, f'ROLL OUT {late} BECAUSE "he asked for it"')
    assert f"{late} was rolled out by the game master gina; the moves he had written stand" in told(mails, "report")


def test_a_match_may_agree_that_late_slots_are_played_at_once(tmp_path: Path) -> None:
    world = begin(World(tmp_path, seed="auto"), "board small, overdue auto")
    late = world.waits_for(MATCH)
    mails = world.wait(hours=24)
    assert f"{late} was rolled out by the referee, 1 full day" in told(mails, "report")
    world.close()


def test_the_next_slot_has_24_hours_of_its_own(empire: World) -> None:
    late, roller = empire.waits_for(MATCH), another(empire)
    empire.wait(hours=30)
    now = empire.clock.now()
    empire.reply(roller, f"ROLL OUT {late}")
    (alarm,) = empire.alarms("deadline", MATCH)
    assert alarm.due_at == now + timedelta(hours=24)


# ---------------------------------------------------------------- interpretations


def test_an_order_that_can_be_read_in_two_ways_is_interpreted_by_letter(empire: World) -> None:
    state = empire.playing(MATCH).outcome.state
    mover, player = empire.waits_for(MATCH), empire.on_turn(MATCH)
    home = state.cities[f"{mover} City"].at
    idle, hand = [unit.number for unit in state.units_of(mover, "coolie")][:2]
    there = next(
        there
        for _, there in state.board.grid.around(home)
        if not state.board.squares[there].water and "mountain" not in state.board.border(home, _)
    )
    empire.reply(player, f"LOAD 1 St ABOARD coolie {hand}\nMOVE coolie {idle}, {hand} TO {there}\nEXECUTE")
    mails = empire.reply(player, f"MOVE 1 coolie FROM {there} TO {home}\nROLL OUT")
    doubt = f"{mover}'s line 4 in slot 2 could be read in 2 ways: 1. coolie {idle}; 2. coolie {hand} (carries 1 St)."
    assert doubt in told(mails, "report")
    reader = empire.on_turn(MATCH)
    form = empire.last(reader, "report").text
    assert "INTERPRET LINE 4 OF 2 AS 2" in form
    mails = empire.reply(reader, "INTERPRET LINE 4 OF SLOT 2 AS 2\nROLL OUT")
    settled = f"{empire.seat(reader, MATCH)} (slot 3) interprets line 4 of {mover} (slot 2), which settles it for good"
    assert settled in told(mails, "report")
    state = empire.playing(MATCH).outcome.state
    assert (state.units[idle].at, state.units[hand].at) == (there, home)
    third = empire.on_turn(MATCH)
    refused = empire.reply(third, "INTERPRET LINE 4 OF 2 AS 1")
    assert "has settled for good how that line is read" in refused[0].flat


# ---------------------------------------------------------------- petitions


def notices(mails: list[Mail]) -> list[str]:
    return [mail.flat for mail in mails if mail.kind == "notice"]


def test_everybody_is_told_at_once_what_is_posted_how_to_vote_and_what_came_of_it(empire: World) -> None:
    by = empire.seat(ANNA, MATCH)
    mails = empire.reply(ANNA, 'PETITION FOR clarification "Reefs may be mined."')
    posted = (
        f"{by} posted petition 1 (clarification): Reefs may be mined. Posted on {stamp(empire.clock.now(), 'UTC')}. "
        "It passes with more yes than no: VOTE yes ON 1 or VOTE no ON 1; a roll-out without a vote counts as quorum. [emp.P19]"
    )
    assert len(mails) == 4 and all(posted in mail.flat for mail in mails)
    assert notices(empire.reply(BEN, "VOTE no ON 1")) == []
    mails = empire.reply(CARLA, "VOTE yes ON 1")
    passed = "Petition 1 passed, 2 to 1. It binds from now on and changes nothing that is past. [emp.H-05]"
    assert len(mails) == 4 and all(passed in mail.flat for mail in mails)
    sheet = told(empire.reply(BEN, "SEND sheets"), "receipt")
    assert all(part in sheet.partition(" Posted ")[2] for part in stamp(empire.clock.now(), "UTC").split(" 2026, "))
    report = told(empire.reply(empire.on_turn(MATCH), "ROLL OUT"), "report")
    assert posted.removesuffix(" [emp.P19]") in report and "Petition 1 passed, 2 to 1." in report


def test_a_change_needs_more_than_half_of_all_and_rolling_out_is_no_yes(empire: World) -> None:
    empire.reply(ANNA, 'PETITION FOR change "Trucks carry one SAC."')
    for _ in range(3):
        mails = empire.reply(empire.on_turn(MATCH), "ROLL OUT")
    assert "Petition 1 failed, 1 to 0." in told(mails, "report")


def test_a_suspension_stops_the_clock_so_that_nobody_is_late_under_it(empire: World) -> None:
    late = empire.waits_for(MATCH)
    empire.reply(ANNA, "SUSPEND FOR 48 hours")
    mails = empire.reply(BEN, "VOTE yes ON 1")
    assert any("The clock is suspended for 48 hours from now" in said for said in notices(mails))
    empire.wait(hours=71)
    roller = another(empire)
    assert f"{late} is not late" in empire.reply(roller, f"ROLL OUT {late}")[0].flat
    empire.wait(hours=1)
    report = told(empire.reply(roller, f"ROLL OUT {late}"), "report")
    assert f"{late} was rolled out by {empire.seat(roller, MATCH)}, 1 full day" in report


def test_the_game_ends_by_petition_when_the_slot_is_over(empire: World) -> None:
    empire.reply(ANNA, "PETITION FOR end")
    mails = empire.reply(CARLA, "VOTE yes ON 1")
    assert all("The game ends when the slot that is open is over." in said for said in notices(mails))
    mails = empire.reply(empire.on_turn(MATCH), "ROLL OUT")
    assert any(mail.kind == "farewell" for mail in mails) and empire.status(MATCH) == "over"
