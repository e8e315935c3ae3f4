"""What a mail program adds is set aside and listed; what a player writes is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.own_lines import ARMOUR, BELOW, FOOTER, HEADER, QUOTED, SIGNATURE, strip


def own(text: str) -> list[str]:
    return [line.text for line in strip(text).lines if line.text.strip()]


def reasons(text: str) -> dict[int, str]:
    return {line.number: line.why for line in strip(text).ignored}


def test_quoted_lines_and_their_header_are_set_aside_wherever_they_stand() -> None:
    text = "On Sun, 22 Nov 2026 at 18:00, Referee\n<r@x.example> wrote:\n> one\nBUILD fleet\n> two\nRAISE 1 army\n"
    assert own(text) == ["BUILD fleet", "RAISE 1 army"]
    assert reasons(text) == {1: HEADER, 2: HEADER, 3: QUOTED, 5: QUOTED}


def test_numbers_are_those_of_the_letter() -> None:
    assert [(line.number, line.text) for line in strip("> a\n\nBUILD fleet").lines] == [(2, ""), (3, "BUILD fleet")]


def test_a_sentence_that_looks_like_a_reply_header_does_not_cost_the_orders_below() -> None:
    text = "On second thought I wrote:\nBUILD fleet\nRAISE 1 army"
    assert own(text) == text.split("\n")


@pytest.mark.parametrize(
    "header",
    [
        "On Sun, Nov 22, 2026 at 6:00 PM Referee <r@x.example> wrote:",
        "Am 22.11.26 um 18:00 schrieb Referee:",
        "Le dim. 22 nov. 2026 à 18:00, Referee <r@x.example> a écrit :",
        "El dom, 22 nov 2026 a las 18:00, Referee (<r@x.example>) escribió:",
        "Il giorno dom 22 nov 2026 alle ore 18:00 Referee <r@x.example> ha scritto:",
        "Op zo 22 nov 2026 om 18:00 schreef Referee <r@x.example>:",
        "Den sön 22 nov. 2026 kl 18:00 skrev Referee <r@x.example>:",
        "2026-11-22 18:00 GMT+01:00 Referee <r@x.example>:",
        "2026年11月22日(日) 18:00 Referee <r@x.example>:",
        "W dniu 22.11.2026 o 18:00, Referee pisze:",
        "Referee wrote on Sunday in\n <22.1@x.example>:",
    ],
)
def test_reply_headers_of_many_tongues(header: str) -> None:
    assert own(f"BUILD fleet\n\n{header}\n> quoted\n") == ["BUILD fleet"]
    assert own(f"BUILD fleet\n\n{header}\n") == ["BUILD fleet"]


def test_an_order_just_above_a_reply_header_is_kept() -> None:
    assert own("MOVE 1 army\n<r@x.example> wrote:\n> a") == ["MOVE 1 army"]
    assert own("MOVE 1 army\nReferee <r@x.example> wrote:\n> a") == ["MOVE 1 army"]


@pytest.mark.parametrize(
    "footer",
    ["Sent from my iPhone", "Get Outlook for Android", "Von meinem iPhone gesendet", "Envoyé de mon iPhone",
     "Enviado desde mi iPhone", "Sent with Proton Mail secure email.", "Verzonden vanaf mijn iPad"],
)  # fmt: skip
def test_phone_footers_go_only_when_nothing_but_quotes_follow(footer: str) -> None:
    assert own(f"BUILD fleet\n\n{footer}\n\n> old") == ["BUILD fleet"]
    assert reasons(f"BUILD fleet\n{footer}") == {2: FOOTER}
    assert own(f"{footer}\nBUILD fleet") == [footer, "BUILD fleet"]


def test_a_signature_ends_the_reading() -> None:
    assert reasons("BUILD fleet\n-- \nAna\n> old") == {2: SIGNATURE, 3: SIGNATURE, 4: QUOTED}


def test_two_dashes_in_the_text_of_press_are_no_signature() -> None:
    text = "PRESS TO France\nPeace.\n-- \nAna\nEND\nBUILD fleet\n-- \nAna Silva"
    assert own(text) == ["PRESS TO France", "Peace.", "-- ", "Ana", "END", "BUILD fleet"]


def test_two_dashes_that_lost_their_blank_are_a_signature_only_when_little_follows() -> None:
    assert own("BUILD fleet\n--\nAna Silva\nLisbon") == ["BUILD fleet"]
    orders = [f"RAISE {n} army in Europe" for n in range(1, 8)]
    assert own("\n".join(["BUILD fleet", "--", *orders[:6]])) == ["BUILD fleet", "--", *orders[:6]]
    assert own("\n".join(["BUILD fleet", "--", *orders[:5]])) == ["BUILD fleet"]


OUTLOOK = """-----Original Message-----
From: Referee <r@x.example>
Sent: Sunday, 22 November 2026 18:00
To: Ana
Subject: Turn 5

MOVE 1 army FROM Europe TO Canada
"""


def test_below_an_unmistakable_letter_header_nothing_is_read_but_all_is_listed() -> None:
    text = f"BUILD fleet\n\n{OUTLOOK}"
    assert own(text) == ["BUILD fleet"]
    assert reasons(text)[3] == HEADER
    assert reasons(text)[9] == BELOW


def test_orders_written_into_the_answered_letter_are_read_when_nothing_stands_above() -> None:
    assert own(OUTLOOK) == ["MOVE 1 army FROM Europe TO Canada"]


def test_a_german_letter_header_with_its_rule() -> None:
    text = "BUILD fleet\n\n________________________________\nVon: R\nGesendet: So\nAn: Ana\nBetreff: T\n\nold line\n"
    assert own(text) == ["BUILD fleet"]


def test_clear_signed_letters() -> None:
    text = "\n".join(
        ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", "", "BUILD fleet", "- -----", "-----BEGIN PGP SIGNATURE-----",
         "iQEz", "-----END PGP SIGNATURE-----"]
    )  # fmt: skip
    assert own(text) == ["BUILD fleet", "-----"]
    assert reasons(text)[1] == reasons(text)[7] == ARMOUR


LINES = st.sampled_from(
    ["", "BUILD fleet", "> quoted", "-- ", "--", "On x wrote:", "a@b <a@b.c> wrote:", "Sent from my iPhone", "END",
     "From: a", "Sent: b", "Subject: c", "-----Original Message-----", "-----BEGIN PGP SIGNED MESSAGE-----",
     "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----", "- -x", "________________________"]
)  # fmt: skip


@given(st.lists(LINES, max_size=25))
def test_every_line_is_read_or_listed_and_none_twice(lines: list[str]) -> None:
    found = strip("\n".join(lines))
    numbers = [line.number for line in found.lines] + [line.number for line in found.ignored]
    assert sorted(numbers) == list(range(1, max(1, len(lines)) + 1))
    assert all(line.why for line in found.ignored)


@given(st.lists(st.sampled_from(["", "BUILD fleet", "On x wrote:", "Sent from my iPhone", "________________________"])))
def test_guesses_never_take_an_order(lines: list[str]) -> None:
    assert [line for line in own("\n".join(lines)) if line == "BUILD fleet"] == [x for x in lines if x == "BUILD fleet"]


@given(st.text())
def test_any_text_is_stripped(text: str) -> None:
    assert len(strip(text).lines) + len(strip(text).ignored) == text.count("\n") + 1
