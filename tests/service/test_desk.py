"""Letters of players: what stands, what does not and why, what acts at once, what is kept for later."""

from __future__ import annotations

import re

import pytest

from referee.core.question import Source
from referee.core.record import Acted, Filed
from referee.games.newworld.events import ResourcesBought
from referee.service.match.history import history
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import World

GOOD = "RESEARCH any\nCOLONIZE any"


def test_orders_by_reply_are_complete_with_deadline_and_the_time_they_run(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), GOOD)
    assert "COMPLETE" in receipt.subject
    assert "by Sun 12:00" in receipt.subject
    assert "Your turn runs at Sat 21 Nov 2026, 12:30 UTC unless you write again" in receipt.flat
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any", "COLONIZE any"]


def test_whose_orders_are_on_file_is_not_told_that_he_owes_them(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    assert f"You owe orders for Turn 1: {seat}" in match.last(player).flat
    (receipt,) = match.reply(player, GOOD)
    assert "You owe" not in receipt.flat
    assert f"Your orders for Turn 1: {seat} (round 1) are on file; until they run you may change them." in receipt.flat
    (receipt,) = match.reply(player, "CLEAR")
    assert f"You owe orders for Turn 1: {seat}" in receipt.flat


def test_the_receipt_is_proof_of_the_letter(match: World) -> None:
    player = match.on_turn()
    last = match.last(player)
    (receipt,) = match.write(player, GOOD, last.reply_to, message_id="<proof-1@players.example>")
    assert receipt.message["In-Reply-To"] == "<proof-1@players.example>"
    assert match.log(Filed)[-1].digest in receipt.text.replace("\n", "").replace(" ", "")


def test_a_typing_error_is_shown_with_caret_and_correction(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "HIRE 1 worker\nRESERCH any")
    assert "INCOMPLETE" in receipt.subject
    assert "RESERCH any" in receipt.text
    assert "^^^^^^^" in receipt.text
    assert "Did you mean RESEARCH" in receipt.flat
    assert match.drawer(match.waits_for(), "orders") == ["HIRE 1 worker"]


def test_a_farewell_under_orders_with_a_slip_is_no_slip_itself(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "Hello referee\nRESERCH any\nHIRE 1 wroker\nRegards, Anna")
    refused = re.findall(r"^Line (\d+), not understood:", receipt.text, re.MULTILINE)
    assert refused == ["2", "3"]
    assert "Line 1, it begins with no word I know" in receipt.flat and "Regards, Anna" in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "YES")
    assert "] COMPLETE" in receipt.subject


def test_a_line_between_slips_is_refused_and_a_letter_of_prose_alone_is_shown_whole(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "RESERCH any\nxyzzy 1 worker\nHIER 1 worker")
    assert re.findall(r"^Line (\d+), not understood:", receipt.text, re.MULTILINE) == ["1", "2", "3"]
    (receipt,) = match.reply(match.on_turn(), "xyzzy one\nplugh two")
    assert "xyzzy one plugh two" in receipt.flat and "Shall I pass this on" in receipt.flat


def test_a_refused_word_for_the_desk_is_shown_with_its_line(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "HIRE 1 worker\n\nSEND report TURN 77\nRESERCH any\nSET colour blue")
    numbers = re.findall(r"^Line (\d+), not (allowed|understood):", receipt.text, re.MULTILINE)
    assert numbers == [("3", "allowed"), ("4", "understood"), ("5", "allowed")]


def test_a_refused_word_at_the_door_is_shown_with_its_line(match: World) -> None:
    (receipt,) = match.write(OTTO, "GAMES\nJOIN nowhere\nRULES chess")
    assert re.findall(r"^Line (\d+), not", receipt.text, re.MULTILINE) == ["2", "3"]


def test_an_incomplete_sheet_does_not_run_before_the_deadline(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "HIRE 1 worker\nRESERCH any")
    match.wait(hours=2)
    assert match.waits_for() == seat


@pytest.mark.parametrize(
    "yes",
    ["YES", "yes.", "Yes\n\nBest wishes\nBen", "YES\n\n> RESERCH any", "Yes!\n-- \nBen", "Yes please!", "ja", "OK."],
)
def test_yes_takes_the_corrections(match: World, yes: str) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "RESERCH any\nCOLONIZE any")
    (receipt,) = match.reply(match.on_turn(), yes)
    assert "] COMPLETE" in receipt.subject
    assert match.drawer(seat, "orders") == ["RESEARCH any", "COLONIZE any"]


