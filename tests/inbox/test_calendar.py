"""Deadlines in the reader's calendar, and the way out for who only watches."""

from __future__ import annotations

import pytest

from tests.agenda import entries, start
from tests.service.conftest import GINA, OTTO
from tests.world import Mail, World


def test_only_who_owes_gets_an_entry(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    (entry,) = entries(match.last(player, "started"))["PUBLISH"]
    assert str(entry["SUMMARY"]) == f"[nw1] {seat}: deadline"
    assert start(entry) == match.alarms("deadline")[0].due_at
    others = {mail.to for mail in match.all_mail() if mail.kind == "started"} - {player}
    assert others and all(entries(match.last(other, "started")) == {} for other in others)


def test_a_reminder_repeats_the_entry(match: World) -> None:
    player = match.on_turn()
    before = entries(match.last(player, "started"))["PUBLISH"][0]
    match.wait(hours=12, minutes=1)
    (entry,) = entries(match.last(player, "reminder"))["PUBLISH"]
    assert [entry[key] for key in ("UID", "SEQUENCE", "DTSTART")] == [
        before[key] for key in ("UID", "SEQUENCE", "DTSTART")
    ]


def test_a_receipt_carries_none(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert entries(receipt) == {}


def test_who_was_replaced_has_it_taken_out(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    (entry,) = entries(match.last(player, "started"))["PUBLISH"]
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    (gone,) = entries(match.last(player, "notice"))["CANCEL"]
    assert gone["UID"] == entry["UID"]


def test_the_calendar_tells_a_seat_nothing_of_the_others(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "ROLL OUT")
    (nobody,) = [mail for mail in match.all_mail() if mail.kind == "report" and mail.to == player]
    assert set(entries(nobody)) == {"CANCEL"}


# ---------------------------------------------------------------- unsubscribe


def leave(world: World, mail: Mail) -> list[Mail]:
    """What a mail program writes when its reader presses "unsubscribe"."""
    to, _, query = str(mail.message["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")
    assert query == "subject=unsubscribe"
    raw = f"From: {mail.to}\r\nTo: {to}\r\nMessage-ID: <leave@x>\r\nSubject: unsubscribe\r\n\r\n"
    world.put(raw.encode(), mail.to, to)
    return world.work()


def test_who_watches_leaves_by_the_button_of_his_mail_program(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    match.reply(match.on_turn(), "ROLL OUT")
    (answer,) = leave(match, match.last(OTTO, "report"))
    assert "You no longer watch nw1" in answer.flat
    assert not [mail for mail in match.reply(match.on_turn(), "ROLL OUT") if mail.to == OTTO]
    match.write(OTTO, "OBSERVE nw1")
    assert [mail for mail in match.reply(match.on_turn(), "ROLL OUT") if mail.to == OTTO]


def test_a_player_does_not_leave_a_match_by_a_button(match: World) -> None:
    player = match.on_turn()
    (answer,) = leave(match, match.last(player, "started"))
    assert "a player leaves it by RESIGN" in answer.flat


@pytest.mark.parametrize("kind", ["started", "report"])
def test_a_letter_with_a_calendar_is_still_text_and_html(match: World, kind: str) -> None:
    player = match.on_turn()
    match.reply(player, "ROLL OUT")
    mail = match.last(player, kind)
    assert entries(mail) and mail.text and "<html" in mail.html
