"""Changes of lines on the way: all that is undone of them before orders are read, and the words on lines passed over.

Mail programs and people put marks before and behind an order, make it bold, break it where a line is full, or lose the end of
its line. A line that so reads as orders without fault, and as none as it came, is taken; where the letter itself does not show
where its lines ended it is offered.

Lines that are not read, as a signature or a quote, are only looked at: one that reads as an order, and is none that we sent, is
told first and offered. Prose stays prose: nothing is taken here that the grammar does not understand to its last word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from urllib.parse import unquote

import msgspec

from referee.core.normal_text import fold
from referee.core.order import Invalid, Vocabulary
from referee.mail import Skipped, texts_of_html
from referee.mail.reading.own_lines import ARMOUR, BELOW, HEADER, MARKED, OURS, QUOTED, SEALED
from referee.orders import LONGEST_LINE, Mistake, Reading, Sentence, is_sentence
from referee.service.intake.plain_words import is_prose
from referee.service.post.tray import words_of
from referee.service.turn.writer import Hand

Reads = Callable[[str], Reading]

_MOST = 120
"""Lines of a letter of which it is asked what they were before, and as many that were not read."""

_PARTS = 6
"""Lines that one order is broken into at the most."""

_VERBS = 30
"""Words of one line that may begin an order."""

_SEVERAL = 10
"""Lines of which it is asked where they are to be parted, and places where one is looked for in another form."""

_KEY = 4
_FULL = 60
"""Columns of a line that a mail program breaks: of free text no other goes on in the next."""

_ADDRESS = r"[^\s<>\[\]()?]{1,100}@[^\s<>\[\]()?]{1,200}"
_MAILTO = re.compile(
    rf"(?:(?<!\S)({_ADDRESS})\s?)?[<\[(]?mailto:({_ADDRESS})(?:\?[^\s<>\[\]()]{{0,500}})?(?:[>\])]\2?)?", re.IGNORECASE
)
_LINK = re.compile(r"[<\[(](?:https?://|mailto:)[^\s<>\[\]()]{1,2000}[>\])]", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<!\w)[*_`~]{1,3}(?=\w)|(?<=[\w.!)])[*_`~]{1,3}(?!\w)")
_BEFORE = re.compile(
    r"(?:[^\w\s\"'#]{1,3}\s*"  # a dash, a bullet, a tick, a box
    r"|\(?\[?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,4}|[a-z])[.)\]:\u20e3]{1,2}\s*"  # 1. 1) (1) 1.1. iv. a)
    r"|[\[(][ xX]?[\])]\s*"  # [ ] and [x]
    r"|\d{1,3} ?[-/]\s+"  # 1 -
    r"|[a-z\u00a7\u00d8\u00fc] {2,})",  # what Word makes of its bullets in plain text
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s*(?:[^\w\s\"'*)\]]{1,3}|[\[(][ xX]?[\])])$")
_MARKS = 4
_OF_LINKS = re.compile(r"%(?:20|0D|0A|3B)", re.IGNORECASE)
_AND = re.compile(r"[\s,]+(?:and|then)$", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n]+")
_QUOTE = re.compile(r"[\s>|]*")

_LOST = "It has {number} orders, and each stands on a line of its own or ends with “;”."
_JOINED = "Lines {first} to {last} were read as one order, which was broken on the way: {line}"
_PARTED = "Line {number} was read as {count} orders, whose line ends were lost on the way."


class Undone(msgspec.Struct, frozen=True):
    """A letter's text, each line at its number, what it says, and sentences on lines that were joined or parted."""

    text: str
    reading: Reading
    told: tuple[str, ...] = ()


def undone(text: str, otherwise: Sequence[str], reads: Reads, words: Callable[[], Sequence[Vocabulary]]) -> Undone:
    """The text as it was before it was sent. `otherwise` is what the letter also has of it, with other line ends."""
    if "mailto:" in text.lower():
        text = _MAILTO.sub(lambda found: found[1] or found[2], text)
    reading, rows = reads(text), {row.strip() for row in text.split("\n")} - {""}
    if not reading.mistakes and all(rows <= {row.strip() for row in form.split("\n")} for form in otherwise):
        return Undone(text, reading)  # all its lines stand so in each other form, as in most letters
    letter, ends = _Letter(text, reading, reads), _Ends(otherwise)
    letter.ended()
    letter.without_marks()
    letter.parted(ends)
    letter.joined(ends)
    return Undone(letter.text, letter.offering(words), tuple(letter.told))


