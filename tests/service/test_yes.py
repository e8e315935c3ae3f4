"""A YES alone answers the one question that waits for its writer; an order by which something would be lost waits for one."""

from __future__ import annotations

import pytest

from tests.service.conftest import ANNA, GINA, begin
from tests.world import Mail, World

FIRST = "RESERCH any\nHIRE 1 worker"


def corrected(match: World) -> tuple[str, str]:
    """Who is on turn, and his seat; a correction of his orders waits."""
    player, seat = match.on_turn(), match.waits_for()
    letters = [mail for mail in match.all_mail() if mail.to == player and "[nw1]" in mail.subject]
    match.write(player, FIRST, letters[-1].reply_to)
    assert match.drawer(seat, "orders") == ["HIRE 1 worker"]
    return player, seat


def test_it_takes_the_corrections_that_wait(match: World) -> None:
    player, seat = corrected(match)
    (receipt,) = match.vouched(player, "YES")
    assert match.drawer(seat, "orders") == ["RESEARCH any", "HIRE 1 worker"]
    assert "COMPLETE" in receipt.subject and "[nw1]" in receipt.subject


def test_so_it_does_in_other_words_and_with_a_name_below(match: World) -> None:
    player, seat = corrected(match)
    match.vouched(player, "Ja, bitte!\n\nAnna")
    assert match.drawer(seat, "orders") == ["RESEARCH any", "HIRE 1 worker"]


def test_of_two_matches_it_means_the_one_in_which_something_waits(match: World) -> None:
    begin(match, match="nw2")
    player, seat = corrected(match)
    match.vouched(player, "YES")
    assert match.drawer(seat, "orders") == ["RESEARCH any", "HIRE 1 worker"]


