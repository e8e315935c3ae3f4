"""Letters that come back or are given up: counted for whom they were written to, never answered, told before a deadline passes."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from referee.mail import verp
from referee.service.base import notes
from referee.service.base.office import At
from referee.service.intake.undelivered import out_of_reach, report_undelivered
from referee.service.post.tray import mark_of
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import ADDRESS, Mail, World


def report(status: str, action: str = "failed", address: str = "x@mx.example") -> bytes:
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        "Subject: Undelivered mail\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; 550 {status} no such user\r\n\r\n--b--\r\n"
    ).encode()


def bounce(world: World, address: str, raw: bytes, mark: str | None = None) -> list[Mail]:
    """The last letter to an address comes back."""
    with world.store.look() as step:
        out = [letter for letter in step.outgoing("nw1") if letter.recipient == address][-1]
    world.put(raw, "", verp(ADDRESS, out.id, mark_of(out) if mark is None else mark))
    return world.work()


@pytest.mark.parametrize("masked", [True, False])
def test_a_bounce_names_its_letter_by_a_masked_number_and_by_a_plain_one_of_before(match: World, masked: bool) -> None:
    player = match.on_turn()
    with match.store.look() as step:
        out = [letter for letter in step.outgoing("nw1") if letter.recipient == player][-1]
        secret = notes.TOKEN_SECRET.of().read(step) or b""
    address = verp(ADDRESS, out.id, mark_of(out), secret if masked else b"")
    assert (f"bounce={out.id}." in address) is not masked
    match.put(report("5.1.1"), "", address)
    assert "cannot be reached" in match.work()[0].subject


def trouble(world: World, address: str) -> str:
    with world.store.look() as step:
        return out_of_reach(At(world.office, step), address)


def test_a_hard_bounce_is_told_to_the_game_master_alone(match: World) -> None:
    player = match.on_turn()
    (notice,) = bounce(match, player, report("5.1.1"))
    assert notice.to == GINA and "cannot be reached" in notice.subject
    assert player in notice.flat and "no such user" in notice.flat
    assert match.letters("ignored")[-1].verdict.startswith(f"a bounce ({player}: smtp; 550 5.1.1")


def test_it_is_told_once(match: World) -> None:
    player = match.on_turn()
    assert [len(bounce(match, player, report("5.1.1"))) for _ in range(3)] == [1, 0, 0]


def test_soft_bounces_count_a_quarter_each_day(match: World) -> None:
    player = match.on_turn()
    told = []
    for _ in range(4):
        mails = [mail for _ in range(3) for mail in bounce(match, player, report("4.4.1", "delayed"))]
        told.append(len([mail for mail in mails if "cannot be reached" in mail.subject]))
        match.clock.advance(timedelta(days=1))
    assert told == [0, 0, 0, 1]
    assert trouble(match, player)


@pytest.mark.parametrize("days", [1, 2, 3])
def test_fewer_soft_ones_are_no_trouble(match: World, days: int) -> None:
    player = match.on_turn()
    for _ in range(days):
        assert not [m for m in bounce(match, player, report("4.2.2")) if "cannot be reached" in m.subject]
        match.clock.advance(timedelta(days=1))
    assert not trouble(match, player)


def test_the_game_master_hears_before_the_deadline_that_who_owes_cannot_be_reached(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    bounce(match, player, report("5.1.1"))
    mails = match.wait(hours=12, minutes=1)
    (warning,) = [mail for mail in mails if mail.to == GINA]
    assert f"{seat} cannot be reached" in warning.subject
    assert f"letters to {player} come back" in warning.flat and "REPLACE" in warning.flat


def test_a_letter_from_the_address_makes_it_reachable_again(match: World) -> None:
    player = match.on_turn()
    bounce(match, player, report("5.1.1"))
    assert trouble(match, player)
    match.reply(player, "STATUS")
    assert not trouble(match, player)
    assert not [mail for mail in match.wait(hours=12, minutes=1) if mail.to == GINA]


@pytest.mark.parametrize("mark", ["", "0123456789ab"])
def test_who_never_saw_the_letter_cannot_bounce_it(match: World, mark: str) -> None:
    player = match.on_turn()
    assert bounce(match, player, report("5.1.1", address="somebody@else.example"), mark) == []
    assert not trouble(match, player)


def test_a_reader_who_is_away_has_not_bounced(match: World) -> None:
    player = match.on_turn()
    raw = (
        f"From: {player}\r\nAuto-Submitted: auto-replied\r\nSubject: Out of office\r\n\r\nBack on Monday.\r\n".encode()
    )
    assert bounce(match, player, raw) == []
    assert not trouble(match, player)


def test_a_bounce_without_a_report_counts_softly(match: World) -> None:
    player = match.on_turn()
    raw = b"From: MAILER-DAEMON@mx.example\r\nSubject: Unzustellbar\r\n\r\nGing nicht.\r\n"
    assert bounce(match, player, raw) == []
    assert match.letters("ignored")[-1].verdict.startswith("a bounce")
    assert not trouble(match, player)


def test_a_bounce_to_the_plain_address_counts_for_people_we_know(match: World) -> None:
    player = match.on_turn()
    for address in (player, OTTO):
        match.put(report("5.1.1", address=address), "", ADDRESS)
    (notice,) = match.work()
    assert notice.to == GINA and player in notice.flat
    assert not trouble(match, OTTO)


def test_bounces_are_never_answered(match: World) -> None:
    player = match.on_turn()
    for status in ("5.1.1", "4.4.1", "2.0.0"):
        assert not [mail for mail in bounce(match, player, report(status)) if mail.to != GINA]


# ---------------------------------------------------------------- the empty envelope sender alone


def with_no_envelope(
    world: World, sender: str, body: str, to: str, head: str = "", kind: str = "text/plain"
) -> list[Mail]:
    """A letter that a relay has taken the envelope sender from."""
    raw = (
        f"Return-Path: <>\r\nFrom: {sender}\r\nTo: {to}\r\nMessage-ID: <{world.clock.now():%H%M%S%f}.{len(body)}@x>\r\n"
        f"{head}Content-Type: {kind}\r\n\r\n{body}\r\n"
    )
    world.put(raw.encode(), "", to)
    return world.work()


@pytest.mark.parametrize(
    ("head", "kind", "body"),
    [
        ("", "text/plain", "RESEARCH any"),
        ("Subject: Re: your turn\r\nX-Auto-Response-Suppress: All\r\n", "text/plain", "RESEARCH any\n\n-- \nAnna"),
        ("Subject: RE: [nw1] turn 1\r\n", "text/html", "<p>RESEARCH any</p>"),
        ("Auto-Submitted: no\r\nSubject: orders\r\n", "text/plain", "Hello!\n\nRESEARCH any\n\n> RESEARCH none\n"),
        ("Subject: My letters were not delivered\r\n", "text/plain", "RESEARCH any\n# sent again, as it came back"),
    ],
)
def test_a_players_letter_without_an_envelope_sender_counts(match: World, head: str, kind: str, body: str) -> None:
    player = match.on_turn()
    (receipt,) = with_no_envelope(match, player, body, match.last(player).reply_to, head, kind)
    assert receipt.to == player and match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]


def test_so_do_press_and_letters_of_whom_nobody_knows(match: World) -> None:
    player = match.on_turn()
    mails = with_no_envelope(match, player, "PRESS TO all\nHello.\nEND", match.last(player).reply_to)
    assert any(mail.kind == "press" for mail in mails)
    (question,) = with_no_envelope(match, "new@people.example", "OBSERVE nw1", ADDRESS)
    assert question.to == "new@people.example" and question.kind == "entry"
    assert with_no_envelope(match, question.to, "YES", question.reply_to)[0].kind != "entry"


QMAIL = (
    "Hi. This is the qmail-send program at mx.example.\r\nI'm afraid I wasn't able to deliver your message to the "
    "following addresses.\r\nThis is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
    "<{address}>:\r\n192.0.2.1 does not like recipient.\r\n"
)


@pytest.mark.parametrize(
    ("sender", "body", "head"),
    [
        ("MAILER-DAEMON@mx.example", "Sorry.", ""),
        ("robot@mx.example", "Away.", "Auto-Submitted: auto-replied\r\n"),
        ("robot@mx.example", "Sorry.", "Subject: Undelivered Mail Returned to Sender\r\n"),
        ("mail@mx.example", QMAIL, "Subject: hello\r\n"),
        ("mail@mx.example", QMAIL.replace("{address}", "x@else.example"), "Subject: hello\r\n"),
        ("mail@mx.example", "x", "X-Failed-Recipients: x@else.example\r\n"),
        ("", "Sorry.", ""),
    ],
)
def test_a_bounce_stays_one(match: World, sender: str, body: str, head: str) -> None:
    body = body.format(address=match.on_turn())
    for to in (ADDRESS, match.last(match.on_turn()).reply_to) if sender else (ADDRESS,):
        assert [mail for mail in with_no_envelope(match, sender, body, to, head) if mail.to != GINA] == []
        assert len(match.letters("ignored")) and not match.letters("unanswered")


def test_what_comes_to_the_address_of_bounces_alone_is_not_answered(match: World) -> None:
    with match.store.look() as step:
        out = [letter for letter in step.outgoing("nw1") if letter.recipient == match.on_turn()][-1]
    for mark in (mark_of(out), "0123456789ab"):
        assert with_no_envelope(match, "old@mx.example", "No such user.", verp(ADDRESS, out.id, mark)) == []
    assert len(match.letters("ignored")) == 2


# ---------------------------------------------------------------- given up


def test_the_game_master_hears_of_a_letter_given_up(match: World) -> None:
    with match.store.look() as step:
        letter = next(out for out in step.outgoing("nw1") if out.recipient == ANNA)
    match.new_mail()
    report_undelivered(match.office, letter, "550 no such user")
    (notice,) = match.new_mail()
    assert notice.to == GINA
    assert "anna@players.example" in notice.text and "550 no such user" in notice.text


def test_a_notice_that_fails_is_not_reported_again(match: World) -> None:
    with match.store.look() as step:
        letter = next(out for out in step.outgoing("nw1") if out.recipient == ANNA)
    match.new_mail()
    report_undelivered(match.office, msgspec.structs.replace(letter, kind="undelivered"), "550")
    assert match.new_mail() == []