def unmarked(text: str, reads: Reads) -> str:
    """The text, row for row, without what was put around its orders."""
    letter = _Letter(text, reads(text), reads)
    letter.without_marks()
    return letter.text


def bare(line: str) -> str:
    """A line without the marks before and behind it, without emphasis and links, and with the blanks a link lost."""
    line = _LINK.sub("", line).strip()
    if " " not in line.strip(" ;") and "+" in line:
        line = line.replace("+", " ")
    if _OF_LINKS.search(line):
        line = "; ".join(filter(None, map(str.strip, _LINE_END.split(unquote(line)))))
    line = _EMPHASIS.sub("", line).strip()
    for _ in range(_MARKS):
        before = _BEFORE.match(line)
        line = line[before.end() :] if before else line
        behind = _BEHIND.search(line[-12:])
        line = line[: len(line) - len(behind[0])] if behind else line
    return line.strip()


class _Letter:
    """The rows of a letter while they are put right; what each says is known from the reading of the whole."""

    def __init__(self, text: str, reading: Reading, reads: Reads) -> None:
        self._rows, self._reads = text.split("\n"), reads
        self.told: list[str] = []
        self._read(reading)

    @property
    def text(self) -> str:
        return "\n".join(self._rows)

    def _read(self, reading: Reading) -> None:
        self._reading = reading
        self._wrong = {mistake.line: mistake for mistake in reversed(reading.mistakes)}

    def _put(self, changed: Mapping[int, str]) -> None:
        """Rows anew, by their numbers, and read again."""
        for number, row in changed.items():
            self._rows[number - 1] = row
        if changed:
            self._read(self._reads(self.text))

    def ended(self) -> None:
        """Rows that go on below in a letter whose last order ends with “;”, as all do that the page writes.

        Either half may read as an order by itself, but not both: people end some of their orders so, and others by the line.
        """
        said = {sentence.line for sentence in sentences_of(self._reading)} | self._wrong.keys()
        ends = {number for number in said if self._rows[number - 1].rstrip().endswith(";")}
        if not ends or max(said) not in ends:
            return
        runs = list[tuple[int, int]]()
        for first in sorted(said - ends):
            last = next((number for number in range(first + 1, first + _PARTS) if number not in said - ends), first)
            if (
                last in ends
                and (first - 1 in ends or first - 1 not in said)
                and self._wrong.keys() & {first, first + 1}
            ):
                runs.append((first, last))
        runs = runs[:_MOST]
        whole = [" ".join(row.strip() for row in self._rows[first - 1 : last]) for first, last in runs]
        changed: dict[int, str] = {}
        for (first, last), line, verdict in zip(runs, whole, judge(whole, self._reads), strict=True):
            if isinstance(verdict, list):
                changed |= {first: line} | dict.fromkeys(range(first + 1, last + 1), "")
                self.told.append(_JOINED.format(first=first, last=last, line=line.rstrip("; ")))
        self._put(changed)

    def without_marks(self) -> None:
        """Rows without what was put around an order; of one that is not understood either the better sentence is told."""
        found: list[tuple[Mistake, str]] = []
        for mistake in self._reading.mistakes[:_MOST]:
            plain = bare(mistake.source)
            if plain and plain != mistake.source and mistake.source in self._rows[mistake.line - 1]:
                found.append((mistake, plain))
        judged = judge([plain for _, plain in found], self._reads)
        orders = {
            mistake.line for (mistake, _), verdict in zip(found, judged, strict=True) if isinstance(verdict, list)
        }
        changed: dict[int, str] = {}
        for (mistake, plain), verdict in zip(found, judged, strict=True):
            if mistake.source.endswith(",") and mistake.line + 1 in self._wrong.keys() - orders:
                plain += ","  # the list goes on
            if isinstance(verdict, list) or _is_heading(plain) or (verdict and is_prose(mistake)):
                row = changed.get(mistake.line, self._rows[mistake.line - 1])
                changed[mistake.line] = row.replace(mistake.source, plain, 1)
        self._put(changed)

    def parted(self, ends: _Ends) -> None:
        """Rows whose line ends were lost, where the letter shows them elsewhere and each of its parts is an order."""
        rows = ((number, ends.parts(row)) for number, row in enumerate(self._rows, 1))
        found = [*islice(((number, parts) for number, parts in rows if parts), _MOST)]
        judged = iter(judge([bare(part) for _, parts in found for part in parts], self._reads))
        changed: dict[int, str] = {}
        for number, parts in found:
            verdicts = [next(judged) for _ in parts]
            orders = sum(isinstance(verdict, list) for verdict in verdicts)
            if orders == len(parts) or (orders and number in self._wrong and None not in verdicts):
                changed[number] = "; ".join(map(bare, parts))
                self.told.append(_PARTED.format(number=number, count=len(parts)))
        self._put(changed)

    def joined(self, ends: _Ends) -> None:
        """Rows that go on below: where the next is no order, and both together are one, or were one in the HTML."""
        tried = [*islice(self._runs(), 2 * _MOST)]
        whole = [" ".join(row.strip() for row in self._rows[first - 1 : last]) for first, last in tried]
        judged = judge(whole, self._reads)
        changed: dict[int, str] = {}
        for (first, last), line, verdict in zip(tried, whole, judged, strict=True):
            if any(number in changed for number in range(first, last + 1)):
                continue
            is_one = isinstance(verdict, list) and not self._only_adds_words(first, verdict[0])
            is_meant = isinstance(verdict, Mistake) and verdict.refusal.instead and len(self._rows[first - 1]) >= _FULL
            if is_one or is_meant or ends.has(line):
                changed |= {first: line} | dict.fromkeys(range(first + 1, last + 1), "")
            if is_one:
                self.told.append(_JOINED.format(first=first, last=last, line=line))
        self._put(changed)

    def _runs(self) -> Iterator[tuple[int, int]]:
        """The first and the last of rows that may be one order, the longest first: no row but the first is an order."""
        said = {sentence.line for sentence in sentences_of(self._reading)} | self._wrong.keys()
        for first in sorted(said):
            last = first
            while last + 1 in self._wrong and last - first < _PARTS - 1:
                last += 1
            yield from ((first, end) for end in range(last, first, -1))

    def _only_adds_words(self, first: int, joined: Sentence) -> bool:
        """Whether a row that is an order by itself has nothing in the next but more free words, and was not full."""
        alone = next((s for s in sentences_of(self._reading) if s.line == first), None)
        row = self._rows[first - 1].rstrip()
        if alone is None or (len(row) >= _FULL and row[-1] not in ".!?"):
            return False
        return bool(_free_words(joined)) and _free_words(joined) != _free_words(alone)

    def offering(self, words: Callable[[], Sequence[Vocabulary]]) -> Reading:
        """The reading, in which a line of several orders that nothing parts is offered as these."""
        mistakes = list(self._reading.mistakes)
        verbs = _verbs(words()) if mistakes else frozenset[str]()
        several = [place for place, mistake in enumerate(mistakes[:_MOST]) if _begins(mistake.source, verbs) > 1][
            :_SEVERAL
        ]
        for place in several:
            mistake = mistakes[place]
            if parts := _at_verbs(mistake.source, verbs, self._reads):
                refusal = Invalid(_LOST.format(number=len(parts)), instead=("; ".join(parts),))
                mistakes[place] = Mistake(mistake.line, mistake.source, refusal, 0, len(mistake.source))
        return msgspec.structs.replace(self._reading, mistakes=tuple(mistakes))


