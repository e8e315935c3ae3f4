"""Floods, amplification and being silenced: how much the referee can be made to write, to whom, and by whom."""

from __future__ import annotations

import smtplib
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from itertools import cycle, islice, product
from pathlib import Path
from urllib.parse import unquote

import pytest

from referee.adapters.outgoing.postman import mailbox
from tests.inbox.test_answerable import LETTERS, UNANSWERABLE
from tests.kill.running import Running, match_begun
from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.world import ADDRESS, Mail, World

MOST = 100_000
"""Bytes that letters which prove nothing can bring an address in a day: answers_a_day times answer_kb."""

PILLS = "BUY PILLS at http://evil.example/pills or ring 0900 666 now"


def sent(mails: list[Mail], address: str) -> list[Mail]:
    return [mail for mail in mails if mail.to == address]


def forged(number: int, sender: str, body: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, ADDRESS, PILLS
    message["Message-ID"] = f"<{number}.{sender}>"
    message.set_content(body)
    return message.as_bytes(policy=SMTP)


def flood(service: Running, sender: str, bodies: list[str]) -> list[bytes]:
    """Send these letters to the running service; what lies in the sender's mailbox when all are handled."""
    for number, body in enumerate(bodies):
        service.send(sender, ADDRESS, forged(number, sender, body))
    service.until("all letters are handled", lambda: not service.unhandled())
    service.until("all letters are sent", lambda: not service.rows("SELECT 1 FROM letter_out WHERE status = 'queued'"))
    box = mailbox(service.folder / "var" / "mail", sender)
    return [path.read_bytes() for path in box.glob("new/*")] if box.exists() else []


# ---------------------------------------------------------------- strangers


def test_ten_letters_for_all_rules_bring_their_victim_little(service: Running) -> None:
    bodies = ["RULES newworld\nRULES empire\nRULES war27\nGAMES\n" * 5] * 10
    answers = flood(service, "victim@rules.example", bodies)
    assert 1 <= len(answers) <= 5
    assert sum(map(len, answers)) < MOST // 5
    assert max(map(len, answers)) <= 10_000
    assert sum(b"text/html" in answer for answer in answers) <= 1


def test_a_machine_that_writes_help_in_each_answer_falls_silent(service: Running) -> None:
    answers = flood(service, "machine@help.example", ["HELP"] * 40)
    assert len(answers) == 5
    assert max(map(len, answers)) <= 4_500
    assert sum(b"This is my last answer for an hour" in b" ".join(answer.split()) for answer in answers) == 1
    (kept,) = service.rows("SELECT count(*) FROM letter_in WHERE status = 'unanswered'")
    assert isinstance(kept[0], int) and kept[0] >= 35  # other floods of this module are kept too


def test_nobody_is_sent_what_a_stranger_wrote_in_his_name(service: Running) -> None:
    for number in range(20):
        sender = f"victim{number}@pills{number}.example"
        (answer,) = flood(service, sender, [f"{PILLS}\nJOIN {PILLS}\nCREATE newworld AS {PILLS}\nHELP {PILLS}"])
        said = answer.lower()
        for word in (b"pills ", b"evil", b"0900", b"666", b"http"):
            assert word not in said.replace(sender.encode(), b"").replace(f"victim{number} ".encode(), b""), word


@pytest.mark.parametrize(
    "line", [PILLS, f"JOIN {PILLS}", f"HELP {PILLS}", f"SEND {PILLS}", f"> {PILLS}", f"IF {PILLS}"]
)
def test_no_line_of_a_stranger_comes_back(match: World, line: str) -> None:
    (answer,) = match.write(f'"{PILLS}" <{OTTO}>', f"GAMES\n{line}", subject=PILLS, message_id="<pills@evil.example>")
    assert answer.html
    for body in (f"{answer.subject} {answer.text} {answer.message['To']}".lower(), unquote(answer.html).lower()):
        assert not [word for word in ("buy", "pills", "evil", "0900", "666", "http") if word in body]


def test_a_line_a_player_wrote_to_his_own_reply_address_is_quoted(match: World) -> None:
    player = match.on_turn()
    (receipt,) = match.reply(player, f"RESEARCH any\n{PILLS}\nHIRE 1 worker")
    assert "http://evil.example/pills" in receipt.text


def test_all_kinds_of_answers_count_for_an_address_that_proves_nothing(match: World) -> None:
    bodies = ["HELP", "GAMES", "gibberish", "JOIN nw9", "VERIFY", "RULES newworld", "HELP JOIN"]
    assert [len(match.write(OTTO, body)) for body in bodies] == [1] * 5 + [0] * 2
    match.wait(hours=1, minutes=1)
    assert [len(match.write(OTTO, "HELP")) for _ in range(7)] == [1] * 5 + [0] * 2
    match.wait(hours=2)
    assert match.write(OTTO, "HELP") == []
    assert len(match.letters("unanswered")) == 5


def test_a_mailbox_is_one_whatever_follows_the_plus_sign(world: World) -> None:
    assert [len(world.write(f"otto+{n}@players.example", "HELP")) for n in range(7)] == [1] * 5 + [0] * 2


def test_a_domain_of_unknown_addresses_has_a_budget_and_its_players_have_their_own(match: World) -> None:
    answers = [mail for n in range(60) for mail in match.write(f"u{n}@players.example", "HELP")]
    assert len(answers) == match.office.limits.domain_answers_a_day // 2
    (challenge,) = match.write(ANNA, "RESEARCH any")
    assert challenge.to == ANNA
    assert len(match.write("u@other.example", "HELP")) == 1


def test_all_strangers_together_have_a_budget(match: World) -> None:
    match.office = replace(match.office, limits=replace(match.office.limits, stranger_answers_a_day=20))
    answers = [mail for n in range(15) for mail in match.write(f"u@d{n}.example", "HELP")]
    assert len(answers) == 10
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "COMPLETE" in receipt.subject


@pytest.mark.parametrize(
    "body", ["HELP", "HELP newworld", "HELP empire", "HELP war27", "HELP SET", "gibberish", "GAMES"]
)
def test_help_at_the_door_is_short_for_strangers(match: World, body: str) -> None:
    answers = [mail for _ in range(5) for mail in match.write(OTTO, body)]
    assert len(answers) == 5 and len(answers[0].raw) <= match.office.limits.answer_bytes
    assert [bool(mail.html) for mail in answers] == [True, False, False, False, False]  # buttons go with the first
    assert all(len(mail.raw) <= 4_500 for mail in answers[1:]) and len(answers[0].text) <= 4_500


def test_a_day_of_answers_with_buttons_stays_within_its_bound(match: World) -> None:
    answers = []
    for _ in range(24):
        answers += [mail for _ in range(7) for mail in match.write(OTTO, PILLS)]
        match.wait(hours=1)
    assert len(answers) == match.office.limits.answers_a_day
    assert sum(len(mail.raw) for mail in answers) <= MOST


@pytest.mark.parametrize(
    "word", ["RULES newworld", "SEND report OF nw1", "SEND archive OF nw1", "SEND map OF nw1", "WHO nw1"]
)
def test_pages_go_to_who_proves_who_he_is(match: World, word: str) -> None:
    (answer,) = match.write(OTTO, word)
    assert "too long for a letter that does not prove who wrote it" in answer.flat
    assert len(answer.raw) < 4_500 and not list(answer.message.iter_attachments())


def test_what_is_not_answered_is_kept_and_the_keeper_sees_it(match: World) -> None:
    match.office = replace(match.office, keeper="keeper@games.example")
    for number in range(9):
        match.write(OTTO, f"{PILLS} {number}")
    assert [row.sender for row in match.letters("unanswered")] == [OTTO] * 4
    digest = sent(match.wait(hours=18, minutes=10), "keeper@games.example")[-1]
    assert f"4 letters of the last day were kept and not answered: {OTTO} (4)." in digest.flat


def test_of_many_who_are_not_answered_five_are_named_and_the_others_counted(match: World) -> None:
    match.office = replace(match.office, keeper="keeper@games.example")
    for stranger in range(7):
        for number in range(6):
            match.write(f"s{stranger}@elsewhere.example", f"{PILLS} {number}")
    digest = sent(match.wait(hours=18, minutes=10), "keeper@games.example")[-1]
    assert " s0@elsewhere.example (1), " in digest.flat and "s5@elsewhere.example" not in digest.flat
    assert " and 2 other addresses." in digest.flat


# ---------------------------------------------------------------- what is proven


def test_a_player_is_answered_whoever_writes_in_his_name(match: World) -> None:
    player = match.on_turn()
    token = match.last(player).reply_to
    mails = [mail for n in range(8) for mail in match.write(player, f"RESEARCH any # {n}")]
    assert len(sent(mails, player)) == 5
    (receipt,) = match.write(player, "RESERCH any\nHIER 1 worker", token)
    assert receipt.to == player and "NOTHING USABLE" in receipt.subject


def test_a_question_that_is_answered_costs_its_owner_nothing(match: World) -> None:
    player = match.on_turn()
    for number in range(12):
        (question,) = match.write(player, f"RESEARCH any KEEPING {number} gold")
        match.write(player, "YES", question.reply_to)
    assert len(match.letters("unanswered")) == 0


def test_two_machines_over_a_token_fall_silent_and_the_last_answer_says_so(match: World) -> None:
    player = match.on_turn()
    answers = [m for n in range(30) for m in sent(match.reply(player, f"Out of office, ticket {n}"), player)]
    assert len(answers) == 1 + match.office.limits.refusals_a_day // 2  # the first is a letter like any other
    assert "This is my last answer for an hour" in answers[-1].flat
    assert not any("last answer" in mail.flat for mail in answers[:-1])
    (receipt,) = match.reply(player, "RESEARCH any")
    assert "COMPLETE" in receipt.subject


def test_a_machine_that_writes_help_to_a_token_falls_silent_and_is_told(match: World) -> None:
    match.office = replace(match.office, limits=replace(match.office.limits, requests_a_day=12))
    player = next(who for who in (ANNA, BEN) if who != match.on_turn())
    match.wait(hours=1)  # his JOIN was answered within the hour
    mails = [mail for _ in range(9) for mail in match.reply(player, "HELP")]
    answers = sent(mails, player)
    assert len(answers) == 6 and "This is my last answer for an hour" in answers[-1].flat
    (told,) = sent(mails, GINA)
    assert f"no more answers to {player}" in told.subject


def test_what_a_player_asks_leaves_his_refusals_alone(match: World) -> None:
    player = match.on_turn()
    for _ in range(15):
        assert len(match.reply(player, "STATUS")) == 1
    (receipt,) = match.reply(player, "RESERCH any")
    assert "last answer" not in receipt.flat


def test_a_stranger_with_anothers_dead_token_pays_from_his_own_purse(match: World) -> None:
    player = match.on_turn()
    dead = match.last(player).reply_to
    match.reply(player, "ROLL OUT")
    for number in range(8):
        match.write(OTTO, f"{PILLS} {number}", dead)
    (refusal,) = match.write(player, "HIRE 1", dead)
    assert refusal.to == player and "is closed, so nothing was taken" in refusal.flat


def test_other_peoples_floods_leave_a_match_alone(service: Running) -> None:
    flood(service, OTTO, [PILLS] * 30)
    to = [mail["Reply-To"] for mail in service.mail(BEN)][-1]
    before = len(service.mail(BEN))
    service.send(BEN, to, forged(1, BEN, "STATUS"))
    service.until("Ben is answered", lambda: len(service.mail(BEN)) > before)


@pytest.mark.slow
def test_three_thousand_letters_that_cannot_be_answered_leave_nothing(tmp_path: Path) -> None:
    """None breaks the desk or waits for a person, nobody is written to, and their bytes go by size and by age."""
    few = "[limits]\nstrangers_mb = 1\nkeep_refused_days = 7\n"
    service = Running(tmp_path / "running", match_begun(tmp_path / "template"), few)
    its = "FROM letter_in LEFT JOIN letter_body ON body = digest WHERE letter_in.sender LIKE '%@relay.example'"
    try:
        service.until("what was written sent", lambda: not service.unsent())
        written = service.rows("SELECT count(*) FROM letter_out")
        letters = enumerate(islice(cycle(product(UNANSWERABLE, LETTERS)), 3_000))
        for _ in range(6):  # a connection may bring a thousand
            with smtplib.SMTP("127.0.0.1", service.port, timeout=30) as smtp:
                for number, (sender, body) in islice(letters, 500):
                    head = f"From: {sender}\r\nMessage-ID: <{number}@x>\r\nX-Long: {'x' * 900}\r\n\r\n"
                    smtp.sendmail(f"{number}@relay.example", [ADDRESS], f"{head}{body}\r\n".encode())
        for _ in range(20):  # a patience for each part of so many letters
            with suppress(AssertionError):
                service.until("all letters handled", lambda: not service.unhandled())
                break
        said = service.rows(f"SELECT letter_in.status, attempts, count(*) {its} GROUP BY 1, 2")
        assert said == [("ignored", 0, 3_000)] and service.rows("SELECT count(*) FROM letter_out") == written
        service.clock.advance(timedelta(hours=1))
        bytes_of_it = f"SELECT coalesce(sum(length(letter_body.raw)), 0) {its}"
        service.until("what is too much gone", lambda: service.rows(bytes_of_it) <= [(1_000_000,)])
        service.clock.advance(timedelta(days=8))
        service.until("the rest gone", lambda: service.rows(bytes_of_it) == [(0,)])
    finally:
        service.kill()
        service.buried()