def test_yes_with_nothing_to_correct_says_so_and_what_is_on_file(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "YES")
    assert "NOTHING WAITS" in receipt.subject and "cut here" in receipt.text
    assert "no question of mine waits for your YES, so nothing was changed; nothing is on file." in receipt.flat
    match.reply(match.on_turn(), "RESEARCH any")
    (receipt,) = match.reply(match.on_turn(), "Yes.")
    assert "your orders stand as they are on file. Your turn runs at" in receipt.flat
    assert "RESEARCH any" in receipt.flat and "cut here" not in receipt.text and "Not taken" not in receipt.text


def test_a_yes_at_the_door_that_nothing_waits_for_is_no_bad_letter(world: World) -> None:
    (answer,) = world.write(ANNA, "YES", says="")
    assert "Welcome" in answer.subject and "No question of mine waits for your YES" in answer.flat


def test_ok_is_no_word_where_nothing_waits_for_a_yes(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "ok")
    assert "NOTHING USABLE" not in receipt.subject and "Nothing was taken" in receipt.flat


def test_yes_never_takes_the_corrections_of_an_earlier_turn(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "RESERCH any")
    match.wait(hours=24)
    for _ in range(8):
        if match.waits_for() == seat:
            break
        match.reply(match.on_turn(), "ROLL OUT")
    (receipt,) = match.reply(match.on_turn(), "YES")
    assert "no question of mine waits" in receipt.flat
    assert match.drawer(seat, "orders") == []


def test_add_appends(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any")
    match.reply(match.on_turn(), "ADD\nCOLONIZE any")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any", "COLONIZE any"]


def test_a_new_letter_replaces_the_sheet(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any")
    match.reply(match.on_turn(), "COLONIZE any")
    assert match.drawer(match.waits_for(), "orders") == ["COLONIZE any"]


@pytest.mark.parametrize("body", ["", "Hello!\nAre you there?", "FROBNICATE all", "MOVE 2 dragons FROM Mars TO Venus"])
def test_a_letter_without_usable_orders_never_displaces_the_sheet(match: World, body: str) -> None:
    match.reply(match.on_turn(), GOOD)
    due = match.alarms("mind")
    (receipt,) = match.reply(match.on_turn(), body)
    assert ("NOTHING USABLE" in receipt.subject) is not body.startswith("Hello")  # plain words are offered to a person
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any", "COLONIZE any"]
    assert match.alarms("mind") == due


def test_orders_out_of_turn_are_kept_and_adopted(match: World) -> None:
    later = match.playing().outcome.state.living[1]
    (receipt,) = match.reply(match.player(later), GOOD)
    assert "COMPLETE" in receipt.subject
    assert f"It is not {later}'s turn" in receipt.flat
    assert match.drawer(later, "next") == ["RESEARCH any", "COLONIZE any"]
    match.reply(match.on_turn(), "ROLL OUT")
    assert match.waits_for() == later
    assert match.drawer(later, "orders") == ["RESEARCH any", "COLONIZE any"]
    assert match.drawer(later, "next") == []
    match.wait(minutes=31)
    assert match.waits_for() != later
    assert match.closed()[-1].source is Source.PLAYER


def test_orders_filed_ahead_wait_when_wait_was_written_ahead(match: World) -> None:
    later = match.playing().outcome.state.living[1]
    match.reply(match.player(later), f"{GOOD}\nWAIT")
    match.reply(match.on_turn(), "ROLL OUT")
    match.wait(hours=2)
    assert match.waits_for() == later


def test_for_turn_keeps_orders_until_that_turn(match: World) -> None:
    later = match.playing().outcome.state.living[2]
    match.reply(match.player(later), "FOR TURN 3\nCOLONIZE any\nEND")
    assert match.drawer(later, "turn:3") == ["COLONIZE any"]
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.on_turn(), "ROLL OUT")
    assert match.waits_for() == later
    assert match.drawer(later, "orders") == ["COLONIZE any"]


def test_standing_orders_are_kept_and_orders_stay_owed(match: World) -> None:
    seat = match.waits_for()
    (receipt,) = match.reply(match.on_turn(), "STANDING\nRESEARCH any\nEND")
    assert match.drawer(seat, "standing") == ["RESEARCH any"]
    assert "] COMPLETE" not in receipt.subject
    assert "still owed" in receipt.flat
    assert "standing orders are played" in receipt.flat


def test_if_late_is_kept(match: World) -> None:
    seat = match.waits_for()
    (receipt,) = match.reply(match.on_turn(), "IF LATE\nRESEARCH any\nEND")
    assert match.drawer(seat, "late") == ["RESEARCH any"]
    assert "IF LATE orders are played" in receipt.flat


def test_an_empty_block_clears_the_drawer(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), "STANDING\nRESEARCH any\nEND")
    match.reply(match.on_turn(), "STANDING\nEND")
    assert match.drawer(seat, "standing") == []