class _Ends:
    """Where the lines of a letter end by its other forms. Blanks do not count: some programs break at them, some add them."""

    def __init__(self, otherwise: Sequence[str]) -> None:
        self._lines = [[*filter(None, map(_close, form.split("\n")))] for form in otherwise]
        self._whole = {line for lines in self._lines for line in lines}
        self._begin: dict[str, list[tuple[int, int]]] = {}
        for form, lines in enumerate(self._lines):
            for at, line in enumerate(lines):
                self._begin.setdefault(line[:_KEY], []).append((form, at))

    def has(self, line: str) -> bool:
        """Whether a line stands so in another form."""
        return _close(line) in self._whole

    def parts(self, row: str) -> tuple[str, ...]:
        """The row as the lines that it was elsewhere; () where it was one there too."""
        wanted = _close(row)
        for form, at in self._begin.get(wanted[:_KEY], ())[:_SEVERAL] if self._begin else ():
            lines, ends = self._lines[form], [0]
            while ends[-1] < len(wanted) and at < len(lines) and wanted.startswith(lines[at], ends[-1]):
                ends.append(ends[-1] + len(lines[at]))
                at += 1
            if ends[-1] == len(wanted) and len(ends) > 2:
                return _cut(row, ends[1:])
        return ()


def _close(line: str) -> str:
    return "".join(line.split())


