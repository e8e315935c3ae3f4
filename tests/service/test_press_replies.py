"""Press is a conversation: a plain reply to a press letter is press back to who wrote it."""

from __future__ import annotations

import pytest

from tests.service.conftest import ANNA, BEN, CARLA, GINA, OTTO
from tests.service.test_press import begun, press, toy
from tests.world import Mail, World

__all__ = ["toy"]

QUOTED = "\n\nOn Mon, 23 Nov 2026 at 10:00, Referee <referee@games.example> wrote:\n> Shall we share the prize?\n> BID 9 coins"


def asked(world: World, settings: str = "", to: str = "Bob", text: str = "Shall we share the prize?") -> World:
    """A match in which Ann has written to others."""
    begun(world, settings)
    world.reply(ANNA, f"PRESS TO {to}\n{text}\nEND")
    return world


def answered(world: World, body: str, sender: str = BEN) -> tuple[list[Mail], Mail]:
    """A reply to the last press letter: what was relayed, and the receipt."""
    mails = world.reply(sender, body, kind="press")
    return press(mails), next(mail for mail in mails if mail.to == sender)


def test_a_plain_reply_goes_back_to_the_writer_and_to_nobody_else(toy: World) -> None:
    asked(toy, to="Bob, Cyd")
    (letter,), receipt = answered(toy, "Sure, sounds good!\nBut 3 coins please." + QUOTED)
    assert (letter.to, letter.subject) == (ANNA, "[t1] Your turn, Ann, by Sun 12:00 (press from Bob)")
    assert "Sure, sounds good!" in letter.text and "| But 3 coins please." in letter.text
    assert "share the prize" not in letter.text and "BID 9" not in letter.text
    assert receipt.subject == "[t1] Your turn, Bob, by Sun 12:00 (Sent to Ann)"
    assert "Sent to Ann: “Sure, sounds good! But 3 coins please.”" in receipt.flat
    assert len(receipt.text.split()) < 40


def test_a_conversation_goes_on_by_replies_alone(toy: World) -> None:
    asked(toy)
    answered(toy, "Half and half?")
    (letter,), _ = answered(toy, "Half it is.\n\nAnn", ANNA)
    assert letter.to == BEN and "Half it is." in letter.text
    (letter,), _ = answered(toy, "Good.")
    assert letter.to == ANNA


@pytest.mark.parametrize("line", ["ALL", "To all:", "reply all", "an alle"])
def test_all_to_whom_it_went_read_the_answer_where_its_writer_says_so(toy: World, line: str) -> None:
    asked(toy, to="Bob, Cyd")
    letters, receipt = answered(toy, f"{line}\nCount me in.")
    assert {mail.to for mail in letters} == {ANNA, CARLA}
    assert all("Count me in." in mail.text and "Ann and Cyd" in mail.flat for mail in letters)
    assert receipt.subject == "[t1] Your turn, Bob, by Sun 12:00 (Sent to Ann and Cyd)"


def test_a_reply_to_a_broadcast_is_for_its_writer_unless_it_says_all(toy: World) -> None:
    begun(toy)
    toy.write(OTTO, "OBSERVE t1")
    toy.reply(GINA, "BROADCAST\nWelcome, all of you.\nEND")
    letters, receipt = answered(toy, "Thank you, Gina!")
    assert [mail.to for mail in letters] == [GINA] and receipt.subject.endswith("(Sent to game master)")
    letters, receipt = answered(toy, "ALL\nHello from me too.", CARLA)
    assert {mail.to for mail in letters} == {ANNA, BEN, GINA, OTTO}
    assert "broadcast from Cyd" in letters[0].subject and receipt.subject.endswith("(Sent to everybody)")


def test_orders_in_a_reply_are_orders_and_the_rest_is_press(toy: World) -> None:
    asked(toy)
    (letter,), receipt = answered(toy, "Sounds good.\n\nBID 3 coins\n\nRegards, Bob")
    assert "Sounds good." in letter.text and "BID" not in letter.text and "Regards, Bob" in letter.text
    assert toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"]
    assert "COMPLETE" in receipt.subject and "Sent to Ann: “Sounds good. Regards, Bob”" in receipt.flat


