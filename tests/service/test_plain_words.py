"""What people write to their match in plain words, and the man who answers every letter with "ok thanks"."""

from __future__ import annotations

import pytest

from referee.service.intake.remarks import questions_in, says
from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.service.test_press import begun, press, toy
from tests.world import Mail, World

__all__ = ["toy"]


def asks(world: World, said: str, sender: str = ANNA) -> Mail:
    (answer,) = world.reply(sender, said)
    assert "NOTHING USABLE" not in answer.subject
    return answer


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("what do i have to do now?", "owe"),
        ("hi\n\nis it my turn?\n\nBen", "owe"),
        ("Was muss ich jetzt tun?", "owe"),
        ("Que dois-je faire ?", "owe"),
        ("¿Qué tengo que hacer?", "owe"),
        ("Where can I see the map?", "map"),
        ("Wo ist die Karte?", "map"),
        ("What is the goal of the game?", "win"),
        ("How do I win?", "win"),
        ("who is the game master", "master"),
        ("can I have one more day?", "time"),
        ("Please wait with my turn, I want to think about it", "wait"),
        ("Bitte noch nicht, ich muss noch etwas nachdenken", "wait"),
        ("I am on holiday next week", "away"),
        ("I want to quit", "quit"),
        ("who is winning?", "status"),
        ("where are the rules?", "rules"),
    ],
)
def test_a_question_is_understood(said: str, kind: str) -> None:
    assert kind in questions_in(said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("yes please", "yes"),
        ("Ja!", "yes"),
        ("ok", "yes"),
        ("ja gerne", "yes"),
        ("Yes, please do that!", "yes"),
        ("oui, avec plaisir", "yes"),
        ("sure", "yes"),
        ("yes I would want to know first", ""),
        ("Oui.", "yes"),
        ("Sí", "yes"),
        ("Yes\n\nAnna", "yes"),
        ("nein danke", "no"),
        ("ok thanks", "thanks"),
        ("Thanks, Gina!", "thanks"),
        ("Great, thank you very much\n\nBest,\nBen", "thanks"),
        ("Vielen Dank!", "thanks"),
        ("ok attack", ""),
        ("Yes, but I am out of office until Monday and read nothing", ""),
        ("thanks, what now?", ""),
        ("no time", ""),
    ],
)
def test_yes_no_and_thanks(said: str, meant: str) -> None:
    assert says(said) == meant


def test_a_question_is_answered_from_the_situation(toy: World) -> None:
    begun(toy)
    answer = asks(toy, "what do i have to do now?")
    assert "You owe orders for" in answer.flat and "BID" in answer.text
    assert "game master" in asks(toy, "Who is the game master?").flat
    assert "toy.toss" in asks(toy, "where are the rules?").flat


@pytest.mark.parametrize(
    ("sender", "said", "line"),
    [
        (ANNA, "can I have one more day?", "EXTEND 24h"),
        (ANNA, "Please wait with my turn, I want to think about it", "WAIT"),
        (GINA, "Please give Ben one more day", "DEADLINE +24h FOR Bob"),
        (GINA, "Bitte beende die Partie", "TERMINATE"),
        (GINA, "END", "TERMINATE"),
    ],
)
def test_a_deed_wished_in_plain_words_is_shown_and_done_at_one_yes(
    toy: World, sender: str, said: str, line: str
) -> None:
    begun(toy)
    (question,) = toy.reply(sender, said)
    assert question.kind == "guess" and f"| {line}" in question.text and "Nothing was done yet" in question.flat
    before = toy.status("t1")
    done = toy.write(sender, "YES", question.reply_to)
    mine = [mail for mail in done if mail.to == sender]
    assert len(mine) == 1 and "please confirm" not in mine[0].subject
    assert (toy.status("t1") == "over") == (line == "TERMINATE") and before == "running"
    assert toy.write(sender, "YES", question.reply_to, says="")[0].kind == "refusal"  # once


def test_a_seat_is_replaced_by_its_players_name_too(toy: World) -> None:
    begun(toy)
    receipt = toy.reply(GINA, f"REPLACE ben BY {OTTO}", confirms=False)[-1]
    assert f"REPLACE Bob BY {OTTO}" in receipt.flat


