"""Letters in somebody else's name: they are kept and shown, and go by a YES of his own alone."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage, Message
from email.policy import SMTP

import pytest

from referee.service.base import notes
from referee.service.base.office import At
from referee.service.intake.keepers_digest import concerns
from tests.kill.running import Running
from tests.service.conftest import ANNA, BEN, GINA, OTTO, PLAYERS, begin, databases, match, world
from tests.world import ADDRESS, Mail, World

__all__ = ["databases", "match", "world"]

FORGED = 'TERMINATE nw1 BECAUSE "tired"'
KEY = "open-sesame-42"


def write_raw(world: World, sender: str | None, body: str, to: str) -> list[Mail]:
    """A letter whose From stands as it is given, or is missing."""
    head = "" if sender is None else f"From: {sender}\r\n"
    ident = f"<{abs(hash((sender, body)))}@x.example>"
    world.put(f"{head}To: {to}\r\nMessage-ID: {ident}\r\n\r\n{body}\r\n".encode(), "someone@x.example", to)
    return world.work()


def question(mails: list[Mail]) -> Mail:
    (found,) = mails
    assert "please confirm your letter" in found.subject and found.kind == "confirmation"
    return found


def asked(world: World, words: str = FORGED, sender: str = GINA) -> Mail:
    """A stranger writes in somebody's name to the plain address: what that person is asked."""
    return question(world.write(sender, words))


def test_the_question_shows_the_letter_and_says_how_to_answer(match: World) -> None:
    mail = asked(match)
    assert mail.to == GINA
    assert f"| {FORGED}" in mail.text
    assert f"From: {GINA}" in mail.text
    assert "No mail server that I trust vouches for the sender." in mail.flat
    assert "Reply with YES as the first line if it is yours" in mail.flat
    assert "waits until Sat 28 Nov 2026, 12:00 UTC" in mail.flat
    assert match.status() == "running"


@pytest.mark.parametrize(
    "answer", ["YES", "yes.", " Yes! \n\n> No", "CONFIRM", "> did you write it?\n\nYES", "YES\n-- \nGina"]
)
def test_a_yes_takes_the_letter(match: World, answer: str) -> None:
    match.write(GINA, answer, asked(match).reply_to)
    assert match.status() == "over"


NEITHER = [
    "HELP",
    "STOP",
    "",
    "I am on holiday until 3 January.",
    "Jestem na urlopie do 3 stycznia.",
    "休暇中です。",
    "Szabadságon vagyok január 3-ig.",
    "[Ticket#2026112110000017] We have received your request.",
    "> YES",
    "On Saturday the referee wrote:\n> YES\n> NO",
    "Yes, but only after Christmas.",
    "YESTERDAY I wrote something else.",
    "YES YES",
    "TERMINATE nw1",
]


@pytest.mark.parametrize("answer", NEITHER)
def test_what_is_neither_yes_nor_no_is_answered_with_the_question_once_more(match: World, answer: str) -> None:
    first = asked(match)
    again = question(match.write(GINA, answer, first.reply_to))
    assert again.reply_to == first.reply_to and "neither with YES nor with NO" in again.flat
    assert match.status() == "running"
    match.write(GINA, "YES", again.reply_to)
    assert match.status() == "over"


@pytest.mark.parametrize(
    "answer",
    [
        "NO",
        "no.",
        "DISCARD",
        "No, this is NOT from me! Do nothing!",
        "NO! I did not write that letter",
        "This is a forgery, delete it.",
        "That was not me",
    ],
)
def test_a_no_throws_the_letter_away(match: World, answer: str) -> None:
    first = asked(match)
    (thanks,) = match.write(GINA, answer, first.reply_to)
    assert "The letter is thrown away" in thanks.flat and thanks.to == GINA
    (told,) = match.write(GINA, "YES", first.reply_to)
    assert "thrown away already" in told.flat
    assert match.status() == "running"


