"""Letters in somebody else's name: they are kept and shown, and go by a YES of his own alone."""

from __future__ import annotations

import pytest

from tests.service.conftest import GINA, databases, match, world
from tests.world import Mail, World

__all__ = ["databases", "match", "world"]

FORGED = 'TERMINATE nw1 BECAUSE "tired"'


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
