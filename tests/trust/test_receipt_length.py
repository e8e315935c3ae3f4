"""Receipts and refusals: their size is bounded by the letter's, and what they say of it is true and said once."""

from __future__ import annotations

import re

import msgspec
import pytest

from referee.mail.reading.own_lines import QUOTED
from referee.service.base.letter_facts import Ignored
from referee.service.intake import receipts
from referee.service.intake.receipts import LEAST_ROOM, brief, room_for
from tests.templates.samples import full
from tests.world import Mail, World

SHAPES = {
    "one line of marks": ">" * 200_000,
    "bad lines": "FROBNICATE the fleet\n" * 1_999,
    "too many lines": "HIRE 1 worker\n" * 10_000,
    "long bad lines": f"{'x' * 2_000}\n" * 100,
    "long words": f"RESEARCH {'x' * 900}\n" * 200,
    "short bad lines": "x\n" * 1_999,
    "misspelt orders": "HIER 1 workre\n" * 1_000,
    "quoted lines": "> quoted\nx\n" * 900,
    "after END": "END\n" + "HIRE 1 worker\n" * 1_900,
    "orders": "HIRE 1 worker\n" * 1_990,
    "remarks": "".join(f"Dear {number}, hello.\n" for number in range(1_000)),
    "markup": "<b>&amp;&amp;&amp;&amp;</b>\n" * 1_999,
    "other scripts": "приветствие и прочее\n" * 1_999,
    "blocks": "IF x THEN\n" * 1_500,
    "quotes and orders": "> HIRE 1 worker\n\n" * 5_000,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_receipt_is_larger_than_twice_its_letter_and_a_constant(match: World, shape: str) -> None:
    player = match.on_turn()
    receipt = match.reply(player, SHAPES[shape])[0]
    with match.store.look() as step:
        came = [letter for status in ("done", "unanswered") for letter in step.letters(status)][-1]
    assert len(receipt.raw) <= room_for(len(came.raw)) == 2 * len(came.raw) + LEAST_ROOM
    assert max(map(len, receipt.text.splitlines())) <= 320


@pytest.mark.parametrize("shape", SHAPES)
def test_no_refusal_to_a_stranger_is_larger_than_ten_kilobytes(match: World, shape: str) -> None:
    (answer,) = match.write("otto@elsewhere.example", SHAPES[shape])
    assert len(answer.raw) <= match.office.limits.answer_bytes


def turn(world: World, body: str) -> Mail:
    return world.reply(world.on_turn(), body)[0]


def test_lines_for_which_there_is_no_room_are_counted_and_found(match: World) -> None:
    receipt = turn(match, "RESEARCH any\n" + "".join(f"FROB {number}\n" for number in range(100)) + "HIRE 1 worker")
    assert "INCOMPLETE: 100 lines could not be taken; the others stand." in receipt.flat
    assert "75 more lines (lines 27 to 101) could not be taken either." in receipt.flat


def test_too_many_lines_are_said_in_the_first_sentence_without_an_empty_quotation(match: World) -> None:
    receipt = turn(match, "HIRE 1 worker\n" * 3_000)
    assert receipt.flat.startswith(
        "NOTHING USABLE: your letter has 3,000 lines and I read up to 2,000; none was taken. Send fewer orders. Nothing is on file."
    )
    assert "Not taken" not in receipt.flat and "Not allowed" not in receipt.flat


def test_lines_of_one_number_are_one_line(match: World) -> None:
    receipt = turn(match, "RESEARCH any\nEND\nHIRE 1; HIRE 2")
    assert (
        "Line 3, after END; it reads as an order and was not taken: HIRE 1 HIRE 2" in receipt.flat.replace("| ", "")
        and "3 to 3" not in receipt.flat
    )


def test_a_heap_of_few_lines_that_was_not_read_is_shown_whole(match: World) -> None:
    heap = "\n".join(f"HIRE {number} workers" for number in range(1, 6))
    receipt = turn(match, f"RESEARCH any\nEND\nx\n{heap}\ny")
    assert all(f"HIRE {number} workers" in receipt.text for number in range(1, 6))


def test_of_a_large_heap_the_ends_are_shown_and_what_looks_like_an_order(match: World) -> None:
    heap = [f"line {number}" for number in range(30)]
    heap[17] = "COLONIZE any"
    receipt = turn(match, "RESEARCH any\nEND\n" + "\n".join(heap))
    shown = receipt.flat.replace("| ", "")
    assert "Line 20, after END; it reads as an order and was not taken: COLONIZE any" in shown
    assert "Lines 3 to 32, after END, the first and the last being: line 0 line 29" in shown


def test_the_verbs_are_listed_once(match: World) -> None:
    receipt = turn(match, "RESEARCH any\nwibble a\nwobble b\nwubble c\nHIRE 1 worker")
    assert receipt.flat.count("An order begins with") == 1
    assert receipt.flat.count("is not a verb known here.") == 3


@pytest.mark.parametrize(
    "line",
    [
        "Sent with [Proton Mail](https://proton.me/) secure email.",
        "see file",
        "Sent from my iPhone 15",
        "Sent with Outlook 16 for Android",
        "Back on 3 December",
        "sent through a server with a virus scanner",
        "bob",
        "I am away.",
    ],
)
def test_prose_under_an_order_is_a_remark_and_no_correction_is_made_of_it(match: World, line: str) -> None:
    receipt = turn(match, f"RESEARCH any\n{line}")
    assert "COMPLETE: " in receipt.subject and "INCOMPLETE" not in receipt.subject
    assert (
        "Instead" not in receipt.flat
        and "Did you mean" not in receipt.flat
        and "is not known as a match" not in receipt.flat
    )


def test_a_correction_that_would_be_refused_is_not_offered(match: World) -> None:
    receipt = turn(match, "RESEARCH any\nSEET something\nHIRE 1 worker")
    assert "Line 2, not understood" in receipt.flat and "Instead: SET" not in receipt.flat
    assert "just YES" not in receipt.flat


def test_a_correction_that_stands_is_offered(match: World) -> None:
    receipt = turn(match, "RESERCH any\nSEET zone Europe/Berlin\nHIRE 1 worker")
    assert "Instead: RESEARCH any" in receipt.flat and 'Instead: SET "zone Europe/Berlin"' in receipt.flat


def test_the_others_stand_is_said_only_where_others_stand(match: World) -> None:
    receipt = turn(match, "RESERCH any\nSTATUS\nHIER 1 worker")
    assert receipt.flat.startswith(
        "INCOMPLETE: 2 lines could not be taken; the rest of your letter is done, and nothing is on file."
    )


@pytest.mark.parametrize("body", ["H I R E 1 w o r k e r", "C O L O N I Z E any", "S T A T U S"])
def test_a_single_letter_is_no_word_of_the_desk(match: World, body: str) -> None:
    receipt = turn(match, body)
    assert re.search(r"NOTHING USABLE|Your letter\)$", receipt.subject) and len(receipt.raw) < 30_000
    assert "Words at the desk" not in receipt.flat


def test_what_never_changes_is_explained_once_and_on_request(match: World) -> None:
    receipt = turn(match, "RESEARCH any")
    assert "Proof " in receipt.flat and "· log " in receipt.flat
    assert "fingerprint" not in receipt.flat and "HELP RECEIPT explains" in receipt.flat
    for word, said in (
        ("RECEIPT", "the SHA-256 fingerprint"),
        ("SEAL", "fingerprint of all entries"),
        ("DIGEST", "SHA-256"),
    ):
        assert said in turn(match, f"HELP {word}").flat


def test_a_letter_that_could_not_be_used_names_match_sheet_and_deadline(match: World) -> None:
    player = match.on_turn()
    dead = match.last(player).reply_to
    match.reply(player, "ROLL OUT")
    (refusal,) = match.write(player, "HIRE 1 worker", dead)
    assert refusal.subject.startswith("[nw1] your letter could not be used")
    assert "You have nothing on file in nw1." in refusal.flat or "Your orders on file in nw1 stand" in refusal.flat
    assert "You owe nothing now." in refusal.flat and "match nw1" in refusal.flat


_LINES = [
    (),
    tuple(Ignored(number, "Best wishes", "signature") for number in range(12)),
    (Ignored(1, "x" * 200, "signature"), Ignored(2, "Hello", "a remark", alone=True)),
    (Ignored(1, "x" * 201, "signature"),),
    (Ignored(1, "  ", "signature"),),
    tuple(Ignored(number, "> HIRE 1 worker", QUOTED) for number in range(3)),
    tuple(Ignored(number, "Best wishes", "signature") for number in range(41)),
]
_SAYINGS = [(), ("Done.",), ("Done.", "Done."), ("x" * 1_300,), tuple(map(str, range(81)))]


@pytest.mark.parametrize("ignored", _LINES)
@pytest.mark.parametrize("said", _SAYINGS)
def test_what_is_passed_on_as_it_is_would_not_have_been_cut(
    ignored: tuple[Ignored, ...], said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = msgspec.structs.replace(full()["receipt"], refused=(), ignored=ignored, doubts=said, done=())
    short = brief(whole, tuple)
    monkeypatch.setattr(receipts, "_is_brief", lambda _: False)
    assert short == brief(whole, tuple)
