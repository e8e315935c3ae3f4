"""Letters as HTML: their layout, the signs on them, which parts stand above the order sheet, and what has room on the first
screen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, groupby
from typing import Any

import msgspec
from markupsafe import Markup, escape

from referee.core.page import Grid, Tally
from referee.service.base.letter_facts import Frame, Ignored, QuestionLetter, Receipt, Refused, Started, TurnReport

WIDTH = 72
"""Columns of a text letter: with a '>' or two before it a quoted line still fits 80."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def kind(value: object) -> str:
    """The name of a value's class, by which a template picks the part that shows it."""
    return type(value).__name__


def one_line(text: str) -> str:
    """The text with every tab, line break or control character as one blank, so that a caret still fits."""
    return _UNPRINTABLE.sub(" ", text).rstrip()


def cells(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


@lru_cache(maxsize=4096)
def wrap(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> str:
    """The words of a text in lines of at most `width` columns; `first` and `rest` begin the lines.

    A word that is longer than a line is broken. Earlier answers are remembered: letters repeat themselves.
    """
    rest = " " * len(first) if rest is None else rest
    return "\n".join(words_in_lines(text.split(), first, rest, width))


def words_in_lines(words: Sequence[str], first: str, rest: str, width: int) -> list[str]:
    """At least one line; see `wrap`. Written by hand: several times faster than textwrap, and it counts columns."""
    room = width - max(len(first), len(rest))
    text = " ".join(words)
    if words and text.isascii() and max(map(len, words)) <= room:
        return _cut(text, first, rest, width)
    lines: list[str] = []
    line, used, empty = first, len(first), True
    for word in chain.from_iterable(_pieces(word, room) for word in words):
        size = cells(word)
        if not empty and used + 1 + size > width:
            lines.append(line)
            line, used, empty = rest, len(rest), True
        line, used = (line + word, used + size) if empty else (f"{line} {word}", used + 1 + size)
        empty = False
    return [*lines, line.rstrip() if empty else line]


def _cut(text: str, first: str, rest: str, width: int) -> list[str]:
    """Nearly every text: each character takes a column and no word is too long, so lines end at the last blank in reach."""
    lines: list[str] = []
    at, begin = 0, first
    while len(text) - at > width - len(begin):
        end = text.rfind(" ", at, at + width - len(begin) + 1)
        lines.append(begin + text[at:end])
        at, begin = end + 1, rest
    return [*lines, begin + text[at:]]


def _pieces(word: str, room: int) -> Sequence[str]:
    if cells(word) <= room:
        return (word,)
    step = room if word.isascii() else max(1, room // 2)
    return [word[i : i + step] for i in range(0, len(word), step)]


def underlined(text: str, rule: str) -> str:
    """A heading over a rule as long as its last line."""
    lines = words_in_lines(text.split(), "", "", WIDTH)
    return "\n".join((*lines, rule * cells(lines[-1])))


class Run(msgspec.Struct, frozen=True):
    """Lines of a letter that were not read for one reason: those to show, how many they are in all, and where."""

    lines: tuple[Ignored, ...]
    count: int

    @property
    def where(self) -> str:
        """ "Line 4" or "Lines 5 to 23": several of one line, parted by semicolons, have its number."""
        first, last = self.lines[0].number, self.lines[-1].number
        return f"Line {first}" if first == last else f"Lines {first} to {last}"

    @property
    def shown(self) -> str:
        """The lines that are shown, where not all are."""
        if self.count == len(self.lines):
            return ""
        return (
            ", the first and the last being" if len(self.lines) == 2 else f", {len(self.lines)} of {self.count} being"
        )


def runs(ignored: Iterable[Ignored]) -> list[Run]:
    """Neighbouring lines that were not read for the same reason, gathered; lines that stand alone stay alone."""
    said = (line for line in ignored if line.text.strip())
    grouped = (tuple(group) for _, group in groupby(said, key=lambda line: (line.why, line.alone and line.number)))
    return [Run(group, len(group) + sum(line.hidden for line in group)) for group in grouped]


def standings(tally: Tally) -> Grid:
    """The places as a grid; where nobody is ranked, everybody's holdings."""
    if not tally.ranked:
        return Grid(("Player", "Has"), tuple((str(s.seat), s.how) for s in tally.standings))
    rows = tuple((s.rank, str(s.seat), s.score, s.how) for s in tally.standings)
    return Grid(("Place", "Player", tally.unit[:1].upper() + tally.unit[1:], "Made of"), rows)


# ---------------------------------------------------------------- signs of seats in HTML
# A small plate in the seat's colour with a shape on it, for readers who cannot tell the colour.
#
# The shapes are letters of every font, so nothing is fetched, and a program that shows text alone shows a dot or a star. The
# meaning of a name depends on the game (France may be a player or a region), so templates leave a place for a sign, filled
# when the letter is whole.


_SHAPES = (9679, 9632, 9650, 9670, 9733, 9660, 10010, 9644)
"""Disc, square, triangle, diamond, star, triangle on its point, cross, bar: told apart at the size of a letter."""

_PLACE = re.compile(r'<i seat="([^"]*)"></i>')


Plate = Callable[[str], str]
"""From a colour to the attribute that gives it to a plate."""


class SeatSigns:
    """The signs of the seats of all games, which `colours` gives by the title of each; `plate` says how one of a colour looks."""

    def __init__(self, colours: Mapping[str, Mapping[str, str]], plate: Plate) -> None:
        self._signs = {
            title: {
                str(escape(seat)): _sign(_SHAPES[at % len(_SHAPES)], plate(seats[seat]))
                for at, seat in enumerate(seats)
            }
            for title, seats in colours.items()
        }
        every = {seat for signs in self._signs.values() for seat in signs}
        names = "|".join(map(re.escape, sorted(every, key=len, reverse=True))) or "(?!)"
        self._first = re.compile(rf"(^\s*|: |\bTO )({names})(?![\w-])|(, | and )({names})(?= \d)")
        self._listed = re.compile(rf"(^|, | and )({names})(?=$|, | and )")
        self._in_words = lru_cache(maxsize=4_096)(self._found)
        self._only = re.compile(rf"(?:(?:^|, | and )(?:{names}))+")

    def seated(self, value: Any) -> Any:
        """A cell or a sentence with a place for a sign before each name that it begins with, lists, or gives a number."""
        return self._in_words(value) if isinstance(value, str) else value

    def _found(self, value: str) -> Markup:
        text = str(escape(value))
        names = self._listed if self._only.fullmatch(text) else self._first
        return Markup(names.sub(_placed, text))

    def named(self, seat: str, title: str) -> Markup:
        """A seat of the game of this title with its sign before it."""
        name = escape(seat)
        return Markup(self._signs.get(title, {}).get(str(name), "")) + name

    def signed(self, html: str, title: str) -> str:
        """A whole letter or page with the signs of the game of this title; of none where there is no such game."""
        signs = self._signs.get(title, {})
        return _PLACE.sub(lambda place: signs.get(place[1], ""), html)


def _placed(found: re.Match[str]) -> str:
    before, seat = [part for part in found.groups() if part is not None]
    return f'{before}<i seat="{seat}"></i>{seat}'


def inline(style: str) -> Plate:
    """Plates for letters, whose style stands in the tag: mail programs drop style sheets."""
    return lambda colour: f'style="background: {colour}; color: {_ink(colour)}; {style}"'


def classed(colour: str) -> str:
    """A plate for pages, whose colour is a rule of their style sheet."""
    return f'class="sign c-{colour[1:].lower()}"'


def plates(colours: Mapping[str, Mapping[str, str]]) -> str:
    """The rules of a style sheet for the plates that are `classed`."""
    every = sorted({colour.lower() for seats in colours.values() for colour in seats.values()})
    return "".join(f".c-{colour[1:]} {{ background: {colour}; color: {_ink(colour)}; }}\n" for colour in every)


def _sign(shape: int, plate: str) -> str:
    return f'<span aria-hidden="true" {plate}>&#{shape};</span>&nbsp;'


def _ink(colour: str) -> str:
    """Black or white: what can be read on this colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#000" if 299 * red + 587 * green + 114 * blue > 120_000 else "#fff"


# ---------------------------------------------------------------- first screen
# The first screen of a letter that asks for something: the parts above its order sheet, and those without room there.
#
# The debt, its deadline, and the sheet come within so many words. The outcome of the letter that is answered, and the events,
# stand above the sheet as far as there is room, and the rest below it; a letter without a sheet has all of it above.


FIRST = 150
"""Words, and what else stands between spaces, of a letter with a sheet that may stand above it."""

_ROUND = 33
"""Words round them: whose letter it is, the headings with their lines, how the sheet is used."""

_MOST_NEWS = 60
"""Words of what happened that stand above a question, however much room there is."""


class Screen(msgspec.Struct, frozen=True):
    """The parts of the answer above the sheet, and those below; of the lines `refused`, and of those `done`, so many stand above.

    Of the news of a question so many `earlier` sentences stand below.
    """

    above: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()
    refused: int = 0
    earlier: int = 0
    done: int = 0


def first_screen(letter: Any) -> Screen:
    """The parts above the sheet of a letter that find room: a YES asked for, refusals, doubts, the latest news, the rest."""
    frame = getattr(letter, "frame", None)
    receipt = letter if isinstance(letter, Receipt) else frame.answer if frame else None
    parts = dict(_parts(receipt, borne=receipt is not letter)) if receipt else {}
    if not getattr(letter, "form", None):
        return Screen(frozenset(parts), refused=len(receipt.refused), done=len(receipt.done)) if receipt else Screen()
    verdict = (receipt.verdict, receipt.verdict_why) if receipt else ()
    room = _Room(FIRST - _ROUND - _owed(letter.frame) - _words(*_own(letter), *verdict), parts)
    wrong = [_wrong(line) for line in receipt.refused] if receipt else []
    refused = room.give_lines(wrong, "yes", "last")
    room.give("unread", *(("doubts",) if letter.frame.duty != "answer" else ()))  # orders under way are beyond doubt
    news = [_words("-", sentence) for sentence in reversed(getattr(letter, "news", ()))]
    told = room.first_of(news, _MOST_NEWS)
    room.give(*(part for part in parts if part != "dropped"))
    done = room.first_of([_words("-", sentence) for sentence in receipt.done]) if receipt else 0
    room.give("dropped")
    return Screen(frozenset(room.given), frozenset(parts) - room.given, refused, len(news) - told, done)


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
    due, link = frame.deadline, _words(_PLAY, frame.play) if frame.play else 0
    if due is None:
        return link + _words(frame.owes, frame.at_deadline)
    also = f"(that is {due.utc})" if due.utc != due.local else ""
    return link + _words(frame.owes, frame.at_deadline, "Your deadline: You have left.", due.local, due.left, also)


def _own(letter: Any) -> Iterator[str]:
    """The letter's own words above its sheet, beside the debt and the news."""
    match letter:
        case TurnReport():
            yield from (letter.page.title, "=", letter.page.summary)
        case QuestionLetter():
            yield from ("A decision for you", "=", letter.text, letter.rule)
        case Started():
            yield from (letter.title or f"{letter.frame.game} begins", "=")


def _parts(receipt: Receipt, borne: bool) -> Iterator[tuple[str, int]]:
    """The parts of a receipt that are not empty, with their lengths.

    Lines taken off the file stand there among them only where another letter bears the receipt, else beside the file.
    """
    if receipt.yes_takes or receipt.sure:
        yield "yes", _words(_SURE if receipt.sure else _CORRECTIONS, *(f"| {line}" for line in receipt.yes_takes))
    if receipt.last:
        yield "last", _words(receipt.last)
    lists = {"unread": receipt.unread, "doubts": receipt.doubts, "later": receipt.later}
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
_PLAY = "| Play this turn:"
_SURE = "Reply with just YES to end your turn all the same, or write your orders anew."
_CORRECTIONS = "Reply with just YES to take these corrections:"
_NOT_TAKEN = "Not taken -"
_BELOW = "The lines not taken, and the reasons, stand below the sheet."
_DROPPED = (
    "No longer on file, since this letter takes the place of what was there: "
    "A letter that begins with ADD takes nothing off the file."
)
