"""Saved letters read: whether what they tell of the play is what the log gives.

Three things are read in what the referee says itself, never behind a bar: the lines of dice, which stand for throws of the log; a
report with its record sheets, which is written again from what its reader was told; and in receipts the orders on file, which
are those that the log has from the same letter. Words are compared by their letters, digits and signs alone, as mail programs
break and mark lines in many ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from html import unescape
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from referee.core.event import Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.page import Bullets, Grid, Heading, Note, Page, Paragraph, Sheet
from referee.core.position import Unfoldable, evolved, start
from referee.core.record import Created, Filed, Forwarded, Given, Happened, Live, Record, Renewed, Rewound, live
from referee.core.record import Sheet as OrderSheet
from referee.core.stage import Ended
from referee.service.match.audit import Course
from referee.service.match.history import Earlier
from referee.service.match.playing import codec_of
from referee.service.match.sheets import meaning_of, on_file
from referee.service.turn.knowledge import Hearing, Table
from referee.service.turn.reports import (
    Draw,
    Written,
    bare,
    changed,
    digest_of_words,
    in_one,
    mailed,
    map_in_words,
    pages_and_sheets,
    salt_of_report,
    words_of,
)

History = tuple[Course, ...]
"""Phases that ended one after the other, as they counted once."""

_DICE = re.compile(r"\b([0-9]{1,3})d([0-9]{1,6}) = ([0-9]+(?: (?:\+ )?[0-9]+)*)")
_MARKS = re.compile(r"^[ \t>]+", re.MULTILINE)
_TOGETHER = re.compile(r"sendreportturn([0-9]{1,6})bringsthereportofthatturnwhole")
_PROOF = re.compile(r"Proof[\s|>]+([0-9a-f]{64})")
_SALT = re.compile(r"Salt of this report:[\s|>]*([0-9a-f]{64})")
_BEFORE = 200
"""So many letters and digits of a letter before `this is match` may hold its title and its reader's name."""

_FIRST_OR_LAST = re.compile(r"(?:fingerprint|secret)[0-9a-f]{64}")
"""The mark of a match's first letter and of its last, which report no turn alone."""

_PREVIEW = "the dice here are not the match's"
_NOTE = re.compile("(?:note|warning)*")
_MOST_TOGETHER = 60
"""So many turns a letter tells of together at most."""


class Read(NamedTuple):
    """Contradictions between letters and the log, things that could not be compared, and things that were; in sentences."""

    wrong: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class Laid(NamedTuple):
    """The digests of the words of a report to a reader, "" for who watches: without record sheets, and with them."""

    turn: int
    epoch: int
    title: str
    reader: str
    digests: tuple[str, ...]


