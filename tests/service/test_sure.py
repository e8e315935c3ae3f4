"""Are you sure? A ROLL OUT or RESIGN by which something would be lost waits for a YES; nobody is asked who was told before."""

from __future__ import annotations

from tests.world import Mail, World

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
