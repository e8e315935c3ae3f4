"""Receipts and reports lie in the outbox as what they say; written out, they say just that, with all that goes with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail import Outgoing
from referee.service.base.letter_facts import Receipt
from referee.service.base.ports import LetterOut
from referee.service.post import post
from referee.service.post.tray import Unwritten, mark_of, said, unwritten, written
from tests.service.conftest import ANNA, OTTO
from tests.world import ADDRESS, Mail, World

LETTERS = (
    "RESEARCH any\nHIRE up to 3 workers\nBUY 2 food, 1 cloth",
    "RESEARCH any\nHIER 3 workers\nHello there\n>quoted",
    "PREVIEW\nRESEARCH any\nEND",
    "HELP",
    "HELP BUY",
    "ORDERS",
    "SEND sheets",
    "SEND sheets AS xlsx",
    "SEND report",
    "SEND map",
    "SET zone Europe/Berlin",
    "XYZZY is of no use, Grüße 🎲",
)


@pytest.fixture
def meant(monkeypatch: pytest.MonkeyPatch) -> list[Unwritten]:
    """What the desk wished to say, in order."""
    kept: list[Unwritten] = []

    def keeps(receipt: Receipt, envelope: Outgoing, most: int) -> bytes:
        kept.append(Unwritten(receipt, envelope, most))
        return said(receipt, envelope, most)

    monkeypatch.setattr(post, "said", keeps)
    return kept


def receipts(world: World) -> list[LetterOut]:
    with world.store.look() as step:
        every = [letter for name in ("", "nw1") for letter in step.outgoing(name)]
    found = (letter for letter in every if letter.said is not None and letter.kind != "report")
    return sorted(found, key=lambda letter: letter.id)


def reports(world: World) -> list[LetterOut]:
    with world.store.look() as step:
        return [letter for letter in step.outgoing("nw1") if letter.kind == "report"]


@pytest.mark.parametrize("text", LETTERS)
def test_what_is_queued_is_what_was_meant(match: World, meant: list[Unwritten], text: str) -> None:
    before = len(receipts(match))
    match.reply(match.on_turn(), text)
    queued = receipts(match)[before:]
    assert len(meant) == len(queued) == 1
    assert [unwritten(letter) for letter in queued] == meant


def test_what_is_queued_at_the_door_is_what_was_meant(match: World, meant: list[Unwritten]) -> None:
    before = len(receipts(match))
    match.vouched(OTTO, "GAMES")
    match.vouched(OTTO, "HELP GAMES")
    assert [unwritten(letter) for letter in receipts(match)[before:]] == meant
    assert len(meant) == 2


def test_written_out_twice_it_is_the_same_letter_with_the_same_mark(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any")
    letter = receipts(match)[-1]
    once, again = written(match.office, letter), written(match.office, letter)
    assert once == again and b"COMPLETE" in once.raw
    assert written(match.office, once) is once
    assert mark_of(once) == mark_of(letter)


def test_a_receipt_that_an_earlier_version_queued_goes_out_after_an_update(world: World) -> None:
    kept = Path(__file__).with_name("receipt-queued-by-0.1.0.json").read_bytes()
    now = world.clock.now()
    letter = LetterOut(1, "<1@x>", "nw1", "receipt", ADDRESS, ANNA, b"", now, now, said=kept)
    mail = Mail("receipt", written(world.office, letter).raw, letter.recipient)
    assert "INCOMPLETE" in mail.subject
    for words in (
        '"RESERCH" is not a verb known here. Did you mean RESEARCH?',
        "Hire 1 worker.",
        "Record sheet of Spain",
    ):
        assert words in mail.flat


def test_the_outbox_holds_no_bytes_of_a_receipt_before_it_goes(match: World) -> None:
    mail, *_ = match.reply(match.on_turn(), "RESEARCH any")
    letter = receipts(match)[-1]
    assert letter.raw == b"" and letter.said
    assert len(letter.said) < len(mail.raw) / 2


def test_the_outbox_holds_no_bytes_of_a_report_before_it_goes(match: World) -> None:
    match.wait(hours=25)
    mails = [mail for mail in match.all_mail() if mail.kind == "report"]
    queued = reports(match)
    assert len(queued) == len(mails) > 3
    for letter, mail in zip(queued, mails, strict=True):
        assert letter.raw == b"" and letter.said and len(letter.said) < len(mail.raw) / 2
        assert written(match.office, letter).raw == written(match.office, letter).raw == mail.raw
        assert mark_of(written(match.office, letter)) == mark_of(letter)


def test_a_report_that_bears_an_answer_is_written_at_once(match: World) -> None:
    """One that cannot be written so goes as two letters, which only its writer can find out."""
    player = match.on_turn()
    match.reply(player, "RESEARCH any\nROLL OUT")
    match.reply(player, "YES")
    assert {letter.recipient for letter in reports(match) if letter.raw} <= {player}
    assert len([letter for letter in reports(match) if not letter.raw]) > 2


def test_a_report_that_an_earlier_version_queued_goes_out_after_an_update(world: World) -> None:
    kept = Path(__file__).with_name("report-queued-by-0.2.0.json").read_bytes()
    now = world.clock.now()
    letter = LetterOut(1, "<1@x>", "nw1", "report", ADDRESS, ANNA, b"", now, now, said=kept)
    mail = Mail("report", written(world.office, letter).raw, letter.recipient)
    for words in ("Turn 1: ", "You owe orders for Turn 2", "Copy these lines into your reply", "played by default"):
        assert words in mail.flat


def test_every_letter_stands_under_the_address_of_its_reader(match: World) -> None:
    """Other tests go by the envelope's recipient, and read the header of none."""
    for line in LETTERS:
        match.reply(ANNA, line)
    match.write(OTTO, "GAMES")
    match.wait(hours=30)
    every = match.all_mail()
    assert {mail.kind for mail in every} >= {"receipt", "report", "started", "entry"}
    for mail in every:
        assert [address.addr_spec for address in mail.message["To"].addresses] == [mail.to]
