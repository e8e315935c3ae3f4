"""Letters beside a replay: every report and every turn letter is written again and must be the same, word for word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec

from referee.core.event import Event
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.page import Page, Sheet
from referee.mail import answerable, bodies, pictures_in
from referee.service.letters import TurnReport
from referee.service.match.audit import Audited, Course, span
from referee.service.office import At, Office
from referee.service.outgoing.writing import unwritten_report
from referee.service.ports import LetterOut, MatchRow, Report, Step
from referee.service.turns.told_pages import Written, changed, mailed, page_and_sheets


def letters_agree(at: At, row: MatchRow, found: Audited) -> Audited:
    """The audit, with every kept report of the live course and every letter that carried one compared too.

    What other rules gave may have been told in other words, so there a report that differs is counted and no trouble.
    """
    game = at.office.games[row.game]
    seats = _seats(at.step, row)
    every = sorted(at.step.reports(row.name), key=lambda report: report.epoch)
    kept = {(r.turn, r.reader): r for r in every}  # the latest of each turn: the live course
    letters = [letter for letter in at.step.outgoing(row.name) if letter.kind == "report" and letter.source]
    earlier: list[Event] = []
    compared = others = 0
    older: list[Course] = []
    for course in found.courses:
        differs = course.ended is None
        for (turn, reader), report in kept.items():
            if turn != course.turn:
                continue
            who = Seat(reader) if reader else Role.OBSERVER
            again = told_again(game, row.options, seats, earlier, course, who)
            if again is None or not _is_as_kept(again, report):
                if course.same:
                    return msgspec.structs.replace(
                        found, trouble=f"the report of turn {turn} is not what the rules give"
                    )
                differs = True
                continue
            for letter in _of(letters, report):
                # The version of the templates a letter was written with.
                if letter.said is None and letter.source.split(b"|", 4)[3].decode() != at.office.renderer.version:
                    others += 1
                    continue
                last = kept.get((turn - 1, reader))
                before = mailed(msgspec.json.decode(last.sheets, type=tuple[Sheet, ...]), who) if last else ()
                if _same(at.office, letter, again.page, mailed(again.sheets, who), before):
                    compared += 1
                elif course.same:
                    return msgspec.structs.replace(found, trouble=f"letter {letter.message_id} is not what was played")
                else:
                    differs = True
        older += [course] if differs else []
        earlier.extend(course.events)
    notes = [found.note] if found.note else []
    if others:
        notes.append(f"{others} letters were written with other templates; of those only page and sheets were compared")
    return msgspec.structs.replace(found, letters=compared, note="; ".join((*notes, *not_compared(older))))


def told_again(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: Sequence[Event],
    course: Course,
    who: Reader,
) -> Written | None:
    """The report of a phase as these rules write it; None where they do not give it, or cannot tell what others gave."""
    if course.ended is None:
        return None
    try:
        return page_and_sheets(game, options, seats, earlier, course.ended, who)
    except Exception:  # the telling was mended since, and breaks on what it never met
        if course.same:
            raise
        return None


def _is_as_kept(again: Written, report: Report) -> bool:
    """Whether a report is what was kept, with the map that the public one may have."""
    drawn = msgspec.json.encode(again.chart) if again.chart and not report.reader else None
    return _encoded(again.page, again.sheets) == (report.page, report.sheets) and report.chart in (None, drawn)


def _encoded(page: Page, sheets: tuple[Sheet, ...]) -> tuple[bytes, bytes]:
    return msgspec.json.encode(page), msgspec.json.encode(sheets)


def not_compared(courses: Iterable[Course]) -> tuple[str, ...]:
    """Of which phases other rules wrote other reports, or letters: those in a row of one version as one."""
    return tuple(
        f"reports and letters of {span(found[0].began.title, found[-1].began.title, len(found))} were written by other rules "
        f"and not compared{f' (version {version})' if version else ''}"
        for version, group in groupby(courses, key=lambda course: course.began.version)
        if (found := tuple(group))
    )


def _seats(step: Step, row: MatchRow) -> tuple[Seat, ...]:
    first = msgspec.json.decode(step.entries(row.name)[0].payload)
    return tuple(Seat(name) for name in first["seats"])


def _of(letters: Iterable[LetterOut], report: Report) -> list[LetterOut]:
    """The letters that carried a report: named by the log's head it was written at and by its reader."""
    mark = f"{report.seq}|{report.turn}|{report.reader}|".encode()
    return [letter for letter in letters if letter.source.startswith(mark)]


def _same(office: Office, letter: LetterOut, page: Page, sheets: tuple[Sheet, ...], before: tuple[Sheet, ...]) -> bool:
    """Whether a letter says this page and these sheets; one whose bytes are kept has the text and HTML of one written again."""
    if letter.said is not None:
        what = unwritten_report(letter).report
        again = () if what.sheetless else changed(sheets, before).sheets
        return _encoded(what.page, what.sheets) == _encoded(page, again)
    body = letter.source.split(b"|", 4)[4]
    frame = msgspec.json.decode(body, type=TurnReport)
    shown = () if frame.sheetless else changed(sheets, before).sheets
    written = office.renderer.render(
        "report",
        msgspec.structs.replace(frame, page=page, sheets=shown),
        answerable(letter.raw),
        pictures_in(letter.raw),
    )
    text, html = bodies(letter.raw)
    return text == written.text and html in (written.html, "")  # "": its reader wished plain text alone