def test_the_question_is_put_three_times_and_then_there_is_silence(match: World) -> None:
    first = asked(match)
    assert [len(match.write(GINA, f"I am away ({number}).", first.reply_to)) for number in range(6)] == [
        1,
        1,
        0,
        0,
        0,
        0,
    ]
    match.write(GINA, "YES", first.reply_to)
    assert match.status() == "over"


def test_a_yes_works_once(match: World) -> None:
    player = match.on_turn()
    first = asked(match, "RESEARCH any", player)
    match.write(player, "YES", first.reply_to)
    match.reply(player, "CLEAR", kind="receipt")
    (told,) = match.write(player, "Yes", first.reply_to)
    assert "was taken already when you said YES" in told.flat
    assert match.drawer(match.waits_for(), "orders") == []


def test_a_kept_letter_lapses(match: World) -> None:
    first = asked(match)
    match.wait(days=7, minutes=1)
    (told,) = match.write(GINA, "YES", first.reply_to)
    assert "was kept for seven days and is thrown away now" in told.flat
    assert match.status() == "running"


def test_what_became_of_a_letter_is_forgotten_in_the_end(match: World) -> None:
    first = asked(match)
    match.write(GINA, "NO", first.reply_to)
    for _ in range(4):
        match.wait(days=10)
    with match.store.look() as step:
        assert notes.KEPT_LETTER.every(step) == {}
    (told,) = match.write(GINA, "YES", first.reply_to)
    assert "no longer kept" in told.flat and match.status() == "running"


@pytest.mark.parametrize("answer", ["YES", "NO"])
@pytest.mark.parametrize("sender", ["friend@elsewhere.example", ANNA, "referee-fan@players.example"])
def test_nobody_answers_for_another(match: World, sender: str, answer: str) -> None:
    """She forwarded the question, or wrote from an address that is not known as hers."""
    first = asked(match)
    again = question(match.write(sender, answer, first.reply_to))
    assert again.to == GINA and f"An answer came from {sender}, which is none of your addresses" in again.flat
    assert match.status() == "running"


def test_an_attached_copy_of_the_question_confirms_nothing(match: World) -> None:
    first = asked(match)
    copy = EmailMessage()
    copy["From"], copy["To"], copy["Message-ID"] = GINA, first.reply_to, "<copy@players.example>"
    copy.set_content("")
    copy.add_attachment(first.message)
    match.put(copy.as_bytes(), GINA, first.reply_to)
    again = question(match.work())
    assert "neither with YES nor with NO" in again.flat and match.status() == "running"


def test_a_marked_holiday_note_is_not_answered(match: World) -> None:
    first = asked(match)
    assert match.write(GINA, "YES", first.reply_to, Auto_Submitted="auto-replied") == []
    assert match.status() == "running"


def test_a_word_of_weight_far_below_is_shown(match: World) -> None:
    mail = asked(match, "\n".join(["RESEARCH any"] * 40 + [FORGED, f"SET key {KEY}", "SET address eve@evil.example"]))
    assert f"| {FORGED}" in mail.text and "| SET address eve@evil.example" in mail.text
    assert "| SET key (the new key itself is not shown)" in mail.text and KEY not in mail.text
    assert "20 more lines of it are not shown here" in mail.flat


def test_a_shown_letter_is_short_whatever_was_written(match: World) -> None:
    mail = asked(match, "\n".join(["x" * 5_000] * 100))
    assert len(mail.raw) < 20_000


def test_a_hundred_forged_letters_bring_five_questions_and_one_answer_drops_them_all(match: World) -> None:
    mails = [mail for number in range(100) for mail in match.write(ANNA, f"RESEARCH any KEEPING {number} gold")]
    assert [mail.to for mail in mails] == [ANNA] * 5
    (following,) = match.write(ANNA, "NO", mails[0].reply_to)[1:]
    assert "14 more letters wait for an answer of yours" in following.flat
    (thanks,) = match.write(ANNA, "NO ALL", following.reply_to)
    assert "and 18 more that waited, are thrown away" in thanks.flat
    (asked_anew,) = match.write(ANNA, "RESEARCH any")
    assert "| RESEARCH any" in asked_anew.text


