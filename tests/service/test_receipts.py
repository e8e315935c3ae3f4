"""What a receipt says of orders that will not be done, of lines that a letter took off the file, and of odd lines."""

from __future__ import annotations

import pytest

from tests.service.conftest import GINA
from tests.world import World

TOO_DEAR = "BUY 60 wood"


def test_an_order_that_will_not_be_done_is_not_called_complete(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), f"RESEARCH any\n{TOO_DEAR}")
    assert "] LOOK AGAIN: Turn 1" in receipt.subject
    assert (
        "LOOK AGAIN: your orders are on file, but as things stand one will not be done, or not wholly. Your turn runs at"
        in receipt.flat
    )
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "] COMPLETE: Turn 1" in receipt.subject


def test_what_could_not_be_done_of_a_turn_that_ran_at_once_is_told_in_its_receipt(match: World) -> None:
    match.reply(match.on_turn(), TOO_DEAR)
    receipt = next(mail for mail in match.reply(match.on_turn(), f"{TOO_DEAR}\nROLL OUT") if mail.is_a("receipt"))
    assert receipt.flat.startswith("DONE:")
    assert "your orders were carried out, as far as they could be; your report tells what was not done." in receipt.flat
    assert "What was doubtful in your orders" in receipt.flat and "please look again" not in receipt.flat


def test_beside_refused_lines_too_it_is_told(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), f"RESERCH any\n{TOO_DEAR}")
    why = "1 line could not be taken; of the others, as things stand, one will not be done, or not wholly."
    assert f"INCOMPLETE: {why}" in receipt.flat


def test_what_a_letter_takes_off_the_file_is_told(match: World) -> None:
    match.reply(match.on_turn(), "COLONIZE any\nIF workers >= 2\nHIRE 1 worker\nEND")
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    told = "No longer on file, since this letter takes the place of what was there: COLONIZE any; IF workers >= 2. A letter"
    assert told in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "ADD HIRE 1 worker")
    assert "No longer on file" not in receipt.flat
    mails = match.reply(match.on_turn(), "HIRE 1 worker\nRESEARCH any\nROLL OUT")
    receipt = next(mail for mail in mails if mail.is_a("receipt"))
    assert receipt.is_a("receipt") and "No longer on file" not in receipt.flat


def test_of_many_lines_taken_off_the_file_a_dozen_is_named(match: World) -> None:
    match.reply(match.on_turn(), "\n".join(f"HIRE {n} workers" for n in range(1, 20)))
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "HIRE 12 workers; and 7 more lines." in receipt.flat


def test_lines_among_the_remarks_that_read_like_orders_are_counted_in_the_headline(match: World) -> None:
    seat = match.waits_for()
    other = next(name for name in match.playing().outcome.state.living if name != seat)
    body = f"Hello all\nRESEARCH any\npropose peace to {other}\nPut 1 fleet in Europe\nThanks, Anna"
    (receipt,) = match.reply(match.on_turn(), body)
    assert "] LOOK AGAIN" in receipt.subject
    assert "2 lines read like orders and could not be taken: look under “Not read”." in receipt.flat
    assert "Line 4, it reads like an order and begins with no word I know; nothing of it was done" in receipt.flat
    assert "Line 1, it begins with no word I know, so I took it for a remark" in receipt.flat
    assert match.drawer(seat, "orders") == ["RESEARCH any"] and match.alarms("mind")


@pytest.mark.parametrize("line", ["HIIRE worker 2", "RESERCH 99 guns", "COLONISSE Frnace 3"])
def test_a_line_that_begins_with_a_misspelt_verb_is_no_remark_though_it_is_wrong_otherwise_too(
    match: World, line: str
) -> None:
    """Passed over as a remark it would not be missed: the headline would say that all is well."""
    (receipt,) = match.reply(match.on_turn(), f"HIRE 1 worker\n{line}\nBye, Anna")
    assert "] INCOMPLETE" in receipt.subject
    assert f"Line 2, not understood: {line}" in receipt.flat and "Did you mean" in receipt.flat
    assert "Line 3, it begins with no word I know, so I took it for a remark" in receipt.flat


@pytest.mark.parametrize(
    ("line", "told", "right"),
    [
        ("DEADLINE +12", '"+12" needs a unit of time: +12h for hours, +12d for days.', "DEADLINE +12h"),
        ("PAUSE 3 days", '"3 days" is a span of time, and FOR stands before it.', "PAUSE FOR 3d"),
        (
            "PAUSE 3 days Easter",
            '"3 days" is a span of time, and FOR stands before it.',
            'PAUSE FOR 3 days BECAUSE "holidays"',
        ),
    ],
)
def test_a_span_of_time_written_otherwise_is_told_how(match: World, line: str, told: str, right: str) -> None:
    (receipt,) = match.reply(GINA, line)
    assert told in receipt.flat and right in receipt.flat
