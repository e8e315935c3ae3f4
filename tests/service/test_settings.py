"""The clock of a match as its game master sets it: CREATE ... WITH, CLOCK, DAYS, GRACE, HOLIDAYS, shown by STATUS."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from referee.core.record import Overrode
from referee.service.base import notes
from referee.service.base.note_values import Motion
from referee.service.intake.counter import at_the_counter
from tests.service.conftest import ANNA, BEN, GINA, PLAYERS, begin
from tests.world import World

SATURDAY = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def due(world: World) -> datetime:
    (alarm,) = world.alarms("deadline")
    return alarm.due_at


def next_slot(world: World) -> datetime:
    world.reply(world.on_turn(), "ROLL OUT")
    return due(world)


def test_a_match_is_created_with_its_clock(world: World) -> None:
    begin(
        world,
        "WITH nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon, Tue and Thu-Fri, holidays DE 2026-11-23, "
        "grace 12h strict, reminders 6h, bank 5 days",
    )
    settings = world.playing().settings
    assert (settings.slot_hours, settings.late, settings.reminder_hours) == (48, "after grace", (6,))
    assert settings.slots.days == ("Mon", "Tue", "Thu", "Fri")
    assert (settings.slots.grace_hours, settings.slots.strict, settings.bank_hours) == (12, True, 120)
    assert world.playing().created.options["nationalities"] == "yes"
    assert due(world) == at("2026-11-24 17:00")  # 48 hours end on Monday the 23rd, which is taken out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("slot long", "is no time for a slot"),
        ("days Mon-Foo", "Foo is no weekday"),
        ("holidays ZZ", "ZZ is no country"),
        ("clock 25:00", "25:00 is no time of the day"),
        ("clock 18:00 Nowhere", "Nowhere is no time zone"),
        ("late never", "late is auto, after grace or on call"),
        ("lateness hidden, late on call", "lateness cannot be hidden"),
        ("holidays 32.12.", "32.12. is no date"),
        ("nonsense yes", "nonsense is no option"),
    ],
)
def test_a_clock_that_cannot_be_read_opens_no_match(world: World, options: str, said: str) -> None:
    (receipt,) = world.vouched(GINA, f"CREATE newworld AS nw1 WITH {options}")
    assert "NOT DONE" in receipt.subject and said in receipt.flat
    with world.store.look() as step:
        assert step.match("nw1") is None


@pytest.mark.parametrize(
    ("word", "then"),
    [
        ("CLOCK slot 48h", "2026-11-23 12:00"),
        ("CLOCK 18:00", "2026-11-22 18:00"),
        ("CLOCK at 18:00 Europe/Berlin", "2026-11-22 17:00"),
        ("CLOCK least 3 days", "2026-11-24 12:00"),
        ("DAYS Mon-Fri", "2026-11-23 12:00"),
        ("DAYS Tue, Thu", "2026-11-24 12:00"),
        ("HOLIDAYS 2026-11-22 2026-11-23", "2026-11-24 12:00"),
        ("HOLIDAYS JP", "2026-11-22 12:00"),
        ("CLOCK slot 36h, holidays JP", "2026-11-24 00:00"),  # the 23rd is a holiday in Japan
    ],
)
def test_a_word_of_the_game_master_sets_the_clock_of_slots_to_come(match: World, word: str, then: str) -> None:
    running = due(match)
    mails = match.reply(GINA, f'{word} BECAUSE "we are slow"')
    assert due(match) == running
    assert {m.to for m in mails if m.is_a("notice") and "we are slow" in m.flat} == {*PLAYERS, GINA}
    assert match.log(Overrode)[-1].action.startswith("CLOCK")
    assert next_slot(match) == at(then)


def test_the_hour_is_in_the_game_masters_own_zone_unless_he_names_one(match: World) -> None:
    match.reply(GINA, "SET zone America/New_York")
    match.reply(GINA, "CLOCK 18:00")
    assert next_slot(match) == at("2026-11-22 23:00")


def test_status_tells_the_clock(match: World) -> None:
    match.reply(GINA, "CLOCK 18:00 Europe/Berlin, days Mon-Fri, holidays DE, bank 3 days")
    match.reply(GINA, "GRACE 24h strict")
    (receipt,) = match.reply(ANNA, "STATUS")
    for said in (
        "A slot lasts 24 h, ends at 18:00 Europe/Berlin, ends on Mon, Tue, Wed, Thu, Fri only, not on public holidays of DE.",
        "A slot whose player is late is played after 24 h of grace, though not for two slots in a row (strict).",
        "Reminders go out 12 h and 2 h before a deadline.",
        "Each player has a time bank of 3 days for EXTEND.",
        "An absence of up to 14 days needs nobody's leave.",
        "Your time bank has 3 days left.",
    ):
        assert said in receipt.flat
    (shown,) = match.reply(GINA, "CLOCK")
    assert "A slot lasts 24 h, ends at 18:00 Europe/Berlin" in shown.flat


@pytest.mark.parametrize(
    "word", ["CLOCK slot soon", "DAYS Sometimes", "GRACE much", "HOLIDAYS XX", "CLOCK reply clock 9"]
)
def test_a_setting_that_cannot_be_read_changes_nothing(match: World, word: str) -> None:
    before, entries = match.playing().settings, match.entries()
    (receipt,) = match.reply(GINA, word)
    assert "NOTHING USABLE" in receipt.subject
    assert (match.playing().settings, match.entries()) == (before, entries)


def test_players_do_not_set_the_clock(match: World) -> None:
    (receipt,) = match.reply(BEN, "DAYS Mon-Fri")
    assert "NOTHING USABLE" in receipt.subject
    assert match.playing().settings.slots.days == ()


def test_the_keeper_sets_it_at_the_counter(match: World) -> None:
    said = at_the_counter(match.office, "nw1", "DAYS Mon-Fri", "the keeper")
    assert said.granted and "ends on Mon, Tue, Wed, Thu, Fri only" in " ".join(said.sentences)
    assert match.playing().settings.slots.days == ("Mon", "Tue", "Wed", "Thu", "Fri")


def test_replies_have_a_timetable_of_their_own(world: World) -> None:
    begin(world, "WITH mode two_step, reply 6h, reply clock 9:00, slot 48h")
    assert due(world) == at("2026-11-23 12:00")
    world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    assert due(world) == at("2026-11-22 09:00")


def test_slots_of_a_day_at_a_fixed_hour_follow_each_other_day_by_day(match: World) -> None:
    match.reply(GINA, "CLOCK 18:00")
    assert next_slot(match) == at("2026-11-22 18:00")
    match.wait(days=1, hours=6, minutes=3)  # the turn runs three minutes late
    assert due(match) == at("2026-11-23 18:00")


def test_the_days_are_the_game_masters_own_and_told_to_who_joins_and_at_the_start(world: World) -> None:
    world.vouched(GINA, "SET zone Auckland")
    begin(world, "WITH slot 24h, days Mon-Fri")
    assert world.playing().settings.slots.zone == "Pacific/Auckland"
    told = "ends on Mon, Tue, Wed, Thu, Fri only, all days by the clocks of Pacific/Auckland"
    assert sum(told in mail.flat for mail in world.all_mail()) >= 2 * len(PLAYERS)
    local = due(world).astimezone(ZoneInfo("Pacific/Auckland"))
    assert local.weekday() < 5, f"a deadline on {local:%A}"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("CLOCK clock 18:00 CST", "write America/Chicago, Asia/Shanghai"),
        ("CLOCK slot 99999999 days", "longer than two years"),
        ("CLOCK bank 105 weeks", "longer than two years"),
        ("GRACE 999999999999h", "longer than two years"),
        ("HOLIDAYS 9999-12-31", "more than two years away"),
        ("DEADLINE +99999999 days", "longer than two years"),
        ("DEADLINE +999999999999999 days", "longer than two years"),
        ("DEADLINE 9999-12-31 23:59", "more than two years away"),
        ("PAUSE FOR 200 weeks", "longer than two years"),
        ("PAUSE UNTIL 9999-12-31", "more than two years away"),
        ("SET reminders 99999999 days", "longer than two years"),
        ("ABSENCE FROM 9999-12-30 TO 9999-12-31", "more than two years away"),
        ("DAYS Mon-Fri Nowhere/Land", "is no time zone"),
        ("DEADLINE 24 Dec", "Say the hour too: DEADLINE 24 Dec 18:00"),
        ("DEADLINE 12/1/2026 18:00", "can be read as 2026-01-12 and as 2026-12-01"),
        ("CLOCK clock 25:00", "25:00 is no time of the day"),
    ],
)
def test_what_is_too_far_or_could_be_several_is_told_in_a_sentence(match: World, word: str, said: str) -> None:
    before = (match.playing().settings, due(match))
    (receipt,) = match.reply(match.on_turn() if "ABSENCE" in word else GINA, word)
    assert said in receipt.flat, receipt.flat
    assert (match.playing().settings, due(match)) == before


def moved(world: World) -> tuple[Motion, ...]:
    with world.store.look() as step:
        return notes.MOTIONS.of("nw1").read(step) or ()


def test_deadlines_cannot_be_moved_beyond_two_years_step_by_step(world: World) -> None:
    begin(world, "WITH bank 700 days")
    player = world.on_turn()

    def refused(by: str, word: str) -> None:
        before = due(world), [motion.state for motion in moved(world)]
        (receipt,) = world.reply(by, word)
        assert receipt.flat.count("more than two years away") == 1, receipt.flat
        assert (due(world), [motion.state for motion in moved(world)]) == before

    world.reply(player, "EXTEND 400 days")
    refused(GINA, "DEADLINE +400 days")
    refused(player, "VOTE EXTEND BY 400 days")
    world.reply(player, "VOTE EXTEND BY 300 days")
    for voter in (p for p in PLAYERS if p != player):
        world.reply(voter, "VOTE yes ON 1")
    assert due(world) - world.clock.now() > timedelta(days=700)
    refused(player, "EXTEND 40 days")
    refused(player, "VOTE EXTEND BY 40 days")
    refused(GINA, "DEADLINE +40 days")


def test_a_motion_that_is_carried_too_late_to_be_done_is_told_to_all(world: World) -> None:
    begin(world, "WITH bank 700 days")
    player = world.on_turn()
    world.reply(player, "VOTE EXTEND BY 400 days")
    world.reply(player, "EXTEND 400 days")
    before = due(world)
    for voter in (p for p in PLAYERS if p != player):
        mails = world.reply(voter, "VOTE yes ON 1")
        if moved(world)[0].state == "carried":
            break
    assert {mail.to for mail in mails if "more than two years away" in mail.flat} == {*PLAYERS, GINA} and due(
        world
    ) == before


@pytest.mark.parametrize(
    ("word", "clock", "zone"),
    [
        ("CLOCK clock 6pm Berlin", "18:00", "Europe/Berlin"),
        ("CLOCK clock 18.30 New York", "18:30", "America/New_York"),
        ("CLOCK 18 Uhr", "18:00", "UTC"),
        ("CLOCK slot 24h, 24:00 UTC+2", "00:00", "Etc/GMT-2"),
        ("CLOCK clock noon in Wien", "12:00", "Europe/Vienna"),
    ],
)
def test_the_fixed_hour_as_people_write_it(match: World, word: str, clock: str, zone: str) -> None:
    match.reply(GINA, word)
    table = match.playing().settings.slots
    assert (table.clock, table.zone) == (clock, zone)


def test_an_hour_that_comes_twice_or_never_is_told_with_the_clock(match: World) -> None:
    mails = match.reply(GINA, "CLOCK clock 02:30 Berlin")
    said = "On 2027-03-28 no clock shows 02:30 in Europe/Berlin; slots end at 03:30 then."
    assert any(said in mail.flat and "clocks show 02:30 twice" in mail.flat for mail in mails)


def test_a_zone_is_told_with_what_it_is_there_now(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SET zone Etc/GMT+2")
    assert "UTC-2 (2 h behind UTC all year, Etc/GMT+2), where it is Sat 21 Nov 2026, 10:00 -02" in receipt.flat