def test_letters_that_wait_are_asked_about_after_a_day(match: World) -> None:
    for number in range(7):
        match.write(ANNA, f"RESEARCH any KEEPING {number} gold")
    mails = [mail for mail in match.wait(hours=25) if mail.kind == "confirmation"]
    assert ["KEEPING 5" in mails[0].text, "KEEPING 6" in mails[1].text, len(mails)] == [True, True, 2]


def test_questions_do_not_use_up_what_a_player_may_be_answered(match: World) -> None:
    for number in range(12):
        match.write(ANNA, f"RESEARCH any KEEPING {number} gold")
    (receipt,) = match.write(ANNA, "RESERCH any\nHIER 1 worker", match.last(ANNA, "started").reply_to)
    assert "RESEARCH" in receipt.flat


def test_orders_are_not_taken_for_a_turn_they_were_not_written_for(match: World) -> None:
    player = match.on_turn()
    first = asked(match, "RESEARCH any", player)
    match.reply(player, "RESEARCH any\nROLL OUT", kind="started")
    (told,) = match.write(player, "YES", first.reply_to)
    assert "has orders for a turn of nw1 that was played meanwhile" in told.flat
    assert match.drawer(match.seat(player), "next") == []


def test_a_master_may_say_yes_after_the_turn(match: World) -> None:
    first = asked(match)
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT", kind="started")
    match.write(GINA, "YES", first.reply_to)
    assert match.status() == "over"


def test_the_keeper_hears_of_forgeries(match: World) -> None:
    match.write(ANNA, "NO", asked(match, "RESIGN", ANNA).reply_to)
    with match.store.look() as step:
        (concern,) = concerns(At(match.office, step))
    assert concern.kind == "forged" and f"{ANNA} said NO" in concern.sentence


# ---------------------------------------------------------------- another's From


def test_a_reply_to_all_does_not_play_anothers_turn(match: World) -> None:
    """Ben answers and copies Anna; she replies to all, and her letter comes to his reply address."""
    player = match.on_turn()
    other = next(p for p in PLAYERS if p != player)
    for sender in (other, GINA, f"{player}, {other}"):
        mail = question(write_raw(match, sender, "COLONIZE any\nROLL OUT", match.last(player, "started").reply_to))
        assert mail.to == player and "perhaps somebody answered to all" in mail.flat
        match.write(player, "NO", mail.reply_to)
    assert match.closed() == [] and match.drawer(match.waits_for(), "orders") == []


def test_an_observers_address_is_no_second_mailbox_either(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    match.new_mail()
    player = match.on_turn()
    mail = question(match.write(OTTO, "ROLL OUT", match.last(player, "started").reply_to))
    assert mail.to == player and match.closed() == []


def test_in_an_anonymous_match_no_answer_tells_who_takes_part(world: World) -> None:
    begin(world, "WITH anonymous yes")
    player = world.on_turn()
    other = next(p for p in PLAYERS if p != player)
    to = world.last(player, "started").reply_to
    world.new_mail()
    (one,) = world.write(other, "RESEARCH any", to)
    (two,) = world.write("nobody@elsewhere.example", "RESEARCH any", to)
    assert one.kind == two.kind == "confirmation"
    assert one.flat.partition("The letter")[0].replace(other, "X") == two.flat.partition("The letter")[0].replace(
        "nobody@elsewhere.example", "X"
    )


@pytest.mark.parametrize("sender", [ADDRESS, f"Referee <{ADDRESS.replace('@', '+nw1.abcdefghijklmnop@')}>"])
def test_a_letter_from_the_referees_own_address_is_our_own_coming_back(match: World, sender: str) -> None:
    player = match.on_turn()
    assert match.write(sender, "RESEARCH any", match.last(player, "started").reply_to) == []
    assert match.drawer(match.waits_for(), "orders") == []


@pytest.mark.parametrize("sender", [None, "((((((" * 3_000, "<>", "anna at players.example"])
def test_a_letter_without_a_sender_is_not_dropped_in_silence(match: World, sender: str | None) -> None:
    player = match.on_turn()
    mail = question(write_raw(match, sender, "RESEARCH any", match.last(player, "started").reply_to))
    assert mail.to == player and "in which no sender can be read" in mail.flat
    match.write(player, "YES", mail.reply_to)
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]