def _bought(match: World) -> list[str]:
    return [event.resource for event in match.told(history, "nw1") if isinstance(event, ResourcesBought)]


@pytest.mark.parametrize(("gold", "bought"), [(5, "wood"), (1_000, "food")])
def test_if_and_else(match: World, gold: int, bought: str) -> None:
    match.reply(match.on_turn(), f"IF gold >= {gold}\nBUY 1 wood\nELSE\nBUY 1 food\nEND")
    match.wait(minutes=31)
    assert _bought(match) == [bought]


def test_conditions_are_judged_when_their_orders_are_carried_out_not_when_they_are_written(match: World) -> None:
    later = match.playing().outcome.state.living[1]
    match.reply(match.player(later), "IF turn >= 2\nBUY 1 wood\nELSE\nBUY 1 food\nEND")
    assert match.playing().turn == 1
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.player(later), "ROLL OUT")
    assert _bought(match) == ["wood"]


def test_preview_names_the_lines_of_an_if_and_judges_it_where_they_come(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "PREVIEW\nIF gold >= 11\nBUY 1 wood\nELSE\nBUY 1 metal\nEND\nEND")
    assert "IF gold >= 11: Buy 1 wood" in receipt.flat and "ELSE of IF gold >= 11: Buy 1 metal" in receipt.flat
    assert "buys 1 wood" in receipt.flat and "buys 1 metal" not in receipt.flat


def test_preview_stores_nothing(match: World) -> None:
    before = match.entries()
    (receipt,) = match.reply(match.on_turn(), "PREVIEW\nRESEARCH any\nHIRE 1 worker\nEND")
    assert "Nothing of this was stored" in receipt.flat
    assert "DONE" in receipt.subject
    assert match.entries() == before


def test_preview_shows_refusals(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "PREVIEW\nRESEARCH any\nMOVE 50 armies FROM Canada TO Canada\nEND")
    assert "MOVE 50 armies" in receipt.text
    assert match.alarms("mind") == []


def test_clear_takes_the_sheet_off_the_file(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), GOOD)
    (receipt,) = match.reply(match.on_turn(), "CLEAR")
    assert "off the file" in receipt.flat
    assert match.drawer(seat, "orders") == []
    assert match.alarms("mind") == []


def test_orders_prints_what_is_on_file(match: World) -> None:
    match.reply(match.on_turn(), GOOD)
    (receipt,) = match.reply(match.on_turn(), "ORDERS")
    assert "COLONIZE any" in receipt.text
    (nothing,) = match.reply(match.player(match.playing().outcome.state.living[1]), "ORDERS")
    assert "nothing on file" in nothing.flat


def test_status_says_who_owes_what_by_when(match: World) -> None:
    seat, other = match.waits_for(), match.playing().outcome.state.living[1]
    (receipt,) = match.reply(match.player(other), "STATUS")
    assert f"{seat} has until Sun 22 Nov 2026, 12:00 UTC" in receipt.flat


def test_wait_holds_the_turn_until_the_deadline(match: World) -> None:
    seat = match.waits_for()
    (receipt,) = match.reply(match.on_turn(), f"{GOOD}\nWAIT")
    assert "WAIT holds your turn until the deadline" in receipt.flat
    match.wait(hours=5)
    assert match.waits_for() == seat
    match.wait(hours=19)
    assert match.waits_for() != seat
    assert match.closed()[-1].source is Source.PLAYER


def test_wait_holds_only_the_turn_it_was_written_for(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), f"{GOOD}\nWAIT")
    match.wait(hours=24)
    for _ in range(12):
        if match.waits_for() == seat:
            break
        match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.on_turn(), "RESEARCH any")
    match.wait(minutes=31)
    assert match.waits_for() != seat or match.playing().turn > 8


def test_no_wait_lets_the_turn_run_after_the_delay(match: World) -> None:
    seat = match.waits_for()
    match.reply(match.on_turn(), f"{GOOD}\nWAIT")
    match.reply(match.on_turn(), "NO WAIT")
    match.wait(minutes=31)
    assert match.waits_for() != seat


def test_no_wait_without_orders_is_not_called_complete(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "NO WAIT")
    assert "COMPLETE" not in receipt.subject


def test_roll_out_runs_the_turn_at_once(match: World) -> None:
    seat = match.waits_for()
    mails = match.reply(match.on_turn(), f"{GOOD}\nROLL OUT")
    assert match.waits_for() != seat
    assert {mail.kind for mail in mails} == {"report"}
    assert match.closed()[-1].source is Source.PLAYER