def test_a_roll_out_that_waits_is_done_by_it(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.write(player, "MOVE 3 armies FROM Europe TO Canada\nROLL OUT", match.last(player).reply_to)
    if match.waits_for() == seat:
        match.vouched(player, "YES")
    assert match.waits_for() != seat


def test_where_nothing_waits_one_sentence_says_so(match: World) -> None:
    (receipt,) = match.vouched(ANNA, "YES")
    assert "NOTHING WAITS: no question of mine waits for your YES, so nothing was changed" in receipt.flat
    begin(match, match="nw2")
    (receipt,) = match.vouched(ANNA, "YES")
    assert "No question of mine waits for your YES, so nothing was done." in receipt.flat


def test_where_two_wait_one_sentence_says_which_and_how(match: World) -> None:
    begin(match, match="nw2")
    player, seat = corrected(match)
    match.write(player, "ROLL OUT", subject="[nw1]")
    (receipt,) = match.vouched(player, "YES")
    assert (
        "2 questions wait for your YES, so nothing was done: my corrections of your last letter (nw1) and "
        "a letter that came in your name" in receipt.flat
    )
    assert "Reply with YES to the letter that asks." in receipt.flat
    assert match.drawer(seat, "orders") == ["HIRE 1 worker"]


def test_the_subject_may_name_the_match(match: World) -> None:
    begin(match, match="nw2")
    player, _ = corrected(match)
    (receipt,) = match.vouched(player, "YES", "Re: [nw2] your turn")
    assert "NOTHING WAITS" in receipt.subject and "[nw2]" in receipt.subject


def test_a_letter_kept_for_its_writer_is_taken_by_it(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    (asked,) = match.write(player, "RESEARCH any")
    assert asked.kind == "confirmation"
    match.vouched(player, "YES")
    assert match.drawer(seat, "orders") == ["RESEARCH any"]


def test_a_newcomer_who_answers_the_plain_address_is_taken_at_his_word_where_his_mail_server_vouches(
    world: World,
) -> None:
    """s-nail and others reply to From; his letter of before waits under his address."""
    asked = world.write(ANNA, "CREATE newworld AS nw7", says="")[-1]
    assert asked.kind == "entry"
    (done,) = world.vouched(ANNA, "YES", f"Re: {asked.subject}")
    assert "Match nw7 of New World is open" in done.flat


def test_a_newcomer_who_proves_nothing_is_asked_again_where_only_he_reads(world: World) -> None:
    world.write(ANNA, "CREATE newworld AS nw7", says="")
    (again,) = world.write(ANNA, "YES", says="")
    assert (again.kind, again.to) == ("entry", ANNA) and "it counts for nothing" in again.flat
    (done,) = world.write(ANNA, "YES", again.reply_to)
    assert "Match nw7 of New World is open" in done.flat


def test_of_two_that_wait_the_letter_that_is_answered_says_which(match: World) -> None:
    begin(match, match="nw2")
    player, seat = corrected(match)
    (asked,) = match.write(player, "ROLL OUT", subject="[nw1]", says="")
    receipt = next(mail for mail in reversed(match.all_mail()) if mail.to == player and mail.is_a("receipt"))
    match.vouched(player, "YES", In_Reply_To=receipt.message_id)
    assert match.drawer(seat, "orders") == ["RESEARCH any", "HIRE 1 worker"]
    match.vouched(player, "YES", In_Reply_To=asked.message_id)
    assert match.waits_for() != seat


@pytest.mark.parametrize(
    "line, told", [("JOIN nw2", "You are in nw2"), ("JOIN nosuch", '"nosuch" is not known as a match')]
)
def test_words_for_another_match_that_were_kept_are_no_orders_for_a_turn_played_meanwhile(
    match: World, line: str, told: str
) -> None:
    match.write(GINA, "CREATE newworld AS nw2")
    player = match.on_turn()
    (asked,) = [mail for mail in match.write(player, line, says="") if mail.to == player]
    match.write(player, "ROLL OUT", match.last(player, "started").reply_to)
    done = match.write(player, "YES", asked.reply_to, says="")
    assert told in done[-1].flat and "played meanwhile" not in done[-1].flat, done[-1].text


# ---------------------------------------------------------------- anybody can write a YES


def test_of_who_proves_nothing_it_is_asked_what_it_would_do_where_only_he_reads(match: World) -> None:
    player, seat = corrected(match)
    (asked,) = match.write(player, "YES")
    assert (asked.kind, asked.to) == ("confirmation", player)
    assert "This waits for it in nw1: my corrections of your last letter." in asked.flat
    assert match.drawer(seat, "orders") == ["HIRE 1 worker"]
    match.write(player, "YES", asked.reply_to)
    assert match.drawer(seat, "orders") == ["RESEARCH any", "HIRE 1 worker"]


def test_no_forged_yes_takes_a_forged_letter(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.write(player, "RESEARCH any")
    (again,) = match.write(player, "YES")
    assert (again.kind, again.to) == ("confirmation", player) and "it counts for nothing" in again.flat
    assert "RESEARCH any" in again.flat and match.drawer(seat, "orders") == []
    match.write(player, "YES", again.reply_to)
    assert match.drawer(seat, "orders") == ["RESEARCH any"]


def test_of_who_proves_nothing_and_has_nothing_waiting_nothing_is_kept(match: World) -> None:
    (told,) = match.write(ANNA, "YES")
    assert told.kind == "refusal" and "No question of mine waits for your YES, so nothing was done." in told.flat
    assert told.to == ANNA


# ---------------------------------------------------------------- what waits for a YES


TOO_DEAR = "BUY 60 wood"


def say(match: World, text: str, player: str = "") -> Mail:
    return match.reply(player or match.on_turn(), text, confirms=False)[-1]


def test_a_roll_out_with_an_order_that_will_not_be_done_waits_for_a_yes(match: World) -> None:
    seat = match.waits_for()
    receipt = say(match, f"{TOO_DEAR}\nROLL OUT")
    assert "] LOOK AGAIN" in receipt.subject
    told = "your orders are on file, and ROLL OUT waits for your YES; look below at what you would lose."
    assert told in receipt.flat and "Reply with just YES to end your turn all the same" in receipt.flat
    assert match.waits_for() == seat and match.drawer(seat, "orders") == [TOO_DEAR]
    say(match, "YES")
    assert match.waits_for() != seat


def test_who_says_it_again_is_sure(match: World) -> None:
    seat = match.waits_for()
    say(match, f"{TOO_DEAR}\nROLL OUT")
    say(match, "ROLL OUT")
    assert match.waits_for() != seat


def test_who_was_told_by_an_earlier_receipt_is_not_asked(match: World) -> None:
    seat = match.waits_for()
    say(match, TOO_DEAR)
    say(match, "ROLL OUT")
    assert match.waits_for() != seat


def test_a_sheet_by_which_nothing_is_lost_runs_at_once(match: World) -> None:
    seat = match.waits_for()
    say(match, "RESEARCH any\nROLL OUT")
    assert match.waits_for() != seat


def test_without_an_answer_the_orders_on_file_are_played_at_the_deadline(match: World) -> None:
    seat = match.waits_for()
    say(match, f"{TOO_DEAR}\nROLL OUT")
    match.wait(hours=2)
    assert match.waits_for() == seat
    match.wait(hours=30)
    assert match.waits_for() != seat


def test_a_no_or_new_orders_leave_the_turn_open(match: World) -> None:
    seat = match.waits_for()
    say(match, f"{TOO_DEAR}\nROLL OUT")
    say(match, "NO")
    assert match.waits_for() == seat
    receipt = say(match, "RESEARCH any")
    assert "] COMPLETE" in receipt.subject and match.waits_for() == seat


def test_another_sheet_that_loses_something_is_asked_about_anew(match: World) -> None:
    seat = match.waits_for()
    say(match, f"{TOO_DEAR}\nROLL OUT")
    receipt = say(match, "BUY 70 wood\nROLL OUT")
    assert "ROLL OUT waits for your YES" in receipt.flat and match.waits_for() == seat


def test_resign_waits_for_a_yes(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    kept = say(match, "RESIGN", player)
    assert kept.kind == "confirmation"  # a letter that proves nothing of its writer is asked about before
    assert any("resigns" in mail.flat for mail in match.write(player, "YES", kept.reply_to) if mail.to == player)
    assert seat in match.playing().created.seats