def test_without_a_sender_and_a_reply_address_nobody_is_asked(match: World) -> None:
    assert write_raw(match, None, "RESEARCH any", ADDRESS) == []


def test_a_bounce_that_breaks_its_detectors_fills_no_log(match: World, caplog: pytest.LogCaptureFixture) -> None:
    match.put(b"From: " + b"(" * 20_000 + b"\r\n\r\nRESEARCH any\r\n", "", ADDRESS)
    match.work()
    assert len(caplog.text.splitlines()) <= 1


# ---------------------------------------------------------------- words of weight


@pytest.mark.parametrize(
    "words",
    [
        "TERMINATE",
        "REWIND TO TURN 1",
        f"REPLACE {{seat}} BY {OTTO}",
        f"PROMOTE {OTTO}",
        "EJECT {seat}",
        "BECOME {seat}\nSTATUS",
        "BOT {seat} novice",
        "ABANDON AFTER 1 GIVING TO dummy",
        f"SET key {KEY}",
        "SET address eve@evil.example",
        "STATUS\nterminate because tired",
    ],
)
def test_a_grave_word_by_a_reply_address_waits_for_a_yes(match: World, words: str) -> None:
    """Whoever has seen a reply address can also write its owner's From."""
    lines = words.format(seat=match.waits_for())
    before = match.entries()
    mail = question(match.reply(GINA, lines, confirms=False))
    assert mail.to == GINA and match.entries() == before
    (receipt,) = [m for m in match.write(GINA, "YES", mail.reply_to) if m.to == GINA and m.is_a("receipt")]
    assert "DONE: " in receipt.flat


def test_a_corrected_grave_word_waits_for_a_yes_of_its_own(match: World) -> None:
    """Misspelt on purpose, then taken by the YES that takes corrections."""
    to = match.last(GINA).reply_to
    (receipt,) = match.write(GINA, "TERMINATTE", to)
    assert "Did you mean TERMINATE?" in receipt.flat
    mail = question(match.write(GINA, "YES", to))
    assert mail.to == GINA and match.status() == "running"


def test_resigning_by_a_reply_address_waits_for_a_yes(match: World) -> None:
    player = match.on_turn()
    mail = question(match.reply(player, "RESIGN", confirms=False))
    assert "asks for RESIGN. That address alone is too little" in mail.flat
    match.write(player, "NO", mail.reply_to)
    assert match.player(match.waits_for()) == player


def test_with_the_key_or_a_trusted_servers_word_a_grave_word_is_done_at_once(match: World) -> None:
    match.reply(GINA, f"SET key {KEY}")
    mails = match.reply(GINA, f"REWIND TO TURN 1\nKEY {KEY}", confirms=False)
    assert "confirmation" not in [mail.kind for mail in mails]
    match.office = replace(match.office, trusted=("mx.games.example",))
    passed = "mx.games.example; dmarc=pass header.from=players.example"
    match.write(GINA, "TERMINATE", match.last(GINA).reply_to, Authentication_Results=passed)
    assert match.status() == "over"


def test_where_a_server_is_trusted_and_vouches_for_nothing_every_masters_word_waits(match: World) -> None:
    match.reply(GINA, "PAUSE", confirms=False)
    assert match.status() == "paused"
    match.office = replace(match.office, trusted=("mx.games.example",))
    question(match.reply(GINA, "RESUME", confirms=False))
    assert match.status() == "paused"
    (receipt,) = match.reply(GINA, "STATUS", kind="receipt", confirms=False)
    assert "DONE" in receipt.subject