@pytest.mark.parametrize(
    "line",
    ["- BID 3 coins", "1. BID 3 coins", "*BID 3 coins*", "BID 3 coins \u2713", "\u2022 bid 3 coins", "[x] BID 3 coins"],
)
@pytest.mark.parametrize(
    "said",
    ["Sounds good.\n\n{line}\n\n- for Bob", "Sounds good.\n- for Bob\n{line}", "{line}\n\nSounds good.\n- for Bob"],
)
def test_a_marked_order_in_a_reply_is_an_order_and_marked_words_are_press(toy: World, said: str, line: str) -> None:
    asked(toy)
    (letter,), receipt = answered(toy, said.format(line=line))
    assert "Sounds good." in letter.text and "| - for Bob" in letter.text and "3 coins" not in letter.flat
    assert toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"] and "COMPLETE" in receipt.subject


def test_a_reply_of_marked_orders_alone_is_no_press(toy: World) -> None:
    asked(toy)
    letters, receipt = answered(toy, "- BID 3 coins\n- TOSS 1 coper")
    assert not letters and toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"] and "coper" in receipt.flat


def test_marked_orders_below_press_without_an_end_are_held(toy: World) -> None:
    asked(toy)
    mails = toy.reply(BEN, "PRESS TO Ann\nI bid three.\n- of course\n\n- BID 3 coins", kind="press")
    (letter,) = press(mails)
    assert "BID" not in letter.text and "| - of course" in letter.text
    receipt = next(mail for mail in mails if mail.to == BEN)
    assert "neither sent nor filed" in receipt.flat and "- BID 3 coins" in receipt.text


def test_a_marked_line_amid_sentences_is_sent_as_it_was_written(toy: World) -> None:
    asked(toy)
    (letter,), _ = answered(toy, "My plan for us both:\n- BID 3 coins\nand then we share.")
    assert "| - BID 3 coins" in letter.text and toy.drawer("Bob", "orders", "t1") == []


def test_a_sheet_in_a_reply_to_press_is_no_press_even_if_a_line_is_misspelt(toy: World) -> None:
    asked(toy)
    letters, _ = answered(toy, "BID 3 coins")
    assert not letters and toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"]
    letters, receipt = answered(toy, "BID 3 coyns\nTOSS 1 copper")
    assert not letters and "coyns" in receipt.flat
    letters, receipt = answered(toy, "BID 3 coyns")
    assert not letters and "coyns" in receipt.flat


@pytest.mark.parametrize("said", ["yes", "ok thanks", "Bid with me, I pay you back!", "wait, is that right?", "No."])
def test_what_is_no_order_is_press_whatever_it_begins_with(toy: World, said: str) -> None:
    asked(toy)
    toy.reply(BEN, "BID 3 cions", kind="started")
    (letter,), _ = answered(toy, said)
    assert said in letter.text and toy.drawer("Bob", "orders", "t1") == []


def test_a_line_like_an_order_amid_sentences_is_sent_and_offered_to_nobody(toy: World) -> None:
    asked(toy)
    (letter,), _ = answered(toy, "My plan for us both:\nBID 3 coins\nand then we share.")
    assert "BID 3 coins" in letter.text and toy.drawer("Bob", "orders", "t1") == []


def test_the_reply_address_of_an_older_turn_still_carries_press_and_no_orders(toy: World) -> None:
    asked(toy)
    old = toy.last(BEN, "press")
    for player in (ANNA, BEN, CARLA):
        toy.reply(player, "BID 1 coin\nROLL OUT", kind="started")
    assert toy.playing("t1").turn > 1
    mails = toy.write(BEN, "Too late, I fear.\n\nBID 3 coins", old.reply_to)
    (letter,) = press(mails)
    assert letter.to == ANNA and "Too late" in letter.text and "BID" not in letter.text
    receipt = next(mail for mail in mails if mail.to == BEN)
    assert "is closed" in receipt.flat and "BID 3 coins" in receipt.flat
    assert toy.drawer("Bob", "orders", "t1") == []


