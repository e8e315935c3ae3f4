"""What becomes of a letter: copies, loops, robots, dead and unknown reply addresses, and letters that break something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from referee.adapters.store.store import Step
from referee.core.record import Entry, Filed
from referee.orders import MOST_LINES
from referee.service.base.ports import Conflict
from referee.service.intake.inbox import handle_new
from tests.service.conftest import ANNA, CARLA, GINA, OTTO, begin
from tests.world import ADDRESS, Mail, World


def raw(sender: str, to: str, body: str, *headers: str) -> bytes:
    lines = [f"From: {sender}", f"To: {to}", "Subject: orders", *headers, "", body, ""]
    return "\r\n".join(lines).encode()


def test_the_same_letter_twice_is_handled_once(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    for _ in range(2):
        match.put(raw(player, to, "RESEARCH any", "Message-ID: <one@x.example>"), player, to)
    (receipt,) = match.work()
    assert "] COMPLETE" in receipt.subject
    assert len(match.log(Filed)) == 1
    assert len(match.letters("duplicate")) == 1


def test_the_same_letter_without_a_message_id_twice_is_handled_once(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    for _ in range(2):
        match.put(raw(player, to, "RESEARCH any"), player, to)
    assert len(match.work()) == 1
    assert len(match.log(Filed)) == 1


def test_one_letter_to_two_matches_counts_in_both(match: World) -> None:
    begin(match, match="nw2")
    match.new_mail()
    player, other = match.on_turn(), match.on_turn("nw2")
    addresses = [reply_address_of(match, player, "nw1"), reply_address_of(match, other, "nw2")]
    for to, sender in zip(addresses, (player, other), strict=True):
        match.put(raw(sender, ", ".join(addresses), "RESEARCH any", "Message-ID: <both@x.example>"), sender, to)
    mails = match.work()
    assert [mail.kind for mail in mails] == ["receipt", "receipt"]
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any"]
    assert match.drawer(match.waits_for("nw2"), "orders", "nw2") == ["RESEARCH any"]


def reply_address_of(world: World, address: str, match: str) -> str:
    """The reply address in the last letter of a match to somebody."""
    return [m for m in world.all_mail() if m.to == address and f"[{match}]" in m.subject][-1].reply_to


def test_our_own_letter_that_comes_back_is_ignored(match: World) -> None:
    own = match.last(match.on_turn())
    match.put(own.raw, own.to, own.reply_to)
    assert match.work() == []
    assert len(match.letters("ignored")) == 1


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Precedence: bulk",
        "X-Autoreply: yes",
        "List-Id: <news.example>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    ],
)
def test_robots_are_ignored(match: World, header: str) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    match.put(raw(player, to, "I am out of office.", header), player, to)
    assert match.work() == []
    assert len(match.letters("ignored")) == 1


def test_an_unknown_token_gets_one_clear_answer(match: World) -> None:
    (answer,) = match.write(ANNA, "RESEARCH any", "referee+nw1.aaaaaaaaaaaaaaaa@games.example")
    assert answer.kind == "refusal"
    assert "its secret part is not one I gave out" in answer.flat


def test_a_token_of_a_closed_turn_gets_one_clear_answer_and_nothing_is_taken(match: World) -> None:
    player = match.on_turn()
    old = match.last(player).reply_to
    match.reply(player, "ROLL OUT")
    before = match.entries()
    (answer,) = match.write(player, "RESEARCH any", old)
    assert "Turn 1: Spain (round 1) of nw1, which is closed" in answer.flat
    assert answer.subject == "[nw1] your letter could not be used"
    assert match.entries() == before


def a_round_later(world: World) -> tuple[str, str, str]:
    """Who is on turn again; the reply addresses of his first two letters of the match: of joining, and of a turn that is closed."""
    player = world.on_turn()
    joined, old = (mail.reply_to for mail in world.all_mail() if mail.to == player and "[nw1]" in mail.subject)
    for _ in range(4):
        world.reply(world.on_turn(), "ROLL OUT")
    return player, joined, old


SHEET = "MOVE 99 army\nRESEARCH any\nHIRE 1 worker KEEPING 5 food\n\nPRESS TO France\nHIRE 1 fleet\nEND\nEXTEND 1h"


def test_orders_for_a_turn_just_closed_wait_for_a_yes_where_they_are_lawful_now(match: World) -> None:
    player, _, old = a_round_later(match)
    before = match.entries()
    (answer,) = match.write(player, SHEET, old)
    assert (
        "NOTHING USABLE: That reply address belonged to Turn 1: Spain (round 1) of nw1, which is closed, so nothing was taken."
        in answer.flat
    )
    assert "You owe orders for Turn 5: Spain (round 2). Your deadline:" in answer.flat
    assert match.entries() == before
    (status,) = match.write(player, "STATUS", old)
    assert "NOTHING USABLE" not in status.subject  # nor is what waits forgotten
    match.write(player, "YES", answer.reply_to, In_Reply_To=answer.message_id)
    assert match.drawer(match.seat(player), "orders") == ["RESEARCH any", "HIRE 1 worker KEEPING 5 food"]


def test_of_what_such_a_yes_takes_off_the_file_it_is_told_beforehand(match: World) -> None:
    player, _, old = a_round_later(match)
    match.reply(player, "RESEARCH any\nHIRE 1 worker")
    (answer,) = match.write(player, "COLONIZE any\nHIRE 1 worker", old)
    assert "YES takes off the file: RESEARCH any." in answer.flat, answer.text
    assert match.drawer(match.seat(player), "orders") == ["RESEARCH any", "HIRE 1 worker"]
    match.write(player, "YES", answer.reply_to, In_Reply_To=answer.message_id)
    assert match.drawer(match.seat(player), "orders") == ["COLONIZE any", "HIRE 1 worker"]


@pytest.mark.parametrize(
    "asked, told",
    [
        ("How many cards are left in the deck?", "cards are left"),
        ("When is my deadline?", "Your deadline:"),
        ("How do I win this game?", "SEND standings"),
    ],
)
def test_a_plain_question_to_a_closed_turn_is_answered(match: World, asked: str, told: str) -> None:
    player, _, old = a_round_later(match)
    before = match.entries()
    quoted = "\n".join(f"> {line}" for line in match.last(player).text.splitlines())
    (answer,) = match.write(player, f"{asked}\n\nOn Sunday the referee wrote:\n{quoted}", old)
    assert answer.kind in ("answer", "receipt") and told in answer.flat, answer.text
    assert "which is closed" not in answer.flat and match.entries() == before


def test_of_a_match_that_is_over_no_old_letter_asks_for_orders_again(match: World) -> None:
    player, _, old = a_round_later(match)
    match.reply(GINA, "TERMINATE")
    (answer,) = match.write(player, "RESEARCH any\nHIRE 1 worker", old)
    assert "nw1 is over, so nothing was taken." in answer.flat and "cut here" not in answer.text
    assert "orders again" not in answer.flat and "Reply with just YES" not in answer.flat, answer.text


def test_who_was_replaced_is_told_that_he_has_no_seat_and_how_he_gets_one(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    old = match.last(player).reply_to
    match.reply(GINA, f"BOT {seat}")
    (answer,) = match.write(player, "RESEARCH any", old)
    assert f"You play {seat} in nw1 no more, so nothing was taken." in answer.flat
    assert "Write your orders again" not in answer.flat
    assert f"TAKEOVER nw1 AS {seat} takes it back" in answer.flat or f"REPLACE {seat} BY {player}" in answer.flat
    match.write(player, f"TAKEOVER nw1 AS {seat}")
    if "takes it back" in answer.flat:
        assert match.seat(player) == seat


@pytest.mark.parametrize("word", ["STATUS", "HELP", "WHO", "SEND map", "ORDERS\nGUIDE"])
def test_what_only_asks_is_answered_whatever_letter_it_is_a_reply_to(match: World, word: str) -> None:
    player, joined, old = a_round_later(match)
    before = match.entries()
    for to in (joined, old):
        (answer,) = match.write(player, word, to)
        assert "] DONE" in answer.subject and "which is closed" not in answer.flat
    (answer,) = match.write(player, f"{word}\nROLL OUT\nRESIGN", joined)
    assert "which is closed, so nothing was taken" in answer.flat and match.entries() == before


@pytest.mark.parametrize(
    "text", ["MOVE 99 army", "Good luck, all!", "RESIGN", "VOTE EXTEND 1h", "PRESS TO France\nHello\nEND"]
)
def test_of_what_else_comes_to_a_closed_turn_nothing_is_done(match: World, text: str) -> None:
    player, _, old = a_round_later(match)
    before = match.entries()
    (answer,) = match.write(player, text, old)
    assert answer.kind == "refusal" and "What you owe" in answer.text and match.entries() == before
    master = next(mail.reply_to for mail in match.all_mail() if mail.to == GINA and mail.kind == "started")
    assert "which is closed" in match.write(GINA, text, master)[0].flat and match.entries() == before
    assert match.write(OTTO, "RESEARCH any", old)[0].kind != "receipt" and match.entries() == before


@pytest.mark.parametrize("word", ["PAUSE", "DEADLINE +12h", "STATUS\nPAUSE"])
def test_a_game_masters_word_is_not_lost_because_a_turn_was_played_meanwhile(match: World, word: str) -> None:
    old = next(mail.reply_to for mail in match.all_mail() if mail.to == GINA and mail.kind == "started")
    match.reply(match.on_turn(), "ROLL OUT")
    before = match.entries()
    (question,) = match.write(GINA, word, old, says="")
    asked = word.split("\n")[-1]
    assert question.kind == "confirmation" and f"| {asked}" in question.text and match.entries() == before
    assert (
        f"Turn 1: Spain (round 1) of nw1, which is closed, and {asked.split()[0]} may be meant all the same."
        in question.flat
    )
    match.reply(match.on_turn(), "ROLL OUT")  # the question outlives the next turn as well
    done = match.write(GINA, "YES", question.reply_to, says="")
    assert "DONE" in next(mail for mail in done if mail.to == GINA and mail.kind == "receipt").subject
    assert match.entries() != before and (match.status() == "paused") == ("PAUSE" in word)


def test_an_empty_letter_is_answered_and_changes_nothing(match: World) -> None:
    before = match.entries()
    (answer,) = match.reply(match.on_turn(), "")
    assert "NOTHING USABLE" in answer.subject
    assert match.entries() == before


def test_a_letter_of_five_megabytes_is_refused(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    match.put(raw(player, to, "RESEARCH any\r\n" * 360_000), player, to)
    (answer,) = match.work()
    assert "lines and I read up to 2,000; none was taken" in answer.flat
    assert match.log(Filed) == []


@pytest.mark.parametrize("parted", ["\n", "; RESEARCH any; RESEARCH any; RESEARCH any; RESEARCH any\n"])
def test_ten_thousand_orders_are_refused_as_a_whole(match: World, parted: str) -> None:
    (answer,) = match.reply(match.on_turn(), f"RESEARCH any{parted}" * (10_000 // (1 + parted.count(";"))))
    assert "10,000 lines and I read up to 2,000" in answer.flat
    assert match.log(Filed) == []


def test_a_letter_of_more_orders_than_are_ever_read_is_not_complete(match: World) -> None:
    """Where a club lets letters be as long as they like."""
    match.office = replace(match.office, limits=replace(match.office.limits, orders=100_000))
    (answer,) = match.reply(match.on_turn(), "RESEARCH any\n" * (MOST_LINES + 5))
    assert "] INCOMPLETE" in answer.subject
    assert f"A letter is read up to {MOST_LINES:,} orders: neither this line nor any below it was read." in answer.flat


def refusals(mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.to == OTTO]


def test_after_a_days_number_of_refusals_there_is_silence(match: World) -> None:
    limit = match.office.limits.answers_a_day // 2
    answers = [refusals(match.write(OTTO, f"gibberish {number}")) for number in range(limit + 3)]
    assert [len(a) for a in answers] == [1] * limit + [0] * 3
    match.clock.advance(timedelta(days=1, minutes=1))
    assert len(match.write(OTTO, "gibberish again")) >= 1


def test_two_machines_that_answer_each_other_fall_silent(match: World) -> None:
    """A robot that does not say that it is one answers every letter of ours by a reply."""
    player = match.on_turn()
    answered = 0
    for number in range(50):
        mails = [mail for mail in match.reply(player, f"I am away until Monday ({number}).") if mail.to == player]
        answered += len(mails)
    assert answered == 1 + match.office.limits.refusals_a_day // 2  # the first is a letter like any other


def test_who_forges_letters_in_a_players_name_cannot_silence_him(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    started = match.last(player, "started")
    for number in range(20):
        match.write(player, f"forged {number}")
    (receipt,) = match.write(player, "RESEARCH any", started.reply_to)
    assert "] COMPLETE" in receipt.subject
    assert match.drawer(seat, "orders") == ["RESEARCH any"]


def test_a_known_player_who_asks_with_a_greeting_is_not_challenged(match: World) -> None:
    (answer,) = match.write(ANNA, "Hello referee,\n\nGAMES\n\nBest wishes\nAnna")
    assert "DONE" in answer.subject
    assert "match nw1" in answer.flat


def test_a_poison_letter_is_tried_again_shunted_and_does_not_stop_the_others(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(match, match="nw2")
    match.new_mail()
    poison, good = reply_address_of(match, match.on_turn(), "nw1"), reply_address_of(match, match.on_turn("nw2"), "nw2")
    player, other, seat = match.on_turn(), match.on_turn("nw2"), match.waits_for("nw2")
    append = Step.append

    def poisoned(step: Step, entries: Sequence[Entry]) -> None:
        if any(entry.match == "nw1" for entry in entries):
            raise RuntimeError("poison")
        append(step, entries)

    monkeypatch.setattr(Step, "append", poisoned)
    match.put(raw(player, poison, "RESEARCH any"), player, poison)
    match.put(raw(other, good, "RESEARCH any"), other, good)
    mails = match.work()
    (shunted,) = match.letters("shunted")
    assert (shunted.attempts, shunted.sender) == (match.office.limits.attempts, player)
    assert shunted.verdict
    assert match.drawer(seat, "orders", "nw2") == ["RESEARCH any"]
    (sorry,) = [mail for mail in mails if mail.kind == "refusal"]
    assert sorry.to == player and "it is kept and a person looks at it" in sorry.flat


def test_a_letter_to_a_match_whose_log_was_changed_is_kept_and_does_not_stop_the_others(match: World) -> None:
    begin(match, match="nw2")
    match.new_mail()
    broken, good = reply_address_of(match, match.on_turn(), "nw1"), reply_address_of(match, match.on_turn("nw2"), "nw2")
    player, other, seat = match.on_turn(), match.on_turn("nw2"), match.waits_for("nw2")
    match.corrupt("nw1")
    match.put(raw(player, broken, "RESEARCH any"), player, broken)
    match.put(raw(other, good, "RESEARCH any"), other, good)
    mails = match.work()
    assert [letter.sender for letter in match.letters("held")] == [player] and match.letters("shunted") == []
    assert match.drawer(seat, "orders", "nw2") == ["RESEARCH any"]
    told = {mail.to: mail.flat for mail in mails if mail.kind == "refusal"}
    assert "you need not send it again" in told[player] and "could not be run on" in told[GINA]


def test_a_write_of_another_worker_in_between_is_no_duplicate(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL two workers may append to one log; the loser tries again."""
    original, failures = Step.append, [1]

    def meets_another(step: Step, entries: Sequence[Entry]) -> None:
        if failures:
            failures.pop()
            raise Conflict("entry 30 is taken")
        original(step, entries)

    monkeypatch.setattr(Step, "append", meets_another)
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "] COMPLETE" in receipt.subject
    assert match.letters("duplicate") == []


