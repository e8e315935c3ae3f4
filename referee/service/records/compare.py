"""Letters beside a replay: every report and every turn letter is written again and must be the same, word for word."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from referee.core.event import Event
from referee.core.names import Role, Seat
from referee.core.page import Page, Sheet
from referee.mail import answerable, bodies
from referee.service.letters import TurnReport
from referee.service.match.audit import Audited
from referee.service.office import Office
from referee.service.ports import LetterOut, MatchRow, Report, Step
from referee.service.turns.told_pages import changed, mailed, page_and_sheets


def letters_agree(office: Office, step: Step, row: MatchRow, found: Audited) -> Audited:
    """The audit, with every kept report of the live course and every letter that carried one compared too.

    What other rules gave may have been told in other words, so there a report that differs is counted and no trouble.
    """
    game = office.games[row.game]
    seats = _seats(step, row)
    every = sorted(step.reports(row.name), key=lambda report: report.epoch)
    kept = {(r.turn, r.reader): r for r in every}  # the latest of each turn: the live course
    letters = [letter for letter in step.outgoing(row.name) if letter.kind == "report" and letter.source]
    earlier: list[Event] = []
    compared = others = 0
    older: set[int] = set()
    for course in found.courses:
        ended = course.ended
        for (turn, reader), report in kept.items() if ended is not None else ():
            if ended is None or turn != ended.phase.turn:
                continue
            who = Seat(reader) if reader else Role.OBSERVER
            page, sheets, _ = page_and_sheets(game, row.options, seats, earlier, ended, who)
            if (msgspec.json.encode(page), msgspec.json.encode(sheets)) != (report.page, report.sheets):
                if course.same:
                    return msgspec.structs.replace(
                        found, trouble=f"the report of turn {turn} is not what the rules give"
                    )
                older.add(turn)
                continue
            for letter in _of(letters, report):
                if _written_with(letter) != office.renderer.version:
                    others += 1
                    continue
                last = kept.get((turn - 1, reader))
                before = mailed(msgspec.json.decode(last.sheets, type=tuple[Sheet, ...]), who) if last else ()
                if not _same(office, letter, page, mailed(sheets, who), before):
                    return msgspec.structs.replace(found, trouble=f"letter {letter.message_id} is not what was played")
                compared += 1
        older |= set() if ended is not None else {course.turn}
        earlier.extend(course.events)
    notes = [found.note] if found.note else []
    if others:
        notes.append(f"{others} letters were written with other templates; of those only page and sheets were compared")
    return msgspec.structs.replace(found, letters=compared, note="; ".join((*notes, *not_compared(older))))


def not_compared(turns: Collection[int]) -> tuple[str, ...]:
    """That reports of these turns were not compared; nothing where there are none."""
    if not turns:
        return ()
    span = f"turn {min(turns)}" if len(turns) == 1 else f"{len(turns)} turns from {min(turns)} to {max(turns)}"
    return (f"the reports of {span} were written by other rules and not compared",)


def _seats(step: Step, row: MatchRow) -> tuple[Seat, ...]:
    first = msgspec.json.decode(step.entries(row.name)[0].payload)
    return tuple(Seat(name) for name in first["seats"])


def _of(letters: Iterable[LetterOut], report: Report) -> list[LetterOut]:
    """The letters that carried a report: named by the log's head it was written at and by its reader."""
    mark = f"{report.seq}|{report.turn}|{report.reader}|".encode()
    return [letter for letter in letters if letter.source.startswith(mark)]


def _written_with(letter: LetterOut) -> str:
    """The version of the templates a letter was written with."""
    return letter.source.split(b"|", 4)[3].decode()


def _same(office: Office, letter: LetterOut, page: Page, sheets: tuple[Sheet, ...], before: tuple[Sheet, ...]) -> bool:
    """Whether a letter, written again round a page, has the same text and HTML as the one that was sent."""
    body = letter.source.split(b"|", 4)[4]
    frame = msgspec.json.decode(body, type=TurnReport)
    shown = () if frame.sheetless else changed(sheets, before).sheets
    again = office.renderer.render(
        "report", msgspec.structs.replace(frame, page=page, sheets=shown), answerable(letter.raw)
    )
    text, html = bodies(letter.raw)
    return text == again.text and html in (again.html, "")  # "": its reader wished plain text alone