def test_before_the_start_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.new_mail()
    mail = question(world.reply(GINA, f"PROMOTE {OTTO} nw1\nTERMINATE nw1", confirms=False))
    assert "asks for PROMOTE and TERMINATE" in mail.flat
    receipt = next(answer for answer in world.write(GINA, "YES", mail.reply_to) if answer.to == GINA)
    assert "nw1 is called off" in receipt.flat


# ---------------------------------------------------------------- keys


def with_key(world: World, player: str) -> None:
    world.reply(player, f"SET key {KEY}")
    world.new_mail()


def test_wrong_keys_in_anothers_name_do_not_shut_the_right_one_out(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    for number in range(5):
        match.write(player, f"KEY wrong-number-{number}\nRESEARCH any KEEPING 9 gold")
    (receipt,) = match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert receipt.is_a("receipt") and match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]


def test_after_many_wrong_keys_the_right_one_is_asked_about_at_once(match: World) -> None:
    """It may have been guessed; and other questions do not keep this one waiting."""
    player = match.on_turn()
    with_key(match, player)
    mails = [m for n in range(25) for m in match.write(player, f"KEY wrong-number-{n}\nRESEARCH any KEEPING 9 gold")]
    assert len(mails) == 5 and "the KEY in it is not yours" in mails[0].flat
    mail = question(match.write(player, f"KEY {KEY}\nRESEARCH any"))
    assert match.drawer(match.waits_for(), "orders") == []
    match.write(player, "YES", mail.reply_to)
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]


# ---------------------------------------------------------------- against a real service


_NUMBER = iter(range(1, 1_000))


def _send(service: Running, sender: str, body: str, to: str = ADDRESS) -> list[Message]:
    """Hand a letter in and wait until everything is answered; what lies in the mailbox of who is named in From."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "orders"
    letter["Message-ID"] = f"<forged-{next(_NUMBER)}@players.example>"
    letter.set_content(body)
    service.send(sender, to, letter.as_bytes(policy=SMTP))
    service.until(
        "an answer",
        lambda: not service.unhandled() and not service.rows("SELECT 1 FROM letter_out WHERE status = 'queued'"),
    )
    return service.mail(sender)


def _questions(letters: list[Message]) -> list[Message]:
    return [letter for letter in letters if "please confirm your letter" in str(letter["Subject"])]


def _status(service: Running) -> object:
    return service.rows("SELECT status FROM match WHERE name = 'nw1'")[0][0]


def _text(letter: Message) -> str:
    part = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def test_a_service_does_not_end_a_match_by_a_forgery_and_its_denial(service: Running) -> None:
    first = _questions(_send(service, GINA, 'TERMINATE nw1 BECAUSE "tired"'))[-1]
    assert '| TERMINATE nw1 BECAUSE "tired"' in _text(first)
    to = str(first["Reply-To"])
    assert len(_questions(_send(service, GINA, "HELP", to))) == 2
    assert len(_questions(_send(service, GINA, "Jestem na urlopie do 3 stycznia.", to))) == 3
    _send(service, ANNA, "YES", to)
    thanks = _send(service, GINA, "No, this is NOT from me! Do nothing!", to)[-1]
    assert "The letter is thrown away" in _text(thanks)
    gone = _send(service, GINA, "YES", to)[-1]
    assert "thrown away already" in " ".join(_text(gone).split())
    assert _status(service) == "running"


def test_a_service_plays_no_turn_by_an_opponents_reply_to_all(service: Running) -> None:
    before = service.rows("SELECT count(*) FROM entry")
    bens = [letter for letter in service.mail(BEN) if "." in str(letter["Reply-To"]).partition("@")[0]][-1]
    _send(service, ANNA, "RESEARCH any\nROLL OUT", str(bens["Reply-To"]))
    assert "answered to all" in " ".join(_text(_questions(service.mail(BEN))[-1]).split())
    assert service.rows("SELECT count(*) FROM entry") == before
