"""ABSENCE and EXTEND: a player's own days away and his own time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.service.conftest import BEN, GINA, PLAYERS, begin
from tests.world import World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def due(world: World) -> datetime:
    (alarm,) = world.alarms("deadline")
    return alarm.due_at


def turn_of(world: World, player: str) -> None:
    """Play until it is this player's turn."""
    while world.on_turn() != player:
        world.reply(world.on_turn(), "ROLL OUT")


def another(world: World) -> str:
    return next(player for player in PLAYERS if player != world.on_turn())


def test_a_deadline_that_runs_moves_behind_an_absence_and_everybody_is_told(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    mails = match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-24")
    assert due(match) == at("2026-11-26 00:00")  # back on the 25th, and a day to play
    told = [mail for mail in mails if mail.is_a("notice")]
    assert {mail.to for mail in told} == {*PLAYERS, GINA}
    assert all(f"{seat} now has until Thu 26 Nov 2026, 00:00 UTC" in mail.flat for mail in told)
    (receipt,) = [mail for mail in mails if mail.is_a("receipt")]
    assert "Absence 1 is noted." in receipt.flat


@pytest.mark.parametrize(
    "line",
    [
        "ABSENCE FROM 22.11. TO 24.11.",
        "ABSENCE from Nov 22 to Nov 24, 2026",
        "ABSENCE vom 22. November bis 24/11",
        "ABSENCE du 22 novembre au mardi",
    ],
)
def test_days_as_people_write_them(match: World, line: str) -> None:
    (receipt,) = [mail for mail in match.reply(match.on_turn(), line) if mail.is_a("receipt")]
    assert due(match) == at("2026-11-26 00:00")
    assert "from Sun 22 Nov 2026, 00:00 UTC to Wed 25 Nov 2026, 00:00 UTC" in receipt.flat


def test_a_day_that_can_be_read_both_ways_is_asked_about(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "ABSENCE FROM 3/12 TO 20 Dec")
    assert '"3/12" can be read as 12 Mar and as 3 Dec.' in receipt.flat
    assert "ABSENCE 3 Dec - 20 Dec" in receipt.flat


def test_a_slot_that_opens_later_is_set_behind_an_absence(match: World) -> None:
    player = another(match)
    match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-23")
    assert due(match) == START + timedelta(hours=24)
    turn_of(match, player)
    assert due(match) == at("2026-11-25 00:00")


def test_days_are_those_of_the_players_zone(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "SET zone America/New_York")
    match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-22")
    assert due(match) == at("2026-11-24 05:00")


def test_what_was_told_stays_when_an_absence_is_taken_back(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-24")
    (receipt,) = match.reply(player, "NO ABSENCE 1")
    assert "is taken back" in receipt.flat and due(match) == at("2026-11-26 00:00")
    (receipt,) = match.reply(player, "ABSENCE")
    assert "You have no absence on file" in receipt.flat


def test_three_absences_are_listed_and_a_fourth_refused(match: World) -> None:
    player = another(match)
    for day in ("2026-12-01", "2026-12-05", "2026-12-09"):
        match.reply(player, f"ABSENCE FROM {day} TO {day}")
    (receipt,) = match.reply(player, "ABSENCE FROM 2026-12-12 TO 2026-12-13")
    assert "You have 3 absences on file" in receipt.flat
    (receipt,) = match.reply(player, "ABSENCE")
    assert all(f"Absence {number}: from" in receipt.flat for number in (1, 2, 3))
    match.reply(player, "NO ABSENCE 2")
    mails = match.reply(player, "ABSENCE FROM 2026-12-12 TO 2026-12-13")
    assert any("Absence 2 is noted" in mail.flat for mail in mails)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ABSENCE FROM 2026-12-20 TO 2026-12-10", "the first one first"),
        ("ABSENCE FROM 2020-12-20 TO 2020-12-22", "two days to come"),
        ("ABSENCE FROM 2026-12-20", "Say the first day you are away and the last"),
        ("ABSENCE FROM 2028-12-20 TO 2028-12-22", "2028-12-20 is more than two years away"),
        ("NO ABSENCE 1", "You have no absence 1"),
        ("EXTEND 12h", "There is no time bank in this match"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be_right(match: World, line: str, said: str) -> None:
    (receipt,) = match.reply(match.on_turn(), line)
    assert "NOTHING USABLE" in receipt.subject and said in receipt.flat
    assert due(match) == START + timedelta(hours=24)


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("ABSENCE 30 Dec TO 2 Jan", "Wed 30 Dec 2026", "Sun 3 Jan 2027"),
        ("ABSENCE 24 Dec", "Thu 24 Dec 2026", "Fri 25 Dec 2026"),
        ("Abwesenheit 24. Dezember", "Thu 24 Dec 2026", "Fri 25 Dec 2026"),
        ("absent le 24 décembre", "Thu 24 Dec 2026", "Fri 25 Dec 2026"),
        ("ausente 24 de diciembre", "Thu 24 Dec 2026", "Fri 25 Dec 2026"),
        ("ABSENCE 24.12.-27.12.", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE 24 - 27 Dec", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE FROM 24.12. UNTIL 27.12.", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE tomorrow", "Sun 22 Nov 2026", "Mon 23 Nov 2026"),
        ("abwesend vom 24. bis 27. Dezember", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE vom 24. bis einschließlich 27. Dezember", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("Urlaub von 24. bis 27.12.2026", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("absent du 24 au 27 décembre", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE du 24 au 27 décembre inclus", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ausente del 24 al 27 de diciembre", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE desde el 24 hasta el 27 de diciembre", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE from Dec 24 to 27", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE from the 24th to the 27th of December (inclusive)", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
        ("ABSENCE FROM 24 to 27 Dec", "Thu 24 Dec 2026", "Mon 28 Dec 2026"),
    ],
)
def test_an_absence_as_people_write_it(match: World, line: str, first: str, last: str) -> None:
    mails = match.reply(match.on_turn(), line)
    assert any(f"from {first}, 00:00 UTC to {last}, 00:00 UTC" in mail.flat for mail in mails), mails[0].flat


def test_absences_do_not_overlap(match: World) -> None:
    player = another(match)
    match.reply(player, "ABSENCE FROM 2026-12-01 TO 2026-12-05")
    (receipt,) = match.reply(player, "ABSENCE FROM 2026-12-05 TO 2026-12-06")
    assert "You are away then already" in receipt.flat


def test_a_long_absence_waits_for_the_game_master(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    mails = match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-12-06")
    (asked,) = [mail for mail in mails if mail.is_a("notice")]
    assert asked.to == GINA and f"APPROVE ABSENCE {seat}" in asked.flat and "15 days" in asked.flat
    assert due(match) == START + timedelta(hours=24)
    mails = match.reply(GINA, f'APPROVE ABSENCE {seat} BECAUSE "a wedding"')
    assert due(match) == at("2026-12-08 00:00")
    assert {m.to for m in mails if m.is_a("notice") and "a wedding" in m.flat} == {*PLAYERS, GINA}


def test_a_long_absence_that_is_not_approved_does_not_count(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-12-31")
    match.reply(GINA, f"REFUSE ABSENCE {seat}")
    assert due(match) == START + timedelta(hours=24)
    (receipt,) = match.reply(player, "ABSENCE")
    assert "You have no absence on file" in receipt.flat
    (receipt,) = match.reply(GINA, f"APPROVE ABSENCE {seat}")
    assert "asks for no absence" in receipt.flat


def test_the_maximum_is_the_matchs_own(world: World) -> None:
    begin(world, "WITH absences 2 days")
    player = world.on_turn()
    world.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-24")
    assert due(world) == START + timedelta(hours=24)
    world.reply(player, "ABSENCE FROM 2026-12-22 TO 2026-12-23")
    (receipt,) = world.reply(player, "ABSENCE")
    assert "has not approved it yet" in receipt.flat and "Absence 2" in receipt.flat


def test_an_absence_ends_with_its_players_part_in_the_match(match: World) -> None:
    player = another(match)
    seat = match.seat(player)
    match.reply(player, "ABSENCE FROM 2026-11-22 TO 2026-11-30")
    match.reply(GINA, f"REPLACE {seat} BY zoe@players.example")
    turn_of(match, "zoe@players.example")
    assert due(match) == START + timedelta(hours=24)


# ---------------------------------------------------------------- the time bank


@pytest.fixture
def banked(world: World) -> World:
    begin(world, "WITH bank 2 days, clock 18:00, days Mon-Sun")
    return world


def test_extend_spends_a_players_own_time_and_everybody_is_told(banked: World) -> None:
    player, seat, before = banked.on_turn(), banked.waits_for(), due(banked)
    mails = banked.reply(player, "EXTEND 12h")
    assert due(banked) == before + timedelta(hours=12)
    told = [mail for mail in mails if mail.is_a("notice")]
    assert {mail.to for mail in told} == {*PLAYERS, GINA}
    assert all(f"{seat} spends 12 h of a time bank; 1 day 12 h is left in it." in mail.flat for mail in told)
    banked.reply(player, "EXTEND")
    assert due(banked) == before + timedelta(hours=36)
    banked.reply(player, "EXTEND")
    assert due(banked) == before + timedelta(hours=48)
    (receipt,) = banked.reply(player, "EXTEND 1h")
    assert "Your time bank has nothing left" in receipt.flat


def test_nobody_extends_by_more_than_he_has_nor_backwards(banked: World) -> None:
    player, before = banked.on_turn(), due(banked)
    for line in ("EXTEND 49h", "EXTEND -3h", "EXTEND 0h"):
        (receipt,) = banked.reply(player, line)
        assert "Your time bank has 2 days left" in receipt.flat
    assert due(banked) == before


def test_who_owes_nothing_has_nothing_to_extend(banked: World) -> None:
    (receipt,) = banked.reply(another(banked), "EXTEND 12h")
    assert "No deadline of yours is running" in receipt.flat


def test_each_player_has_a_bank_of_his_own(banked: World) -> None:
    banked.reply(banked.on_turn(), "EXTEND 2 days\nROLL OUT")
    (receipt,) = banked.reply(banked.on_turn(), "STATUS")
    assert "Your time bank has 2 days left." in receipt.flat


def test_an_extension_does_not_end_on_a_day_that_is_not_allowed(world: World) -> None:
    begin(world, "WITH bank 2 days, days Sun Tue")
    assert due(world) == at("2026-11-22 12:00")
    world.reply(world.on_turn(), "EXTEND 12h")
    assert due(world) == at("2026-11-24 00:00")  # Monday the 23rd at 0:00 is none, Tuesday is


def test_only_players_announce_absences(match: World) -> None:
    (receipt,) = match.reply(GINA, "ABSENCE FROM 2026-12-01 TO 2026-12-02")
    assert "NOTHING USABLE" in receipt.subject
    assert BEN in PLAYERS