def test_what_is_not_understood_goes_to_the_game_master_after_yes_and_his_answer_comes_back(toy: World) -> None:
    begun(toy)
    question = "My cousin Tom would rather like the red pieces, is that fine with you?"
    answer = asks(toy, question)
    assert "Shall I pass this on to gina, your game master? Reply YES" in answer.flat
    assert not press([answer])
    mails = toy.reply(ANNA, "yes please")
    (letter,) = press(mails)
    assert letter.to == GINA and question in letter.flat
    (back,) = press(toy.reply(GINA, "Tell Tom that red is yours.", kind="press"))
    assert back.to == ANNA and "red is yours" in back.text
    assert not press(toy.reply(ANNA, "YES", kind="receipt"))


def test_an_order_that_could_not_be_read_is_no_question(toy: World) -> None:
    begun(toy)
    (receipt,) = toy.reply(ANNA, "BID 3 coyns")
    assert "coyns" in receipt.flat and "pass this on" not in receipt.flat


def test_the_man_who_answers_everything_with_ok_thanks_does_no_harm_and_is_not_answered_for_ever(toy: World) -> None:
    begun(toy)
    (reminded,) = toy.reply(BEN, "ok thanks")
    assert "You owe orders for" in reminded.flat and "Nothing was taken" in reminded.flat
    for _ in range(3):
        assert toy.reply(BEN, "ok thanks") == []
    toy.reply(BEN, "BID 3 coins")
    toy.reply(ANNA, "STATUS")
    assert toy.reply(BEN, "Thanks!", kind="receipt") == []
    assert toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"]
    assert toy.reply(GINA, "ok thanks") == []


def test_clear_with_a_mark_of_joy_takes_nothing_off_the_file(toy: World) -> None:
    begun(toy)
    toy.reply(BEN, "BID 3 coins")
    toy.reply(BEN, "Clear!")
    assert toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"]
    toy.reply(BEN, "CLEAR")
    assert toy.drawer("Bob", "orders", "t1") == []


def test_ok_thanks_takes_no_correction_and_says_once_that_it_waits(toy: World) -> None:
    begun(toy)
    toy.reply(BEN, "BID 3 cions")
    (reminded,) = toy.reply(BEN, "ok thanks")
    assert "reply YES" in reminded.flat and toy.drawer("Bob", "orders", "t1") == []
    assert toy.reply(BEN, "ok thanks", kind="refusal") == []
    assert toy.reply(BEN, "ok thanks", kind="receipt") == []  # a letter from before the start
    toy.reply(BEN, "oui", kind="refusal")
    assert toy.drawer("Bob", "orders", "t1") == ["BID 3 coins"]


def test_ok_to_another_letter_takes_no_correction(toy: World) -> None:
    begun(toy)
    toy.reply(BEN, "BID 3 cions")
    toy.reply(BEN, "ok", kind="started")
    assert toy.drawer("Bob", "orders", "t1") == []


def test_ok_thanks_to_what_cannot_be_undone_is_asked_about_once_more(toy: World) -> None:
    begun(toy)
    (question,) = toy.reply(ANNA, "RESIGN", confirms=False)
    (again,) = toy.write(ANNA, "ok thanks", question.reply_to)
    assert "cannot tell whether you mean YES" in again.flat
    assert toy.player("Ann", "t1") == ANNA
    toy.write(ANNA, "yes please", again.reply_to)
    assert "Ann" in toy.reply(GINA, "STATUS")[0].flat


def test_ok_thanks_to_the_welcome_and_before_the_start_is_not_answered(toy: World) -> None:
    toy.write(OTTO, "what games do you have?")
    assert toy.write(OTTO, "ok thanks!") == []
    toy.write(GINA, "CREATE toy AS t2")
    toy.write(BEN, "JOIN t2")
    assert toy.reply(BEN, "ok thanks") == []


@pytest.mark.parametrize(("said", "meant"), [("JION t2", "JOIN t2"), ("CRAETE toy AS t9", "CREATE toy")])
def test_a_misspelt_command_alone_is_offered_as_it_was_meant(toy: World, said: str, meant: str) -> None:
    toy.write(GINA, "CREATE toy AS t2")
    (question,) = toy.write(OTTO, said, says="")
    assert question.kind == "entry" and meant in question.text
    mails = toy.write(OTTO, "YES", question.reply_to)
    assert any(mail.to == OTTO and "nothing that you asked for" not in mail.flat for mail in mails), [
        m.text for m in mails
    ]


def test_a_plain_sentence_is_still_welcomed(toy: World) -> None:
    toy.write(GINA, "CREATE toy AS t2")
    for said in ("Hoin us, says Tom", "Great club!", "jon told me of you"):
        assert toy.write(OTTO, said, says="")[0].kind != "entry"
