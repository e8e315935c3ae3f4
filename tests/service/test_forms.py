"""The lines that a reader edits to answer a question."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.question import OneOf, Option, Pace, Question, Several
from referee.service.forms import answer_form

WORDS = [Option(word, word) for word in ("left", "centre", "right")]


def lines(menu: OneOf[str] | Several[str]) -> Sequence[str]:
    return answer_form(Question("T1/steps", Seat("Red"), "Which?", menu, Pace.REPLY, "")).lines


def test_a_form_says_that_several_may_be_named_and_how() -> None:
    assert lines(Several(WORDS, 2)) == (
        "# Up to 2 of these, with commas between:", "# left", "# centre", "# right", "CHOOSE none",
    )  # fmt: skip
    assert lines(Several(WORDS, 1)) == ("# left", "# centre", "# right", "CHOOSE none")
    assert lines(OneOf(WORDS, "left")) == ("# left", "# centre", "# right", "CHOOSE left")