def _cut(row: str, ends: Sequence[int]) -> tuple[str, ...]:
    """The row in pieces that end after so many characters which are no blanks."""
    places = [at for at, character in enumerate(row) if not character.isspace()]
    cuts = [0, *(places[end - 1] + 1 for end in ends)]
    return tuple(row[a:b].strip() for a, b in pairwise(cuts))


Judged = list[Sentence] | Mistake | None
"""The orders that a line gives, or what is wrong with one that was meant for an order; None for any other line."""


def judge(lines: Sequence[str], reads: Reads) -> list[Judged]:
    """The kind of each line by itself."""
    apart = [line if _stands_alone(line) else "" for line in lines]
    reading = reads("\n".join(apart)) if any(apart) else Reading()
    found: list[Judged] = [None] * len(lines)
    given: dict[int, list[Sentence]] = {}
    for sentence in sentences_of(reading):
        given.setdefault(sentence.line, []).append(sentence)
    for number, sentences in given.items():
        found[number - 1] = sentences
    for mistake in reading.mistakes:
        found[mistake.line - 1] = None if is_prose(mistake) else mistake
    if reading.yes:
        found[next(n for n, line in enumerate(apart) if line)] = []
    return found


def _stands_alone(line: str) -> bool:
    return len(line) <= LONGEST_LINE and not line.endswith("\\") and "\n" not in line and is_sentence(line)


def sentences_of(reading: Reading) -> Iterator[Sentence]:
    """The lines of a letter that stand by themselves and were understood."""
    yield from reading.desk
    yield from (node for node in reading.sheet if isinstance(node, Sentence))


def _is_heading(line: str) -> bool:
    """Whether a line opens or closes a block: prose that begins with `if` does not."""
    return not is_sentence(line) and not line.startswith(">") and line.split()[0].isupper()


def _free_words(sentence: Sentence) -> list[str]:
    things = (*sentence.order.things, *(thing for clause in sentence.order.clauses for thing in clause.things))
    return [thing.name for thing in things if thing.kind == "text"]


def _verbs(words: Iterable[Vocabulary]) -> frozenset[str]:
    names = (name for known in words for verb in known.verbs for name in (verb.word, *verb.aliases))
    return frozenset(fold(name).split()[0] for name in names)


def _begins(line: str, verbs: frozenset[str]) -> int:
    """How many words of a line are verbs; none where its first is not."""
    found = [fold(word) in verbs for word in line.split()[: 10 * _VERBS]]
    return sum(found) if found and found[0] else 0


def _at_verbs(line: str, verbs: frozenset[str], reads: Reads) -> tuple[str, ...]:
    """A line as several orders, each from a verb to the next, if all of it is orders so; as many as there can be."""
    said = line.split()
    starts = [at for at, word in enumerate(said) if fold(word) in verbs]
    if len(starts) > _VERBS:
        return ()
    ends = [*starts[1:], len(said)]
    stretches = [(a, b) for a in range(len(starts)) for b in range(a, len(starts))]
    lines = [bare(_AND.sub("", " ".join(said[starts[a] : ends[b]]))) for a, b in stretches]
    best: dict[int, tuple[str, ...]] = {0: ()}
    for (a, b), part, verdict in zip(stretches, lines, judge(lines, reads), strict=True):
        if a in best and isinstance(verdict, list) and len(best[a]) >= len(best.get(b + 1, ())):
            best[b + 1] = (*best[a], part)
    whole = best.get(len(starts), ())
    return whole if len(whole) > 1 else ()


# ---------------------------------------------------------------- lines that are not read

READS_SO = "it reads as an order and was not taken"
_OFFERED = 100
_LOOKED_THROUGH, _LETTERS = 300, 20
"""Letters out of a match among which those to one reader are looked for, and as many of them are read."""