def test_letters_after_the_end_are_answered(match: World) -> None:
    player = match.on_turn()
    match.reply(GINA, "TERMINATE")
    before = match.entries()
    (orders,) = match.reply(player, "RESEARCH any")
    (rolled,) = match.reply(player, "ROLL OUT")
    assert "over" in orders.flat and "The match is over" in rolled.flat
    (both,) = match.reply(player, "RESEARCH any\nHIRE 1 worker\nROLL OUT")
    for answer in (orders, both):
        assert answer.text.startswith("NOTHING USABLE: the match is over, and takes no orders any more."), answer.text
    for answer in (orders, both, rolled):
        assert "cut here" not in answer.text and "no word I know" not in answer.flat
    assert match.entries() == before
    (asked,) = match.reply(player, "SEND standings\nSTATUS")
    assert "DONE" in asked.subject


def test_a_letter_from_another_address_of_nobody_with_a_good_token_counts_for_the_seat(match: World) -> None:
    """Whoever holds the reply address writes for the seat: people have several addresses. The answer goes to the player."""
    player = match.on_turn()
    (receipt,) = match.write("ben@elsewhere.example", "RESEARCH any", match.last(player).reply_to)
    assert receipt.to == player


def test_letters_are_handled_in_the_order_in_which_they_came(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    for number in range(60):
        match.put(raw(player, to, f"# {number}\r\nRESEARCH any KEEPING {number} gold"), player, to)
    match.work()
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any KEEPING 59 gold"]


def test_a_step_that_fails_leaves_nothing_behind(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise OSError("disk full")

    to, player = match.last(match.on_turn()).reply_to, match.on_turn()
    before, mails = match.entries(), len(match.all_mail())
    match.put(raw(player, to, "RESEARCH any\r\nROLL OUT"), player, to)
    with monkeypatch.context() as patch:
        patch.setattr(Step, "finish_letter", breaks)
        handle_new(match.office)
    assert match.entries() == before
    assert len(match.all_mail()) == mails
    match.work()
    assert len(match.closed()) == 1


def test_nobody_gets_a_letter_that_tells_of_another_player(match: World) -> None:
    """Receipts go to their writer alone."""
    mails = match.reply(match.on_turn(), "RESEARCH any")
    assert [mail.to for mail in mails] == [match.on_turn()]
    assert CARLA not in mails[0].raw.decode("utf-8", "replace") or match.on_turn() == CARLA
    assert ADDRESS.partition("@")[2] in mails[0].reply_to


def test_a_token_of_another_match_never_opens_this_one(match: World) -> None:
    begin(match, match="nw2")
    player = match.on_turn()
    token = reply_address_of(match, player, "nw2").partition(".")[2].partition("@")[0]
    before = match.entries("nw1")
    match.write(player, "RESEARCH any\nROLL OUT", f"referee+nw1.{token}@games.example")
    assert match.entries("nw1") == before