def test_roll_out_with_refused_lines_waits_for_the_player(match: World) -> None:
    seat = match.waits_for()
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any\nCOLONISSE any\nROLL OUT")
    assert match.waits_for() == seat
    assert "your turn waits for you" in receipt.flat
    assert match.drawer(seat, "orders") == ["RESEARCH any"]
    match.reply(match.on_turn(), "ROLL OUT")
    assert match.waits_for() != seat


def test_roll_out_alone_with_only_standing_orders_plays_them(match: World) -> None:
    match.reply(match.on_turn(), "STANDING\nRESEARCH any\nEND")
    match.reply(match.on_turn(), "ROLL OUT")
    assert match.closed()[-1].source is Source.STANDING


def test_roll_out_when_it_is_not_his_turn_is_refused(match: World) -> None:
    seat, other = match.waits_for(), match.playing().outcome.state.living[1]
    (receipt,) = match.reply(match.player(other), "ROLL OUT")
    assert "no slot of yours" in receipt.flat
    assert match.waits_for() == seat


def test_greeting_and_signature_are_listed_as_not_read(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), f"Dear referee,\n\n{GOOD}\n\nBest wishes\nBen\n-- \nBen Example")
    assert "] COMPLETE" in receipt.subject
    assert all(line in receipt.text for line in ("Dear referee,", "Best wishes"))
    assert "remark" in receipt.flat


def test_a_greeting_before_a_block_alone_is_no_mistake(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "Dear referee,\n\nSTANDING\nRESEARCH any\nEND")
    assert "INCOMPLETE" not in receipt.subject


