"""The first screen of a letter that asks for something: what stands above its order sheet, and what has no room there.

What is owed, by when, and the sheet come within so many words. What became of the letter that is answered, and what happened,
stand above the sheet as far as there is room, and the rest below it; a letter without a sheet has all of it above.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import msgspec

from referee.service.base.letters import Frame, QuestionLetter, Receipt, Refused, Started, TurnReport

FIRST = 150
"""Words, and what else stands between spaces, of a letter with a sheet that may stand above it."""

_ROUND = 33
"""Words round them: whose letter it is, the headings with their lines, how the sheet is used."""

_MOST_NEWS = 60
"""Words of what happened that stand above a question, however much room there is."""


class Screen(msgspec.Struct, frozen=True):
    """Which parts of the answer stand above the sheet, and which below; of the lines `refused` so many stand above.

    Of the news of a question so many `earlier` sentences stand below.
    """

    above: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()
    refused: int = 0
    earlier: int = 0


def first_screen(letter: Any) -> Screen:
    """What has room above the sheet of a letter: a YES that is asked for, what was refused, doubts, the latest news, the rest."""
    frame = getattr(letter, "frame", None)
    receipt = letter if isinstance(letter, Receipt) else frame.answer if frame else None
    parts = dict(_parts(receipt, borne=receipt is not letter)) if receipt else {}
    if not getattr(letter, "form", None):
        return Screen(frozenset(parts), refused=len(receipt.refused) if receipt else 0)
    verdict = (receipt.verdict, receipt.verdict_why) if receipt else ()
    room = _Room(FIRST - _ROUND - _owed(letter.frame) - _words(*_own(letter), *verdict), parts)
    wrong = [_wrong(line) for line in receipt.refused] if receipt else []
    refused = room.give_lines(wrong, "yes", "last")
    room.give("unread", *(("doubts",) if letter.frame.duty != "answer" else ()))  # orders under way are beyond doubt
    news = [_words("-", sentence) for sentence in reversed(getattr(letter, "news", ()))]
    told = room.first_of(news, _MOST_NEWS)
    room.give(*parts)
    return Screen(frozenset(room.given), frozenset(parts) - room.given, refused, len(news) - told)


class _Room:
    """The words that are left above the sheet, and the parts to which some were given."""

    def __init__(self, words: int, parts: dict[str, int]) -> None:
        self._left, self._parts, self.given = words, parts, set[str]()

    def give(self, *names: str) -> None:
        """Give each of these parts its room, if there is as much."""
        for name in names:
            if name not in self.given and self._parts.get(name, FIRST) <= self._left:
                self.given.add(name)
                self._left -= self._parts[name]

    def give_lines(self, wrong: list[int], *names: str) -> int:
        """Give room to these parts and then to lines that were refused: all, or a sentence and the first; to how many."""
        sentence = _words(_BELOW) if wrong else 0
        self._left -= sentence
        self.give(*names)
        self._left -= _words(_NOT_TAKEN) if wrong else 0
        if sum(wrong) <= self._left + sentence:
            self._left += sentence
        return self.first_of(wrong)

    def first_of(self, lengths: list[int], most: int = FIRST) -> int:
        """Give room to the first of these, as many as have some and do not need more than so much; to how many."""
        many = sum(1 for length in accumulate(lengths) if length <= min(self._left, most))
        self._left -= sum(lengths[:many])
        return many


def _words(*texts: str) -> int:
    """How many words these texts have together."""
    return sum(len(text.split()) for text in texts)


def _owed(frame: Frame) -> int:
    """How many words the passage has that says what is owed, and by when."""
    due = frame.deadline
    if due is None:
        return _words(frame.owes, frame.at_deadline)
    also = f"(that is {due.utc})" if due.utc != due.local else ""
    return _words(frame.owes, frame.at_deadline, "Your deadline: You have left.", due.local, due.left, also)


def _own(letter: Any) -> Iterator[str]:
    """What a letter itself says above its sheet, beside what is owed and the news."""
    match letter:
        case TurnReport():
            yield from (letter.page.title, "=", letter.page.summary)
        case QuestionLetter():
            yield from ("A decision for you", "=", letter.text, letter.rule)
        case Started():
            yield from (letter.title or f"{letter.frame.game} begins", "=")


def _parts(receipt: Receipt, borne: bool) -> Iterator[tuple[str, int]]:
    """The parts of a receipt that are not empty, with their lengths.

    What it took off the file stands there among them only where another letter bears it, else beside the file.
    """
    if receipt.yes_takes or receipt.sure:
        yield "yes", _words(_SURE if receipt.sure else _CORRECTIONS, *(f"| {line}" for line in receipt.yes_takes))
    if receipt.last:
        yield "last", _words(receipt.last)
    lists = {"unread": receipt.unread, "doubts": receipt.doubts, "later": receipt.later, "done": receipt.done}
    for name, items in lists.items():
        if items:
            yield name, _words(_HEADINGS.get(name, ""), *items) + len(items)
    if receipt.dropped and borne:
        yield "dropped", _words(_DROPPED, *receipt.dropped)


def _wrong(line: Refused) -> int:
    """How many words a line has that was not taken, with what is said of it."""
    quoted = _words("Line 1, not understood: | | |", line.text, line.caret)
    return quoted + _words(line.sentence, line.rule, *(f"| Instead: {better}" for better in line.instead))


_HEADINGS = {
    "unread": "About your letter -",
    "doubts": "Lawful, but please look again -",
    "later": "Kept for later -",
}
_SURE = "Reply with just YES to end your turn all the same, or write your orders anew."
_CORRECTIONS = "Reply with just YES to take these corrections:"
_NOT_TAKEN = "Not taken -"
_BELOW = "What was not taken, and why, stands below the sheet."
_DROPPED = (
    "No longer on file, since this letter takes the place of what was there: "
    "A letter that begins with ADD takes nothing off the file."
)