def test_a_reply_goes_to_the_seat_whoever_plays_it_now(toy: World) -> None:
    asked(toy)
    toy.reply(GINA, f"REPLACE Ann BY {OTTO}")
    (letter,), receipt = answered(toy, "Agreed.")
    assert letter.to == OTTO and "which somebody else plays now" in receipt.flat


def test_who_has_lost_his_seat_writes_no_press_in_its_name(toy: World) -> None:
    asked(toy)
    old = toy.last(BEN, "press")
    toy.reply(GINA, f"REPLACE Bob BY {OTTO}")
    assert not press(toy.write(BEN, "I was Bob.", old.reply_to))


def test_what_the_manners_forbid_is_not_sent(toy: World) -> None:
    asked(toy, "press late no, grace 24h")
    toy.wait(hours=25)
    letters, receipt = answered(toy, "Sorry, I am late.")
    assert not letters and "You are late" in receipt.flat


def test_an_anonymous_writer_stays_so(toy: World) -> None:
    asked(toy, "anonymous yes")
    toy.reply(BEN, "SET name Zebedee", kind="started")
    letters, receipt = answered(toy, "Yours, Zebedee")
    assert not letters and "This match is anonymous" in receipt.flat
    (letter,), _ = answered(toy, "Yours, Bob")
    assert BEN.encode() not in letter.raw and b"Zebedee" not in letter.raw


def test_grey_press_is_answered_to_nobody(toy: World) -> None:
    begun(toy, "press grey")
    toy.reply(ANNA, "PRESS GREY TO Bob\nBeware of Cyd.\nEND")
    letters, receipt = answered(toy, "Who are you?")
    assert not letters and "is not signed" in receipt.flat and "Ann" not in receipt.flat


def test_a_reply_from_another_members_address_is_asked_about_first(toy: World) -> None:
    asked(toy)
    old = toy.last(BEN, "press")
    mails = toy.write(CARLA, "I am Bob, honestly.", old.reply_to, says="")
    assert not press(mails)
    question = next(mail for mail in mails if mail.kind == "confirmation")
    assert question.to == BEN
    (letter,) = press(toy.write(BEN, "YES", question.reply_to))
    assert letter.to == ANNA and "I am Bob, honestly." in letter.text


def test_a_note_that_a_machine_seems_to_have_written_is_not_relayed(toy: World) -> None:
    asked(toy)
    letters, receipt = answered(toy, "I am out of the office until Monday.")
    assert not letters and "automatic" in receipt.flat


def test_the_same_words_may_answer_two_letters(toy: World) -> None:
    asked(toy)
    assert answered(toy, "ok")[0]
    toy.reply(ANNA, "PRESS TO Bob\nAnd Cyd?\nEND")
    assert answered(toy, "ok")[0]


def test_a_person_is_written_to_by_name_where_names_are_open(toy: World) -> None:
    begun(toy)
    toy.reply(BEN, "SET name Ben Brown")
    (letter,) = press(toy.reply(ANNA, "PRESS TO Ben\nHello Ben.\nEND"))
    assert letter.to == BEN
    (letter,) = press(toy.reply(CARLA, "PRESS TO ben brown, Ann\nHello both.\nEND"))[:1]
    assert (letter.to) in (ANNA, BEN)


def test_a_persons_name_opens_nothing_in_an_anonymous_match(toy: World) -> None:
    begun(toy, "anonymous yes")
    toy.reply(BEN, "SET name Zebedee")
    mails = toy.reply(ANNA, "PRESS TO Zebedee\nHello.\nEND")
    assert not press(mails) and "no seat of this match" in mails[0].flat


def test_a_forgotten_end_swallows_no_orders(toy: World) -> None:
    begun(toy)
    mails = toy.reply(ANNA, "PRESS TO Bob\nAttack Cyd with me.\n\nBID 3 coins\nROLL OUT")
    (letter,) = press(mails)
    assert "Attack Cyd with me." in letter.text and "BID" not in letter.text
    receipt = toy.last(ANNA, "receipt")
    assert "INCOMPLETE" in receipt.subject and "2 lines of your press read like orders" in receipt.flat
    assert toy.drawer("Ann", "orders", "t1") == []
    toy.reply(ANNA, "YES", kind="receipt")
    assert toy.closed("t1")[-1].seat == "Ann"