class Log(msgspec.Struct, frozen=True, dict=True):
    """The story of a log, to read letters by. `veiled`: some of its events are withheld.

    `histories` are what counts and what counted before it was set aside, the first what counts now.
    """

    game: Game[Any]
    match: str
    created: Created
    records: tuple[tuple[int, Record], ...]
    histories: tuple[History, ...]
    veiled: bool
    over: bool
    by: str = ""
    """The version that wrote the folder."""

    draw: Draw | None = None
    """A table as letters in plain text have it; without it none is compared."""

    untold: dict[str, None] = {}
    """From where on these rules cannot tell what others gave, and why, in sentences."""

    laid: tuple[Laid, ...] = ()
    """The digests that were laid down of the words of reports."""

    secret: bytes = b""
    """That of the match, once it is over."""

    @cached_property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """Those that are shown and known, each with the number of its entry."""
        codec, found = codec_of(self.game), list[tuple[int, Event]]()
        for seq, record in self.records:
            if isinstance(record, Happened):
                try:
                    found.append((seq, codec.event(record.event)))
                except msgspec.DecodeError:
                    continue
        return tuple(found)

    @cached_property
    def thrown(self) -> Mapping[str, tuple[tuple[int, str, Rolled], ...]]:
        """By what they are said to be for, all throws: the number of the entry, the title of the phase, and the throw."""
        found, title = dict[str, list[tuple[int, str, Rolled]]](), ""
        for seq, event in self.events:
            if isinstance(event, PhaseBegan):
                title = event.title
            elif isinstance(event, Rolled):
                found.setdefault(" ".join(event.why.split()), []).append((seq, title, event))
        return {why: tuple(all) for why, all in found.items()}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of all phases by their bare words, the longest first."""
        titles = {event.title for _, event in self.events if isinstance(event, PhaseBegan)}
        return {bare(title): title for title in sorted(titles, key=len, reverse=True)}

    @cached_property
    def told(self) -> tuple[tuple[Mapping[Reader, Written], ...], ...]:
        """The pages of each reader for each phase of each history; nothing from where these rules cannot tell it."""
        readers: tuple[Reader, ...] = (*self.created.seats, Role.OBSERVER)
        return tuple(
            tuple(tell(self.game, self.created, readers, history, self.untold, self.over)) for history in self.histories
        )


def tell(
    game: Game[Any],
    created: Created,
    readers: tuple[Reader, ...],
    history: History,
    untold: dict[str, None],
    over: bool = True,
) -> Iterator[Mapping[Reader, Written]]:
    """The pages of each of these for each phase, as far as these rules can tell it; else `untold` has a sentence about it."""
    hearing = Hearing(Table(game, created.seats, created.options), Earlier(()), readers)
    for course in history:
        try:
            if course.ended is None:
                hearing.hear(course.events)
            yield pages_and_sheets(hearing, course.ended) if course.ended is not None else {}
        except BREAKS as problem:
            if course.same and over:  # an audit has played it
                raise
            untold[_from(course.began, problem)] = None
            return


BREAKS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, Unfoldable)
"""Exceptions by events that other rules gave, where these cannot take them in."""


def _from(began: PhaseBegan, why: object) -> str:
    problem = f"{type(why).__name__}: {why}" if isinstance(why, Exception) else why
    version = f"version {began.version}" if began.version else "other rules"
    return f"the words of reports from “{began.title}” on: these rules cannot tell what {version} gave ({problem})"


def open_histories(
    game: Game[Any], records: Sequence[tuple[int, Record]], withheld: Sequence[int], untold: dict[str, None]
) -> tuple[History, ...]:
    """Those of a match that is played, from what everybody may read: each as far as all its events are shown.

    In `untold` is kept from where on these rules cannot take in what is shown.
    """
    until = [len(records), *(n for n, (_, r) in enumerate(records) if isinstance(r, Rewound | Renewed | Forwarded))]
    return tuple(tuple(_open(game, live(records[:end]), withheld, untold)) for end in until)


def _open(game: Game[Any], alive: Sequence[Live], withheld: Sequence[int], untold: dict[str, None]) -> Iterator[Course]:
    codec, created = codec_of(game), alive[0].record
    assert isinstance(created, Created)
    position = start(game, created)
    state, events, first = position.state, list[Event](), 0
    before = state
    for entry in alive:
        if not isinstance(entry.record, Happened):
            continue
        try:
            event = codec.event(entry.record.event)
            state = evolved(game, state, event)
        except BREAKS as problem:
            if events and isinstance(events[0], PhaseBegan):
                untold[_from(events[0], problem)] = None
            return
        if isinstance(event, PhaseBegan):
            first, before, events = entry.seq, state, []
        events.append(event)
        if isinstance(event, PhaseEnded) and isinstance(events[0], PhaseBegan):
            if any(first < seq < entry.seq for seq in withheld):
                return
            phase = game.next_phase(before)
            if phase is None or phase.key != event.key:
                untold[_from(events[0], f"they expect {phase.title if phase else 'the end'} there")] = None
                return
            ended = Ended(phase, before, tuple(events), state, ())
            yield Course(events[0], phase.turn, tuple(events), events[0].build == game.build, None, True, ended)


class _Letter(NamedTuple):
    """A letter as it is read: `phase` is the title of the one that it reports, `seat` whose it is; "" where it does not say so."""

    own: str
    whole: str
    words: str
    size: int
    phase: str
    seat: str
    subject: str
    is_report: bool
    lines: tuple[str, ...]
    """The lines of its plain text, without those behind bars; none where that was not saved."""


def read_letters(letters: Iterable[tuple[str, str, str, int, bool]], log: Log) -> Read:
    """Subject, all of its text, what the referee says in it, of how many entries of the log it tells, and whether that is its
    plain text: each letter read.
    """
    wrong, unchecked, compared, dice, later, laid = list[str](), list[str](), 0, 0, 0, 0
    for subject, text, ours, size, plain in letters:
        letter = _opened(subject, text, ours, size, plain, log)
        if _PREVIEW in letter.own.casefold():
            continue
        found, unknown = _dice(letter, log)
        wrong += found
        dice += len(_DICE.findall(letter.own)) - unknown
        if unknown:
            unchecked.append(
                f"{unknown} lines of dice in a letter, “{subject}”: the log does not show all throws before the end"
            )
        if letter.is_report and (letter.phase or _TOGETHER.search(letter.words)):
            same, problem, why = _report(letter, log)
            fits, other = _as_laid_down(letter, log)
            compared += same
            laid += fits
            wrong += filter(None, (problem, other))
            alone = not (same or fits or _SALT.search(letter.own) or _TOGETHER.search(letter.words))
            if alone and _laid_for(letter, log):
                unchecked.append(_NO_SALT.format(letter.subject))
            not_given = fits and not same
            unchecked += (
                [_NOT_GIVEN.format(letter.subject, why.rpartition(": ")[2]) if not_given else why] if why else []
            )
            later += not (same or problem or why or fits)
        elif letter.is_report and not _FIRST_OR_LAST.search(letter.words):
            unchecked.append(f"the words of a letter, “{subject}”: it reports no turn that the log has")
        elif letter.is_report and bare(f"{log.game.title} begins") in letter.words[:_BEFORE]:
            wrong += filter(None, (_report(letter, log)[1],))
        wrong += _echo(letter, log)
    said = [f"{dice} lines of dice in them and {compared} reports are what the log gives"] if dice or compared else []
    unchecked += log.untold
    if laid:
        said.append(f"{laid} reports are word for word what was laid down when they were sent")
    if later:
        said.append(f"the words of {later} reports tell what the log shows at the end alone, and can be compared then")
    return Read(tuple(wrong), tuple(dict.fromkeys(unchecked)), tuple(said))


_NO_SALT = "the words of a report, “{}”: it does not have the salt of the digest that was laid down of them"
_NOT_GIVEN = "whether the log gives a report, “{}”, which is word for word what was laid down when it was sent: {}"


def _opened(subject: str, text: str, ours: str, size: int, plain: bool, log: Log) -> _Letter:
    own = " ".join(_MARKS.sub("", ours).split())
    words = bare(ours)
    at = words.find(f"thisismatch{bare(log.match)}")
    head = words[max(0, at - _BEFORE) : max(0, at)]
    title = next((title for plain, title in log.titles.items() if plain in head), "")
    after = words[at + len(f"thisismatch{bare(log.match)}") :] if at >= 0 else ""
    seats = sorted(log.created.seats, key=len, reverse=True)
    seat = next((seat for seat in seats if after.startswith(f"youplay{bare(seat)}")), "")
    lines = tuple(_MARKS.sub("", ours).splitlines()) if plain else ()
    return _Letter(own, text, words, size, title, seat, subject, at >= 0 and "proofofthedice" in words, lines)


# ---------------------------------------------------------------- lines of dice


def _dice(letter: _Letter, log: Log) -> tuple[list[str], int]:
    """Dice lines that no throw shows, and the number of those whose throws are not shown before the end."""
    wrong, unknown = list[str](), 0
    one = letter.phase if letter.is_report and not _TOGETHER.search(letter.words) else ""
    for found in _DICE.finditer(letter.own):
        before = letter.own[: found.start()].rstrip(": ")
        why = max((why for why in log.thrown if before.endswith(why)), key=len, default="")
        throws = [
            (seq, throw)
            for seq, title, throw in log.thrown.get(why, ())
            if (not letter.size or seq < letter.size) and one in ("", title)
        ]
        count, sides, faces = int(found[1]), int(found[2]), [int(face) for face in re.findall("[0-9]+", found[3])]
        if any((len(t.faces), t.sides, [*t.faces]) == (count, sides, faces[:count]) for _, t in throws):
            continue
        if log.veiled and not throws:
            unknown += 1
            continue
        said = f"a letter, “{letter.subject}”, says “{why or before[-40:]}: {found[0]}”"
        shown = "; ".join(f"{' '.join(map(str, throw.faces))} (entry {seq})" for seq, throw in throws[-3:])
        wrong.append(f"{said}, and the log has {shown or 'no such throw'}")
    return wrong, unknown


# ---------------------------------------------------------------- reports


def _report(letter: _Letter, log: Log) -> tuple[bool, str, str]:
    """Whether a report is what the log gives; else what is wrong with it, or why it could not be compared, "" before the end."""
    best: tuple[int, str, Course] | None = None
    unknown = ""
    many = _TOGETHER.search(letter.words)
    first = not (letter.phase or many)  # the first letter reports all that had ended by then, such as a set-up
    ended = sum(isinstance(event, PhaseEnded) and seq < letter.size for seq, event in log.events if first)
    for history, told in zip(log.histories, log.told, strict=True):
        for last in range(len(told)):
            if last + 1 != ended if first else not _is_of(history[last], letter, many):
                continue
            for page, sheets, chart, since in _pages(
                letter, log, history, told, last, last > 0 if first else bool(many)
            ):
                missing = _missing(page, letter.words, log.draw)
                wrong = "" if missing else _chart(chart, letter.words)
                differs = wrong or ("" if missing else _sheets(sheets, letter.words, log.draw))
                if not (missing or differs):
                    return True, "", ""
                if not (missing or wrong or since is None or _is_own(since, log)):
                    unknown = _SHEETS.format(letter.subject, since.began.version)
                if best is None or len(missing) < best[0]:
                    best = len(missing), _beside(letter, missing[0]) if missing else differs, history[last]
    if unknown:
        return True, "", unknown
    if best is None or not (first or _is_all(letter, log, bool(many))):
        return False, "", f"the words of a report, “{letter.subject}”: other rules played it" if log.over else ""
    if not (_is_own(best[2], log) and log.game.version == log.by):
        version = best[2].began.version
        return False, "", f"the words of a report, “{letter.subject}”: version {version} of the referee worded it"
    return False, f"a letter, “{letter.subject}”, does not say what the log gives: {best[1]}", ""


_SHEETS = (
    "the record sheets of a report, “{}”: they tell what has changed since those that version {} of the referee sent"
)


def _is_own(course: Course, log: Log) -> bool:
    """Whether these very rules, in this version, played a phase and worded its report."""
    return course.same and course.began.version == log.game.version


def _is_of(course: Course, letter: _Letter, many: re.Match[str] | None) -> bool:
    return course.turn == int(many[1]) if many else course.began.title == letter.phase


def _as_laid_down(letter: _Letter, log: Log) -> tuple[bool, str]:
    """Whether a letter about one turn has the words whose digest was laid down when it was sent; or what is wrong with it.

    Its words go from some line to the proof of the dice, behind the sentence below its title.
    """
    salt = _SALT.search(letter.own)
    if salt is None or not letter.lines:
        return False, ""
    known = {
        digest
        for one in _laid_for(letter, log)
        for digest in one.digests
        if not log.secret or salt[1] == salt_of_report(log.secret, one.turn, one.epoch, one.reader)
    }
    if any(digest_of_words(salt[1], words) in known for words in _spans(letter, log)):
        return True, ""
    return False, f"a letter, “{letter.subject}”, has other words than those whose digest is in reports.jsonl"


def _laid_for(letter: _Letter, log: Log) -> list[Laid]:
    return [one for one in log.laid if (one.title, one.reader) == (letter.phase, letter.seat)]


def _spans(letter: _Letter, log: Log) -> Iterator[str]:
    """The words that a report may have: what follows the sentence below its title, to the end of one of the next lines, and all
    between some line and the proof of the dice.
    """
    words = [bare(line) for line in letter.lines]
    end = next((n for n, line in enumerate(words) if line.startswith("proofofthedice")), 0)
    begins = [0, *accumulate(map(len, words[:end]))]
    said = "".join(words[:end])
    named = f"thisismatch{bare(log.match)}{f'youplay{bare(letter.seat)}' if letter.seat else ''}"
    below = said.find(named) + len(named)
    ends = [place for place in dict.fromkeys(begins) if place >= below]
    for sentence in (below, *ends[:_LINES]):
        yield from (said[below:sentence] + said[place:] for place in ends if place >= sentence)


_LINES = 8
"""So many lines the sentence that says it all has at most."""


def laid_down_otherwise(
    told: Mapping[Reader, Written], before: Mapping[Reader, Written] | None, laid: Laid, secret: bytes, draw: Draw
) -> bool:
    """Whether these rules give other words of a report than were laid down; with sheets where those `before` are known."""
    reader: Reader = Seat(laid.reader) if laid.reader else Role.OBSERVER
    if reader not in told:
        return False
    written, last = told[reader], mailed(before[reader].sheets, reader) if before and reader in before else ()
    shown = changed(mailed(written.sheets, reader), last)
    words = words_of(written.page, shown, map_in_words(written.chart, told[Role.OBSERVER].chart), draw)
    salt = salt_of_report(secret, laid.turn, laid.epoch, laid.reader)
    again = tuple(digest_of_words(salt, each) for each in words)
    return laid.digests != again if before is not None else laid.digests[:1] != again[:1]


def _is_all(letter: _Letter, log: Log, many: bool) -> bool:
    """Whether all phases were looked at that a letter may report."""
    if all(len(told) == len(history) for told, history in zip(log.told, log.histories, strict=True)) and log.over:
        return True
    began = sum(isinstance(event, PhaseBegan) and event.title == letter.phase for _, event in log.events)
    return began == 1 and not many


def _pages(
    letter: _Letter,
    log: Log,
    history: History,
    told: Sequence[Mapping[Reader, Written]],
    last: int,
    many: bool,
) -> Iterator[tuple[Page, tuple[Sheet, ...], str, Course | None]]:
    """The reports that a letter may be, with the sheets it then shows, for each whom it may be to; and the phase since whose end
    these sheets tell what has changed.
    """
    readers: tuple[Reader, ...] = (Seat(letter.seat),) if letter.seat else (Role.OBSERVER, *log.created.seats)
    for reader in readers:
        for many_turns in range(2, min(last + 1, _MOST_TOGETHER) + 1) if many else (1,):
            first = last - many_turns + 1
            parts = [(history[n].ended, told[n].get(reader)) for n in range(first, last + 1)]
            pages = [(ended, written.page) for ended, written in parts if ended is not None and written is not None]
            if len(pages) < len(parts):
                break
            written = told[last][reader]
            chart = written.chart.instead if written.chart and not many else ""
            before = told[first - 1].get(reader) if first else None
            old = mailed(before.sheets, reader) if before else ()
            since = history[first - 1] if first else None
            yield in_one(log.game, pages, reader), changed(mailed(written.sheets, reader), old).sheets, chart, since


def told_otherwise(page: Page, html: str, draw: Draw) -> str:
    """The first part of a report that a page of the folder does not have where it should; "" for none."""
    columns = {name.strip() for name in _COLUMN.findall(html)}
    folded = _LABEL.sub(lambda label: "" if label[1].strip() in columns else label[0], html)
    text = unescape(_TAG.sub(" ", folded))
    return next(iter(_missing(page, bare(text), draw)), "")


_COLUMN, _LABEL = re.compile(r"<th\b[^>]*>([^<]*)</th>"), re.compile(r'<span class="label">([^<]*)</span>')
"""The names of columns, and how a telephone is shown them again beside each figure."""

_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL)


def _missing(page: Page, words: str, draw: Draw | None) -> list[str]:
    """Parts of a page that a letter does not have where it should; none where it says all of it and nothing between."""
    missing = [text for text in (page.title, page.summary) if bare(text) not in words]
    at = words.find("proofofthedice")
    end, between = -1, True
    for run in _runs(page):
        if isinstance(run, Grid):
            missing += _lost(run, words, draw)
            between = False
            continue
        plain = "".join(map(bare, run))
        found = words.find(plain, max(end, 0))
        if found < 0:
            missing += [text for text in run if bare(text) not in words] or [run[0]]
        else:
            gap = words[end:found] if end >= 0 and between else ""
            if not _NOTE.fullmatch(gap):
                missing.append(f"nothing between its lines, where there is “{gap[:80]}”")
            end, between = found + len(plain), True
    if end > at >= 0:
        missing.append(page.title)
    return missing


def _runs(page: Page) -> Iterator[Sequence[str] | Grid]:
    """Texts that follow each other in a letter without anything between, and tables."""
    run = list[str]()
    for block in page.blocks:
        if isinstance(block, Heading | Paragraph):
            run.append(block.text)
        elif isinstance(block, Bullets):
            run += block.items
        else:
            if any(map(bare, run)):
                yield run
            run = []
            if isinstance(block, Grid):
                yield block
            elif isinstance(block, Note):
                yield [block.text]
    if any(map(bare, run)):
        yield run


def _lost(grid: Grid, words: str, draw: Draw | None) -> list[str]:
    """The rows of a table that a letter does not have, drawn as plain text has it or cell by cell."""
    if draw is None or not (grid.rows or grid.total) or bare(draw(grid)) in words:
        return []
    rows = (*grid.rows, *((grid.total,) if grid.total else ()))
    lost = [" ".join(map(str, row)) for row in rows if "".join(bare(str(cell)) for cell in row) not in words]
    return lost or ([" ".join(grid.columns)] if not _in_rows(grid, words) else [])


def _in_rows(grid: Grid, words: str) -> bool:
    """Whether the rows follow one another, as in the text of a page."""
    rows = (grid.columns, *grid.rows, *((grid.total,) if grid.total else ()))
    return "".join(bare(str(cell)) for row in rows for cell in row) in words


def _sheets(sheets: Sequence[Sheet], words: str, draw: Draw | None) -> str:
    """Contradictions of the record sheets in a letter; "" where its reader wished none."""
    if not any(bare(sheet.title) in words for sheet in sheets):
        return ""
    for sheet in sheets:
        for grid in sheet.grids:
            if missing := _lost(grid, words, draw):
                return f"the log gives “{missing[0]}” in {sheet.title}, and it is not there"
    return ""


def _chart(sentence: str, words: str) -> str:
    """A contradiction of the sentence in the place of the map; "" too where a letter has none."""
    begins = bare(" ".join(sentence.split()[:3]))
    there = begins and begins in words and bare(sentence) not in words
    return f"the log gives “{sentence}”, and it is not there" if there else ""


def _beside(letter: _Letter, missing: str) -> str:
    """The words of the log, and those of the letter that come nearest to them."""
    said = re.split(r"(?<=[.:])\s+(?=[-A-Z])|\s-\s", letter.own)
    near = get_close_matches(missing, said, 1, 0.5)
    return f"the log gives “{missing}”" + (f", the letter says “{near[0]}”" if near else ", which it does not say")


# ---------------------------------------------------------------- receipts


_FILE = re.compile(r"as on file\b")
_BAR = re.compile(r"^[ \t>]*[|\u2502\uff5c] ?(.*)$")


def _echo(letter: _Letter, log: Log) -> Iterator[str]:
    """Orders that a receipt names as on file, and the log has none such from the letter that it answers, or from before.

    In the log they stand by their words, by what they mean, and as what is carried out: all three must be of one kind.
    """
    proofs = set(_PROOF.findall(letter.own))
    filed = [(seq, record) for seq, record in log.records if isinstance(record, Filed)]
    last = max((n for n, (_, record) in enumerate(filed) if record.digest in proofs), default=-1)
    if last < 0:
        return
    seats = {record.seat for _, record in filed if record.digest in proofs}  # two may have written the same
    own = [record for _, record in filed[: last + 1] if record.seat in seats]
    lines = [line for record in own for line in on_file(record.sheet)]
    outer = {bare(line.text) for line in lines if not line.depth}
    inner = " ".join(bare(text) for line in lines for text in (line.text * bool(line.depth), line.meaning) if text)
    for deep, line in _named(letter.whole):
        if bare(line) not in (inner if deep else outer):
            yield f"a receipt, “{letter.subject}”, has “{line}” on file, and the log has not, from the letter that it answers"
    for record in own if log.over and all(course.same for course in log.histories[0]) else ():
        for given in _given(record.sheet) if record.digest in proofs else ():
            if not _means(given, log):
                yield f"“{given.text}” of a letter of yours was not filed as what it says, “{given.meaning}”"


def _means(given: Given, log: Log) -> bool:
    """Whether what is carried out means what was told of it, in some position of the match."""
    intent = codec_of(log.game).intent(given.intent)
    ended = (course.ended for course in log.histories[0])
    states = (state for one in ended if one is not None for state in (one.before, one.after))
    return any(meaning_of(log.game, state, intent) == given.meaning for state in states)


def _given(sheet: OrderSheet) -> Iterator[Given]:
    for item in sheet:
        if isinstance(item, Given):
            yield item
        else:
            yield from (*_given(item.then), *_given(item.otherwise))


def _named(text: str) -> Iterator[tuple[bool, str]]:
    """The orders of a receipt, and whether a line is indented: behind a bar, below a heading that says `as on file`."""
    within = False
    for line in text.splitlines():
        barred = _BAR.match(line)
        if barred is None:
            within = bool(_FILE.search(line)) or (within and not line.strip(" \t>-"))
        elif within and bare(barred[1]):
            yield barred[1].startswith(" "), barred[1].strip()