def test_quoted_lines_are_never_orders(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any\n\nOn Saturday the referee wrote:\n> HIRE 3 workers\n> COLONIZE any")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]


def test_set_zone_changes_the_times_of_letters(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SET zone Europe/Berlin")
    assert "Times are now given in Europe/Berlin" in receipt.flat
    assert "by Sun 13:00" in receipt.subject
    assert "Sun 22 Nov 2026, 12:00 UTC" in receipt.flat


@pytest.mark.parametrize(
    ("now", "local"),
    [
        ("2027-10-30T12:00", "Sun 31 Oct 2027, 13:00 CET"),
        ("2027-03-27T12:00", "Sun 28 Mar 2027, 14:00 CEST"),
    ],
)
def test_a_deadline_beyond_a_change_of_the_clocks(match: World, now: str, local: str) -> None:
    from datetime import UTC, datetime

    match.reply(GINA, 'PAUSE BECAUSE "clocks"')
    match.clock.set(datetime.fromisoformat(now).replace(tzinfo=UTC))
    match.reply(GINA, "RESUME")
    (receipt,) = match.reply(match.on_turn(), "SET zone Europe/Berlin")
    assert local in receipt.flat
    assert "12:00 UTC" in receipt.flat


def test_many_words_after_set_are_an_order_where_it_is_written_in_capitals_and_else_prose(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "HIRE 1 worker\nSET sail with all my ships at once")
    assert "Line 2, not allowed: SET sail" in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "HIRE 1 worker\nSet SAIL with all my ships at once")
    assert "COMPLETE" in receipt.subject and "I took it for a remark: Set SAIL" in receipt.flat


def test_set_zone_that_is_none_is_refused(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SET zone Middle/Earth")
    assert "Middle/Earth is no time zone" in receipt.flat


@pytest.mark.parametrize("zone", ["../../etc/passwd", "", "Europe"])
def test_odd_zones_are_refused_and_break_nothing(match: World, zone: str) -> None:
    (receipt,) = match.reply(match.on_turn(), f"SET zone {zone}")
    assert "NOTHING USABLE" in receipt.subject
    assert match.letters("shunted") == []


def test_set_name(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SET name Benedict")
    assert "You are now called Benedict" in receipt.flat


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("SEND report TURN 1", "Turn 1"),
        ("SEND report", "Turn 1"),
        ("SEND sheets OF Holland", "Holland"),
        ("SEND sheets OF Holland TURN 1", "Holland"),
        ("SEND history", "History of nw1"),
        ("SEND standings", "Standings so far"),
        ("SEND log", "log"),
        ("SEND rules", "nw.r1"),
        ("VERIFY", "referee verify FOLDER"),
    ],
)
def test_send(match: World, asked: str, part: str) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    (receipt,) = match.reply(match.on_turn(), asked)
    assert "DONE" in receipt.subject
    assert part in receipt.flat


def test_send_sheets_of_one_seat_leaves_out_the_others(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SEND sheets OF Holland")
    assert "heet of France" not in receipt.flat


def test_the_map_of_now(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SEND map")
    assert f"The board: {match.seat(match.on_turn())} is on turn" in receipt.flat


def test_a_turn_that_was_not_played(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SEND report TURN 77")
    assert "There is no report of turn 77" in receipt.flat


def test_the_token_binds_the_seat(match: World) -> None:
    """A player who writes to another's reply address writes for that address's seat only; names do not help."""
    seat, other = match.waits_for(), match.playing().outcome.state.living[1]
    match.reply(match.player(other), f"ROLL OUT {seat}")
    assert match.waits_for() == seat
    match.reply(match.player(other), GOOD)
    assert match.drawer(seat, "orders") == []


def test_a_line_that_was_refused_is_bound_anew_when_it_can_stand(match: World) -> None:
    seat, other = match.playing().outcome.state.living[:2]
    (refused,) = match.reply(match.player(seat), "ACCEPT 1")
    assert "There is no offer 1 on the table." in refused.flat
    match.reply(match.player(other), f"OFFER 3 gold TO {seat} FOR 3 food")
    (taken,) = match.reply(match.player(seat), "ACCEPT 1")
    assert "There is no offer" not in taken.flat
    assert "DONE" in taken.subject


def test_offers_and_acceptance_act_at_once(match: World) -> None:
    seat, other = match.playing().outcome.state.living[:2]
    (offered,) = match.reply(match.player(other), f"OFFER 3 gold TO {seat} FOR 3 food")
    assert "DONE" in offered.subject
    assert len(match.log(Acted)) == 1
    (accepted,) = match.reply(match.player(seat), "ACCEPT 1")
    assert "DONE" in accepted.subject
    assert len(match.log(Acted)) == 2


def test_the_other_side_reads_of_an_offer_in_the_next_report(match: World) -> None:
    seat, other, third = match.playing().outcome.state.living[:3]
    match.reply(match.player(other), f"OFFER 3 gold TO {third} FOR 3 food")
    match.reply(match.player(seat), "ROLL OUT")
    report = match.last(match.player(third), "report")
    assert "3 gold" in report.flat
    assert "ACCEPT 1" in report.text or "offer" in report.flat.casefold()


def test_an_offer_does_not_replace_the_sheet_on_file(match: World) -> None:
    seat, other = match.playing().outcome.state.living[:2]
    match.reply(match.player(seat), GOOD)
    match.reply(match.player(seat), f"OFFER 3 gold TO {other}")
    assert match.drawer(seat, "orders") == ["RESEARCH any", "COLONIZE any"]
    assert match.alarms("mind")


def test_resign_is_told_to_everybody(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    mails = match.reply(player, 'RESIGN BECAUSE "a new baby"')
    told = [mail.to for mail in mails if mail.kind == "notice"]
    assert GINA in told and len(told) >= 4
    assert all("a new baby" in mail.flat and f"resigns {seat}" in mail.flat for mail in mails if mail.kind == "notice")


def test_a_reply_to_an_old_receipt_of_the_same_turn_is_taken(match: World) -> None:
    player = match.on_turn()
    first = match.last(player)
    match.reply(player, "RESEARCH any")
    (receipt,) = match.write(player, GOOD, first.reply_to)
    assert "] COMPLETE" in receipt.subject


def test_one_bad_line_never_changes_another(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any\n!!! ???\nMOVE\nCOLONIZE any\nIF\nHIRE 1 worker")
    assert "RESEARCH any" in match.drawer(match.waits_for(), "orders")


def test_roll_out_waits_when_a_line_beside_it_is_refused_though_orders_are_on_file(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "RESEARCH any")
    receipt = match.reply(player, "RESEARCH Atlantis\nROLL OUT")[-1]
    assert "INCOMPLETE" in receipt.subject or "NOTHING USABLE" in receipt.subject
    assert "your turn waits for you" in receipt.flat
    match.wait(hours=2)
    assert match.waits_for() == seat


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("PAUSE FOR 3 days", "PAUSE is a word of game masters; VOTE PAUSE FOR 3 days puts it to the players."),
        ("DEADLINE Spain 6h", "DEADLINE is a word of game masters; EXTEND 24h asks for more time."),
        ("DUMMY France", "DUMMY is a word of game masters; AUTOPLAY UNTIL and a day has a bot play for you"),
        ("REWIND", "REWIND is a word of game masters; PRESS TO game master"),
    ],
)
def test_who_writes_a_word_of_his_game_master_is_told_whose_it_is_and_what_he_may_write(
    match: World, line: str, told: str
) -> None:
    (answer,) = match.reply(ANNA, line)
    assert told in answer.flat