_NOT_HIS = (QUOTED, BELOW, HEADER, OURS)


def letters_to_quote(hand: Hand) -> Iterator[tuple[str, str]]:
    """Text and HTML of the letters of the match that went to the writer of a letter, first those that it answers, then the last."""
    named = {hand.letter.in_reply_to, *hand.letter.references} if hand.letter else set[str]()
    his = set(hand.player.addresses)
    ours = [row for row in hand.step.latest_out(hand.match, _LOOKED_THROUGH) if row[2].lower() in his]
    for id, _, _ in sorted(ours, key=lambda row: row[1] not in named)[:_LETTERS]:
        letter = hand.step.posted(id)
        if letter is not None:
            yield words_of(hand.office, letter)


def passed_over(
    ignored: Iterable[Skipped], reads: Reads, sent: Callable[[], Iterable[tuple[str, str]]]
) -> dict[int, str]:
    """Lines that are not read and read as orders, by their numbers.

    A quoted line counts where it is none of those that were `sent`, so that somebody wrote it into the quote; so does
    what stands behind a bar there. In a signature, a footer and behind a bar of its own every order counts.
    """
    lines = [line for line in ignored if _LINK.sub("", line.text).strip("> \t") and line.why not in (ARMOUR, SEALED)]
    quotes = [line.why in _NOT_HIS for line in lines]
    for place, line in enumerate(lines):
        if line.why == MARKED and place:
            quotes[place] = quotes[place - 1] and line.number - lines[place - 1].number < 3
    plain = [bare(_QUOTE.sub("", line.text, 1)) for line in lines]
    likely = [place for place, line in enumerate(plain) if (" " in line or line.isupper()) and is_sentence(line)]
    likely = sorted(likely, key=lambda place: quotes[place])[: 10 * _MOST]
    judged = judge([plain[place] for place in likely], reads)
    found = {place: verdict for place, verdict in zip(likely, judged, strict=True) if isinstance(verdict, list)}
    letters = iter(sent()) if any(quotes[place] for place in found) else iter(())
    while any(quotes[place] for place in found) and (letter := next(letters, None)) is not None:
        known = _Sent(*letter)
        found = {
            place: said
            for place, said in found.items()
            if not quotes[place] or not known.has(plain, place, [sentence.text for sentence in said])
        }
    taken: dict[int, str] = {}
    for place in [*sorted(found)][:_OFFERED]:
        number = lines[place].number
        taken[number] = f"{taken[number]}; {plain[place]}" if number in taken else plain[place]
    return taken


class _Sent:
    """A letter of ours, by its lines and by its words in a row: who quotes it breaks lines elsewhere.

    Of its HTML the texts between tags count: a mail program puts several buttons on a line, each with the symbol of its seat.
    """

    def __init__(self, text: str, html: str) -> None:
        lines = [_QUOTE.sub("", line, 1) for line in text.split("\n")]
        self._lines = {_said(line) for line in lines}
        self._row = f" {' '.join(filter(None, map(_said, lines)))} "
        texts = [*map(_letters, texts_of_html(html))]
        self._shown, self._ends = "".join(texts), {0, *accumulate(map(len, texts))}

    def has(self, lines: Sequence[str], place: int, canonical: Iterable[str]) -> bool:
        """Whether a line stands so in the letter, or is part of one of its lines that was broken."""
        said = _said(lines[place])
        if said in self._lines or all(_said(text) in self._lines for text in canonical):
            return True
        before = _said(lines[place - 1]).split()[-2:] if place else []
        after = _said(lines[place + 1]).split()[:2] if place + 1 < len(lines) else []
        within = (*before, said, *after) if before or after else ()
        if within and (f" {' '.join(within)} " in self._row or _letters("".join(within)) in self._shown):
            return True
        return self._shows(_letters(said))

    def _shows(self, said: str) -> bool:
        """Whether the HTML has that as one of its texts, or as several that follow one another."""
        at = self._shown.find(said)
        while at >= 0 and not {at, at + len(said)} <= self._ends:
            at = self._shown.find(said, at + 1)
        return at >= 0


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def _said(line: str) -> str:
    return fold(bare(line).replace(";", " ").strip())
