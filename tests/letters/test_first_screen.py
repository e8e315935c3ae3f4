"""Every kept letter that asks for something has its sheet within 150 words, and says in its subject whose turn it is.

Those of the kept games are looked at while `tests/played` plays them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from referee.adapters.pages.layout import first_screen
from referee.adapters.pages.render import TemplateRenderer
from referee.core.page import Form
from referee.service.base.letter_facts import Deadline, Frame, QuestionLetter, Receipt, Refused, TurnReport
from tests.letters.first_screen import FIRST, before_the_sheet, faults
from tests.templates.samples import full

HERE = Path(__file__).parent
CONVERSATIONS = sorted(file for file in HERE.glob("*.txt") if " GETS “" in file.read_text("utf-8"))
GOLDEN = sorted((HERE.parent / "templates" / "golden").glob("*.txt"))
_SAID = re.compile(r"^(?=[A-Z]+ (?:GETS “|WRITES ))", re.MULTILINE)
_GETS = re.compile(r"[A-Z]+ GETS “(.*?)”:\n", re.DOTALL)


def letters_in(conversation: str) -> Iterator[tuple[str, str]]:
    """Subject and text of each letter that somebody got in a kept conversation."""
    for part in _SAID.split(conversation):
        if found := _GETS.match(part):
            yield found[1], part[found.end() :]


@pytest.mark.parametrize("file", CONVERSATIONS, ids=lambda file: file.stem)
def test_letters_of_a_kept_conversation_ask_on_their_first_screen(file: Path) -> None:
    letters = list(letters_in(file.read_text("utf-8")))
    assert letters
    assert [fault for subject, text in letters for fault in faults(subject, text)] == []


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_letters_have_their_sheet_on_the_first_screen(file: Path) -> None:
    assert faults("your turn", file.read_text("utf-8")) == []


def shown(kind: str, letter: QuestionLetter | Receipt | TurnReport) -> str:
    return TemplateRenderer().render(kind, letter).text


LATE = (
    "If nothing comes by then you are late, with 12 h of grace, unless your last slot was late too. "
    "If nothing comes in it either, your standing orders decide, or else this is chosen: 1 infantry, 2 cavalry."
)
DUE = Deadline("Sun 22 Nov 2026, 18:00 CET", "Sun 22 Nov 2026, 17:00 UTC", "1 day 3 h 25 min", "Sun 18:00")
SHEET = Form(("MOVE 1 infantry FROM France TO Italy",))


def framed(owes: str = "You owe an answer for Turn 2, round 1: Red moves.") -> Frame:
    return Frame("friday", "War!", "Turn 2", "Anna", "Red", owes, "answer", DUE, LATE)


def refused(number: int) -> Refused:
    line = f"MOVE {number} armys FORM Europe TO Canada"
    return Refused(number, line, "^^^^", "not understood", "I know no word FORM here.", "", (line, line))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 25])
def test_however_much_was_refused_the_sheet_comes_soon_and_every_line_is_told_of_once(count: int) -> None:
    lines = tuple(refused(number) for number in range(1, count + 1))
    receipt, report = msgspec.structs.replace(full()["receipt"], refused=lines), full()["report"]
    report = msgspec.structs.replace(report, page=msgspec.structs.replace(report.page, summary="Spain advances."))
    for text in (
        shown("receipt", receipt),
        shown("report", msgspec.structs.replace(report, frame=bearing(receipt), form=SHEET)),
        shown("question", msgspec.structs.replace(full()["question"], frame=bearing(receipt))),
    ):
        before = before_the_sheet(text)
        assert before and before <= FIRST
        assert [text.count(f"Line {number}, not understood:") for number in range(1, count + 1)] == [1] * count
        for said in (*receipt.done, *receipt.doubts):
            assert " ".join(text.split()).count(said.rpartition(" (")[0] or said) == 1


def bearing(receipt: Receipt) -> Frame:
    return msgspec.structs.replace(framed(), answer=msgspec.structs.replace(receipt, form=None))


def test_of_the_news_the_last_sentences_stand_above_a_question_and_none_is_lost() -> None:
    news = tuple(f"Battle {number}: Red rolls 3 3 2, each +2, and hits nothing at all." for number in range(1, 20))
    letter = QuestionLetter(framed(), news, "Which brigade must go?", "27.x", "1 infantry", SHEET)
    text = shown("question", letter)
    before = before_the_sheet(text)
    assert before and before <= FIRST
    above = text.partition("cut here")[0]
    assert "Battle 19:" in above and "Battle 1:" not in above
    assert [text.count(f"Battle {number}:") for number in range(1, 20)] == [1] * 19


def test_a_letter_without_a_sheet_has_all_of_its_answer_above() -> None:
    receipt = msgspec.structs.replace(full()["receipt"], form=None, refused=tuple(map(refused, range(25))))
    assert not first_screen(receipt).below and first_screen(receipt).refused == 25
