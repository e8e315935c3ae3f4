"""The lines that a reader edits to answer a question."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.question import OneOf, Pace, Question, Several
from referee.service.post.frames import answer_form, in_columns

WORDS = [Choice(word, word) for word in ("left", "centre", "right")]


def lines(menu: OneOf[str] | Several[str]) -> Sequence[str]:
    return answer_form(Question("T1/steps", Seat("Red"), "Which?", menu, Pace.REPLY, "")).lines


def test_a_form_says_that_several_may_be_named_and_how() -> None:
    assert lines(Several(WORDS, 2)) == (
        "# Up to 2 of these, with commas between:", "# left", "# centre", "# right", "CHOOSE none",
    )  # fmt: skip
    assert lines(Several(WORDS, 1)) == ("# left", "# centre", "# right", "CHOOSE none")
    assert lines(OneOf(WORDS, "left")) == ("# left", "# centre", "# right", "CHOOSE left")


def test_long_advice_goes_on_in_a_further_line_that_is_advice_too_and_orders_stay_whole() -> None:
    advice = "# Germany: 8 infantry. Next to it: " + ", ".join(["Austria-Hungary (yours)"] * 4) + "."
    proposal, order = "# MOVE 1 infantry FROM " + "x" * 80, "DRAFT " + ", ".join(["Germany"] * 12)
    made = in_columns((advice, "# short", proposal, order), ("MOVE", "DRAFT"))
    assert made[-3:] == ("# short", proposal, order)
    assert len(made) > 4 and all(len(line) <= 72 for line in made[:-3])
    assert all(line.startswith("#   ") for line in made[1:-3])
    assert " ".join(line.removeprefix("#   ") for line in made[:-3]) == advice
