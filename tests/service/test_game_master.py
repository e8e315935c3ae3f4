"""The game master by letter: each override works, is in the log, and is told to everybody with its reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.core.question import Source
from referee.core.record import Created, Filed, Forwarded, Overrode, Pledged, Rewound
from referee.service.match.history import history
from tests.service.conftest import ANNA, BEN, CARLA, GINA, OTTO, PLAYERS
from tests.world import Mail, World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def due(world: World) -> datetime:
    (alarm,) = world.alarms("deadline")
    return alarm.due_at


def notices(mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.is_a("notice")]


def told(mails: list[Mail]) -> set[str]:
    return {mail.to for mail in notices(mails)}


EVERYBODY = {*PLAYERS, GINA}


def test_deadline_later_is_told_to_everybody_with_reason_and_times(match: World) -> None:
    match.reply(BEN, "SET zone Europe/Berlin")
    mails = match.reply(GINA, 'DEADLINE +12h BECAUSE "Anna travels"')
    assert due(match) == START + timedelta(hours=36)
    assert told(mails) == EVERYBODY
    assert all("Anna travels" in mail.flat and "Mon 23 Nov 2026, 00:00 UTC" in mail.flat for mail in notices(mails))
    (his,) = [mail for mail in notices(mails) if mail.to == BEN]
    assert "Mon 23 Nov 2026, 01:00 CET" in his.flat
    assert match.log(Overrode)[-1].action.startswith("DEADLINE")
    assert match.log(Overrode)[-1].reason == "Anna travels"


def test_deadline_at_a_moment_in_the_game_masters_own_zone(match: World) -> None:
    match.reply(GINA, "SET zone Europe/Berlin")
    match.reply(GINA, "DEADLINE 2026-11-24 18:00")
    assert due(match) == datetime(2026, 11, 24, 17, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "line", ["DEADLINE 24.11. 18 Uhr", "DEADLINE Tuesday 24 Nov, 6pm", "DEADLINE nächsten Dienstag um 18h"]
)
def test_a_deadline_is_written_as_people_do_and_told_with_weekday_year_and_zone(match: World, line: str) -> None:
    match.reply(GINA, "SET zone Europe/Berlin")
    mails = match.reply(GINA, line)
    assert due(match) == datetime(2026, 11, 24, 17, 0, tzinfo=UTC)
    assert any(mail.to == GINA and "until Tue 24 Nov 2026, 18:00 CET" in mail.flat for mail in mails)


def test_a_deadline_lacks_its_hour(match: World) -> None:
    (receipt,) = match.reply(GINA, "DEADLINE 24.11.")
    assert "Say the hour too: DEADLINE 24 Nov 18:00." in receipt.flat


def test_a_pause_until_a_day(match: World) -> None:
    (receipt,) = [mail for mail in match.reply(GINA, "PAUSE bis Montag") if mail.is_a("receipt")]
    assert "It goes on by itself at Mon 23 Nov 2026, 00:00 UTC" in receipt.flat


def test_deadline_for_one_seat_that_owes_nothing_is_refused(match: World) -> None:
    other = match.playing().outcome.state.living[1]
    (receipt,) = match.reply(GINA, f"DEADLINE +12h FOR {other}")
    assert "none to move" in receipt.flat


def test_deadline_for_the_seat_on_turn(match: World) -> None:
    match.reply(GINA, f"DEADLINE +3h FOR {match.waits_for()}")
    assert due(match) == START + timedelta(hours=27)


@pytest.mark.parametrize("when", ["2026-11-21 18:00", "-3h", "2020-01-01 00:00"])
def test_a_deadline_never_moves_earlier(match: World, when: str) -> None:
    before = match.entries()
    (receipt,) = match.reply(GINA, f"DEADLINE {when}")
    assert "DONE" not in receipt.subject
    assert due(match) == START + timedelta(hours=24)
    assert match.entries() == before


def test_pause_and_resume_keep_everybodys_time(match: World) -> None:
    match.wait(hours=4)
    mails = match.reply(GINA, 'PAUSE BECAUSE "holidays"')
    assert told(mails) == EVERYBODY
    assert match.status() == "paused"
    assert match.wait(days=9) == []
    mails = match.reply(GINA, "RESUME")
    assert told(mails) == EVERYBODY
    assert due(match) == match.clock.now() + timedelta(hours=20)
    assert [o.action for o in match.log(Overrode)] == ["PAUSE", "RESUME"]


def test_pause_for_a_time_ends_by_itself(match: World) -> None:
    mails = match.reply(GINA, 'PAUSE FOR 3 days BECAUSE "holidays"')
    assert all("Tue 24 Nov 2026, 12:00 UTC" in mail.flat for mail in notices(mails))
    mails = match.wait(days=3)
    assert match.status() == "running"
    assert told(mails) == EVERYBODY
    assert due(match) == START + timedelta(days=4)


def test_resume_before_the_time_cancels_the_alarm(match: World) -> None:
    match.reply(GINA, "PAUSE FOR 3 days")
    match.reply(GINA, "RESUME")
    assert match.alarms("resume") == []


def test_orders_are_taken_while_paused_and_run_after_the_delay(match: World) -> None:
    seat = match.waits_for()
    match.reply(GINA, "PAUSE")
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "] COMPLETE" in receipt.subject
    assert match.drawer(seat, "orders") == ["RESEARCH any"]
    match.wait(days=2)
    match.reply(GINA, "RESUME")
    match.wait(minutes=31)
    assert match.waits_for() != seat


@pytest.mark.parametrize("letter", ["CLEAR", "WAIT", "HIRE 1 worker\nRESERCH any"])
def test_what_stops_the_delay_stops_it_in_a_pause_too(match: World, letter: str) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "RESEARCH any")
    match.reply(GINA, "PAUSE")
    match.reply(match.on_turn(), letter)
    match.reply(GINA, "RESUME")
    match.wait(hours=2)
    assert match.waits_for() == seat


def test_roll_out_in_a_pause_is_refused(match: World) -> None:
    seat = match.waits_for()
    match.reply(GINA, "PAUSE")
    (receipt,) = match.reply(match.on_turn(), "ROLL OUT")
    assert "paused" in receipt.flat
    assert match.waits_for() == seat


def test_offers_act_while_paused(match: World) -> None:
    seat, other = match.playing().outcome.state.living[:2]
    match.reply(GINA, "PAUSE")
    (receipt,) = match.reply(match.player(other), f"OFFER 3 gold TO {seat}")
    assert "DONE" in receipt.subject


def test_pause_twice_and_resume_of_what_runs_are_refused(match: World) -> None:
    (receipt,) = match.reply(GINA, "RESUME")
    assert "only a paused match" in receipt.flat
    match.reply(GINA, "PAUSE")
    (receipt,) = match.reply(GINA, "PAUSE")
    assert "only a running match" in receipt.flat


def test_roll_out_of_a_seat_plays_what_is_on_file(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "RESEARCH any\nWAIT")
    mails = match.reply(GINA, f'ROLL OUT {seat} BECAUSE "overdue"')
    assert told(mails) == EVERYBODY
    assert match.waits_for() != seat
    assert match.closed()[-1].source is Source.PLAYER
    assert match.log(Overrode)[-1].action == f"ROLL OUT {seat}"


def phase_of(match: World) -> str:
    """The key of the phase that waits for orders."""
    phase = match.playing().outcome.phase
    assert phase is not None
    return phase.key


def test_process_needs_the_phase_that_waits(match: World) -> None:
    phase = phase_of(match)
    (receipt,) = match.reply(GINA, 'PROCESS "T9/Nowhere"')
    assert phase in receipt.flat
    assert phase_of(match) == phase
    match.reply(GINA, f'PROCESS "{phase}" BECAUSE "all agreed"')
    assert phase_of(match) != phase
    assert match.log(Overrode)[-1].action == f"PROCESS {phase}"


def test_excuse(match: World) -> None:
    seat = match.waits_for()
    mails = match.reply(GINA, f'EXCUSE {seat} BECAUSE "a power cut"')
    assert told(mails) == EVERYBODY
    assert all("a power cut" in mail.flat for mail in notices(mails))
    assert match.log(Overrode)[-1].action == f"EXCUSE {seat}"


def play(world: World, turns: int) -> None:
    for _ in range(turns):
        world.reply(world.on_turn(), "RESEARCH any\nROLL OUT")


def test_rewind_restores_the_state_with_new_dice(match: World) -> None:
    play(match, 1)
    before = match.playing().outcome.state
    play(match, 3)
    mails = match.reply(GINA, 'REWIND TO TURN 2 BECAUSE "a misread order"')
    assert told(mails) == EVERYBODY
    assert all("a misread order" in mail.flat for mail in notices(mails))
    playing = match.playing()
    assert playing.turn == 2
    assert playing.outcome.state.powers == before.powers
    assert playing.seals.chain == match.log(Pledged)[-1].chain == 1
    assert due(match) == match.clock.now() + timedelta(hours=24)


def test_a_rewound_turn_is_played_with_other_dice(match: World) -> None:
    from referee.core.event import Drawn, Rolled

    def chance() -> list[object]:
        return [e for e in match.told(history, "nw1") if isinstance(e, Rolled | Drawn)]

    old = chance()
    play(match, 4)
    first = chance()[len(old) :]
    match.reply(GINA, "REWIND TO TURN 1")
    assert chance() == old
    play(match, 4)
    assert first and chance()[len(old) :] != first


def test_reply_addresses_from_before_a_rewind_are_dead(match: World) -> None:
    player = match.on_turn()
    old = match.last(player).reply_to
    play(match, 1)
    match.reply(GINA, "REWIND TO TURN 1")
    (answer,) = match.write(player, "RESEARCH any", old)
    assert answer.kind == "refusal"
    (receipt,) = match.reply(player, "RESEARCH any", kind="notice")
    assert "] COMPLETE" in receipt.subject


def test_orders_of_the_rewound_turn_are_on_file_again(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "STANDING\nCOLONIZE any\nEND\nRESEARCH any")
    match.wait(minutes=31)
    match.reply(GINA, "REWIND TO TURN 1")
    assert match.drawer(seat, "orders") == ["RESEARCH any"]
    assert match.drawer(seat, "standing") == ["COLONIZE any"]
    match.wait(hours=23)
    assert match.waits_for() == seat


def test_reports_of_a_dead_stretch_stay_readable(match: World) -> None:
    play(match, 3)
    heads = {entry.seq: entry.hash for entry in match.entries()}
    match.reply(GINA, "REWIND TO TURN 2")
    assert all(heads[entry.seq] == entry.hash for entry in match.entries() if entry.seq in heads)
    (receipt,) = match.reply(ANNA, "SEND history")
    assert "turn 3:" in receipt.flat
    (report,) = match.reply(ANNA, "SEND report TURN 3")
    assert "Turn 3" in report.flat


def test_rewind_to_a_turn_that_has_not_begun_is_refused(match: World) -> None:
    play(match, 1)
    (receipt,) = match.reply(GINA, "REWIND TO TURN 9")
    assert "Turn 9 has not begun" in receipt.flat
    assert match.log(Rewound) == []


def test_forward_takes_up_the_old_course(match: World) -> None:
    play(match, 3)
    before, player = match.playing(), match.on_turn()
    match.reply(GINA, "REWIND TO TURN 2")
    mails = match.reply(GINA, 'FORWARD BECAUSE "it was right after all"')
    after = match.playing()
    assert told(mails) == EVERYBODY
    assert (after.turn, after.outcome.state) == (before.turn, before.outcome.state)
    assert len(match.log(Forwarded)) == 1
    (receipt,) = match.reply(player, "RESEARCH any", kind="notice")
    assert "] COMPLETE" in receipt.subject


def test_forward_after_turns_by_default_goes_on_with_the_right_reports(match: World) -> None:
    match.wait(hours=24)
    match.wait(hours=24)
    (old,) = match.reply(ANNA, "SEND report TURN 2")
    match.reply(GINA, "REWIND TO TURN 2")
    match.wait(hours=24)
    match.wait(hours=24)
    assert match.playing().turn == 4
    match.reply(GINA, "FORWARD")
    assert match.playing().turn == 3
    (again,) = match.reply(ANNA, "SEND report TURN 2")
    assert body(again) == body(old)
    match.wait(hours=24)
    assert match.playing().turn == 4
    assert match.letters("shunted") == []


def body(mail: Mail) -> str:
    """The report in a letter, without what stands round it."""
    at = mail.text.index("Turn 2: ")
    lines = mail.text[at:].splitlines()
    return "\n".join(lines[: lines.index("Proof")] if "Proof" in lines else lines[:30])


def test_rewind_and_forward_within_a_turn_leave_living_reply_addresses(match: World) -> None:
    for _ in range(2):
        match.reply(GINA, "REWIND TO TURN 1")
        match.reply(GINA, "FORWARD")
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "] COMPLETE" in receipt.subject


def test_forward_is_refused_when_players_have_moved(match: World) -> None:
    play(match, 2)
    match.reply(GINA, "REWIND TO TURN 1")
    play(match, 1)
    (receipt,) = match.reply(GINA, "FORWARD")
    assert "Players have moved" in receipt.flat


def test_forward_without_a_rewind_is_refused(match: World) -> None:
    (receipt,) = match.reply(GINA, "FORWARD")
    assert "nothing to undo" in receipt.flat


def test_replace_hands_over_the_seat_and_kills_the_old_reply_address(match: World) -> None:
    seat, old = match.waits_for(), match.on_turn()
    address = match.last(old).reply_to
    mails = match.reply(GINA, f'REPLACE {seat} BY {OTTO} BECAUSE "gone fishing"')
    assert match.player(seat) == OTTO
    assert any(mail.to == OTTO for mail in mails) and old in told(mails)
    (leave,) = [mail for mail in notices(mails) if mail.to == old]
    assert "you are replaced" in leave.subject
    (answer,) = match.write(old, "RESEARCH any\nROLL OUT", address)
    assert answer.kind == "refusal"
    assert match.waits_for() == seat
    (receipt,) = match.reply(OTTO, "RESEARCH any")
    assert "] COMPLETE" in receipt.subject
    assert match.log(Overrode)[-1].action == f"REPLACE {seat}"


def test_a_newcomer_s_yes_takes_no_line_that_was_offered_to_who_played_before(match: World) -> None:
    (offered,) = match.reply(match.on_turn(), "RESERCH any")
    assert "YES" in offered.text
    match.reply(GINA, f"REPLACE {match.waits_for()} BY {OTTO}")
    (receipt,) = match.reply(OTTO, "YES")
    assert "no question of mine waits for your YES" in receipt.flat


def test_replace_and_back_in_one_turn_gives_a_living_reply_address(match: World) -> None:
    seat, old = match.waits_for(), match.on_turn()
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    match.reply(GINA, f"REPLACE {seat} BY {old}")
    (receipt,) = match.reply(old, "RESEARCH any")
    assert "] COMPLETE" in receipt.subject


def test_a_newcomer_gets_the_order_sheet_at_once(match: World) -> None:
    mails = match.reply(GINA, f"REPLACE {match.waits_for()} BY {OTTO}")
    (welcome,) = [mail for mail in mails if mail.to == OTTO]
    assert "COLONIZE any" in welcome.text


def test_a_player_cannot_be_given_a_second_seat(match: World) -> None:
    seat = match.waits_for()
    other = next(p for p in PLAYERS if p != match.player(seat))
    (receipt,) = match.reply(GINA, f"REPLACE {seat} BY {other}")
    assert "one seat" in receipt.flat


def test_ruling_is_published_and_stands_in_the_log(match: World) -> None:
    mails = match.reply(GINA, 'RULING "The fleet may sail." CITING "nw.r20"')
    assert told(mails) == EVERYBODY
    assert all("The fleet may sail." in mail.flat and "nw.r20" in mail.flat for mail in notices(mails))
    match.reply(match.on_turn(), "ROLL OUT")
    assert "The fleet may sail." in match.last(ANNA, "report").flat


def test_announce(match: World) -> None:
    mails = match.reply(GINA, 'ANNOUNCE "We pause over Christmas."')
    assert told(mails) == EVERYBODY
    assert all("We pause over Christmas." in mail.flat for mail in notices(mails))


def test_terminate_publishes_the_secret_and_ends_everything(match: World) -> None:
    mails = match.reply(GINA, 'TERMINATE BECAUSE "no players left"')
    with match.store.look() as step:
        row = step.match("nw1")
    assert row is not None
    assert row.status == "over"
    assert all(row.secret.hex() in mail.text.replace("\n", "").replace(" ", "") for mail in notices(mails))
    assert match.wait(days=3) == []


def test_after_the_end_a_rewind_is_refused_for_the_secret_is_out(match: World) -> None:
    play(match, 1)
    match.reply(GINA, "TERMINATE")
    (receipt,) = match.reply(GINA, "REWIND TO TURN 1")
    assert "could be foreseen" in receipt.flat


@pytest.mark.parametrize(
    "line",
    [
        "DEADLINE +12h",
        "PAUSE",
        "RESUME",
        'PROCESS "T1/Spain"',
        "EXCUSE Spain",
        "REWIND TO TURN 1",
        "FORWARD",
        "REPLACE Spain BY otto@players.example",
        'RULING "I win."',
        'ANNOUNCE "I win."',
        "TERMINATE",
        "START nw1",
        "ROLL OUT Spain",
    ],
)
@pytest.mark.parametrize("player", [BEN, CARLA])
def test_a_player_who_writes_a_game_masters_word_is_refused(match: World, line: str, player: str) -> None:
    before = match.entries()
    mails = match.reply(player, line)
    assert [mail.to for mail in mails] == [player]
    assert "NOTHING USABLE" in mails[0].subject
    assert match.entries() == before


def test_every_override_is_in_the_log_with_its_author(match: World) -> None:
    match.reply(GINA, 'DEADLINE +1h BECAUSE "a"\nPAUSE BECAUSE "b"\nRESUME BECAUSE "c"\nEXCUSE Spain BECAUSE "d"')
    said = [(record.action.split()[0].strip(":"), record.by, record.reason) for record in match.log(Overrode)]
    assert said == [("DEADLINE", "gina", "a"), ("PAUSE", "gina", "b"), ("RESUME", "gina", "c"), ("EXCUSE", "gina", "d")]


def test_a_game_master_who_misspells_a_word_is_helped(match: World) -> None:
    (receipt,) = match.reply(GINA, "PAUZE")
    assert "PAUSE" in receipt.flat
    assert match.status() == "running"


def test_the_log_begins_with_the_creation(match: World) -> None:
    assert len(match.log(Created)) == 1
    assert match.log(Filed) == []
